#include "plan/rules/average_of_conditions.hpp"

#include <algorithm>
#include <map>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_whole(const Expr& expr, std::int64_t number) {
  const auto* value = literal_value(expr);
  const auto* real = value != nullptr ? std::get_if<double>(value) : nullptr;
  return is_integer_literal(expr, number) || (real != nullptr && *real == static_cast<double>(number));
}

// The condition whose values, 0 and 1, the call averages; nullopt if its argument is something else.
std::optional<Expr> averaged_condition(const AggregateCall& call, const Rel& input, RuleContext& context) {
  const auto* choice = call.arguments.front().as<Case>();
  if (choice != nullptr && !choice->operand && choice->branches.size() == 1 && choice->otherwise &&
      is_whole(*choice->branches.front().result, 1) && is_whole(*choice->otherwise, 0))
    return *choice->branches.front().condition;
  return summed_condition(call, input, context);
}

// The counts whose quotient is the average that `call` computes: of the matches and of the rows.
std::optional<std::pair<AggregateCall, AggregateCall>> counts_of(const AggregateCall& call, const Rel& input,
                                                                 RuleContext& context) {
  if (call.name != "avg" || call.info == nullptr || call.distinct || call.arguments.size() != 1 ||
      !is_repeatable(call.arguments.front()) || (call.filter && !is_repeatable(*call.filter)))
    return std::nullopt;
  auto condition = averaged_condition(call, input, context);
  if (!condition) return std::nullopt;
  auto matches = count_of_rows(call.id, context.plan());
  auto rows = count_of_rows(call.id, context.plan());
  if (!matches || !rows) return std::nullopt;
  std::vector<Expr> both;
  if (call.filter) {
    rows->filter = *call.filter;
    both.push_back(*call.filter);
  }
  both.push_back(*std::move(condition));
  matches->filter = conjunction(std::move(both));
  return std::pair(*std::move(matches), *std::move(rows));
}

// All averages at once: each step of a rule costs as much as the whole list.
bool divide_counts(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (aggregate->has_bare_columns() || !is_result(rel, context.plan())) return false;
  const auto ids = outputs(rel);
  std::map<AttributeId, Expr> shares;
  std::vector<AggregateCall> calls;
  for (auto& call : aggregate->calls) {
    auto counts = counts_of(call, *aggregate->input, context);
    if (!counts) {
      calls.push_back(std::move(call));
      continue;
    }
    auto& matches = counts->first;
    auto& rows = counts->second;
    // Averages over the same rows have one divisor.
    const auto known = std::ranges::find_if(calls, [&](const AggregateCall& other) {
      return other.name == rows.name && !other.distinct && other.arguments.empty() && other.filter == rows.filter;
    });
    const bool is_new = known == calls.end();
    const auto divisor = is_new ? rows.id : known->id;
    Expr cast{Cast{column(matches.id), "REAL", Affinity::real}};
    shares.emplace(call.id, Expr{Binary{ast::BinaryOp::divide, std::move(cast), column(divisor)}});
    calls.push_back(std::move(matches));
    if (is_new) calls.push_back(std::move(rows));
  }
  aggregate->calls = std::move(calls);
  if (shares.empty()) return false;
  project_above(rel, ids, shares);
  return true;
}

}  // namespace

const Rule average_of_conditions{
    .name = "average_of_conditions",
    .kinds = rel_kinds<Aggregate>,
    .apply = divide_counts,
    .example = average_of_conditions_example,
};

}  // namespace trustsql::plan::rules
