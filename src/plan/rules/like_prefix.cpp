#include "plan/rules/like_prefix.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The prefix that the pattern asks for; nullopt if it asks for something else, or if letter case might matter.
std::optional<std::string> prefix_of_pattern(const Expr& pattern) {
  const auto* value = literal_value(pattern);
  const auto* text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  if (text == nullptr || text->size() < 2 || !text->ends_with('%')) return std::nullopt;
  auto prefix = text->substr(0, text->size() - 1);
  const bool plain = std::none_of(prefix.begin(), prefix.end(), [](char c) {
    return c <= 0 || c == '%' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return plain ? std::optional(std::move(prefix)) : std::nullopt;
}

bool compare_prefix(Expr& expr, const ExprSite&, RuleContext& context) {
  auto& like = *expr.as<Like>();
  if (like.op != ast::LikeOp::like || like.escape) return false;
  auto prefix = prefix_of_pattern(*like.pattern);
  const auto* info = FunctionTable::latest().find("substr", 3);
  if (!prefix || info == nullptr || !context.texts_only(*like.operand)) return false;
  const auto length = static_cast<std::int64_t>(prefix->size());
  Function beginning;
  beginning.name = info->name;
  beginning.info = info;
  beginning.arguments.push_back(std::move(*like.operand));
  beginning.arguments.push_back(literal(std::int64_t{1}));
  beginning.arguments.push_back(literal(length));
  expr = compare(like.negated ? CompareOp::not_equal : CompareOp::equal, Expr{std::move(beginning)},
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
