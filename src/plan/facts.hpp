// What holds for all rows of a relation: columns that are never NULL, functional dependencies, what tells rows apart.
//
// They rest on what SQLite enforces (unique indexes, NOT NULL, rowids) and on the operators of the plan. What rests on
// a declaration that SQLite does not enforce is kept apart as an assumption, and used only by who asks for it: a
// PRIMARY KEY that is not the rowid admits NULLs (https://sqlite.org/lang_createtable.html#the_primary_key).
//
// Values agree here if they are equal under BINARY without conversion, or both NULL.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::plan {

// Something that SQLite lets a database violate, and a rewriting relied on.
struct Assumption {
  enum class Kind : std::uint8_t {
    primary_key_not_null,  // the column, part of the primary key, holds no NULL
    foreign_key,           // each row whose key columns are not NULL has its parent
    declared_type,         // the column holds only values of its declared type, and NULL
    no_null,               // no column of any table holds NULL; names no table
    no_empty_table,        // every table has a row; names none
    no_case_variants,      // no two texts, in any table or in the queries, differ in the case of letters only; names no
                           // table
  };
  Kind kind = Kind::primary_key_not_null;
  std::string table;
  std::vector<std::string> columns;
  std::string parent{};  // of a foreign key: the parent table

  friend bool operator==(const Assumption&, const Assumption&) = default;
};

// In words: "the primary key column singer.Singer_ID holds no NULL".
std::string describe(const Assumption& assumption);

// Which assumptions may be made.
struct Assume {
  bool primary_key_not_null = true;
  bool foreign_keys = true;
  bool declared_types = false;

  static Assume nothing() { return {false, false, false}; }
  static Assume everything() { return {true, true, true}; }
};

// Rows that agree on `from` agree on `to`.
struct Dependency {
  AttributeSet from;
  AttributeSet to;
  AttributeSet needs;    // holds between rows in which these are not NULL: the columns of a unique index
  AttributeSet assumed;  // holds if these columns of tables, parts of primary keys, hold no NULL there
};

struct Facts {
  AttributeSet outputs;
  AttributeSet non_null;
  AttributeSet assumed_non_null;  // not NULL if no primary key holds NULL; disjoint from non_null
  std::vector<Dependency> dependencies;
  AttributeSet identity;      // no two rows agree on all of these, which need not be outputs
  bool has_identity = false;  // false: nothing tells rows apart
  bool non_empty = false;     // at least one row
};

// The facts of `rel`, for one value of the attributes that it takes from outside.
Facts facts_of(const Rel& rel, const Plan& plan);

// What the conjuncts tell of the rows for which they are all true. Attributes that are no outputs are taken as fixed.
void add_facts_of_conjuncts(Facts& facts, const std::vector<Expr>& conjuncts, const Plan& plan);

// The attributes of which a single NULL makes `expr` NULL.
AttributeSet strict(const Expr& expr);

// Whether the value is certainly no blob, by the nature of the expression. LIKE and GLOB of a blob are 0, whatever the
// other operand is, where SQLite was built with SQLITE_LIKE_DOESNT_MATCH_BLOBS: then they are not strict.
bool is_never_blob(const Expr& expr);

// The attributes for which `expr`, if true, can only be so because they are not NULL.
AttributeSet null_rejected(const Expr& expr, const Plan& plan);

// All that `attributes` determine by the dependencies without assumptions, and if `assumed` is given by those with as
// well; it receives the columns that had to be assumed not NULL.
AttributeSet closure(const AttributeSet& attributes, const Facts& facts, AttributeSet* assumed = nullptr);

// Whether no two rows agree on `attributes`. `assumed` as for closure(); unchanged if the answer needs none.
bool is_superkey(const AttributeSet& attributes, const Facts& facts, AttributeSet* assumed = nullptr);

// Whether there is at most one row.
bool at_most_one_row(const Facts& facts, AttributeSet* assumed = nullptr);

}  // namespace trustsql::plan
