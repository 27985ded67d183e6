// The schema as Spider's evaluator sees it: the tables of a database, their columns, and which columns are equated by
// foreign keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "db/catalog/catalog.hpp"

namespace trustsql::set_match {

// Tables and columns are identified by index, in the order of the catalog; names are in lower case.
class Schema {
 public:
  // Takes the tables of the schema "main", without views. If the catalog has no foreign keys, no columns are equated.
  // (Spider declares its keys in a separate file, which agrees with its databases.)
  explicit Schema(const Catalog& catalog);

  std::optional<int> find_table(std::string_view name) const { return find(tables_, name); }
  bool has_table(std::string_view name) const { return find_table(name).has_value(); }
  // Finds "column" in the table, or "table.column".
  std::optional<int> find_column(int table, std::string_view column) const;
  std::optional<int> find_column(std::string_view qualified) const { return find(columns_, qualified); }

  int table_of(int column) const { return table_of_[index(column)]; }
  // The name without its table.
  std::string_view column_name(int column) const { return names_[index(column)]; }
  // The representative of the columns that foreign keys equate with `column`: the one with the lowest index of its
  // group. Groups are formed from the keys in order: a key joins the first group that contains either end, and groups
  // are never merged afterwards.
  int representative(int column) const { return representative_[index(column)]; }

 private:
  using Indexes = std::unordered_map<std::string, int>;
  static std::optional<int> find(const Indexes& indexes, std::string_view name);
  static std::size_t index(int column) { return static_cast<std::size_t>(column); }
  void unite(const Catalog& catalog);

  Indexes tables_;
  Indexes columns_;                       // by "table.column"
  std::vector<std::string> table_names_;  // these four are indexed by table or column
  std::vector<std::string> names_;
  std::vector<int> table_of_;
  std::vector<int> representative_;
};

}  // namespace trustsql::set_match
