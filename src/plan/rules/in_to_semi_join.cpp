#include "plan/rules/in_to_semi_join.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/unnesting.hpp"

namespace trustsql::plan::rules {

namespace {

bool fits(const Expr& conjunct) {
  const auto* in = conjunct.as<InSubquery>();
  return in != nullptr && in->operands.size() == in->how.size() &&
         std::all_of(in->operands.begin(), in->operands.end(), is_repeatable) && !is_volatile(conjunct);
}

bool unnest_in(Rel& rel, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* join = rel.as<Join>();
  if (join != nullptr && join->type != JoinType::inner) return false;
  auto& conjuncts = *conjuncts_of(rel);
  const auto found = std::find_if(conjuncts.begin(), conjuncts.end(), fits);
  if (found == conjuncts.end()) return false;
  InSubquery in = std::move(*found->as<InSubquery>());
  conjuncts.erase(found);
  const auto ids = outputs(*in.rel);
  std::vector<Expr> on;
  for (std::size_t i = 0; i < in.operands.size(); ++i)
    on.push_back(compare(CompareOp::equal, std::move(in.operands[i]), column(ids[i]), in.how[i]));
  if (in.negated) {
    IsTruth not_false{conjunction(std::move(on)), false, true};
    on = {};
    on.push_back(Expr{std::move(not_false)});
  }
  strip_for_existence(*in.rel, on, context.plan());
  if (filter == nullptr) {
    rel = existence_join(std::move(rel), std::move(*in.rel), std::move(on), in.negated);
    return true;
  }
  auto rest = std::move(filter->conjuncts);
  Rel joined = existence_join(std::move(*filter->input), std::move(*in.rel), std::move(on), in.negated);
  rel = with_filter(std::move(joined), std::move(rest));
  return true;
}

}  // namespace

const Rule in_to_semi_join{
    .name = "in_to_semi_join",
    .kinds = rel_kinds<Filter, Join>,
    .apply = unnest_in,
    .example = in_to_semi_join_example,
};

}  // namespace trustsql::plan::rules
