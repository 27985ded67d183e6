#include "sql/resolver/context.hpp"

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "sql/folding.hpp"

namespace trustsql::resolver {

int FromEntry::find_column(std::string_view column) const {
  for (std::size_t i = 0; i < column_count(); ++i) {
    if (equals_ignore_case(column_name(i), column)) return static_cast<int>(i);
  }
  return -1;
}

bool FromEntry::joins_using(std::string_view column) const {
  return std::any_of(using_names.begin(), using_names.end(),
                     [&](std::string_view name) { return equals_ignore_case(name, column); });
}

bool ResolverContext::fail(Diagnosis diagnosis) {
  if (limit_exceeded) return false;
  if (view_depth > 0) diagnosis.span = {};
  error = std::move(diagnosis);
  return false;
}

bool ResolverContext::fail(Diagnosis::Kind kind, std::string message, ast::Span span) {
  return fail({.kind = kind, .message = std::move(message), .span = span});
}

bool ResolverContext::exceed(std::string message) {
  fail(Diagnosis::Kind::limit, std::move(message));
  limit_exceeded = true;
  return false;
}

bool DepthGuard::ok() const {
  if (context_.depth > max_depth) return context_.exceed("the query and its views are nested too deeply");
  if (!context_.stack_left || context_.stack_used <= *context_.stack_left) return true;
  return context_.exceed("the query and its views are nested too deeply for the stack of this thread");
}

bool UniqueNames::has(std::string_view name) const {
  return std::any_of(taken_.begin(), taken_.end(),
                     [&](std::string_view other) { return equals_ignore_case(name, other); });
}

std::string_view UniqueNames::add(std::string_view name, FunctionRef<void(std::string_view)> taken) {
  constexpr int certain = 4;  // numbers; then SQLite goes on with random ones
  for (int count = 1; has(name); ++count) {
    taken(name);
    // An existing number is replaced.
    auto end = name.size();
    while (end > 1 && name[end - 1] >= '0' && name[end - 1] <= '9') --end;
    const auto stem = end > 0 && name[end - 1] == ':' ? name.substr(0, end - 1) : name;
    name = tables_.keep(std::string(stem) + ":" + std::to_string(count));
    tables_.has_doubtful_names = tables_.has_doubtful_names || count > certain;
  }
  taken_.push_back(name);
  return name;
}

std::string_view subquery_column_name(const Item& item, std::size_t index, bool resolved, ResolverContext& context) {
  std::string_view name = item.text;
  bool is_named = !name.empty();  // perhaps by ""
  if (item.has_alias) {
    name = item.alias;
    is_named = true;
  } else if (const auto* column = skip_collate(*item.expr, resolved ? &context.tables : nullptr).as<ast::ColumnRef>()) {
    const auto* declared = resolved ? context.declared_names.find(column) : nullptr;
    const auto* binding = resolved ? context.tables.bindings.find(column) : nullptr;
    if (declared != nullptr) name = *declared;
    if (!resolved) name = column->column.text;
    is_named = is_named || declared != nullptr || !resolved;
    if (binding != nullptr && binding->kind == ColumnBinding::Kind::coalesce) {
      // SQLite calls it by its text, with the parentheses and comments around it.
      context.tables.has_doubtful_names = true;
      if (!is_named) name = column->column.text;
      is_named = true;
    }
  }
  return is_named ? column_name(name, index, context) : context.tables.keep("column" + std::to_string(index + 1));
}

std::string_view column_name(std::string_view name, std::size_t index, ResolverContext& context) {
  const bool is_boolean = equals_ignore_case(name, "true") || equals_ignore_case(name, "false");
  return is_boolean ? context.tables.keep("column" + std::to_string(index + 1)) : name;
}

const ast::Expr& skip_collate(const ast::Expr& expr, const Resolution::Tables* functions) {
  const ast::Expr* operand = &expr;
  while (true) {
    if (const auto* collate = operand->as<ast::Collate>()) {
      operand = collate->operand.get();
      continue;
    }
    const auto* call = functions != nullptr ? operand->as<ast::Call>() : nullptr;
    const auto* binding = call != nullptr ? functions->calls.find(call) : nullptr;
    if (binding == nullptr || binding->function == nullptr || call->arguments.empty()) return *operand;
    const auto name = binding->function->name;
    if (name != "likely" && name != "unlikely" && name != "likelihood") return *operand;
    operand = &call->arguments.front();
  }
}

std::size_t row_size(const ast::Expr& expr, const ResolverContext& context) {
  if (const auto* row = expr.as<ast::Row>()) return row->elements.size();
  if (const auto* subquery = expr.as<ast::Subquery>()) {
    const auto* query = context.tables.query_of.find(subquery->query.get());
    const auto* work = query != nullptr ? context.work_of.find(*query) : nullptr;
    if (work != nullptr) return (*work)->arms.back()->items.size();
  }
  return 1;
}

namespace {

// Whether SQLite's parser makes a literal of the expression that is not NULL. From 3.53 on it replaces the test for
// NULL of such a literal by 0 or 1.
bool is_parsed_as_value(const ast::Expr& expr, int version) {
  if (const auto* literal = expr.as<ast::Literal>())
    return literal->kind < ast::Literal::Kind::current_date && literal->kind != ast::Literal::Kind::null;
  const auto* test = expr.as<ast::IsNull>();
  if (test == nullptr || version < 3'053'000) return expr.is<ast::Binary>() && is_dropped(expr, version);
  const ast::Expr* operand = test->operand.get();
  while (const auto* sign = operand->as<ast::Unary>()) {
    if (sign->op != ast::UnaryOp::plus && sign->op != ast::UnaryOp::minus) break;
    operand = sign->operand.get();
  }
  return is_parsed_as_value(*operand, version);
}

}  // namespace

std::optional<int> small_integer(const ast::Expr& expr, int version) {
  if (const auto* literal = expr.as<ast::Literal>()) {
    if (literal->kind != ast::Literal::Kind::integer) return std::nullopt;
    const Value value = literal->value();
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (integer == nullptr || *integer < 0 || *integer > std::numeric_limits<int>::max()) return std::nullopt;
    return static_cast<int>(*integer);
  }
  if (expr.is<ast::Binary>() && is_dropped(expr, version)) return 0;
  if (const auto* test = expr.as<ast::IsNull>(); test != nullptr && is_parsed_as_value(expr, version))
    return test->negated ? 1 : 0;
  if (const auto* unary = expr.as<ast::Unary>()) {
    if (unary->op != ast::UnaryOp::plus && unary->op != ast::UnaryOp::minus) return std::nullopt;
    const auto value = small_integer(*unary->operand, version);
    return value && unary->op == ast::UnaryOp::minus ? -*value : value;
  }
  return std::nullopt;
}

bool is_rowid_name(std::string_view name) {
  return equals_ignore_case(name, "_ROWID_") || equals_ignore_case(name, "ROWID") || equals_ignore_case(name, "OID");
}

}  // namespace trustsql::resolver
