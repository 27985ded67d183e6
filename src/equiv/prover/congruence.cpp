#include "equiv/prover/congruence.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "plan/evaluate.hpp"
#include "plan/facts.hpp"
#include "plan/strictness.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

bool is_strict(const Expr& expr) {
  if (expr.is<Unary>() || expr.is<Not>() || expr.is<Cast>()) return true;
  if (const auto* n = expr.as<Binary>()) return n->op != ast::BinaryOp::arrow && n->op != ast::BinaryOp::double_arrow;
  if (const auto* n = expr.as<Compare>()) return n->op != CompareOp::is && n->op != CompareOp::is_not;
  if (const auto* n = expr.as<Like>()) {
    const bool known = (n->op == ast::LikeOp::like || n->op == ast::LikeOp::glob) &&
                       (!n->escape || literal_value(*n->escape) != nullptr);
    return known && literal_value(*n->pattern) != nullptr && !is_null_literal(*n->pattern) &&
           is_never_blob(*n->pattern);
  }
  if (const auto* n = expr.as<Function>())
    return n->info != nullptr && n->info->returns == SqlFunction::Returns::null_if_any;
  return false;
}

void Congruence::add_new_terms() {
  while (parent_.size() < terms_->size()) {
    const auto id = static_cast<TermId>(parent_.size());
    parent_.push_back(id);
    classes_.emplace_back();
    const auto& new_term = (*terms_)[id];
    if (const auto* value = literal_value(*new_term.expr)) {
      auto& new_class = classes_.back();
      new_class.value = value;
      if (value->index() == 0) {
        new_class.null = true;
        new_class.truth = TruthSet::null();
      } else {
        new_class.non_null = true;
        const auto truth = truth_of(*value);
        new_class.truth = !truth                 ? TruthSet::yes() | TruthSet::no()
                          : *truth == Truth::yes ? TruthSet::yes()
                                                 : TruthSet::no();
      }
    }
    if (!new_term.operands.empty()) changed_ = true;  // the term may be congruent to an existing one
  }
}

TermId Congruence::find(TermId term) {
  add_new_terms();
  while (parent_[term] != term) term = parent_[term] = parent_[parent_[term]];
  return term;
}

void Congruence::set_null(TermId id) {
  auto& term_class = classes_[find(id)];
  if (term_class.null) return;
  if (term_class.non_null) return fail();
  term_class.null = true;
  term_class.truth = term_class.truth & TruthSet::null();
  if (term_class.truth.empty()) return fail();
  ++version_;
  merge(id, terms_->intern_literal(Value{}));
}

void Congruence::set_non_null(TermId id) {
  const auto root = find(id);
  auto& term_class = classes_[root];
  if (term_class.non_null) return;
  if (term_class.null) return fail();
  term_class.non_null = true;
  term_class.truth = term_class.truth - TruthSet::null();
  if (term_class.truth.empty()) return fail();
  ++version_;
  changed_ = true;  // axioms may apply now
  // A NULL operand would have made a term NULL.
  const auto size = parent_.size();
  for (TermId other = 0; other < size; ++other) {
    if (find(other) != root || !is_strict(*(*terms_)[other].expr)) continue;
    const auto operands = (*terms_)[other].operands;
    for (const auto operand : operands) set_non_null(operand);
    if (contradiction_) return;
  }
}

void Congruence::restrict_truth(TermId id, TruthSet truth) {
  const auto root = find(id);
  const auto narrowed = classes_[root].truth & truth;
  if (narrowed.empty()) return fail();
  if (narrowed != classes_[root].truth) changed_ = true;
  classes_[root].truth = narrowed;
  if (!narrowed.has(TruthSet::null())) {
    set_non_null(root);
  } else if (narrowed == TruthSet::null()) {
    set_null(root);
  }
}

void Congruence::merge(TermId a, TermId b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  if (b < a) std::swap(a, b);
  const auto merged_class = classes_[b];
  parent_[b] = a;
  changed_ = true;
  ++version_;
  auto& kept_class = classes_[a];
  // Two literals are different terms because they are not identical (0.0 and -0.0 are treated as identical here).
  if (kept_class.value != nullptr && merged_class.value != nullptr &&
      !trustsql::equal(view(*kept_class.value), view(*merged_class.value)))
    return fail();
  if (kept_class.value == nullptr) kept_class.value = merged_class.value;
  const bool null = kept_class.null || merged_class.null;
  const bool non_null = kept_class.non_null || merged_class.non_null;
  kept_class.truth = kept_class.truth & merged_class.truth;
  if ((null && non_null) || kept_class.truth.empty()) return fail();
  // Apply it again, for the terms that were merged into the class.
  kept_class.null = kept_class.non_null = false;
  if (null) set_null(a);
  if (non_null) set_non_null(a);
}

void Congruence::close(FunctionRef<bool()> apply_axioms) {
  std::unordered_map<std::string, TermId> representatives;  // by operator and classes of the operands
  for (bool again = true; again && !contradiction_;) {
    again = changed_ = false;
    representatives.clear();
    add_new_terms();
    changed_ = false;
    if (!budget_->spend(1 + static_cast<int>(terms_->size() / 16))) return;
    for (TermId id = 0; id < terms_->size(); ++id) {
      const auto& current_term = (*terms_)[id];
      if (current_term.operands.empty()) continue;
      std::vector<TermId> operands;
      operands.reserve(current_term.operands.size());
      for (const auto operand : current_term.operands) operands.push_back(find(operand));
      if (current_term.commutes) std::sort(operands.begin(), operands.end());
      std::string key(reinterpret_cast<const char*>(&current_term.head), sizeof current_term.head);
      key.append(reinterpret_cast<const char*>(operands.data()), operands.size() * sizeof(TermId));
      const auto [representative, is_new] = representatives.emplace(std::move(key), id);
      if (!is_new && find(representative->second) != find(id)) {
        merge(representative->second, id);
        again = true;
      }
    }
    if (!contradiction_ && apply_axioms()) again = true;
    if (changed_) again = true;
  }
}

}  // namespace trustsql::equiv
