// Claims about rows: what follows from conditions that are true, checked by trying values.
//
// A claim is accepted if it stands among the conditions, names of equal columns and the sides of comparisons aside.
// Else the columns are given values that could tell it wrong: NULL, the constants that occur and their neighbours,
// texts that look like numbers, blobs and so on, as far as the columns can hold them; all combinations where these are
// few, many of them where not. A claim is accepted if every choice that makes the conditions true makes it true. This
// is a test where not all choices are tried: a wrong claim that fails for few values only may pass. It shares no code
// with the prover's contexts and their theories.
//
// Subqueries, parameters and functions whose value is not known stand for some value that is the same for the same
// operands.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

// What the proof assumes of columns of tables: their attributes.
struct AssumedColumns {
  plan::AttributeSet integers;  // hold integers and NULL only
  plan::AttributeSet non_null;
};

class Claims {
 public:
  // Both must outlive this.
  Claims(const plan::Plan& plan, const AssumedColumns& assumed) : plan_(&plan), assumed_(&assumed) {}

  // A condition that is true in the rows in question.
  void add(plan::Expr condition);
  void add_non_null(plan::AttributeId id) { non_null_.add(id); }
  // All that `other` knows.
  void add_all(const Claims& other);
  // A row of a table: two that agree in a key are one. Must outlive this.
  void add_row(const plan::Scan& scan) { rows_.push_back(&scan); }

  bool true_of(const plan::Expr& condition);
  // Whether in each row all conditions of one of the lists are true.
  bool one_true_of(const std::vector<std::vector<plan::Expr>>& lists);
  // Whether the two have the same value; but for 1 and 1.0.
  bool identical(const plan::Expr& a, const plan::Expr& b);
  bool equal(const plan::Expr& a, const plan::Expr& b);
  // Whether there are no such rows.
  bool contradictory();

  // One of the columns that the conditions and keys make identical to `id`, the same for all of them.
  plan::AttributeId representative(plan::AttributeId id);
  // Whether a condition says that the column is not NULL; that it is a constant.
  bool is_non_null(plan::AttributeId id);
  bool is_constant(plan::AttributeId id);

 private:
  class Trial;

  void close();
  plan::AttributeId root(plan::AttributeId id) const;
  bool unite(plan::AttributeId a, plan::AttributeId b);
  bool unite_rows(const plan::Scan& a, const plan::Scan& b);
  std::string key(const plan::Expr& expr) const;

  const plan::Plan* plan_;
  const AssumedColumns* assumed_;
  std::vector<plan::Expr> conditions_;
  plan::AttributeSet non_null_;
  std::vector<const plan::Scan*> rows_;
  std::vector<plan::AttributeId> parents_;  // of classes of columns with identical values, by attribute
  std::unordered_set<std::string> keys_;    // of the conditions
  bool closed_ = false;
};

}  // namespace trustsql::equiv::checker
