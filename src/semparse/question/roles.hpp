// Roles: where a question needs rows of one table twice, and which of them each of its words speaks of.
//
//   Who is the manager of Cora Lind?             employee.manager_id refers to another employee; Cora Lind is the first
//   How many flights go from Oslo to Amsterdam?  Oslo is a row that flight.origin_id refers to, Amsterdam one that
//                                                flight.destination_id refers to
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

struct AskedRoles {
  // Words and the table whose rows they speak of; roles are numbered as Domain::with_roles(edges) does.
  struct Place {
    WordSpan span{};
    TableId table = nothing;
  };
  std::vector<std::size_t> edges{};  // that lead to roles, in any order
  std::vector<Place> literals{};     // values and numbers
  std::vector<Place> names{};        // "boss", where the column is called reports_to; "subordinates" of the employees
};

// The roles that the question needs, if it speaks of rows of one table as two: a table that refers to itself, where the
// question names the role besides a row, or a table that another one refers to by several columns, where the question
// speaks of at least two of these. nullopt if it needs none, names more than eight, or leaves open which row a value
// belongs to.
std::optional<AskedRoles> asked_roles(const QuestionView& view);

// Makes of `linking`, of the question and the domain with these roles, one where each word speaks of one row only.
void place_roles(const AskedRoles& roles, const Domain& domain, Linking& linking);

}  // namespace trustsql::semparse
