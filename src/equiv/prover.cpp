#include "equiv/prover.hpp"

#include <algorithm>

#include "db/catalog.hpp"
#include "equiv/checker/rewrites.hpp"
#include "equiv/prover/determinism.hpp"
#include "equiv/prover/tolerance.hpp"
#include "equiv/prover/unifier.hpp"
#include "plan/normaliser.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// Two plans over one set of attributes.
struct Joint {
  Plan plan;  // its root is the first
  Rel b;
};

Joint join(Plan a, const Plan& b) {
  Joint joint{std::move(a), b.root};
  Renaming renaming;
  for (AttributeId id = 0; id < b.attributes.size(); ++id) renaming[id] = joint.plan.add_attribute(b.attributes[id]);
  rename(joint.b, renaming);
  return joint;
}

// The ORDER BY of the query itself.
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

// Whether each attribute has one operator that produces it, on which all that follows rests.
bool has_unique_attributes(const Rel& rel) {
  AttributeSet produced;
  bool unique = true;
  walk(rel, [&](const Rel& each) {
    for_each_produced(each, [&](AttributeId id) {
      unique = unique && !produced.contains(id);
      produced.add(id);
    });
  });
  return unique;
}

// A search for a correspondence of the rows of two normalised queries.
class Search {
 public:
  Search(const Joint& joint, const ProveOptions& options, const Assume& assume, const std::vector<Assumption>& denied, Budget& budget)
      : plan_(joint.plan), a_(joint.plan.root), b_(joint.b), options_(options), assume_(assume), unifier_(plan_, assume, denied, budget) {
    unifier_.add(a_);
    unifier_.add(b_);
    a_columns_ = outputs(a_);
    b_columns_ = outputs(b_);
    const bool ordered = !options.rows_as_set && !options.rows_as_bag;
    a_order_ = ordered ? order_of(a_) : nullptr;
    b_order_ = ordered ? order_of(b_) : nullptr;
  }

  bool succeeds() {
    if (a_columns_.size() != b_columns_.size()) {
      if (!unifier_.is_empty(a_) || !unifier_.is_empty(b_)) return false;
      how_ = "in that there are none";
      return true;
    }
    if (unifier_.bags(a_, b_, [&] { return same_columns() && same_order(); })) {
      how_ = "row for row";
      return true;
    }
    if (!options_.rows_as_set && !(is_set(a_) && is_set(b_))) return false;
    if (!same_sets()) return false;
    how_ = "as sets: each row of one is a row of the other";
    return true;
  }

  // In words.
  std::vector<std::string> correspondence() const {
    std::vector<std::string> steps = unifier_.pairs();
    steps.push_back("the rows correspond " + how_);
    return steps;
  }
  std::vector<Assumption> assumptions() const {
    auto all = unifier_.assumptions();
    add(all, assumptions_);
    return all;
  }

 private:
  bool same_columns() {
    auto given = unifier_.context(a_);
    const auto n = a_columns_.size();
    std::vector<bool> used(n, false);
    for (std::size_t i = 0; i < n; ++i) {
      const auto same = [&](std::size_t k) { return given.equal(unifier_.apply(a_columns_[k]), unifier_.apply(b_columns_[i])); };
      std::size_t found = i;
      if (used[i] || !same(i)) {
        if (!options_.any_column_order) return false;
        found = 0;
        while (found < n && (used[found] || !same(found))) ++found;
        if (found == n) return false;
      }
      used[found] = true;
    }
    return true;
  }

  bool same_order() {
    if (a_order_ == nullptr || b_order_ == nullptr) return true;
    return unifier_.same_order(*a_order_->input, a_order_->keys, b_order_->keys);
  }

  // Whether no row is there twice.
  bool is_set(const Rel& rel) {
    AttributeSet assumed;
    if (!is_superkey(output_set(rel), facts_of(rel, plan_), assume_.primary_key_not_null ? &assumed : nullptr)) return false;
    assumed.for_each([&](AttributeId id) {
      const auto& attribute = plan_.attributes[id];
      if (attribute.table == nullptr) return;
      add(assumptions_, {Assumption{Assumption::Kind::primary_key_not_null, attribute.table->name, {std::string(attribute.name)}, {}}});
    });
    return true;
  }

  bool same_sets() {
    std::vector<std::size_t> order(b_columns_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    constexpr std::size_t most_columns_to_permute = 4;
    do {
      std::vector<AttributeId> permuted;
      for (const auto i : order) permuted.push_back(b_columns_[i]);
      if (unifier_.sets(a_, a_columns_, b_, permuted, false)) {
        if (a_order_ == nullptr || b_order_ == nullptr) return true;
        unifier_.equate(a_columns_, permuted);
        if (same_order()) return true;
      }
    } while (options_.any_column_order && order.size() <= most_columns_to_permute && std::next_permutation(order.begin(), order.end()));
    return false;
  }

  Plan plan_;
  const Rel& a_;
  const Rel& b_;
  const ProveOptions& options_;
  Assume assume_;
  Unifier unifier_;
  std::vector<AttributeId> a_columns_;
  std::vector<AttributeId> b_columns_;
  const Sort* a_order_ = nullptr;
  const Sort* b_order_ = nullptr;
  std::vector<Assumption> assumptions_;
  std::string how_;
};

void add_firings(std::vector<ProofStep>& steps, const char* side, const Normalised& normalised) {
  for (const auto& firing : normalised.fired) {
    steps.push_back({std::string(side) + ": " + std::string(firing.rule) + (firing.times > 1 ? " (" + std::to_string(firing.times) + " times)" : ""),
                     firing.assumptions});
  }
}

// `of_a` and `of_b` were normalised with these assumptions.
ProofAttempt prove_normalised(const Normalised& of_a, const Normalised& of_b, const ProveOptions& options, const Assume& assume, Budget& budget) {
  const bool is_list = !options.rows_as_set && !options.rows_as_bag;
  if (is_list && (order_of(of_a.plan.root) == nullptr) != (order_of(of_b.plan.root) == nullptr))
    return {std::nullopt, {ProofGap::Kind::different_trees, "only one of them asks for an order of its rows"}};
  const bool same = same_tree(of_a.plan, of_b.plan);
  std::vector<Assumption> of_results;
  for (const auto* normalised : {&of_a, &of_b}) {
    auto gap = find_open_result(normalised->plan, assume, of_results);
    if (!gap) continue;
    if (same) gap->detail += "; but for that the queries are the same";
    return {std::nullopt, *std::move(gap)};
  }
  Proof proof;
  add_firings(proof.steps, "a", of_a);
  add_firings(proof.steps, "b", of_b);
  if (!of_results.empty()) proof.steps.push_back({"the results do not hang on the order of rows", of_results});
  if (same) {
    proof.steps.push_back({"both are the same now", {}});
  } else {
    const auto joint = join(of_a.plan, of_b.plan);
    if (!has_unique_attributes(joint.plan.root) || !has_unique_attributes(joint.b)) return {};
    std::vector<Assumption> denied;
    std::optional<Search> search;
    search.emplace(joint, options, assume, denied, budget);
    if (!search->succeeds()) return {};
    // Which of the assumptions does it take?
    auto steps = search->correspondence();
    auto assumed = search->assumptions();
    for (std::size_t i = 0; i < assumed.size() && !budget.exhausted();) {
      auto without = denied;
      without.push_back(assumed[i]);
      search.emplace(joint, options, assume, without, budget);
      if (search->succeeds() && !budget.exhausted()) {
        denied = std::move(without);
        steps = search->correspondence();
        assumed = search->assumptions();
        i = 0;
      } else {
        ++i;
      }
    }
    for (auto& step : steps) proof.steps.push_back({std::move(step), {}});
    proof.steps.back().assumptions = std::move(assumed);
  }
  for (const auto& step : proof.steps) add(proof.assumptions, step.assumptions);
  return {std::move(proof), {}};
}

// Less than all the assumptions that may be made, from none on.
std::vector<Assume> choices(const Assume& allowed) {
  std::vector<Assume> result;
  const auto add = [&](Assume choice) {
    if ((choice.primary_key_not_null && !allowed.primary_key_not_null) || (choice.foreign_keys && !allowed.foreign_keys) ||
        (choice.declared_types && !allowed.declared_types)) {
      return;
    }
    const bool all = choice.primary_key_not_null == allowed.primary_key_not_null && choice.foreign_keys == allowed.foreign_keys &&
                     choice.declared_types == allowed.declared_types;
    if (!all) result.push_back(choice);
  };
  add(Assume::nothing());
  add({.primary_key_not_null = true, .foreign_keys = false, .declared_types = false});
  add({.primary_key_not_null = false, .foreign_keys = true, .declared_types = false});
  add({.primary_key_not_null = false, .foreign_keys = false, .declared_types = true});
  add({.primary_key_not_null = true, .foreign_keys = true, .declared_types = false});
  return result;
}

// The plans with what the question lets pass worked in.
std::pair<Plan, Plan> with_tolerance(const Plan& a, const Plan& b, const ProveOptions& options, std::vector<ProofStep>& steps) {
  std::pair<Plan, Plan> both(a, b);
  if (options.letter_case_is_one && unify_letter_case(both.first, both.second)) steps.push_back({"texts in one case of letters", {}});
  if (!options.row_of_nothing_is_none) return both;
  const NormaliseOptions plain{.assume = Assume::nothing(), .deadline = options.deadline};
  auto of_a = normalise(both.first, plain).plan;
  auto of_b = normalise(both.second, plain).plan;
  // Rows that both have would have to be the same.
  const auto has_one_row = [](const Plan& plan) {
    const auto facts = facts_of(plan.root, plan);
    return facts.non_empty && at_most_one_row(facts);
  };
  if (has_one_row(of_a) == has_one_row(of_b)) return both;
  for (const bool first : {true, false}) {
    Plan& plan = first ? of_a : of_b;
    if (!has_one_row(plan) || !drop_row_of_nothing(plan)) continue;
    (first ? both.first : both.second) = std::move(plan);
    steps.push_back({std::string(first ? "a" : "b") + ": the row that is made of no rows goes", {}});
  }
  return both;
}

}  // namespace

ProofAttempt prove(const Plan& a_as_built, const Plan& b_as_built, const ProveOptions& options) {
  // Which part of a compound query comes first may matter to the types, but for the same query.
  const bool same_query = same_tree(a_as_built, b_as_built);
  for (const auto* plan : {&a_as_built, &b_as_built}) {
    if (auto gap = find_unreliable_form(*plan)) return {std::nullopt, *std::move(gap)};
    if (same_query) continue;
    if (auto gap = find_undefined_types(*plan)) return {std::nullopt, *std::move(gap)};
  }
  std::vector<ProofStep> tolerated;
  const auto both = with_tolerance(a_as_built, b_as_built, options, tolerated);
  const Plan& a = both.first;
  const Plan& b = both.second;
  // The steps of the search are large; what it pays for are small ones.
  constexpr int small_steps = 5;
  constexpr int most_steps = 1'000'000'000;
  Budget budget(options.max_steps > most_steps / small_steps ? most_steps : options.max_steps * small_steps);
  ProofAttempt attempt;
  // Whether `attempt` is the answer.
  const auto try_assuming = [&](const Normalised& of_a, const Normalised& of_b, const Assume& assume) {
    attempt = prove_normalised(of_a, of_b, options, assume, budget);
    if (budget.exhausted()) attempt = {std::nullopt, {ProofGap::Kind::too_large, "the search for a correspondence of rows takes too many steps"}};
    if (!attempt.proof) return budget.exhausted();
    const auto begun = std::chrono::steady_clock::now();
    int checked_steps = 0;
    for (const bool first : {true, false}) {
      const auto check = checker::check_rewrites(first ? a : b, first ? of_a : of_b);
      checked_steps += check.steps;
      if (!check.rejection) continue;
      attempt = {std::nullopt,
                 {ProofGap::Kind::rejected, std::string("the checker rejects a step of ") + (first ? "a" : "b") + ": " + *check.rejection}};
      break;
    }
    attempt.checked_steps = checked_steps;
    attempt.checking = std::chrono::steady_clock::now() - begun;
    return true;
  };
  const auto finished = [&](ProofAttempt found) {
    if (found.proof) found.proof->steps.insert(found.proof->steps.begin(), tolerated.begin(), tolerated.end());
    return found;
  };
  const auto normal = [&](const Plan& plan, const Assume& assume) {
    return normalise(plan, {.assume = assume, .deadline = options.deadline, .record = true});
  };
  const auto of_a = normal(a, options.assume);
  const auto of_b = normal(b, options.assume);
  // Where the rules relied on something, it may be more than the proof takes.
  if (!of_a.assumptions.empty() || !of_b.assumptions.empty()) {
    for (const auto& assume : choices(options.assume)) {
      if (try_assuming(normal(a, assume), normal(b, assume), assume)) return finished(std::move(attempt));
    }
  }
  try_assuming(of_a, of_b, options.assume);
  return finished(std::move(attempt));
}

}  // namespace trustsql::equiv
