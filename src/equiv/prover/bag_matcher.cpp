#include "equiv/prover/bag_matcher.hpp"

#include <algorithm>

#include "equiv/prover/null_extension.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// The maximum number of leaves of a block; with more, the calls of the search would be nested too deeply.
constexpr std::size_t max_leaves = 400;
constexpr std::size_t max_bag_blocks = 16;

// Whether each leaf of one block, and each part that adds columns, can have a counterpart in the other.
bool may_match_rows(const FlatBlock& to, const FlatBlock& from) {
  const auto wide_parts = [](const FlatBlock& block) {
    return std::count_if(block.parts.begin(), block.parts.end(),
                         [](const BlockPart& part) { return part.adds_columns(); });
  };
  return to.leaves.size() == from.leaves.size() && wide_parts(to) == wide_parts(from);
}

// The rows of the right side of a join that match a row of the left side.
FlatBlock partners_of(const BlockPart& part) {
  auto block = block_of(*part.rel);
  for (const auto& conjunct : *part.on) block.conjuncts.push_back(&conjunct);
  return block;
}

// Whether `rel` may be a sum of several blocks.
bool has_union(const Rel& rel) {
  if (rel.is<SetOp>() || rel.is<Values>()) return true;
  bool in_inputs = false;
  for_each_rel(rel, [&](const Rel& input) { in_inputs = in_inputs || has_union(input); });
  return in_inputs;
}

}  // namespace

bool BagMatcher::match(const Rel& to, const Rel& from, Then then) {
  const Budget::Level level(state_.budget());
  if (!level || !state_.budget().spend()) return false;
  return match_blocks(block_of(to), block_of(from), then) || match_sums(to, from, then);
}

// --- blocks

bool BagMatcher::match_blocks(const FlatBlock& to, const FlatBlock& from, Then then) {
  if (to.leaves.size() > max_leaves || from.leaves.size() > max_leaves) return false;
  if (!may_match_rows(to, from)) {
    // Neither side has rows.
    return state_.probe([&] { return containment_.absurd(to) && containment_.absurd(from); }) && then();
  }
  return match_rows(to, from, [&] { return same_conditions(to, from) && then(); });
}

// Pairs leaves, and parts that add columns, one to one, regardless of the conditions.
bool BagMatcher::match_rows(const FlatBlock& to, const FlatBlock& from, Then then) {
  if (!may_match_rows(to, from)) return false;
  std::vector<bool> used(to.leaves.size(), false);
  std::vector<bool> used_parts(to.parts.size(), false);
  return match_leaves(to, from, used, 0, [&] { return match_parts(to, from, used_parts, 0, then); });
}

// Pairs the leaves of `from` from number `leaf` on with those of `to` that are not used yet.
bool BagMatcher::match_leaves(const FlatBlock& to, const FlatBlock& from, std::vector<bool>& used, std::size_t leaf,
                              Then then) {
  const auto n = from.leaves.size();
  if (leaf == n) return then();
  const Budget::Level level(state_.budget());
  if (!level) return false;
  for (std::size_t i = 0; i < n; ++i) {
    // The leaves of two normalised trees tend to be in the same order.
    const auto candidate = (leaf + i) % n;
    if (used[candidate] || to.leaves[candidate]->node.index() != from.leaves[leaf]->node.index()) continue;
    if (!state_.budget().spend()) return false;
    used[candidate] = true;
    const bool success = state_.attempt([&] {
      return leaves_.match(*to.leaves[candidate], *from.leaves[leaf],
                           [&] { return match_leaves(to, from, used, leaf + 1, then); });
    });
    used[candidate] = false;
    if (success) return true;
  }
  return false;
}

// Pairs the parts of `from` that add columns, from number `part` on, with those of `to` that are not used yet.
bool BagMatcher::match_parts(const FlatBlock& to, const FlatBlock& from, std::vector<bool>& used, std::size_t part,
                             Then then) {
  while (part < from.parts.size() && !from.parts[part].adds_columns()) ++part;
  if (part == from.parts.size()) return then();
  const Budget::Level level(state_.budget());
  if (!level) return false;
  for (std::size_t i = 0; i < to.parts.size(); ++i) {
    if (used[i] || to.parts[i].kind != from.parts[part].kind) continue;
    used[i] = true;
    const bool success = state_.attempt([&] {
      return match_part(to, to.parts[i], from.parts[part], [&] { return match_parts(to, from, used, part + 1, then); });
    });
    used[i] = false;
    if (success) return true;
  }
  return false;
}

bool BagMatcher::match_part(const FlatBlock& to, const BlockPart& to_part, const BlockPart& from_part, Then then) {
  if (!state_.budget().spend()) return false;
  state_.note_pair(*to_part.rel, *from_part.rel);
  // The condition of the join and those on the right side together determine the matches.
  const auto to_partners = partners_of(to_part);
  const auto from_partners = partners_of(from_part);
  return match_rows(to_partners, from_partners, [&] {
    return state_.attempt([&] {
      // They must be the same for rows of the rest that satisfy only the conditions on its leaves.
      const auto around = without_parts(to);
      if (!same_conditions(to_partners, from_partners, &around)) return false;
      if (to_part.kind != BlockPart::Kind::lateral) {
        auto tableau = chase_.tableau_of(to_partners);
        bind_null_extended(state_, tableau.conditions, *to_part.rel, *from_part.rel);
      }
      return then();
    });
  });
}

// The leaves of a block, with the conditions that do not use columns of its parts.
FlatBlock BagMatcher::without_parts(const FlatBlock& block) {
  FlatBlock rest{block.leaves, {}, {}, {}};
  AttributeSet part_columns;
  for (const auto& part : block.parts) {
    if (part.adds_columns()) add_produced(*part.rel, part_columns);
  }
  for (const auto* conjunct : block.conjuncts) {
    if (!references(state_.apply(*conjunct)).intersects(part_columns) &&
        !references(*conjunct).intersects(part_columns))
      rest.conjuncts.push_back(conjunct);
  }
  return rest;
}

// Whether, under the bindings, each side's conditions follow from the other's and from those of `around`.
bool BagMatcher::same_conditions(const FlatBlock& to, const FlatBlock& from, const FlatBlock* around) {
  if (from.conjuncts.empty() && to.conjuncts.empty() && from.parts.empty() && to.parts.empty()) return true;
  return state_.probe([&] {
    const auto tableau_with = [&](const FlatBlock& block) {
      if (around == nullptr) return chase_.tableau_of(block);
      auto tableau = chase_.tableau_of(*around);
      if (!chase_.is_new(tableau, block)) state_.budget().exhaust();
      chase_.add(tableau, block);
      chase_.chase_keys(tableau);
      return tableau;
    };
    auto to_tableau = tableau_with(to);
    if (!containment_.follows(to_tableau, from.conjuncts, from.parts)) return false;
    auto from_tableau = tableau_with({to.leaves, from.conjuncts, from.parts, {}});
    return containment_.follows(from_tableau, to.conjuncts, to.parts);
  });
}

// --- sums of blocks

bool BagMatcher::is_absurd_addend(const FlatBlock& block) {
  return state_.probe([&] {
    state_.define_columns(block);
    return containment_.absurd(block);
  });
}

bool BagMatcher::is_empty(const Rel& rel) {
  return state_.probe([&] {
    const auto blocks = blocks_of_bag(rel, state_.bindings(), max_bag_blocks);
    return blocks &&
           std::all_of(blocks->begin(), blocks->end(), [&](const FlatBlock& block) { return is_absurd_addend(block); });
  });
}

// Joins with a UNION ALL are split: R JOIN (S UNION ALL T) = R JOIN S UNION ALL R JOIN T.
bool BagMatcher::match_sums(const Rel& to, const Rel& from, Then then) {
  if (!has_union(to) && !has_union(from)) return false;
  if (!state_.probe([&] { return same_sums(to, from); })) return false;
  return state_.attempt([&] {
    state_.equate(outputs(to), outputs(from));
    return then();
  });
}

bool BagMatcher::same_sums(const Rel& to, const Rel& from) {
  Sum to_sum{{}, outputs(to)};
  Sum from_sum{{}, outputs(from)};
  if (to_sum.columns.size() != from_sum.columns.size()) return false;
  auto to_blocks = blocks_of_bag(to, state_.bindings(), max_bag_blocks);
  auto from_blocks = blocks_of_bag(from, state_.bindings(), max_bag_blocks);
  if (!to_blocks || !from_blocks) return false;
  const auto drop_absurd = [&](std::vector<FlatBlock>& blocks) {
    std::erase_if(blocks, [&](const FlatBlock& block) { return is_absurd_addend(block); });
  };
  drop_absurd(*to_blocks);
  drop_absurd(*from_blocks);
  if (to_blocks->size() != from_blocks->size()) return false;
  to_sum.addends = *std::move(to_blocks);
  from_sum.addends = *std::move(from_blocks);
  std::vector<bool> used(to_sum.addends.size(), false);
  return match_addends(to_sum, from_sum, used, 0);
}

// Pairs the addends of `from` from number `addend` on with those of `to` that are not used yet.
bool BagMatcher::match_addends(const Sum& to, const Sum& from, std::vector<bool>& used, std::size_t addend) {
  if (addend == from.addends.size()) return true;
  const Budget::Level level(state_.budget());
  if (!level) return false;
  for (std::size_t i = 0; i < to.addends.size(); ++i) {
    if (used[i] || !state_.budget().spend()) continue;
    if (!state_.probe([&] { return same_addends(to, to.addends[i], from, from.addends[addend]); })) continue;
    used[i] = true;
    if (match_addends(to, from, used, addend + 1)) return true;
    used[i] = false;
  }
  return false;
}

bool BagMatcher::same_addends(const Sum& to, const FlatBlock& to_addend, const Sum& from,
                              const FlatBlock& from_addend) {
  state_.define_columns(to_addend);
  state_.define_columns(from_addend);
  return match_blocks(to_addend, from_addend, [&] {
    auto tableau = chase_.tableau_of(to_addend);
    for (std::size_t c = 0; c < to.columns.size(); ++c) {
      if (!tableau.conditions.same(state_.apply(to.columns[c]), state_.apply(from.columns[c]))) return false;
    }
    return true;
  });
}

}  // namespace trustsql::equiv
