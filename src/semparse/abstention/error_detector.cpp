#include "semparse/abstention/error_detector.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "semparse/grounding/grounding.hpp"
#include "semparse/parser.hpp"
#include "sql/parser.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t shape_inputs = 30;
constexpr std::size_t standing_inputs = 6;
constexpr std::size_t outcome_inputs = 3;
constexpr std::size_t role_inputs = 2;

class InputWriter {
 public:
  void operator()(float number) { inputs_.push_back(std::isfinite(number) ? number : 0); }
  void operator()(double number) { (*this)(static_cast<float>(number)); }
  void operator()(bool truth) { (*this)(truth ? 1.0F : 0.0F); }
  void operator()(std::size_t count) { (*this)(static_cast<float>(count)); }
  void fill(std::size_t count) { inputs_.resize(inputs_.size() + count, 0); }
  void append(const std::vector<float>& more) { inputs_.insert(inputs_.end(), more.begin(), more.end()); }
  std::vector<float> take() { return std::move(inputs_); }

 private:
  std::vector<float> inputs_{};
};

// How the query stands among the parser's readings: which of them return the same.
void write_standing(std::string_view sql, const std::optional<Outcome>& outcome, const Parse& parse,
                    InputWriter& write) {
  constexpr std::size_t last_rank = 20;
  std::size_t rank = last_rank;
  double agreeing = 0;
  double rival = 0;
  bool same_text = false;
  for (std::size_t i = 0; i < parse.readings.size(); ++i) {
    const auto& reading = parse.readings[i];
    const bool same = reading.sql == sql || (outcome && reading.outcome && reading.outcome->rows > 0 &&
                                             reading.outcome->fingerprint == outcome->fingerprint);
    const auto probability = static_cast<double>(reading.probability);
    if (same) {
      rank = std::min(rank, i);
      agreeing += probability;
      same_text |= reading.sql == sql;
    } else {
      rival = std::max(rival, probability);
    }
  }
  write(rank);
  write(agreeing);
  write(rival);
  write(agreeing - rival);
  write(same_text);
  write(rank == 0 ? parse.confidence : 0.0);
}

void write_shape(const QueryLeaves& leaves, InputWriter& write) {
  const auto values = std::count_if(leaves.literals.begin(), leaves.literals.end(),
                                    [](const LiteralLeaf& leaf) { return !leaf.number && !leaf.limit; });
  write(leaves.select.size());
  write(leaves.columns.size());
  write(leaves.joined.size());
  write(leaves.tables.size());
  write(leaves.literals.size());
  write(static_cast<std::size_t>(values));
  for (const bool used : leaves.aggregates) write(used);
  for (const bool used : {leaves.star, leaves.ordered, leaves.ascending, leaves.descending, leaves.limited,
                          leaves.grouped, leaves.intersects, leaves.unites, leaves.excludes, leaves.null_test,
                          leaves.between, leaves.like, leaves.any, leaves.all, leaves.inner, leaves.unusual})
    write(used);
  const auto plain = std::count_if(leaves.select.begin(), leaves.select.end(),
                                   [](const SelectLeaf& leaf) { return leaf.aggregate == Aggregate::none; });
  write(static_cast<std::size_t>(plain));
  write(true);  // it resolves
}

void write_grounding(const Grounding& grounding, InputWriter& write) {
  std::vector<std::size_t> broken(grounding_rules, 0);
  for (const auto& violation : grounding.violations) ++broken[static_cast<std::size_t>(violation.rule)];
  for (const auto count : broken) write(count);
  write(grounding.without_role.size());
  write(grounding.without_licence.size());
}

}  // namespace

Result<std::vector<float>> detector_inputs(std::string_view question, std::string_view sql, const Parse& parse,
                                           const Knowledge& knowledge, const Catalog& catalog, Sandbox& sandbox,
                                           const ResolveOptions& dialect) {
  InputWriter write;
  if (parse.question_inputs.size() == classifier_input_count())
    write.append(parse.question_inputs);
  else
    write.fill(classifier_input_count());
  std::optional<Outcome> outcome;
  const auto rows = sandbox.run(sql);
  if (rows.ok())
    outcome = outcome_of(*rows);
  else if (ends_the_call(rows.error().code))
    return rows.error();
  constexpr std::size_t many_rows = 50;
  write(outcome ? static_cast<float>(std::min(outcome->rows, many_rows)) : -1.0F);
  write(outcome && outcome->nulls);
  write(!outcome);
  write_standing(sql, outcome, parse, write);
  const auto query = parse_query(sql);
  if (query.ok()) {
    if (const auto resolution = resolve(*query, catalog, dialect); resolution.ok()) {
      const auto leaves = leaves_of(*query, *resolution, knowledge.domain);
      auto read = read_question(question);
      const auto linking = QuestionLinker(knowledge.domain, knowledge.values).link(read);
      write_shape(leaves, write);
      write_grounding(ground(read, linking, leaves, knowledge.domain, knowledge.values), write);
      return write.take();
    }
  }
  write.fill(shape_inputs + grounding_rules + role_inputs);
  return write.take();
}

float known_log_odds(std::span<const float> inputs, const Parse& parse) {
  const bool agrees = inputs[classifier_input_count() + outcome_inputs] <= 0;  // the rank among the readings
  const auto p = std::clamp(agrees ? parse.confidence : 1 - parse.confidence, 1e-4, agrees ? 1 - 1e-4 : 0.5);
  return static_cast<float>(std::log(p / (1 - p)));
}

std::size_t detector_input_count() {
  return classifier_input_count() + outcome_inputs + standing_inputs + shape_inputs + grounding_rules + role_inputs;
}

}  // namespace trustsql::semparse
