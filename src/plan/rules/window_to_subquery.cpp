#include "plan/rules/window_to_subquery.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

// The other rows of the partition that a call looks at.
enum class Looks : std::uint8_t { before, up_to, after };

bool is_filtered_table(const Rel& rel) {
  const auto* filter = rel.as<Filter>();
  return (filter != nullptr ? *filter->input : rel).is<Scan>();
}

// Whether the rows that the operator above keeps, or how it looks at them, may still be found out by other rules.
bool may_change_above(const WindowCall& call, const RuleContext& context) {
  const auto* above = context.operation_above();
  if (above == nullptr) return false;
  if (above->is<Derived>()) return true;
  const auto* filter = above->as<Filter>();
  return filter != nullptr && (context.parent() != above ||
                               std::any_of(filter->conjuncts.begin(), filter->conjuncts.end(),
                                           [&](const Expr& condition) { return keeps_first(condition, call.id); }));
}

// Whether all order keys are columns of the input that are never NULL, under BINARY.
bool is_order_of_values(const WindowCall& call, const Facts& facts, RuleContext& context) {
  constexpr std::size_t most_keys = 4;
  return !call.order_by.empty() && call.order_by.size() <= most_keys &&
         std::all_of(call.order_by.begin(), call.order_by.end(), [&](const SortKey& key) {
           const auto* id = column_id(key.expr);
           return id != nullptr && facts.outputs.contains(*id) && key.collation == binary_collation &&
                  context.non_null(key.expr, facts);
         });
}

// That the row with the columns `copies` is one of those that a call looks at.
Expr is_looked_at(Looks looks, const std::vector<SortKey>& keys, const Renaming& copies) {
  std::vector<Expr> alternatives;
  std::vector<Expr> equal;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto& key = keys[i];
    const Expr theirs = column(copies.at(*column_id(key.expr)));
    const bool or_equal = looks == Looks::up_to && i + 1 == keys.size();
    const bool less = key.descending == (looks == Looks::after);
    const auto op = less ? (or_equal ? CompareOp::less_equal : CompareOp::less)
                         : (or_equal ? CompareOp::greater_equal : CompareOp::greater);
    auto terms = equal;
    terms.push_back(compare(op, theirs, key.expr));
    alternatives.push_back(conjunction(std::move(terms)));
    equal.push_back(compare(CompareOp::equal, theirs, key.expr));
  }
  return disjunction(std::move(alternatives));
}

// Whether the frame consists of the rows up to the own one; `peers`: and all that are equal to it in the order.
bool is_up_to_own_row(const WindowCall& call, bool peers) {
  using Kind = ast::FrameBound::Kind;
  if (!call.frame) return peers;
  return call.frame->start.kind == Kind::unbounded_preceding && call.frame->end.kind == Kind::current_row &&
         call.frame->exclude == ast::FrameExclude::no_others && (call.frame->unit != ast::FrameUnit::rows) == peers;
}

// What a call computes from the rows that it looks at.
struct Substitute {
  Looks looks = Looks::up_to;
  AggregateCall call{};
  bool one_more = false;
};

std::optional<Substitute> rank_of(const WindowCall& call, const Renaming& copies, Plan& plan) {
  auto count = count_of_rows(call.id, plan);
  if (!count) return std::nullopt;
  if (call.name == "dense_rank") {
    const auto* info = FunctionTable::latest().find("count", 1);
    if (info == nullptr || call.order_by.size() != 1) return std::nullopt;
    count->info = info;
    count->distinct = true;
    count->arguments.push_back(column(copies.at(*column_id(call.order_by.front().expr))));
  }
  return Substitute{Looks::before, *std::move(count), true};
}

// The value of the first key in the row before, or after.
std::optional<Substitute> neighbour_of(const WindowCall& call, const Renaming& copies, const Plan& plan) {
  const auto& key = call.order_by.front();
  const bool after = call.name == "lead";
  const auto* info = FunctionTable::latest().find(key.descending == after ? "max" : "min", 1);
  if (info == nullptr || call.arguments.size() != 1 || !(call.arguments.front() == key.expr) ||
      !equal_is_identical(key.expr, plan))
    return std::nullopt;
  Substitute result{after ? Looks::after : Looks::before, {}, false};
  result.call.id = call.id;
  result.call.name = info->name;
  result.call.info = info;
  result.call.arguments.push_back(column(copies.at(*column_id(key.expr))));
  return result;
}

std::optional<Substitute> substitute_for(const WindowCall& call, const Renaming& copies, const Facts& facts,
                                         RuleContext& context) {
  if (call.info == nullptr) return std::nullopt;
  if (call.name == "rank" || call.name == "dense_rank") return rank_of(call, copies, context.plan());
  const bool neighbour = call.name == "lag" || call.name == "lead";
  const bool by_rows = is_up_to_own_row(call, false);
  if ((neighbour || by_rows) && !context.superkey(columns_of_order(call), facts)) return std::nullopt;
  if (neighbour) return call.filter ? std::nullopt : neighbour_of(call, copies, context.plan());
  if (!by_rows && !is_up_to_own_row(call, true)) return std::nullopt;
  auto aggregate = as_aggregate(call, copies);
  if (!aggregate || !is_basic(*aggregate) || aggregate->collation != binary_collation) return std::nullopt;
  return Substitute{Looks::up_to, *std::move(aggregate), false};
}

bool aggregate_in_subquery(Rel& rel, RuleContext& context) {
  auto& window = *rel.as<Window>();
  Rel& input = *window.input;
  if (!is_filtered_table(input) || is_volatile(rel) || !free_attributes(rel).empty()) return false;
  const auto facts = context.facts(input);
  for (std::size_t i = 0; i < window.calls.size(); ++i) {
    const auto call = window.calls[i];
    const auto partition = partition_of(call, facts.outputs);
    if (!partition || may_change_above(call, context) || !is_order_of_values(call, facts, context)) continue;
    Renaming copies;
    Rel copy = copy_with_new_ids(input, context.plan(), &copies);
    auto substitute = substitute_for(call, copies, facts, context);
    if (!substitute) continue;

    const auto ids = outputs(rel);
    std::vector<Expr> conditions;
    for (const auto id : *partition) {
      const bool plain = context.non_null(column(id), facts);
      conditions.push_back(compare(plain ? CompareOp::equal : CompareOp::is, column(copies.at(id)), column(id)));
    }
    conditions.push_back(is_looked_at(substitute->looks, call.order_by, copies));
    Aggregate rows;
    rows.input = std::move(copy);
    put_filter(rows.input, std::move(conditions));
    const auto result = substitute->call.id;
    rows.calls.push_back(std::move(substitute->call));

    window.calls.erase(window.calls.begin() + static_cast<std::ptrdiff_t>(i));
    if (window.calls.empty()) replace_by_descendant(rel, *window.input);
    rel = Rel{Apply{ApplyType::scalar, std::move(rel), Rel{std::move(rows)}, {}}};
    if (!substitute->one_more) {
      rel = with_outputs(std::move(rel), ids);
    } else {
      project_above(rel, ids, {{call.id, Expr{Binary{ast::BinaryOp::add, literal(std::int64_t{1}), column(result)}}}});
    }
    return true;
  }
  return false;
}

}  // namespace

const Rule window_to_subquery{
    .name = "window_to_subquery",
    .kinds = rel_kinds<Window>,
    .apply = aggregate_in_subquery,
    .example = window_to_subquery_example,
};

}  // namespace trustsql::plan::rules
