// Values that SQLite computes, keeps or reads wrongly.
#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/sqlite_bug_patterns.hpp"
#include "plan/sqlite_bug_search.hpp"
#include "plan/types.hpp"

namespace trustsql::plan {

// Only a number or a blob is no text that stays what it is.
bool replaces_nothing(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* call = expr.as<Function>();
    if (call == nullptr || call->name != "replace" || call->arguments.size() != 3) return false;
    const auto* pattern = call->arguments[1].as<Literal>();
    const auto* text = pattern == nullptr ? nullptr : std::get_if<std::string>(&pattern->value);
    const bool is_text = pattern != nullptr && !std::holds_alternative<Blob>(pattern->value);
    if (is_text && (text == nullptr || !text->empty())) return false;
    return (types_of(call->arguments[0], plan, {}) & (types::number | types::blob)) != TypeSet();
  });
}

bool tests_bare_column_for_null(const Rel& rel, const Plan& plan) {
  const auto* aggregate = aggregate_below(rel);
  if (aggregate == nullptr || aggregate->grouped) return false;
  const auto is_bare = [&](const Expr& operand) {
    const auto* id = column_id(operand);
    return id != nullptr && !plan.attributes[*id].types.may_be_null() &&
           std::any_of(aggregate->calls.begin(), aggregate->calls.end(),
                       [id](const AggregateCall& call) { return call.is_bare() && call.id == *id; });
  };
  return any_value_within(rel, [&](const Expr& expr) {
    const auto* test = expr.as<IsNull>();
    if (test == nullptr) return false;
    const Expr* operand = test->operand.get();
    while (const auto* minus = operand->as<Unary>()) operand = minus->operand.get();
    return is_bare(*operand);
  });
}

bool takes_constant_of_no_rows(const Rel& rel, const Plan& plan) {
  const auto* aggregate = rel.as<Aggregate>();
  if (aggregate == nullptr || aggregate->grouped) return false;
  return std::any_of(aggregate->calls.begin(), aggregate->calls.end(), [&](const AggregateCall& call) {
    bool found = false;
    if (call.is_bare())
      references(call.arguments.front()).for_each([&](AttributeId id) {
        found = found || plan.attributes[id].table == nullptr;
      });
    return found;
  });
}

namespace {

// Whether the operator reads a column of a table for which `holds`.
template <class Holds>
bool reads_column(const Rel& rel, const Plan& plan, const Holds& holds) {
  const auto* scan = rel.as<Scan>();
  if (scan == nullptr || scan->table == nullptr) return false;
  const auto columns = outputs(rel);
  return std::any_of(columns.begin(), columns.end(), [&](AttributeId id) {
    const int position = plan.attributes[id].position;
    return position >= 0 && holds(scan->table->columns[static_cast<std::size_t>(position)]);
  });
}

}  // namespace

bool reads_hidden_nulls(const Rel& rel, const Plan& plan) {
  return reads_column(rel, plan, [](const trustsql::Column& column) { return column.may_hide_nulls; });
}

namespace {

// Whether a default may be an integer that is no real: it has as many digits as 2^53, or is written in hexadecimal.
bool may_be_no_real(std::string_view expression) {
  constexpr std::size_t most_digits = 15;
  std::size_t digits = 0;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    digits = expression[i] >= '0' && expression[i] <= '9' ? digits + 1 : 0;
    const bool hexadecimal =
        expression[i] == '0' && i + 1 < expression.size() && to_lower_ascii(expression[i + 1]) == 'x';
    if (digits > most_digits || hexadecimal) return true;
  }
  return false;
}

}  // namespace

bool reads_integer_defaults(const Rel& rel, const Plan& plan) {
  return reads_column(rel, plan, [](const trustsql::Column& column) {
    return column.affinity == Affinity::real && column.default_value && may_be_no_real(*column.default_value);
  });
}

bool keeps_hidden_column(const Rel& rel, const Plan& plan) {
  const auto* scan = rel.as<Scan>();
  const auto* function = rel.as<TableFunction>();
  const auto* table = scan != nullptr ? scan->table : function != nullptr ? function->table : nullptr;
  if (table == nullptr) return false;
  const auto columns = outputs(rel);
  const bool reads = std::any_of(columns.begin(), columns.end(), [&](AttributeId id) {
    const auto& attribute = plan.attributes[id];
    return attribute.position >= 0 && table->columns[static_cast<std::size_t>(attribute.position)].hidden &&
           attribute.affinity == Affinity::numeric;
  });
  bool keeps = false;
  if (reads) walk(plan.root, [&keeps](const Derived&) { keeps = true; });
  return keeps;
}

bool reads_virtual_real(const Rel& rel, const Plan& plan) {
  return reads_column(rel, plan, [](const trustsql::Column& column) {
    return column.generated == trustsql::Column::Generated::virtual_ && column.affinity == Affinity::real;
  });
}

bool reads_index_on_virtual_column(const Rel& rel, const Plan&) {
  const auto* scan = rel.as<Scan>();
  return scan != nullptr && scan->table != nullptr && scan->table->has_index_on_virtual_column;
}

bool reads_index_on_expression(const Rel& rel, const Plan&) {
  const auto* scan = rel.as<Scan>();
  return scan != nullptr && scan->table != nullptr && scan->table->has_index_on_expression;
}

bool slides_window(const Rel& rel, const Plan& plan) {
  const auto* window = rel.as<Window>();
  if (window == nullptr) return false;
  return std::any_of(window->calls.begin(), window->calls.end(), [&](const WindowCall& call) {
    if (!call.frame || call.frame->start.kind == ast::FrameBound::Kind::unbounded_preceding) return false;
    if (call.name == "min" || call.name == "max") return static_cast<bool>(call.filter);
    if (call.name == "sum" || call.name == "total" || call.name == "avg")
      return call.arguments.empty() ||
             (types_of(call.arguments.front(), plan, {}) & (types::real | types::text | types::blob)) != TypeSet();
    return call.name == "group_concat" || call.name == "string_agg" || call.name.starts_with("json");
  });
}

}  // namespace trustsql::plan
