// What attributes stand for. While two relations are unified, the attributes of one are bound to expressions over
// those of the other that have the same value in corresponding rows. Columns of projections are defined by the
// expressions that compute them: if bound, they stand for their binding, otherwise for their definition.
#pragma once

#include <deque>
#include <vector>

#include "equiv/prover/budget.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

class Bindings {
 public:
  explicit Bindings(Budget& budget) : budget_(budget) {}

  // `expr` uses only attributes that stand for themselves.
  void bind(plan::AttributeId id, const plan::Expr& expr) {
    change(id, {&expr, entry(id).definition, plan::height(expr)});
  }
  void bind(plan::AttributeId id, plan::AttributeId to) { bind(id, keep(plan::column(to))); }
  // `expr` may use attributes that stand for others. It must outlive this object, too.
  void define(plan::AttributeId id, const plan::Expr& expr) { change(id, {nullptr, &expr, plan::height(expr)}); }

  bool is_defined(plan::AttributeId id) const { return entry(id).bound == nullptr && entry(id).definition != nullptr; }
  // Whether the attribute is bound to something other than itself.
  bool is_bound(plan::AttributeId id) const {
    const auto* bound = entry(id).bound;
    const auto* to = bound != nullptr ? plan::column_id(*bound) : nullptr;
    return bound != nullptr && (to == nullptr || *to != id);
  }

  const plan::Expr& keep(plan::Expr expr) {
    kept_.push_back(std::move(expr));
    return kept_.back();
  }
  // `expr` with every attribute replaced by what it stands for. The result lives as long as this object.
  const plan::Expr& apply(const plan::Expr& expr);

  // For returning to an earlier state.
  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) entries_[trail_.back().id] = trail_.back().before;
  }

 private:
  struct Entry {
    const plan::Expr* bound = nullptr;
    const plan::Expr* definition = nullptr;
    int height = 0;  // of what the attribute stands for
  };
  struct Change {
    plan::AttributeId id;
    Entry before;
  };
  Entry entry(plan::AttributeId id) const { return id < entries_.size() ? entries_[id] : Entry(); }
  void change(plan::AttributeId id, Entry to) {
    if (id >= entries_.size()) entries_.resize(id + 1);
    trail_.push_back({id, entries_[id]});
    entries_[id] = to;
  }

  Budget& budget_;
  std::vector<Entry> entries_;
  std::vector<Change> trail_;
  std::deque<plan::Expr> kept_;
};

}  // namespace trustsql::equiv
