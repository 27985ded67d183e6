#include "plan/rules/like_prefix.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool compare_prefix(Expr& expr, const ExprSite&, RuleContext& context) {
  const auto& like = *expr.as<Like>();
  auto prefix = prefix_of_pattern(like);
  if (!prefix || !context.texts_only(*like.operand)) return false;
  auto beginning = part_of_text(*like.operand, 1, static_cast<std::int64_t>(prefix->size()));
  if (!beginning) return false;
  expr = compare(like.negated ? CompareOp::not_equal : CompareOp::equal, *std::move(beginning),
                 literal(Value(*std::move(prefix))));
  return true;
}

}  // namespace

const Rule like_prefix{
    .name = "like_prefix",
    .kinds = expr_kinds<Like>,
    .apply = compare_prefix,
    .example = like_prefix_example,
};

}  // namespace trustsql::plan::rules
