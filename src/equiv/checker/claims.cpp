#include "equiv/checker/claims.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "db/catalog/catalog.hpp"
#include "equiv/checker/evaluation.hpp"
#include "plan/evaluate.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// Up to max_combinations combinations of values, all are tried. If there are more, combinations are drawn until
// enough_rows make the conditions true or max_tries have been made.
constexpr std::size_t max_combinations = 400;
constexpr int enough_rows = 32;
constexpr int max_tries = 500;

const TableColumn* column_at(const Scan& scan, int position) {
  const auto column = std::find_if(scan.columns.begin(), scan.columns.end(),
                                   [&](const TableColumn& c) { return c.position == position; });
  return column != scan.columns.end() ? &*column : nullptr;
}

// Calls `visit` with the columns of `a` and of `b` that form a key of their table, for each key of which both have
// all columns.
template <class Visit>
void for_each_key(const Scan& a, const Scan& b, const Visit& visit) {
  const auto add = [&](int position, std::vector<std::pair<AttributeId, AttributeId>>& parts) {
    const auto* of_a = column_at(a, position);
    const auto* of_b = column_at(b, position);
    if (of_a != nullptr && of_b != nullptr) parts.emplace_back(of_a->id, of_b->id);
    return of_a != nullptr && of_b != nullptr;
  };
  std::vector<std::pair<AttributeId, AttributeId>> parts;
  if (add(-1, parts)) visit(parts);
  for (const auto& key : a.table->keys) {
    parts.clear();
    if (key.is_partial || key.has_expression || key.parts.empty()) continue;
    if (std::all_of(key.parts.begin(), key.parts.end(), [&](const KeyPart& part) { return add(part.column, parts); }))
      visit(parts);
  }
}

void add_constants(const Expr& expr, std::vector<Value>& constants) {
  walk(expr, [&](const Literal& literal) { constants.push_back(literal.value); });
}

// Values that are close to `value` in some respect.
void add_neighbours(const Value& value, std::vector<Value>& list) {
  list.push_back(value);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (*integer > std::numeric_limits<std::int64_t>::min()) list.emplace_back(*integer - 1);
    if (*integer < std::numeric_limits<std::int64_t>::max()) list.emplace_back(*integer + 1);
    list.emplace_back(static_cast<double>(*integer));
    list.emplace_back(static_cast<double>(*integer) + 0.5);
    list.emplace_back(std::to_string(*integer));
  } else if (const auto* real = std::get_if<double>(&value)) {
    list.emplace_back(*real - 0.5);
    list.emplace_back(*real + 0.5);
    if (std::abs(*real) < 1e15) list.emplace_back(static_cast<std::int64_t>(*real));
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    std::string other = *text;
    for (char& c : other)
      c = c >= 'a' && c <= 'z'   ? static_cast<char>(c - 'a' + 'A')
          : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a')
                                 : c;
    list.emplace_back(other);
    list.emplace_back(*text + " ");
    list.emplace_back(*text + "a");
    if (auto number = apply_affinity(value, Affinity::numeric)) list.push_back(*std::move(number));
  }
}

void add_usual_values(std::vector<Value>& list) {
  for (const std::int64_t integer : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-3}, (std::int64_t{1} << 53) + 1})
    list.emplace_back(integer);
  for (const double real : {1.0, 2.5}) list.emplace_back(real);
  for (const char* text : {"a", "A", "b ", "", "1", "1.0"}) list.emplace_back(text);
  for (const char* bytes : {"1", "a"}) list.emplace_back(Blob{bytes});
}

}  // namespace

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

// --- values to try

class Claims::Trial {
 public:
  // Tries the rows that matter to `claims`.
  Trial(const Claims& known, const std::vector<const Expr*>& claims)
      : known_(known), name_([&known](AttributeId id) { return known.root(id); }), values_(*known.plan_, name_) {
    AttributeSet variables;
    std::vector<Value> constants;
    for (const auto* claim : claims) {
      add_variables(*claim, variables);
      add_constants(*claim, constants);
    }
    std::vector<bool> used(known.conditions_.size(), false);
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i]) continue;
        const auto own = references(known.conditions_[i]);
        if (!own.empty() && !intersects(own, variables)) continue;
        used[i] = again = true;
        conditions_.push_back(&known.conditions_[i]);
        add_variables(known.conditions_[i], variables);
        add_constants(known.conditions_[i], constants);
      }
    }
    make_variables(variables, constants);
    for (const auto* condition : conditions_) prefer(*condition);
  }

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
  bool uses(const Expr& condition) const {
    return std::find(conditions_.begin(), conditions_.end(), &condition) != conditions_.end();
  }

 private:
  struct Variable {
    AttributeId id;
    AttributeId representative;
    std::vector<Value> values;
    std::vector<Value> preferred{};
  };

  void add_variables(const Expr& expr, AttributeSet& variables) const {
    references(expr).for_each([&](AttributeId id) {
      variables.add(id);
      variables.add(known_.root(id));
    });
  }
  bool intersects(const AttributeSet& own, const AttributeSet& variables) const {
    bool uses_variable = false;
    own.for_each([&](AttributeId id) {
      uses_variable = uses_variable || variables.contains(id) || variables.contains(known_.root(id));
    });
    return uses_variable;
  }

  bool can_hold(AttributeId id, const Value& value) const {
    const auto& attribute = known_.plan_->attributes[id];
    const auto value_view = view(value);
    if (!attribute.types.contains(value_view.type)) return false;
    if (known_.assumed_->integers.contains(id) && value_view.type != ValueType::integer) return false;
    const bool numeric = attribute.storage == Affinity::integer || attribute.storage == Affinity::numeric;
    if (numeric && value_view.type == ValueType::real)
      return value_view.real != std::floor(value_view.real) || std::abs(value_view.real) >= 9.3e18;
    if (value_view.type == ValueType::text && is_numeric(attribute.storage)) {
      const auto converted = apply_affinity(value, Affinity::numeric);
      return converted && std::holds_alternative<std::string>(*converted);
    }
    if (value_view.type == ValueType::integer && attribute.storage == Affinity::real) return false;
    return attribute.storage != Affinity::text || !value_view.is_number();
  }

  void make_variables(const AttributeSet& ids, const std::vector<Value>& constants) {
    std::vector<Value> values;
    for (const auto& constant : constants) add_neighbours(constant, values);
    add_usual_values(values);
    ids.for_each([&](AttributeId id) {
      Variable variable{id, known_.root(id), {}};
      if (!known_.non_null_.contains(id)) variable.values.emplace_back();
      for (const auto& value : values) {
        if (value.index() != 0 && can_hold(id, value) &&
            std::find(variable.values.begin(), variable.values.end(), value) == variable.values.end())
          variable.values.push_back(value);
      }
      if (variable.values.empty()) variable.values.emplace_back();
      variables_.push_back(std::move(variable));
    });
  }

  // Values that occur in conditions.
  void prefer(const Expr& condition) {
    const auto note = [&](const Expr& side, const Expr& other) {
      const auto* id = column_id(side);
      const auto* value = literal_value(other);
      if (id == nullptr || value == nullptr) return;
      for (auto& variable : variables_) {
        if (variable.representative == known_.root(*id)) variable.preferred.push_back(*value);
      }
    };
    if (const auto* n = condition.as<Compare>()) {
      note(*n->left, *n->right);
      note(*n->right, *n->left);
    } else if (const auto* list = condition.as<InList>()) {
      for (const auto& item : list->items) note(*list->operand, item);
    } else if (const auto* choice = condition.as<Or>()) {
      for (const auto& term : choice->terms) prefer(term);
    }
  }

  void draw(std::uint64_t& state) {
    const auto next = [&](std::size_t n) { return static_cast<std::size_t>((state = mix64(state)) >> 16U) % n; };
    std::map<AttributeId, Value> of_class;
    for (const auto& variable : variables_) {
      const auto known = of_class.find(variable.representative);
      if (known != of_class.end() && next(8) != 0) {
        values_.set(variable.id, known->second);
        continue;
      }
      const auto& from = !variable.preferred.empty() && next(3) != 0 ? variable.preferred : variable.values;
      Value value = from[next(from.size())];
      if (&from == &variable.preferred && !can_hold(variable.id, value))
        value = variable.values[next(variable.values.size())];
      of_class.emplace(variable.representative, value);
      values_.set(variable.id, std::move(value));
    }
    // The values of expressions that conditions equate a column with.
    for (const auto* condition : conditions_) {
      const auto* n = condition->as<Compare>();
      if (n == nullptr || (n->op != CompareOp::equal && n->op != CompareOp::is)) continue;
      const auto fix = [&](const Expr& side, const Expr& other) {
        const auto* id = column_id(side);
        if (id == nullptr || literal_value(other) != nullptr || column_id(other) != nullptr || next(8) == 0) return;
        Value value = values_(other);
        if (value.index() != 0 && can_hold(*id, value)) values_.set(*id, std::move(value));
      };
      fix(*n->left, *n->right);
      fix(*n->right, *n->left);
    }
  }

  bool is_row() {
    return std::all_of(conditions_.begin(), conditions_.end(),
                       [&](const Expr* condition) { return values_.is_true(*condition); }) &&
           keeps_keys();
  }

  // Rows that agree in a key must agree in all columns.
  bool keeps_keys() {
    const auto is_variable = [&](AttributeId id) {
      return std::any_of(variables_.begin(), variables_.end(),
                         [&](const Variable& variable) { return variable.id == id; });
    };
    for (std::size_t i = 0; i < known_.rows_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Scan& a = *known_.rows_[i];
        const Scan& b = *known_.rows_[j];
        if (a.table == nullptr || a.table != b.table) continue;
        bool same_row = known_.root(a.row) == known_.root(b.row);
        for_each_key(a, b, [&](const auto& parts) {
          same_row = same_row || std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
                       return is_variable(part.first) && is_variable(part.second) &&
                              values_.get(part.first).index() != 0 &&
                              trustsql::equal(view(values_.get(part.first)), view(values_.get(part.second)));
                     });
        });
        if (!same_row) continue;
        for (const auto& column : a.columns) {
          const auto* other = column_at(b, column.position);
          if (other != nullptr && is_variable(column.id) && is_variable(other->id) &&
              values_.get(column.id) != values_.get(other->id))
            return false;
        }
      }
    }
    return true;
  }

  const Claims& known_;
  std::function<std::uint32_t(AttributeId)> name_;
  Evaluation values_;
  std::vector<const Expr*> conditions_;
  std::vector<Variable> variables_;
};

// --- claims

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
