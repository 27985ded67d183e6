#include "plan/rules/partial_aggregate_merging.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_binary(const Aggregate& aggregate) {
  return std::all_of(aggregate.keys.begin(), aggregate.keys.end(),
                     [](const GroupKey& key) { return key.collation == binary_collation; });
}

// An input of the outer aggregate: the partial aggregate, and the partial aggregate's column for each column of the
// input.
struct PartialInput {
  Aggregate aggregate{};
  std::vector<AttributeId> columns{};

  const GroupKey* key(std::size_t column) const {
    const auto key = std::find_if(aggregate.keys.begin(), aggregate.keys.end(),
                                  [&](const GroupKey& k) { return k.id == columns[column]; });
    return key != aggregate.keys.end() ? &*key : nullptr;
  }
  const AggregateCall* call(std::size_t column) const {
    const auto call = std::find_if(aggregate.calls.begin(), aggregate.calls.end(),
                                   [&](const AggregateCall& c) { return c.id == columns[column]; });
    return call != aggregate.calls.end() ? &*call : nullptr;
  }
};

// The column that has the value `constant` in all rows of `rel`; the constant if there is none.
Expr column_of_constant(const Expr& constant, const Rel& rel, const Plan& plan) {
  Rel copy = rel;
  for (const auto& condition : take_apart(copy).conjuncts) {
    const auto pinned = pinned_by(condition, plan);
    if (pinned && pinned->second == constant) return column(AttributeId(pinned->first));
  }
  return constant;
}

// Looks through projections that pass columns on; constants beside them are keys.
std::optional<PartialInput> partial_input_of(const Rel& rel, const Plan& plan) {
  const auto* project = rel.as<Project>();
  const auto* aggregate = below_renamings(project != nullptr ? *project->input : rel).as<Aggregate>();
  if (aggregate == nullptr || !is_binary(*aggregate)) return std::nullopt;
  PartialInput partial{*aggregate, outputs(rel)};
  if (project == nullptr) return partial;
  for (const auto& item : project->items) {
    if (item.is_pass_through()) continue;
    if (!item.expr.is<Literal>() || !aggregate->grouped) return std::nullopt;
    auto key = column_of_constant(item.expr, *aggregate->input, plan);
    partial.aggregate.keys.push_back({item.id, std::move(key), binary_collation});
  }
  return partial;
}

// The function over rows that merges the outer call over the inner, partial one.
const SqlFunction* merged(const AggregateCall& outer, const AggregateCall& inner) {
  if (inner.distinct || inner.filter || inner.is_bare() || inner.info == nullptr || !inner.order_by.empty())
    return nullptr;
  if (inner.arguments.size() > 1) return nullptr;
  if (outer.name == "sum") return inner.name == "count" || inner.name == "sum" ? inner.info : nullptr;
  if (outer.name != "min" && outer.name != "max") return nullptr;
  return inner.name == outer.name && inner.collation == outer.collation ? inner.info : nullptr;
}

// The outer aggregate with the partial ones below it. match() finds what each key and call becomes, and changes
// nothing; apply() then rewrites the tree.
class PartialMerging {
 public:
  explicit PartialMerging(Aggregate& outer) : outer_(outer), set_(outer.input->as<SetOp>()) {}

  // Whether the conditions of the law hold.
  bool match(RuleContext& context) {
    if (set_ != nullptr && set_->op != ast::SetOp::union_all) return false;
    if (outer_.calls.empty() || !is_binary(outer_)) return false;
    return match_inputs(context.plan()) && match_keys() && match_calls(context) && has_same_affinities(context.plan());
  }

  // Precondition: match(). Adds attributes to `plan`.
  void apply(Plan& plan) {
    std::vector<Rel> inputs;
    std::vector<AttributeId> columns;  // keys and arguments, in their order
    for (auto& partial : partials_) {
      auto project = projection_of(partial, plan);
      if (columns.empty()) columns = columns_of(project, plan);
      if (set_ != nullptr) widen(columns, project, plan);
      project.input = std::move(*partial.aggregate.input);
      inputs.emplace_back(std::move(project));
    }
    rewrite_calls(columns);
    if (set_ != nullptr) {
      outer_.input = Rel{SetOp{ast::SetOp::union_all, std::move(inputs), columns, {}}};
    } else {
      outer_.input = std::move(inputs.front());
    }
  }

 private:
  // What a call of the outer aggregate becomes.
  struct MergedCall {
    const SqlFunction* info;
    std::size_t column;  // of the input: a partial result, or a key
    bool has_argument;
    bool of_key;
    bool distinct;
  };

  // --- match

  bool match_inputs(const Plan& plan) {
    const auto add = [&](const Rel& input) {
      auto partial = partial_input_of(input, plan);
      if (!partial || partial->aggregate.grouped != outer_.grouped) return false;
      partials_.push_back(*std::move(partial));
      return true;
    };
    if (set_ == nullptr) return add(*outer_.input);
    return std::all_of(set_->inputs.begin(), set_->inputs.end(), add);
  }

  // The number of the input's column that `expr` is.
  std::optional<std::size_t> place_of(const Expr& expr) const {
    const auto ids = outputs(*outer_.input);
    const auto* id = column_id(expr);
    const auto place = id != nullptr ? std::find(ids.begin(), ids.end(), *id) : ids.end();
    if (place == ids.end()) return std::nullopt;
    return static_cast<std::size_t>(place - ids.begin());
  }

  bool is_key(std::size_t column) const {
    return std::all_of(partials_.begin(), partials_.end(),
                       [&](const PartialInput& partial) { return partial.key(column) != nullptr; });
  }

  bool match_keys() {
    for (const auto& key : outer_.keys) {
      const auto column = place_of(key.expr);
      if (!column || !is_key(*column)) return false;
      keys_.push_back(*column);
    }
    return true;
  }

  bool match_calls(RuleContext& context) {
    for (const auto& call : outer_.calls) {
      if (call.filter || call.is_bare() || call.arguments.size() > 1 || !call.order_by.empty()) return false;
      if (call.arguments.empty()) {
        const auto number = number_of_groups(call, context);
        if (!number) return false;
        calls_.push_back(*number);
        continue;
      }
      const auto column = place_of(call.arguments.front());
      if (!column) return false;
      auto merged_call = call_of_key(call, *column);
      if (!merged_call && !call.distinct) merged_call = call_of_partial_result(call, *column);
      if (!merged_call) return false;
      calls_.push_back(*merged_call);
    }
    return true;
  }

  // The call over a lower key.
  std::optional<MergedCall> call_of_key(const AggregateCall& call, std::size_t column) const {
    if (!is_key(column) || call.info == nullptr) return std::nullopt;
    if (call.name == "min" || call.name == "max") return MergedCall{call.info, column, true, true, false};
    const bool adds_up = call.name == "count" || call.name == "sum" || call.name == "avg" || call.name == "total";
    if (!adds_up || (call.distinct && call.collation != binary_collation)) return std::nullopt;
    // Without DISTINCT, each value of the key must occur once in each group above.
    if (!call.distinct && !occurs_once(column)) return std::nullopt;
    return MergedCall{call.info, column, true, true, true};
  }

  // count(*), which counts groups: it counts the values of the only lower key that is not an upper one.
  std::optional<MergedCall> number_of_groups(const AggregateCall& call, RuleContext& context) const {
    if (set_ != nullptr || call.name != "count" || call.info == nullptr) return std::nullopt;
    const auto& partial = partials_.front();
    const auto* count = FunctionTable::latest().find("count", 1);
    for (std::size_t column = 0; column < partial.columns.size(); ++column) {
      const auto* key = partial.key(column);
      const bool is_upper = std::find(keys_.begin(), keys_.end(), column) != keys_.end();
      if (key == nullptr || is_upper || !occurs_once(column)) continue;
      if (count == nullptr || !context.non_null(key->expr, context.facts(*partial.aggregate.input)))
        return std::nullopt;
      return MergedCall{count, column, true, true, true};
    }
    return std::nullopt;
  }

  // Whether the key is the only lower one that is not an upper one.
  bool occurs_once(std::size_t column) const {
    if (set_ != nullptr) return false;
    const auto& partial = partials_.front();
    return std::all_of(partial.aggregate.keys.begin(), partial.aggregate.keys.end(), [&](const GroupKey& key) {
      return key.id == partial.columns[column] || std::any_of(keys_.begin(), keys_.end(), [&](std::size_t above) {
               return partial.columns[above] == key.id;
             });
    });
  }

  // The call over a partial result.
  std::optional<MergedCall> call_of_partial_result(const AggregateCall& call, std::size_t column) const {
    MergedCall merged_call{nullptr, column, false, false, false};
    for (const auto& partial : partials_) {
      const auto* inner = partial.call(column);
      const auto* info = inner != nullptr ? merged(call, *inner) : nullptr;
      if (info == nullptr) return std::nullopt;
      const bool has_argument = !inner->arguments.empty();
      if (merged_call.info != nullptr &&
          (merged_call.info->name != info->name || merged_call.has_argument != has_argument))
        return std::nullopt;
      merged_call.info = info;
      merged_call.has_argument = has_argument;
    }
    return merged_call;
  }

  // If the inputs have different affinities, SQLite may convert some values (https://sqlite.org/datatype3.html,
  // section 3.3); before the merge they were aggregated without conversion.
  bool has_same_affinities(const Plan& plan) const {
    const auto affinity_of = [&](const PartialInput& partial, const MergedCall& call) {
      const auto* id = call.has_argument ? column_id(argument_of(partial, call)) : nullptr;
      return id != nullptr ? plan.attributes[*id].affinity : Affinity::none;
    };
    return std::all_of(calls_.begin(), calls_.end(), [&](const MergedCall& call) {
      return std::all_of(partials_.begin(), partials_.end(), [&](const PartialInput& partial) {
        return affinity_of(partial, call) == affinity_of(partials_.front(), call);
      });
    });
  }

  static const Expr& argument_of(const PartialInput& partial, const MergedCall& call) {
    // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): match() has looked the keys and calls up
    return call.of_key ? partial.key(call.column)->expr : partial.call(call.column)->arguments.front();
  }

  // --- apply

  // What the new calls use of an input: keys first, then the arguments of the calls.
  Project projection_of(const PartialInput& partial, Plan& plan) const {
    Project project;
    for (const auto column : keys_) project.items.push_back({partial.key(column)->id, partial.key(column)->expr});
    for (const auto& call : calls_) {
      if (!call.has_argument) continue;
      const auto& argument = argument_of(partial, call);
      const auto* id = column_id(argument);
      project.items.push_back(
          {id != nullptr ? *id : plan.add_attribute({.name = "argument", .types = types_of(argument, plan, {})}),
           argument});
    }
    return project;
  }

  // The columns of the new input, given the projection of the first partial aggregate.
  std::vector<AttributeId> columns_of(const Project& first, Plan& plan) const {
    std::vector<AttributeId> columns;
    for (std::size_t i = 0; i < first.items.size(); ++i) {
      const auto id = first.items[i].id;
      columns.push_back(set_ == nullptr ? id : i < keys_.size() ? set_->ids[keys_[i]] : plan.add_attribute_like(id));
    }
    return columns;
  }

  // A column of the UNION ALL can have any value that a column of an input can have.
  void widen(const std::vector<AttributeId>& columns, const Project& input, Plan& plan) const {
    for (std::size_t i = keys_.size(); i < columns.size(); ++i) {
      auto& attribute = plan.attributes[columns[i]];
      const auto& other = plan.attributes[input.items[i].id];
      attribute.types = attribute.types | other.types.with_null();
      if (attribute.storage != other.storage) attribute.storage = Affinity::none;
      attribute.table = nullptr;
      attribute.position = -1;
    }
  }

  void rewrite_calls(const std::vector<AttributeId>& columns) {
    std::size_t next = keys_.size();
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      auto& call = outer_.calls[i];
      call.name = calls_[i].info->name;
      call.info = calls_[i].info;
      call.distinct = calls_[i].distinct;
      call.arguments.clear();
      if (calls_[i].has_argument) call.arguments.push_back(column(columns[next++]));
    }
  }

  Aggregate& outer_;
  SetOp* set_;  // the UNION ALL below it, if there is one
  std::vector<PartialInput> partials_;
  std::vector<std::size_t> keys_;  // for each upper key the column of the input
  std::vector<MergedCall> calls_;  // for each upper call
};

bool merge_aggregates(Rel& rel, RuleContext& context) {
  PartialMerging merging(*rel.as<Aggregate>());
  if (!merging.match(context)) return false;
  merging.apply(context.plan());
  return true;
}

}  // namespace

const Rule partial_aggregate_merging{
    .name = "partial_aggregate_merging",
    .kinds = rel_kinds<Aggregate>,
    .apply = merge_aggregates,
    .example = partial_aggregate_merging_example,
};

}  // namespace trustsql::plan::rules
