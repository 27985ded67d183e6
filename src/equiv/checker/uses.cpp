#include "equiv/checker/uses.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/laws.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

std::optional<std::pair<AttributeId, AttributeId>> pair_of(const Expr& condition, const AttributeSet& inside,
                                                           const Given& given, bool or_is) {
  const auto* compare = condition.as<Compare>();
  if (compare == nullptr || !compares_plainly(*compare, given.attributes)) return std::nullopt;
  if (compare->op != CompareOp::equal && !(or_is && compare->op == CompareOp::is)) return std::nullopt;
  const auto* left = column_id(*compare->left);
  const auto* right = column_id(*compare->right);
  if (left == nullptr || right == nullptr || inside.contains(*left) == inside.contains(*right)) return std::nullopt;
  return inside.contains(*right) ? std::pair{*left, *right} : std::pair{*right, *left};
}

std::optional<Pairs> pairs_of(const std::vector<Expr>& on, const AttributeSet& inside, const Given& given, bool or_is) {
  Pairs pairs;
  for (const auto& condition : on) {
    if (!references(condition).intersects(inside)) continue;
    const auto pair = pair_of(condition, inside, given, or_is);
    if (!pair) return std::nullopt;
    pairs.push_back(*pair);
  }
  return pairs;
}

const Scan* scan_of(const Rel& rel) {
  if (const auto* n = rel.as<Filter>()) return scan_of(*n->input);
  if (const auto* n = rel.as<Project>()) {
    const bool hands_on =
        std::all_of(n->items.begin(), n->items.end(), [](const ProjectItem& item) { return item.is_pass_through(); });
    return hands_on ? scan_of(*n->input) : nullptr;
  }
  const auto* scan = rel.as<Scan>();
  return scan != nullptr && scan->table != nullptr ? scan : nullptr;
}

std::vector<const Scan*> uses_of(const Rel& rel, const Table* table, bool or_nulls) {
  std::vector<const Scan*> uses;
  const auto add = [&](const Rel& input) {
    for (const auto* scan : uses_of(input, table, or_nulls)) uses.push_back(scan);
  };
  if (const auto* n = rel.as<Filter>()) add(*n->input);
  if (const auto* n = rel.as<Sort>()) add(*n->input);
  if (const auto* n = rel.as<Limit>()) add(*n->input);
  if (const auto* n = rel.as<Join>()) {
    if (n->type != JoinType::right && n->type != JoinType::full) add(*n->left);
    if (n->type == JoinType::inner || (n->type == JoinType::left && or_nulls)) add(*n->right);
  }
  if (const auto* scan = rel.as<Scan>(); scan != nullptr && scan->table == table) uses.push_back(scan);
  return uses;
}

const TableColumn* column_at(const Scan& scan, int position) {
  const auto column = std::find_if(scan.columns.begin(), scan.columns.end(),
                                   [&](const TableColumn& each) { return each.position == position; });
  return column != scan.columns.end() ? &*column : nullptr;
}
const TableColumn* column_of(const Scan& scan, AttributeId id) {
  const auto column =
      std::find_if(scan.columns.begin(), scan.columns.end(), [&](const TableColumn& each) { return each.id == id; });
  return column != scan.columns.end() ? &*column : nullptr;
}

bool is_foreign_key(const Pairs& pairs, const Rel& rows, const Scan& parent, const Given& given) {
  const Table* child = pairs.empty() ? nullptr : given.attributes[pairs.front().first].table;
  if (child == nullptr || child->schema != parent.table->schema) return false;
  bool of_one_use = false;
  walk(rows, [&](const Scan& scan) {
    of_one_use = of_one_use || std::all_of(pairs.begin(), pairs.end(),
                                           [&](const auto& pair) { return column_of(scan, pair.first) != nullptr; });
  });
  if (!of_one_use) return false;
  return std::any_of(child->foreign_keys.begin(), child->foreign_keys.end(), [&](const ForeignKey& key) {
    if (!equals_ignore_case(key.parent_table, parent.table->name) || key.columns.size() != pairs.size() ||
        key.parent_columns.size() != pairs.size())
      return false;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < key.columns.size(); ++i) {
      names.push_back(child->columns[static_cast<std::size_t>(key.columns[i])].name);
      const bool compared = std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        const auto* column = column_of(parent, pair.second);
        if (given.attributes[pair.first].position != key.columns[i] || column == nullptr || column->position < 0)
          return false;
        const auto& theirs = parent.table->columns[static_cast<std::size_t>(column->position)];
        // The values are equal once the affinity of the parent's column is applied; they must be so before it as well.
        return equals_ignore_case(theirs.name, key.parent_columns[i]) && theirs.collation == binary_collation &&
               !may_convert(plan::column(pair.first), effective_affinity(theirs.affinity), given.attributes);
      });
      if (!compared) return false;
    }
    return std::any_of(given.assumptions.begin(), given.assumptions.end(), [&](const Assumption& each) {
      return each.kind == Assumption::Kind::foreign_key && each.table == child->name && each.columns == names &&
             each.parent == parent.table->name;
    });
  });
}

bool has_one_match(const Rel& right, const std::vector<Expr>& on, const Given& given) {
  auto known = knowledge_of(right, given);
  learn(known, on, given);
  return known.has_one_row_at_most();
}

bool nests_matches(const Join& before, const Join& after, const Given& given) {
  const auto* first = before.left->as<Join>();
  const auto* nested = after.right->as<Join>();
  if (first == nullptr || nested == nullptr) return false;
  const bool of_types = before.type == JoinType::left && first->type == JoinType::left &&
                        after.type == JoinType::left && nested->type == JoinType::inner;
  const bool of_same = *after.left == *first->left && *nested->left == *first->right &&
                       *nested->right == *before.right && after.on == first->on && nested->on == before.on;
  if (!of_types || !of_same || is_volatile(*first->right) || is_volatile(*before.right)) return false;
  const auto columns = output_set(*first->right);
  const auto compared = output_set(*after.right);
  bool rejected = false;
  for (const auto& condition : nested->on) {
    if (!is_fixed(condition) || !references(condition).is_subset_of(compared)) return false;
    rejected = rejected || rejects_nulls(condition, columns, given);
  }
  return rejected;
}

}  // namespace trustsql::equiv::checker
