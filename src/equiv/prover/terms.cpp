#include "equiv/prover/terms.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

// Writes the head of a node: everything except the expressions and relations in it, of which only the positions are
// written.
class HeadWriter {
 public:
  explicit HeadWriter(std::string& out) : out_(out) {}

  template <class T>
  void operator()(const T& part) {
    if constexpr (std::is_same_v<T, Expr>) {
      out_ += 'e';
    } else if constexpr (std::is_same_v<T, Rel>) {
      out_ += 'r';
    } else if constexpr (std::is_same_v<T, Literal>) {
      value(part.value);
    } else if constexpr (has_negation<T>) {
      T::with_fields([&](const auto&... field) { (written_unless_negation(part.*field.part, field.name), ...); });
    } else if constexpr (ast::Node<T>) {
      T::with_fields([&](const auto&... field) { ((*this)(part.*field.part), ...); });
    } else if constexpr (IsVariant<T>::value) {
      number(part.index());
      std::visit([&](const auto& held) { (*this)(held); }, part);
    } else if constexpr (IsVector<T>::value) {
      number(part.size());
      for (const auto& element : part) (*this)(element);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      text(part);
    } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      number(static_cast<std::uint64_t>(part));
    } else {  // Box, optional
      out_ += part ? '+' : '-';
      if (part) (*this)(*part);
    }
  }

  void value(const Value& value) {
    number(value.index());
    const auto shown = view(value);
    switch (shown.type) {
      case ValueType::null: break;
      case ValueType::integer: number(static_cast<std::uint64_t>(shown.integer)); break;
      case ValueType::real: number(std::bit_cast<std::uint64_t>(shown.real)); break;
      default: text(shown.bytes); break;
    }
  }

 private:
  template <class T>
  static constexpr bool has_negation =
      std::is_same_v<T, Like> || std::is_same_v<T, Exists> || std::is_same_v<T, InSubquery> ||
      std::is_same_v<T, InList> || std::is_same_v<T, Between>;

  template <class T>
  void written_unless_negation(const T& part, std::string_view name) {
    if (name != "negated") (*this)(part);
  }

  void number(std::uint64_t value) {
    if (value < 128) {
      out_ += static_cast<char>(value);
      return;
    }
    out_ += static_cast<char>(0xff);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof bytes);
  }
  void text(std::string_view value) {
    number(value.size());
    out_ += value;
  }

  std::string& out_;
};

// The flag that negates a node: NOT LIKE, NOT IN, NOT EXISTS.
template <class AnyExpr>
auto* negation_of(AnyExpr& expr) {
  using Flag = std::conditional_t<std::is_const_v<AnyExpr>, const bool, bool>;
  Flag* flag = nullptr;
  if (auto* like = expr.template as<Like>()) flag = &like->negated;
  if (auto* exists = expr.template as<Exists>()) flag = &exists->negated;
  if (auto* subquery = expr.template as<InSubquery>()) flag = &subquery->negated;
  if (auto* list = expr.template as<InList>()) flag = &list->negated;
  if (auto* between = expr.template as<Between>()) flag = &between->negated;
  return flag;
}

bool commutes(const Expr& expr) {
  if (const auto* n = expr.as<Binary>()) {
    using Op = ast::BinaryOp;
    return n->op == Op::add || n->op == Op::multiply || n->op == Op::bit_and || n->op == Op::bit_or;
  }
  if (const auto* n = expr.as<Compare>()) {
    return n->op == CompareOp::equal || n->op == CompareOp::not_equal || n->op == CompareOp::is ||
           n->op == CompareOp::is_not;
  }
  return expr.is<And>() || expr.is<Or>();
}

}  // namespace

TermId Terms::make(std::string head, std::vector<TermId> operands, bool commutes, const Expr* expr) {
  const auto head_id = heads_.emplace(std::move(head), static_cast<std::uint32_t>(heads_.size())).first->second;
  if (commutes) std::sort(operands.begin(), operands.end());
  std::string key(reinterpret_cast<const char*>(&head_id), sizeof head_id);
  key.append(reinterpret_cast<const char*>(operands.data()), operands.size() * sizeof(TermId));
  const auto [term, is_new] = known_.emplace(std::move(key), static_cast<TermId>(terms_.size()));
  if (is_new) terms_.push_back({.head = head_id, .operands = std::move(operands), .commutes = commutes, .expr = expr});
  return term->second;
}

TermId Terms::intern(AttributeId id) {
  std::string head = "@";
  HeadWriter{head}(id);
  const auto before = terms_.size();
  const auto term = make(std::move(head), {}, false, nullptr);
  if (terms_.size() > before) {
    own_exprs_.push_back(column(id));
    terms_[term].expr = &own_exprs_.back();
  }
  return term;
}

TermId Terms::intern_literal(const Value& value) {
  const auto before = terms_.size();
  std::string head;
  const Expr expr = literal(value);
  HeadWriter{head}(expr.node);
  const auto term = make(std::move(head), {}, false, nullptr);
  if (terms_.size() > before) {
    own_exprs_.push_back(expr);
    terms_[term].expr = &own_exprs_.back();
  }
  return term;
}

TermId Terms::intern(const Expr& expr) {
  if (const auto* id = column_id(expr)) return intern(*id);
  const auto* negated = negation_of(expr);
  if (negated == nullptr || !*negated) return intern_test(expr);
  const auto test = intern_test(expr);
  if (terms_[test].expr == &expr) {
    // The expression is new. The term represents the test, not its negation.
    own_exprs_.push_back(expr);
    *negation_of(own_exprs_.back()) = false;
    terms_[test].expr = &own_exprs_.back();
  }
  const auto before = terms_.size();
  const auto id = make("!", {test}, false, &expr);
  if (terms_.size() > before) terms_.back().negation = true;
  return id;
}

// The flag that negates the test is ignored.
TermId Terms::intern_test(const Expr& expr) {
  std::string head;
  HeadWriter{head}(expr.node);
  if (const auto* n = expr.as<Compare>();
      n != nullptr && (n->op == CompareOp::greater || n->op == CompareOp::greater_equal)) {
    head.clear();
    HeadWriter{head}(Expr::Node(Compare{mirrored(n->op), n->how, Expr{}, Expr{}}));
    const auto right = intern(*n->right);
    return make(std::move(head), {right, intern(*n->left)}, false, &expr);
  }
  std::vector<TermId> operands;
  for_each_expr(expr, [&](const Expr& operand) { operands.push_back(intern(operand)); });
  for_each_rel(expr, [&](const Rel& rel) {
    int number = -1;
    // Comparing two subqueries may add others to the list.
    for (std::size_t i = 0; i < subqueries_.size() && number < 0; ++i) {
      const auto known = subqueries_[i];
      if (known.rel == &rel || same_subquery_(expr, *known.rel, rel)) number = known.number;
    }
    if (number < 0) {
      number = next_subquery_++;
      subqueries_.push_back({&rel, number});
    }
    head += '#' + std::to_string(number);
  });
  return make(std::move(head), std::move(operands), commutes(expr), &expr);
}

}  // namespace trustsql::equiv
