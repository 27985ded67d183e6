// Random schemas of a few small tables, with every property that SQLite columns can have.
#pragma once

#include <string>
#include <vector>

#include "base/random.hpp"

namespace trustsql::families {

struct Column {
  std::string name;
  std::string type;  // as declared; empty if there is none
  bool generated = false;
};

struct ForeignKey {
  std::vector<std::string> columns;
  std::string parent;
  std::vector<std::string> parent_columns;
};

struct Table {
  std::string name;
  std::vector<Column> columns;
  std::vector<std::string> primary_key;
  std::vector<ForeignKey> foreign_keys;
  bool strict = false;
  std::string ddl;
};

struct Schema {
  std::vector<Table> tables;  // parents before their children
  std::string encoding = "UTF-8";

  // The encoding, unless it is UTF-8, and the CREATE statements, a line for each.
  std::string ddl() const;
  const Table* find(const std::string& name) const;
};

// Draws from fixed lists.
class Picker {
 public:
  explicit Picker(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }
  bool chance(int percent) { return random_.below(100) < static_cast<std::uint64_t>(percent); }
  template <class List>
  const auto& of(const List& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(below(std::size(list))));
  }

 private:
  Random random_;
};

Schema random_schema(Picker& picker);

// Values, as SQL, of one family: its constants and what its databases are filled with. Few, so that they coincide.
std::vector<std::string> random_values(Picker& picker);

}  // namespace trustsql::families
