#include "score/set_match/preparation.hpp"

#include <algorithm>
#include <set>

namespace trustsql::set_match {

namespace {

void drop_values(Query& query);

void drop_value(Operand& operand) {
  if (auto* nested = std::get_if<ast::Box<Query>>(&operand)) {
    drop_values(**nested);
  } else {
    operand = std::monostate();
  }
}

// Also drops them in subqueries of conditions and after set operators, but not in subqueries of FROM.
void drop_values(Query& query) {
  for (auto* conditions : {&query.joins, &query.where, &query.having}) {
    for (auto& condition : conditions->all) {
      drop_value(condition.first);
      drop_value(condition.second);
    }
  }
  if (query.operation) drop_values(*query.operation->right);
}

// Visits the query and the queries after its set operators, but not subqueries.
class Unifier {
 public:
  // Only columns of the tables of `outermost` are unified, also after set operators.
  Unifier(const Query& outermost, const Schema& schema) : schema_(schema) {
    for (const auto& table : outermost.tables)
      if (const auto* index = std::get_if<int>(&table)) tables_.insert(*index);
  }

  void unify(Query& query) const {
    query.distinct = false;
    for (auto& item : query.items) unify(item.unit);
    for (auto* conditions : {&query.joins, &query.where, &query.having})
      for (auto& condition : conditions->all) unify(condition.unit);
    for (auto& unit : query.group_by) unify(unit);
    if (query.order_by) {
      for (auto& unit : query.order_by->units) unify(unit);
    }
    if (query.operation) unify(*query.operation->right);
  }

 private:
  void unify(ValueUnit& unit) const {
    unify(unit.left);
    if (unit.right) unify(*unit.right);
  }
  void unify(ColumnUnit& unit) const {
    if (unit.column != all_columns && tables_.contains(schema_.table_of(unit.column)))
      unit.column = schema_.representative(unit.column);
    unit.distinct = false;
  }

  const Schema& schema_;
  std::set<int> tables_;
};

}  // namespace

void prepare(Query& query, const Schema& schema) {
  drop_values(query);
  const Unifier unifier(query, schema);
  unifier.unify(query);
}

}  // namespace trustsql::set_match
