#include "plan/rules/matched_outer_join.hpp"

#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partners.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

// Collects conditions that all rows of `rel` satisfy.
void collect_conditions(const Rel& rel, std::vector<const Expr*>& conditions) {
  const auto add = [&](const std::vector<Expr>& conjuncts) {
    for (const auto& conjunct : conjuncts) conditions.push_back(&conjunct);
  };
  if (const auto* filter = rel.as<Filter>()) {
    add(filter->conjuncts);
    collect_conditions(*filter->input, conditions);
  } else if (const auto* join = rel.as<Join>()) {
    if (join->type == JoinType::right || join->type == JoinType::full) return;
    collect_conditions(*join->left, conditions);
    if (join->type != JoinType::inner) return;
    add(join->on);
    collect_conditions(*join->right, conditions);
  }
}

// Whether a row that satisfies `conditions` satisfies `conjunct`, which compares it with itself.
bool is_reflexive(const Expr& conjunct, const std::vector<const Expr*>& conditions, const Facts& facts,
                  RuleContext& context) {
  if (is_volatile(conjunct)) return false;
  if (std::any_of(conditions.begin(), conditions.end(), [&](const Expr* known) { return *known == conjunct; }))
    return true;
  const auto* compare = conjunct.as<Compare>();
  if (compare == nullptr || column_id(*compare->left) == nullptr || !(*compare->left == *compare->right)) return false;
  const auto op = compare->op;
  if (op == CompareOp::is) return true;
  return (op == CompareOp::equal || op == CompareOp::less_equal || op == CompareOp::greater_equal) &&
         context.non_null(*compare->left, facts);
}

// Whether each of `rows` matches itself in another use of its table.
bool matches_itself(Rel& rows, const Rel& partners, const std::vector<Expr>& on, RuleContext& context) {
  const Rel& partner_rows = below_renamings(partners);
  const auto* filter = partner_rows.as<Filter>();
  const auto* scan = (filter != nullptr ? *filter->input : partner_rows).as<Scan>();
  if (scan == nullptr || scan->table == nullptr) return false;
  const auto* own_scan = same_scan(rows, *scan, {});
  if (own_scan == nullptr) return false;
  Renaming to_own;
  for (const auto& column : scan->columns) {
    const auto same = std::find_if(own_scan->columns.begin(), own_scan->columns.end(),
                                   [&](const TableColumn& c) { return c.position == column.position; });
    if (same != own_scan->columns.end()) to_own[column.id] = same->id;
  }
  std::vector<const Expr*> conditions;
  collect_conditions(rows, conditions);
  const auto facts = context.facts(rows);
  const auto inside = output_set(partner_rows);
  const auto holds = [&](Expr conjunct) {
    rename(conjunct, to_own);
    return !references(conjunct).intersects(inside) && !has_subquery(conjunct) &&
           is_reflexive(conjunct, conditions, facts, context);
  };
  return std::all_of(on.begin(), on.end(), holds) &&
         (filter == nullptr || std::all_of(filter->conjuncts.begin(), filter->conjuncts.end(), holds));
}

// Whether each of `rows` matches its parent.
bool matches_parent(const Rel& rows, const Rel& partners, const std::vector<Expr>& on, RuleContext& context) {
  const auto* scan = below_renamings(partners).as<Scan>();
  if (scan == nullptr || scan->table == nullptr || !context.assume().foreign_keys) return false;
  const auto pairs = pairs_with(on, output_set(partners), context.plan());
  if (!pairs || pairs->empty() || pairs->size() != on.size() || !is_from_one_scan(rows, *pairs)) return false;
  const auto* key = foreign_key_of(*pairs, *scan->table, context.plan());
  if (key == nullptr) return false;
  const auto facts = context.facts(rows);
  if (!std::all_of(pairs->begin(), pairs->end(),
                   [&](const auto& pair) { return context.non_null(column(pair.first), facts); }))
    return false;
  const Table& child = *context.plan().attributes[pairs->front().first].table;
  std::vector<std::string> names;
  for (const int column : key->columns) names.push_back(child.columns[static_cast<std::size_t>(column)].name);
  context.rely_on({Assumption::Kind::foreign_key, child.name, std::move(names), scan->table->name});
  return true;
}

bool all_match(Rel& rows, const Rel& partners, const std::vector<Expr>& on, RuleContext& context) {
  return matches_itself(rows, partners, on, context) || matches_parent(rows, partners, on, context);
}

// R LEFT JOIN S LEFT JOIN T, where each row of S has a match in T.
bool join_matches_with_theirs(Join& outer, RuleContext& context) {
  auto* inner = outer.left->as<Join>();
  if (!are_looked_up_by_matches(outer, context.plan()) || !all_match(*inner->right, *outer.right, outer.on, context))
    return false;
  nest_matches(outer);
  return true;
}

bool strengthen_matched_join(Rel& rel, RuleContext& context) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::left && join->type != JoinType::full) return false;
  if (join_matches_with_theirs(*join, context)) return true;
  const bool left_matched = all_match(*join->left, *join->right, join->on, context);
  if (join->type == JoinType::left) {
    if (left_matched) join->type = JoinType::inner;
    return left_matched;
  }
  const bool right_matched = all_match(*join->right, *join->left, join->on, context);
  if (!left_matched && !right_matched) return false;
  join->type = left_matched ? (right_matched ? JoinType::inner : JoinType::right) : JoinType::left;
  return true;
}

}  // namespace

const Rule matched_outer_join{
    .name = "matched_outer_join",
    .kinds = rel_kinds<Join>,
    .apply = strengthen_matched_join,
    .example = matched_outer_join_example,
};

}  // namespace trustsql::plan::rules
