// The parts of a CREATE TABLE statement that no PRAGMA reports: CHECK constraints and the expressions of generated
// columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trustsql {

struct DdlCheck {
  std::string name;        // from its CONSTRAINT clause
  std::string expression;  // without the parentheses around it
  std::string column;      // the column in whose definition it stands; empty for a table constraint
};

struct DdlGenerated {
  std::string column;
  std::string expression;
};

struct DdlFacts {
  std::vector<DdlCheck> checks;
  std::vector<DdlGenerated> generated;
};

// Scans `sql`, a CREATE TABLE statement that SQLite has accepted. The result is empty for any other text.
DdlFacts scan_create_table(std::string_view sql);

}  // namespace trustsql
