#include "plan/rules/limit_simplification.hpp"

#include <algorithm>
#include <limits>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

const std::int64_t* integer(const Box<Expr>& expr) { return expr ? literal_as<std::int64_t>(*expr) : nullptr; }

// The number of rows that `rel` has at most, by a limit below; nullopt if there is none.
std::optional<std::int64_t> limit_below(const Rel& rel) {
  if (const auto* n = rel.as<Filter>()) return limit_below(*n->input);
  if (const auto* n = rel.as<Project>()) return limit_below(*n->input);
  if (const auto* n = rel.as<Sort>()) return limit_below(*n->input);
  if (const auto* n = rel.as<Distinct>()) return limit_below(*n->input);
  if (const auto* n = rel.as<Join>()) {
    const bool keeps_left = n->type == JoinType::semi || n->type == JoinType::anti;
    return keeps_left ? limit_below(*n->left) : std::nullopt;
  }
  const auto* limit = rel.as<Limit>();
  const auto* count = limit != nullptr ? integer(limit->count) : nullptr;
  constexpr std::int64_t largest = 1'000'000'000;
  return count != nullptr && *count >= 0 && *count <= largest ? std::optional(*count) : std::nullopt;
}

bool simplify_limit(Rel& rel, RuleContext& context) {
  auto* limit = rel.as<Limit>();
  const auto* count = integer(limit->count);
  if (count == nullptr || (limit->offset && integer(limit->offset) == nullptr)) return false;
  if (limit->offset && *integer(limit->offset) <= 0) {
    limit->offset = {};
    return true;
  }
  if (*count == 0) {
    const auto ids = outputs(rel);
    rel = Rel{Values{ids, {}}};
    return true;
  }
  const std::int64_t offset = limit->offset ? *integer(limit->offset) : 0;
  if (*count < 0 && offset == 0) {
    replace_by_descendant(rel, *limit->input);
    return true;
  }
  if (offset == 0 && context.single_row(context.facts(*limit->input))) {
    replace_by_descendant(rel, *limit->input);
    return true;
  }
  if (offset > 0 && context.single_row(context.facts(*limit->input))) {
    const auto ids = outputs(rel);
    rel = Rel{Values{ids, {}}};
    return true;
  }
  if (const auto most = limit_below(*limit->input)) {
    if (offset >= *most) {
      const auto ids = outputs(rel);
      rel = Rel{Values{ids, {}}};
      return true;
    }
    if (offset == 0 && (*count < 0 || *count >= *most)) {
      replace_by_descendant(rel, *limit->input);
      return true;
    }
  }
  auto* inner = limit->input->as<Limit>();
  if (inner == nullptr) return false;
  const auto* inner_count = integer(inner->count);
  if (inner_count == nullptr || (inner->offset && integer(inner->offset) == nullptr)) return false;
  const std::int64_t inner_offset = inner->offset ? std::max<std::int64_t>(*integer(inner->offset), 0) : 0;
  if (offset > std::numeric_limits<std::int64_t>::max() - inner_offset) return false;
  std::int64_t rows = *count;
  if (*inner_count >= 0) {
    const std::int64_t left = std::max<std::int64_t>(*inner_count - offset, 0);
    rows = rows < 0 ? left : std::min(rows, left);
  }
  Limit merged{std::move(*inner->input), literal(rows), {}};
  if (offset + inner_offset > 0) merged.offset = literal(offset + inner_offset);
  rel = Rel{std::move(merged)};
  return true;
}

}  // namespace

const Rule limit_simplification{
    .name = "limit_simplification",
    .kinds = rel_kinds<Limit>,
    .apply = simplify_limit,
    .example = limit_simplification_example,
};

}  // namespace trustsql::plan::rules
