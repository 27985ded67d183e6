#include "plan/rules/self_join_removal.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/partners.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether two uses of a table that agree in the columns `key` have the same row, and these columns are not NULL.
bool is_key(const AttributeSet& key, const Rel& base, const AttributeSet& non_null, RuleContext& context) {
  // The key alone, without columns that the conditions fix: these need not hold for the other use.
  auto of_table = context.facts(base);
  of_table.non_null |= non_null & output_set(base);
  of_table.assumed_non_null -= of_table.non_null;
  return context.superkey(key, of_table);
}

// From here on the columns of `original` replace those of `copy`.
Renaming merge(Scan& original, const Scan& copy) {
  Renaming renaming;
  renaming[copy.row] = original.row;
  for (const auto& column : copy.columns) {
    const auto same = std::find_if(original.columns.begin(), original.columns.end(),
                                   [&](const TableColumn& c) { return c.position == column.position; });
    if (same != original.columns.end()) {
      renaming[column.id] = same->id;
    } else {
      original.columns.push_back(column);
    }
  }
  return renaming;
}

bool remove_inner_copy(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* join = rel.as<Join>();
  const auto& plan = context.plan();
  for (const bool copy_right : {true, false}) {
    Rel& copy = copy_right ? *join->right : *join->left;
    Rel& other = copy_right ? *join->left : *join->right;
    auto* filter = copy.as<Filter>();
    const Rel& base = filter != nullptr ? *filter->input : copy;
    const auto* scan = base.as<Scan>();
    if (scan == nullptr || scan->table == nullptr) continue;
    const auto inside = output_set(base);
    AttributeSet columns;
    Scan* original = nullptr;
    for (const auto& conjunct : join->on) {
      const auto* compare = conjunct.as<Compare>();
      if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan)) continue;
      const auto* left = column_id(*compare->left);
      const auto* right = column_id(*compare->right);
      if (left == nullptr || right == nullptr || inside.contains(*left) == inside.contains(*right)) continue;
      const std::pair<AttributeId, AttributeId> pair =
          inside.contains(*left) ? std::pair{*right, *left} : std::pair{*left, *right};
      auto* found = same_scan(other, *scan, {pair});
      if (found == nullptr || (original != nullptr && found != original)) continue;
      original = found;
      columns.add(pair.second);
    }
    if (original == nullptr) continue;
    auto facts = context.facts(copy);
    add_facts_of_conjuncts(facts, join->on, plan);
    if (!is_key(columns, base, facts.non_null, context)) continue;
    const auto ids = outputs(rel);
    auto renaming = merge(*original, *scan);
    auto conjuncts = std::move(join->on);
    if (filter != nullptr) {
      for (auto& conjunct : filter->conjuncts) conjuncts.push_back(std::move(conjunct));
    }
    Rel kept = with_filter(std::move(other), std::move(conjuncts));
    rel = usage.positional ? with_outputs(std::move(kept), ids) : std::move(kept);
    context.rename_later(std::move(renaming));
    return true;
  }
  return false;
}

// The use of a table in `rows`, of which each row matches itself alone in `copy`, another use: `on` compares nothing
// but the columns of a key, which are not NULL there; nullptr if there is none.
Scan* original_of(Rel& rows, const Rel& copy, bool filled_as_well, const std::vector<Expr>& on, RuleContext& context) {
  const auto* filter = copy.as<Filter>();
  const Rel& base = filter != nullptr ? *filter->input : copy;
  const auto* scan = base.as<Scan>();
  if (scan == nullptr || scan->table == nullptr) return nullptr;
  const auto pairs = pairs_with(on, output_set(base), context.plan());
  if (!pairs || pairs->empty() || pairs->size() != on.size()) return nullptr;
  auto* original = same_scan(rows, *scan, *pairs, filled_as_well);
  if (original == nullptr) return nullptr;
  AttributeSet columns;
  for (const auto& pair : *pairs) columns.add(pair.second);
  // All of them: if one were NULL, a row would not match itself.
  const auto facts = context.facts(copy);
  bool non_null = true;
  columns.for_each([&](AttributeId id) { non_null = non_null && context.non_null(column(id), facts); });
  return non_null && is_key(columns, base, {}, context) ? original : nullptr;
}

bool remove_left_copy(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* join = rel.as<Join>();
  auto* original = join->right->is<Scan>() ? original_of(*join->left, *join->right, true, join->on, context) : nullptr;
  if (original == nullptr) return false;
  const auto ids = outputs(rel);
  auto renaming = merge(*original, *join->right->as<Scan>());
  Rel kept = std::move(*join->left);
  rel = usage.positional ? with_outputs(std::move(kept), ids) : std::move(kept);
  context.rename_later(std::move(renaming));
  return true;
}

// A row has a match if the conditions on the other use of the table are true of the row itself.
bool remove_asked_copy(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* join = rel.as<Join>();
  auto* original =
      is_volatile(*join->right) ? nullptr : original_of(*join->left, *join->right, false, join->on, context);
  if (original == nullptr) return false;
  const auto ids = outputs(rel);
  auto* filter = join->right->as<Filter>();
  auto renaming = merge(*original, *(filter != nullptr ? *filter->input : *join->right).as<Scan>());
  std::vector<Expr> conjuncts;
  if (filter != nullptr) conjuncts = std::move(filter->conjuncts);
  if (join->type == JoinType::anti) {
    Expr all = conjunction(std::move(conjuncts));
    conjuncts.clear();
    conjuncts.emplace_back(IsTruth{std::move(all), true, true});
  }
  Rel kept = with_filter(std::move(*join->left), std::move(conjuncts));
  rel = usage.positional ? with_outputs(std::move(kept), ids) : std::move(kept);
  context.rename_later(std::move(renaming));
  return true;
}

bool remove_copy(Rel& rel, const Usage& usage, RuleContext& context) {
  switch (rel.as<Join>()->type) {
    case JoinType::inner: return remove_inner_copy(rel, usage, context);
    case JoinType::left: return remove_left_copy(rel, usage, context);
    case JoinType::semi:
    case JoinType::anti: return remove_asked_copy(rel, usage, context);
    default: return false;
  }
}

}  // namespace

const Rule self_join_removal{
    .name = "self_join_removal",
    .kinds = rel_kinds<Join>,
    .apply = remove_copy,
    .example = self_join_removal_example,
};

}  // namespace trustsql::plan::rules
