#include "plan/equal_columns.hpp"

#include <numeric>

namespace trustsql::plan {

ColumnSets::ColumnSets(std::size_t columns) : parents_(columns) {
  std::iota(parents_.begin(), parents_.end(), AttributeId{0});
}

AttributeId ColumnSets::find(AttributeId id) {
  while (parents_[id] != id) id = parents_[id] = parents_[parents_[id]];
  return id;
}

AttributeId ColumnSets::find(AttributeId id) const {
  while (parents_[id] != id) id = parents_[id];
  return id;
}

EqualColumns::EqualColumns(const Plan& plan) : count_(plan.attributes.size()), sets_(plan.attributes.size()) {
  const auto equate = [this](const Expr& a, const Expr& b) {
    const auto* left = column_id(a);
    const auto* right = column_id(b);
    if (left != nullptr && right != nullptr) sets_.unite(*left, *right);
  };
  const auto pass_on = [this](AttributeId id, const Expr& expr) {
    if (const auto* from = column_id(expr)) sets_.unite(id, *from);
  };
  walk(plan.root, [&](const Compare& compare) {
    if (compare.op == CompareOp::equal || compare.op == CompareOp::is) equate(*compare.left, *compare.right);
  });
  walk(plan.root, [&](const InList& list) {
    if (list.items.size() == 1) equate(*list.operand, list.items.front());
  });
  walk(plan.root, [&](const RowCompare& rows) {
    if (rows.op == CompareOp::equal || rows.op == CompareOp::is)
      visit_row_pairs(rows, [&](const Expr& left, const Expr& right, const Comparison&) { equate(left, right); });
  });
  walk(plan.root, [&](const Project& project) {
    for (const auto& item : project.items) pass_on(item.id, item.expr);
  });
  walk(plan.root, [&](const Aggregate& aggregate) {
    for (const auto& key : aggregate.keys) pass_on(key.id, key.expr);
  });
  walk(plan.root, [&](const SetOp& set) {
    for (const auto& input : set.inputs) {
      const auto ids = outputs(input);
      for (std::size_t i = 0; i < ids.size() && i < set.ids.size(); ++i) sets_.unite(set.ids[i], ids[i]);
    }
  });
}

}  // namespace trustsql::plan
