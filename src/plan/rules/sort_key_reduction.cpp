#include "plan/rules/sort_key_reduction.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool reduce(Rel& rel, RuleContext& context) {
  auto* sort = rel.as<Sort>();
  std::vector<SortKey> kept;
  std::optional<Facts> facts;
  const auto input_facts = [&]() -> const Facts& {
    if (!facts) facts = context.facts(*sort->input);
    return *facts;
  };
  if (context.single_row(input_facts())) {
    replace_by_descendant(rel, *sort->input);
    return true;
  }
  const auto inside = input_facts().outputs;
  AttributeSet decided;  // columns by which the rows are already sorted, under BINARY
  for (auto& key : sort->keys) {
    bool superfluous = !is_volatile(key.expr) && !references(key.expr).intersects(inside);
    for (const auto& earlier : kept)
      superfluous = superfluous || (earlier.expr == key.expr && earlier.collation == key.collation);
    // BINARY distinguishes everything that another collation distinguishes.
    const auto* id = column_id(key.expr);
    if (!superfluous && id != nullptr) superfluous = context.determines(decided, *id, input_facts());
    if (superfluous) continue;
    if (id != nullptr && key.collation == binary_collation) decided.add(*id);
    kept.push_back(std::move(key));
  }
  if (kept.size() == sort->keys.size()) {
    sort->keys = std::move(kept);
    return false;
  }
  sort->keys = std::move(kept);
  if (sort->keys.empty()) replace_by_descendant(rel, *sort->input);
  return true;
}

}  // namespace

const Rule sort_key_reduction{
    .name = "sort_key_reduction",
    .kinds = rel_kinds<Sort>,
    .apply = reduce,
    .example = sort_key_reduction_example,
};

}  // namespace trustsql::plan::rules
