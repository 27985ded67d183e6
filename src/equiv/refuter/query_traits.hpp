// What is known about a query without a plan, from its text and from what SQLite reported while preparing it.
#pragma once

#include <string_view>

#include "db/catalog/catalog.hpp"
#include "db/sandbox/query_use.hpp"

namespace trustsql::equiv {

struct QueryTraits {
  // Uses random(), the clock, the time zone, or counters of the connection: results differ from run to run.
  bool varies = false;
  bool uses_rowid = false;       // by one of its three names, if no column has that name
  bool reads_generated = false;  // reads a generated column
  bool uses_like = false;        // LIKE or GLOB
};

// Also looks at the views that the query reads. If in doubt, a trait is true.
QueryTraits traits_of(std::string_view sql, const QueryUse& use, const Catalog& catalog);

}  // namespace trustsql::equiv
