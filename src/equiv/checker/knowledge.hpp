// What the checker knows about the rows of a relation: which columns are never NULL, functional dependencies between
// columns, and what distinguishes rows. It is derived here again, from the catalog and the tree, and shares no code
// with plan/facts.hpp.
//
// Values agree if they are equal under BINARY or both NULL. What depends on an assumption counts only if the step
// that is checked declares that assumption.
#pragma once

#include <span>

#include "plan/facts.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

// Rows that agree on `from`, and have no NULL in `needs`, agree on `to`.
struct Determines {
  plan::AttributeSet from{};
  plan::AttributeSet to{};
  plan::AttributeSet needs{};
};

struct Knowledge {
  plan::AttributeSet columns{};
  plan::AttributeSet non_null{};
  std::vector<Determines> determines{};
  plan::AttributeSet row{};  // together they distinguish rows; may include columns that are not outputs
  bool rows_differ = false;  // false: nothing distinguishes rows
  bool has_rows = false;     // there is at least one row

  // Everything that `from` determines.
  plan::AttributeSet closure(plan::AttributeSet from) const;
  bool is_key(const plan::AttributeSet& attributes) const {
    return rows_differ && row.is_subset_of(closure(attributes));
  }
  bool has_one_row_at_most() const { return is_key({}); }
};

// What a step is checked against.
struct Given {
  std::span<const plan::Attribute> attributes{};    // by id
  std::span<const plan::Assumption> assumptions{};  // that the step may rely on
  bool tables_have_rows = false;

  bool may_be_null(const plan::Expr& expr, const plan::AttributeSet& non_null) const;
  bool assumes_not_null(plan::AttributeId id) const;
};

Knowledge knowledge_of(const plan::Rel& rel, const Given& given);

// Adds what holds where all conditions are true. Attributes that are not columns of the relation are constant.
void learn(Knowledge& knowledge, const std::vector<plan::Expr>& conditions, const Given& given);

// The attributes of which any one being NULL keeps `expr` from being true; with `value`, from being anything but
// NULL.
plan::AttributeSet null_sensitive(const plan::Expr& expr, bool value, const Given& given);

// Whether `condition` is not true if all of `nulls` are NULL together, whatever the other values are.
bool rejects_nulls(const plan::Expr& condition, const plan::AttributeSet& nulls, const Given& given);

}  // namespace trustsql::equiv::checker
