#include "equiv/checker/samples.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <unordered_map>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "equiv/checker/dates.hpp"
#include "equiv/checker/values.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// The number of samples, lower for large expressions.
std::size_t max_samples_of(const Parts& parts) {
  constexpr std::size_t max_samples = 128;
  constexpr std::size_t max_evaluations = 100'000;
  return std::clamp<std::size_t>(max_evaluations / (parts.nodes + 1), 4, max_samples);
}

// The values to try for attributes.
class Pools {
 public:
  Pools(const Parts& parts, const AttributeSet& non_null, const Given& given)
      : given_(given), non_null_(non_null), constants_(parts.constants) {
    common_.assign(representative_values().begin(), representative_values().end());
    for (const auto* constant : parts.constants) add_around(view(*constant));
  }

  std::vector<ValueView> of(AttributeId id) {
    std::vector<ValueView> pool;
    const auto add_fitting = [&](const ValueView& value) {
      if (may_hold(id, value)) pool.push_back(value);
    };
    for (const auto& value : common_) add_fitting(value);
    const auto& attribute = given_.attributes[id];
    if (holds_dates(attribute)) {
      for (auto& date : sample_dates(constants_, !holds_days(attribute))) {
        texts_.push_back(std::move(date));
        add_fitting(ValueView::of_text(texts_.back()));
      }
    }
    return pool;
  }

  bool may_hold(AttributeId id, const ValueView& value) const {
    const auto& attribute = given_.attributes[id];
    if (value.is_null()) return !non_null_.contains(id);
    if (!attribute.types.contains(value.type)) return false;
    if (attribute.table != nullptr && !has_declared_type(attribute, value.type)) return false;
    if (attribute.table != nullptr && !may_be_read(attribute, value)) return false;
    if (holds_dates(attribute)) {
      return value.type == ValueType::text &&
             (holds_days(attribute) ? is_day(value.bytes) : is_day_with_time(value.bytes));
    }
    const bool whole =
        value.type == ValueType::real && std::fabs(value.real) < 9e18 && value.real == std::floor(value.real);
    switch (attribute.storage) {
      case Affinity::text: return !value.is_number();
      case Affinity::real: return value.type != ValueType::integer && !looks_numeric(value);
      case Affinity::numeric:
      case Affinity::integer: return !whole && !looks_numeric(value);
      default: return true;
    }
  }

 private:
  static bool looks_numeric(const ValueView& value) {
    if (value.type != ValueType::text) return false;
    const auto text = trim(value.bytes);
    return !text.empty() && text.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
  }

  bool is_assumed(Assumption::Kind kind, const Attribute& attribute) const {
    return std::any_of(given_.assumptions.begin(), given_.assumptions.end(), [&](const Assumption& each) {
      return each.kind == kind && each.table == attribute.table->name && each.columns.size() == 1 &&
             each.columns.front() == attribute.name;
    });
  }
  // Whether an assumption says that the column holds dates, and whether they have no time.
  bool holds_days(const Attribute& attribute) const {
    return attribute.table != nullptr && is_assumed(Assumption::Kind::date_text, attribute);
  }
  bool holds_dates(const Attribute& attribute) const {
    return holds_days(attribute) ||
           (attribute.table != nullptr && is_assumed(Assumption::Kind::datetime_text, attribute));
  }
  // Whether the assumption about the type of the column, if there is one, permits values of this type.
  bool has_declared_type(const Attribute& attribute, ValueType type) const {
    switch (attribute.storage) {
      case Affinity::integer:
        return type == ValueType::integer || !is_assumed(Assumption::Kind::declared_type, attribute);
      case Affinity::text: return type == ValueType::text || !is_assumed(Assumption::Kind::declared_type, attribute);
      case Affinity::real: return type == ValueType::real || !is_assumed(Assumption::Kind::declared_type, attribute);
      default: return true;
    }
  }

  // Whether the assumptions about texts of numbers permit the value.
  bool may_be_read(const Attribute& attribute, const ValueView& value) const {
    const bool integers = is_assumed(Assumption::Kind::integer_text, attribute);
    if (!integers && !is_assumed(Assumption::Kind::number_text, attribute)) return true;
    if (value.type != ValueType::text) return false;
    const auto text = value.bytes;
    const auto number = number_in(text);
    if (!number.found || !number.all || text.size() > 16) return false;
    if (number.value.type == ValueType::integer) return std::to_string(number.value.integer) == text;
    return !integers && format_real(number.value.real) == text && !text.ends_with(".0") &&
           text.find('e') == std::string_view::npos;
  }

  void add(ValueView value) {
    if (std::none_of(common_.begin(), common_.end(), [&](const ValueView& known) { return identical(known, value); }))
      common_.push_back(value);
  }

  void add_around(ValueView constant) {
    add(constant);
    if (constant.is_number()) {
      // The text that a column of TEXT affinity must hold to be equal.
      texts_.push_back(constant.type == ValueType::integer ? std::to_string(constant.integer)
                                                           : format_real(constant.real));
      add(ValueView::of_text(texts_.back()));
    }
    if (constant.type == ValueType::integer) {
      add(ValueView::of_real(static_cast<double>(constant.integer)));
      if (constant.integer < std::numeric_limits<std::int64_t>::max()) add(ValueView::of_integer(constant.integer + 1));
      if (constant.integer > std::numeric_limits<std::int64_t>::min()) add(ValueView::of_integer(constant.integer - 1));
      add(ValueView::of_real(static_cast<double>(constant.integer) + 0.5));
      // It is cast to the integer.
      texts_.push_back(std::to_string(constant.integer) + ".5");
      add(ValueView::of_text(texts_.back()));
    } else if (constant.type == ValueType::real && std::fabs(constant.real) < 9e18) {
      const auto below = static_cast<std::int64_t>(std::floor(constant.real));
      for (const auto near : {below, below + 1, below - 1}) add(ValueView::of_integer(near));
      add(ValueView::of_real(constant.real + 0.25));
    } else if (constant.type == ValueType::text) {
      auto changed = to_lower_ascii(constant.bytes);
      if (changed == constant.bytes && !changed.empty() && changed[0] >= 'a' && changed[0] <= 'z')
        changed[0] = static_cast<char>(changed[0] - 'a' + 'A');
      texts_.push_back(std::move(changed));
      add(ValueView::of_text(texts_.back()));
      texts_.push_back(std::string(constant.bytes) + " ");
      add(ValueView::of_text(texts_.back()));
      if (const auto number = number_in(constant.bytes); number.found) add(integer(as_integer(number.value)));
    }
  }

  const Given& given_;
  const AttributeSet& non_null_;
  std::span<const Value* const> constants_;
  std::vector<ValueView> common_;
  std::deque<std::string> texts_;
};

// Attributes that equations equate with each other or with a constant, to be tried with equal values.
struct Links {
  std::vector<std::size_t> leader{};     // by position among the attributes
  std::vector<const Value*> constant{};  // by leader

  explicit Links(const Parts& parts) : leader(parts.attributes.size()), constant(parts.attributes.size(), nullptr) {
    for (std::size_t i = 0; i < leader.size(); ++i) leader[i] = i;
    const auto place = [&](const Expr& expr) -> std::optional<std::size_t> {
      const auto* id = column_id(expr);
      const auto attribute =
          id != nullptr ? std::find(parts.attributes.begin(), parts.attributes.end(), *id) : parts.attributes.end();
      if (attribute == parts.attributes.end()) return std::nullopt;
      return static_cast<std::size_t>(attribute - parts.attributes.begin());
    };
    for (const auto* equation : parts.equations) {
      const auto left = place(*equation->left);
      const auto right = place(*equation->right);
      if (left && right) {
        const auto from = root(*right);
        const auto to = root(*left);
        leader[from] = to;
        if (constant[to] == nullptr) constant[to] = constant[from];
      } else if (left || right) {
        const auto* value = literal_value(left ? *equation->right : *equation->left);
        if (value != nullptr) constant[root(left ? *left : *right)] = value;
      }
    }
  }

  std::size_t root(std::size_t member) const {
    while (leader[member] != member) member = leader[member];
    return member;
  }
};

// The constants of two expressions to try: first those that only one of them has, then the others.
std::vector<const Value*> telling_constants(const std::vector<const Value*>& a, const std::vector<const Value*>& b) {
  constexpr std::size_t most = 24;
  std::unordered_map<std::uint64_t, int> sides;  // by hash
  for (const auto* value : a) sides[hash(view(*value))] |= 1;
  for (const auto* value : b) sides[hash(view(*value))] |= 2;
  std::vector<const Value*> chosen;
  for (const bool of_both : {false, true}) {
    for (const auto* list : {&a, &b}) {
      for (const auto* value : *list) {
        auto& side = sides[hash(view(*value))];
        if (side == 0 || (side == 3) != of_both || chosen.size() >= most) continue;
        chosen.push_back(value);
        side = 0;
      }
    }
  }
  return chosen;
}

}  // namespace

void collect(const Expr& expr, Parts& parts) {
  ++parts.nodes;
  if (const auto* id = column_id(expr)) {
    if (std::find(parts.attributes.begin(), parts.attributes.end(), *id) == parts.attributes.end())
      parts.attributes.push_back(*id);
    return;
  }
  if (const auto* value = literal_value(expr)) parts.constants.push_back(value);
  if (const auto* compare = expr.as<Compare>();
      compare != nullptr && (compare->op == CompareOp::equal || compare->op == CompareOp::is))
    parts.equations.push_back(compare);
  if (const auto* function = expr.as<Function>();
      function != nullptr && (function->info == nullptr || !function->info->deterministic))
    parts.random.push_back(ast::hash(expr));
  parts.has_functions =
      parts.has_functions || expr.is<Function>() || expr.is<Like>() || expr.is<Parameter>() || expr.is<RowCompare>();
  for_each_rel(expr, [&](const Rel& rel) {
    parts.has_functions = true;
    if (is_volatile(rel)) parts.random.push_back(ast::hash(rel));
  });
  for_each_expr(expr, [&](const Expr& operand) { collect(operand, parts); });
}

Parts united(Parts a, const Parts& b) {
  for (const auto id : b.attributes) {
    if (std::find(a.attributes.begin(), a.attributes.end(), id) == a.attributes.end()) a.attributes.push_back(id);
  }
  a.constants = telling_constants(a.constants, b.constants);
  a.equations.insert(a.equations.end(), b.equations.begin(), b.equations.end());
  a.nodes += b.nodes;
  a.has_functions = a.has_functions || b.has_functions;
  return a;
}

namespace {

// Whether they do not differ where some attributes are NULL together, which few samples of many values are: for each
// set of attributes that may be NULL, or for some sets if there are many.
bool hold_for_nulls(const std::vector<AttributeId>& ids, const std::vector<std::vector<ValueView>>& choices,
                    std::size_t max_samples, Evaluator& evaluator, FunctionRef<bool(Evaluator&)> differ) {
  constexpr std::size_t most_sets = 16;
  std::vector<std::size_t> nullable;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (std::any_of(choices[i].begin(), choices[i].end(), [](const ValueView& value) { return value.is_null(); }))
      nullable.push_back(i);
  }
  const bool all_sets = nullable.size() <= 4;
  const auto sets = all_sets ? std::size_t{1} << nullable.size() : std::min(most_sets, max_samples);
  for (std::size_t n = 1; n < sets; ++n) {
    evaluator.enter_world(max_samples + n);
    std::uint64_t random = mix64(max_samples + n);
    // The last of several sets has all of them.
    const auto members = all_sets ? n : (n + 1 == sets ? ~std::size_t{0} : mix64(n));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      random = mix64(random);
      const auto place = std::find(nullable.begin(), nullable.end(), i);
      const auto number = static_cast<std::size_t>(place - nullable.begin());
      const bool null = place != nullable.end() && (members >> (number % 64U)) % 2 == 1;
      evaluator.assign(ids[i], null ? ValueView() : choices[i][random % choices[i].size()]);
    }
    if (differ(evaluator)) return false;
  }
  return true;
}

}  // namespace

bool hold_everywhere(const Parts& parts, const AttributeSet& non_null, const Given& given,
                     FunctionRef<bool(Evaluator&)> differ) {
  Evaluator evaluator(given.attributes);
  const auto& ids = parts.attributes;
  const auto max_samples = max_samples_of(parts);
  if (ids.empty() && !parts.has_functions) {
    evaluator.enter_world(0);
    return !differ(evaluator);
  }
  Pools pools(parts, non_null, given);
  std::vector<std::vector<ValueView>> choices;
  std::size_t combinations = 1;
  for (const auto id : ids) {
    choices.push_back(pools.of(id));
    if (choices.back().empty()) return true;  // no such row exists
    combinations = std::min(combinations * choices.back().size(), max_samples + 1);
  }
  if (combinations <= max_samples) {
    const std::size_t worlds = parts.has_functions ? std::max<std::size_t>(1, max_samples / 2 / combinations) : 1;
    for (std::size_t n = 0; n < combinations * worlds; ++n) {
      evaluator.enter_world(n);
      std::size_t rest = n;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        evaluator.assign(ids[i], choices[i][rest % choices[i].size()]);
        rest /= choices[i].size();
      }
      if (differ(evaluator)) return false;
    }
    return true;
  }
  const Links links(parts);
  for (std::size_t n = 0; n < max_samples; ++n) {
    evaluator.enter_world(n);
    std::uint64_t random = mix64(n + 1);
    const bool linked = n % 4 != 0;
    std::vector<ValueView> values(ids.size());
    // First the attributes that others follow, then those others.
    for (const bool followers : {false, true}) {
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto leader = links.root(i);
        if ((leader != i) != followers) continue;
        random = mix64(random);
        values[i] = choices[i][random % choices[i].size()];
        if (!linked || random % 11 == 0) continue;
        if (followers) {
          if (pools.may_hold(ids[i], values[leader])) values[i] = values[leader];
        } else if (links.constant[i] != nullptr && pools.may_hold(ids[i], view(*links.constant[i]))) {
          values[i] = view(*links.constant[i]);
        }
      }
    }
    for (std::size_t i = 0; i < ids.size(); ++i) evaluator.assign(ids[i], values[i]);
    if (differ(evaluator)) return false;
  }
  return hold_for_nulls(ids, choices, max_samples, evaluator, differ);
}

}  // namespace trustsql::equiv::checker
