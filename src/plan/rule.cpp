#include "plan/rule.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/dependencies.hpp"

namespace trustsql::plan {

void RuleContext::rely_on(Assumption assumption) {
  if (std::find(assumptions_.begin(), assumptions_.end(), assumption) == assumptions_.end())
    assumptions_.push_back(std::move(assumption));
}

void RuleContext::rely_on_not_null(const AttributeSet& columns) {
  columns.for_each([&](AttributeId id) {
    const auto& attribute = plan_.attributes[id];
    if (attribute.table != nullptr)
      rely_on({Assumption::Kind::primary_key_not_null, attribute.table->name, {std::string(attribute.name)}, {}});
  });
}

bool RuleContext::superkey(const AttributeSet& attributes, const Facts& facts) {
  AttributeSet assumed;
  if (!is_superkey(attributes, facts, assume_.primary_key_not_null ? &assumed : nullptr)) return false;
  rely_on_not_null(assumed);
  return true;
}

bool RuleContext::determines(const AttributeSet& attributes, AttributeId target, const Facts& facts) {
  if (closure(attributes, facts).contains(target)) return true;
  if (!assume_.primary_key_not_null) return false;
  AttributeSet assumed;
  if (!closure(attributes, facts, &assumed).contains(target)) return false;
  rely_on_not_null(assumed);
  return true;
}

bool RuleContext::non_null(const Expr& expr, const Facts& facts) {
  if (is_non_null(expr, plan_, facts.non_null)) return true;
  if (!assume_.primary_key_not_null || facts.assumed_non_null.empty()) return false;
  if (!is_non_null(expr, plan_, facts.non_null | facts.assumed_non_null)) return false;
  rely_on_not_null(references(expr) & facts.assumed_non_null);
  return true;
}

bool RuleContext::has_only(TypeSet type, Affinity stored, const Expr& expr) {
  if (types_of(expr, plan_, {}).without_null().is_subset_of(type)) return true;
  const auto* id = column_id(expr);
  if (id == nullptr || !assume_.declared_types) return false;
  const auto& attribute = plan_.attributes[*id];
  if (attribute.table == nullptr || attribute.position < 0 || attribute.storage != stored) return false;
  rely_on({Assumption::Kind::declared_type, attribute.table->name, {std::string(attribute.name)}, {}});
  return true;
}

bool RuleContext::reals_only(const Expr& expr) {
  if (has_only(types::real, Affinity::real, expr)) return true;
  // With one real operand the result is real.
  const auto* n = expr.as<Binary>();
  using Op = ast::BinaryOp;
  return n != nullptr && (n->op == Op::add || n->op == Op::subtract || n->op == Op::multiply || n->op == Op::divide) &&
         (reals_only(*n->left) || reals_only(*n->right));
}

bool RuleContext::texts_of_numbers(AttributeId id, Reading reading) {
  const auto& attribute = plan_.attributes[id];
  if (!assume_.number_texts || attribute.table == nullptr || attribute.position < 0 ||
      attribute.storage != Affinity::text)
    return false;
  ColumnReadings readings;
  readings.add(plan_);
  if (readings.holds_other_texts(*attribute.table, attribute.position)) return false;
  const auto kind = reading == Reading::as_integer ? Assumption::Kind::integer_text : Assumption::Kind::number_text;
  rely_on({kind, attribute.table->name, {std::string(attribute.name)}, {}});
  return true;
}

std::optional<Reading> RuleContext::dates_in(AttributeId id) const {
  const auto& attribute = plan_.attributes[id];
  if (!assume_.dates || attribute.table == nullptr) return std::nullopt;
  const auto found = std::ranges::find_if(*assume_.dates, [&](const DateColumn& column) {
    return column.table == attribute.table && column.position == attribute.position;
  });
  return found != assume_.dates->end() ? std::optional(found->reading) : std::nullopt;
}

void RuleContext::rely_on_dates(AttributeId id) {
  const auto& attribute = plan_.attributes[id];
  const auto kind =
      dates_in(id) == Reading::as_datetime ? Assumption::Kind::datetime_text : Assumption::Kind::date_text;
  rely_on({kind, attribute.table->name, {std::string(attribute.name)}, {}});
}

const Facts& ExprSite::facts() const {
  if (facts_) return *facts_;
  facts_.emplace();
  for_each_rel(*owner_, [&](const Rel& input) {
    auto input_facts = context_->facts(input);
    facts_->outputs |= input_facts.outputs;
    facts_->non_null |= input_facts.non_null;
    facts_->assumed_non_null |= input_facts.assumed_non_null;
  });
  if (outer_ != nullptr) {
    const auto& around = outer_->facts();
    facts_->non_null |= around.non_null;
    facts_->assumed_non_null |= around.assumed_non_null;
  }
  return *facts_;
}

}  // namespace trustsql::plan
