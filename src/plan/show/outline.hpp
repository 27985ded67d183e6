// Outline: a plan taken apart into named texts, from which every form that shows plans is made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/show/names.hpp"

namespace trustsql::plan {

struct Outline {
  // Something that an operator says of itself: the conjuncts of a filter, the keys of a sort ...
  struct Detail {
    std::string_view name;  // "conjuncts", "keys" ...
    std::vector<std::string> items{};
    std::string_view label = {};  // what stands before it in a line of text
    std::string_view separator = ", ";
    bool is_list = true;          // false: one item, no list of them
    bool in_parentheses = false;  // in a line of text
  };
  struct Subquery;

  std::string_view op;  // "Filter", "Join" ...
  std::vector<Detail> details{};
  std::vector<std::string> columns{};  // of its rows
  std::vector<Outline> inputs{};
  std::vector<Subquery> subqueries;  // of its expressions; clang 14 takes no {} here
};

struct Outline::Subquery {
  std::string name;
  Outline outline;
};

Outline outline_of(const Plan& plan, Naming naming);

// The operator and its details on one line.
std::string one_line(const Outline& outline);

}  // namespace trustsql::plan
