// What attributes, tables and subqueries are called where a plan is shown.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::plan {

enum class Naming : std::uint8_t {
  query,      // as the query has it: aliases of tables, names of result columns
  canonical,  // by what they are, so that equal trees are shown alike: names of tables, of functions
};

struct ShownName {
  std::string table{};  // of a column of a table: what it is qualified with; else empty
  std::string name{};
};

// Names that no two attributes and no two instances of tables share: a second one gets a number.
class ShownNames {
 public:
  ShownNames(const Plan& plan, Naming naming);

  const ShownName& of(AttributeId id) const { return attributes_[id]; }
  // Of a Scan or a TableFunction: what its columns are qualified with.
  const std::string& of_instance(const Rel& rel) const { return instances_.at(&rel); }
  // Of the relation of a subquery in an expression: subquery1, subquery2 ...
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
