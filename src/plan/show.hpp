// Plans for people and programs to read: as text, as JSON, as a Graphviz graph.
//
//   Project singer.Name                      one operator per line, with its inputs below it;
//     Filter singer.Age > subquery1          the subqueries of its expressions follow under their names
//       Scan singer (Name, Age)
//       subquery1: Aggregate avg(singer_2.Age) AS avg
//         Scan singer AS singer_2 (Age)
#pragma once

#include <string>

#include "plan/show/names.hpp"

namespace trustsql::plan {

// One line for each operator, each ending with a line feed.
std::string plan_text(const Plan& plan, Naming naming);

// {"op":"Filter","conjuncts":["singer.Age > 20"],"columns":["singer.Name"],
//  "inputs":[...],"subqueries":[{"name":...,"plan":...}]}
// Expressions are given as text; details that an operator does not have are left out.
std::string plan_json(const Plan& plan, Naming naming);

// A digraph in the language of Graphviz (https://graphviz.org/doc/info/lang.html): a box for each operator, an edge
// from each input to the operator that reads it, a dashed one from each subquery.
std::string plan_dot(const Plan& plan, Naming naming);

}  // namespace trustsql::plan
