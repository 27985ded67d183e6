#include "plan/rules/exists_to_semi_join.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/unnesting.hpp"

namespace trustsql::plan::rules {

namespace {

bool unnest_exists(Rel& rel, RuleContext& context) {
  auto* filter = rel.as<Filter>();
  auto* join = rel.as<Join>();
  if (join != nullptr && join->type != JoinType::inner) return false;
  auto& conjuncts = *conjuncts_of(rel);
  const auto found =
      std::find_if(conjuncts.begin(), conjuncts.end(), [](const Expr& c) { return c.is<Exists>() && !is_volatile(c); });
  if (found == conjuncts.end()) return false;
  Exists exists = std::move(*found->as<Exists>());
  conjuncts.erase(found);
  std::vector<Expr> on;
  strip_for_existence(*exists.rel, on, context.plan());
  if (const auto* aggregate = exists.rel->as<Aggregate>(); aggregate != nullptr && !aggregate->grouped) {
    // The aggregate has one row, whatever its input.
    conjuncts.push_back(literal(std::int64_t{exists.negated ? 0 : 1}));
    return true;
  }
  if (filter == nullptr) {
    rel = existence_join(std::move(rel), std::move(*exists.rel), std::move(on), exists.negated);
    return true;
  }
  auto rest = std::move(filter->conjuncts);
  Rel joined = existence_join(std::move(*filter->input), std::move(*exists.rel), std::move(on), exists.negated);
  rel = with_filter(std::move(joined), std::move(rest));
  return true;
}

}  // namespace

const Rule exists_to_semi_join{
    .name = "exists_to_semi_join",
    .kinds = rel_kinds<Filter, Join>,
    .apply = unnest_exists,
    .example = exists_to_semi_join_example,
};

}  // namespace trustsql::plan::rules
