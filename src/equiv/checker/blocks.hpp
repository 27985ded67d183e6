// Relations split into blocks for the checker: what is joined, filtered and computed, regardless of the order.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

// The right side of a join, evaluated for each row of the left side.
struct Companion {
  enum class Kind : std::uint8_t { semi, anti, left, scalar, lateral };
  Kind kind = Kind::semi;
  const plan::Rel* rel = nullptr;               // the right side
  const std::vector<plan::Expr>* on = nullptr;  // conditions

  bool adds_columns() const { return kind != Kind::semi && kind != Kind::anti; }
};

struct JoinBlock {
  std::vector<const plan::Rel*> leaves;
  std::vector<plan::Expr> conditions;
  std::vector<Companion> companions;
  std::map<plan::AttributeId, plan::Expr> definitions;  // of the columns that projections compute
};

// The block of `rel` as a bag: a row of it combines one row of each leaf such that the conditions are true and the
// companions match.
JoinBlock join_block(const plan::Rel& rel);

// The blocks whose union is `rel` as a set (`as_set`: duplicates do not matter), or whose sum is `rel` as a bag.
// nullopt if there are too many.
std::optional<std::vector<JoinBlock>> union_blocks(const plan::Rel& rel, bool as_set);

}  // namespace trustsql::equiv::checker
