// What a CREATE TABLE statement says that no PRAGMA does: CHECK constraints and the expressions of generated columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trustsql {

struct DdlCheck {
  std::string name;        // of its CONSTRAINT clause
  std::string expression;  // without the parentheses around it
  std::string column;      // in whose definition it stands; empty for one of the table
};

struct DdlGenerated {
  std::string column;
  std::string expression;
};

struct DdlFacts {
  std::vector<DdlCheck> checks;
  std::vector<DdlGenerated> generated;
};

// Scans `sql`, a CREATE TABLE statement that SQLite has accepted; of any other text nothing is found.
DdlFacts scan_create_table(std::string_view sql);

}  // namespace trustsql
