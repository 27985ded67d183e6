#include "equiv/checker/claims.hpp"

#include <algorithm>

#include "equiv/checker/claim_trial.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

// --- claims that are among the conditions

AttributeId Claims::root(AttributeId id) const {
  while (id < parents_.size() && parents_[id] != id) id = parents_[id];
  return id;
}

bool Claims::unite(AttributeId a, AttributeId b) {
  a = root(a);
  b = root(b);
  if (a == b) return false;
  while (parents_.size() <= std::max(a, b)) parents_.push_back(static_cast<AttributeId>(parents_.size()));
  parents_[std::max(a, b)] = std::min(a, b);
  return true;
}

// Makes the two the same row if they agree in a key.
bool Claims::unite_rows(const Scan& a, const Scan& b) {
  bool same_row = false;
  for_each_key(a, b, [&](const auto& parts) {
    same_row = same_row || std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
                 return root(part.first) == root(part.second) &&
                        (non_null_.contains(part.first) || non_null_.contains(part.second));
               });
  });
  if (!same_row) return false;
  bool changed = unite(a.row, b.row);
  for (const auto& column : a.columns) {
    if (const auto* other = column_at(b, column.position)) changed = unite(column.id, other->id) || changed;
  }
  return changed;
}

void Claims::close() {
  if (closed_) return;
  closed_ = true;
  parents_.clear();
  for (const auto& condition : conditions_) {
    if (const auto* n = condition.as<IsNull>(); n != nullptr && n->negated) {
      if (const auto* id = column_id(*n->operand)) non_null_.add(*id);
    }
    const auto* n = condition.as<Compare>();
    if (n == nullptr) continue;
    const auto* left = column_id(*n->left);
    const auto* right = column_id(*n->right);
    if (n->op != CompareOp::is && n->op != CompareOp::is_not) {
      if (left != nullptr) non_null_.add(*left);
      if (right != nullptr) non_null_.add(*right);
    }
    if ((n->op != CompareOp::equal && n->op != CompareOp::is) || left == nullptr || right == nullptr) continue;
    if (is_plain(*n, *plan_) && equal_is_identical(*n->left, *n->right, *plan_)) unite(*left, *right);
  }
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (rows_[i]->table == rows_[j]->table && rows_[i]->table != nullptr)
          again = unite_rows(*rows_[i], *rows_[j]) || again;
      }
    }
  }
  keys_.clear();
  for (const auto& condition : conditions_) keys_.insert(key(condition));
}

std::string Claims::key(const Expr& expr) const {
  return structure_text(expr, [&](AttributeId id) { return root(id); });
}

void Claims::add(Expr condition) {
  if (auto* n = condition.as<And>()) {
    for (auto& term : n->terms) add(std::move(term));
    return;
  }
  conditions_.push_back(std::move(condition));
  closed_ = false;
}

void Claims::add_all(const Claims& other) {
  for (const auto& condition : other.conditions_) add(condition);
  non_null_ |= other.non_null_;
  closed_ = false;
}

AttributeId Claims::representative(AttributeId id) {
  close();
  return root(id);
}

bool Claims::is_non_null(AttributeId id) {
  close();
  return non_null_.contains(id);
}

bool Claims::is_constant(AttributeId id) {
  close();
  return std::any_of(conditions_.begin(), conditions_.end(), [&](const Expr& condition) {
    if (const auto* null = condition.as<IsNull>(); null != nullptr && !null->negated) {
      const auto* column = column_id(*null->operand);
      return column != nullptr && root(*column) == root(id);
    }
    const auto* n = condition.as<Compare>();
    if (n == nullptr || (n->op != CompareOp::equal && n->op != CompareOp::is) || !n->how.is_binary()) return false;
    const auto fixes = [&](const Expr& side, const Expr& other) {
      const auto* column = column_id(side);
      return column != nullptr && root(*column) == root(id) && literal_value(other) != nullptr &&
             !converts(side, n->how.affinity, *plan_);
    };
    return fixes(*n->left, *n->right) || fixes(*n->right, *n->left);
  });
}

bool Claims::true_of(const Expr& condition) {
  close();
  if (const auto* n = condition.as<And>())
    return std::all_of(n->terms.begin(), n->terms.end(), [&](const Expr& term) { return true_of(term); });
  if (keys_.contains(key(condition))) return true;
  Trial trial(*this, {&condition});
  return trial.always([&] { return trial.values().is_true(condition); });
}

bool Claims::one_true_of(const std::vector<std::vector<Expr>>& lists) {
  close();
  std::vector<const Expr*> all;
  for (const auto& list : lists) {
    for (const auto& condition : list) all.push_back(&condition);
  }
  Trial trial(*this, all);
  return trial.always([&] {
    return std::any_of(lists.begin(), lists.end(), [&](const auto& list) {
      return std::all_of(list.begin(), list.end(),
                         [&](const Expr& condition) { return trial.values().is_true(condition); });
    });
  });
}

bool Claims::identical(const Expr& a, const Expr& b) {
  close();
  if (key(a) == key(b)) return true;
  Trial trial(*this, {&a, &b});
  return trial.always([&] { return trial.values()(a) == trial.values()(b); });
}

bool Claims::equal(const Expr& a, const Expr& b) {
  close();
  if (key(a) == key(b)) return true;
  Trial trial(*this, {&a, &b});
  return trial.always([&] { return trustsql::equal(view(trial.values()(a)), view(trial.values()(b))); });
}

bool Claims::contradictory() {
  close();
  // Conditions that share no column are independent: it suffices that one group of conditions never holds.
  std::vector<bool> tried(conditions_.size(), false);
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    if (tried[i]) continue;
    Trial trial(*this, {&conditions_[i]});
    if (trial.always([] { return false; })) return true;
    for (std::size_t k = i; k < conditions_.size(); ++k) tried[k] = tried[k] || trial.uses(conditions_[k]);
  }
  return false;
}

}  // namespace trustsql::equiv::checker
