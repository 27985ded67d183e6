#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "plan/builder/builder.hpp"
#include "plan/smallest_integer.hpp"
#include "plan/verify.hpp"

namespace trustsql::plan {

Result<Plan> build_plan(const Resolution& resolution) { return Builder(resolution).build(); }

Result<Plan> Builder::build() {
  columns_of_relation_.assign(resolution_.relations().size(), unbuilt);
  plan_.attributes.reserve(32);
  const auto& query = resolution_.query();
  plan_.is_utf16 = resolution_.is_utf16();
  plan_.has_doubtful_names = resolution_.has_doubtful_names();
  plan_.root = build_query(query);
  if (error_) return *std::move(error_);
  complete_scans(plan_.root);
  for (const auto& column : query.columns) plan_.names.push_back(plan_.texts.keep(column.name));
  find_where_smallest_matters(plan_);
  if constexpr (verify_by_default) TRUSTSQL_RETURN_IF_ERROR(verify(plan_));
  return std::move(plan_);
}

void Builder::fail(std::string message) {
  if (!error_) error_ = invalid_argument(std::move(message));
}

Rel Builder::build_query(const ResolvedQuery& query) {
  if (query.first_recursive_arm >= 0) return build_recursive(query);
  if (query.arms.size() == 1 && query.arms.front()->node != nullptr) {
    return with_limit(build_select(*query.arms.front(), query.order_by), *query.node);
  }
  auto rel = build_arms(query, 0, query.arms.size());
  if (query.sorted_as_subquery) rel = build_subquery_to_sort(query, std::move(rel));
  if (!query.order_by.empty()) {
    auto keys = sort_keys(query, outputs(rel));
    rel = Rel{Sort{std::move(rel), std::move(keys)}};
  }
  return with_limit(std::move(rel), *query.node);
}

Rel Builder::build_subquery_to_sort(const ResolvedQuery& query, Rel rel) {
  const auto* last = query.arms.back()->node;
  if (last == nullptr) return rel;
  if (!last->group_by.empty() || last->having)
    fail("ORDER BY with COLLATE is not supported after GROUP BY or HAVING in the last SELECT of a compound query");
  if (!last->distinct) return rel;
  Distinct distinct{std::move(rel), {}};
  for (const auto& column : query.columns) distinct.collations.push_back(collation_name(column.type.collation));
  const auto is_binary = [](std::string_view name) { return name == binary_collation; };
  if (std::all_of(distinct.collations.begin(), distinct.collations.end(), is_binary)) distinct.collations.clear();
  return {std::move(distinct)};
}

std::vector<SortKey> Builder::sort_keys(const ResolvedQuery& query, const std::vector<AttributeId>& ids) {
  std::vector<SortKey> keys;
  for (std::size_t i = 0; i < query.order_by.size(); ++i) {
    const auto& term = query.order_by[i];
    auto expr = term.column >= 0 ? column(ids[static_cast<std::size_t>(term.column)]) : build_expr(*term.expr);
    keys.push_back(sort_key(query.node->order_by[i], term, std::move(expr)));
  }
  return keys;
}

Rel Builder::with_limit(Rel rel, const ast::Query& node) {
  if (!node.limit) return rel;
  Limit limit{std::move(rel), build_expr(*node.limit), {}};
  if (node.offset) limit.offset = build_expr(*node.offset);
  return {std::move(limit)};
}

Rel Builder::build_arms(const ResolvedQuery& query, std::size_t first, std::size_t last) {
  Rel rel = build_arm(*query.arms[first]);
  for (std::size_t i = first + 1; i < last; ++i) {
    const auto op = query.node->arms[i].op;
    auto arm = build_arm(*query.arms[i]);
    auto* so_far = i == first + 1 ? nullptr : rel.as<SetOp>();
    if (so_far != nullptr && so_far->op == op && op != ast::SetOp::except) {
      so_far->inputs.push_back(std::move(arm));
      continue;
    }
    SetOp set;
    set.op = op;
    set.inputs.push_back(std::move(rel));
    set.inputs.push_back(std::move(arm));
    rel = Rel{std::move(set)};
  }
  // Sets the ids and collations of all levels, the innermost first. With ORDER BY, SQLite takes the collations of a
  // level from the arms that it spans; without, it takes those of all arms for every level.
  const bool ordered = !query.order_by.empty() && !query.sorted_as_subquery;
  const auto number = [&](const auto& self, Rel& node, std::size_t end) -> void {
    auto* set = node.as<SetOp>();
    if (set == nullptr || end - first < 2) return;
    self(self, set->inputs.front(), end - (set->inputs.size() - 1));
    set->ids = new_columns(query, first, end, set->inputs);
    if (set->op != ast::SetOp::union_all) set->collations = collations(query, first, ordered ? end : last);
  };
  number(number, rel, last);
  return rel;
}

std::vector<AttributeId> Builder::new_columns(const ResolvedQuery& query, std::size_t first, std::size_t last,
                                              const std::vector<Rel>& inputs) {
  std::vector<AttributeId> ids;
  std::vector<std::vector<AttributeId>> input_columns;
  input_columns.reserve(inputs.size());
  for (const auto& input : inputs) input_columns.push_back(outputs(input));
  const auto names = collations(query, first, last);
  for (std::size_t c = 0; c < query.arms[first]->columns.size(); ++c) {
    Attribute attribute;
    const auto& leading = query.arms[first]->columns[c];
    attribute.name = plan_.texts.keep(leading.name);
    const bool whole = first == 0 && last == query.arms.size();
    attribute.affinity = whole ? query.columns[c].type.affinity : leading.type.affinity;
    attribute.types = TypeSet();
    for (auto arm = first; arm < last; ++arm)
      attribute.types = attribute.types | query.arms[arm]->columns[c].type.types;
    if (!names.empty()) attribute.collation = names[c];
    attribute.storage = storage_of(column(input_columns.front()[c]), plan_);
    for (const auto& input : input_columns) {
      if (storage_of(column(input[c]), plan_) != attribute.storage) attribute.storage = Affinity::none;
    }
    ids.push_back(plan_.add_attribute(attribute));
  }
  return ids;
}

std::vector<std::string_view> Builder::collations(const ResolvedQuery& query, std::size_t first, std::size_t last) {
  std::vector<std::string_view> names;
  bool all_binary = true;
  for (std::size_t c = 0; c < query.arms[first]->columns.size(); ++c) {
    std::string_view name = binary_collation;
    for (auto arm = first; arm < last; ++arm) {
      const auto& collation = query.arms[arm]->columns[c].type.collation;
      if (collation.strength == Collation::Strength::none) continue;
      name = collation_name(collation);
      break;
    }
    all_binary = all_binary && name == binary_collation;
    names.push_back(name);
  }
  if (all_binary) names.clear();
  return names;
}

// One row of VALUES with aggregates or window functions is a SELECT without FROM. (SQLite accepts neither in VALUES
// with several rows.)
Rel Builder::build_arm(const ResolvedSelect& arm) {
  const bool has_rows_of_its_own = arm.values != nullptr && !arm.is_aggregate && arm.windows.empty();
  return has_rows_of_its_own ? build_values(arm) : build_select(arm, {});
}

Rel Builder::build_values(const ResolvedSelect& select) {
  Values values;
  for (const auto& row : select.values->rows) values.rows.push_back(build_exprs(row));
  for (std::size_t c = 0; c < select.columns.size(); ++c) {
    Attribute attribute;
    attribute.name = plan_.texts.keep(select.columns[c].name);
    attribute.affinity = select.columns[c].type.affinity;
    attribute.types = TypeSet();
    attribute.storage = storage_of(values.rows.front()[c], plan_);
    for (const auto& row : select.values->rows)
      attribute.is_open = attribute.is_open || type(row[c]).affinity != attribute.affinity;
    for (const auto& row : values.rows) {
      attribute.types = attribute.types | types_of(row[c], plan_, {});
      if (storage_of(row[c], plan_) != attribute.storage) attribute.storage = Affinity::none;
    }
    values.ids.push_back(plan_.add_attribute(attribute));
  }
  return {std::move(values)};
}

Rel Builder::build_recursive(const ResolvedQuery& query) {
  const auto first_step = static_cast<std::size_t>(query.first_recursive_arm);
  Recursive recursive;
  recursive.number = plan_.recursions++;
  recursions_[&query] = recursive.number;
  recursive.seed = build_arms(query, 0, first_step);
  // SQLite uses the last operator for all steps.
  recursive.distinct = query.node->arms.back().op == ast::SetOp::union_distinct;
  recursive.ids = new_columns(query, 0, first_step, {*recursive.seed});
  for (std::size_t c = 0; c < recursive.ids.size(); ++c) {
    auto& attribute = plan_.attributes[recursive.ids[c]];
    attribute.types = query.columns[c].type.types;
    attribute.affinity = query.columns[c].type.affinity;
    attribute.storage = Affinity::none;
  }
  if (recursive.distinct) recursive.collations = collations(query, 0, query.arms.size());
  for (auto arm = first_step; arm < query.arms.size(); ++arm) {
    const auto& select = *query.arms[arm];
    recursive.steps.push_back(build_arm(select));
  }
  recursive.order_by = sort_keys(query, recursive.ids);
  if (query.node->limit) recursive.count = build_expr(*query.node->limit);
  if (query.node->offset) recursive.offset = build_expr(*query.node->offset);
  return {std::move(recursive)};
}

}  // namespace trustsql::plan
