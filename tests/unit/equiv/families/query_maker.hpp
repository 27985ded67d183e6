// Random small queries over a schema, and the pieces that edits put into them.
#pragma once

#include <string>
#include <vector>

#include "unit/equiv/families/schema.hpp"
#include "unit/equiv/families/tree.hpp"

namespace trustsql::families {

// What a column can be taken from, the innermost last.
struct Source {
  std::string alias;
  std::vector<std::string> columns;
};
using Scope = std::vector<Source>;

class QueryMaker {
 public:
  QueryMaker(const Schema& schema, std::vector<std::string> values, Picker& picker)
      : schema_(schema), values_(std::move(values)), picker_(picker) {}

  // A query of one of the tested forms, with 1 or 2 columns.
  Node query();

  Node table();
  Node recursive();
  Node from(int depth);
  // A join of `left` and `right` on a random equality.
  Node join(Node left, Node right);
  // A column of `scope`, usually of its last source; a literal if there is none.
  Node column(const Scope& scope);
  Node value();
  Node expr(const Scope& scope, int depth);
  Node predicate(const Scope& scope, int depth);
  // A subquery of `columns` columns, sometimes correlated with `scope`.
  Node subquery(const Scope& scope, std::size_t columns, int depth);
  Node aggregate(const Scope& scope);

  std::string alias() { return "x" + std::to_string(++aliases_); }
  Scope sources_of(const Node& from) const;
  Picker& picker() { return picker_; }
  const Schema& schema() const { return schema_; }

 private:
  Node outer_joins();
  Node membership();
  Node aggregated();
  Node simple();
  Node compound();
  Node least();
  Node windows();

  const Schema& schema_;
  std::vector<std::string> values_;
  Picker& picker_;
  int aliases_ = 0;
};

// Calls `visitor` for each node of a query with what is visible there.
using ScopedVisitor = std::function<void(Node&, const Scope&)>;
void visit_scoped(Node& query, const QueryMaker& maker, const Scope& outer, const ScopedVisitor& visitor);

}  // namespace trustsql::families
