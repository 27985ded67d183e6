// Which terms have the same value, and which are NULL: congruence closure over the terms of a row.
//
// Terms with identical values are kept in one class of a union-find structure; applying one operator to equal operands
// gives equal results (Downey, Sethi and Tarjan 1980; Nelson and Oppen 1980). 1 and 1.0 are equal but not identical:
// their terms are not merged. For each class it is known whether its value is NULL, whether it is not NULL, its truth
// as a condition, and the literal that it equals. An operator that is NULL on a NULL operand passes this on.
//
// A contradiction (a class that is NULL and not NULL, two different literals in one class) is kept as a flag, which
// nothing resets. Budget: a step for each pass over the terms, and one more for every 16 terms.
#pragma once

#include <cstdint>
#include <vector>

#include "equiv/prover/budget.hpp"
#include "equiv/prover/terms.hpp"
#include "equiv/prover/truth.hpp"

namespace trustsql::equiv {

class Congruence {
 public:
  // What is known of all terms of a class.
  struct Class {
    bool null = false;
    bool non_null = false;
    TruthSet truth = TruthSet::any();  // as a condition
    const Value* value = nullptr;      // the literal that they equal, if known
  };

  // Both must outlive this object and its copies.
  Congruence(Terms& terms, Budget& budget) : terms_(&terms), budget_(&budget) {}

  // The representative of the class of a term. Terms that have been interned since the last call are added first.
  TermId find(TermId term);
  TermId find(const plan::Expr& expr) { return find(terms_->intern(expr)); }
  // Valid until a term is added.
  const Class& class_of(TermId term) { return classes_[find(term)]; }
  // How many terms have been added, with the numbers 0 to size() - 1.
  std::size_t size() const { return parent_.size(); }

  // Adds that two terms have the same value, or are both NULL.
  void merge(TermId a, TermId b);
  void set_null(TermId term);
  void set_non_null(TermId term);
  // Adds that the truth of the term as a condition is in `truth`.
  void restrict_truth(TermId term, TruthSet truth);

  // Merges the terms that apply one operator to equal operands, until nothing changes. `apply_axioms` is called after
  // each pass: it adds what operators return for what is known of their operands, and returns whether anything changed.
  void close(FunctionRef<bool()> apply_axioms);

  // Adds that the assumptions contradict each other.
  void fail() { contradiction_ = true; }
  bool is_contradictory() const { return contradiction_; }

  // Whether something has changed since the last closure; such a change may make more terms equal.
  bool changed() const { return changed_; }
  bool has_new_terms() const { return parent_.size() < terms_->size(); }
  // For a change outside that a closure must see.
  void mark_changed() { changed_ = true; }
  // Grows with each change that concerns how values compare: two classes were merged, or NULL was decided.
  std::uint64_t version() const { return version_; }

 private:
  void add_new_terms();

  Terms* terms_;
  Budget* budget_;
  std::vector<TermId> parent_;
  std::vector<Class> classes_;  // by representative
  bool contradiction_ = false;
  bool changed_ = false;
  std::uint64_t version_ = 0;
};

// Whether a NULL operand makes the result of `expr` NULL, whatever the other operands are.
bool is_strict(const plan::Expr& expr);

}  // namespace trustsql::equiv
