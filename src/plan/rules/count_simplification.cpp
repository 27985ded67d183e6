#include "plan/rules/count_simplification.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

// The first column of the right side of a left join that is NULL only if there is no match, if `id` is such a column.
std::optional<AttributeId> mark_of_partner(const Rel& input, AttributeId id, RuleContext& context) {
  const auto* join = input.as<Join>();
  if (join == nullptr || join->type != JoinType::left) return std::nullopt;
  const auto right = output_set(*join->right);
  if (!right.contains(id)) return std::nullopt;
  AttributeSet rejected;
  for (const auto& conjunct : join->on) rejected |= null_rejected(conjunct, context.plan());
  std::optional<AttributeId> first;
  (rejected & right).for_each([&](AttributeId each) {
    if (!first) first = each;
  });
  if (!first || *first == id) return std::nullopt;
  return rejected.contains(id) || context.non_null(column(id), context.facts(*join->right)) ? first : std::nullopt;
}

// Whether `input` is a left join, `id` is a column of its right side that is NULL only if there is no match, and the
// condition is not true then.
bool is_there_if(const Expr& condition, const Rel& input, AttributeId id, RuleContext& context) {
  const auto* join = input.as<Join>();
  if (join == nullptr || join->type != JoinType::left || !is_repeatable(condition)) return false;
  const auto right = output_set(*join->right);
  if (!right.contains(id) || !null_rejected(condition, context.plan()).intersects(right)) return false;
  AttributeSet rejected;
  for (const auto& conjunct : join->on) rejected |= null_rejected(conjunct, context.plan());
  return rejected.contains(id) || context.non_null(column(id), context.facts(*join->right));
}

// Drops a test from the FILTER that a column is not NULL, if the call ignores the rows in which it is NULL anyway, or
// counts the values of the column instead.
bool drop_null_test(AggregateCall& call, const AttributeSet& input) {
  if (!call.filter || !is_basic(call) || is_volatile(*call.filter)) return false;
  std::vector<Expr> terms;
  if (const auto* both = call.filter->as<And>()) {
    terms = both->terms;
  } else {
    terms.push_back(*call.filter);
  }
  const auto* info = FunctionTable::latest().find("count", 1);
  const auto test = std::find_if(terms.begin(), terms.end(), [&](const Expr& term) {
    const auto* null_test = term.as<IsNull>();
    const auto* id = null_test != nullptr && null_test->negated ? column_id(*null_test->operand) : nullptr;
    if (id == nullptr || !input.contains(*id)) return false;
    return call.arguments.empty() ? info != nullptr : strict(call.arguments.front()).contains(*id);
  });
  if (test == terms.end()) return false;
  if (call.arguments.empty()) {
    call.arguments.push_back(std::move(*test->as<IsNull>()->operand));
    call.info = info;
  }
  terms.erase(test);
  call.filter = terms.empty() ? Box<Expr>() : Box<Expr>(conjunction(std::move(terms)));
  return true;
}

bool simplify_counts(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  std::optional<Facts> facts;
  const auto input = [&]() -> const Facts& {
    if (!facts) facts = context.facts(*aggregate->input);
    return *facts;
  };
  AttributeSet keys;
  for (const auto& key : aggregate->keys) {
    if (const auto* id = column_id(key.expr); id != nullptr && key.collation == binary_collation) keys.add(*id);
  }
  bool changed = false;
  for (auto& call : aggregate->calls) {
    const bool chooses_row = (call.name == "min" || call.name == "max") && aggregate->has_bare_columns();
    if (!chooses_row && drop_null_test(call, output_set(*aggregate->input))) changed = true;
    if (call.info == nullptr || call.arguments.size() != 1) continue;
    if (call.distinct) {
      // Not beside bare columns: SQLite then takes them from the last row, not from that of the smallest or largest
      // value.
      bool superfluous = (call.name == "min" || call.name == "max") && !aggregate->has_bare_columns();
      if (call.name == "count" || call.name == "sum" || call.name == "avg" || call.name == "total") {
        const auto* id = column_id(call.arguments.front());
        if (id != nullptr && call.collation == binary_collation) {
          auto all = keys;
          all.add(*id);
          superfluous = context.superkey(all, input());
        }
      }
      if (superfluous) {
        call.distinct = false;
        if (call.name != "min" && call.name != "max") call.collation = binary_collation;
        changed = true;
      }
    }
    if (auto* cast = call.arguments.front().as<Cast>(); cast != nullptr && cast->affinity == Affinity::real &&
                                                        !call.distinct && call.info != nullptr &&
                                                        call.info->adds_reals) {
      replace_by_part(call.arguments.front(), *cast->operand);
      changed = true;
    }
    if (const auto* id = column_id(call.arguments.front()); call.name == "count" && !call.distinct && id != nullptr) {
      if (const auto mark = mark_of_partner(*aggregate->input, *id, context)) {
        call.arguments.front() = column(*mark);
        changed = true;
      }
    }
    if (const auto* id = column_id(call.arguments.front());
        call.name == "count" && !call.distinct && id != nullptr && call.filter &&
        is_there_if(*call.filter, *aggregate->input, *id, context)) {
      call.arguments.clear();
      call.collation = binary_collation;
      changed = true;
      continue;
    }
    if (call.name == "count" && !call.distinct && is_repeatable(call.arguments.front()) &&
        context.non_null(call.arguments.front(), input())) {
      call.arguments.clear();
      call.collation = binary_collation;
      changed = true;
    }
  }
  return changed;
}

}  // namespace

const Rule count_simplification{
    .name = "count_simplification",
    .kinds = rel_kinds<Aggregate>,
    .apply = simplify_counts,
    .example = count_simplification_example,
};

}  // namespace trustsql::plan::rules
