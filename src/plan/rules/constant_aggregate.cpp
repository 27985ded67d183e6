#include "plan/rules/constant_aggregate.hpp"

#include <cstdlib>
#include <map>

#include "plan/aggregates.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

constexpr std::int64_t max_summand = 1000;  // so that no sum of them overflows

// What makes constants of calls: values by the calls' attributes, and a count of the rows if they need it.
class ConstantCalls {
 public:
  ConstantCalls(Aggregate& aggregate, RuleContext& context) : aggregate_(aggregate), context_(context) {}

  // The value of the call; nullopt if it depends on the rows.
  std::optional<Expr> value_of(const AggregateCall& call) {
    const bool bare = aggregate_.has_bare_columns();
    const bool extreme = call.name == "min" || call.name == "max";
    const bool sees_nothing = (call.arguments.size() == 1 && is_null_literal(call.arguments.front())) ||
                              (call.filter && is_untrue_literal(*call.filter));
    if (sees_nothing && !(bare && extreme)) {
      auto value = value_over_empty_input(call);
      return value ? std::optional(literal(*std::move(value))) : std::nullopt;
    }
    const auto* constant = call.arguments.size() == 1 ? literal_value(call.arguments.front()) : nullptr;
    if (constant == nullptr || call.filter || bare) return std::nullopt;
    if (extreme) return of_any_rows(call.arguments.front());
    const auto* summand = std::get_if<std::int64_t>(constant);
    if (call.name != "sum" || call.distinct || summand == nullptr || std::abs(*summand) > max_summand)
      return std::nullopt;
    const auto rows = number_of_rows();
    if (!rows) return std::nullopt;
    if (*summand == 1) return of_any_rows(column(*rows));
    return of_any_rows(Expr{Binary{ast::BinaryOp::multiply, column(*rows), call.arguments.front()}});
  }

  const std::optional<AggregateCall>& count() const { return count_; }

 private:
  // `value` if there are rows, otherwise NULL.
  std::optional<Expr> of_any_rows(Expr value) {
    if (!has_rows_) has_rows_ = aggregate_.grouped || context_.facts(*aggregate_.input).non_empty;
    if (*has_rows_) return value;
    const auto rows = number_of_rows();
    if (!rows) return std::nullopt;
    Case choice;
    choice.branches.push_back({compare(CompareOp::equal, column(*rows), literal(std::int64_t{0})), literal({}), {}});
    choice.otherwise = std::move(value);
    return Expr{std::move(choice)};
  }

  std::optional<AttributeId> number_of_rows() {
    for (const auto& call : aggregate_.calls) {
      if (call.name == "count" && call.info != nullptr && call.arguments.empty() && !call.filter) return call.id;
    }
    if (!count_) count_ = count_of_rows(aggregate_.calls.front().id, context_.plan());
    return count_ ? std::optional(count_->id) : std::nullopt;
  }

  Aggregate& aggregate_;
  RuleContext& context_;
  std::optional<bool> has_rows_{};
  std::optional<AggregateCall> count_{};
};

bool simplify_constant_aggregate(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  bool changed = false;
  std::map<AttributeId, Expr> constants;
  ConstantCalls calls(*aggregate, context);
  for (auto& call : aggregate->calls) {
    if (call.info == nullptr || call.is_bare()) continue;
    if (auto value = calls.value_of(call)) {
      constants.emplace(call.id, *std::move(value));
    } else if (call.filter && is_true_literal(*call.filter)) {
      call.filter = {};
      changed = true;
    }
  }
  if (constants.empty()) return changed;
  const auto ids = outputs(rel);
  std::erase_if(aggregate->calls, [&](const AggregateCall& call) { return constants.contains(call.id); });
  if (calls.count()) aggregate->calls.push_back(*calls.count());
  project_above(rel, ids, constants);
  return true;
}

}  // namespace

const Rule constant_aggregate{
    .name = "constant_aggregate",
    .kinds = rel_kinds<Aggregate>,
    .apply = simplify_constant_aggregate,
    .example = constant_aggregate_example,
};

}  // namespace trustsql::plan::rules
