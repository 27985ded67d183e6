#include "equiv/prover/unifier.hpp"

#include <algorithm>

#include "plan/dependencies.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// The maximum number of leaves of a block; with more, the calls of the search would be nested too deeply.
constexpr std::size_t max_leaves = 400;
constexpr std::size_t max_bag_blocks = 16;
// The maximum nesting of conditions that are tried by assuming the opposite.
constexpr int max_refutations = 1;

// Whether each leaf of one block, and each part that adds columns, can have a counterpart in the other.
bool may_match_rows(const Block& to, const Block& from) {
  const auto wide_parts = [](const Block& block) {
    return std::count_if(block.parts.begin(), block.parts.end(), [](const Part& part) { return part.adds_columns(); });
  };
  return to.leaves.size() == from.leaves.size() && wide_parts(to) == wide_parts(from);
}

}  // namespace

Unifier::Unifier(Plan& plan, const Assume& assume, const std::vector<Assumption>& denied, Budget& budget)
    : plan_(plan),
      assume_(assume),
      denied_(denied),
      budget_(budget),
      bindings_(budget),
      same_subquery_([this](const Expr& expr, const Rel& a, const Rel& b) { return same_subquery(expr, a, b); }),
      terms_(same_subquery_),
      assume_integer_([this](AttributeId id) { return rely_on_integers(id); }) {}

void Unifier::certify_since(std::size_t certificate) {
  constexpr std::size_t max_groups = 1000;
  const auto& pairs = certificate_.pairs;
  if (pairs.size() == certificate || certificate_.groups.size() == max_groups) return;
  certificate_.groups.emplace_back(pairs.begin() + static_cast<std::ptrdiff_t>(certificate), pairs.end());
}

bool Unifier::bags(const Rel& to, const Rel& from, Then then) {
  const Budget::Level level(budget_);
  if (!level || !budget_.spend()) return false;
  return match_blocks(block_of(to), block_of(from), then) || match_sums(to, from, then);
}

bool Unifier::match_blocks(const Block& to, const Block& from, Then then) {
  if (to.leaves.size() > max_leaves || from.leaves.size() > max_leaves) return false;
  if (!may_match_rows(to, from)) {
    // Neither side has rows.
    return probe([&] { return absurd_block(to) && absurd_block(from); }) && then();
  }
  return match_rows(to, from, [&] { return same_conditions(to, from) && then(); });
}

// Pairs leaves, and parts that add columns, one to one, regardless of the conditions.
bool Unifier::match_rows(const Block& to, const Block& from, Then then) {
  if (!may_match_rows(to, from)) return false;
  std::vector<bool> used(to.leaves.size(), false);
  std::vector<bool> used_parts(to.parts.size(), false);
  return match_leaves(to, from, used, 0, [&] { return match_parts(to, from, used_parts, 0, then); });
}

bool Unifier::match_leaves(const Block& to, const Block& from, std::vector<bool>& used, std::size_t leaf, Then then) {
  const auto n = from.leaves.size();
  if (leaf == n) return then();
  const Budget::Level level(budget_);
  if (!level) return false;
  for (std::size_t i = 0; i < n; ++i) {
    // The leaves of two normalised trees tend to be in the same order.
    const auto candidate = (leaf + i) % n;
    if (used[candidate] || to.leaves[candidate]->node.index() != from.leaves[leaf]->node.index()) continue;
    if (!budget_.spend()) return false;
    used[candidate] = true;
    const bool success = attempt([&] {
      return match_leaf(*to.leaves[candidate], *from.leaves[leaf],
                        [&] { return match_leaves(to, from, used, leaf + 1, then); });
    });
    used[candidate] = false;
    if (success) return true;
  }
  return false;
}

bool Unifier::match_parts(const Block& to, const Block& from, std::vector<bool>& used, std::size_t part, Then then) {
  while (part < from.parts.size() && !from.parts[part].adds_columns()) ++part;
  if (part == from.parts.size()) return then();
  const Budget::Level level(budget_);
  if (!level) return false;
  for (std::size_t i = 0; i < to.parts.size(); ++i) {
    if (used[i] || to.parts[i].kind != from.parts[part].kind) continue;
    used[i] = true;
    const bool success = attempt([&] {
      return match_part(to, to.parts[i], from.parts[part], [&] { return match_parts(to, from, used, part + 1, then); });
    });
    used[i] = false;
    if (success) return true;
  }
  return false;
}

bool Unifier::match_part(const Block& to, const Part& to_part, const Part& from_part, Then then) {
  if (!budget_.spend()) return false;
  certificate_.pairs.push_back({to_part.rel, from_part.rel});
  // The condition of the join and those on the right side together determine the matches.
  const auto partners = [](const Part& part) {
    auto block = block_of(*part.rel);
    for (const auto& conjunct : *part.on) block.conjuncts.push_back(&conjunct);
    return block;
  };
  const auto to_partners = partners(to_part);
  const auto from_partners = partners(from_part);
  return match_rows(to_partners, from_partners, [&] {
    return attempt([&] {
      // They must be the same for rows of the rest that satisfy only the conditions on its leaves.
      Block around{to.leaves, {}, {}, {}};
      AttributeSet of_parts;
      for (const auto& part : to.parts) {
        if (part.adds_columns()) add_produced(*part.rel, of_parts);
      }
      for (const auto* conjunct : to.conjuncts) {
        if (!references(apply(*conjunct)).intersects(of_parts) && !references(*conjunct).intersects(of_parts))
          around.conjuncts.push_back(conjunct);
      }
      if (!same_conditions(to_partners, from_partners, &around)) return false;
      if (to_part.kind != Part::Kind::lateral) {
        auto tableau = tableau_of(to_partners);
        if (!bind_nullable(tableau.context, *to_part.rel, *from_part.rel)) return false;
      }
      return then();
    });
  });
}

// Whether `expr`, over columns of `rel`, is NULL if all of these are NULL.
bool Unifier::is_null_on_nulls(const Expr& expr, const Rel& rel) {
  if (expr.is<plan::Column>()) return true;
  AttributeSet produced;
  add_produced(rel, produced);
  const auto used = references(expr);
  if (!used.is_subset_of(produced)) return false;
  const Expr& null = bindings_.keep(literal(Value{}));
  Context nulls(plan_, terms_, budget_, assume_integer_);
  used.for_each([&](AttributeId id) { nulls.assume_same(bindings_.keep(column(id)), null); });
  return nulls.same(expr, null);
}

// The columns of a null-extended relation that stand for themselves above it: they, not the expressions that compute
// them, are NULL in a row of NULLs.
Unifier::Columns Unifier::filled_columns(const Rel& rel) {
  Columns filled;
  for (const auto id : outputs(rel)) {
    if (bindings_.is_defined(id) && !is_null_on_nulls(apply(id), rel)) filled.push_back(id);
  }
  return filled;
}

// Binds the columns of a null-extended relation.
bool Unifier::bind_nullable(Context& context, const Rel& to, const Rel& from) {
  struct Computed {
    AttributeId id;
    const Expr* expr;
  };
  const auto filled = filled_columns(to);
  std::vector<Computed> computed;
  for (const auto id : filled) computed.push_back({id, &apply(id)});
  std::vector<std::pair<AttributeId, const Expr*>> bound;
  for (const auto id : outputs(from)) {
    const auto& expr = apply(id);
    if (is_null_on_nulls(expr, to)) {
      bound.emplace_back(id, &expr);
      continue;
    }
    const auto same =
        std::find_if(computed.begin(), computed.end(), [&](const Computed& c) { return context.same(*c.expr, expr); });
    bound.emplace_back(id, &bindings_.keep(column(same != computed.end() ? same->id : plan_.add_attribute_like(id))));
  }
  close_columns(filled);
  for (const auto& [id, expr] : bound) bindings_.bind(id, *expr);
  return true;
}

void Unifier::close_columns(const Columns& columns) {
  for (const auto id : columns) {
    if (bindings_.is_defined(id)) bindings_.bind(id, id);
  }
}

void Unifier::equate(const Columns& a, const Columns& b) {
  close_columns(a);
  for (std::size_t i = 0; i < a.size(); ++i) bindings_.bind(b[i], a[i]);
}

// --- conditions

bool Unifier::follows(Tableau& tableau, const Expr& conjunct) {
  if (tableau.context.implies(conjunct)) return true;
  const bool has_anti = std::any_of(tableau.parts.begin(), tableau.parts.end(),
                                    [](const Part& part) { return part.kind == Part::Kind::not_exists; });
  if (!has_anti || refutations_ >= max_refutations) return false;
  auto against = tableau;
  against.context.assume(conjunct, TruthSet::not_true());
  ++refutations_;
  const bool refuted = absurd(against);
  --refutations_;
  return refuted;
}

bool Unifier::follows(Tableau& tableau, const std::vector<const Expr*>& conjuncts, const std::vector<Part>& parts) {
  for (const auto* conjunct : conjuncts) {
    if (!follows(tableau, apply(*conjunct))) return false;
  }
  for (const auto& part : parts) {
    if (part.kind == Part::Kind::exists && !entails(tableau, part)) return false;
    if (part.kind == Part::Kind::not_exists && !entails_not(tableau, part)) return false;
  }
  return true;
}

// Whether, under the bindings, each side's conditions follow from the other's and from those of `around`.
bool Unifier::same_conditions(const Block& to, const Block& from, const Block* around) {
  if (from.conjuncts.empty() && to.conjuncts.empty() && from.parts.empty() && to.parts.empty()) return true;
  return probe([&] {
    const auto tableau_with = [&](const Block& block) {
      if (around == nullptr) return tableau_of(block);
      auto tableau = tableau_of(*around);
      if (!is_new(tableau, block)) budget_.exhaust();
      add_to(tableau, block);
      chase_keys(tableau);
      return tableau;
    };
    auto of_to = tableau_with(to);
    if (!follows(of_to, from.conjuncts, from.parts)) return false;
    auto of_from = tableau_with({to.leaves, from.conjuncts, from.parts, {}});
    return follows(of_from, to.conjuncts, to.parts);
  });
}

bool Unifier::absurd_block(const Block& block) {
  auto tableau = tableau_of(block);
  return absurd(tableau);
}

bool Unifier::is_empty(const Rel& rel) {
  return probe([&] {
    const auto blocks = blocks_of_bag(rel, bindings_, max_bag_blocks);
    return blocks && std::all_of(blocks->begin(), blocks->end(), [&](const Block& block) {
             return probe([&] {
               define_columns(block);
               return absurd_block(block);
             });
           });
  });
}

Context Unifier::context(const Rel& rel) { return tableau_of(block_of(rel)).context; }

// --- sums of blocks

// Joins with a UNION ALL are split: R JOIN (S UNION ALL T) = R JOIN S UNION ALL R JOIN T.
bool Unifier::match_sums(const Rel& to, const Rel& from, Then then) {
  const auto has_union = [](const Rel& rel) {
    bool has_one = false;
    const auto visit = [&](const auto& self, const Rel& node) -> void {
      if (node.is<SetOp>() || node.is<Values>()) has_one = true;
      for_each_rel(node, [&](const Rel& input) { self(self, input); });
    };
    visit(visit, rel);
    return has_one;
  };
  if (!has_union(to) && !has_union(from)) return false;
  const auto to_columns = outputs(to);
  const auto from_columns = outputs(from);
  if (to_columns.size() != from_columns.size()) return false;
  const bool same_sums = probe([&] {
    auto to_blocks = blocks_of_bag(to, bindings_, max_bag_blocks);
    auto from_blocks = blocks_of_bag(from, bindings_, max_bag_blocks);
    if (!to_blocks || !from_blocks) return false;
    const auto drop_absurd = [&](std::vector<Block>& blocks) {
      std::erase_if(blocks, [&](const Block& block) {
        return probe([&] {
          define_columns(block);
          return absurd_block(block);
        });
      });
    };
    drop_absurd(*to_blocks);
    drop_absurd(*from_blocks);
    if (to_blocks->size() != from_blocks->size()) return false;
    std::vector<bool> used(to_blocks->size(), false);
    return match_addends(*to_blocks, *from_blocks, to_columns, from_columns, used, 0);
  });
  if (!same_sums) return false;
  return attempt([&] {
    equate(to_columns, from_columns);
    return then();
  });
}

void Unifier::define_columns(const Block& block) {
  for (const auto& [id, expr] : block.columns) bindings_.define(id, *expr);
}

bool Unifier::match_addends(const std::vector<Block>& to, const std::vector<Block>& from, const Columns& to_columns,
                            const Columns& from_columns, std::vector<bool>& used, std::size_t addend) {
  if (addend == from.size()) return true;
  const Budget::Level level(budget_);
  if (!level) return false;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (used[i] || !budget_.spend()) continue;
    const bool same_addends = probe([&] {
      define_columns(to[i]);
      define_columns(from[addend]);
      return match_blocks(to[i], from[addend], [&] {
        auto tableau = tableau_of(to[i]);
        for (std::size_t c = 0; c < to_columns.size(); ++c) {
          if (!tableau.context.same(apply(to_columns[c]), apply(from_columns[c]))) return false;
        }
        return true;
      });
    });
    if (!same_addends) continue;
    used[i] = true;
    if (match_addends(to, from, to_columns, from_columns, used, addend + 1)) return true;
    used[i] = false;
  }
  return false;
}

// --- order

bool Unifier::same_order(const Rel& to, const std::vector<SortKey>& to_keys, const std::vector<SortKey>& from_keys) {
  auto given = context(to);
  const auto facts = facts_of(to, plan_);
  AttributeSet before;  // columns that the rows are already sorted by
  const auto is_superfluous = [&](const SortKey& key) {
    const auto& expr = apply(key.expr);
    return given.constant(expr) != nullptr ||
           (!is_volatile(expr) && !has_subquery(expr) && references(expr).is_subset_of(closure(before, facts)));
  };
  const auto note = [&](const SortKey& key) {
    const auto* id = column_id(apply(key.expr));
    if (id != nullptr && key.collation == binary_collation) before.add(*id);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < to_keys.size() || j < from_keys.size()) {
    const bool both = i < to_keys.size() && j < from_keys.size();
    if (both && to_keys[i].descending == from_keys[j].descending &&
        to_keys[i].nulls_first == from_keys[j].nulls_first && to_keys[i].collation == from_keys[j].collation &&
        same(given, to_keys[i].expr, from_keys[j].expr)) {
      note(to_keys[i]);
      ++i;
      ++j;
    } else if (i < to_keys.size() && is_superfluous(to_keys[i])) {
      ++i;
    } else if (j < from_keys.size() && is_superfluous(from_keys[j])) {
      ++j;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace trustsql::equiv
