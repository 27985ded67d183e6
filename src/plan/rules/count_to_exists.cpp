#include "plan/rules/count_to_exists.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// What `count op value` says of the number of rows: true, that there are some, or false, that there are none; nullopt
// if it says something else.
std::optional<bool> says_some(const Bound& bound) {
  const auto* value = std::get_if<std::int64_t>(bound.value);
  if (value == nullptr || bound.how.affinity == Affinity::text) return std::nullopt;
  switch (bound.op) {
    case CompareOp::equal:
    case CompareOp::is:
    case CompareOp::less_equal: return *value == 0 ? std::optional(false) : std::nullopt;
    case CompareOp::not_equal:
    case CompareOp::is_not:
    case CompareOp::greater: return *value == 0 ? std::optional(true) : std::nullopt;
    case CompareOp::less: return *value == 1 ? std::optional(false) : std::nullopt;
    case CompareOp::greater_equal: return *value == 1 ? std::optional(true) : std::nullopt;
  }
  return std::nullopt;
}

bool is_count(const AggregateCall& call) { return call.name == "count" && call.info != nullptr; }

// The rows of `input` that `call` counts.
Rel counted_rows(Rel input, const AggregateCall& call) {
  std::vector<Expr> conjuncts;
  if (call.filter) conjuncts.push_back(*call.filter);
  for (const auto& argument : call.arguments) conjuncts.push_back(is_null(argument, true));
  return with_filter(std::move(input), std::move(conjuncts));
}

bool replace_subquery(Expr& expr, const ExprSite&, RuleContext&) {
  const auto bound = as_bound(expr);
  const auto* subquery = bound ? bound->operand->as<ScalarSubquery>() : nullptr;
  const auto some = subquery != nullptr ? says_some(*bound) : std::nullopt;
  if (!some || is_volatile(*subquery->rel)) return false;
  const auto& rel = below_renamings(*subquery->rel);
  const auto* aggregate = rel.as<Aggregate>();
  if (aggregate == nullptr || aggregate->grouped || outputs(*subquery->rel).size() != 1) return false;
  const auto call = std::find_if(aggregate->calls.begin(), aggregate->calls.end(),
                                 [&](const AggregateCall& each) { return each.id == outputs(*subquery->rel).front(); });
  if (call == aggregate->calls.end() || !is_count(*call)) return false;
  expr = Expr{Exists{counted_rows(*aggregate->input, *call), !*some}};
  return true;
}

// The aggregate without groups below `rel` whose column `id` each row of `rel` has; nullptr if there is none.
const Aggregate* aggregate_of(const Rel& rel, AttributeId id) {
  if (const auto* filter = rel.as<Filter>()) return aggregate_of(*filter->input, id);
  if (const auto* join = rel.as<Join>()) {
    if (output_set(*join->left).contains(id))
      return join->type == JoinType::right || join->type == JoinType::full ? nullptr : aggregate_of(*join->left, id);
    return join->type == JoinType::inner ? aggregate_of(*join->right, id) : nullptr;
  }
  const auto* aggregate = rel.as<Aggregate>();
  const bool computes_it = aggregate != nullptr && !aggregate->grouped &&
                           std::any_of(aggregate->calls.begin(), aggregate->calls.end(),
                                       [&](const AggregateCall& call) { return call.id == id && is_count(call); });
  return computes_it ? aggregate : nullptr;
}

// Replaces comparisons of counts in the expressions of an operator over the relations `inputs`.
class CountReplacer {
 public:
  CountReplacer(std::vector<const Rel*> inputs, RuleContext& context) : inputs_(std::move(inputs)), context_(context) {}

  // The aggregates whose counts are compared in `expr` so that they can be replaced.
  void find(const Expr& expr) {
    if (const auto* aggregate = replaceable(expr)) {
      if (std::find(found_.begin(), found_.end(), aggregate) == found_.end()) found_.push_back(aggregate);
      return;
    }
    if (const auto* id = column_id(expr)) others_.add(*id);
    for_each_expr(expr, [&](const Expr& part) { find(part); });
    for_each_rel(expr, [&](const Rel& rel) { others_ |= free_attributes(rel); });
  }

  // Gives up those of which a column is in `used`, or is used otherwise in what `find` has seen. Returns whether some
  // are left.
  bool keep_unused(const AttributeSet& used) {
    std::erase_if(found_, [&](const Aggregate* aggregate) {
      return std::any_of(aggregate->calls.begin(), aggregate->calls.end(), [&](const AggregateCall& call) {
        return used.contains(call.id) || others_.contains(call.id);
      });
    });
    return !found_.empty();
  }

  void replace(Expr& expr) {
    const auto* aggregate = replaceable(expr);
    if (aggregate != nullptr && std::find(found_.begin(), found_.end(), aggregate) != found_.end()) {
      expr = existence(*aggregate, expr);
      return;
    }
    for_each_expr(expr, [&](Expr& part) { replace(part); });
  }

 private:
  const Aggregate* producer(AttributeId id) const {
    for (const auto* input : inputs_) {
      if (output_set(*input).contains(id)) return aggregate_of(*input, id);
    }
    return nullptr;
  }

  // The aggregate whose counts `expr` compares, if an existence test has the same value; nullptr if not.
  const Aggregate* replaceable(const Expr& expr) const {
    const auto* comparison = expr.as<Compare>();
    if (comparison == nullptr) return nullptr;
    const Aggregate* aggregate = nullptr;
    if (const auto bound = as_bound(expr)) {
      const auto* id = column_id(*bound->operand);
      aggregate = id != nullptr && says_some(*bound) ? producer(*id) : nullptr;
    } else {
      const auto* left = column_id(*comparison->left);
      const auto* right = column_id(*comparison->right);
      aggregate = left != nullptr && right != nullptr ? producer(*left) : nullptr;
      if (aggregate != nullptr && (producer(*right) != aggregate || !all_and_some(*aggregate, *comparison)))
        aggregate = nullptr;
    }
    return aggregate != nullptr && !is_volatile(*aggregate->input) ? aggregate : nullptr;
  }

  static const AggregateCall& call_of(const Aggregate& aggregate, AttributeId id) {
    return *std::find_if(aggregate.calls.begin(), aggregate.calls.end(),
                         [&](const AggregateCall& call) { return call.id == id; });
  }

  // `n < m`, `n >= m` and the like, where m counts all rows, and n those in which an expression is not NULL.
  struct AllAndSome {
    const AggregateCall* some = nullptr;
    bool differ = false;  // whether the comparison says that n is less
  };
  static std::optional<AllAndSome> all_and_some(const Aggregate& aggregate, const Compare& comparison) {
    const auto* left = &call_of(aggregate, *column_id(*comparison.left));
    const auto* right = &call_of(aggregate, *column_id(*comparison.right));
    auto op = comparison.op;
    if (left->arguments.empty()) {
      std::swap(left, right);
      op = mirrored(op);
    }
    if (left->arguments.size() != 1 || left->distinct || left->filter || !right->arguments.empty() || right->filter ||
        comparison.how.affinity == Affinity::text)
      return std::nullopt;
    switch (op) {
      case CompareOp::less:
      case CompareOp::not_equal:
      case CompareOp::is_not: return AllAndSome{left, true};
      case CompareOp::greater_equal:
      case CompareOp::equal:
      case CompareOp::is: return AllAndSome{left, false};
      default: return std::nullopt;
    }
  }

  Expr existence(const Aggregate& aggregate, const Expr& comparison) const {
    Renaming fresh;
    Rel rows = copy_with_new_ids(*aggregate.input, context_.plan(), &fresh);
    if (const auto bound = as_bound(comparison)) {
      auto call = call_of(aggregate, *column_id(*bound->operand));
      for (auto& argument : call.arguments) rename(argument, fresh);
      if (call.filter) rename(*call.filter, fresh);
      return Expr{Exists{counted_rows(std::move(rows), call), !*says_some(*bound)}};
    }
    const auto counts = *all_and_some(aggregate, *comparison.as<Compare>());
    Expr argument = counts.some->arguments.front();
    rename(argument, fresh);
    std::vector<Expr> conjuncts;
    conjuncts.push_back(is_null(std::move(argument)));
    return Expr{Exists{with_filter(std::move(rows), std::move(conjuncts)), !counts.differ}};
  }

  std::vector<const Rel*> inputs_;
  RuleContext& context_;
  std::vector<const Aggregate*> found_;
  AttributeSet others_;  // columns that are used elsewhere
};

bool replace_counts(Rel& rel, const Usage& usage, RuleContext& context) {
  if (const auto* join = rel.as<Join>(); join != nullptr && join->type != JoinType::inner) return false;
  std::vector<const Rel*> inputs;
  for_each_rel(std::as_const(rel), [&](const Rel& input) { inputs.push_back(&input); });
  CountReplacer replacer(std::move(inputs), context);
  for_each_expr(std::as_const(rel), [&](const Expr& expr) { replacer.find(expr); });
  // What a Project passes on is among its expressions.
  if (usage.positional && !rel.is<Project>()) return false;
  if (!replacer.keep_unused(rel.is<Project>() ? AttributeSet() : usage.needed)) return false;
  for_each_expr(rel, [&](Expr& expr) { replacer.replace(expr); });
  return true;
}

}  // namespace

const Rule count_to_exists{
    .name = "count_to_exists",
    .kinds = expr_kinds<Compare>,
    .apply = replace_subquery,
    .example = count_to_exists_example,
};

const Rule joined_count_to_exists{
    .name = "count_to_exists",
    .kinds = rel_kinds<Filter, Join, Project>,
    .apply = replace_counts,
    .example = joined_count_to_exists_example,
};

}  // namespace trustsql::plan::rules
