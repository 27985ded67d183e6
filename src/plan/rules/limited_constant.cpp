#include "plan/rules/limited_constant.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool take_any_row(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* limit = rel.as<Limit>();
  if (!is_integer_literal(*limit->count, 1) || limit->offset || is_volatile(*limit->input)) return false;
  const auto facts = context.facts(*limit->input);
  std::vector<AttributeId> used;
  for (const auto id : outputs(rel)) {
    if (!usage.positional && !usage.needed.contains(id)) continue;
    if (!equal_is_identical(column(id), context.plan()) || !context.determines({}, id, facts)) return false;
    used.push_back(id);
  }
  Rel rows = std::move(*limit->input);
  if (used.empty()) {
    rel = Rel{Aggregate{std::move(rows), true, {}, {}}};
  } else {
    rel = Rel{Distinct{with_outputs(std::move(rows), used)}};
  }
  return true;
}

}  // namespace

const Rule limited_constant{
    .name = "limited_constant",
    .kinds = rel_kinds<Limit>,
    .apply = take_any_row,
    .example = limited_constant_example,
};

}  // namespace trustsql::plan::rules
