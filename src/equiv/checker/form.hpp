// The form of a relation: what it does with its rows, regardless of the order in which the plan does it.
//
// Filters, inner joins, projections, left, semi- and anti-joins and subqueries in conditions are split into relations
// that are multiplied, relations that are looked up for each row, conditions and columns. Each of these can be done
// at any time once its attributes are available, so two relations of equal forms have the same rows. Other operators
// are leaves, with the forms of their inputs.
#pragma once

#include "equiv/checker/knowledge.hpp"

namespace trustsql::equiv::checker {

struct Form;

// An operator that is not split. If columns are identified by position, `shown` has those of each input.
struct Leaf {
  plan::Rel head{};  // without inputs
  std::vector<Form> inputs;
  std::vector<std::vector<plan::Expr>> shown{};
};

// A relation that is looked up for each row.
struct Lookup;

struct Form {
  std::vector<Leaf> leaves{};  // multiplied
  std::vector<Lookup> lookups;
  std::vector<plan::Expr> conditions{};
  std::vector<std::pair<plan::AttributeId, plan::Expr>> columns{};  // computed columns
  std::vector<plan::SortKey> order{};

  // `expr` over the columns of the leaves and lookups.
  plan::Expr resolved(plan::Expr expr) const;
};

struct Lookup {
  enum class Kind : std::uint8_t { left, semi, anti, scalar, lateral, lateral_left };
  Kind kind = Kind::left;
  Form matches{};  // includes the conditions of the match
};

// Whether the result of the aggregate may depend on the order of its rows.
bool looks_at_order(const plan::Aggregate& aggregate);

Form form_of(const plan::Rel& rel, const Given& given);

// Whether the rows of `a` and `b` are the same: equal forms, and the same values for each of `outputs`. `ordered`:
// they must also be in the same order, as far as they have one.
bool same_rows(const plan::Rel& a, const plan::Rel& b, const std::vector<plan::AttributeId>& outputs, bool ordered,
               const Given& given);

bool same_form(const Form& a, const Form& b, bool ordered, const Given& given);

// Whether a semi-join of `a` on `a_on` keeps the same rows as one of `b` on `b_on`.
bool same_existence(const plan::Rel& a, const std::vector<plan::Expr>& a_on, const plan::Rel& b,
                    const std::vector<plan::Expr>& b_on, const Given& given);

}  // namespace trustsql::equiv::checker
