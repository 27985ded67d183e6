#include "plan/rules/partial_aggregate_merging.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_binary(const Aggregate& aggregate) {
  return std::all_of(aggregate.keys.begin(), aggregate.keys.end(),
                     [](const GroupKey& key) { return key.collation == binary_collation; });
}

// An input of the outer aggregate: the partial aggregate, and the partial aggregate's column for each column of the
// input.
struct Part {
  Aggregate* aggregate = nullptr;
  std::vector<AttributeId> columns{};

  const GroupKey* key(std::size_t column) const {
    const auto found = std::find_if(aggregate->keys.begin(), aggregate->keys.end(),
                                    [&](const GroupKey& k) { return k.id == columns[column]; });
    return found != aggregate->keys.end() ? &*found : nullptr;
  }
  const AggregateCall* call(std::size_t column) const {
    const auto found = std::find_if(aggregate->calls.begin(), aggregate->calls.end(),
                                    [&](const AggregateCall& c) { return c.id == columns[column]; });
    return found != aggregate->calls.end() ? &*found : nullptr;
  }
};

// Looks through projections that only pass columns on.
std::optional<Part> part_of(Rel& rel) {
  Part part{nullptr, outputs(rel)};
  Rel* current = &rel;
  while (auto* project = current->as<Project>()) {
    if (!std::all_of(project->items.begin(), project->items.end(),
                     [](const ProjectItem& i) { return i.is_pass_through(); }))
      return std::nullopt;
    current = project->input.get();
  }
  part.aggregate = current->as<Aggregate>();
  if (part.aggregate == nullptr || !is_binary(*part.aggregate)) return std::nullopt;
  return part;
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

bool merge_aggregates(Rel& rel, RuleContext& context) {
  auto* outer = rel.as<Aggregate>();
  auto* set = outer->input->as<SetOp>();
  if (set != nullptr && set->op != ast::SetOp::union_all) return false;
  if (outer->calls.empty() || !is_binary(*outer)) return false;
  std::vector<Part> parts;
  const auto add = [&](Rel& input) {
    auto part = part_of(input);
    if (!part || part->aggregate->grouped != outer->grouped) return false;
    parts.push_back(*std::move(part));
    return true;
  };
  if (set != nullptr) {
    for (auto& input : set->inputs) {
      if (!add(input)) return false;
    }
  } else if (!add(*outer->input)) {
    return false;
  }
  const auto ids = outputs(*outer->input);
  const auto place = [&](const Expr& expr) -> std::optional<std::size_t> {
    const auto* id = column_id(expr);
    const auto found = id != nullptr ? std::find(ids.begin(), ids.end(), *id) : ids.end();
    if (found == ids.end()) return std::nullopt;
    return static_cast<std::size_t>(found - ids.begin());
  };
  // Keys first, then the arguments of the calls, in new columns.
  std::vector<std::size_t> keys;
  for (const auto& key : outer->keys) {
    const auto column = place(key.expr);
    if (!column ||
        !std::all_of(parts.begin(), parts.end(), [&](const Part& part) { return part.key(*column) != nullptr; }))
      return false;
    keys.push_back(*column);
  }
  // The columns that a call uses: partial results, or keys.
  struct Merged {
    const SqlFunction* info;
    std::size_t column;
    bool has_argument;
    bool of_key;
    bool distinct;
  };
  const auto of_key = [&](const AggregateCall& call, std::size_t column) -> std::optional<Merged> {
    if (!std::all_of(parts.begin(), parts.end(), [&](const Part& part) { return part.key(column) != nullptr; }))
      return std::nullopt;
    if (call.info == nullptr) return std::nullopt;
    if (call.name == "min" || call.name == "max") return Merged{call.info, column, true, true, false};
    const bool adds_up = call.name == "count" || call.name == "sum" || call.name == "avg" || call.name == "total";
    if (!adds_up || (call.distinct && call.collation != binary_collation)) return std::nullopt;
    // Without DISTINCT, each value of the key must occur once in each group above.
    const bool once =
        set == nullptr && std::all_of(parts.front().aggregate->keys.begin(), parts.front().aggregate->keys.end(),
                                      [&](const GroupKey& key) {
                                        return key.id == parts.front().columns[column] ||
                                               std::any_of(keys.begin(), keys.end(), [&](std::size_t above) {
                                                 return parts.front().columns[above] == key.id;
                                               });
                                      });
    if (!call.distinct && !once) return std::nullopt;
    return Merged{call.info, column, true, true, true};
  };
  std::vector<Merged> calls;
  for (const auto& call : outer->calls) {
    if (call.filter || call.is_bare() || call.arguments.size() != 1 || !call.order_by.empty()) return false;
    const auto column = place(call.arguments.front());
    if (!column) return false;
    if (auto call_of_key = of_key(call, *column)) {
      calls.push_back(*call_of_key);
      continue;
    }
    if (call.distinct) return false;
    Merged new_call{nullptr, *column, false, false, false};
    for (const auto& part : parts) {
      const auto* inner = part.call(*column);
      const auto* info = inner != nullptr ? merged(call, *inner) : nullptr;
      if (info == nullptr) return false;
      const bool has_argument = !inner->arguments.empty();
      if (new_call.info != nullptr && (new_call.info->name != info->name || new_call.has_argument != has_argument))
        return false;
      new_call.info = info;
      new_call.has_argument = has_argument;
    }
    calls.push_back(new_call);
  }
  const auto argument_of = [](const Part& part, const Merged& call) -> const Expr& {
    return call.of_key ? part.key(call.column)->expr : part.call(call.column)->arguments.front();
  };
  // If the inputs have different affinities, SQLite may convert some values (https://sqlite.org/datatype3.html,
  // section 3.3); before the merge they were aggregated without conversion.
  const auto affinity_of = [&](const Part& part, const Merged& call) {
    const auto* id = call.has_argument ? column_id(argument_of(part, call)) : nullptr;
    return id != nullptr ? context.plan().attributes[*id].affinity : Affinity::none;
  };
  for (const auto& call : calls) {
    for (const auto& part : parts) {
      if (affinity_of(part, call) != affinity_of(parts.front(), call)) return false;
    }
  }
  // All conditions hold; now project the inputs to the columns that the new calls use.
  auto& plan = context.plan();
  std::vector<Rel> inputs;
  std::vector<AttributeId> columns;  // keys and arguments, in their order
  for (const auto& part : parts) {
    Project project;
    for (const auto at : keys) project.items.push_back({part.key(at)->id, part.key(at)->expr});
    for (const auto& call : calls) {
      if (!call.has_argument) continue;
      const auto& argument = argument_of(part, call);
      const auto* id = column_id(argument);
      project.items.push_back(
          {id != nullptr ? *id : plan.add_attribute({.name = "argument", .types = types_of(argument, plan, {})}),
           argument});
    }
    if (columns.empty()) {
      for (std::size_t i = 0; i < project.items.size(); ++i) {
        const auto id = project.items[i].id;
        columns.push_back(set == nullptr ? id : i < keys.size() ? set->ids[keys[i]] : plan.add_attribute_like(id));
      }
    }
    // A column of the UNION ALL can have any value that a column of an input can have.
    for (std::size_t i = keys.size(); set != nullptr && i < columns.size(); ++i) {
      auto& attribute = plan.attributes[columns[i]];
      const auto& other = plan.attributes[project.items[i].id];
      attribute.types = attribute.types | other.types.with_null();
      if (attribute.storage != other.storage) attribute.storage = Affinity::none;
      attribute.table = nullptr;
      attribute.position = -1;
    }
    project.input = std::move(*part.aggregate->input);
    inputs.push_back(Rel{std::move(project)});
  }
  std::size_t next = keys.size();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    auto& call = outer->calls[i];
    call.name = calls[i].info->name;
    call.info = calls[i].info;
    call.distinct = calls[i].distinct;
    call.arguments.clear();
    if (calls[i].has_argument) call.arguments.push_back(column(columns[next++]));
  }
  if (set != nullptr) {
    outer->input = Rel{SetOp{ast::SetOp::union_all, std::move(inputs), columns, {}}};
  } else {
    outer->input = std::move(inputs.front());
  }
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
