#include "plan/readings.hpp"

#include <algorithm>

#include "plan/walk.hpp"

namespace trustsql::plan {

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
    if (const auto* n = expr.as<Function>(); n != nullptr && (n->name == "abs" || n->name == "round"))
      take(n->arguments.front());
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

  // nullptr if the expression is not a column of texts.
  Use* use_of(const Expr& expr) {
    const auto* id = column_id(expr);
    if (id == nullptr) return nullptr;
    const auto& attribute = plan_.attributes[*id];
    if (attribute.table == nullptr || attribute.position < 0 || attribute.storage != Affinity::text) return nullptr;
    return &readings_.columns_[{attribute.table, attribute.position}];
  }

  void take(const Expr& expr, Reading reading = Reading::as_number) {
    if (auto* use = use_of(expr)) use->reading = std::max(use->reading, reading);
  }

  void compare(const Expr& expr, const Expr& other) {
    const auto* text = literal_as<std::string>(other);
    if (text == nullptr || is_number_text(*text, Reading::as_number)) return;
    if (auto* use = use_of(expr)) use->holds_other_texts = true;
  }

  const Plan& plan_;
  ColumnReadings& readings_;
};

void ColumnReadings::add(const Plan& plan) { Finder(plan, *this).find(); }

Reading ColumnReadings::of(const Table& table, int position) const {
  const auto use = columns_.find({&table, position});
  return use == columns_.end() || use->second.holds_other_texts ? Reading::as_text : use->second.reading;
}

bool ColumnReadings::holds_other_texts(const Table& table, int position) const {
  const auto use = columns_.find({&table, position});
  return use != columns_.end() && use->second.holds_other_texts;
}

bool ColumnReadings::are_mixed() const {
  return std::any_of(columns_.begin(), columns_.end(), [](const auto& column) {
    return column.second.holds_other_texts && column.second.reading != Reading::as_text;
  });
}

}  // namespace trustsql::plan
