#include "equiv/checker/agreement.hpp"

#include <algorithm>

#include "equiv/checker/samples.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool same_random_calls(Parts& a, Parts& b) {
  std::sort(a.random.begin(), a.random.end());
  std::sort(b.random.begin(), b.random.end());
  return a.random == b.random;
}

bool all_true(Evaluator& evaluator, const std::vector<const Expr*>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Expr* each) { return evaluator.truth(*each) == Truth::yes; });
}

// The elements of `a` that are not in `b`.
std::vector<const Expr*> without(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  std::vector<const Expr*> rest;
  for (const auto& each : a) {
    if (std::find(b.begin(), b.end(), each) == b.end()) rest.push_back(&each);
  }
  return rest;
}

// Whether the two are the same comparison with its operands exchanged.
bool is_mirrored(const Expr& a, const Expr& b) {
  const auto* left = a.as<Compare>();
  const auto* right = b.as<Compare>();
  return left != nullptr && right != nullptr && right->op == mirrored(left->op) && left->how == right->how &&
         *left->left == *right->right && *left->right == *right->left;
}

// Whether both compare the same operands, perhaps mirrored, and the affinities of the comparisons convert neither.
bool is_same_comparison(const Expr& a, const Expr& b, const Given& given) {
  const auto* x = a.as<Compare>();
  const auto* y = b.as<Compare>();
  if (x == nullptr || y == nullptr || x->how.collation != y->how.collation) return false;
  const auto converts = [&](const Compare& compare) {
    return may_convert(*compare.left, compare.how.affinity, given.attributes) ||
           may_convert(*compare.right, compare.how.affinity, given.attributes);
  };
  if (converts(*x) || converts(*y)) return false;
  auto with_same_affinity = *x;
  with_same_affinity.how = y->how;
  const Expr same{std::move(with_same_affinity)};
  return same == b || is_mirrored(same, b);
}

}  // namespace

bool agree(const Expr& a, const Expr& b, bool truth_only, const AttributeSet& non_null, const Given& given) {
  if (a == b || is_mirrored(a, b) || is_same_comparison(a, b, given)) return true;
  Parts of_a;
  Parts of_b;
  collect(a, of_a);
  collect(b, of_b);
  if (!same_random_calls(of_a, of_b)) return false;
  return hold_everywhere(united(std::move(of_a), of_b), non_null, given, [&](Evaluator& evaluator) {
    if (truth_only) return (evaluator.truth(a) == Truth::yes) != (evaluator.truth(b) == Truth::yes);
    const auto left = evaluator.value(a);
    const auto right = evaluator.value(b);
    return !identical(left, right);
  });
}

namespace {

// Equivalence classes of columns that conditions equate, where equal values are identical: one column of each class
// can stand for the others.
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
        if (other == first &&
            order_of(view(*literal_value(value)), view(*literal_value(*equation->right)), binary_collation) != 0)
          contradict_ = true;
      }
      constants_.emplace_back(first, *equation->right);
    }
  }

  // Whether the equations cannot all be true.
  bool contradict() const { return contradict_; }

  // `expr` with each column replaced by its constant or by the representative of its class.
  Expr resolved(Expr expr) const {
    substitute(expr, [&](AttributeId id) -> const Expr* {
      const auto first = first_of(id);
      const auto constant =
          std::find_if(constants_.begin(), constants_.end(), [&](const auto& each) { return each.first == first; });
      if (constant != constants_.end()) return &constant->second;
      return first == id ? nullptr : &columns_[static_cast<std::size_t>(find(first) - members_.begin())];
    });
    return expr;
  }
  const Compare* equation_of(const Expr& condition) const {
    const auto* equation = condition.as<Compare>();
    const bool fits = equation != nullptr && equation->op == CompareOp::equal && equation->left->is<plan::Column>() &&
                      (equation->right->is<plan::Column>() || equation->right->is<Literal>()) &&
                      compares_plainly(*equation, given_.attributes) &&
                      has_one_spelling(*equation->left, *equation->right, given_.attributes);
    return fits ? equation : nullptr;
  }
  // Whether `condition`, an equation, is implied by the classes.
  bool imply(const Expr& condition) const {
    const auto* equation = equation_of(condition);
    const auto left = first_of(*column_id(*equation->left));
    if (const auto* right = column_id(*equation->right); right != nullptr && first_of(*right) == left) return true;
    const auto value = [&](const Expr& side) { return resolved(side); };
    return value(*equation->left) == value(*equation->right) && value(*equation->left).is<Literal>();
  }

 private:
  using Members = std::vector<std::pair<AttributeId, AttributeId>>;  // with its representative
  Members::const_iterator find(AttributeId id) const {
    return std::find_if(members_.begin(), members_.end(), [&](const auto& each) { return each.first == id; });
  }
  AttributeId first_of(AttributeId id) const {
    const auto member = find(id);
    return member != members_.end() ? member->second : id;
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
  std::vector<Expr> columns_;  // the columns in members_
  std::vector<std::pair<AttributeId, Expr>> constants_;
  bool contradict_ = false;
};

// Whether the condition is a literal, or a comparison of two literals, that is not true.
bool is_never_true(const Expr& condition) {
  const auto* equation = condition.as<Compare>();
  const bool known = condition.is<Literal>() ||
                     (equation != nullptr && equation->left->is<Literal>() && equation->right->is<Literal>());
  Evaluator evaluator({});
  return known && evaluator.truth(condition) != Truth::yes;
}
bool is_never_true(const std::vector<Expr>& conditions) {
  return std::any_of(conditions.begin(), conditions.end(), [](const Expr& each) { return is_never_true(each); });
}
bool is_never_true(const std::vector<const Expr*>& conditions) {
  return std::any_of(conditions.begin(), conditions.end(), [](const Expr* each) { return is_never_true(*each); });
}

// Whether the equations of each list follow from those of the other, and the remaining conditions are the same once
// columns are replaced by their representatives.
bool agree_by_equations(const std::vector<Expr>& a, const std::vector<Expr>& b, const Given& given) {
  const Classes of_a(a, given);
  const Classes of_b(b, given);
  const auto rest_of = [&](const std::vector<Expr>& list, const Classes& own, const Classes& other,
                           std::vector<Expr>& rest) {
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
  return rest_of(a, of_a, of_b, rest_of_a) && rest_of(b, of_b, of_a, rest_of_b) &&
         without(rest_of_a, rest_of_b).empty() && without(rest_of_b, rest_of_a).empty();
}

// `conditions` without the NULL tests that are redundant because other conditions are never true of NULL.
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

// The attributes as columns that may hold any value.
std::vector<Attribute> untyped(std::span<const Attribute> attributes) {
  std::vector<Attribute> result(attributes.begin(), attributes.end());
  for (auto& attribute : result) {
    attribute.types = types::any;
    attribute.storage = Affinity::none;
    attribute.table = nullptr;
  }
  return result;
}

// Puts attributes that may hold any value in the place of expressions that are compared with literals. What holds for
// all values of the attributes holds for those of the expressions.
class Generalisation {
 public:
  explicit Generalisation(std::vector<Attribute> attributes) : attributes_(std::move(attributes)) {}

  std::vector<Expr> of(const std::vector<const Expr*>& conditions) {
    std::vector<Expr> result;
    for (const auto* each : conditions) replace_operands(result.emplace_back(*each));
    return result;
  }
  const std::vector<Attribute>& attributes() const { return attributes_; }
  bool has_replaced() const { return !replaced_.empty(); }

 private:
  void replace_operands(Expr& condition) {
    if (auto* n = condition.as<Compare>()) {
      if (n->right->is<Literal>()) return replace(*n->left);
      if (n->left->is<Literal>()) return replace(*n->right);
    } else if (auto* list = condition.as<InList>()) {
      return replace(*list->operand);
    }
    for_each_expr(condition, [&](Expr& part) { replace_operands(part); });
  }
  void replace(Expr& operand) {
    if (operand.is<plan::Column>() || operand.is<Literal>() || is_volatile(operand)) return;
    auto known = std::find_if(replaced_.begin(), replaced_.end(), [&](const auto& each) { return each == operand; });
    if (known == replaced_.end()) {
      known = replaced_.insert(replaced_.end(), operand);
      attributes_.emplace_back();
    }
    const auto first_new = attributes_.size() - replaced_.size();
    operand = column(static_cast<AttributeId>(first_new + static_cast<std::size_t>(known - replaced_.begin())));
  }

  std::vector<Attribute> attributes_;  // the last ones are those of `replaced_`
  std::vector<Expr> replaced_;
};

std::vector<const Expr*> pointers_to(const std::vector<Expr>& list) {
  std::vector<const Expr*> result;
  result.reserve(list.size());
  for (const auto& each : list) result.push_back(&each);
  return result;
}

// Whether `a` and `b` are true of the same rows among those of which all of `common` are true.
bool agree_given(const std::vector<const Expr*>& common, const std::vector<const Expr*>& a,
                 const std::vector<const Expr*>& b, const AttributeSet& non_null, const Given& given) {
  const auto parts_of = [](const std::vector<const Expr*>& list) {
    Parts parts;
    for (const auto* each : list) collect(*each, parts);
    return parts;
  };
  using Conditions = std::vector<const Expr*>;
  // If neither is true for any sample, nothing has been shown, unless one of them is never true by its form.
  bool is_conclusive = is_never_true(a) || is_never_true(b);
  const auto same_truth = [&](const Conditions& x, const Conditions& y, const Conditions& both, const Given& values) {
    const auto parts = united(united(parts_of(x), parts_of(y)), parts_of(both));
    return hold_everywhere(parts, non_null, values, [&](Evaluator& evaluator) {
      if (!all_true(evaluator, both)) return false;
      const bool by_x = all_true(evaluator, x);
      is_conclusive = is_conclusive || by_x;
      return by_x != all_true(evaluator, y);
    });
  };
  if (!same_truth(a, b, common, given)) return false;
  if (is_conclusive) return true;
  // They may contradict what the columns can hold, or what the expressions over them can be. What holds for all values
  // holds for those.
  Generalisation general(untyped(given.attributes));
  if (!same_truth(a, b, common, {general.attributes(), {}, given.tables_have_rows})) return false;
  if (is_conclusive) return true;
  const auto general_a = general.of(a);
  const auto general_b = general.of(b);
  const auto general_common = general.of(common);
  return general.has_replaced() &&
         same_truth(pointers_to(general_a), pointers_to(general_b), pointers_to(general_common),
                    {general.attributes(), {}, given.tables_have_rows}) &&
         is_conclusive;
}

}  // namespace

bool agree(const std::vector<Expr>& all_of_a, const std::vector<Expr>& all_of_b, const AttributeSet& non_null,
           const Given& given) {
  if (all_of_a == all_of_b) return true;
  const auto a = without_implied_tests(all_of_a, given);
  const auto b = without_implied_tests(all_of_b, given);
  const auto only_a = without(a, b);
  const auto only_b = without(b, a);
  if (only_a.empty() && only_b.empty()) return true;
  // A random condition must occur equally often in both.
  const auto is_random = [](const Expr* each) { return is_volatile(*each); };
  if (std::any_of(only_a.begin(), only_a.end(), is_random) || std::any_of(only_b.begin(), only_b.end(), is_random))
    return false;
  if (agree_given({}, only_a, only_b, non_null, given) || agree_by_equations(a, b, given)) return true;
  // Otherwise compare them given conditions on the same attributes that both lists contain: one such condition at a
  // time, or all of them.
  std::vector<const Expr*> common;
  auto attributes = AttributeSet();
  for (const auto* list : {&only_a, &only_b}) {
    for (const auto* each : *list) attributes |= references(*each);
  }
  for (const auto& each : a) {
    const bool both = std::find(b.begin(), b.end(), each) != b.end();
    if (both && references(each).intersects(attributes) && !is_volatile(each)) common.push_back(&each);
  }
  return std::any_of(common.begin(), common.end(),
                     [&](const Expr* each) { return agree_given({each}, only_a, only_b, non_null, given); }) ||
         (common.size() > 1 && agree_given(common, only_a, only_b, non_null, given));
}

}  // namespace trustsql::equiv::checker
