#include "plan/rules/pinned_key.hpp"

#include <limits>
#include <map>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether a value of the column that is equal to `value` is identical to it.
bool is_only_spelling(const Value& value, Affinity storage) {
  switch (storage) {
    case Affinity::integer: {
      const auto* integer = std::get_if<std::int64_t>(&value);
      return integer != nullptr && *integer != std::numeric_limits<std::int64_t>::min();
    }
    case Affinity::text: return std::holds_alternative<std::string>(value);
    case Affinity::real: return std::holds_alternative<double>(value) && std::get<double>(value) != 0;
    default: return false;
  }
}

// The column that the condition fixes and its value; nullopt for another condition.
std::optional<std::pair<AttributeId, Expr>> pinned_by(const Expr& condition, const Plan& plan) {
  if (const auto* test = condition.as<IsNull>()) {
    const auto* id = column_id(*test->operand);
    return id != nullptr && !test->negated ? std::optional(std::pair{*id, literal({})}) : std::nullopt;
  }
  const auto bound = as_bound(condition);
  const auto* id = bound && bound->op == CompareOp::equal ? column_id(*bound->operand) : nullptr;
  if (id == nullptr || !bound->how.is_binary() || !is_only_spelling(*bound->value, storage_of(column(*id), plan)))
    return std::nullopt;
  return std::pair{*id, literal(Value(*bound->value))};
}

bool pin_keys(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (!aggregate->grouped || aggregate->keys.empty() || aggregate->calls.empty() || aggregate->has_bare_columns())
    return false;
  Rel copy = *aggregate->input;
  std::map<AttributeId, Expr> constants;
  for (const auto& condition : take_apart(copy).conjuncts) {
    if (auto pinned = pinned_by(condition, context.plan())) constants.insert(*std::move(pinned));
  }
  std::erase_if(constants, [&](const auto& each) {
    return std::none_of(aggregate->keys.begin(), aggregate->keys.end(), [&](const GroupKey& key) {
      return key.id == each.first && key.expr == column(key.id) && key.collation == binary_collation;
    });
  });
  if (constants.empty()) return false;
  const auto ids = outputs(rel);
  std::erase_if(aggregate->keys, [&](const GroupKey& key) { return constants.contains(key.id); });
  // Below, the columns get other names; above, the constants have theirs.
  Renaming fresh;
  for (const auto& [id, value] : constants) fresh[id] = context.plan().add_attribute_like(id);
  rename(rel, fresh);
  project_above(rel, ids, constants);
  return true;
}

}  // namespace

const Rule pinned_key{
    .name = "pinned_key",
    .kinds = rel_kinds<Aggregate>,
    .apply = pin_keys,
    .example = pinned_key_example,
};

}  // namespace trustsql::plan::rules
