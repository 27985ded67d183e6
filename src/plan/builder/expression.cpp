#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "base/text.hpp"
#include "plan/builder/builder.hpp"
#include "sql/ast_walk.hpp"
#include "sql/folding.hpp"

namespace trustsql::plan {

Comparison Builder::comparison(const ExprType& left, const ExprType& right) {
  return {effective_affinity(comparison_affinity(left, right)), collation_name(comparison_collation(left, right))};
}

std::string_view Builder::collation_name(const Collation& collation) {
  const auto name = canonical_collation(collation.name);
  if (name == binary_collation || name == "NOCASE" || name == "RTRIM") return name;
  return plan_.texts.keep(to_lower_ascii(name));
}

Expr Builder::build_expr(const ast::Expr& expr) {
  if (const auto* call = expr.as<ast::Call>()) return build_call(*call, type(expr));
  if (const auto folded = folded_value(expr))
    return literal(std::int64_t{*folded ? 1 : 0});  // its operands do not matter
  return std::visit(Overloaded{
                        [this](const auto& node) { return build_node(node); },
                        [](const ast::Call&) { return literal({}); },
                    },
                    expr.node);
}

std::vector<Expr> Builder::build_exprs(const std::vector<ast::Expr>& exprs) {
  std::vector<Expr> built;
  built.reserve(exprs.size());
  for (const auto& expr : exprs) built.push_back(build_expr(expr));
  return built;
}

std::vector<Expr> Builder::build_conjuncts(const ast::Expr& expr) {
  std::vector<Expr> conjuncts;
  if (const auto folded = folded_value(expr)) {
    conjuncts.push_back(literal(std::int64_t{*folded ? 1 : 0}));
    return conjuncts;
  }
  const auto add = [&](const auto& self, const ast::Expr& part) -> void {
    if (const auto* both = part.as<ast::Binary>(); both != nullptr && both->op == ast::BinaryOp::logical_and) {
      self(self, *both->left);
      self(self, *both->right);
      return;
    }
    auto built = build_expr(part);
    if (auto* terms = built.as<And>()) {  // from a row value
      for (auto& term : terms->terms) conjuncts.push_back(std::move(term));
    } else {
      conjuncts.push_back(std::move(built));
    }
  };
  add(add, expr);
  return conjuncts;
}

namespace {

// Whether all versions of SQLite read the decimal number well enough. They do not always choose the nearest real: 3.40
// reads 0.87964059 as the one below. But they keep the order of numbers of up to 15 digits, since these are further
// apart than the error, and they read whole numbers of up to 18 digits exactly.
bool is_read_reliably(std::string_view text) {
  constexpr int exact_digits = 18;
  constexpr int exact_power = 22;  // the largest power of ten that a real holds exactly
  constexpr int largest_power = 290;
  constexpr int beyond_reals = 400;
  if (text == "9223372036854775808") return true;
  int digits = 0;  // without leading zeros
  int trailing_zeros = 0;
  int power = 0;
  bool in_fraction = false;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      in_fraction = true;
      continue;
    }
    if (in_fraction) --power;
    trailing_zeros = text[i] == '0' ? trailing_zeros + 1 : 0;
    if (digits > 0 || text[i] != '0') ++digits;
  }
  if (digits == 0) return true;
  if (i < text.size()) {
    ++i;
    if (i < text.size() && text[i] == '+') ++i;
    int exponent = 0;
    if (std::from_chars(text.data() + i, text.data() + text.size(), exponent).ec != std::errc() ||
        std::abs(exponent) > 100'000)
      return false;
    power += exponent;
  }
  if (std::abs(power + digits) > beyond_reals) return true;
  if (digits > exact_digits) return false;
  digits -= trailing_zeros;
  power += trailing_zeros;
  const int size = digits + power;  // of the number, as a power of ten
  if (power >= 0 && size <= exact_digits) return true;
  if (power >= -exact_power && size <= exact_power) return digits <= 15;
  return digits <= 13 && std::abs(size) <= largest_power;
}

// A real that SQLite may read otherwise than we do is left to SQLite: as a text that is multiplied by 1.0, which has no
// affinity either.
Expr number_or_text(const ast::Literal& node) {
  Value value = node.value();
  if (!std::holds_alternative<double>(value)) return literal(std::move(value));
  std::string digits;
  for (const char c : node.text) {
    if (c != '_') digits += c;
  }
  if (is_read_reliably(digits)) return literal(std::move(value));
  return {Binary{ast::BinaryOp::multiply, literal(Value(std::move(digits))), literal(Value(1.0))}};
}

}  // namespace

Expr Builder::build_node(const ast::Literal& node) {
  using Kind = ast::Literal::Kind;
  switch (node.kind) {
    case Kind::current_date: return {Function{"current_date", {}, binary_collation, nullptr}};
    case Kind::current_time: return {Function{"current_time", {}, binary_collation, nullptr}};
    case Kind::current_timestamp: return {Function{"current_timestamp", {}, binary_collation, nullptr}};
    default: return number_or_text(node);
  }
}

Expr Builder::build_node(const ast::ColumnRef& node) {
  const auto& binding = resolution_.binding(node);
  switch (binding.kind) {
    case ColumnBinding::Kind::column:
      // Where views have rowids at all (ResolveOptions::rowid_in_views), they are NULL.
      if (binding.column.column == trustsql::ColumnId::rowid && binding.column.relation->query != nullptr) {
        plan_.reads_rowid_of_subquery = true;
        return literal({});
      }
      return column(attribute_of(binding.column));
    case ColumnBinding::Kind::coalesce: {
      Function coalesce{"coalesce", {}, binary_collation, FunctionTable::latest().find("coalesce", 2)};
      coalesce.arguments.push_back(column(attribute_of(binding.column)));
      for (const auto& other : binding.more) coalesce.arguments.push_back(column(attribute_of(other)));
      return {std::move(coalesce)};
    }
    case ColumnBinding::Kind::alias:
      return build_expr(*binding.select->columns[static_cast<std::size_t>(binding.item)].expr);
    case ColumnBinding::Kind::string: return literal(Value(node.column.text));
    case ColumnBinding::Kind::boolean:
      return literal(std::int64_t{equals_ignore_case(node.column.text, "true") ? 1 : 0});
  }
  return literal({});
}

Expr Builder::build_node(const ast::Parameter& node) {
  if (node.text != "?") return {Parameter{plan_.texts.keep(node.text)}};
  if (parameter_numbers_.empty()) {
    // A `?` gets the number after the largest so far, and so does a new name, in the order of the text
    // (https://sqlite.org/lang_expr.html#varparam).
    int largest = 0;
    std::vector<std::string_view> names;
    walk(*resolution_.query().node, [&](const ast::Parameter& parameter) {
      const std::string_view text = parameter.text;
      if (text == "?") {
        parameter_numbers_[&parameter] = ++largest;
      } else if (text.front() == '?') {
        int number = 0;
        std::from_chars(text.data() + 1, text.data() + text.size(), number);
        largest = std::max(largest, number);
      } else if (std::find(names.begin(), names.end(), text) == names.end()) {
        names.push_back(text);
        ++largest;
      }
    });
  }
  const auto found = parameter_numbers_.find(&node);
  const int number = found == parameter_numbers_.end() ? 1 : found->second;
  return {Parameter{plan_.texts.keep("?" + std::to_string(number))}};
}

Expr Builder::build_node(const ast::Unary& node) {
  if (node.op == ast::UnaryOp::plus) return build_expr(*node.operand);
  if (node.op == ast::UnaryOp::logical_not) return negation(build_expr(*node.operand));
  const ast::Expr* operand = &*node.operand;
  // From this version on, SQLite's parser makes -x of -(+x).
  constexpr int merges_signs_from = 3'046'000;
  if (resolution_.version() >= merges_signs_from) {
    while (const auto* plus = operand->as<ast::Unary>()) {
      if (plus->op != ast::UnaryOp::plus) break;
      operand = &*plus->operand;
    }
  }
  if (const auto* number = operand->as<ast::Literal>(); number != nullptr && node.op == ast::UnaryOp::minus) {
    const auto value = number->value();
    if (const auto* integer = std::get_if<std::int64_t>(&value))
      return literal(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*integer)));
    // SQLite reads -0.0 as one number, which is not 0 - 0.0.
    if (const auto* real = std::get_if<double>(&value); real != nullptr && number_or_text(*number).is<Literal>()) {
      // The one integer that has no positive counterpart.
      if (number->kind == ast::Literal::Kind::integer && *real == 9223372036854775808.0 &&
          number->text == "9223372036854775808") {
        return literal(std::numeric_limits<std::int64_t>::min());
      }
      return literal(-*real);
    }
  }
  return {Unary{node.op, build_expr(*node.operand)}};
}

namespace {

CompareOp compare_op(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::equal: return CompareOp::equal;
    case ast::BinaryOp::not_equal: return CompareOp::not_equal;
    case ast::BinaryOp::is: return CompareOp::is;
    case ast::BinaryOp::is_not: return CompareOp::is_not;
    case ast::BinaryOp::less: return CompareOp::less;
    case ast::BinaryOp::less_equal: return CompareOp::less_equal;
    case ast::BinaryOp::greater: return CompareOp::greater;
    default: return CompareOp::greater_equal;
  }
}

}  // namespace

// What SQLite takes for TRUE or FALSE behind IS: the words themselves, x IN (), and the name of a result column that is
// one of them. The number 1 is neither.
std::optional<bool> Builder::truth_literal(const ast::Expr& expr) const {
  if (const auto* in = expr.as<ast::In>()) {
    if (!resolution_.empty_in_is_truth() || !resolution_.is_dropped(expr)) return std::nullopt;
    return in->negated;
  }
  const auto* name = expr.as<ast::ColumnRef>();
  if (name == nullptr) return std::nullopt;
  const auto& binding = resolution_.binding(*name);
  if (binding.kind == ColumnBinding::Kind::boolean) return equals_ignore_case(name->column.text, "true");
  if (binding.kind != ColumnBinding::Kind::alias) return std::nullopt;
  return truth_literal(*binding.select->columns[static_cast<std::size_t>(binding.item)].expr);
}

Expr Builder::build_node(const ast::Binary& node) {
  using Op = ast::BinaryOp;
  if (node.op == Op::logical_and || node.op == Op::logical_or) {
    std::vector<Expr> terms;
    const auto add = [&](const auto& self, const ast::Expr& part) -> void {
      if (const auto* both = part.as<ast::Binary>(); both != nullptr && both->op == node.op) {
        self(self, *both->left);
        self(self, *both->right);
      } else {
        terms.push_back(build_expr(part));
      }
    };
    add(add, *node.left);
    add(add, *node.right);
    return node.op == Op::logical_and ? conjunction(std::move(terms)) : disjunction(std::move(terms));
  }
  if (node.op < Op::equal || node.op > Op::greater_equal)
    return {Binary{node.op, build_expr(*node.left), build_expr(*node.right)}};
  const auto op = compare_op(node.op);
  const ast::Expr* right = node.right.get();
  while (const auto* collated = right->as<ast::Collate>()) right = collated->operand.get();  // SQLite ignores it here
  if (op == CompareOp::is || op == CompareOp::is_not)
    if (const auto truth = truth_literal(*right))
      return {IsTruth{build_expr(*node.left), *truth, op == CompareOp::is_not}};
  return build_compare(op, *node.left, *node.right);
}

Expr Builder::build_compare(CompareOp op, const ast::Expr& left, const ast::Expr& right) {
  if (is_row(left) || is_row(right)) return build_row_compare(op, left, right);
  return compare(op, build_expr(left), build_expr(right), comparison(type(left), type(right)));
}

Expr Builder::build_node(const ast::IsNull& node) {
  if (const auto* row = node.operand->as<ast::Row>()) {
    // SQLite does not accept a row here; a resolved query has none.
    return is_null(build_expr(row->elements.front()), node.negated);
  }
  if (aggregate_depth_ > 0) {
    const ast::Expr* operand = node.operand.get();
    while (const auto* sign = operand->as<ast::Unary>()) operand = sign->operand.get();
    const auto* name = operand->as<ast::ColumnRef>();
    const auto* binding = name != nullptr ? resolution_.find_binding(*name) : nullptr;
    // In an aggregate over rows of an outer query, only a test of what is never NULL can name a column of an inner one.
    if (binding != nullptr && binding->kind == ColumnBinding::Kind::column && binding->depth < aggregate_depth_)
      return literal(std::int64_t{node.negated ? 1 : 0});
  }
  return is_null(build_expr(*node.operand), node.negated);
}

Expr Builder::build_node(const ast::Between& node) {
  if (is_row(*node.operand)) return build_row_between(node);
  Between between;
  between.operand = build_expr(*node.operand);
  between.negated = node.negated;
  between.low = build_expr(*node.low);
  between.high = build_expr(*node.high);
  between.low_how = comparison(type(*node.operand), type(*node.low));
  between.high_how = comparison(type(*node.operand), type(*node.high));
  return {std::move(between)};
}

Expr Builder::build_node(const ast::Like& node) {
  Like like{node.op, node.negated, build_expr(*node.operand), build_expr(*node.pattern), {}};
  if (node.escape) like.escape = build_expr(*node.escape);
  return {std::move(like)};
}

namespace {

// What the parser of SQLite takes for a constant: literals, parameters, and operators over them.
bool is_constant_when_parsed(const ast::Expr& expr) {
  bool constant = true;
  ast::walk(expr, ast::Overloaded{
                      [&](const ast::ColumnRef&) { constant = false; },
                      [&](const ast::Call&) { constant = false; },
                      [&](const ast::Query&) { constant = false; },
                  });
  return constant;
}

}  // namespace

Expr Builder::build_node(const ast::In& node) {
  if (const auto* list = std::get_if<std::vector<ast::Expr>>(&node.set)) {
    const auto& operand = type(*node.operand);
    auto collation = operand.collation;
    // SQLite makes x = +y of x IN (y), if y is constant: then a COLLATE in y counts. Newer versions make an exception
    // for a y that is a COLLATE itself.
    if (list->size() == 1 && is_constant_when_parsed(list->front()) &&
        (resolution_.collates_by_single_item() || !list->front().is<ast::Collate>()))
      collation = comparison_collation(operand, type(list->front()));
    return {InList{build_expr(*node.operand),
                   node.negated,
                   build_exprs(*list),
                   {effective_affinity(operand.affinity), collation_name(collation)}}};
  }
  const auto& set = resolution_.set(node);
  InSubquery in;
  in.negated = node.negated;
  if (const auto* row = node.operand->as<ast::Row>()) {
    in.operands = build_exprs(row->elements);
  } else {
    in.operands.push_back(build_expr(*node.operand));
  }
  const auto& set_columns = set.arms.back()->columns;
  auto operand_types = element_types(*node.operand);
  // A subquery of one column is no row: like any other expression it has no collation, not that of its column.
  if (operand_types.size() == 1) operand_types.front() = type(*node.operand);
  for (std::size_t i = 0; i < std::min(operand_types.size(), set_columns.size()); ++i) {
    in.how.push_back(comparison(operand_types[i], set_columns[i].type));
  }
  in.rel = build_query(set);
  return {std::move(in)};
}

Expr Builder::build_node(const ast::Case& node) {
  Case built;
  if (node.operand) built.operand = build_expr(*node.operand);
  for (const auto& branch : node.branches) {
    Branch copy;
    if (node.operand) copy.how = comparison(type(*node.operand), type(*branch.condition));
    copy.condition = build_expr(*branch.condition);
    copy.result = build_expr(*branch.result);
    built.branches.push_back(std::move(copy));
  }
  if (node.otherwise) built.otherwise = build_expr(*node.otherwise);
  return {std::move(built)};
}

Expr Builder::build_node(const ast::Cast& node) {
  const auto affinity = node.type.empty() ? Affinity::numeric : affinity_of_type(node.type);
  return {Cast{build_expr(*node.operand), plan_.texts.keep(node.type), affinity}};
}

Expr Builder::build_node(const ast::Collate& node) { return build_expr(*node.operand); }

Expr Builder::build_node(const ast::Subquery& node) {
  return {ScalarSubquery{build_query(resolution_.query(*node.query))}};
}

Expr Builder::build_node(const ast::Exists& node) {
  return {Exists{build_query(resolution_.query(*node.query)), false}};
}

Expr Builder::build_node(const ast::Row& node) { return {Row{build_exprs(node.elements)}}; }

}  // namespace trustsql::plan
