#include "plan/rules/foreign_key_join_removal.hpp"

#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partners.hpp"

namespace trustsql::plan::rules {

namespace {

bool remove_parent(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::inner || usage.positional || !context.assume().foreign_keys) return false;
  const auto& plan = context.plan();
  for (const bool parent_right : {true, false}) {
    Rel& parent = parent_right ? *join->right : *join->left;
    Rel& other = parent_right ? *join->left : *join->right;
    auto* filter = parent.as<Filter>();
    const Rel& base = filter != nullptr ? *filter->input : parent;
    const auto* scan = base.as<Scan>();
    const auto inside = output_set(parent);
    if (scan == nullptr || scan->table == nullptr) continue;
    const auto pairs = pairs_with(join->on, inside, plan);
    if (!pairs || pairs->empty() || !is_from_one_scan(other, *pairs)) continue;
    const auto* key = foreign_key_of(*pairs, *scan->table, plan);
    if (key == nullptr) continue;
    AttributeSet columns;
    bool identical = true;
    for (const auto& [own, theirs] : *pairs) {
      columns.add(theirs);
      identical = identical && equal_is_identical(column(own), column(theirs), plan);
    }
    // The key of the parent may be used: it is replaced by the child's columns.
    const auto used_inside = usage.needed & inside;
    if (!used_inside.empty() && !(identical && used_inside.is_subset_of(columns))) continue;
    // Conditions on the key of the parent become conditions on the child.
    if (filter != nullptr) {
      const bool of_key = std::all_of(filter->conjuncts.begin(), filter->conjuncts.end(), [&](const Expr& c) {
        return (references(c) & inside).is_subset_of(columns) && !is_volatile(c);
      });
      if (!of_key || !identical) continue;
    }
    auto facts = context.facts(base);
    add_facts_of_conjuncts(facts, join->on, plan);
    if (!context.superkey(columns, facts)) continue;
    const Table& child = *plan.attributes[pairs->front().first].table;
    std::vector<std::string> names;
    for (const int column : key->columns) names.push_back(child.columns[static_cast<std::size_t>(column)].name);
    context.rely_on({Assumption::Kind::foreign_key, child.name, std::move(names), scan->table->name});
    std::vector<Expr> rest;
    for (auto& conjunct : join->on) {
      if (!references(conjunct).intersects(inside)) rest.push_back(std::move(conjunct));
    }
    for (const auto& pair : *pairs) rest.push_back(is_null(column(pair.first), true));
    Renaming to_child;
    for (const auto& [own, theirs] : *pairs) to_child[theirs] = own;
    if (filter != nullptr) {
      for (auto& conjunct : filter->conjuncts) {
        rename(conjunct, to_child);
        rest.push_back(std::move(conjunct));
      }
    }
    Rel kept = with_filter(std::move(other), std::move(rest));
    rel = std::move(kept);
    if (!used_inside.empty()) context.rename_later(std::move(to_child));
    return true;
  }
  return false;
}

}  // namespace

const Rule foreign_key_join_removal{
    .name = "foreign_key_join_removal",
    .kinds = rel_kinds<Join>,
    .apply = remove_parent,
    .example = foreign_key_join_removal_example,
};

}  // namespace trustsql::plan::rules
