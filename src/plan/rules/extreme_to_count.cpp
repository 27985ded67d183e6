#include "plan/rules/extreme_to_count.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Which rows a condition on an extreme asks for.
struct Question {
  Expr rows;         // true of them
  bool some = true;  // whether the group must have one; otherwise it must have none
};

bool is_greater(CompareOp op) { return op == CompareOp::greater || op == CompareOp::greater_equal; }
bool is_less(CompareOp op) { return op == CompareOp::less || op == CompareOp::less_equal; }

// Whether a value that is 0 or 1 is 1, if `bound` holds, or is 0; nullopt if `bound` says something else.
std::optional<bool> says_one(const Bound& bound) {
  const auto* value = std::get_if<std::int64_t>(bound.value);
  if (value == nullptr || bound.how.affinity == Affinity::text) return std::nullopt;
  const auto holds_of = [&](std::int64_t each) {
    switch (bound.op) {
      case CompareOp::equal: return each == *value;
      case CompareOp::not_equal: return each != *value;
      case CompareOp::less: return each < *value;
      case CompareOp::less_equal: return each <= *value;
      case CompareOp::greater: return each > *value;
      case CompareOp::greater_equal: return each >= *value;
      default: return false;
    }
  };
  if (holds_of(0) == holds_of(1)) return std::nullopt;
  return holds_of(1);
}

std::optional<Question> question_of(const AggregateCall& call, const Bound& bound, const Plan& plan) {
  const auto& value = call.arguments.front();
  const bool greatest = call.name == "max";
  if (is_boolean(value) && (!value.is<Literal>() || call.filter)) {
    const auto one = says_one(bound);
    if (!one) return std::nullopt;
    if (call.name == "sum") {
      // A sum that is greater than 1 must satisfy the condition, too.
      if (!*one || bound.op == CompareOp::equal) return std::nullopt;
      return Question{value, true};
    }
    return Question{greatest ? value : negation(value), *one == greatest};
  }
  if (call.name == "sum" || bound.value->index() == 0 || bound.how.collation != call.collation ||
      converts(value, bound.how.affinity, plan))
    return std::nullopt;
  const bool beyond = greatest ? is_greater(bound.op) : is_less(bound.op);
  if (!beyond && !(greatest ? is_less(bound.op) : is_greater(bound.op))) return std::nullopt;
  return Question{compare(beyond ? bound.op : negated(bound.op), value, literal(*bound.value), bound.how), beyond};
}

bool count_rows_beyond(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* aggregate = filter->input->as<Aggregate>();
  if (usage.positional || aggregate == nullptr || !aggregate->grouped || aggregate->has_bare_columns()) return false;
  for (auto& conjunct : filter->conjuncts) {
    const auto bound = as_bound(conjunct);
    const auto* id = bound ? column_id(*bound->operand) : nullptr;
    if (id == nullptr || usage.needed.contains(*id)) continue;
    const auto call = std::find_if(aggregate->calls.begin(), aggregate->calls.end(),
                                   [&](const AggregateCall& each) { return each.id == *id; });
    const bool fits = call != aggregate->calls.end() && call->info != nullptr && call->arguments.size() == 1 &&
                      (call->name == "max" || call->name == "min" || (call->name == "sum" && !call->distinct));
    if (!fits || !is_copyable(call->arguments.front())) continue;
    const bool used_again = std::any_of(filter->conjuncts.begin(), filter->conjuncts.end(), [&](const Expr& other) {
      return &other != &conjunct && references(other).contains(*id);
    });
    auto question = used_again ? std::nullopt : question_of(*call, *bound, context.plan());
    if (!question) continue;
    if (!question->some &&
        (call->filter || !context.non_null(call->arguments.front(), context.facts(*aggregate->input))))
      continue;
    auto count = count_of_rows(*id, context.plan());
    if (!count) return false;
    std::vector<Expr> conditions;
    if (call->filter) conditions.push_back(*call->filter);
    conditions.push_back(std::move(question->rows));
    count->filter = conjunction(std::move(conditions));
    conjunct =
        compare(question->some ? CompareOp::greater : CompareOp::equal, column(count->id), literal(std::int64_t{0}));
    *call = *std::move(count);
    return true;
  }
  return false;
}

}  // namespace

const Rule extreme_to_count{
    .name = "extreme_to_count",
    .kinds = rel_kinds<Filter>,
    .apply = count_rows_beyond,
    .example = extreme_to_count_example,
};

}  // namespace trustsql::plan::rules
