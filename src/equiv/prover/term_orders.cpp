#include "equiv/prover/term_orders.hpp"

#include <algorithm>

#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

bool equal_means_identical(const Comparison& how, const Expr& a, const Expr& b, const Plan& plan) {
  return how.is_binary() && equal_is_identical(a, b, plan) && !converts(a, how.affinity, plan) &&
         !converts(b, how.affinity, plan);
}

Relations TermOrders::relation(Congruence& classes, const Comparison& how, TermId left, TermId right) {
  left = classes.find(left);
  right = classes.find(right);
  if (left == right) return Relations::equal();
  if (budget_->exhausted()) return Relations::any();  // no orders would be built
  for (int attempt = 0; attempt < 2; ++attempt) {
    update(classes);
    for (const auto& order : orders_) {
      if (order.how != how) continue;
      const auto i = std::find(order.members.begin(), order.members.end(), left);
      const auto j = std::find(order.members.begin(), order.members.end(), right);
      if (i == order.members.end() || j == order.members.end()) break;
      return order.at(static_cast<std::size_t>(i - order.members.begin()),
                      static_cast<std::size_t>(j - order.members.begin()));
    }
    constraints_.push_back({how, left, right, Relations::any()});
    built_ = false;
  }
  return Relations::any();
}

void TermOrders::constrain(Congruence& classes, const Comparison& how, TermId left, TermId right, Relations relations) {
  const auto before = relation(classes, how, left, right);
  const auto after = before & relations;
  if (after == before) return;
  constraints_.push_back({how, classes.find(left), classes.find(right), relations});
  built_ = false;
  classes.mark_changed();
}

void TermOrders::update(Congruence& classes) {
  if (!is_current(classes)) build(classes);
}

void TermOrders::build(Congruence& classes) {
  orders_.clear();
  for (const auto& constraint : constraints_) {
    auto order = std::find_if(orders_.begin(), orders_.end(), [&](const Order& o) { return o.how == constraint.how; });
    if (order == orders_.end()) order = orders_.insert(orders_.end(), Order{constraint.how, {}, {}});
    for (const auto id : {classes.find(constraint.left), classes.find(constraint.right)}) {
      if (std::find(order->members.begin(), order->members.end(), id) == order->members.end())
        order->members.push_back(id);
    }
  }
  for (auto& order : orders_) {
    const auto n = order.members.size();
    if (budget_->spend(1 + static_cast<int>(n * n / 64))) {
      fill(order, classes);
    } else {
      order.members.clear();
    }
  }
  built_ = true;
  built_for_ = classes.version();
}

// Fills in how the members of `order` compare: as literals, by the constraints, and by transitivity.
void TermOrders::fill(Order& order, Congruence& classes) {
  const auto n = order.members.size();
  order.relations.assign(n * n, Relations::any());
  bool transitive = true;
  std::vector<bool> non_null(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& member_class = classes.class_of(order.members[i]);
    order.at(i, i) = Relations::equal();
    non_null[i] = member_class.non_null;
    // A number becomes text only if the other operand is text, so TEXT affinity orders text values only.
    const auto& expr = *(*terms_)[order.members[i]].expr;
    if (order.how.affinity == Affinity::text &&
        (member_class.value != nullptr ? member_class.value->index() != 3 : converts(expr, Affinity::text, *plan_)))
      transitive = false;
    for (std::size_t j = 0; j < i; ++j) {
      const auto& other = classes.class_of(order.members[j]);
      if (member_class.value == nullptr || other.value == nullptr || member_class.null || other.null) continue;
      order.at(i, j) = relation_of(*member_class.value, *other.value, order.how);
      order.at(j, i) = order.at(i, j).turned();
    }
  }
  const auto place = [&](TermId id) {
    return static_cast<std::size_t>(std::find(order.members.begin(), order.members.end(), classes.find(id)) -
                                    order.members.begin());
  };
  for (const auto& constraint : constraints_) {
    if (constraint.how != order.how) continue;
    const auto i = place(constraint.left);
    const auto j = place(constraint.right);
    order.at(i, j) = order.at(i, j) & constraint.relations;
    order.at(j, i) = order.at(j, i) & constraint.relations.turned();
  }
  if (transitive) order.close(non_null, *budget_);
}

bool TermOrders::is_integer(TermId term) const {
  const auto& expr = *(*terms_)[term].expr;
  if (types_of(expr, *plan_, {}).without_null().is_subset_of(types::integer)) return true;
  const auto* id = column_id(expr);
  return id != nullptr && (*assume_integer_)(*id);
}

// An integer less than k is at most k - 1. Returns whether that was new.
bool TermOrders::use_integers(Congruence& classes, const Comparison& how, TermId term, TermId bound,
                              Relations relations) {
  if ((relations != Relations::less() && relations != Relations::greater()) || how.affinity == Affinity::text)
    return false;
  const auto* value = classes.class_of(bound).value;
  const auto* integer = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
  constexpr std::int64_t largest = std::int64_t{1} << 62;
  if (integer == nullptr || *integer > largest || *integer < -largest || classes.class_of(term).value != nullptr ||
      !is_integer(term))
    return false;
  const bool below = relations == Relations::less();
  const auto next = terms_->intern_literal(Value(*integer + (below ? -1 : 1)));
  const auto within = relations | Relations::equal();
  if ((relation(classes, how, term, next) - within).empty()) return false;
  constrain(classes, how, term, next, within);
  return true;
}

bool TermOrders::pass_on(Congruence& classes) {
  bool changed = false;
  for (std::size_t o = 0; o < orders_.size() && !classes.is_contradictory(); ++o) {
    const auto order = orders_[o];  // a copy: what is passed on may rebuild the orders
    for (std::size_t i = 0; i < order.members.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const auto relations = order.at(i, j);
        if (relations == Relations::any() || (i == j && relations == Relations::equal())) continue;
        const auto a = order.members[i];
        const auto b = order.members[j];
        const auto class_a = classes.class_of(a);
        const auto class_b = classes.class_of(b);
        if (use_integers(classes, order.how, a, b, relations) ||
            use_integers(classes, order.how, b, a, relations.turned()))
          changed = true;
        if (relations.empty()) {
          if (class_a.non_null && class_b.non_null) {
            classes.fail();
            return true;
          }
          if (class_a.non_null && !class_b.null) classes.set_null(b), changed = true;
          if (class_b.non_null && !class_a.null) classes.set_null(a), changed = true;
        } else if (relations == Relations::equal() && class_a.non_null && class_b.non_null &&
                   classes.find(a) != classes.find(b) &&
                   equal_means_identical(order.how, *(*terms_)[a].expr, *(*terms_)[b].expr, *plan_)) {
          classes.merge(a, b);
          changed = true;
        }
      }
    }
  }
  return changed;
}

}  // namespace trustsql::equiv
