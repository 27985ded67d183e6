// The schema as Spider's evaluator sees it: the tables of a database, their columns, and which columns foreign keys
// make one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "db/catalog.hpp"

namespace trustsql::set_match {

// Tables and columns by their index, in the catalog's order; names in lower case.
class Schema {
 public:
  // The tables of the schema "main", views left out. Where the catalog has no foreign key (Spider declares its keys in
  // a file of its own, which says the same as its databases), no columns are one.
  explicit Schema(const Catalog& catalog);

  std::optional<int> find_table(std::string_view name) const { return find(tables_, name); }
  bool has_table(std::string_view name) const { return find_table(name).has_value(); }
  // Of "column" in the table, of "table.column".
  std::optional<int> find_column(int table, std::string_view column) const;
  std::optional<int> find_column(std::string_view qualified) const { return find(columns_, qualified); }

  int table_of(int column) const { return table_of_[index(column)]; }
  // Without its table.
  std::string_view column_name(int column) const { return names_[index(column)]; }
  // The column that stands for all that foreign keys make one with `column`: the lowest of its group. Groups are made
  // by going through the keys in order: a key joins the first group that has one of its ends, and groups are not merged
  // later.
  int representative(int column) const { return representative_[index(column)]; }

 private:
  using Indexes = std::unordered_map<std::string, int>;
  static std::optional<int> find(const Indexes& indexes, std::string_view name);
  static std::size_t index(int column) { return static_cast<std::size_t>(column); }
  void unite(const Catalog& catalog);

  Indexes tables_;
  Indexes columns_;                       // by "table.column"
  std::vector<std::string> table_names_;  // these four by index
  std::vector<std::string> names_;
  std::vector<int> table_of_;
  std::vector<int> representative_;
};

}  // namespace trustsql::set_match
