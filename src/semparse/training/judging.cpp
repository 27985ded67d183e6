#include "semparse/training/judging.hpp"

#include "db/results/column_match.hpp"
#include "semparse/abstention/confidence_checks.hpp"
#include "semparse/abstention/objections.hpp"
#include "semparse/candidates/ranking.hpp"
#include "semparse/evidence/evidence.hpp"
#include "semparse/question/linked_question.hpp"
#include "sql/parser.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::int64_t max_match_steps = 100'000;

// What the right query returns.
struct GoldResult {
  std::optional<ResultSet> rows{};  // none: there is no right query, or it fails
  RowOrder order = RowOrder::bag;
};

GoldResult gold_result(Sandbox& sandbox, std::string_view sql) {
  GoldResult gold;
  if (sql.empty()) return gold;
  if (auto result = sandbox.run(sql); result.ok()) gold.rows = std::move(*result);
  const auto query = parse_query(sql);
  if (query.ok() && !query->order_by.empty()) gold.order = RowOrder::list;
  return gold;
}

bool matches(const GoldResult& gold, const ResultSet& rows) {
  if (!gold.rows) return false;
  const auto match = match_columns(*gold.rows, rows, gold.order, max_match_steps);
  return match.ok() && match->has_value();
}

}  // namespace

std::vector<Contender> contenders_of(const JudgedQuestion& question) {
  std::vector<Contender> contenders;
  for (const auto& candidate : question.candidates) contenders.push_back(candidate.contender);
  return contenders;
}

bool says_nothing(const ResultSet& rows) {
  for (std::size_t row = 0; row < rows.row_count(); ++row)
    for (std::size_t column = 0; column < rows.column_count(); ++column) {
      const auto value = rows.at(row, column);
      const bool zero = (value.type == ValueType::integer && value.integer == 0) ||
                        (value.type == ValueType::real && value.real == 0);
      if (!value.is_null() && !zero) return false;
    }
  return true;
}

bool returns_the_same(Sandbox& sandbox, std::string_view gold, std::string_view sql) {
  const auto given = sandbox.run(sql);
  return given.ok() && matches(gold_result(sandbox, gold), *given);
}

JudgedQuestion judge(const ParserModel& model, QuestionLinker& linker, Sandbox& sandbox, std::string_view text,
                     const std::string& sql, std::string kind) {
  JudgedQuestion judged{.kind = std::move(kind)};
  const LinkedQuestion linked(text, linker, model.vocabulary);
  const auto& view = linked.view();
  const auto candidates = find_candidates(model, view);
  const auto gold = gold_result(sandbox, sql);
  const auto evidence = question_evidence(model, view);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    JudgedCandidate candidate{
        ranking_features(view, candidates, i), {}, false, false, unified_features(view, candidates[i])};
    candidate.has_objections = !objections_to(view, candidates[i], explain(view, candidates[i])).none();
    candidate.contender.evidence = evidence_values(view, evidence, candidates, i);
    candidate.contender.checks = confidence_checks(view, linker.values(), candidates[i]);
    if (const auto result = sandbox.run(candidates[i].sql); result.ok()) {
      candidate.contender.outcome = outcome_of(*result);
      candidate.right = matches(gold, *result);
    }
    judged.reachable |= candidate.right;
    judged.candidates.push_back(std::move(candidate));
  }
  judged.right_at_first = !judged.candidates.empty() && judged.candidates.front().right;
  return judged;
}

}  // namespace trustsql::semparse
