#include "semparse/candidates/form_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/random.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t forms_size = std::size_t{1} << 20;
constexpr int form_epochs = 6;
constexpr float form_rate = 0.1F;
constexpr float negligible_gradient = 0.01F;
constexpr std::size_t min_forms = 5;  // skeletons with a part, or without it, so that it is one of its own
constexpr float least_probability = 1e-6F;

// The parts of the skeletons, sorted.
struct Parts {
  std::vector<std::uint64_t> keys{};

  // Which of them a skeleton with these fragments has.
  std::vector<bool> of(const std::vector<std::uint64_t>& fragments) const {
    std::vector<bool> has(keys.size(), false);
    for (const auto fragment : fragments) {
      const auto at = std::lower_bound(keys.begin(), keys.end(), fragment);
      if (at != keys.end() && *at == fragment) has[static_cast<std::size_t>(at - keys.begin())] = true;
    }
    return has;
  }
};

Parts parts_of(const std::vector<KnownSkeleton>& skeletons) {
  std::vector<std::uint64_t> all;
  for (const auto& each : skeletons) {
    auto own = each.fragments;
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    all.insert(all.end(), own.begin(), own.end());
  }
  std::sort(all.begin(), all.end());
  Parts parts;
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::upper_bound(first, all.end(), *first);
    const auto count = static_cast<std::size_t>(last - first);
    if (count >= min_forms && count + min_forms <= skeletons.size()) parts.keys.push_back(*first);
    first = last;
  }
  return parts;
}

float score_part(const LinearModel& weights, std::uint64_t part, const std::vector<std::uint64_t>& keys) {
  float score = weights.weight(part);
  for (const auto key : keys) score += weights.weight(feature_key(key, part));
  return score;
}

}  // namespace

std::vector<FormFit> form_fits(const ParserModel& model, const QuestionView& view) {
  std::vector<FormFit> fits(model.skeletons.size());
  if (!model.forms) return fits;
  const auto parts = parts_of(model.skeletons);
  struct Logs {
    float present;
    float absent;
  };
  std::vector<Logs> logs;
  for (const auto part : parts.keys) {
    const float score = score_part(*model.forms, part, view.question_features());
    logs.push_back({std::log(std::max(logistic(score), least_probability)),
                    std::log(std::max(logistic(-score), least_probability))});
  }
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const auto has = parts.of(model.skeletons[i].fragments);
    for (std::size_t part = 0; part < has.size(); ++part) {
      const float log = has[part] ? logs[part].present : logs[part].absent;
      fits[i].all += log;
      auto& least = has[part] ? fits[i].present : fits[i].absent;
      least = std::min(least, log);
    }
  }
  return fits;
}

LinearModel learn_forms(std::vector<FormExample> examples, const std::vector<KnownSkeleton>& skeletons,
                        std::size_t min_databases, std::uint64_t seed) {
  const auto parts = parts_of(skeletons);
  std::map<std::uint64_t, std::set<const Domain*>> databases;
  for (const auto& example : examples)
    for (const auto key : *example.keys) databases[key].insert(example.domain);
  struct Lesson {
    std::vector<std::uint64_t> keys{};
    std::vector<bool> has{};
  };
  std::vector<Lesson> lessons;
  for (const auto& example : examples) {
    Lesson lesson{{}, parts.of(fragments_of(*example.skeleton))};
    for (const auto key : *example.keys)
      if (databases[key].size() >= min_databases) lesson.keys.push_back(key);
    lessons.push_back(std::move(lesson));
  }
  LinearModel weights(forms_size);
  Learner learner(weights, form_rate);
  Random random(seed, 5);
  for (int epoch = 0; epoch < form_epochs; ++epoch) {
    for (std::size_t i = lessons.size(); i > 1; --i) std::swap(lessons[i - 1], lessons[random.below(i)]);
    for (const auto& lesson : lessons) {
      for (std::size_t part = 0; part < parts.keys.size(); ++part) {
        const auto key = parts.keys[part];
        const float gradient = (lesson.has[part] ? 1.0F : 0.0F) - logistic(score_part(weights, key, lesson.keys));
        if (std::fabs(gradient) < negligible_gradient) continue;
        learner.update(key, gradient);
        for (const auto word : lesson.keys) learner.update(feature_key(word, key), gradient);
      }
    }
  }
  return weights;
}

}  // namespace trustsql::semparse
