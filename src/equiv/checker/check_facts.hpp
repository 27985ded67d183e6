// CHECK constraints, as the checker reads them: conditions that are true or NULL for each row of a table.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "base/function_ref.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

class CheckFacts {
 public:
  // That the CHECK `text` of the table is true or NULL, over the attributes that `column_at(position)` gives; nullopt
  // if the table has no such CHECK, if one of its columns has no attribute, or if it is of a kind that proofs must not
  // use: with a computed column, or a function whose value may change or is not known here. It must not outlive this.
  std::optional<plan::Expr> read(const trustsql::Table& table, const std::string& text,
                                 FunctionRef<std::optional<plan::AttributeId>(int)> column_at);

 private:
  // What a condition refers to.
  struct Source {
    Catalog catalog;
    plan::Plan plan;
  };
  std::deque<Source> sources_;
};

}  // namespace trustsql::equiv::checker
