// A sketch of a query: the rows that its tables must hold for it to return a result, with variables for the values.
//
// Every use of a table is a row; what the query requires of rows are conditions over their variables. Aggregates,
// projections and scalar subqueries are transparent: a condition on MAX(x) is treated as one on x, which is correct
// for groups of one row. A sketch only guides the search for small databases; if it is incomplete or wrong, this only
// costs a chance of finding a counterexample.
#pragma once

#include <cstdint>
#include <vector>

#include "equiv/refuter/data_model.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

struct Sketch {
  // Rows that belong together: those of the query itself, of one side of an outer join, a branch of a UNION, or a
  // subquery.
  struct Part {
    enum class Kind : std::uint8_t {
      needed,
      optional,  // the query has a result with these rows or without
      unwanted,  // these rows would suppress the result: for NOT IN, NOT EXISTS, EXCEPT
    };
    Kind kind = Kind::needed;
    int parent = -1;  // the part that contains it; -1 for the first
  };
  struct Row {
    std::size_t table = 0;  // index in the model
    int part = 0;
    int first_variable = 0;  // each column of the table has one
  };
  struct Variable {
    std::size_t table = 0;
    std::size_t column = 0;
    int row = 0;
  };
  // left = right
  struct Equality {
    int left = 0;
    int right = 0;
    int part = 0;
  };
  // A condition over variables; the attribute ids of its columns stand for them.
  struct Atom {
    plan::Expr expr;
    int part = 0;
    std::vector<int> variables;
  };
  // One of the ways to satisfy an atom: a term of OR, an element of an IN list.
  struct Choice {
    int atom = 0;
    plan::Expr expr;
  };
  // Rows are grouped by the values of `keys`.
  struct Group {
    std::vector<int> keys;
  };
  // A LIMIT: the first `count` rows by `keys`.
  struct Cut {
    std::vector<int> keys;
    std::int64_t count = 1;
  };

  std::vector<Part> parts;
  std::vector<Row> rows;
  std::vector<Variable> variables;
  std::vector<Equality> equalities;
  std::vector<Atom> atoms;
  std::vector<Choice> choices;
  std::vector<Group> groups;
  std::vector<Cut> cuts;
  std::vector<std::int64_t> counts;  // the numbers that counts of rows are compared with

  // The variable that a column of an atom stands for; -1 if there is none.
  int variable_of(plan::AttributeId id) const { return id < by_attribute.size() ? by_attribute[id] : -1; }
  std::vector<int> by_attribute;
};

// Large plans are sketched only in part.
Sketch sketch_of(const plan::Plan& plan, const DataModel& model);

}  // namespace trustsql::equiv
