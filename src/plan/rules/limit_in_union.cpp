#include "plan/rules/limit_in_union.hpp"

#include <algorithm>
#include <limits>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

const std::int64_t* integer_of(const Box<Expr>& expr) { return expr ? literal_as<std::int64_t>(*expr) : nullptr; }

// The number of rows up to the last that `limit` takes; nullopt if that is not known.
std::optional<std::int64_t> last_row(const Limit& limit) {
  const auto* count = integer_of(limit.count);
  const auto* offset = integer_of(limit.offset);
  if (count == nullptr || *count < 0 || (limit.offset && offset == nullptr)) return std::nullopt;
  const auto skipped = offset != nullptr ? std::max<std::int64_t>(*offset, 0) : 0;
  if (skipped > std::numeric_limits<std::int64_t>::max() - *count) return std::nullopt;
  return *count + skipped;
}

// Whether the keys are the columns `ids`, all of them.
bool sorts_by_all(const std::vector<SortKey>& keys, const std::vector<AttributeId>& ids, const Plan& plan) {
  AttributeSet sorted;
  for (const auto& key : keys) {
    const auto* id = column_id(key.expr);
    if (id == nullptr || key.collation != binary_collation || !equal_is_identical(key.expr, plan)) return false;
    sorted.add(*id);
  }
  return AttributeSet::of(ids).is_subset_of(sorted);
}

// Whether `keys` order the rows of `arm` as `above` orders those of the union.
bool sorts_alike(const std::vector<SortKey>& keys, const std::vector<AttributeId>& arm,
                 const std::vector<SortKey>& above, const std::vector<AttributeId>& ids) {
  Renaming to_arm;
  for (std::size_t i = 0; i < ids.size(); ++i) to_arm[ids[i]] = arm[i];
  return std::equal(keys.begin(), keys.end(), above.begin(), above.end(), [&](const SortKey& key, SortKey expected) {
    rename(expected.expr, to_arm);
    return key == expected;
  });
}

bool drop_limits(Rel& rel, RuleContext& context) {
  auto* limit = rel.as<Limit>();
  const auto last = last_row(*limit);
  auto* sort = limit->input->as<Sort>();
  auto* set = sort != nullptr ? below_renamings(*sort->input).as<SetOp>() : nullptr;
  if (!last || set == nullptr || set->op != ast::SetOp::union_all ||
      !sorts_by_all(sort->keys, set->ids, context.plan()))
    return false;
  bool changed = false;
  for (auto& arm : set->inputs) {
    auto* own = arm.as<Limit>();
    const auto own_last = own != nullptr && !own->offset ? last_row(*own) : std::nullopt;
    auto* own_sort = own != nullptr ? own->input->as<Sort>() : nullptr;
    if (!own_last || *own_last < *last || own_sort == nullptr ||
        !sorts_alike(own_sort->keys, outputs(arm), sort->keys, set->ids))
      continue;
    replace_by_descendant(arm, *own_sort->input);
    changed = true;
  }
  return changed;
}

}  // namespace

const Rule limit_in_union{
    .name = "limit_in_union",
    .kinds = rel_kinds<Limit>,
    .apply = drop_limits,
    .example = limit_in_union_example,
};

}  // namespace trustsql::plan::rules
