#include "plan/rules/group_key_reduction.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool reduce_keys(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (usage.positional || aggregate->keys.size() < 2) return false;
  auto& keys = aggregate->keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = i + 1; j < keys.size(); ++j) {
      if (!(keys[i].expr == keys[j].expr) || keys[i].collation != keys[j].collation || !is_repeatable(keys[i].expr) ||
          keys[i].id == keys[j].id)
        continue;
      // A key that is a column of the input keeps its own id.
      const auto* column = column_id(keys[j].expr);
      const bool keep_second = column != nullptr && *column == keys[j].id;
      const auto dropped = keep_second ? i : j;
      context.rename_later({{keys[dropped].id, keys[keep_second ? j : i].id}});
      keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(dropped));
      return true;
    }
  }
  std::optional<Facts> facts;
  for (std::size_t i = keys.size(); i-- > 0;) {
    const auto& key = keys[i];
    if (usage.needed.contains(key.id) || !is_repeatable(key.expr)) continue;
    if (!facts) facts = context.facts(*aggregate->input);
    const auto known = agreed_columns(*aggregate, &key);
    bool determined = true;
    const bool is_column = column_id(key.expr) != nullptr;
    (references(key.expr) & facts->outputs).for_each([&](AttributeId id) {
      determined = determined && (is_column || equal_is_identical(column(id), context.plan())) &&
                   context.determines(known, id, *facts);
    });
    if (!determined) continue;
    keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

}  // namespace

const Rule group_key_reduction{
    .name = "group_key_reduction",
    .kinds = rel_kinds<Aggregate>,
    .apply = reduce_keys,
    .example = group_key_reduction_example,
};

}  // namespace trustsql::plan::rules
