// Plans for people and programs to read: as text, as JSON, as a graph for Graphviz.
//
//   Project singer.Name                      each operator on a line, its inputs below it; subqueries of its
//   expressions
//     Filter singer.Age > subquery1          stand below it under their names
//       Scan singer (Name, Age)
//       subquery1: Aggregate avg(singer_2.Age) AS avg
//         Scan singer AS singer_2 (Age)
#pragma once

#include <string>

#include "plan/show/names.hpp"

namespace trustsql::plan {

// One line for each operator, each ended by a line feed.
std::string plan_text(const Plan& plan, Naming naming);

// {"op":"Filter","conjuncts":["singer.Age >
// 20"],"columns":["singer.Name"],"inputs":[...],"subqueries":[{"name":...,"plan":...}]} Expressions are texts; what an
// operator lacks is left out.
std::string plan_json(const Plan& plan, Naming naming);

// A digraph in the language of Graphviz (https://graphviz.org/doc/info/lang.html): a box for each operator, an edge
// from each input to the operator that reads it, a dashed one from each subquery.
std::string plan_dot(const Plan& plan, Naming naming);

}  // namespace trustsql::plan
