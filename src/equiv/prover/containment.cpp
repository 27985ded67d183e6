// Relations as sets: containment by homomorphisms, and the consequences of semi- and anti-joins.
#include <algorithm>

#include "equiv/prover/unifier.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {
constexpr std::size_t max_set_blocks = 32;
constexpr std::size_t max_homomorphisms = 12;  // alternatives of which one must hold in each row
constexpr int max_containments = 12;           // nested
constexpr int max_subquery_comparisons = 6;    // nested
}  // namespace

bool Unifier::sets(const Rel& a, const Columns& a_columns, const Rel& b, const Columns& b_columns, bool identical) {
  if (a_columns.size() != b_columns.size()) return false;
  return contained(a, a_columns, b, b_columns, identical) && contained(b, b_columns, a, a_columns, identical);
}

// Whether each row of `part` is a row of `whole`.
bool Unifier::contained(const Rel& part, const Columns& part_columns, const Rel& whole, const Columns& whole_columns,
                        bool identical) {
  const Budget::Level level(budget_);
  if (!level || containments_ >= max_containments || !budget_.spend()) return false;
  const auto blocks = blocks_of_set(part, bindings_, max_set_blocks);
  const auto patterns = blocks_of_set(whole, bindings_, max_set_blocks);
  if (!blocks || !patterns) return false;
  std::vector<Expr> equal;
  for (std::size_t i = 0; i < part_columns.size(); ++i) {
    equal.push_back(compare(CompareOp::is, column(whole_columns[i]), column(part_columns[i])));
  }
  ++containments_;
  const bool holds = std::all_of(blocks->begin(), blocks->end(), [&](const Block& block) {
    return probe([&] {
      define_columns(block);
      auto tableau = tableau_of(block);
      return absurd(tableau) || has_homomorphism(tableau, *patterns, equal, identical);
    });
  });
  --containments_;
  return holds;
}

bool Unifier::find_homomorphism(Tableau& tableau, const Block& pattern, std::size_t leaf, Then then) {
  if (leaf == pattern.leaves.size()) return then();
  const Budget::Level level(budget_);
  if (!level || leaf > 40) return false;
  for (std::size_t i = 0; i < tableau.leaves.size(); ++i) {
    if (tableau.leaves[i]->node.index() != pattern.leaves[leaf]->node.index()) continue;
    if (!budget_.spend()) return false;
    if (attempt([&] {
          return match_leaf(*tableau.leaves[i], *pattern.leaves[leaf],
                            [&] { return find_homomorphism(tableau, pattern, leaf + 1, then); });
        })) {
      return true;
    }
  }
  return false;
}

// Whether in each row of the tableau one of the patterns is found, with `on` true.
bool Unifier::has_homomorphism(Tableau& tableau, const std::vector<Block>& patterns, const std::vector<Expr>& on,
                               bool identical) {
  // Try each pattern by itself; those that do not hold in all rows are kept and tried together.
  std::vector<std::vector<const Expr*>> candidates;
  const auto search = [&] {
    candidates.clear();
    for (const auto& pattern : patterns) {
      if (std::any_of(pattern.parts.begin(), pattern.parts.end(),
                      [](const Part& p) { return p.adds_columns() || p.kind == Part::Kind::exists; })) {
        continue;
      }
      const auto certificate = certificate_.pairs.size();
      const bool found = probe([&] {
        define_columns(pattern);
        return find_homomorphism(tableau, pattern, 0, [&] {
          std::vector<const Expr*> conditions;
          for (const auto& condition : on) {
            const Expr& applied = apply(condition);
            const auto* comparison = applied.as<Compare>();
            if (identical && comparison != nullptr &&
                !equal_is_identical(*comparison->left, *comparison->right, plan_)) {
              if (!tableau.conditions.same(*comparison->left, *comparison->right)) return false;
            } else {
              conditions.push_back(&applied);
            }
          }
          for (const auto* conjunct : pattern.conjuncts) conditions.push_back(&apply(*conjunct));
          std::vector<const Expr*> unproved;
          for (const auto* condition : conditions) {
            if (!follows(tableau, *condition)) unproved.push_back(condition);
          }
          if (!unproved.empty() && candidates.size() >= max_homomorphisms) return false;
          for (const auto& part : pattern.parts) {
            if (!entails_not(tableau, part)) return false;
          }
          if (unproved.empty()) return true;
          candidates.push_back(std::move(unproved));
          certify_since(certificate);
          return false;
        });
      });
      if (found) return true;
    }
    return candidates.size() > 1 && tableau.conditions.implies_one_of(candidates);
  };
  if (search()) return true;
  return chase_foreign_keys(tableau, patterns) && search();
}

// Whether each row of the tableau has a match in the semi-join.
bool Unifier::entails(Tableau& tableau, const Part& part) {
  const auto patterns = blocks_of_set(*part.rel, bindings_, max_set_blocks);
  return patterns && has_homomorphism(tableau, *patterns, *part.on);
}

// Whether no row of the tableau has a match in the anti-join: the tableau would be contradictory with one.
bool Unifier::entails_not(const Tableau& tableau, const Part& part) {
  const auto blocks = blocks_of_set(*part.rel, bindings_, max_set_blocks);
  if (!blocks || containments_ >= max_containments || !budget_.spend()) return false;
  ++containments_;
  const bool absurd_all = std::all_of(blocks->begin(), blocks->end(), [&](const Block& block) {
    return is_new(tableau, block) && probe([&] {
             define_columns(block);
             auto with_partner = tableau;
             add_to(with_partner, block);
             for (const auto& conjunct : *part.on) with_partner.conditions.assume(apply(conjunct));
             chase_keys(with_partner);
             return absurd(with_partner);
           });
  });
  --containments_;
  return absurd_all;
}

// Whether the tableau has no rows: its conditions contradict each other, or an anti-join excludes all rows.
bool Unifier::absurd(Tableau& tableau) {
  if (tableau.conditions.contradictory()) return true;
  for (std::size_t i = 0; i < tableau.parts.size(); ++i) {
    const auto part = tableau.parts[i];
    if (part.kind != Part::Kind::not_exists) continue;
    const auto patterns = blocks_of_set(*part.rel, bindings_, max_set_blocks);
    if (patterns && containments_ < max_containments && budget_.spend()) {
      ++containments_;
      const bool found = has_homomorphism(tableau, *patterns, *part.on);
      --containments_;
      if (found) return true;
    }
  }
  return false;
}

bool Unifier::same_subquery(const Expr& expr, const Rel& a, const Rel& b) {
  if (a == b) return true;
  AttributeSet of_a;
  AttributeSet of_b;
  add_produced(a, of_a);
  add_produced(b, of_b);
  // Two copies of one subquery under different bindings share the attributes that they produce.
  if (of_a.intersects(of_b)) return false;
  // Comparing them may require comparing the subqueries in them, and new copies of these.
  const Budget::Level level(budget_);
  if (!level || subquery_comparisons_ >= max_subquery_comparisons || !budget_.spend()) return false;
  const auto a_columns = outputs(a);
  const auto b_columns = outputs(b);
  ++subquery_comparisons_;
  const bool same_value = probe([&] {
    define_projections(a, bindings_);
    define_projections(b, bindings_);
    if (expr.is<InSubquery>()) return sets(a, a_columns, b, b_columns, true);
    if (expr.is<Exists>()) return contained(a, {}, b, {}, false) && contained(b, {}, a, {}, false);
    if (a_columns.size() != b_columns.size()) return false;
    return bags(a, b, [&] {
      auto given = context(a);
      for (std::size_t i = 0; i < a_columns.size(); ++i) {
        if (!given.same(apply(a_columns[i]), apply(b_columns[i]))) return false;
      }
      return true;
    });
  });
  --subquery_comparisons_;
  return same_value;
}

}  // namespace trustsql::equiv
