// Relations taken apart for the checker: what is joined, filtered and computed, whatever the order.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

// What a join does for each row of its left side.
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
  std::map<plan::AttributeId, plan::Expr> definitions;  // of columns that projections compute
};

// The block of `rel` as a bag: a row of it is a row of each leaf for which the conditions are true and the companions
// are there.
JoinBlock join_block(const plan::Rel& rel);

// The blocks whose union `rel` is as a set (`as_set`: duplicates do not matter), or whose sum it is as a bag. nullopt
// if there are too many of them.
std::optional<std::vector<JoinBlock>> union_blocks(const plan::Rel& rel, bool as_set);

}  // namespace trustsql::equiv::checker
