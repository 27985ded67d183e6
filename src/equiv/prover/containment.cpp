#include "equiv/prover/containment.hpp"

#include <algorithm>

#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {
constexpr std::size_t max_set_blocks = 32;
constexpr std::size_t max_homomorphisms = 12;  // alternatives of which one must hold in each row
constexpr std::size_t max_mapped_leaves = 40;  // of a pattern
constexpr int max_containments = 12;           // nested
constexpr int max_refutations = 1;             // nested
}  // namespace

bool Containment::contained(const Rel& part, const Columns& part_columns, const Rel& whole,
                            const Columns& whole_columns, bool identical) {
  const Budget::Level level(state_.budget());
  if (!level || containments_ >= max_containments || !state_.budget().spend()) return false;
  const auto blocks = blocks_of_set(part, state_.bindings(), max_set_blocks);
  const auto patterns = blocks_of_set(whole, state_.bindings(), max_set_blocks);
  if (!blocks || !patterns) return false;
  std::vector<Expr> equal;
  for (std::size_t i = 0; i < part_columns.size(); ++i) {
    equal.push_back(compare(CompareOp::is, column(whole_columns[i]), column(part_columns[i])));
  }
  ++containments_;
  const bool holds = std::all_of(blocks->begin(), blocks->end(), [&](const FlatBlock& block) {
    return state_.probe([&] {
      state_.define_columns(block);
      auto tableau = chase_.tableau_of(block);
      return absurd(tableau) || has_homomorphism(tableau, {*patterns, equal, identical});
    });
  });
  --containments_;
  return holds;
}

// --- consequences

bool Containment::follows(Tableau& tableau, const Expr& conjunct) {
  if (tableau.conditions.implies(conjunct)) return true;
  const bool has_anti = std::any_of(tableau.parts.begin(), tableau.parts.end(),
                                    [](const BlockPart& part) { return part.kind == BlockPart::Kind::not_exists; });
  if (!has_anti || refutations_ >= max_refutations) return false;
  auto against = tableau;
  against.conditions.assume(conjunct, TruthSet::not_true());
  ++refutations_;
  const bool refuted = absurd(against);
  --refutations_;
  return refuted;
}

bool Containment::follows(Tableau& tableau, const std::vector<const Expr*>& conjuncts,
                          const std::vector<BlockPart>& parts) {
  for (const auto* conjunct : conjuncts) {
    if (!follows(tableau, state_.apply(*conjunct))) return false;
  }
  for (const auto& part : parts) {
    if (part.kind == BlockPart::Kind::exists && !entails(tableau, part)) return false;
    if (part.kind == BlockPart::Kind::not_exists && !entails_not(tableau, part)) return false;
  }
  return true;
}

// Whether each row of the tableau has a match in the semi-join.
bool Containment::entails(Tableau& tableau, const BlockPart& part) {
  const auto patterns = blocks_of_set(*part.rel, state_.bindings(), max_set_blocks);
  return patterns && has_homomorphism(tableau, {*patterns, *part.on, false});
}

// Whether no row of the tableau has a match in the anti-join: the tableau would be contradictory with one.
bool Containment::entails_not(const Tableau& tableau, const BlockPart& part) {
  const auto blocks = blocks_of_set(*part.rel, state_.bindings(), max_set_blocks);
  if (!blocks || containments_ >= max_containments || !state_.budget().spend()) return false;
  ++containments_;
  const bool all_absurd = std::all_of(blocks->begin(), blocks->end(), [&](const FlatBlock& block) {
    return chase_.is_new(tableau, block) && state_.probe([&] {
      state_.define_columns(block);
      auto with_partner = tableau;
      chase_.add(with_partner, block);
      for (const auto& conjunct : *part.on) with_partner.conditions.assume(state_.apply(conjunct));
      chase_.chase_keys(with_partner);
      return absurd(with_partner);
    });
  });
  --containments_;
  return all_absurd;
}

bool Containment::absurd(Tableau& tableau) {
  if (tableau.conditions.contradictory()) return true;
  for (std::size_t i = 0; i < tableau.parts.size(); ++i) {
    const auto part = tableau.parts[i];
    if (part.kind != BlockPart::Kind::not_exists) continue;
    const auto patterns = blocks_of_set(*part.rel, state_.bindings(), max_set_blocks);
    if (patterns && containments_ < max_containments && state_.budget().spend()) {
      ++containments_;
      const bool excluded = has_homomorphism(tableau, {*patterns, *part.on, false});
      --containments_;
      if (excluded) return true;
    }
  }
  return false;
}

bool Containment::absurd(const FlatBlock& block) {
  auto tableau = chase_.tableau_of(block);
  return absurd(tableau);
}

// --- homomorphisms

// Whether in each row of the tableau one of the patterns is found, with their conditions true.
bool Containment::has_homomorphism(Tableau& tableau, const Patterns& patterns) {
  if (find_patterns(tableau, patterns)) return true;
  return chase_.chase_foreign_keys(tableau, patterns.blocks) && find_patterns(tableau, patterns);
}

// Tries each pattern by itself; those that do not hold in all rows are then tried together.
bool Containment::find_patterns(Tableau& tableau, const Patterns& patterns) {
  std::vector<Conditions> candidates;
  for (const auto& pattern : patterns.blocks) {
    if (std::any_of(pattern.parts.begin(), pattern.parts.end(),
                    [](const BlockPart& p) { return p.adds_columns() || p.kind == BlockPart::Kind::exists; })) {
      continue;
    }
    const auto begin = state_.noted_pairs();
    const bool holds_in_all_rows = state_.probe([&] {
      state_.define_columns(pattern);
      return find_homomorphism(tableau, pattern, 0, [&] {
        const auto known = candidates.size();
        if (holds(tableau, pattern, patterns, candidates)) return true;
        if (candidates.size() > known) state_.certify_since(begin);
        return false;
      });
    });
    if (holds_in_all_rows) return true;
  }
  return candidates.size() > 1 && tableau.conditions.implies_one_of(candidates);
}

// Maps the leaves of the pattern from number `leaf` on to leaves of the tableau, regardless of the conditions.
bool Containment::find_homomorphism(Tableau& tableau, const FlatBlock& pattern, std::size_t leaf, Then then) {
  if (leaf == pattern.leaves.size()) return then();
  const Budget::Level level(state_.budget());
  if (!level || leaf > max_mapped_leaves) return false;
  for (std::size_t i = 0; i < tableau.leaves.size(); ++i) {
    if (tableau.leaves[i]->node.index() != pattern.leaves[leaf]->node.index()) continue;
    if (!state_.budget().spend()) return false;
    if (state_.attempt([&] {
          return leaves_.match(*tableau.leaves[i], *pattern.leaves[leaf],
                               [&] { return find_homomorphism(tableau, pattern, leaf + 1, then); });
        })) {
      return true;
    }
  }
  return false;
}

// Whether the pattern, with its leaves mapped, holds in all rows of the tableau. If it holds wherever some conditions
// are true, these are added to `candidates`.
bool Containment::holds(Tableau& tableau, const FlatBlock& pattern, const Patterns& patterns,
                        std::vector<Conditions>& candidates) {
  Conditions conditions;
  for (const auto& condition : patterns.on) {
    const Expr& applied = state_.apply(condition);
    const auto* comparison = applied.as<Compare>();
    if (patterns.identical && comparison != nullptr &&
        !equal_is_identical(*comparison->left, *comparison->right, state_.plan())) {
      if (!tableau.conditions.same(*comparison->left, *comparison->right)) return false;
    } else {
      conditions.push_back(&applied);
    }
  }
  for (const auto* conjunct : pattern.conjuncts) conditions.push_back(&state_.apply(*conjunct));
  Conditions unproved;
  for (const auto* condition : conditions) {
    if (!follows(tableau, *condition)) unproved.push_back(condition);
  }
  if (!unproved.empty() && candidates.size() >= max_homomorphisms) return false;
  for (const auto& part : pattern.parts) {
    if (!entails_not(tableau, part)) return false;
  }
  if (unproved.empty()) return true;
  candidates.push_back(std::move(unproved));
  return false;
}

}  // namespace trustsql::equiv
