// IN with a list or a subquery that SQLite gets wrong.
#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "plan/sqlite_bug_patterns.hpp"
#include "plan/sqlite_bug_search.hpp"
#include "plan/types.hpp"

namespace trustsql::plan {

namespace {

// Whether SQLite may use an index of a table instead of running the subquery: its columns are plain columns of one
// table. It leaves out ORDER BY.
bool may_be_an_index(const Rel& rel) {
  if (const auto* n = rel.as<Derived>()) return may_be_an_index(*n->input);
  if (const auto* n = rel.as<Sort>()) return may_be_an_index(*n->input);
  const auto* n = rel.as<Project>();
  if (n == nullptr) return rel.is<Scan>();
  return may_be_an_index(*n->input) &&
         std::all_of(n->items.begin(), n->items.end(), [](const ProjectItem& item) { return item.expr.is<Column>(); });
}

}  // namespace

namespace {

// Whether x IN (...) in the operator converts an x that is a column for which `counts` holds.
template <class Counts>
bool converts_column_by_in(const Rel& rel, const Plan& plan, const Counts& counts) {
  const auto converts_column = [&](const Expr& operand, const Comparison& how) {
    const auto* id = column_id(operand);
    return id != nullptr && counts(*id) && converts(operand, how.affinity, plan);
  };
  return any_value_within(rel, [&](const Expr& expr) {
    if (const auto* in = expr.as<InList>()) return converts_column(*in->operand, in->how);
    const auto* in = expr.as<InSubquery>();
    return in != nullptr && in->operands.size() == 1 && in->how.size() == 1 &&
           converts_column(in->operands.front(), in->how.front());
  });
}

// The same for any column, in the operator or below it: SQLite may merge subqueries in FROM.
bool converts_column_below(const Rel& rel, const Plan& plan) {
  bool found = converts_column_by_in(rel, plan, [](AttributeId) { return true; });
  for_each_rel(rel, [&](const Rel& input) { found = found || converts_column_below(input, plan); });
  return found;
}

}  // namespace

bool converts_aggregated_value(const Rel& rel, const Plan& plan) {
  if (rel.is<Aggregate>()) return converts_column_below(rel, plan);
  const auto* aggregate = aggregate_below(rel);
  if (aggregate == nullptr) return false;
  AttributeSet columns;
  for (const auto& key : aggregate->keys) columns.add(key.id);
  for (const auto& call : aggregate->calls) columns.add(call.id);
  return converts_column_by_in(rel, plan, [&columns](AttributeId id) { return columns.contains(id); });
}

bool is_row_in_with_conversion(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr || in->how.size() < 2) return false;
    for (std::size_t i = 0; i < in->how.size(); ++i) {
      const bool converted = in->operands.size() == in->how.size()
                                 ? converts(in->operands[i], in->how[i].affinity, plan)
                                 : in->how[i].affinity != Affinity::none;
      if (converted || !in->how[i].is_binary()) return true;
    }
    return false;
  });
}

bool is_row_in_index(const Rel& rel, const Plan& plan) {
  // If an outer join fills a column with NULLs, SQLite knows that it may be NULL, and checks.
  const auto is_declared_non_null = [&](const Expr& operand) {
    const auto* id = column_id(operand);
    return id != nullptr ? !plan.attributes[*id].types.may_be_null() : is_non_null(operand, plan, {});
  };
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr || in->how.size() < 2 || !may_be_an_index(*in->rel)) return false;
    // The affinities are applied in the order of the index.
    const auto has_other_affinity = [&](const Comparison& how) { return how.affinity != in->how.front().affinity; };
    if (std::any_of(in->how.begin(), in->how.end(), has_other_affinity)) return true;
    if (in->operands.size() < in->how.size()) return true;
    const auto non_null = std::count_if(in->operands.begin(), in->operands.end(), is_declared_non_null);
    return non_null > 0 && static_cast<std::size_t>(non_null) < in->operands.size();
  });
}

bool is_in_with_real_affinity(const Rel& rel, const Plan& plan) {
  // Or a text that is converted to an integer.
  const auto may_be_integer = [&](const Expr& expr) {
    return (types_of(expr, plan, {}) & types::integer) != TypeSet() || converts(expr, Affinity::numeric, plan);
  };
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr) return false;
    const auto columns = outputs(*in->rel);
    for (std::size_t i = 0; i < columns.size() && i < in->operands.size(); ++i) {
      const Expr right = column(columns[i]);
      const Expr& left = in->operands[i];
      if (affinity_of(left, plan) == Affinity::real && may_be_integer(right)) return true;
      if (affinity_of(right, plan) == Affinity::real && may_be_integer(left)) return true;
    }
    return false;
  });
}

bool is_in_under_other_collation(const Rel& rel, const Plan& plan) {
  // Only COLLATE makes the comparison of a column have another collation than the column: beside the column, where
  // SQLite knows what to do, or in the subquery, which a plan does not tell apart. An expression has no collation, but
  // an index on it has.
  const auto is_column_searched_for = [&](const Attribute& attribute, const Comparison& how) {
    if (how.collation == attribute.collation) return false;
    return attribute.table == nullptr ||
           (attribute.position >= 0 &&
            attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_indexed);
  };
  const auto is_expression_searched_for = [&](const Expr& operand, const Comparison& how) {
    bool indexed = false;
    bool binary = how.is_binary();
    references(operand).for_each([&](AttributeId id) {
      const auto& attribute = plan.attributes[id];
      binary = binary && attribute.collation == binary_collation;
      // Columns of subqueries may be expressions.
      indexed = indexed || attribute.table == nullptr || attribute.table->has_index_on_expression;
    });
    return indexed && !binary;
  };
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    for (std::size_t i = 0; in != nullptr && i < in->how.size() && i < in->operands.size(); ++i) {
      const auto* id = column_id(in->operands[i]);
      if (id != nullptr ? is_column_searched_for(plan.attributes[*id], in->how[i])
                        : is_expression_searched_for(in->operands[i], in->how[i]))
        return true;
    }
    return false;
  });
}

bool is_in_descending_index(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr || !may_be_an_index(*in->rel)) return false;
    const auto results = outputs(*in->rel);
    return std::any_of(results.begin(), results.end(), [&](AttributeId id) {
      const auto& attribute = plan.attributes[id];
      return attribute.types.may_be_null() && attribute.table != nullptr && attribute.table->has_descending_index;
    });
  });
}

}  // namespace trustsql::plan
