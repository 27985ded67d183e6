// Blocks: relations as the unifier sees them, without the order of joins, filters and projections.
//
// The rows of a block are the combinations of a row of each leaf, and of a result of each part for these rows, for
// which all conjuncts are true. Inner joins, filters, and left, semi- and anti-joins can be applied in any order,
// because the effect of the latter on each row of the left side depends only on that row. What projections compute is
// not in the block: it defines attributes (bindings.hpp).
#pragma once

#include <optional>
#include <vector>

#include "equiv/prover/bindings.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

// The right side of a join that is evaluated for each row of the left side.
struct BlockPart {
  enum class Kind : std::uint8_t {
    exists,      // semi-join: rows with a match
    not_exists,  // anti-join: rows without a match
    optional,    // left join: each match, or NULLs if there is none
    scalar,      // Apply: the first row, or NULLs
    lateral,     // Apply: each row
  };
  Kind kind = Kind::exists;
  const plan::Rel* rel = nullptr;
  const std::vector<plan::Expr>* on = nullptr;

  bool adds_columns() const { return kind >= Kind::optional; }
};

struct FlatBlock {
  std::vector<const plan::Rel*> leaves;
  std::vector<const plan::Expr*> conjuncts;
  std::vector<BlockPart> parts;
  // In a block split from a UNION ALL: the expressions of its columns in this block.
  std::vector<std::pair<plan::AttributeId, const plan::Expr*>> columns{};
};

// The block of `rel` as a bag. Every operator other than an inner join, filter, projection or sort is a leaf.
FlatBlock block_of(const plan::Rel& rel);

// The blocks of which `rel`, as a set, is the union: DISTINCT and GROUP BY without aggregates are ignored, semi-joins
// become joins, UNION ALL is split. nullopt if there are more than `limit`. Expressions created for this are kept in
// `bindings`.
std::optional<std::vector<FlatBlock>> blocks_of_set(const plan::Rel& rel, Bindings& bindings, std::size_t limit);
// The blocks of which `rel`, as a bag, is the sum: UNION ALL below joins is split.
std::optional<std::vector<FlatBlock>> blocks_of_bag(const plan::Rel& rel, Bindings& bindings, std::size_t limit);

// Defines the columns of all projections in `rel`, at any depth.
void define_projections(const plan::Rel& rel, Bindings& bindings);

}  // namespace trustsql::equiv
