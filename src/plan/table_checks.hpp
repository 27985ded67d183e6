// The CHECK constraints of a table, as conditions on its rows.
//
// For each row, SQLite has found each of them true or NULL
// (https://sqlite.org/lang_createtable.html#check_constraints). It sees the values as they are stored: their affinity
// has been applied.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "db/catalog/catalog.hpp"
#include "plan/facts.hpp"
#include "plan/plan.hpp"

namespace trustsql::plan {

struct TableCheck {
  std::string_view text;                             // as in the catalog
  Expr condition;                                    // over the columns below
  std::vector<std::pair<AttributeId, int>> columns;  // with their positions in the table; -1: the rowid
  std::vector<Assumption> assumptions{};             // on which its form rests
};

class TableChecks {
 public:
  // `table` must outlive the object. With `assume`, the conditions are normalised under these assumptions. A CHECK that
  // cannot be planned is left out. `stop`, if given, is called now and then while one is normalised; true ends that.
  explicit TableChecks(const Table& table, const std::optional<Assume>& assume = {}, std::function<bool()> stop = {});

  const std::vector<TableCheck>& all() const { return checks_; }

 private:
  Catalog catalog_;          // the table alone, since a CHECK sees no other
  std::vector<Plan> plans_;  // which hold the texts of the conditions
  std::vector<TableCheck> checks_;
};

}  // namespace trustsql::plan
