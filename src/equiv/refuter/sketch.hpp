// A sketch of a query: the rows that its tables must hold for it to give a result, with variables for the values.
//
// Every use of a table is a row; what the query asks of rows are conditions over their variables. Aggregates,
// projections and scalar subqueries are seen through: a condition on MAX(x) is taken as one on x, which is right for
// groups of one row. A sketch only directs the search for small databases, so that what it misses or gets wrong costs a
// chance and nothing else.
#pragma once

#include <cstdint>
#include <vector>

#include "equiv/refuter/data_model.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

struct Sketch {
  // Rows that belong together: those of the query itself, or of the side of an outer join, a branch of a UNION, a
  // subquery.
  struct Part {
    enum class Kind : std::uint8_t {
      needed,
      optional,  // the query has a result with these rows or without
      unwanted,  // these rows would keep the result away: of NOT IN, NOT EXISTS, EXCEPT
    };
    Kind kind = Kind::needed;
    int parent = -1;  // the part that it stands in; -1 for the first
  };
  struct Row {
    std::size_t table = 0;  // in the model
    int part = 0;
    int first_variable = 0;  // one for each of the table's columns
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
  // A condition over variables, which its columns stand for by their attribute ids.
  struct Atom {
    plan::Expr expr;
    int part = 0;
    std::vector<int> variables;
  };
  // One of the ways in which an atom may come true: a term of OR, an element of an IN list.
  struct Choice {
    int atom = 0;
    plan::Expr expr;
  };
  // Rows are put together by the values of `keys`.
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
  std::vector<std::int64_t> counts;  // with which numbers of rows are compared

  // Which variable a column of an atom stands for; -1 for one that stands for none.
  int variable_of(plan::AttributeId id) const { return id < by_attribute.size() ? by_attribute[id] : -1; }
  std::vector<int> by_attribute;
};

// Large plans are sketched as far as they fit.
Sketch sketch_of(const plan::Plan& plan, const DataModel& model);

}  // namespace trustsql::equiv
