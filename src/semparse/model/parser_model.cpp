#include "semparse/model/parser_model.hpp"

#include <unordered_map>

namespace trustsql::semparse {

std::vector<float> score_skeletons(const ParserModel& model, const QuestionView& view) {
  std::unordered_map<std::uint64_t, float> known;  // skeletons share most of their fragments
  std::vector<float> scores;
  scores.reserve(model.skeletons.size());
  for (const auto& each : model.skeletons) {
    float score = 0;
    for (const auto fragment : each.fragments) {
      const auto [entry, is_new] = known.try_emplace(fragment, 0.0F);
      if (is_new) {
        float sum = model.weights.weight(fragment);
        for (const auto key : view.question_features()) sum += model.weights.weight(feature_key(key, fragment));
        entry->second = sum;
      }
      score += entry->second;
    }
    scores.push_back(score);
  }
  log_softmax(scores);
  return scores;
}

}  // namespace trustsql::semparse
