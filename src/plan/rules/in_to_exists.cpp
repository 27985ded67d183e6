#include "plan/rules/in_to_exists.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/unnesting.hpp"

namespace trustsql::plan::rules {

namespace {

bool turn_in_into_exists(Expr& expr, const ExprSite& site, RuleContext& context) {
  auto* in = expr.as<InSubquery>();
  if (in->operands.size() != in->how.size() || is_volatile(expr)) return false;
  if (!std::all_of(in->operands.begin(), in->operands.end(), is_copyable)) return false;
  const auto ids = outputs(*in->rel);
  if (!site.truth_only || in->negated) {
    const auto of_rows = context.facts(*in->rel);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!context.non_null(column(ids[i]), of_rows) || !context.non_null(in->operands[i], site.facts())) return false;
    }
  }
  std::vector<Expr> conditions;
  for (std::size_t i = 0; i < ids.size(); ++i)
    conditions.push_back(compare(CompareOp::equal, std::move(in->operands[i]), column(ids[i]), in->how[i]));
  strip_for_existence(*in->rel, conditions, context.plan());
  if (auto* filter = in->rel->as<Filter>()) {
    conditions.insert(conditions.begin(), filter->conjuncts.begin(), filter->conjuncts.end());
    replace_by_descendant(*in->rel, *filter->input);
  }
  Exists exists{with_filter(std::move(*in->rel), std::move(conditions)), in->negated};
  expr = Expr{std::move(exists)};
  return true;
}

}  // namespace

const Rule in_to_exists{
    .name = "in_to_exists",
    .kinds = expr_kinds<InSubquery>,
    .apply = turn_in_into_exists,
    .example = in_to_exists_example,
};

}  // namespace trustsql::plan::rules
