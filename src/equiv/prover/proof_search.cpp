#include "equiv/prover/proof_search.hpp"

#include <algorithm>

#include "plan/dependencies.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

Joint join(Plan a, const Plan& b) {
  Joint joint{std::move(a), b.root};
  Renaming renaming;
  for (AttributeId id = 0; id < b.attributes.size(); ++id) renaming[id] = joint.plan.add_attribute(b.attributes[id]);
  rename(joint.b, renaming);
  return joint;
}

const Sort* order_of(const Rel& rel) {
  if (const auto* n = rel.as<Sort>()) return n;
  if (const auto* n = rel.as<Project>()) return order_of(*n->input);
  if (const auto* n = rel.as<Limit>()) return order_of(*n->input);
  return nullptr;
}

void add(std::vector<Assumption>& list, const std::vector<Assumption>& more) {
  for (const auto& assumption : more) {
    if (std::find(list.begin(), list.end(), assumption) == list.end()) list.push_back(assumption);
  }
}

ProofSearch::ProofSearch(const Joint& joint, const ProveOptions& options, const Assume& assume,
                         const std::vector<Assumption>& denied, Budget& budget)
    : plan_(joint.plan),
      a_(joint.plan.root),
      b_(joint.b),
      options_(options),
      assume_(assume),
      unifier_(plan_, assume, denied, budget) {
  unifier_.add(a_);
  unifier_.add(b_);
  a_columns_ = outputs(a_);
  b_columns_ = outputs(b_);
  const bool ordered = !options.rows_as_set && !options.rows_as_bag;
  a_order_ = ordered ? order_of(a_) : nullptr;
  b_order_ = ordered ? order_of(b_) : nullptr;
}

bool ProofSearch::succeeds() {
  if (a_columns_.size() != b_columns_.size()) {
    if (!unifier_.is_empty(a_) || !unifier_.is_empty(b_)) return false;
    how_ = "trivially: neither query has any";
    rows_ = checker::RowsCorrespond::none;
    return true;
  }
  if (unifier_.bags(a_, b_, [&] { return same_columns() && same_order(); })) {
    how_ = "row for row";
    return true;
  }
  if (!options_.rows_as_set && !(is_set(a_) && is_set(b_))) return false;
  if (!same_sets()) return false;
  how_ = "as sets: each row of one is a row of the other";
  rows_ = checker::RowsCorrespond::as_sets;
  return true;
}

std::optional<std::string> ProofSearch::rejected() {
  const auto assumed = assumptions();
  return checker::reject({.plan = plan_,
                          .a = a_,
                          .b = b_,
                          .how = rows_,
                          .ordered = a_order_ != nullptr && b_order_ != nullptr,
                          .any_column_order = options_.any_column_order,
                          .assumptions = assumed,
                          .certificate = unifier_.certificate()});
}

std::vector<std::string> ProofSearch::correspondence() const {
  std::vector<std::string> steps = unifier_.steps();
  steps.push_back("the rows correspond " + how_);
  return steps;
}

std::vector<Assumption> ProofSearch::assumptions() const {
  auto all = unifier_.assumptions();
  add(all, assumptions_);
  return all;
}

bool ProofSearch::same_columns() {
  auto given = unifier_.conditions_of(a_);
  const auto n = a_columns_.size();
  std::vector<bool> used(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    const auto same_column = [&](std::size_t k) {
      return given.equal(unifier_.apply(a_columns_[k]), unifier_.apply(b_columns_[i]));
    };
    std::size_t partner = i;
    if (used[i] || !same_column(i)) {
      if (!options_.any_column_order) return false;
      partner = 0;
      while (partner < n && (used[partner] || !same_column(partner))) ++partner;
      if (partner == n) return false;
    }
    used[partner] = true;
  }
  return true;
}

bool ProofSearch::same_order() {
  if (a_order_ == nullptr || b_order_ == nullptr) return true;
  return unifier_.same_order(*a_order_->input, a_order_->keys, b_order_->keys);
}

bool ProofSearch::is_set(const Rel& rel) {
  AttributeSet assumed;
  if (!is_superkey(output_set(rel), facts_of(rel, plan_), assume_.primary_key_not_null ? &assumed : nullptr))
    return false;
  assumed.for_each([&](AttributeId id) {
    const auto& attribute = plan_.attributes[id];
    if (attribute.table == nullptr) return;
    add(assumptions_,
        {Assumption{Assumption::Kind::primary_key_not_null, attribute.table->name, {std::string(attribute.name)}, {}}});
  });
  return true;
}

bool ProofSearch::same_sets() {
  std::vector<std::size_t> order(b_columns_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  constexpr std::size_t max_columns_to_permute = 4;
  do {
    std::vector<AttributeId> permuted;
    permuted.reserve(order.size());
    for (const auto i : order) permuted.push_back(b_columns_[i]);
    if (unifier_.sets(a_, a_columns_, b_, permuted, false)) {
      if (a_order_ == nullptr || b_order_ == nullptr) return true;
      unifier_.equate(a_columns_, permuted);
      if (same_order()) return true;
    }
  } while (options_.any_column_order && order.size() <= max_columns_to_permute &&
           std::next_permutation(order.begin(), order.end()));
  return false;
}

}  // namespace trustsql::equiv
