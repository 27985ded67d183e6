// The operators that a tree uses, counted.
#pragma once

#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

// Operators of a tree, with those of its subquery and its second query.
struct Operators {
  int average = 0;
  int sum = 0;
  int count = 0;
  int maximum = 0;
  int minimum = 0;
  int first_descending = 0;  // ORDER BY with LIMIT
  int first_ascending = 0;
  int order = 0;  // without LIMIT
  int order_descending = 0;
  int group = 0;
  int distinct = 0;
  int negation = 0;
  int greater = 0;
  int less = 0;
  int between = 0;
  int like = 0;
  int limit_number = 0;
  int any = 0;
  int than_aggregate = 0;
  int intersect = 0;
  int union_ = 0;
  int except = 0;
  int conditions = 0;
  int having = 0;
  int nulls = 0;
};

Operators operators_of(const Tree& tree);

}  // namespace trustsql::semparse
