#include "semparse/model/module_bytes.hpp"

#include <bit>
#include <cmath>

namespace trustsql::semparse {

namespace {

void write_outcome_model(PartWriter& out, const OutcomeModel& model) {
  write_trees(out, model.trees);
  const auto levels = model.map.to_numbers();
  out.varint(levels.size());
  for (const float number : levels) out.fixed32(std::bit_cast<std::uint32_t>(number));
}

bool read_outcome_model(PartReader& in, std::size_t inputs, OutcomeModel& model) {
  if (!read_trees(in, inputs, model.trees)) return false;
  std::vector<float> levels(in.count(4));
  for (auto& number : levels) {
    number = std::bit_cast<float>(in.fixed32());
    if (!std::isfinite(number)) return false;
  }
  model.map = IsotonicMap::from_numbers(levels);
  return in.ok() && levels.size() % 2 == 0;
}

}  // namespace

void write_trees(PartWriter& out, const TreeEnsemble& ensemble) {
  out.varint(ensemble.trees().size());
  for (const auto& tree : ensemble.trees()) {
    out.varint(tree.size());
    for (const auto& node : tree) {
      out.varint(static_cast<std::uint64_t>(node.input + 1));
      out.fixed32(std::bit_cast<std::uint32_t>(node.threshold_or_value));
      if (node.input < 0) continue;
      out.varint(node.left);
      out.varint(node.right);
    }
  }
}

bool read_trees(PartReader& in, std::size_t inputs, TreeEnsemble& ensemble) {
  const auto trees = in.count(6);
  for (std::size_t t = 0; t < trees; ++t) {
    auto& tree = ensemble.trees().emplace_back(in.count(5));
    if (!in.ok() || tree.empty()) return false;
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const auto input = in.varint();
      tree[i].threshold_or_value = std::bit_cast<float>(in.fixed32());
      if (!in.ok() || input > inputs || !std::isfinite(tree[i].threshold_or_value)) return false;
      tree[i].input = static_cast<std::int16_t>(static_cast<int>(input) - 1);
      if (input == 0) continue;
      const auto left = in.varint();
      const auto right = in.varint();
      if (left <= i || right <= i || left >= tree.size() || right >= tree.size()) return false;
      tree[i].left = static_cast<std::uint16_t>(left);
      tree[i].right = static_cast<std::uint16_t>(right);
    }
  }
  return in.ok();
}

std::string write_classifier(const QuestionClassifier& classifier) {
  PartWriter out;
  const auto write_counts = [&out](const WordOdds::Counts& counts) {
    out.varint(counts.feasible);
    out.varint(counts.infeasible);
  };
  write_counts(classifier.words.questions());
  out.varint(classifier.words.words().size());
  for (const auto& [word, counts] : classifier.words.words()) {
    out.fixed64(word);
    write_counts(counts);
  }
  write_outcome_model(out, classifier.outcome);
  return out.take();
}

Result<QuestionClassifier> read_classifier(std::string_view bytes) {
  PartReader in(bytes);
  const auto read_counts = [&in] {
    WordOdds::Counts counts;
    counts.feasible = static_cast<std::uint32_t>(in.varint());
    counts.infeasible = static_cast<std::uint32_t>(in.varint());
    return counts;
  };
  const auto questions = read_counts();
  std::map<std::uint64_t, WordOdds::Counts> words;
  const auto count = in.count(10);
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    const auto word = in.fixed64();
    words[word] = read_counts();
  }
  QuestionClassifier classifier{WordOdds::from_counts(std::move(words), questions), {}};
  if (!read_outcome_model(in, classifier_input_count() + WordOdds::input_count, classifier.outcome) || !in.at_end())
    return invalid_argument("the classifier of questions is damaged");
  return classifier;
}

std::string write_detector(const ErrorDetector& detector) {
  PartWriter out;
  write_outcome_model(out, detector.outcome);
  out.byte(detector.of_parser ? 1 : 0);
  out.part(write_calibration(detector.calibration));
  return out.take();
}

Result<ErrorDetector> read_detector(std::string_view bytes) {
  const auto damaged = [] { return invalid_argument("the error detector is damaged"); };
  PartReader in(bytes);
  ErrorDetector detector;
  if (!read_outcome_model(in, detector_input_count(), detector.outcome)) return damaged();
  detector.of_parser = in.byte() != 0;
  const auto calibration = in.part();
  if (!in.at_end()) return damaged();
  TRUSTSQL_ASSIGN_OR_RETURN(detector.calibration, read_calibration(calibration));
  return detector;
}

}  // namespace trustsql::semparse
