// Domain: a database as the semantic parser sees it: the words of its names, what its columns hold, and which tables
// can be joined.
//
// It is a value, made from the catalog and from statistics that are read once (in the sandbox, with bounds), and shared
// by all questions about the same state of the database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/catalog/catalog.hpp"
#include "db/sandbox/sandbox.hpp"
#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

enum class DataKind : std::uint8_t { text, number, date, boolean, other };

// The year (2026) or the month (2026-03) of a date.
enum class DateUnit : std::uint8_t { none, year, month };
struct DatePart {
  ColumnId date = nothing;
  DateUnit unit = DateUnit::none;
  friend bool operator==(const DatePart&, const DatePart&) = default;
};

struct DomainColumn {
  std::string name;
  std::vector<std::string> words{};  // name_words() of its name, without the table's own name at the front
  std::vector<std::string> all_words{};
  TableId table = nothing;
  DataKind kind = DataKind::other;
  bool is_key = false;          // identifies the rows of its table by itself
  bool is_id = false;           // a key, a foreign key, or named like one: a number or code that people seldom ask for
  bool is_foreign = false;      // refers to another table
  std::optional<double> min{};  // of numbers
  std::optional<double> max{};
  // Texts that are numbers: SQLite compares them as texts, '9' behind '10'. Their length if it is the same for all.
  bool has_text_numbers = false;
  std::optional<std::int64_t> text_length{};
  bool is_binary = false;           // its values are the integers 0 and 1, and it has both
  bool shared = false;              // some rows have the same value
  bool repeats = false;             // few rows have a value of their own: a kind or a class
  bool has_iso_dates = false;       // texts such as 2026-01-05
  bool has_times = false;           // with a time behind
  bool has_unsorted_dates = false;  // texts such as 01/05/2026 or 5 January 2026, which do not sort by time
  bool has_nulls = false;           // rows without a value
  bool has_blanks = false;          // rows with an empty text
  bool has_none = false;            // rows whose text says that there is no value, or denies: 'none', 'n/a', 'no'
  bool is_only_date = false;        // the only dates of its table, whose name does not say so: "played_on"
  DatePart part_of{};               // what a date part is a part of (with_date_parts())
};

struct DomainTable {
  std::string schema;  // "main", "temp", or the name of an attached database
  std::string name;
  std::vector<std::string> words{};  // name_words() of its name
  ColumnId first_column = 0;
  ColumnId last_column = 0;    // one past the last
  ColumnId key = nothing;      // its key of one column, if it has one
  bool keyless = false;        // no view, and it declares no primary key: `key` is inferred from names and values
  ColumnId display = nothing;  // the column that names a row to people; `nothing` if there is none
  ColumnId surname = nothing;  // where `display` is a first name: the last name that belongs to it
  int display_rank = 0;        // how well it does so, from 0
  int next_display_rank = 0;   // the same for the next best column
  TableId role_of = nothing;   // the table whose rows a role has (with_roles()); `nothing` for any other table
};

// A way to join two tables: child.column refers to parent.column.
struct JoinEdge {
  ColumnId child = nothing;
  ColumnId parent = nothing;
  bool declared = true;  // false: inferred from names and kinds of values
};

struct DomainOptions {
  std::int64_t max_rows = 20000;    // of a table, for statistics
  std::size_t max_columns = 20000;  // of the database; further tables are left out
};

class Domain {
 public:
  // Reads the statistics of `catalog`'s tables and views through `sandbox`; a table that cannot be read has none.
  // Tables of SQLite and of this extension are left out. Errors: interrupted, out_of_memory, io.
  static Result<Domain> build(const Catalog& catalog, Sandbox& sandbox, const DomainOptions& options = {});

  // The same database where each of `edges`, different numbers of edges(), leads to a table of its own, a role: "the
  // airport that is a flight's origin" and "the airport that is its destination" are rows of two roles then, and "the
  // manager of an employee" is a row of a role of the employees. Roles and their columns stand behind all others, in
  // the order of `edges`, and no other edge begins or ends there. A role's words are role_words() of its edge.
  Domain with_roles(const std::vector<std::size_t>& edges) const;
  // The same database where each of `parts` is a column of its own, behind all others: none of the columns from its
  // table's first to its last. Precondition: columns with has_iso_dates.
  Domain with_date_parts(const std::vector<DatePart>& parts) const;
  // The words that say which role the rows play that an edge refers to: those of the column that refers to them, but
  // for "id" and prepositions at its end and, where a table refers to itself, that table's name: "home", "team" of
  // home_team_id, "report" of reports_to, "parent" of category.parent_category.
  std::vector<std::string> role_words(std::size_t edge) const;

  const std::vector<DomainTable>& tables() const { return tables_; }
  const std::vector<DomainColumn>& columns() const { return columns_; }
  const std::vector<JoinEdge>& edges() const { return edges_; }
  const DomainTable& table(TableId id) const { return tables_[static_cast<std::size_t>(id)]; }
  const DomainColumn& column(ColumnId id) const { return columns_[static_cast<std::size_t>(id)]; }

  // The table or column of that name (ASCII case ignored), `nothing` if there is none.
  TableId find_table(std::string_view name) const;
  ColumnId find_column(TableId table, std::string_view name) const;
  // The table whose rows a table has, and the column whose values a column has or is made of: themselves but for roles
  // and date parts.
  TableId stored_table(TableId id) const { return table(id).role_of == nothing ? id : table(id).role_of; }
  ColumnId stored_column(ColumnId id) const;

  // Whether the column names the rows of its table to people, by itself or as the last name behind a first name.
  bool is_display(ColumnId id) const;
  // How many pairs of a first and a last name that belong together are among `columns`: each is one item for people.
  std::size_t full_names(const std::vector<ColumnId>& columns) const;

  // The edges of a table, to whichever side it is, in the order of edges().
  const std::vector<std::size_t>& edges_of(TableId table) const { return edges_of_[static_cast<std::size_t>(table)]; }
  // The edges between two tables, in the order of edges().
  std::vector<std::size_t> edges_between(TableId a, TableId b) const;

 private:
  // `prefix`: what the names of all tables begin with and do not mean: "dn_".
  void add_table(const trustsql::Table& table, std::string_view prefix, const DomainOptions& options);
  void add_declared_edges(const Catalog& catalog, const std::vector<const trustsql::Table*>& sources);
  void infer_keys();
  void infer_edges();
  void infer_roles();
  // Whether the values of a column of numbers are keys of the table as far as their range says.
  bool holds_keys_of(ColumnId column, TableId table) const;
  // Whose rows a column such as manager_id refers to: the people of its own table, or else the only table of staff, or
  // of people; its own table where there are no people, and `nothing` where it is open who is meant.
  TableId table_of_superiors(ColumnId column) const;
  void index_edges();
  void find_only_dates();
  void choose_display_columns();
  Status read_statistics(Sandbox& sandbox, const DomainOptions& options);
  Status read_text_numbers(Sandbox& sandbox, const DomainOptions& options);

  std::vector<DomainTable> tables_;
  std::vector<DomainColumn> columns_;
  std::vector<JoinEdge> edges_;
  std::vector<std::vector<std::size_t>> edges_of_;  // for each table
};

// The words of a name, nouns in the singular, abbreviations written out: "StudentIDs" is student, id; "cust_no"
// customer, number.
std::vector<std::string> name_words(std::string_view name);

}  // namespace trustsql::semparse
