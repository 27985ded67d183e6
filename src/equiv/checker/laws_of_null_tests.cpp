// Tests for NULL below conditions that drop the rows with that NULL.
#include <algorithm>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/agreement.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

std::vector<const Rel*> inputs_of(const Rel& rel) {
  std::vector<const Rel*> inputs;
  for_each_rel(rel, [&](const Rel& input) { inputs.push_back(&input); });
  return inputs;
}

// The number of the only input in which the operators differ; nullopt if they differ otherwise.
std::optional<std::size_t> changed_input(const Rel& before, const Rel& after) {
  const auto inputs = inputs_of(before);
  const auto inputs_after = inputs_of(after);
  if (inputs.size() != inputs_after.size()) return std::nullopt;
  std::optional<std::size_t> changed;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (*inputs[i] == *inputs_after[i]) continue;
    if (changed) return std::nullopt;
    changed = i;
  }
  if (!changed) return std::nullopt;
  Rel patched = after;
  std::size_t next = 0;
  for_each_rel(patched, [&](Rel& input) {
    if (next++ == *changed) input = *inputs[*changed];
  });
  return patched == before ? changed : std::nullopt;
}

// The columns of the input `number` of `rel` such that its rows with a NULL in one of them only affect rows of `rel`
// with a NULL in one of `dropped`.
AttributeSet dropped_below(const Rel& rel, std::size_t number, const AttributeSet& dropped, bool below_filter,
                           const Given& given) {
  const auto input = outputs(*inputs_of(rel)[number]);
  AttributeSet below;
  const auto pass_on = [&] {
    for (const auto id : input) {
      if (dropped.contains(id)) below.add(id);
    }
  };
  if (rel.is<Filter>() || rel.is<Distinct>()) {
    pass_on();
  } else if (const auto* n = rel.as<Project>()) {
    for (const auto& item : n->items) {
      const auto* from = dropped.contains(item.id) ? column_id(item.expr) : nullptr;
      if (from != nullptr) below.add(*from);
    }
  } else if (const auto* n = rel.as<Join>()) {
    const bool kept_apart =
        number == 0 ? n->type != JoinType::right && n->type != JoinType::full : n->type == JoinType::inner;
    if (kept_apart) pass_on();
  } else if (const auto* n = rel.as<SetOp>()) {
    for (std::size_t i = 0; i < input.size() && i < n->ids.size(); ++i) {
      if (dropped.contains(n->ids[i])) below.add(input[i]);
    }
  } else if (const auto* n = rel.as<Window>()) {
    pass_on();
    for (const auto& call : n->calls) {
      AttributeSet keys;
      for (const auto& key : call.partition_by) {
        if (const auto* id = column_id(key.expr)) keys.add(*id);
      }
      below &= keys;
    }
  } else if (const auto* n = rel.as<Aggregate>()) {
    if (!n->grouped) return below;
    for (const auto& key : n->keys) {
      const auto* from = dropped.contains(key.id) ? column_id(key.expr) : nullptr;
      if (from != nullptr) below.add(*from);
    }
    const bool of_one_form = std::all_of(n->keys.begin(), n->keys.end(), [&](const GroupKey& key) {
      return key.collation == binary_collation && has_one_spelling(key.expr, given.attributes);
    });
    if (n->calls.empty() || below_filter || !of_one_form) return below;
    // A group of rows with such a NULL alone has the results over no rows, of which one is a dropped NULL.
    const auto& first = n->calls.front();
    const auto* column = first.arguments.size() == 1 ? column_id(first.arguments.front()) : nullptr;
    const bool ignored =
        column != nullptr && std::all_of(n->calls.begin(), n->calls.end(), [&](const auto& call) {
          return skips_nulls(call) && !call.arguments.empty() && ignores_row_of_nulls(call, {*column}, given);
        });
    const bool shows_null = std::any_of(n->calls.begin(), n->calls.end(), [&](const AggregateCall& call) {
      return dropped.contains(call.id) && view(value_over_no_rows(call)).is_null();
    });
    if (ignored && shows_null) below.add(*column);
  }
  return below;
}

// Whether `after` is `before` without tests that one of `dropped`, the columns whose NULLs are dropped above, is not
// NULL; `below_filter`: directly below a filter, where having_not_null adds such tests.
bool drops_tests(const Rel& before, const Rel& after, const AttributeSet& dropped, bool below_filter,
                 const Given& given) {
  if (dropped.empty()) return false;
  const auto* filter = before.as<Filter>();
  if (filter != nullptr && unfiltered(after) == *filter->input) {
    const auto removed = difference(filter->conjuncts, conditions_of(after));
    return removed && !removed->empty() && std::all_of(removed->begin(), removed->end(), [&](const Expr& test) {
             const auto* null_test = test.as<IsNull>();
             const auto* id = null_test != nullptr && null_test->negated ? column_id(*null_test->operand) : nullptr;
             return id != nullptr && dropped.contains(*id);
           });
  }
  const auto number = changed_input(before, after);
  if (!number) return false;
  const bool filtered = filter != nullptr || (before.is<Project>() && below_filter);
  return drops_tests(*inputs_of(before)[*number], *inputs_of(after)[*number],
                     dropped_below(before, *number, dropped, below_filter, given), filtered, given);
}

// Whether `after` is `before`, an input of an operator with these conditions, without tests that an operand of one of
// them is not NULL.
bool drops_tests_of_operands(const Rel& before, const Rel& after, const std::vector<Expr>& conditions) {
  const auto* filter = before.as<Filter>();
  const auto removed = filter != nullptr && unfiltered(after) == *filter->input
                           ? difference(filter->conjuncts, conditions_of(after))
                           : std::nullopt;
  return removed && !removed->empty() && std::all_of(removed->begin(), removed->end(), [&](const Expr& test) {
           const auto* null_test = test.as<IsNull>();
           if (null_test == nullptr || !null_test->negated || !is_fixed(test)) return false;
           return std::any_of(conditions.begin(), conditions.end(), [&](const Expr& condition) {
             const auto* compare = condition.as<Compare>();
             return compare != nullptr && compare->op != CompareOp::is && compare->op != CompareOp::is_not &&
                    (*compare->left == *null_test->operand || *compare->right == *null_test->operand);
           });
         });
}

bool unneeded_null_test(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  const auto* join = c.before.as<Join>();
  const auto number = changed_input(c.before, c.after);
  if ((filter == nullptr && join == nullptr) || !number || is_volatile(c.before)) return false;
  if (join != nullptr) {
    const bool dropped = *number == 0 ? join->type == JoinType::inner || join->type == JoinType::semi
                                      : join->type != JoinType::right && join->type != JoinType::full;
    if (!dropped) return false;
  }
  const auto& conditions = filter != nullptr ? filter->conjuncts : join->on;
  AttributeSet dropped;
  for (const auto& condition : conditions) dropped |= null_sensitive(condition, false, c.given);
  const auto& input = *inputs_of(c.before)[*number];
  const auto& input_after = *inputs_of(c.after)[*number];
  return (join != nullptr && drops_tests_of_operands(input, input_after, conditions)) ||
         drops_tests(input, input_after, dropped & output_set(input), filter != nullptr, c.given);
}

constexpr Law null_test_laws[] = {
    {"unneeded_null_test", unneeded_null_test},
};

}  // namespace

std::span<const Law> laws_of_null_tests() { return null_test_laws; }

}  // namespace trustsql::equiv::checker
