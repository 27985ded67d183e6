#include "plan/rules/values_join_to_filter.hpp"

#include <algorithm>

#include "plan/evaluate.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

constexpr std::size_t max_constants = 100;

// The constants of the only column, without NULLs; nullopt if it has other values.
std::optional<std::vector<Expr>> constants_of(const Values& values) {
  if (values.ids.size() != 1 || values.rows.empty() || values.rows.size() > max_constants) return std::nullopt;
  std::vector<Expr> constants;
  for (const auto& row : values.rows) {
    const auto* value = literal_value(row.front());
    if (value == nullptr) return std::nullopt;
    if (value->index() != 0) constants.push_back(row.front());
  }
  return constants;
}

// Whether no two of them are equal.
bool are_different(const std::vector<Expr>& constants, const Comparison& how) {
  for (std::size_t i = 0; i < constants.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const auto equal = evaluate(compare(CompareOp::equal, constants[i], constants[k], how));
      if (!equal || truth_of(*equal) != Truth::no) return false;
    }
  }
  return true;
}

bool filter_by_list(Rel& rel, const Usage& usage, RuleContext&) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::inner || usage.positional) return false;
  for (const bool right : {true, false}) {
    const auto* values = (right ? *join->right : *join->left).as<Values>();
    const auto constants = values != nullptr ? constants_of(*values) : std::nullopt;
    if (!constants || constants->empty() || usage.needed.contains(values->ids.front())) continue;
    const auto id = values->ids.front();
    const auto uses_list = [&](const Expr& conjunct) { return references(conjunct).contains(id); };
    if (std::count_if(join->on.begin(), join->on.end(), uses_list) != 1) continue;
    const auto condition = std::find_if(join->on.begin(), join->on.end(), uses_list);
    auto* equality = condition->as<Compare>();
    if (equality == nullptr || equality->op != CompareOp::equal) continue;
    const auto is_list = [&](const Expr& side) { return column_id(side) != nullptr && *column_id(side) == id; };
    const bool listed_first = is_list(*equality->left);
    Expr& compared = listed_first ? *equality->right : *equality->left;
    if (!(listed_first || is_list(*equality->right)) || references(compared).contains(id) || is_volatile(compared) ||
        !are_different(*constants, equality->how))
      continue;
    const auto how = equality->how;
    Expr list{InList{std::move(compared), false, *constants, how}};
    *condition = std::move(list);
    auto conjuncts = std::move(join->on);
    Rel rows = std::move(right ? *join->left : *join->right);
    rel = with_filter(std::move(rows), std::move(conjuncts));
    return true;
  }
  return false;
}

}  // namespace

const Rule values_join_to_filter{
    .name = "values_join_to_filter",
    .kinds = rel_kinds<Join>,
    .apply = filter_by_list,
    .example = values_join_to_filter_example,
};

}  // namespace trustsql::plan::rules
