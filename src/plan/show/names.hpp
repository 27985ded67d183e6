// The names of attributes, tables and subqueries in a plan that is shown.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::plan {

enum class Naming : std::uint8_t {
  query,      // as in the query: aliases of tables, names of result columns
  canonical,  // independent of the query, so that equal trees look the same: names of tables and functions
};

struct ShownName {
  std::string table{};  // for a table column: the qualifier; otherwise empty
  std::string name{};
};

// Unique names for attributes and for instances of tables: repeated names get a number.
class ShownNames {
 public:
  ShownNames(const Plan& plan, Naming naming);

  const ShownName& of(AttributeId id) const { return attributes_[id]; }
  // For a Scan or a TableFunction, the qualifier of its columns.
  const std::string& of_instance(const Rel& rel) const { return instances_.at(&rel); }
  // For the relation of a subquery in an expression: subquery1, subquery2 ...
  const std::string& of_subquery(const Rel& rel) const { return subqueries_.at(&rel); }

 private:
  void visit(const Rel& rel);
  void visit(const Expr& expr);
  void name_computed(AttributeId id, std::string_view canonical);
  void name_columns(const Rel& rel, std::string_view table, std::string_view alias,
                    const std::vector<TableColumn>& columns);
  std::string unique(std::string name);

  const Plan& plan_;
  Naming naming_;
  std::vector<ShownName> attributes_;
  std::unordered_map<const Rel*, std::string> instances_;
  std::unordered_map<const Rel*, std::string> subqueries_;
  std::unordered_map<std::string, int> used_;
};

}  // namespace trustsql::plan
