#include "plan/rules/anti_join_to_extreme.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/partners.hpp"

namespace trustsql::plan::rules {

namespace {

// The conditions of the join: columns that must be equal, and one that must not be exceeded.
struct Domination {
  ColumnPairs equal{};
  std::pair<AttributeId, AttributeId> ordered{};
  bool by_greater = false;  // a row is dropped if the other has a greater value
};

std::optional<Domination> domination(const std::vector<Expr>& on, const AttributeSet& inside) {
  Domination result;
  bool found = false;
  for (const auto& conjunct : on) {
    const auto* compare = conjunct.as<Compare>();
    if (compare == nullptr || compare->how.affinity != Affinity::none || !compare->how.is_binary()) return std::nullopt;
    const auto* left = column_id(*compare->left);
    const auto* right = column_id(*compare->right);
    if (left == nullptr || right == nullptr || inside.contains(*left) == inside.contains(*right)) return std::nullopt;
    const bool own_first = inside.contains(*right);
    const auto pair = own_first ? std::pair(*left, *right) : std::pair(*right, *left);
    const auto op = own_first ? mirrored(compare->op) : compare->op;  // theirs op own
    if (op == CompareOp::equal) {
      result.equal.push_back(pair);
    } else if (!found && (op == CompareOp::greater || op == CompareOp::less)) {
      found = true;
      result.ordered = pair;
      result.by_greater = op == CompareOp::greater;
    } else {
      return std::nullopt;
    }
  }
  return found ? std::optional(std::move(result)) : std::nullopt;
}

// Whether a row of `scan` that is part of `rows` fulfils all conditions on `other`, another use of the table.
bool fulfils(const std::vector<Expr>& conditions, const Scan& other, const Scan& scan, const Rel& rows) {
  if (conditions.empty()) return true;
  Renaming to_own;
  for (const auto& theirs : other.columns) {
    for (const auto& own : scan.columns) {
      if (own.position == theirs.position) to_own[theirs.id] = own.id;
    }
  }
  Rel copy = rows;
  const auto known = take_apart(copy).conjuncts;
  return std::all_of(conditions.begin(), conditions.end(), [&](Expr condition) {
    rename(condition, to_own);
    return is_repeatable(condition) && std::find(known.begin(), known.end(), condition) != known.end();
  });
}

// Whether a row of `others` is part of each of `rows`, and the columns of each pair are the same in it.
bool are_columns_of_part(Rel& rows, const Rel& others, const ColumnPairs& pairs) {
  const auto* filter = others.as<Filter>();
  const auto* scan = (filter != nullptr ? *filter->input : others).as<Scan>();
  if (scan == nullptr || scan->table == nullptr) return names_in_factor(rows, others, pairs).has_value();
  const auto* own = same_scan(rows, *scan, pairs);
  return own != nullptr && (filter == nullptr || fulfils(filter->conjuncts, *scan, *own, rows));
}

bool compare_with_extreme_of_table(Rel& rel, RuleContext& context) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::anti) return false;
  const auto found = domination(join->on, output_set(*join->right));
  if (!found) return false;
  auto pairs = found->equal;
  pairs.push_back(found->ordered);
  AttributeSet theirs;
  for (const auto& pair : pairs) {
    if (theirs.contains(pair.second)) return false;
    theirs.add(pair.second);
  }
  if (!are_columns_of_part(*join->left, *join->right, pairs)) return false;
  const auto facts = context.facts(*join->left);
  if (!std::all_of(pairs.begin(), pairs.end(),
                   [&](const auto& pair) { return context.non_null(column(pair.first), facts); }))
    return false;
  const auto* info = FunctionTable::latest().find(found->by_greater ? "max" : "min", 1);
  if (info == nullptr) return false;

  auto& plan = context.plan();
  Aggregate extreme;
  extreme.grouped = !found->equal.empty();
  for (const auto& pair : found->equal)
    extreme.keys.push_back({pair.second, column(AttributeId(pair.second)), binary_collation});
  AggregateCall value;
  value.id = plan.add_attribute_like(found->ordered.second);
  plan.attributes[value.id].affinity = Affinity::none;
  plan.attributes[value.id].table = nullptr;
  plan.attributes[value.id].position = -1;
  value.name = info->name;
  value.info = info;
  value.arguments.push_back(column(found->ordered.second));
  std::vector<Expr> on;
  const auto equate = [&](AttributeId a, AttributeId b) {
    on.push_back(Expr{Compare{CompareOp::equal, {}, column(a), column(b)}});
  };
  for (const auto& pair : found->equal) equate(pair.first, pair.second);
  equate(found->ordered.first, value.id);
  extreme.calls.push_back(std::move(value));
  extreme.input = std::move(*join->right);

  Project project;
  for (const auto id : outputs(*join->left)) project.items.push_back({id, column(id)});
  project.input = Rel{Join{JoinType::inner, std::move(*join->left), Rel{std::move(extreme)}, std::move(on)}};
  rel = Rel{std::move(project)};
  return true;
}

}  // namespace

const Rule anti_join_to_extreme{
    .name = "anti_join_to_extreme",
    .kinds = rel_kinds<Join>,
    .apply = compare_with_extreme_of_table,
    .example = anti_join_to_extreme_example,
};

}  // namespace trustsql::plan::rules
