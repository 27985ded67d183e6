// Expressions and relations as keys: two that are the same but for the numbers of their own attributes have one text.
#pragma once

#include <string>

#include "base/function_ref.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

// `name(id)`: what an attribute from outside is called; equal for attributes that have the same value.
using AttributeName = FunctionRef<std::uint32_t(plan::AttributeId)>;

std::string structure_text(const plan::Expr& expr, AttributeName name);
std::string structure_text(const plan::Rel& rel, AttributeName name);

}  // namespace trustsql::equiv::checker
