// Why a query does not prepare, told so that it can be mended.
//
// DART-SQL's refinement (section 3.3, Listing 3) answers an error about a column name with the tables that have a
// column of that name; so does this, and it names what is spelt alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sql/resolver.hpp"

namespace trustsql {

struct QueryProblem {
  // "syntax", "missing_column", "ambiguous_column", "missing_table", "missing_function", "function_arguments",
  // "misuse", "columns", "order_by", "limit", "other": see Diagnosis::Kind.
  std::string_view kind = {};
  std::string message = {};  // SQLite's; of a syntax error what was expected and found instead
  int line = 0;              // where, both from 1, columns in characters; 0 where the cause stands in a view
  int column = 0;
  std::string name = {};  // that is missing or ambiguous; else empty
  // Of a missing or ambiguous column: the tables and views that have one of that name, with their schema if that is not
  // main.
  std::vector<std::string> tables = {};
  // The same, among those that the query names where the column stands, as it calls them.
  std::vector<std::string> in_scope = {};
  // Existing names that are spelt much like a missing one, the likest first, at most five: of columns as they can be
  // written where the missing one stands ("T1.name"), else with their table; of tables; of functions.
  std::vector<std::string> nearest = {};
};

// What keeps SQLite from preparing `sql`, one SELECT, on a database with this catalog; nullopt if nothing does.
// `options` as for resolve(), of which `version` is the grammar's as well.
std::optional<QueryProblem> check_query(std::string_view sql, const Catalog& catalog,
                                        const ResolveOptions& options = {});

// A misspelt column in double quotes is no error to SQLite: SELECT "nmae" FROM t gives the text nmae for every row
// (https://sqlite.org/quirks.html#dblquote). This finds the first "x" of a query that resolves which SQLite takes for a
// text though it stands where a column is meant: anywhere but as a value, which is what a column is compared with (name
// = "x", IN, BETWEEN, LIKE, CASE name WHEN "x") and what a function is called with beside one, if it does not look like
// a name ("%Y"). It is told as a missing column; nullopt if there is none, or if the query does not resolve.
std::optional<QueryProblem> find_text_for_column(std::string_view sql, const Catalog& catalog,
                                                 const ResolveOptions& options = {});

// All that is known of it as a JSON object; what is empty is left out.
std::string to_json(const QueryProblem& problem);

}  // namespace trustsql
