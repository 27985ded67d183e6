#include "plan/readings.hpp"

#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "plan/column_kind.hpp"
#include "plan/date_text.hpp"
#include "plan/evaluate.hpp"
#include "plan/number_text.hpp"
#include "plan/walk.hpp"
#include "sql/functions.hpp"

namespace trustsql::plan {

namespace {

// Whether the function gives or shows the time of the day.
bool has_time_of_day(const Function& function) {
  if (function.name == "time" || function.name == "datetime") return true;
  const auto* format = function.name == "strftime" ? literal_as<std::string>(function.arguments.front()) : nullptr;
  if (format == nullptr) return false;
  for (std::size_t i = 0; i + 1 < format->size(); ++i) {
    if ((*format)[i] != '%') continue;
    ++i;
    if (std::string_view("HIMSfklpPRT").find((*format)[i]) != std::string_view::npos) return true;
  }
  return false;
}

// Whether the column is declared to hold something else than dates: NUMERIC, DECIMAL(10,2), BOOLEAN, TIME.
bool is_declared_otherwise(ColumnKind kind) {
  return kind == ColumnKind::number || kind == ColumnKind::boolean || kind == ColumnKind::time;
}

}  // namespace

bool is_read_as(std::string_view text, Reading reading) {
  switch (reading) {
    case Reading::as_text: return true;
    case Reading::as_number:
    case Reading::as_integer: return is_number_text(text, reading);
    case Reading::as_date: return is_date_text(text);
    case Reading::as_datetime: return is_datetime_text(text);
  }
  return true;
}

class ColumnReadings::Finder {
 public:
  Finder(const Plan& plan, ColumnReadings& readings) : plan_(plan), readings_(readings) {}

  void find() {
    walk(plan_.root, [&](const Expr& expr) { read(expr); });
    walk(plan_.root, [&](const Aggregate& aggregate) {
      for (const auto& call : aggregate.calls) {
        if (call.name == "sum" || call.name == "avg" || call.name == "total") take(call.arguments.front());
      }
    });
  }

 private:
  void read(const Expr& expr) {
    if (const auto* n = expr.as<Cast>(); n != nullptr && is_numeric(n->affinity))
      take(*n->operand, n->affinity == Affinity::integer ? Reading::as_integer : Reading::as_number);
    if (const auto* n = expr.as<Unary>()) take(*n->operand);
    if (const auto* n = expr.as<Binary>(); n != nullptr && is_arithmetic(n->op)) {
      take(*n->left);
      take(*n->right);
    }
    if (const auto* n = expr.as<Function>(); n != nullptr && !n->arguments.empty()) {
      if (n->name == "abs" || n->name == "round") take(n->arguments.front());
      if (FunctionTable::latest().is_date_function(n->name))
        take_date(n->arguments[n->name == "strftime" && n->arguments.size() > 1 ? 1 : 0], has_time_of_day(*n));
    }
    if (const auto* n = expr.as<Compare>()) {
      if (n->how.affinity == Affinity::numeric) {
        take(*n->left);
        take(*n->right);
      }
      compare(*n->left, *n->right);
      compare(*n->right, *n->left);
    }
    if (const auto* n = expr.as<InList>()) {
      for (const auto& item : n->items) compare(*n->operand, item);
    }
    if (const auto* n = expr.as<Between>()) {
      compare(*n->operand, *n->low);
      compare(*n->operand, *n->high);
    }
  }

  static bool is_arithmetic(ast::BinaryOp op) {
    return op == ast::BinaryOp::add || op == ast::BinaryOp::subtract || op == ast::BinaryOp::multiply ||
           op == ast::BinaryOp::divide || op == ast::BinaryOp::remainder;
  }

  // nullptr if the expression is not a column of a table whose affinity is one of these.
  Use* use_of(const Expr& expr, std::initializer_list<Affinity> affinities) {
    const auto* id = column_id(expr);
    if (id == nullptr) return nullptr;
    const auto& attribute = plan_.attributes[*id];
    if (attribute.table == nullptr || attribute.position < 0 ||
        std::find(affinities.begin(), affinities.end(), attribute.storage) == affinities.end())
      return nullptr;
    auto& use = readings_.columns_[key_of(*attribute.table, attribute.position)];
    use.table = attribute.table;
    return &use;
  }
  Use* use_as_number(const Expr& expr) { return use_of(expr, {Affinity::text}); }
  // A column declared as DATE has the affinity NUMERIC.
  Use* use_as_date(const Expr& expr) {
    return use_of(expr, {Affinity::text, Affinity::numeric, Affinity::blob, Affinity::none});
  }

  void take(const Expr& expr, Reading reading = Reading::as_number) {
    if (auto* use = use_as_number(expr)) use->number = std::max(use->number, reading);
  }
  void take_date(const Expr& expr, bool with_time) {
    if (auto* use = use_as_date(expr))
      use->date = std::max(use->date, with_time ? Reading::as_datetime : Reading::as_date);
  }

  void compare(const Expr& expr, const Expr& other) {
    const auto value = evaluate(other);  // such as date('2021-06-15')
    if (!value || view(*value).is_null()) return;
    const auto* text = std::get_if<std::string>(&*value);
    if (text != nullptr && !is_number_text(*text, Reading::as_number)) {
      if (auto* use = use_as_number(expr)) use->holds_other_texts = true;
    }
    if (text != nullptr && (is_date_text(*text) || is_datetime_text(*text))) {
      take_date(expr, is_datetime_text(*text));
    } else if (text == nullptr || !is_start_of_date(*text)) {
      if (auto* use = use_as_date(expr)) use->holds_other_than_dates = true;
    }
  }

  const Plan& plan_;
  ColumnReadings& readings_;
};

ColumnReadings::Key ColumnReadings::key_of(const Table& table, int position) {
  return {table.schema, table.name, position};
}

void ColumnReadings::add(const Plan& plan) { Finder(plan, *this).find(); }

Reading ColumnReadings::of(const Table& table, int position) const {
  const auto found = columns_.find(key_of(table, position));
  if (found == columns_.end()) return Reading::as_text;
  const auto& use = found->second;
  if (use.date != Reading::as_text) {
    const auto kind = kind_of(table.columns[static_cast<std::size_t>(position)]);
    if (use.holds_other_than_dates || use.number != Reading::as_text || is_declared_otherwise(kind))
      return Reading::as_text;
    return kind == ColumnKind::datetime ? Reading::as_datetime : use.date;
  }
  return use.holds_other_texts ? Reading::as_text : use.number;
}

bool ColumnReadings::holds_other_texts(const Table& table, int position) const {
  const auto use = columns_.find(key_of(table, position));
  return use != columns_.end() && use->second.holds_other_texts;
}

bool ColumnReadings::are_mixed() const {
  return std::any_of(columns_.begin(), columns_.end(), [](const auto& column) {
    return column.second.holds_other_texts && column.second.number != Reading::as_text;
  });
}

std::vector<DateColumn> ColumnReadings::dates() const {
  std::vector<DateColumn> dates;
  for (const auto& [column, use] : columns_) {
    const auto position = std::get<int>(column);
    const auto reading = of(*use.table, position);
    if (is_date(reading)) dates.push_back({use.table, position, reading});
  }
  std::sort(dates.begin(), dates.end(), [](const DateColumn& a, const DateColumn& b) {
    return std::tie(a.table->schema, a.table->name, a.position) < std::tie(b.table->schema, b.table->name, b.position);
  });
  return dates;
}

}  // namespace trustsql::plan
