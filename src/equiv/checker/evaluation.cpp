#include "equiv/checker/evaluation.hpp"

#include <algorithm>

#include "plan/evaluate.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

std::uint64_t hash_of(const Value& value, std::uint64_t seed) {
  // 1 and 1.0 have different hashes.
  return hash(view(value), seed ^ (value.index() * 0x9e3779b97f4a7c15ULL));
}

// A value of one of these types.
Value some_value(TypeSet types, std::uint64_t number) {
  const Value all[] = {Value{},
                       Value(std::int64_t{0}),
                       Value(std::int64_t{1}),
                       Value(std::int64_t{7}),
                       Value(2.5),
                       Value(-1.5),
                       Value("a"),
                       Value("12"),
                       Value(""),
                       Value(Blob{"b"})};
  std::vector<const Value*> possible;
  for (const auto& value : all) {
    if (types.contains(view(value).type)) possible.push_back(&value);
  }
  return possible.empty() ? Value{} : *possible[number % possible.size()];
}

bool* negation_of(Expr& expr) {
  if (auto* n = expr.as<Exists>()) return &n->negated;
  if (auto* n = expr.as<InSubquery>()) return &n->negated;
  if (auto* n = expr.as<Like>()) return &n->negated;
  return nullptr;
}

}  // namespace

void Evaluation::set(AttributeId id, Value value) {
  if (id >= values_.size()) values_.resize(id + 1);
  values_[id] = std::move(value);
}

Value Evaluation::value_of(Logic logic) {
  return logic == Logic::null ? Value{} : Value(std::int64_t{logic == Logic::yes ? 1 : 0});
}

bool Evaluation::is_true(const Expr& expr) { return logic_of(expr) == Logic::yes; }

Evaluation::Logic Evaluation::logic_of(const Expr& expr) {
  if (const auto* n = expr.as<And>()) {
    auto result = Logic::yes;
    for (const auto& term : n->terms) {
      const auto logic = logic_of(term);
      if (logic == Logic::no) return Logic::no;
      if (logic == Logic::null) result = Logic::null;
    }
    return result;
  }
  if (const auto* n = expr.as<Or>()) {
    auto result = Logic::no;
    for (const auto& term : n->terms) {
      const auto logic = logic_of(term);
      if (logic == Logic::yes) return Logic::yes;
      if (logic == Logic::null) result = Logic::null;
    }
    return result;
  }
  const auto inverted = [](Logic logic) {
    return logic == Logic::null ? logic : logic == Logic::yes ? Logic::no : Logic::yes;
  };
  if (const auto* n = expr.as<Not>()) return inverted(logic_of(*n->operand));
  if (const auto* n = expr.as<IsNull>())
    return ((*this)(*n->operand).index() == 0) != n->negated ? Logic::yes : Logic::no;
  if (const auto* n = expr.as<IsTruth>()) {
    const bool has_truth = logic_of(*n->operand) == (n->truth ? Logic::yes : Logic::no);
    return has_truth != n->negated ? Logic::yes : Logic::no;
  }
  if (const auto* n = expr.as<Compare>()) return compare(n->op, n->how, (*this)(*n->left), (*this)(*n->right), false);
  if (const auto* n = expr.as<InList>()) return n->negated ? inverted(one_of(*n)) : one_of(*n);
  if (const auto* n = expr.as<Between>()) {
    const auto operand = (*this)(*n->operand);
    const auto low = compare(CompareOp::greater_equal, n->low_how, operand, (*this)(*n->low), false);
    const auto high = compare(CompareOp::less_equal, n->high_how, operand, (*this)(*n->high), false);
    auto both = low == Logic::no || high == Logic::no       ? Logic::no
                : low == Logic::null || high == Logic::null ? Logic::null
                                                            : Logic::yes;
    return n->negated ? inverted(both) : both;
  }
  const auto value = (*this)(expr);
  const auto truth = plan::truth_of(value);
  if (!truth) return hash_of(value, 1) % 2 == 0 ? Logic::no : Logic::yes;
  return *truth == plan::Truth::null ? Logic::null : *truth == plan::Truth::yes ? Logic::yes : Logic::no;
}

Evaluation::Logic Evaluation::compare(CompareOp op, const Comparison& how, const Value& left, const Value& right,
                                      bool in_list) {
  const bool is_null_safe = op == CompareOp::is || op == CompareOp::is_not;
  if (left.index() == 0 || right.index() == 0) {
    if (!is_null_safe) return Logic::null;
    return (left.index() == right.index()) == (op == CompareOp::is) ? Logic::yes : Logic::no;
  }
  const auto is_text = [](const Value& value) { return std::holds_alternative<std::string>(value); };
  // In a list numbers become text; in a comparison only if the other operand is text.
  const bool converts = how.affinity != Affinity::text || in_list || is_text(left) || is_text(right);
  const auto a = converts ? apply_affinity(left, how.affinity) : left;
  const auto b = converts ? apply_affinity(right, how.affinity) : right;
  std::partial_ordering order = std::partial_ordering::equivalent;
  if (a && b && is_known_collation(how.collation)) {
    order = compare_values(*a, *b, how.collation);
    if (order == std::partial_ordering::unordered) order = hash_of(*a, 3) <=> hash_of(*b, 3);
  } else if (left != right) {
    order = hash_of(left, 2) % 3 <=> hash_of(right, 2) % 3;
  }
  bool holds = false;
  switch (op) {
    case CompareOp::equal:
    case CompareOp::is: holds = order == 0; break;
    case CompareOp::not_equal:
    case CompareOp::is_not: holds = order != 0; break;
    case CompareOp::less: holds = order < 0; break;
    case CompareOp::less_equal: holds = order <= 0; break;
    case CompareOp::greater: holds = order > 0; break;
    case CompareOp::greater_equal: holds = order >= 0; break;
  }
  return holds ? Logic::yes : Logic::no;
}

Evaluation::Logic Evaluation::one_of(const InList& list) {
  auto result = Logic::no;
  if (list.items.empty()) return result;
  const auto operand = (*this)(*list.operand);
  for (const auto& item : list.items) {
    const auto logic = compare(CompareOp::equal, list.how, operand, (*this)(item), true);
    if (logic == Logic::yes) return logic;
    if (logic == Logic::null) result = Logic::null;
  }
  return result;
}

Value Evaluation::choose(const Case& choice) {
  for (const auto& branch : choice.branches) {
    const bool taken = choice.operand ? compare(CompareOp::equal, branch.how, (*this)(*choice.operand),
                                                (*this)(*branch.condition), false) == Logic::yes
                                      : is_true(*branch.condition);
    if (taken) return (*this)(*branch.result);
  }
  return choice.otherwise ? (*this)(*choice.otherwise) : Value{};
}

// COALESCE, IFNULL and NULLIF choose one of their operands; nullopt for other functions.
std::optional<Value> Evaluation::choose(const Function& function) {
  if (function.info == nullptr) return std::nullopt;
  if (function.name == "coalesce" || function.name == "ifnull") {
    for (const auto& argument : function.arguments) {
      auto value = (*this)(argument);
      if (value.index() != 0) return value;
    }
    return Value{};
  }
  if (function.name != "nullif" || function.arguments.size() != 2) return std::nullopt;
  auto value = (*this)(function.arguments.front());
  const auto other = (*this)(function.arguments.back());
  const Comparison how{Affinity::none, function.collation};
  return compare(CompareOp::equal, how, value, other, false) == Logic::yes ? Value{} : std::move(value);
}

Value Evaluation::operator()(const Expr& expr) {
  if (const auto* value = literal_value(expr)) return *value;
  if (const auto* id = column_id(expr)) return *id < values_.size() ? values_[*id] : Value{};
  if (expr.is<And>() || expr.is<Or>() || expr.is<Not>() || expr.is<IsNull>() || expr.is<IsTruth>() ||
      expr.is<Compare>() || expr.is<InList>() || expr.is<Between>()) {
    return value_of(logic_of(expr));
  }
  if (const auto* n = expr.as<Case>()) return choose(*n);
  if (const auto* n = expr.as<Function>()) {
    if (auto value = choose(*n)) return *std::move(value);
  }
  bool has_rel = false;
  for_each_rel(expr, [&](const Rel&) { has_rel = true; });
  if (has_rel) return opaque(expr);
  Expr computed = expr;
  std::vector<Value> operands;
  for_each_expr(expr, [&](const Expr& operand) { operands.push_back((*this)(operand)); });
  std::size_t next = 0;
  for_each_expr(computed, [&](Expr& operand) { operand = literal(operands[next++]); });
  if (auto value = evaluate(computed)) return *std::move(value);
  return opaque(computed);
}

Value Evaluation::opaque(const Expr& expr) {
  Expr test = expr;
  bool negated = false;
  if (bool* flag = negation_of(test)) negated = std::exchange(*flag, false);
  auto number = hash_bytes(structure_text(test, name_), 3);
  references(test).for_each(
      [&](AttributeId id) { number += mix64(hash_of(id < values_.size() ? values_[id] : Value{}, name_(id))); });
  auto value = some_value(types_of(test, plan_, {}), mix64(number));
  if (!negated) return value;
  return value.index() == 0 ? value : Value(std::int64_t{plan::truth_of(value) == plan::Truth::yes ? 0 : 1});
}

}  // namespace trustsql::equiv::checker
