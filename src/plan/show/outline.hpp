// Outline: a plan broken down into named texts, the basis of every form in which plans are shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/show/names.hpp"

namespace trustsql::plan {

struct Outline {
  // A property of an operator: the conjuncts of a filter, the keys of a sort ...
  struct Detail {
    std::string_view name;  // "conjuncts", "keys" ...
    std::vector<std::string> items{};
    std::string_view label = {};  // written before it in a line of text
    std::string_view separator = ", ";
    bool is_list = true;          // false: a single item, not a list
    bool in_parentheses = false;  // in a line of text
  };
  struct Subquery;

  std::string_view op;  // "Filter", "Join" ...
  std::vector<Detail> details{};
  std::vector<std::string> columns{};  // the columns of its rows
  std::vector<Outline> inputs{};
  std::vector<Subquery> subqueries;  // those in its expressions; clang 14 does not accept {} here
};

struct Outline::Subquery {
  std::string name;
  Outline outline;
};

Outline outline_of(const Plan& plan, Naming naming);

// The operator and its details on one line.
std::string one_line(const Outline& outline);

}  // namespace trustsql::plan
