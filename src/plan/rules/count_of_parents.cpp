#include "plan/rules/count_of_parents.hpp"

#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partners.hpp"

namespace trustsql::plan::rules {

namespace {

bool counts_all_rows(const AggregateCall& call) {
  return call.name == "count" && call.info != nullptr && call.arguments.empty() && !call.filter && !call.distinct;
}

bool count_references(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  auto* join = aggregate->input->as<Join>();
  if (aggregate->grouped || aggregate->calls.empty() || join == nullptr || join->type != JoinType::semi ||
      !context.assume().foreign_keys || !std::all_of(aggregate->calls.begin(), aggregate->calls.end(), counts_all_rows))
    return false;
  const auto* parent = join->left->as<Scan>();
  if (parent == nullptr || parent->table == nullptr || join->on.size() != 1 || is_volatile(*join->right)) return false;
  const auto inside = output_set(*join->left);
  const auto pairs = pairs_with(join->on, inside, context.plan());
  if (!pairs || pairs->size() != 1 || free_attributes(*join->right).intersects(inside) ||
      !output_set(*join->right).contains(pairs->front().first) || !is_from_one_scan(*join->right, *pairs))
    return false;
  const auto [child_column, parent_column] = pairs->front();
  const auto* key = foreign_key_of(*pairs, *parent->table, context.plan());
  if (key == nullptr) return false;
  auto facts = context.facts(*join->left);
  add_facts_of_conjuncts(facts, join->on, context.plan());
  if (!context.superkey(AttributeSet{parent_column}, facts)) return false;
  const Table& child = *context.plan().attributes[child_column].table;
  context.rely_on({Assumption::Kind::foreign_key,
                   child.name,
                   {child.columns[static_cast<std::size_t>(key->columns.front())].name},
                   parent->table->name});
  for (auto& call : aggregate->calls) {
    call.distinct = true;
    call.arguments = {column(child_column)};
    call.collation = binary_collation;
  }
  Rel references = std::move(*join->right);
  aggregate->input = std::move(references);
  return true;
}

}  // namespace

const Rule count_of_parents{
    .name = "count_of_parents",
    .kinds = rel_kinds<Aggregate>,
    .apply = count_references,
    .example = count_of_parents_example,
};

}  // namespace trustsql::plan::rules
