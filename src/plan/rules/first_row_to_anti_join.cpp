#include "plan/rules/first_row_to_anti_join.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

constexpr std::size_t most_sort_keys = 4;

bool is_table(const Rel& rel) {
  const auto* filter = rel.as<Filter>();
  return (filter != nullptr ? *filter->input : rel).is<Scan>();
}

// Whether the order is by columns that are never NULL, under BINARY.
bool is_plain_order(const WindowCall& call, const Facts& facts, RuleContext& context) {
  return call.order_by.size() >= 2 && call.order_by.size() <= most_sort_keys &&
         std::all_of(call.order_by.begin(), call.order_by.end(), [&](const SortKey& key) {
           const auto* id = column_id(key.expr);
           return id != nullptr && facts.outputs.contains(*id) && key.collation == binary_collation &&
                  context.non_null(key.expr, facts);
         });
}

// That the row with the columns `copies` comes before the other one.
Expr comes_before(const std::vector<SortKey>& keys, const Renaming& copies) {
  std::vector<Expr> alternatives;
  std::vector<Expr> equal;
  for (const auto& key : keys) {
    const Expr theirs = column(copies.at(*column_id(key.expr)));
    auto terms = equal;
    terms.push_back(compare(key.descending ? CompareOp::greater : CompareOp::less, theirs, key.expr));
    alternatives.push_back(conjunction(std::move(terms)));
    equal.push_back(compare(CompareOp::equal, theirs, key.expr));
  }
  return disjunction(std::move(alternatives));
}

bool ask_for_earlier_rows(Rel& rel, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* window = filter->input->as<Window>();
  if (window == nullptr || window->calls.size() != 1 || !is_table(*window->input)) return false;
  const auto& call = window->calls.front();
  const auto first = std::find_if(filter->conjuncts.begin(), filter->conjuncts.end(),
                                  [&](const Expr& conjunct) { return keeps_first(conjunct, call.id); });
  if (first == filter->conjuncts.end() || call.name != "row_number" || call.info == nullptr || call.filter)
    return false;
  const Rel& input = *window->input;
  const auto facts = context.facts(input);
  const auto partition = partition_of(call, facts.outputs);
  if (!partition || is_volatile(input) || !free_attributes(input).empty() || !is_plain_order(call, facts, context) ||
      !context.superkey(columns_of_order(call), facts))
    return false;

  Renaming copies;
  Join join;
  join.type = JoinType::anti;
  join.right = copy_with_new_ids(input, context.plan(), &copies);
  for (const auto each : *partition) join.on.push_back(compare(CompareOp::is, column(each), column(copies.at(each))));
  join.on.push_back(comes_before(call.order_by, copies));
  join_first_rows(rel, first - filter->conjuncts.begin(), std::move(join));
  return true;
}

}  // namespace

const Rule first_row_to_anti_join{
    .name = "first_row_to_anti_join",
    .kinds = rel_kinds<Filter>,
    .apply = ask_for_earlier_rows,
    .example = first_row_to_anti_join_example,
};

}  // namespace trustsql::plan::rules
