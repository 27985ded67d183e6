// Elements: the columns that retrieval chooses from, the "documents" of CRUSH4SQL, and their connections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/catalog/catalog.hpp"

namespace trustsql::link {

struct Element {
  std::string database;  // the prefix of its table if several databases form one corpus; often empty
  std::string table;
  std::string column;

  // "database.table", and "database.table.column", the text that is embedded.
  std::string qualified_table() const { return database.empty() ? table : database + "." + table; }
  std::string text() const { return qualified_table() + "." + column; }
  friend bool operator==(const Element&, const Element&) = default;
};

// A corpus of elements with its schema graph.
class ElementSet {
 public:
  // Adds an element and returns its number.
  std::size_t add(Element element);
  // Records that a foreign key joins the columns with these numbers: a declared one, or one that names suggest.
  void connect(std::size_t from, std::size_t to);
  void connect_inferred(std::size_t from, std::size_t to);
  // infer_keys() (inferred_keys.hpp).
  void infer_links();

  std::size_t size() const { return elements_.size(); }
  const Element& operator[](std::size_t index) const { return elements_[index]; }
  const std::vector<Element>& elements() const { return elements_; }

  // The number of the element's table; tables of different databases differ.
  std::size_t table_of(std::size_t index) const { return tables_[index]; }
  std::size_t table_count() const { return table_numbers_.size(); }
  // The number of the table's database.
  std::size_t database_of_table(std::size_t table) const { return databases_[table]; }
  std::size_t database_count() const { return database_numbers_.size(); }

  // The elements that a foreign key joins with this one; declared() leaves out inferred keys.
  const std::vector<std::uint32_t>& linked(std::size_t index) const { return links_[index]; }
  const std::vector<std::uint32_t>& declared(std::size_t index) const { return declared_[index]; }

 private:
  std::vector<Element> elements_;
  std::vector<std::size_t> tables_;
  std::vector<std::vector<std::uint32_t>> links_;
  std::vector<std::vector<std::uint32_t>> declared_;
  std::vector<std::size_t> databases_;
  std::map<std::pair<std::string, std::string>, std::size_t> table_numbers_;
  std::map<std::string, std::size_t, std::less<>> database_numbers_;
};

// Whether `table` is a table or view of the user: not one of SQLite's, of this extension or a virtual table's shadow
// table.
bool is_user_table(const Table& table);
// The database name of the table's elements: empty for main and temp, else the name of the attached database.
std::string database_of(const Table& table);

// Moves the database out of the names of tables that carry it ("formula_1.races" becomes races of formula_1), if
// no element has a database yet and most of the tables are named so. Elements keep their texts.
void split_databases(std::vector<Element>& elements);

// The columns of the user's tables and views, without SQLite's own, this extension's and hidden ones. Databases are
// those of split_databases(); in one that declares no foreign key, keys are inferred. `places` (unless null) receives
// the indexes of each element's table and column in the catalog.
ElementSet elements_of(const Catalog& catalog, std::vector<std::pair<std::size_t, std::size_t>>* places = nullptr);

}  // namespace trustsql::link
