// How far SQLite expands a query while it prepares it. It puts a definition in the place of each name of a view or a
// common table expression, so that ten views, each of which joins the one below to itself, are a thousand SELECTs. Then
// it may put the expression of a subquery's column in the place of each mention of the column, level by level. Neither
// asks for the time or an interrupt, so both are estimated from the texts beforehand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"

namespace trustsql {

// The maximum number of SELECTs to which views and common table expressions may expand, and of columns that they all
// may have. A SELECT takes SQLite some 20 microseconds and 3 KB, a column half a microsecond and 80 bytes.
inline constexpr std::uint64_t max_expanded_selects = 10'000;
inline constexpr std::uint64_t max_expanded_columns = 1'000'000;

// What a text is expanded to. No number goes beyond a billion.
struct Expansion {
  std::uint64_t selects = 0;   // SELECT and VALUES clauses
  std::uint64_t columns = 0;   // of the result; no more than SQLite allows
  std::uint64_t widest = 0;    // the most columns of any SELECT
  std::uint64_t nodes = 0;     // of the lists of columns, once the expressions of subqueries are put into them
  std::uint64_t mentions = 0;  // at one level, of the name that is mentioned most
  std::uint64_t aliased = 0;   // nodes of one level, once the expressions of its own aliases are put into them

  // A name of a table.
  struct Use {
    std::uint64_t times = 0;   // that it is read
    std::uint64_t copies = 0;  // of its columns' expressions
    std::uint64_t stars = 0;   // that stand for its columns
  };
  std::unordered_map<std::string, Use> tables{};     // by lower-case name
  std::unordered_map<std::string, Use> qualified{};  // those behind the name of a schema: no common tables

  // Adds what `other` is expanded to if it is used in this way.
  void add(const Expansion& other, Use use);
};

// What `sql`, a query or a CREATE VIEW statement, is expanded to by its common table expressions and subqueries.
// Precondition: its SELECTs are not nested too deeply for recursion (nesting.hpp).
Expansion expansion_of(std::string_view sql);

// The views of a database.
class ViewExpansions {
 public:
  void add_table(std::string_view name, std::uint64_t columns);
  // Views of the same name in several schemas are treated as one that reads what any of them reads. Precondition: as
  // for expansion_of(). Call expand() after the last.
  void add(std::string_view name, std::string_view sql);
  // Computes the expansions of all views. Error (limit_exceeded): one is too large; with its name.
  Status expand();

  // How often SQLite may copy an expression within `query` at once, if copying may become a matter of memory; otherwise
  // 1. Error (limit_exceeded): the query has too many SELECTs with those of its views and common tables, or its
  // expressions are too long to be copied so often.
  Result<std::uint64_t> copies_in(std::string_view query) const;

 private:
  std::unordered_map<std::string, Expansion> tables_;  // and views
  bool has_views_ = false;
};

}  // namespace trustsql
