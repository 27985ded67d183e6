#include "equiv/checker/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/text.hpp"
#include "db/catalog.hpp"
#include "equiv/checker/evaluator.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

constexpr std::size_t most_samples = 128;

// What an expression is made of, its subqueries left out.
struct Parts {
  std::vector<AttributeId> attributes{};
  std::vector<const Value*> constants{};
  std::vector<std::uint64_t> random{};  // calls whose value is not fixed
  std::vector<const Compare*> equations{};
  bool has_functions = false;  // with values that the evaluator picks
};

void collect(const Expr& expr, Parts& parts) {
  if (const auto* id = column_id(expr)) {
    if (std::find(parts.attributes.begin(), parts.attributes.end(), *id) == parts.attributes.end()) parts.attributes.push_back(*id);
    return;
  }
  if (const auto* value = literal_value(expr)) parts.constants.push_back(value);
  if (const auto* compare = expr.as<Compare>(); compare != nullptr && (compare->op == CompareOp::equal || compare->op == CompareOp::is))
    parts.equations.push_back(compare);
  if (const auto* function = expr.as<Function>(); function != nullptr && (function->info == nullptr || !function->info->deterministic))
    parts.random.push_back(ast::hash(expr));
  parts.has_functions = parts.has_functions || expr.is<Function>() || expr.is<Like>() || expr.is<Parameter>() || expr.is<RowCompare>();
  for_each_rel(expr, [&](const Rel& rel) {
    parts.has_functions = true;
    if (is_volatile(rel)) parts.random.push_back(ast::hash(rel));
  });
  for_each_expr(expr, [&](const Expr& operand) { collect(operand, parts); });
}

// The values that attributes are given.
class Pools {
 public:
  Pools(const Parts& parts, const AttributeSet& non_null, const Given& given) : given_(given), non_null_(non_null) {
    common_.assign(representative_values().begin(), representative_values().end());
    for (const auto* constant : parts.constants) add_around(view(*constant));
  }

  std::vector<ValueView> of(AttributeId id) const {
    std::vector<ValueView> pool;
    for (const auto& value : common_) {
      if (may_hold(id, value)) pool.push_back(value);
    }
    return pool;
  }

  static bool same(const ValueView& a, const ValueView& b) { return a.type == b.type && equal(a, b); }

  bool may_hold(AttributeId id, const ValueView& value) const {
    const auto& attribute = given_.attributes[id];
    if (value.is_null()) return !non_null_.contains(id);
    if (!attribute.types.contains(value.type)) return false;
    if (attribute.table != nullptr && attribute.storage == Affinity::integer && value.type != ValueType::integer && is_assumed_integer(attribute))
      return false;
    const bool whole = value.type == ValueType::real && std::fabs(value.real) < 9e18 && value.real == std::floor(value.real);
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

  bool is_assumed_integer(const Attribute& attribute) const {
    return std::any_of(given_.assumptions.begin(), given_.assumptions.end(), [&](const Assumption& each) {
      return each.kind == Assumption::Kind::declared_type && each.table == attribute.table->name && each.columns.size() == 1 &&
             each.columns.front() == attribute.name;
    });
  }

  void add(ValueView value) {
    if (std::none_of(common_.begin(), common_.end(), [&](const ValueView& known) { return same(known, value); })) common_.push_back(value);
  }

  void add_around(ValueView constant) {
    add(constant);
    if (constant.is_number()) {
      // What a column of TEXT affinity has to hold to be equal.
      texts_.push_back(constant.type == ValueType::integer ? std::to_string(constant.integer) : format_real(constant.real));
      add(ValueView::of_text(texts_.back()));
    }
    if (constant.type == ValueType::integer) {
      add(ValueView::of_real(static_cast<double>(constant.integer)));
      if (constant.integer < std::numeric_limits<std::int64_t>::max()) add(ValueView::of_integer(constant.integer + 1));
      if (constant.integer > std::numeric_limits<std::int64_t>::min()) add(ValueView::of_integer(constant.integer - 1));
      add(ValueView::of_real(static_cast<double>(constant.integer) + 0.5));
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
      std::int64_t number = 0;
      if (std::sscanf(std::string(constant.bytes).c_str(), "%ld", &number) == 1) add(ValueView::of_integer(number));
    }
  }

  const Given& given_;
  const AttributeSet& non_null_;
  std::vector<ValueView> common_;
  std::deque<std::string> texts_;
};

// Attributes that equations set equal to each other or to a constant, to be tried with equal values.
struct Links {
  std::vector<std::size_t> leader{};     // by place among the attributes
  std::vector<const Value*> constant{};  // by leader

  explicit Links(const Parts& parts) : leader(parts.attributes.size()), constant(parts.attributes.size(), nullptr) {
    for (std::size_t i = 0; i < leader.size(); ++i) leader[i] = i;
    const auto place = [&](const Expr& expr) -> std::optional<std::size_t> {
      const auto* id = column_id(expr);
      const auto found = id != nullptr ? std::find(parts.attributes.begin(), parts.attributes.end(), *id) : parts.attributes.end();
      if (found == parts.attributes.end()) return std::nullopt;
      return static_cast<std::size_t>(found - parts.attributes.begin());
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

  std::size_t root(std::size_t at) const {
    while (leader[at] != at) at = leader[at];
    return at;
  }
};

// Calls `differ(evaluator)` in world after world until it says yes. Returns whether it never does.
template <class Differ>
bool hold_everywhere(const Parts& parts, const AttributeSet& non_null, const Given& given, const Differ& differ) {
  Evaluator evaluator(given.attributes);
  const auto& ids = parts.attributes;
  if (ids.empty() && !parts.has_functions) {
    evaluator.enter_world(0);
    return !differ(evaluator);
  }
  const Pools pools(parts, non_null, given);
  std::vector<std::vector<ValueView>> choices;
  std::size_t combinations = 1;
  for (const auto id : ids) {
    choices.push_back(pools.of(id));
    if (choices.back().empty()) return true;  // there is no such row
    combinations = std::min(combinations * choices.back().size(), most_samples + 1);
  }
  if (combinations <= most_samples) {
    const std::size_t worlds = parts.has_functions ? std::max<std::size_t>(1, most_samples / 2 / combinations) : 1;
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
  for (std::size_t n = 0; n < most_samples; ++n) {
    evaluator.enter_world(n);
    std::uint64_t random = mix64(n + 1);
    const bool linked = n % 4 != 0;
    std::vector<ValueView> values(ids.size());
    // First those that others follow, then the others.
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
  return true;
}

bool same_random_calls(Parts& a, Parts& b) {
  std::sort(a.random.begin(), a.random.end());
  std::sort(b.random.begin(), b.random.end());
  return a.random == b.random;
}

// The constants to try of two expressions: those that only one of them has, then others.
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

Parts united(Parts a, const Parts& b) {
  for (const auto id : b.attributes) {
    if (std::find(a.attributes.begin(), a.attributes.end(), id) == a.attributes.end()) a.attributes.push_back(id);
  }
  a.constants = telling_constants(a.constants, b.constants);
  a.equations.insert(a.equations.end(), b.equations.begin(), b.equations.end());
  a.has_functions = a.has_functions || b.has_functions;
  return a;
}

bool all_true(Evaluator& evaluator, const std::vector<const Expr*>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const Expr* each) { return evaluator.truth(*each) == Truth::yes; });
}

// What is in `a`, but not in `b`.
std::vector<const Expr*> without(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  std::vector<const Expr*> rest;
  for (const auto& each : a) {
    if (std::find(b.begin(), b.end(), each) == b.end()) rest.push_back(&each);
  }
  return rest;
}

// Whether both are one comparison, its operands exchanged.
bool is_mirrored(const Expr& a, const Expr& b) {
  const auto* left = a.as<Compare>();
  const auto* right = b.as<Compare>();
  return left != nullptr && right != nullptr && right->op == mirrored(left->op) && left->how == right->how && *left->left == *right->right &&
         *left->right == *right->left;
}

}  // namespace

bool agree(const Expr& a, const Expr& b, bool truth_only, const AttributeSet& non_null, const Given& given) {
  if (a == b || is_mirrored(a, b)) return true;
  Parts of_a;
  Parts of_b;
  collect(a, of_a);
  collect(b, of_b);
  if (!same_random_calls(of_a, of_b)) return false;
  return hold_everywhere(united(std::move(of_a), of_b), non_null, given, [&](Evaluator& evaluator) {
    if (truth_only) return (evaluator.truth(a) == Truth::yes) != (evaluator.truth(b) == Truth::yes);
    const auto left = evaluator.value(a);
    const auto right = evaluator.value(b);
    return !Pools::same(left, right);
  });
}

namespace {

// Columns that conditions set equal, where equal values are identical: one of each class may stand for the others.
class Classes {
 public:
  Classes(const std::vector<Expr>& conditions, const Given& given) : given_(given) {
    for (const auto& condition : conditions) {
      const auto* equation = equation_of(condition);
      if (equation == nullptr) continue;
      const auto* right = column_id(*equation->right);
      if (right != nullptr) join(*column_id(*equation->left), *right);
    }
    for (const auto& condition : conditions) {
      const auto* equation = equation_of(condition);
      if (equation == nullptr || !equation->right->is<Literal>()) continue;
      const auto first = first_of(*column_id(*equation->left));
      for (const auto& [other, value] : constants_) {
        if (other == first && order_of(view(*literal_value(value)), view(*literal_value(*equation->right)), binary_collation) != 0)
          contradict_ = true;
      }
      constants_.emplace_back(first, *equation->right);
    }
  }

  // Whether they cannot all be true.
  bool contradict() const { return contradict_; }

  // What each attribute stands for.
  Expr resolved(Expr expr) const {
    substitute(expr, [&](AttributeId id) -> const Expr* {
      const auto first = first_of(id);
      const auto constant = std::find_if(constants_.begin(), constants_.end(), [&](const auto& each) { return each.first == first; });
      if (constant != constants_.end()) return &constant->second;
      return first == id ? nullptr : &columns_[static_cast<std::size_t>(find(first) - members_.begin())];
    });
    return expr;
  }
  const Compare* equation_of(const Expr& condition) const {
    const auto* equation = condition.as<Compare>();
    const bool fits = equation != nullptr && equation->op == CompareOp::equal && equation->left->is<plan::Column>() &&
                      (equation->right->is<plan::Column>() || equation->right->is<Literal>()) && compares_plainly(*equation, given_.attributes) &&
                      has_one_spelling(*equation->left, *equation->right, given_.attributes);
    return fits ? equation : nullptr;
  }
  // Whether all that `condition`, an equation, says is known here.
  bool imply(const Expr& condition) const {
    const auto* equation = equation_of(condition);
    const auto left = first_of(*column_id(*equation->left));
    if (const auto* right = column_id(*equation->right); right != nullptr && first_of(*right) == left) return true;
    const auto value = [&](const Expr& side) { return resolved(side); };
    return value(*equation->left) == value(*equation->right) && value(*equation->left).is<Literal>();
  }

 private:
  using Members = std::vector<std::pair<AttributeId, AttributeId>>;  // with the one that stands for it
  Members::const_iterator find(AttributeId id) const {
    return std::find_if(members_.begin(), members_.end(), [&](const auto& each) { return each.first == id; });
  }
  AttributeId first_of(AttributeId id) const {
    const auto found = find(id);
    return found != members_.end() ? found->second : id;
  }
  void add(AttributeId id) {
    if (find(id) != members_.end()) return;
    members_.emplace_back(id, id);
    columns_.push_back(column(id));
  }
  void join(AttributeId a, AttributeId b) {
    add(a);
    add(b);
    const auto from = std::max(first_of(a), first_of(b));
    const auto to = std::min(first_of(a), first_of(b));
    for (auto& each : members_) {
      if (each.second == from) each.second = to;
    }
  }

  const Given& given_;
  Members members_;
  std::vector<Expr> columns_;  // of members_
  std::vector<std::pair<AttributeId, Expr>> constants_;
  bool contradict_ = false;
};

// A literal, or two that are compared, that is not true.
bool is_never_true(const Expr& condition) {
  const auto* equation = condition.as<Compare>();
  const bool known = condition.is<Literal>() || (equation != nullptr && equation->left->is<Literal>() && equation->right->is<Literal>());
  Evaluator evaluator({});
  return known && evaluator.truth(condition) != Truth::yes;
}
bool is_never_true(const std::vector<Expr>& conditions) {
  return std::any_of(conditions.begin(), conditions.end(), [](const Expr& each) { return is_never_true(each); });
}
bool is_never_true(const std::vector<const Expr*>& conditions) {
  return std::any_of(conditions.begin(), conditions.end(), [](const Expr* each) { return is_never_true(*each); });
}

// Whether the equations of each list follow from those of the other, and the rest is the same once columns stand for each other.
bool agree_by_equations(const std::vector<Expr>& a, const std::vector<Expr>& b, const Given& given) {
  const Classes of_a(a, given);
  const Classes of_b(b, given);
  const auto rest_of = [&](const std::vector<Expr>& list, const Classes& own, const Classes& other, std::vector<Expr>& rest) {
    return std::all_of(list.begin(), list.end(), [&](const Expr& condition) {
      if (own.equation_of(condition) != nullptr) return other.imply(condition);
      if (is_volatile(condition)) return false;
      auto resolved = own.resolved(condition);
      if (std::find(rest.begin(), rest.end(), resolved) == rest.end()) rest.push_back(std::move(resolved));
      return true;
    });
  };
  if ((of_a.contradict() || is_never_true(a)) && (of_b.contradict() || is_never_true(b))) return true;
  std::vector<Expr> rest_of_a;
  std::vector<Expr> rest_of_b;
  return rest_of(a, of_a, of_b, rest_of_a) && rest_of(b, of_b, of_a, rest_of_b) && without(rest_of_a, rest_of_b).empty() &&
         without(rest_of_b, rest_of_a).empty();
}

// `conditions` without the tests for NULL that others of them, never true of NULL, make superfluous.
std::vector<Expr> without_implied_tests(std::vector<Expr> conditions, const Given& given) {
  for (std::size_t i = 0; i < conditions.size();) {
    const auto* test = conditions[i].as<IsNull>();
    const auto* id = test != nullptr && test->negated ? column_id(*test->operand) : nullptr;
    const bool implied = id != nullptr && std::any_of(conditions.begin(), conditions.end(), [&](const Expr& other) {
                           return !(other == conditions[i]) && rejects_nulls(other, {*id}, given);
                         });
    if (implied) {
      conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return conditions;
}

// Whether `a` and `b` are true of the same rows among those of which `common` are.
bool agree_given(const std::vector<const Expr*>& common, const std::vector<const Expr*>& a, const std::vector<const Expr*>& b,
                 const AttributeSet& non_null, const Given& given) {
  const auto parts_of = [](const std::vector<const Expr*>& list) {
    Parts parts;
    for (const auto* each : list) collect(*each, parts);
    return parts;
  };
  const auto parts = united(united(parts_of(a), parts_of(b)), parts_of(common));
  // Where neither is ever true, nothing has been shown, unless that is what one of them says.
  bool shown = is_never_true(a) || is_never_true(b);
  const bool held = hold_everywhere(parts, non_null, given, [&](Evaluator& evaluator) {
    if (!all_true(evaluator, common)) return false;
    const bool by_a = all_true(evaluator, a);
    shown = shown || by_a;
    return by_a != all_true(evaluator, b);
  });
  return held && shown;
}

}  // namespace

bool agree(const std::vector<Expr>& all_of_a, const std::vector<Expr>& all_of_b, const AttributeSet& non_null, const Given& given) {
  if (all_of_a == all_of_b) return true;
  const auto a = without_implied_tests(all_of_a, given);
  const auto b = without_implied_tests(all_of_b, given);
  const auto only_a = without(a, b);
  const auto only_b = without(b, a);
  if (only_a.empty() && only_b.empty()) return true;
  // A condition that is random is there as often as before.
  const auto is_random = [](const Expr* each) { return is_volatile(*each); };
  if (std::any_of(only_a.begin(), only_a.end(), is_random) || std::any_of(only_b.begin(), only_b.end(), is_random)) return false;
  if (agree_given({}, only_a, only_b, non_null, given) || agree_by_equations(a, b, given)) return true;
  // With what both say of the same attributes: one of these conditions, or all.
  std::vector<const Expr*> common;
  auto attributes = AttributeSet();
  for (const auto* list : {&only_a, &only_b}) {
    for (const auto* each : *list) attributes |= references(*each);
  }
  for (const auto& each : a) {
    const bool both = std::find(b.begin(), b.end(), each) != b.end();
    if (both && references(each).intersects(attributes) && !is_volatile(each)) common.push_back(&each);
  }
  return std::any_of(common.begin(), common.end(), [&](const Expr* each) { return agree_given({each}, only_a, only_b, non_null, given); }) ||
         (common.size() > 1 && agree_given(common, only_a, only_b, non_null, given));
}

}  // namespace trustsql::equiv::checker
