// What holds for all rows of a relation: columns that are never NULL, functional dependencies, and what identifies a
// row.
//
// Facts follow from what SQLite enforces (unique indexes, NOT NULL, rowids) and from the operators of the plan. Facts
// that follow from a declaration that SQLite does not enforce are kept separately as assumptions, and used only on
// request: a PRIMARY KEY that is not the rowid admits NULLs (https://sqlite.org/lang_createtable.html#the_primary_key).
//
// Here, two values agree if they are equal under BINARY without conversion, or if both are NULL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "plan/reading.hpp"

namespace trustsql::plan {

// Something that a rewriting relied on, but that SQLite does not enforce.
struct Assumption {
  enum class Kind : std::uint8_t {
    primary_key_not_null,  // the column, part of the primary key, holds no NULL
    foreign_key,           // each row whose key columns are not NULL has its parent
    check,                 // the CHECK constraint of this text, in `columns`, is true or NULL for each row
    declared_type,         // the column holds only values of its declared type, and NULL
    number_text,           // the column, of affinity TEXT, holds only texts of numbers (number_text.hpp), and NULL
    integer_text,          // the same for texts of integers
    date_text,             // the column holds only texts of days (date_text.hpp), and NULL
    datetime_text,         // the same for texts of days with a time
    no_null,               // no column of any table holds NULL; `table` is empty
    no_empty_table,        // every table has a row; `table` is empty
    no_case_variants,      // no two texts, in any table or in the queries, differ only in letter case; `table` is empty
    same_ties,             // both queries take tied rows in the same order (Assume::ties); `table` is empty
  };
  Kind kind = Kind::primary_key_not_null;
  std::string table;
  std::vector<std::string> columns;
  std::string parent{};  // for a foreign key: the parent table

  friend bool operator==(const Assumption&, const Assumption&) = default;
};

// In words: "the primary key column singer.Singer_ID holds no NULL".
std::string describe(const Assumption& assumption);
std::vector<std::string> descriptions(const std::vector<Assumption>& assumptions);

// A column that queries take for dates: as_date or as_datetime.
struct DateColumn {
  const Table* table = nullptr;
  int position = 0;
  Reading reading = Reading::as_date;

  friend bool operator==(const DateColumn&, const DateColumn&) = default;
};

// Which assumptions may be made.
struct Assume {
  bool primary_key_not_null = true;
  bool foreign_keys = true;
  bool declared_types = false;
  // Columns of the affinity TEXT that a query takes for numbers (ColumnReadings) hold only texts of numbers. This is
  // more than declared_types, under which such a column may hold any text.
  bool number_texts = false;
  // These columns hold only texts of dates, as their reading says. nullopt: with number_texts, those that the plan to
  // be rewritten takes for dates; without it, none. For two plans there must be one list, that of what both take them
  // for.
  std::optional<std::vector<DateColumn>> dates{};
  // Where a query leaves it open which of several rows come first, both queries take the same ones. That is: the order
  // of rows is a function of the bag of rows to be ordered, in the columns that the query uses, and of the keys of the
  // order. Two orders by equal keys of equal bags of rows are then equal lists. It does not relate the orders of
  // different bags (of a relation and a part of it) or by different keys. The operators that this fixes:
  //   LIMIT, with or without ORDER BY      over all of its input;
  //   bare columns beside aggregates       of a group, the row that they are taken from, beside equal MIN and MAX; it
  //                                        does not matter how often a row occurs in the group;
  //   group_concat, json_group_array ...   over a group;
  //   window functions                     over a partition.
  // It says nothing about rows in an order that a subquery asked for, and nothing about those of an outer join: its
  // sides are read in the order in which the query writes them.
  // What it does not fix: the first row of a scalar subquery without LIMIT, a LIMIT in a recursive query, which of
  // several equal values (1 and 1.0, or texts under a collation) is kept, and random().
  bool ties = false;
  // SQLite checks CHECK constraints, but not while PRAGMA ignore_check_constraints is on, and it has not always looked
  // at the rows that a table had when ALTER TABLE added one.
  bool checks = true;

  static Assume nothing() { return {false, false, false, false, {}, false, false}; }
  static Assume everything() { return {true, true, true, true, {}, true, true}; }

  friend bool operator==(const Assume&, const Assume&) = default;
};

// Rows that agree on `from` agree on `to`.
struct Dependency {
  AttributeSet from;
  AttributeSet to;
  AttributeSet needs;    // it holds only between rows in which these are not NULL: the columns of a unique index
  AttributeSet assumed;  // it holds if these table columns, parts of primary keys, hold no NULL
};

struct Facts {
  AttributeSet outputs;
  AttributeSet non_null;
  AttributeSet assumed_non_null;  // not NULL if no primary key holds NULL; disjoint from non_null
  std::vector<Dependency> dependencies;
  AttributeSet identity;      // no two rows agree on all of these, which need not be outputs
  bool has_identity = false;  // false: rows may be duplicates
  bool non_empty = false;     // at least one row
};

// The facts of `rel` for fixed values of the attributes that it takes from outside.
Facts facts_of(const Rel& rel, const Plan& plan);

// Adds what holds for the rows for which all conjuncts are true. Attributes that are not outputs are taken as fixed.
void add_facts_of_conjuncts(Facts& facts, const std::vector<Expr>& conjuncts, const Plan& plan);

}  // namespace trustsql::plan
