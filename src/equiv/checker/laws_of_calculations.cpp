// Calculations with the results of aggregates.
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

// Whether the expressions of `c`, a Project or a Filter over groups, differ only where `replaced(a, b, groups)` says
// that `b`, over the groups with more calls, may stand for `a`.
bool calculates_the_same(const Change& c,
                         FunctionRef<std::optional<bool>(const Expr&, const Expr&, const Aggregate&)> replaced) {
  const auto* filter = c.before.as<Filter>();
  const auto* project = c.before.as<Project>();
  if (filter == nullptr && project == nullptr) return false;
  const Rel& after = filter != nullptr ? below_renamings(c.after) : c.after;
  const auto* filter_after = after.as<Filter>();
  const auto* project_after = after.as<Project>();
  if ((filter == nullptr) != (filter_after == nullptr) || (project == nullptr) != (project_after == nullptr) ||
      outputs(c.before) != outputs(c.after))
    return false;
  const Rel& input = filter != nullptr ? *filter->input : *project->input;
  const Rel& input_after = filter != nullptr ? *filter_after->input : *project_after->input;
  const auto* groups = groups_under(input_after);
  return groups != nullptr && adds_calls(input, input_after) &&
         same_expressions(c.before, after, [&](const Expr& a, const Expr& b) { return replaced(a, b, *groups); });
}

const AggregateCall* call_for(const Expr& expr, const Aggregate& groups) {
  const auto* id = column_id(expr);
  const auto* call = id != nullptr ? call_of(groups, *id) : nullptr;
  return call != nullptr && is_fixed(contribution(*call)) ? call : nullptr;
}

bool count_difference(const Change& c) {
  return calculates_the_same(c, [&](const Expr& a, const Expr& b, const Aggregate& groups) -> std::optional<bool> {
    const auto* difference = a.as<Binary>();
    if (difference == nullptr || difference->op != ast::BinaryOp::subtract || column_id(b) == nullptr)
      return std::nullopt;
    const auto* minuend = call_for(*difference->left, groups);
    const auto* subtrahend = call_for(*difference->right, groups);
    const auto* count = call_for(b, groups);
    // It suffices that each row adds the difference.
    return is_plain_count(minuend) && is_plain_count(subtrahend) && is_plain_count(count) &&
           agree(Expr{Binary{ast::BinaryOp::subtract, counted_by(*minuend), counted_by(*subtrahend)}},
                 counted_by(*count), false, knowledge_of(*groups.input, c.given).non_null, c.given);
  });
}

// Whether no value is an integer, so that SUM adds reals.
bool is_never_integer(const Expr& expr, const Given& given) {
  const auto* id = column_id(expr);
  if (id != nullptr && given.attributes[*id].storage == Affinity::real) return true;
  const auto types = possible_types(expr, given.attributes, {});
  return !types.contains(ValueType::integer) && !types.contains(ValueType::text) && !types.contains(ValueType::blob);
}

// A sum of reals over their number.
bool sum_over_count(const Change& c) {
  return calculates_the_same(c, [&](const Expr& a, const Expr& b, const Aggregate& groups) -> std::optional<bool> {
    const auto* quotient = a.as<Binary>();
    if (quotient == nullptr || quotient->op != ast::BinaryOp::divide || column_id(b) == nullptr) return std::nullopt;
    // A sum of reals is a real.
    const auto* cast = quotient->left->as<Cast>();
    const bool is_cast = cast != nullptr && cast->affinity == Affinity::real;
    const auto* sum = call_for(is_cast ? *cast->operand : *quotient->left, groups);
    const auto* count = call_for(*quotient->right, groups);
    const auto* average = call_for(b, groups);
    return sum != nullptr && average != nullptr && sum->info != nullptr && average->info != nullptr &&
           sum->name == "sum" && average->name == "avg" && !sum->distinct && !average->distinct &&
           sum->arguments == average->arguments && sum->filter == average->filter && is_plain_count(count) &&
           is_never_integer(sum->arguments.front(), c.given) &&
           agree(is_null(contribution(*sum), true), counted_by(*count), false,
                 knowledge_of(*groups.input, c.given).non_null, c.given);
  });
}

// Whether each value is an integer or NULL.
bool is_integer_or_null(const Expr& expr, const Given& given) {
  Cast cast;
  cast.operand = expr;
  cast.affinity = Affinity::integer;
  return is_fixed(expr) && agree(expr, Expr{std::move(cast)}, false, {}, given);
}

// A sum of integers beside the number of its values, which is 0 just where the sum is NULL.
bool sum_or_null(const Change& c) {
  return calculates_the_same(c, [&](const Expr& a, const Expr& b, const Aggregate& groups) -> std::optional<bool> {
    const auto* choice = a.as<Case>();
    if (choice == nullptr || choice->operand || choice->branches.size() != 1 || !choice->otherwise ||
        !(*choice->branches.front().result == literal({})))
      return std::nullopt;
    const auto* empty = choice->branches.front().condition->as<Compare>();
    const auto* count = empty != nullptr ? call_for(*empty->left, groups) : nullptr;
    if (!is_plain_count(count) || empty->op != CompareOp::equal || !(*empty->right == literal(std::int64_t{0})))
      return std::nullopt;
    const auto known = knowledge_of(*groups.input, c.given).non_null;
    const bool found = std::any_of(groups.calls.begin(), groups.calls.end(), [&](const AggregateCall& sum) {
      if (sum.name != "sum" || sum.info == nullptr || sum.distinct || !is_fixed(contribution(sum)) ||
          !references(b).contains(sum.id))
        return false;
      Expr over_nothing = b;
      const Expr null = literal({});
      substitute(over_nothing, [&](AttributeId id) { return id == sum.id ? &null : nullptr; });
      return is_integer_or_null(sum.arguments.front(), c.given) &&
             agree(is_null(contribution(sum), true), counted_by(*count), false, known, c.given) &&
             agree(over_nothing, null, false, {}, c.given) &&
             agree(*choice->otherwise, b, false, AttributeSet{sum.id}, c.given);
    });
    return found ? std::optional(true) : std::nullopt;
  });
}

Expr real_of(Expr expr) {
  Cast cast;
  cast.operand = std::move(expr);
  cast.type = "REAL";
  cast.affinity = Affinity::real;
  return Expr{std::move(cast)};
}

// An average of 0s and 1s as the share of the 1s.
bool average_of_conditions(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const auto* after = project != nullptr ? project->input->as<Aggregate>() : nullptr;
  if (before == nullptr || after == nullptr || before->grouped != after->grouped || !(before->keys == after->keys) ||
      !(*before->input == *after->input) || before->has_bare_columns() || after->has_bare_columns() ||
      outputs(c.before) != outputs(c.after))
    return false;
  const auto known = knowledge_of(*before->input, c.given).non_null;
  return std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
    const auto* call = call_of(*before, item.id);
    if (call == nullptr) return item.is_pass_through() && key_of(*before, item.id) != nullptr;
    if (item.is_pass_through()) {
      const auto* same = call_of(*after, item.id);
      return same != nullptr && *same == *call;
    }
    const auto* quotient = item.expr.as<Binary>();
    const auto* cast = quotient != nullptr ? quotient->left->as<Cast>() : nullptr;
    if (cast == nullptr || quotient->op != ast::BinaryOp::divide || cast->affinity != Affinity::real) return false;
    const auto* matches = call_for(*cast->operand, *after);
    const auto* rows = call_for(*quotient->right, *after);
    if (call->name != "avg" || call->info == nullptr || call->distinct || !is_plain_count(matches) ||
        !is_plain_count(rows) || !is_fixed(contribution(*call)))
      return false;
    Case value;
    value.branches.push_back({counted_by(*rows), real_of(counted_by(*matches)), {}});
    Case counted_twice;
    counted_twice.branches.push_back({counted_by(*matches), counted_by(*rows), {}});
    counted_twice.otherwise = literal(std::int64_t{1});
    return agree(real_of(contribution(*call)), Expr{std::move(value)}, false, known, c.given) &&
           agree(Expr{std::move(counted_twice)}, literal(std::int64_t{1}), false, known, c.given);
  });
}

// The average of the counts of groups as all that is counted over the number of groups.
bool average_of_counts(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const auto* after = project != nullptr ? project->input->as<Aggregate>() : nullptr;
  const auto* groups = before != nullptr ? below_renamings(*before->input).as<Aggregate>() : nullptr;
  if (after == nullptr || groups == nullptr || before->grouped || after->grouped || before->calls.size() != 1 ||
      project->items.size() != 1 || outputs(c.before) != outputs(c.after) || groups->keys.size() != 1 ||
      groups->has_bare_columns() || after->has_bare_columns() || !(*groups->input == *after->input))
    return false;
  const auto& average = before->calls.front();
  const auto* averaged = average.arguments.size() == 1 ? column_id(average.arguments.front()) : nullptr;
  const auto* quotient = project->items.front().expr.as<Binary>();
  const auto* cast = quotient != nullptr ? quotient->left->as<Cast>() : nullptr;
  if (average.name != "avg" || average.info == nullptr || average.distinct || average.filter || averaged == nullptr ||
      cast == nullptr || quotient->op != ast::BinaryOp::divide || cast->affinity != Affinity::real)
    return false;
  const auto* counted = call_of(*groups, *averaged);
  const auto* all = call_for(*cast->operand, *after);
  const auto* divisor_id = column_id(*quotient->right);
  const auto* divisor = divisor_id != nullptr ? call_of(*after, *divisor_id) : nullptr;
  if (!is_plain_count(counted) || !is_plain_count(all) || divisor == nullptr || !is_fixed(contribution(*counted)))
    return false;
  const auto& key = groups->keys.front();
  const auto known = knowledge_of(*groups->input, c.given).non_null;
  return agree(counted_by(*counted), counted_by(*all), false, known, c.given) && divisor->name == "count" &&
         divisor->info != nullptr && divisor->distinct && !divisor->filter && divisor->arguments.size() == 1 &&
         divisor->arguments.front() == key.expr && key.collation == binary_collation &&
         divisor->collation == binary_collation && is_fixed(key.expr) && !c.given.may_be_null(key.expr, known);
}

constexpr Law calculation_laws[] = {
    {"count_difference", count_difference},   {"sum_or_null", sum_or_null},
    {"sum_over_count", sum_over_count},       {"average_of_conditions", average_of_conditions},
    {"average_of_counts", average_of_counts},
};

}  // namespace

std::span<const Law> laws_of_calculations() { return calculation_laws; }

}  // namespace trustsql::equiv::checker
