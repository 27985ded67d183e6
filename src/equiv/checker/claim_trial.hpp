// The values by which Claims tries a claim; see claims.hpp for what is tried.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "db/catalog/catalog.hpp"
#include "equiv/checker/claims.hpp"
#include "equiv/checker/evaluation.hpp"
#include "equiv/checker/uses.hpp"

namespace trustsql::equiv::checker {

// Calls `visit` with the columns of `a` and of `b` that form a key of their table, for each key of which both have
// all columns.
template <class Visit>
void for_each_key(const plan::Scan& a, const plan::Scan& b, const Visit& visit) {
  const auto add = [&](int position, std::vector<std::pair<plan::AttributeId, plan::AttributeId>>& parts) {
    const auto* of_a = column_at(a, position);
    const auto* of_b = column_at(b, position);
    if (of_a != nullptr && of_b != nullptr) parts.emplace_back(of_a->id, of_b->id);
    return of_a != nullptr && of_b != nullptr;
  };
  std::vector<std::pair<plan::AttributeId, plan::AttributeId>> parts;
  if (add(-1, parts)) visit(parts);
  for (const auto& key : a.table->keys) {
    parts.clear();
    if (key.is_partial || key.has_expression || key.parts.empty()) continue;
    if (std::all_of(key.parts.begin(), key.parts.end(), [&](const KeyPart& part) { return add(part.column, parts); }))
      visit(parts);
  }
}

class Claims::Trial {
 public:
  // Tries the rows that matter to `claims`. Both must outlive this.
  Trial(const Claims& known, const std::vector<const plan::Expr*>& claims);

  // Whether `holds()` is true for all tried values that make the conditions true.
  template <class Holds>
  bool always(const Holds& holds) {
    std::size_t combinations = 1;
    for (const auto& variable : variables_)
      combinations = std::min(combinations * variable.values.size(), max_combinations + 1);
    if (combinations <= max_combinations) {
      for (std::size_t number = 0; number < combinations; ++number) {
        auto rest = number;
        for (const auto& variable : variables_) {
          values_.set(variable.id, variable.values[rest % variable.values.size()]);
          rest /= variable.values.size();
        }
        if (is_row() && !holds()) return false;
      }
      return true;
    }
    std::uint64_t state = 1;
    int rows = 0;
    for (int i = 0; i < max_tries && rows < enough_rows; ++i) {
      draw(state);
      if (!is_row()) continue;
      ++rows;
      if (!holds()) return false;
    }
    return true;
  }

  Evaluation& values() { return values_; }
  // Whether the condition, one of those known, says something about these rows.
  bool uses(const plan::Expr& condition) const {
    return std::find(conditions_.begin(), conditions_.end(), &condition) != conditions_.end();
  }

 private:
  // Up to max_combinations combinations of values, all are tried. If there are more, combinations are drawn until
  // enough_rows make the conditions true or max_tries have been made.
  static constexpr std::size_t max_combinations = 400;
  static constexpr int enough_rows = 32;
  static constexpr int max_tries = 500;

  struct Variable {
    plan::AttributeId id;
    plan::AttributeId representative;
    std::vector<Value> values;
    std::vector<Value> preferred{};
  };

  void add_variables(const plan::Expr& expr, plan::AttributeSet& variables) const;
  bool intersects(const plan::AttributeSet& own, const plan::AttributeSet& variables) const;
  bool can_hold(plan::AttributeId id, const Value& value) const;
  void make_variables(const plan::AttributeSet& ids, const std::vector<Value>& constants);
  // Values that occur in conditions.
  void prefer(const plan::Expr& condition);
  void draw(std::uint64_t& state);
  bool is_row();
  // Rows that agree in a key must agree in all columns.
  bool keeps_keys();

  const Claims& known_;
  std::function<std::uint32_t(plan::AttributeId)> name_;
  Evaluation values_;
  std::vector<const plan::Expr*> conditions_;
  std::vector<Variable> variables_;
};

}  // namespace trustsql::equiv::checker
