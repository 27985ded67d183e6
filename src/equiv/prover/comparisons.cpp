// The order of terms in a context (orders.hpp), and what it implies for equality and NULL.
#include <algorithm>

#include "equiv/prover/context.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

Relations Context::relation(const Comparison& how, TermId left, TermId right) {
  left = find(left);
  right = find(right);
  if (left == right) return Relations::equal();
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!orders_current_) build_orders();
    for (const auto& order : orders_) {
      if (order.how != how) continue;
      const auto i = std::find(order.members.begin(), order.members.end(), left);
      const auto j = std::find(order.members.begin(), order.members.end(), right);
      if (i == order.members.end() || j == order.members.end()) break;
      return order.at(static_cast<std::size_t>(i - order.members.begin()),
                      static_cast<std::size_t>(j - order.members.begin()));
    }
    constraints_.push_back({how, left, right, Relations::any()});
    orders_current_ = false;
  }
  return Relations::any();
}

void Context::constrain(const Comparison& how, TermId left, TermId right, Relations relations) {
  const auto before = relation(how, left, right);
  const auto after = before & relations;
  if (after == before) return;
  constraints_.push_back({how, find(left), find(right), relations});
  orders_current_ = false;
  changed_ = true;
}

void Context::build_orders() {
  orders_.clear();
  for (const auto& constraint : constraints_) {
    auto order = std::find_if(orders_.begin(), orders_.end(), [&](const Order& o) { return o.how == constraint.how; });
    if (order == orders_.end()) order = orders_.insert(orders_.end(), Order{constraint.how, {}, {}});
    for (const auto id : {find(constraint.left), find(constraint.right)}) {
      if (std::find(order->members.begin(), order->members.end(), id) == order->members.end())
        order->members.push_back(id);
    }
  }
  for (auto& order : orders_) {
    const auto n = order.members.size();
    if (!budget_->spend(1 + static_cast<int>(n * n / 64))) {
      order.members.clear();
      continue;
    }
    order.relations.assign(n * n, Relations::any());
    const auto place = [&](TermId id) {
      return static_cast<std::size_t>(std::find(order.members.begin(), order.members.end(), find(id)) -
                                      order.members.begin());
    };
    bool transitive = true;
    std::vector<bool> non_null(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto& member_class = classes_[order.members[i]];
      order.at(i, i) = Relations::equal();
      non_null[i] = member_class.non_null;
      // A number becomes text only if the other operand is text, so TEXT affinity orders text values only.
      const auto& expr = *(*terms_)[order.members[i]].expr;
      if (order.how.affinity == Affinity::text &&
          (member_class.value != nullptr ? member_class.value->index() != 3 : converts(expr, Affinity::text, *plan_)))
        transitive = false;
      for (std::size_t j = 0; j < i; ++j) {
        const auto& other = classes_[order.members[j]];
        if (member_class.value == nullptr || other.value == nullptr || member_class.null || other.null) continue;
        order.at(i, j) = relation_of(*member_class.value, *other.value, order.how);
        order.at(j, i) = order.at(i, j).turned();
      }
    }
    for (const auto& constraint : constraints_) {
      if (constraint.how != order.how) continue;
      const auto i = place(constraint.left);
      const auto j = place(constraint.right);
      order.at(i, j) = order.at(i, j) & constraint.relations;
      order.at(j, i) = order.at(j, i) & constraint.relations.turned();
    }
    if (transitive) order.close(non_null, *budget_);
  }
  orders_current_ = true;
}

bool Context::is_integer(TermId term) const {
  const auto& expr = *(*terms_)[term].expr;
  if (types_of(expr, *plan_, {}).without_null().is_subset_of(types::integer)) return true;
  const auto* id = column_id(expr);
  return id != nullptr && (*assume_integer_)(*id);
}

// An integer less than k is at most k - 1. Returns whether that was new.
bool Context::use_integers(const Comparison& how, TermId term, TermId bound, Relations relations) {
  if ((relations != Relations::less() && relations != Relations::greater()) || how.affinity == Affinity::text)
    return false;
  const auto* value = classes_[find(bound)].value;
  const auto* integer = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
  constexpr std::int64_t largest = std::int64_t{1} << 62;
  if (integer == nullptr || *integer > largest || *integer < -largest || classes_[find(term)].value != nullptr ||
      !is_integer(term))
    return false;
  const bool below = relations == Relations::less();
  const auto next = terms_->intern_literal(Value(*integer + (below ? -1 : 1)));
  const auto within = relations | Relations::equal();
  if ((relation(how, term, next) - within).empty()) return false;
  constrain(how, term, next, within);
  return true;
}

// Merges equal terms, and detects contradictions. Returns whether anything changed.
bool Context::use_orders() {
  bool changed = false;
  for (std::size_t o = 0; o < orders_.size() && !contradiction_; ++o) {
    const auto order = orders_[o];
    for (std::size_t i = 0; i < order.members.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const auto relations = order.at(i, j);
        if (relations == Relations::any() || (i == j && relations == Relations::equal())) continue;
        const auto a = order.members[i];
        const auto b = order.members[j];
        const auto of_a = classes_[find(a)];
        const auto of_b = classes_[find(b)];
        if (use_integers(order.how, a, b, relations) || use_integers(order.how, b, a, relations.turned()))
          changed = true;
        if (relations.empty()) {
          if (of_a.non_null && of_b.non_null) {
            fail();
            return true;
          }
          if (of_a.non_null && !of_b.null) set_null(b), changed = true;
          if (of_b.non_null && !of_a.null) set_null(a), changed = true;
        } else if (relations == Relations::equal() && of_a.non_null && of_b.non_null && find(a) != find(b)) {
          const auto& left = *(*terms_)[a].expr;
          const auto& right = *(*terms_)[b].expr;
          if (!order.how.is_binary() || !equal_is_identical(left, right, *plan_)) continue;
          if (converts(left, order.how.affinity, *plan_) || converts(right, order.how.affinity, *plan_)) continue;
          merge(a, b);
          changed = true;
        }
      }
    }
  }
  return changed;
}

}  // namespace trustsql::equiv
