// Blocks: relations as the unifier sees them, the order of joins, filters and projections forgotten.
//
// The rows of a block are the combinations of a row of each leaf, and of each part's answer to them, for which all
// conjuncts are true. So much can stand in any order: inner joins and filters, and what a left, semi- or anti-join does
// to each row of its left side, which depends on that row alone. What projections compute is not in the block: it
// defines attributes (bindings.hpp).
#pragma once

#include <optional>
#include <vector>

#include "equiv/prover/bindings.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

// The right side of a join that looks at single rows.
struct Part {
  enum class Kind : std::uint8_t {
    exists,      // semi-join: rows with a partner
    not_exists,  // anti-join: rows without one
    optional,    // left join: each partner, or once NULLs
    scalar,      // Apply: the first row, or NULLs
    lateral,     // Apply: each row
  };
  Kind kind = Kind::exists;
  const plan::Rel* rel = nullptr;
  const std::vector<plan::Expr>* on = nullptr;

  bool adds_columns() const { return kind >= Kind::optional; }
};

struct Block {
  std::vector<const plan::Rel*> leaves;
  std::vector<const plan::Expr*> conjuncts;
  std::vector<Part> parts;
  // In a block out of a UNION ALL: what its columns are here.
  std::vector<std::pair<plan::AttributeId, const plan::Expr*>> columns{};
};

// The block of `rel` as a bag. Leaves are whatever is neither an inner join, a filter, a projection nor a sort.
Block block_of(const plan::Rel& rel);

// The blocks of which `rel`, as a set, is the union: DISTINCT and GROUP BY without aggregates are left out, semi-joins
// are joins, UNION ALL is taken apart. nullopt if there are more than `limit` of them. Expressions that are made on the
// way are kept in `bindings`.
std::optional<std::vector<Block>> blocks_of_set(const plan::Rel& rel, Bindings& bindings, std::size_t limit);
// The blocks of which `rel` is the sum as a bag: UNION ALL below joins is taken apart.
std::optional<std::vector<Block>> blocks_of_bag(const plan::Rel& rel, Bindings& bindings, std::size_t limit);

// Defines the columns of all projections in `rel`, at any depth.
void define_projections(const plan::Rel& rel, Bindings& bindings);

}  // namespace trustsql::equiv
