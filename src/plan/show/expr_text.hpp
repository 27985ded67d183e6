// Expressions of a plan as text, for people to read.
#pragma once

#include <string>

#include "plan/show/names.hpp"

namespace trustsql::plan {

// In SQL syntax, with columns and subqueries under their shown names. The collation of a comparison is shown if it is
// not BINARY; the affinity is not shown.
std::string expr_text(const Expr& expr, const ShownNames& names);

// How the parts of an expression are written that have their meaning from elsewhere: columns and subqueries.
class ShownLeaves {
 public:
  virtual ~ShownLeaves() = default;
  virtual ast::Expr column(AttributeId id) const = 0;
  virtual ast::Expr value(const Rel& subquery) const = 0;   // of a ScalarSubquery
  virtual ast::In::Set set(const Rel& subquery) const = 0;  // of an InSubquery
  virtual ast::Query rows(const Rel& subquery) const = 0;   // of an Exists
};
// The same as a syntax tree, with such parts as `leaves` has them.
ast::Expr expr_syntax(const Expr& expr, const ShownLeaves& leaves);

}  // namespace trustsql::plan
