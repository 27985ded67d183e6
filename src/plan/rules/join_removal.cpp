#include "plan/rules/join_removal.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/catalog.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool remove_left(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::left || usage.positional) return false;
  if (usage.needed.intersects(output_set(*join->right)) || is_volatile(*join->right)) return false;
  if (usage.duplicates_matter) {
    auto facts = context.facts(*join->right);
    add_facts_of_conjuncts(facts, join->on, context.plan());
    if (!context.single_row(facts)) return false;
  }
  replace_by_descendant(rel, *join->left);
  return true;
}

// The pairs r = s of `on`, r a column outside `scan` and s one of it, if all that `on` says of `scan` are plain such pairs.
std::optional<std::vector<std::pair<AttributeId, AttributeId>>> pairs_with(const std::vector<Expr>& on, const AttributeSet& scan, const Plan& plan) {
  std::vector<std::pair<AttributeId, AttributeId>> pairs;
  for (const auto& conjunct : on) {
    if (!references(conjunct).intersects(scan)) continue;
    const auto* compare = conjunct.as<Compare>();
    if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan)) return std::nullopt;
    const auto* left = column_id(*compare->left);
    const auto* right = column_id(*compare->right);
    if (left == nullptr || right == nullptr || scan.contains(*left) == scan.contains(*right)) return std::nullopt;
    pairs.emplace_back(scan.contains(*left) ? *right : *left, scan.contains(*left) ? *left : *right);
  }
  return pairs;
}

// Whether the pairs are a foreign key of the table of their first columns to the table `parent`.
const ForeignKey* foreign_key(const std::vector<std::pair<AttributeId, AttributeId>>& pairs, const Table& parent, const Plan& plan) {
  const Table* child = plan.attributes[pairs.front().first].table;
  if (child == nullptr || child->schema != parent.schema) return nullptr;
  for (const auto& key : child->foreign_keys) {
    if (!equals_ignore_case(key.parent_table, parent.name) || key.columns.size() != pairs.size() || key.parent_columns.size() != pairs.size())
      continue;
    const bool fits = std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      const auto& own = plan.attributes[pair.first];
      const auto& theirs = plan.attributes[pair.second];
      if (own.table != child || theirs.position < 0) return false;
      for (std::size_t i = 0; i < key.columns.size(); ++i) {
        if (key.columns[i] != own.position) continue;
        const auto& column = parent.columns[static_cast<std::size_t>(theirs.position)];
        return equals_ignore_case(key.parent_columns[i], column.name) && column.collation == binary_collation;
      }
      return false;
    });
    if (fits) return &key;
  }
  return nullptr;
}

// All child columns must be of one use of the child table: one row has the whole key.
bool of_one_scan(const Rel& rel, const std::vector<std::pair<AttributeId, AttributeId>>& pairs) {
  bool found = false;
  const auto visit = [&](const auto& self, const Rel& node) -> void {
    if (const auto* scan = node.as<Scan>()) {
      const auto all = std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        return std::any_of(scan->columns.begin(), scan->columns.end(), [&](const TableColumn& c) { return c.id == pair.first; });
      });
      found = found || all;
    }
    for_each_rel(node, [&](const Rel& input) { self(self, input); });
  };
  visit(visit, rel);
  return found;
}

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
    if (!pairs || pairs->empty() || !of_one_scan(other, *pairs)) continue;
    const auto* key = foreign_key(*pairs, *scan->table, plan);
    if (key == nullptr) continue;
    AttributeSet columns;
    bool identical = true;
    for (const auto& [own, theirs] : *pairs) {
      columns.add(theirs);
      identical = identical && equal_is_identical(column(own), column(theirs), plan);
    }
    // The key of the parent may stand in the result: it is that of the child.
    const auto shown = usage.needed & inside;
    if (!shown.empty() && !(identical && shown.is_subset_of(columns))) continue;
    // Conditions on the key of the parent are conditions on the child as well.
    if (filter != nullptr) {
      const bool of_key = std::all_of(filter->conjuncts.begin(), filter->conjuncts.end(),
                                      [&](const Expr& c) { return (references(c) & inside).is_subset_of(columns) && !is_volatile(c); });
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
    if (!shown.empty()) context.rename_later(std::move(to_child));
    return true;
  }
  return false;
}

// The scan of the same table in `rel`, below inner joins and filters, that the pairs equate column by column.
Scan* same_scan(Rel& rel, const Scan& scan, const std::vector<std::pair<AttributeId, AttributeId>>& pairs) {
  if (auto* filter = rel.as<Filter>()) return same_scan(*filter->input, scan, pairs);
  if (auto* join = rel.as<Join>()) {
    if (join->type == JoinType::inner) {
      if (auto* found = same_scan(*join->left, scan, pairs)) return found;
      return same_scan(*join->right, scan, pairs);
    }
    const bool keeps_left = join->type == JoinType::left || join->type == JoinType::semi || join->type == JoinType::anti;
    return keeps_left ? same_scan(*join->left, scan, pairs) : nullptr;
  }
  auto* other = rel.as<Scan>();
  if (other == nullptr || other->table != scan.table || other->table == nullptr) return nullptr;
  const auto position = [](const Scan& of, AttributeId id) -> std::optional<int> {
    for (const auto& column : of.columns) {
      if (column.id == id) return column.position;
    }
    return std::nullopt;
  };
  for (const auto& [own, theirs] : pairs) {
    const auto at = position(*other, own);
    if (!at || at != position(scan, theirs)) return nullptr;
  }
  return other;
}

bool remove_copy(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::inner || usage.positional) return false;
  const auto& plan = context.plan();
  for (const bool copy_right : {true, false}) {
    Rel& copy = copy_right ? *join->right : *join->left;
    Rel& other = copy_right ? *join->left : *join->right;
    auto* filter = copy.as<Filter>();
    const Rel& base = filter != nullptr ? *filter->input : copy;
    const auto* scan = base.as<Scan>();
    if (scan == nullptr || scan->table == nullptr) continue;
    const auto inside = output_set(base);
    std::vector<std::pair<AttributeId, AttributeId>> pairs;
    AttributeSet columns;
    Scan* original = nullptr;
    for (const auto& conjunct : join->on) {
      const auto* compare = conjunct.as<Compare>();
      if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan)) continue;
      const auto* left = column_id(*compare->left);
      const auto* right = column_id(*compare->right);
      if (left == nullptr || right == nullptr || inside.contains(*left) == inside.contains(*right)) continue;
      const std::pair<AttributeId, AttributeId> pair = inside.contains(*left) ? std::pair{*right, *left} : std::pair{*left, *right};
      auto* found = same_scan(other, *scan, {pair});
      if (found == nullptr || (original != nullptr && found != original)) continue;
      original = found;
      pairs.push_back(pair);
      columns.add(pair.second);
    }
    if (original == nullptr) continue;
    auto facts = context.facts(copy);
    add_facts_of_conjuncts(facts, join->on, plan);
    // The key alone, without what the conditions fix: they need not hold for the other use.
    auto of_table = context.facts(base);
    of_table.non_null |= facts.non_null & inside;
    of_table.assumed_non_null -= of_table.non_null;
    if (!context.superkey(columns, of_table)) continue;
    Renaming renaming;
    renaming[scan->row] = original->row;
    for (const auto& column : scan->columns) {
      const auto same =
          std::find_if(original->columns.begin(), original->columns.end(), [&](const TableColumn& c) { return c.position == column.position; });
      if (same != original->columns.end()) {
        renaming[column.id] = same->id;
      } else {
        original->columns.push_back(column);
      }
    }
    auto conjuncts = std::move(join->on);
    if (filter != nullptr) {
      for (auto& conjunct : filter->conjuncts) conjuncts.push_back(std::move(conjunct));
    }
    Rel kept = with_filter(std::move(other), std::move(conjuncts));
    rel = std::move(kept);
    context.rename_later(std::move(renaming));
    return true;
  }
  return false;
}

}  // namespace

const Rule left_join_removal{
    .name = "left_join_removal",
    .kinds = rel_kinds<Join>,
    .on_use = remove_left,
};

const Rule foreign_key_join_removal{
    .name = "foreign_key_join_removal",
    .kinds = rel_kinds<Join>,
    .on_use = remove_parent,
};

const Rule self_join_removal{
    .name = "self_join_removal",
    .kinds = rel_kinds<Join>,
    .on_use = remove_copy,
};

}  // namespace trustsql::plan::rules
