#include "plan/rules/partners.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/aggregates.hpp"
#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

std::optional<ColumnPairs> pairs_with(const std::vector<Expr>& on, const AttributeSet& inside, const Plan& plan) {
  ColumnPairs pairs;
  for (const auto& conjunct : on) {
    if (!references(conjunct).intersects(inside)) continue;
    const auto* compare = conjunct.as<Compare>();
    if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan)) return std::nullopt;
    const auto* left = column_id(*compare->left);
    const auto* right = column_id(*compare->right);
    if (left == nullptr || right == nullptr || inside.contains(*left) == inside.contains(*right)) return std::nullopt;
    pairs.emplace_back(inside.contains(*left) ? *right : *left, inside.contains(*left) ? *left : *right);
  }
  return pairs;
}

const ForeignKey* foreign_key_of(const ColumnPairs& pairs, const Table& parent, const Plan& plan) {
  const Table* child = plan.attributes[pairs.front().first].table;
  if (child == nullptr || child->schema != parent.schema) return nullptr;
  for (const auto& key : child->foreign_keys) {
    if (!equals_ignore_case(key.parent_table, parent.name) || key.columns.size() != pairs.size() ||
        key.parent_columns.size() != pairs.size())
      continue;
    const bool fits = std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      const auto& own = plan.attributes[pair.first];
      const auto& theirs = plan.attributes[pair.second];
      if (own.table != child || theirs.position < 0) return false;
      // A foreign key is kept by values that are equal once the affinity of the parent's column is applied to them.
      if (converts(column(pair.first), effective_affinity(theirs.affinity), plan)) return false;
      for (std::size_t i = 0; i < key.columns.size(); ++i) {
        if (key.columns[i] != own.position) continue;
        const auto& parent_column = parent.columns[static_cast<std::size_t>(theirs.position)];
        return equals_ignore_case(key.parent_columns[i], parent_column.name) &&
               parent_column.collation == binary_collation;
      }
      return false;
    });
    if (fits) return &key;
  }
  return nullptr;
}

bool is_from_one_scan(const Rel& rel, const ColumnPairs& pairs) {
  bool found = false;
  walk(rel, [&](const Scan& scan) {
    const auto all = std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return std::any_of(scan.columns.begin(), scan.columns.end(),
                         [&](const TableColumn& c) { return c.id == pair.first; });
    });
    found = found || all;
  });
  return found;
}

Scan* same_scan(Rel& rel, const Scan& scan, const ColumnPairs& pairs, bool filled_as_well) {
  if (auto* filter = rel.as<Filter>()) return same_scan(*filter->input, scan, pairs, filled_as_well);
  if (auto* sort = rel.as<Sort>()) return same_scan(*sort->input, scan, pairs, filled_as_well);
  if (auto* limit = rel.as<Limit>()) return same_scan(*limit->input, scan, pairs, filled_as_well);
  if (auto* join = rel.as<Join>()) {
    const bool keeps_left = join->type == JoinType::inner || join->type == JoinType::left ||
                            join->type == JoinType::semi || join->type == JoinType::anti;
    const bool keeps_right = join->type == JoinType::inner || (join->type == JoinType::left && filled_as_well);
    if (keeps_left) {
      if (auto* found = same_scan(*join->left, scan, pairs, filled_as_well)) return found;
    }
    return keeps_right ? same_scan(*join->right, scan, pairs, filled_as_well) : nullptr;
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
    const auto other_position = position(*other, own);
    if (!other_position || other_position != position(scan, theirs)) return nullptr;
  }
  return other;
}

bool are_looked_up_by_matches(const Join& outer, const Plan& plan) {
  const auto* inner = outer.left->as<Join>();
  if (outer.type != JoinType::left || inner == nullptr || inner->type != JoinType::left || is_volatile(*inner->right) ||
      is_volatile(*outer.right))
    return false;
  const auto matches = output_set(*inner->right);
  const auto both = matches | output_set(*outer.right);
  AttributeSet rejected;
  for (const auto& condition : outer.on) {
    if (!is_repeatable(condition) || !references(condition).is_subset_of(both)) return false;
    rejected |= null_rejected(condition, plan);
  }
  return rejected.intersects(matches);
}

void nest_matches(Join& outer) {
  Join inner = std::move(*outer.left->as<Join>());
  Join matches{JoinType::inner, std::move(inner.right), std::move(outer.right), std::move(outer.on)};
  outer.left = std::move(inner.left);
  outer.right = Rel{std::move(matches)};
  outer.on = std::move(inner.on);
}

bool ignores_row_of_nulls(const AggregateCall& call, const AttributeSet& columns, const Plan& plan) {
  if (!is_basic(call) || call.arguments.size() > 1) return false;
  if (!call.arguments.empty() && strict(call.arguments.front()).intersects(columns)) return true;
  return call.filter && is_repeatable(*call.filter) && null_rejected(*call.filter, plan).intersects(columns);
}

namespace {

// What the columns of `rel` are called in `other`, if that is the same but for their names.
std::optional<Renaming> names_in_copy(const Rel& rel, const Rel& other) {
  const auto produced = [](const Rel& of) {
    std::vector<AttributeId> ids;
    walk(of, [&](const Rel& each) { for_each_produced(each, [&](AttributeId id) { ids.push_back(id); }); });
    return ids;
  };
  const auto theirs = produced(rel);
  const auto own = produced(other);
  if (theirs.size() != own.size()) return std::nullopt;
  Renaming names;
  for (std::size_t i = 0; i < theirs.size(); ++i) names.emplace(theirs[i], own[i]);
  Rel renamed = rel;
  rename(renamed, names);
  return renamed == other ? std::optional(std::move(names)) : std::nullopt;
}

}  // namespace

std::optional<Renaming> names_in_factor(const Rel& rows, const Rel& rel, const ColumnPairs& pairs) {
  if (is_volatile(rel) || !free_attributes(rel).empty()) return std::nullopt;
  if (auto names = names_in_copy(rel, rows); names && std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
                                               const auto name = names->find(pair.second);
                                               return name != names->end() && name->second == pair.first;
                                             }))
    return names;
  if (const auto* filter = rows.as<Filter>()) return names_in_factor(*filter->input, rel, pairs);
  const auto* join = rows.as<Join>();
  if (join == nullptr || join->type != JoinType::inner) return std::nullopt;
  auto names = names_in_factor(*join->left, rel, pairs);
  return names ? names : names_in_factor(*join->right, rel, pairs);
}

}  // namespace trustsql::plan::rules
