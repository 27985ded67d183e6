// Expressions and relations as string keys: two that differ only in the ids of their own attributes have the same
// key.
#pragma once

#include <string>

#include "base/function_ref.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

// `name(id)`: the name of an attribute from outside; equal for attributes that have the same value.
using AttributeName = FunctionRef<std::uint32_t(plan::AttributeId)>;

std::string structure_text(const plan::Expr& expr, AttributeName name);
std::string structure_text(const plan::Rel& rel, AttributeName name);

}  // namespace trustsql::equiv::checker
