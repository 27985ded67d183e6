#include "equiv/prover/tolerance.hpp"

#include <map>
#include <string>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/aggregates.hpp"
#include "plan/evaluate.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

bool is_nothing(const Value& value) {
  const auto shown = view(value);
  return shown.is_null() || (shown.is_number() && equal(shown, ValueView::of_integer(0)));
}

bool is_stored(const Expr& expr, const Plan& plan) {
  const auto* id = column_id(expr);
  if (id == nullptr) return false;
  const auto& attribute = plan.attributes[*id];
  if (attribute.table == nullptr || attribute.table->kind != Table::Kind::table || attribute.position < 0) return false;
  return attribute.table->columns[static_cast<std::size_t>(attribute.position)].generated ==
         trustsql::Column::Generated::no;
}

std::string* text_of(Expr& expr) {
  auto* value = expr.as<Literal>();
  return value != nullptr ? std::get_if<std::string>(&value->value) : nullptr;
}

bool tests_equality(CompareOp op) {
  return op == CompareOp::equal || op == CompareOp::not_equal || op == CompareOp::is || op == CompareOp::is_not;
}

// Calls `visit` with the operands of each equality comparison of a stored column with text or another stored column.
class EqualityVisitor {
 public:
  using Visit = FunctionRef<void(Comparison& how, Expr& operand)>;
  EqualityVisitor(const Plan& plan, Visit visit) : plan_(plan), visit_(visit) {}

  void look_into(Rel& rel) {
    for_each_expr(rel, [&](Expr& expr) { look_into(expr); });
    for_each_rel(rel, [&](Rel& input) { look_into(input); });
  }

 private:
  void look_into(Expr& expr) {
    if (auto* n = expr.as<Compare>(); n != nullptr && tests_equality(n->op)) {
      if (is_stored(*n->left, plan_)) look_at(n->how, *n->right);
      if (is_stored(*n->right, plan_)) look_at(n->how, *n->left);
    } else if (auto* in = expr.as<InList>(); in != nullptr && is_stored(*in->operand, plan_)) {
      look_at(*in);
    }
    for_each_expr(expr, [&](Expr& operand) { look_into(operand); });
    for_each_rel(expr, [&](Rel& rel) { look_into(rel); });
  }

  void look_at(Comparison& how, Expr& other) {
    if (text_of(other) != nullptr || is_stored(other, plan_)) visit_(how, other);
  }

  // All items share one comparison, so all of them must be text or stored columns.
  void look_at(InList& in) {
    for (auto& item : in.items) {
      if (!item.is<Literal>() && !is_stored(item, plan_)) return;
    }
    for (auto& item : in.items) visit_(in.how, item);
  }

  const Plan& plan_;
  Visit visit_;
};

}  // namespace

bool remove_empty_aggregate_row(Plan& plan) {
  auto* project = plan.root.as<Project>();
  auto* aggregate = (project != nullptr ? *project->input : plan.root).as<Aggregate>();
  if (aggregate == nullptr || aggregate->grouped) return false;
  std::map<AttributeId, Expr> row;
  for (const auto& call : aggregate->calls) {
    auto value = value_over_empty_input(call);
    if (!value) return false;
    if (project == nullptr && !is_nothing(*value)) return false;
    row.emplace(call.id, literal(*std::move(value)));
  }
  if (project != nullptr) {
    for (const auto& item : project->items) {
      if (has_subquery(item.expr)) return false;
      Expr expr = item.expr;
      substitute(expr, [&](AttributeId id) -> const Expr* {
        const auto value = row.find(id);
        return value != row.end() ? &value->second : nullptr;
      });
      const auto value = evaluate(expr);
      if (!value || !is_nothing(*value)) return false;
    }
  }
  aggregate->grouped = true;
  return true;
}

bool unify_letter_case(Plan& a, Plan& b) {
  std::map<std::string, std::string> chosen;  // by the text in lower case
  for (auto* plan : {&a, &b}) {
    EqualityVisitor(*plan, [&](Comparison&, Expr& operand) {
      const auto* text = text_of(operand);
      if (text == nullptr) return;
      const auto [spelling, is_new] = chosen.try_emplace(to_lower_ascii(*text), *text);
      if (!is_new && *text < spelling->second) spelling->second = *text;
    }).look_into(plan->root);
  }
  bool changed = false;
  for (auto* plan : {&a, &b}) {
    EqualityVisitor(*plan, [&](Comparison& how, Expr& operand) {
      if (auto* text = text_of(operand)) {
        const auto& spelling = chosen.at(to_lower_ascii(*text));
        changed = changed || *text != spelling;
        *text = spelling;
      }
      if (how.collation == "NOCASE") {
        how.collation = binary_collation;
        changed = true;
      }
    }).look_into(plan->root);
  }
  return changed;
}

}  // namespace trustsql::equiv
