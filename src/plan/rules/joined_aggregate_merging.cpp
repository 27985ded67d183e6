#include "plan/rules/joined_aggregate_merging.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_partial_aggregate(const Aggregate& aggregate, const Plan& plan) {
  const auto is_plain_key = [&](const GroupKey& key) {
    const auto* id = column_id(key.expr);
    return id != nullptr && *id == key.id && key.collation == binary_collation && equal_is_identical(key.expr, plan);
  };
  return aggregate.grouped && !aggregate.keys.empty() && !aggregate.calls.empty() &&
         std::all_of(aggregate.keys.begin(), aggregate.keys.end(), is_plain_key) &&
         std::all_of(aggregate.calls.begin(), aggregate.calls.end(),
                     [](const AggregateCall& call) { return is_basic(call) && !call.filter; });
}

// The factors of a product, from left to right.
void add_factors(const Expr& expr, std::vector<Expr>& factors) {
  const auto* product = expr.as<Binary>();
  if (product == nullptr || product->op != ast::BinaryOp::multiply) {
    factors.push_back(expr);
    return;
  }
  add_factors(*product->left, factors);
  add_factors(*product->right, factors);
}

Expr product_of(std::vector<Expr> factors) {
  Expr product = std::move(factors.front());
  for (std::size_t i = 1; i < factors.size(); ++i)
    product = Expr{Binary{ast::BinaryOp::multiply, std::move(product), std::move(factors[i])}};
  return product;
}

// The upper aggregate, its input in parts, and the leaves of the input that are partial aggregates and can be merged
// with it.
class JoinedMerging {
 public:
  JoinedMerging(const Aggregate& upper, RuleContext& context) : upper_(upper), context_(context) {
    Rel input = *upper.input;
    cluster_ = take_apart(input);
  }

  // The merged operator, with the outputs of the upper aggregate; nullopt if the law does not hold for `wanted` leaves.
  std::optional<Rel> merge(std::size_t wanted = 1) {
    find_leaves();
    // Each round gives up leaves that a call stands in the way of.
    while (partials_.size() >= wanted) {
      calls_.clear();
      const std::size_t before = partials_.size();
      const bool possible = std::all_of(upper_.calls.begin(), upper_.calls.end(),
                                        [&](const AggregateCall& call) { return merge_call(call); });
      if (!possible) return std::nullopt;
      if (partials_.size() == before) return rewritten();
    }
    return std::nullopt;
  }

 private:
  struct Partial {
    std::size_t leaf;
    Aggregate aggregate;
    AttributeSet calls{};
  };

  // The leaves whose results are used in nothing but the calls.
  void find_leaves() {
    AttributeSet used;
    for (const auto& key : upper_.keys) used |= references(key.expr);
    for (const auto& conjunct : cluster_.conjuncts) {
      if (is_volatile(conjunct)) return;
      used |= references(conjunct);
    }
    for (std::size_t i = 0; i < cluster_.leaves.size(); ++i) {
      const Rel& leaf = cluster_.leaves[i];
      const auto* aggregate = below_renamings(leaf).as<Aggregate>();
      if (aggregate == nullptr || !is_partial_aggregate(*aggregate, context_.plan()) || is_volatile(leaf)) continue;
      Partial partial{i, *aggregate};
      for (const auto& call : aggregate->calls) partial.calls.add(call.id);
      if (!used.intersects(partial.calls)) partials_.push_back(std::move(partial));
    }
  }

  void give_up_leaves_of(const AttributeSet& results) {
    std::erase_if(partials_, [&](const Partial& partial) { return partial.calls.intersects(results); });
  }

  // The partial result that `expr` is, if it belongs to a leaf that is merged.
  const AggregateCall* partial_result(const Expr& expr) const {
    const auto* id = column_id(expr);
    if (id == nullptr) return nullptr;
    for (const auto& partial : partials_) {
      for (const auto& call : partial.aggregate.calls) {
        if (call.id == *id) return &call;
      }
    }
    return nullptr;
  }

  // Adds what `call` becomes to calls_, or gives up leaves. False if the rule is not possible at all.
  bool merge_call(const AggregateCall& call) {
    if (!is_basic(call) || call.filter) return false;
    if (!call.arguments.empty() && is_volatile(call.arguments.front())) return false;
    AggregateCall merged = call;
    if (call.distinct || call.name == "min" || call.name == "max") {
      const auto* partial = partial_result(call.arguments.front());
      if (partial != nullptr && !call.distinct && partial->name == call.name && partial->collation == call.collation) {
        merged.arguments = partial->arguments;
      } else {
        give_up_leaves_of(references(call.arguments.front()));
      }
      calls_.push_back(std::move(merged));
      return true;
    }
    return call.name == "sum" && merge_sum(call, std::move(merged));
  }

  bool merge_sum(const AggregateCall& call, AggregateCall merged) {
    std::vector<Expr> factors;
    add_factors(call.arguments.front(), factors);
    give_up_leaves_without_factor(factors);
    std::vector<Expr> remaining;
    bool only_sums = true;  // remaining are arguments of sums
    const AggregateCall* count_of_values = nullptr;
    for (const auto& factor : factors) {
      const auto* partial = partial_result(factor);
      if (partial == nullptr) {
        remaining.push_back(factor);
        only_sums = false;
      } else if (partial->name == "sum") {
        remaining.push_back(partial->arguments.front());
      } else if (!partial->arguments.empty()) {
        if (count_of_values != nullptr) return false;
        count_of_values = partial;
      }
    }
    if (count_of_values != nullptr) {
      // Over no rows the sum of counts is NULL, and over NULLs alone it is 0.
      if (!remaining.empty() || !upper_.grouped) return false;
      merged.name = count_of_values->name;
      merged.info = count_of_values->info;
      merged.arguments = count_of_values->arguments;
    } else if (remaining.empty()) {
      merged.name = "count";
      merged.info = count_;
      merged.arguments.clear();
    } else {
      const bool multiplies = remaining.size() > 1 || (factors.size() > 1 && !only_sums);
      if (multiplies && !std::all_of(remaining.begin(), remaining.end(),
                                     [&](const Expr& factor) { return is_number_or_null(factor); }))
        return false;
      merged.arguments = {product_of(std::move(remaining))};
    }
    calls_.push_back(std::move(merged));
    return true;
  }

  // Each leaf must have exactly one count or sum among the factors; its results must not be used otherwise.
  void give_up_leaves_without_factor(const std::vector<Expr>& factors) {
    std::erase_if(partials_, [&](const Partial& partial) {
      int found = 0;
      for (const auto& factor : factors) {
        const auto used = references(factor);
        if (!used.intersects(partial.calls)) continue;
        const auto* result = partial_result(factor);
        if (result == nullptr || result->distinct || (result->name != "count" && result->name != "sum")) return true;
        ++found;
      }
      return found != 1;
    });
  }

  bool is_number_or_null(const Expr& expr) {
    const auto found = types_of(expr, context_.plan(), {});
    const auto numbers = types::integer | types::real;
    return (found & numbers.with_null()) == found || context_.integers_only(expr);
  }

  Rel rewritten() {
    for (auto& partial : partials_) cluster_.leaves[partial.leaf] = std::move(*partial.aggregate.input);
    Aggregate merged = upper_;
    merged.calls = std::move(calls_);
    merged.input = put_together(std::move(cluster_));
    if (upper_.grouped) return Rel{std::move(merged)};
    Project project;
    for (std::size_t i = 0; i < merged.calls.size(); ++i) {
      auto& call = merged.calls[i];
      Expr value = column(call.id);
      if (call.name != upper_.calls[i].name) value = null_over_no_rows(call);
      project.items.push_back({upper_.calls[i].id, std::move(value)});
    }
    project.input = Rel{std::move(merged)};
    return Rel{std::move(project)};
  }

  // nullif(count, 0) for a count that replaces a sum.
  Expr null_over_no_rows(AggregateCall& count) {
    count.id = context_.plan().add_attribute({.name = "count", .types = types::integer});
    Function value;
    value.name = nullif_->name;
    value.info = nullif_;
    value.arguments.push_back(column(count.id));
    value.arguments.push_back(literal(std::int64_t{0}));
    return Expr{std::move(value)};
  }

  const Aggregate& upper_;
  RuleContext& context_;
  Cluster cluster_;
  std::vector<Partial> partials_;
  std::vector<AggregateCall> calls_;  // what the calls of upper_ become
  const SqlFunction* count_ = FunctionTable::latest().find("count", 0);
  const SqlFunction* nullif_ = FunctionTable::latest().find("nullif", 2);
};

// Products of the results of joined groups are sums over groups of one row each.
bool merge_products(Rel& rel, RuleContext& context) {
  auto& project = *rel.as<Project>();
  if (!is_cluster(*project.input)) return false;
  Rel input = *project.input;
  Cluster cluster = take_apart(input);
  Aggregate upper;
  upper.grouped = true;
  Cluster rows;  // the leaves that are not partial aggregates
  AttributeSet others;
  AttributeSet results;
  std::size_t partials = 0;
  for (auto& leaf : cluster.leaves) {
    const auto* aggregate = below_renamings(leaf).as<Aggregate>();
    if (aggregate != nullptr && is_partial_aggregate(*aggregate, context.plan())) {
      ++partials;
      const auto shown = output_set(leaf);
      for (const auto& key : aggregate->keys) {
        if (!shown.contains(key.id)) return false;
        upper.keys.push_back(key);
      }
      for (const auto& call : aggregate->calls) results.add(call.id);
    } else {
      others |= output_set(leaf);
      for (const auto id : outputs(leaf)) upper.keys.push_back({id, column(id), binary_collation});
      rows.leaves.push_back(std::move(leaf));
    }
  }
  if (partials < 2) return false;
  if (!rows.leaves.empty()) {
    rows.conjuncts =
        take_if(cluster.conjuncts, [&](const Expr& conjunct) { return references(conjunct).is_subset_of(others); });
    if (!context.superkey(others, context.facts(put_together(std::move(rows))))) return false;
  }
  auto items = project.items;
  for (auto& item : items) {
    if (!references(item.expr).intersects(results)) continue;
    const auto* product = item.expr.as<Binary>();
    if (product == nullptr || product->op != ast::BinaryOp::multiply) return false;
    AggregateCall sum;
    sum.id = context.plan().add_attribute({.name = "sum", .types = types_of(item.expr, context.plan(), {})});
    sum.name = "sum";
    sum.info = FunctionTable::latest().find("sum", 1);
    sum.arguments.push_back(std::exchange(item.expr, column(sum.id)));
    upper.calls.push_back(std::move(sum));
  }
  if (upper.calls.empty()) return false;
  upper.input = *project.input;
  auto merged = JoinedMerging(upper, context).merge(partials);
  if (!merged) return false;
  rel = Rel{Project{*std::move(merged), std::move(items)}};
  return true;
}

bool merge_over_join(Rel& rel, RuleContext& context) {
  if (rel.is<Project>()) return merge_products(rel, context);
  const auto& upper = *rel.as<Aggregate>();
  if (upper.calls.empty()) return false;
  auto merged = JoinedMerging(upper, context).merge();
  if (!merged) return false;
  rel = *std::move(merged);
  return true;
}

}  // namespace

const Rule joined_aggregate_merging{
    .name = "joined_aggregate_merging",
    .kinds = rel_kinds<Aggregate, Project>,
    .apply = merge_over_join,
    .example = joined_aggregate_merging_example,
};

}  // namespace trustsql::plan::rules
