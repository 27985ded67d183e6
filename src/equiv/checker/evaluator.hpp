// The checker's own evaluation of scalar expressions, for one assignment of values to attributes at a time: SQLite's
// three-valued logic, comparisons by affinity and collation, arithmetic and the most common functions
// (https://sqlite.org/lang_expr.html, datatype3.html). It shares no code with the normaliser's constant folding.
//
// What it does not compute (subqueries, most functions, LIKE) is an uninterpreted function: an arbitrary value of the
// types that it can have, the same for the same name and operands. So two expressions that agree in enough worlds
// agree whatever these functions do.
#pragma once

#include <deque>
#include <optional>
#include <span>

#include "equiv/checker/json_reads.hpp"
#include "equiv/checker/values.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

class Evaluator {
 public:
  // `attributes`: by id; must outlive this.
  explicit Evaluator(std::span<const plan::Attribute> attributes) : attributes_(attributes) {}

  // Starts a new world: no attribute has a value, and uninterpreted functions have the values of the world `seed`.
  // Strings created before become invalid.
  void enter_world(std::uint64_t seed);
  // Gives `id` a value in this world; an attribute without one has an arbitrary value of its types.
  void assign(plan::AttributeId id, ValueView value);

  // The result is valid until the next world.
  ValueView value(const plan::Expr& expr);
  Truth truth(const plan::Expr& expr);

 private:
  ValueView of(const plan::Literal& n);
  ValueView of(const plan::Column& n);
  ValueView of(const plan::Parameter& n);
  ValueView of(const plan::Unary& n);
  ValueView of(const plan::Binary& n);
  ValueView of(const plan::Compare& n);
  ValueView of(const plan::RowCompare& n);
  ValueView of(const plan::And& n);
  ValueView of(const plan::Or& n);
  ValueView of(const plan::Not& n);
  ValueView of(const plan::IsNull& n);
  ValueView of(const plan::IsTruth& n);
  ValueView of(const plan::Between& n);
  ValueView of(const plan::InList& n);
  ValueView of(const plan::Like& n);
  ValueView of(const plan::Case& n);
  ValueView of(const plan::Cast& n);
  ValueView of(const plan::Function& n);
  ValueView of(const plan::Row& n);
  ValueView of(const plan::ScalarSubquery& n);
  ValueView of(const plan::Exists& n);
  ValueView of(const plan::InSubquery& n);

  // That of the database in this world.
  Encoding encoding() const;
  ValueView keep(std::string text);
  ValueView as_text(ValueView value);
  ValueView with_affinity(ValueView value, Affinity affinity);
  ValueView compared(plan::CompareOp op, const plan::Comparison& how, ValueView left, ValueView right);
  // What substr() takes of its first argument; nullopt if its other arguments are not as usual.
  std::optional<ValueView> part_of_argument(std::span<const ValueView> arguments);
  ValueView known_function(const plan::Function& n, std::span<const ValueView> arguments, bool& known);
  // An arbitrary value, as for other functions that are not computed.
  ValueView part_of_document(const JsonRead& read);
  // An arbitrary value of these types, the same for the same key.
  ValueView some(TypeSet types, std::uint64_t key) const;
  std::uint64_t key_of(std::uint64_t seed, std::span<const ValueView> values) const;

  std::span<const plan::Attribute> attributes_;
  std::uint64_t world_ = 0;
  std::vector<std::pair<plan::AttributeId, ValueView>> assigned_;
  std::deque<std::string> texts_;
};

// An upper bound of the types of `expr`, including NULL if it may be NULL when no attribute in `non_null` is.
TypeSet possible_types(const plan::Expr& expr, std::span<const plan::Attribute> attributes,
                       const plan::AttributeSet& non_null);

// Whether two values of `expr` that are equal under BINARY are the same in every respect: it does not yield both 1
// and 1.0, nor both 0.0 and -0.0.
bool has_one_spelling(const plan::Expr& expr, std::span<const plan::Attribute> attributes);
// The same for a value of `a` and one of `b`.
bool has_one_spelling(const plan::Expr& a, const plan::Expr& b, std::span<const plan::Attribute> attributes);

// Whether `affinity` may change a value of `expr`.
bool may_convert(const plan::Expr& expr, Affinity affinity, std::span<const plan::Attribute> attributes);

// Whether the two sides of a comparison are compared without conversion, under BINARY.
bool compares_plainly(const plan::Compare& compare, std::span<const plan::Attribute> attributes);

}  // namespace trustsql::equiv::checker
