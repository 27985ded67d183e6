#include "plan/rules/aggregate_filter.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_integer(const Expr& expr, std::int64_t wanted) {
  const auto* value = literal_value(expr);
  const auto* integer = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
  return integer != nullptr && *integer == wanted;
}

bool turn(Rel& rel, RuleContext&) {
  auto* aggregate = rel.as<Aggregate>();
  const bool bare = aggregate->has_bare_columns();
  bool changed = false;
  for (auto& call : aggregate->calls) {
    if (call.info == nullptr || call.arguments.size() != 1) continue;
    auto* choice = call.arguments.front().as<Case>();
    if (choice == nullptr || choice->operand || choice->branches.size() != 1) continue;
    auto& branch = choice->branches.front();
    const bool skips = !choice->otherwise || is_null_literal(*choice->otherwise);
    const bool chooses = call.name == "min" || call.name == "max";
    const bool counts =
        call.name == "sum" && aggregate->grouped && !call.distinct && !skips && is_integer(*branch.result, 1) && is_integer(*choice->otherwise, 0);
    const bool known = chooses || call.name == "count" || call.name == "sum" || call.name == "avg" || call.name == "total";
    if (!counts && (!skips || !known || (bare && chooses))) continue;
    Expr condition = std::move(*branch.condition);
    Expr result = std::move(*branch.result);
    if (counts) {
      const auto* info = FunctionTable::latest().find("count", 0);
      // A filter of its own takes rows away: then SUM may have none.
      if (info == nullptr || call.filter) {
        branch.condition = std::move(condition);
        branch.result = std::move(result);
        continue;
      }
      call.name = info->name;
      call.info = info;
      call.arguments.clear();
    } else {
      call.arguments.front() = std::move(result);
    }
    if (call.filter) {
      std::vector<Expr> both;
      both.push_back(std::move(*call.filter));
      both.push_back(std::move(condition));
      condition = conjunction(std::move(both));
    }
    call.filter = std::move(condition);
    changed = true;
  }
  return changed;
}

}  // namespace

const Rule aggregate_filter{
    .name = "aggregate_filter",
    .kinds = rel_kinds<Aggregate>,
    .on_rel = turn,
};

}  // namespace trustsql::plan::rules
