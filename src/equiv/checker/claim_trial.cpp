#include "equiv/checker/claim_trial.hpp"

#include <cmath>
#include <limits>
#include <map>

#include "plan/evaluate.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

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

Claims::Trial::Trial(const Claims& known, const std::vector<const Expr*>& claims)
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

void Claims::Trial::add_variables(const Expr& expr, AttributeSet& variables) const {
  references(expr).for_each([&](AttributeId id) {
    variables.add(id);
    variables.add(known_.root(id));
  });
}

bool Claims::Trial::intersects(const AttributeSet& own, const AttributeSet& variables) const {
  bool uses_variable = false;
  own.for_each([&](AttributeId id) {
    uses_variable = uses_variable || variables.contains(id) || variables.contains(known_.root(id));
  });
  return uses_variable;
}

bool Claims::Trial::can_hold(AttributeId id, const Value& value) const {
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

void Claims::Trial::make_variables(const AttributeSet& ids, const std::vector<Value>& constants) {
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

void Claims::Trial::prefer(const Expr& condition) {
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

void Claims::Trial::draw(std::uint64_t& state) {
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

bool Claims::Trial::is_row() {
  return std::all_of(conditions_.begin(), conditions_.end(),
                     [&](const Expr* condition) { return values_.is_true(*condition); }) &&
         keeps_keys();
}

bool Claims::Trial::keeps_keys() {
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

}  // namespace trustsql::equiv::checker
