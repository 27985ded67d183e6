// Claims about rows: what follows from conditions that are true, checked by trying values.
//
// A claim is accepted if it is among the conditions, up to the names of equal columns and the sides of comparisons.
// Otherwise the columns are given values that could refute it: NULL, the constants that occur and their neighbours,
// text that looks like a number, blobs and so on, as far as the columns can hold them. If there are few combinations,
// all of them are tried; otherwise many are. A claim is accepted if every combination that makes the conditions true
// makes it true. Where not all combinations are tried, this is only a test: a wrong claim that fails for few values
// may pass. The code is independent of the prover's contexts and their theories.
//
// Subqueries, parameters and functions whose value is not known have an arbitrary value that is the same for the same
// operands.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

// What the proof assumes about columns of tables, as attributes.
struct AssumedColumns {
  plan::AttributeSet integers;  // hold only integers and NULL
  plan::AttributeSet non_null;
};

class Claims {
 public:
  // Both must outlive this.
  Claims(const plan::Plan& plan, const AssumedColumns& assumed) : plan_(&plan), assumed_(&assumed) {}

  // Adds a condition that is true in the rows in question.
  void add(plan::Expr condition);
  void add_non_null(plan::AttributeId id) { non_null_.add(id); }
  // Adds everything that `other` knows.
  void add_all(const Claims& other);
  // Adds a row of a table: two rows that agree in a key are the same row. `scan` must outlive this.
  void add_row(const plan::Scan& scan) { rows_.push_back(&scan); }

  bool true_of(const plan::Expr& condition);
  // Whether in each row all conditions of at least one list are true.
  bool one_true_of(const std::vector<std::vector<plan::Expr>>& lists);
  // Whether the two have the same value in every respect; equal() does not distinguish 1 from 1.0.
  bool identical(const plan::Expr& a, const plan::Expr& b);
  bool equal(const plan::Expr& a, const plan::Expr& b);
  // Whether no row can make all conditions true.
  bool contradictory();

  // A representative of the columns that the conditions and keys make identical to `id`.
  plan::AttributeId representative(plan::AttributeId id);
  // Whether a condition implies that the column is not NULL, or that it is a constant.
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
  std::vector<plan::AttributeId> parents_;  // union-find over columns with identical values, by attribute
  std::unordered_set<std::string> keys_;    // texts of the conditions
  bool closed_ = false;
};

}  // namespace trustsql::equiv::checker
