// What the text of a query, and what SQLite reported while preparing it, tell of it without a plan.
#pragma once

#include <string_view>

#include "db/catalog.hpp"
#include "db/query_use.hpp"

namespace trustsql::equiv {

struct QueryTraits {
  bool varies =
      false;  // random(), the clock, the time zone, counters of the connection: results differ from run to run
  bool uses_rowid = false;       // under one of its three names, where no column has it
  bool reads_generated = false;  // a generated column
};

// Views that the query reads are looked at as well. Errs on the side of true.
QueryTraits traits_of(std::string_view sql, const QueryUse& use, const Catalog& catalog);

}  // namespace trustsql::equiv
