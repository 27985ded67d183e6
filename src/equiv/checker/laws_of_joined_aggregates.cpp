// Aggregates over joins of partial aggregates, and of groups of the same rows.
#include <algorithm>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/agreement.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "equiv/checker/samples.hpp"
#include "equiv/checker/uses.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// The partial aggregates that are merged.
struct MergedGroups {
  std::vector<const Aggregate*> groups{};
  AttributeSet results{};  // of all of them

  const AggregateCall* result(const Expr& expr) const {
    const auto* id = column_id(expr);
    if (id == nullptr) return nullptr;
    for (const auto* group : groups) {
      const auto call = std::find_if(group->calls.begin(), group->calls.end(),
                                     [&](const AggregateCall& each) { return each.id == *id; });
      if (call != group->calls.end()) return &*call;
    }
    return nullptr;
  }
};

// Whether all rows of a group agree on each of its keys, in every respect.
bool has_keys_of_one_spelling(const Aggregate& group, const Given& given) {
  return group.grouped && !group.keys.empty() &&
         std::all_of(group.keys.begin(), group.keys.end(), [&](const GroupKey& key) {
           return key.expr == column(key.id) && key.collation == binary_collation &&
                  has_one_spelling(key.expr, given.attributes);
         });
}

std::vector<Expr> factors_of(const Expr& expr) {
  const auto* product = expr.as<Binary>();
  if (product == nullptr || product->op != ast::BinaryOp::multiply) return {expr};
  auto factors = factors_of(*product->left);
  for (auto& factor : factors_of(*product->right)) factors.push_back(std::move(factor));
  return factors;
}

bool is_number_or_null(const Expr& expr, const Given& given) {
  Parts parts;
  collect(expr, parts);
  return hold_everywhere(parts, {}, given, [&](Evaluator& evaluator) {
    const auto value = evaluator.value(expr);
    return value.type == ValueType::text || value.type == ValueType::blob;
  });
}

// Whether `product` has the factors of all of `terms`.
bool is_product_of(const Expr& product, const std::vector<Expr>& terms) {
  std::vector<Expr> factors;
  for (const auto& term : terms) {
    for (auto& factor : factors_of(term)) factors.push_back(std::move(factor));
  }
  const auto found = factors_of(product);
  const auto rest = difference(factors, found);
  return factors.size() == found.size() && rest && rest->empty();
}

// Whether the sum `a` over groups is `b` over rows, apart from NULL over no rows.
bool is_sum_over_rows(const AggregateCall& a, const AggregateCall& b, const MergedGroups& merged, bool grouped,
                      const Given& given) {
  const auto factors = factors_of(a.arguments.front());
  bool only_sums = true;                               // the factors over the rows are arguments of sums
  std::vector<Expr> rows;                              // the factors over the rows
  std::vector<const Expr*> counted;                    // arguments of count(x)
  std::vector<const Aggregate*> left = merged.groups;  // that have no factor yet
  for (const auto& factor : factors) {
    if (is_volatile(factor)) return false;
    const auto* result = merged.result(factor);
    if (result == nullptr) {
      if (references(factor).intersects(merged.results)) return false;
      rows.push_back(factor);
      only_sums = false;
      continue;
    }
    if (result->distinct || (result->name != "count" && result->name != "sum")) return false;
    const auto owner = std::find_if(left.begin(), left.end(), [&](const Aggregate* group) {
      return std::any_of(group->calls.begin(), group->calls.end(),
                         [&](const AggregateCall& call) { return call.id == result->id; });
    });
    if (owner == left.end()) return false;
    left.erase(owner);
    if (result->name == "sum") rows.push_back(result->arguments.front());
    if (result->name == "count" && !result->arguments.empty()) counted.push_back(&result->arguments.front());
  }
  if (!left.empty() || b.distinct) return false;
  if (!counted.empty())
    return counted.size() == 1 && rows.empty() && grouped && b.name == "count" && b.arguments.size() == 1 &&
           b.arguments.front() == *counted.front();
  if (rows.empty()) return b.name == "count" && b.arguments.empty();
  if (b.name != "sum" || b.arguments.size() != 1 || !is_product_of(b.arguments.front(), rows)) return false;
  if (rows.size() == 1 && (factors.size() == 1 || only_sums)) return true;
  return std::all_of(rows.begin(), rows.end(), [&](const Expr& factor) { return is_number_or_null(factor, given); });
}

// Whether `b` over the rows has the value of `a` over the groups, apart from NULL over no rows.
bool is_call_over_rows(const AggregateCall& a, const AggregateCall& b, const MergedGroups& merged, bool grouped,
                       const Given& given) {
  if (!is_basic_call(a) || !is_basic_call(b) || a.filter || b.filter) return false;
  const bool extreme = a.name == "min" || a.name == "max";
  if (!extreme && !a.distinct) return a.name == "sum" && is_sum_over_rows(a, b, merged, grouped, given);
  if (a.name != b.name || a.distinct != b.distinct || a.collation != b.collation) return false;
  const auto* result = merged.result(a.arguments.front());
  if (result == nullptr)
    return a.arguments == b.arguments && !references(a.arguments.front()).intersects(merged.results) &&
           !is_volatile(a.arguments.front());
  return !a.distinct && result->name == a.name && result->collation == a.collation && b.arguments == result->arguments;
}

// Whether the column `id` of the result is the call `b`; where a count replaces a sum, NULL instead of 0.
bool is_shown(const Project* project, AttributeId id, const AggregateCall& b, bool count_for_sum, const Given& given) {
  if (project == nullptr) return id == b.id;
  const auto* item = item_of(*project, id);
  if (item == nullptr) return false;
  if (!count_for_sum) return *item == column(b.id);
  Case choice;
  choice.branches.push_back({compare(CompareOp::equal, column(b.id), literal(std::int64_t{0})), literal({}), {}});
  choice.otherwise = column(b.id);
  return agree(*item, Expr{std::move(choice)}, false, {b.id}, given);
}

// Whether `rel` is `before` over the rows of some of the partial aggregates below it.
bool is_merged(const Aggregate& before, const Rel& rel, const Given& given) {
  const auto* project = rel.as<Project>();
  const auto* after = (project != nullptr ? *project->input : rel).as<Aggregate>();
  if (after == nullptr || before.grouped != after->grouped || !(before.keys == after->keys) ||
      before.calls.size() != after->calls.size() || (before.grouped && project != nullptr))
    return false;
  std::vector<const Rel*> leaves;
  std::vector<Expr> conditions;
  split_product(*before.input, leaves, conditions);
  const auto now = output_set(*after->input);
  MergedGroups merged;
  for (auto& leaf : leaves) {
    const auto* group = below_renamings(*leaf).as<Aggregate>();
    if (group == nullptr || std::any_of(group->calls.begin(), group->calls.end(),
                                        [&](const AggregateCall& call) { return now.contains(call.id); }))
      continue;
    if (!has_keys_of_one_spelling(*group, given) || is_volatile(*leaf) ||
        !std::all_of(group->calls.begin(), group->calls.end(),
                     [](const AggregateCall& call) { return is_basic_call(call) && !call.filter; }))
      return false;
    for (const auto& call : group->calls) merged.results.add(call.id);
    merged.groups.push_back(group);
    leaf = group->input.get();
  }
  const auto uses_results = [&](const Expr& expr) {
    return references(expr).intersects(merged.results) || is_volatile(expr);
  };
  if (merged.groups.empty() || std::any_of(conditions.begin(), conditions.end(), uses_results) ||
      std::any_of(before.keys.begin(), before.keys.end(), [&](const GroupKey& key) { return uses_results(key.expr); }))
    return false;
  for (std::size_t i = 0; i < before.calls.size(); ++i) {
    const auto& a = before.calls[i];
    const auto& b = after->calls[i];
    if (!is_call_over_rows(a, b, merged, before.grouped, given) ||
        !is_shown(project, a.id, b, !before.grouped && a.name != b.name, given))
      return false;
  }
  return same_rows(product(leaves, std::move(conditions)), *after->input, outputs(*after->input), false, given);
}

// Products of the results of joined groups become sums over groups of one row each.
bool products_are_merged(const Project& before, const Rel& rel, const Given& given) {
  const auto* after = rel.as<Project>();
  const auto* merged = after != nullptr ? after->input->as<Aggregate>() : nullptr;
  if (merged == nullptr || !merged->grouped || before.items.size() != after->items.size()) return false;
  AttributeSet keys;
  for (const auto& key : merged->keys) {
    if (!(key.expr == column(key.id)) || key.collation != binary_collation) return false;
    keys.add(key.id);
  }
  if (!keys.is_subset_of(output_set(*before.input)) || !knowledge_of(*before.input, given).is_key(keys)) return false;
  // The same aggregate over the rows of `before`, each of which is a group.
  Aggregate upper{before.input, true, merged->keys, {}};
  for (const auto& call : merged->calls) {
    const auto item = std::find_if(after->items.begin(), after->items.end(),
                                   [&](const ProjectItem& each) { return each.expr == column(call.id); });
    if (item == after->items.end()) return false;
    const auto& value = before.items[static_cast<std::size_t>(item - after->items.begin())];
    const auto* product = value.expr.as<Binary>();
    if (product == nullptr || product->op != ast::BinaryOp::multiply || value.id != item->id) return false;
    AggregateCall sum = call;
    sum.name = "sum";
    sum.distinct = false;
    sum.arguments = {value.expr};
    upper.calls.push_back(std::move(sum));
  }
  for (std::size_t i = 0; i < before.items.size(); ++i) {
    const auto& old = before.items[i];
    const auto& item = after->items[i];
    if (old.id != item.id) return false;
    const bool is_sum = std::any_of(merged->calls.begin(), merged->calls.end(),
                                    [&](const AggregateCall& call) { return item.expr == column(call.id); });
    if (!is_sum && !(item.expr == old.expr && references(old.expr).is_subset_of(keys))) return false;
  }
  return is_merged(upper, *after->input, given);
}

bool joined_aggregate_merging(const Change& c) {
  if (outputs(c.before) != outputs(c.after)) return false;
  if (const auto* project = c.before.as<Project>()) return products_are_merged(*project, c.after, c.given);
  const auto* before = c.before.as<Aggregate>();
  return before != nullptr && is_merged(*before, c.after, c.given);
}

// The columns that a comparison by = without conversion equates; nullopt for another condition.
std::optional<std::pair<AttributeId, AttributeId>> equation_of(const Expr& condition, const Given& given) {
  const auto* compare = condition.as<Compare>();
  if (compare == nullptr || compare->op != CompareOp::equal || !compares_plainly(*compare, given.attributes))
    return std::nullopt;
  const auto* left = column_id(*compare->left);
  const auto* right = column_id(*compare->right);
  return left != nullptr && right != nullptr ? std::optional(std::pair(*left, *right)) : std::nullopt;
}

// Whether the equations among `conditions` lead from `a` to `b`.
bool are_equal_by(const std::vector<Expr>& conditions, AttributeId a, AttributeId b, const Given& given) {
  AttributeSet reached{a};
  for (std::size_t round = 0; round < conditions.size(); ++round) {
    for (const auto& condition : conditions) {
      const auto pair = equation_of(condition, given);
      if (!pair || (!reached.contains(pair->first) && !reached.contains(pair->second))) continue;
      reached.add(pair->first);
      reached.add(pair->second);
    }
  }
  return reached.contains(b);
}

// Whether `after` is `before`, or the same use of a table with more columns.
bool reads_at_least(const Rel& after, const Rel& before) {
  if (after == before) return true;
  const auto* a = after.as<Scan>();
  const auto* b = before.as<Scan>();
  if (a == nullptr || b == nullptr || a->table == nullptr) return false;
  Scan wider = *b;
  wider.columns = a->columns;
  return wider == *a && std::all_of(b->columns.begin(), b->columns.end(), [&](const TableColumn& column) {
           const auto* same = column_of(*a, column.id);
           return same != nullptr && same->position == column.position;
         });
}

// Groups of a table that are joined with the rows of the table, and groups of these.
struct TwoGroupings {
  const Aggregate& before;
  const Aggregate& after;
  const std::vector<Expr>& having;
  const Given& given;

  // Whether leaf `at` of the product below `before` is computed together with it from leaf `with` of that below
  // `after`.
  bool merge(std::size_t at, std::size_t with) const {
    std::vector<const Rel*> leaves;
    std::vector<const Rel*> leaves_after;
    std::vector<Expr> all;
    std::vector<Expr> all_after;
    split_product(*before.input, leaves, all);
    split_product(*after.input, leaves_after, all_after);
    const auto* groups = leaves[at]->as<Aggregate>();
    const auto* rows = leaves_after[with]->as<Scan>();
    leaves.erase(leaves.begin() + static_cast<std::ptrdiff_t>(at));
    if (groups == nullptr || !groups->grouped || is_volatile(*groups->input) || rows == nullptr ||
        rows->table == nullptr ||
        !std::equal(leaves_after.begin(), leaves_after.end(), leaves.begin(), leaves.end(),
                    [](const Rel* a, const Rel* b) { return reads_at_least(*a, *b); }))
      return false;
    // What the columns of the grouped table are called among the rows.
    std::vector<const Rel*> tables;
    std::vector<Expr> required;
    split_product(*groups->input, tables, required);
    const auto* table = tables.front()->as<Scan>();
    if (tables.size() != 1 || table == nullptr || table->table != rows->table) return false;
    Renaming names;
    for (const auto& column : table->columns) {
      const auto* same = column_at(*rows, column.position);
      if (same == nullptr) return false;
      names[column.id] = same->id;
    }
    const auto renamed = [&](Expr expr) {
      rename(expr, names);
      return expr;
    };
    for (auto& condition : required) condition = renamed(std::move(condition));
    // The keys, and the columns that are not there any more.
    AttributeSet keys;
    Renaming keys_in_rows;
    AttributeSet results;
    for (const auto& key : groups->keys) {
      if (!(key.expr == column(key.id)) || key.collation != binary_collation || !names.contains(key.id) ||
          !has_one_spelling(key.expr, given.attributes) || !are_equal_by(all, key.id, names[key.id], given))
        return false;
      keys.add(names[key.id]);
      keys_in_rows[key.id] = names[key.id];
    }
    if (after.calls.size() != before.calls.size() + groups->calls.size()) return false;
    for (std::size_t i = 0; i < groups->calls.size(); ++i) {
      auto call = groups->calls[i];
      results.add(call.id);
      for (auto& argument : call.arguments) argument = renamed(argument);
      if (call.filter) call.filter = renamed(*call.filter);
      if (!skips_nulls(call) || !(after.calls[before.calls.size() + i] == call)) return false;
    }
    return has_conditions(all, all_after, results, keys_in_rows) &&
           looks_at_keys_only(all_after, required, keys, output_set(*leaves_after[with])) &&
           has_each_row_once(leaves_after, with, all_after, keys) && has_same_groups(keys);
  }

  // Whether the conditions are the same, apart from those on the groups, which are now above.
  bool has_conditions(const std::vector<Expr>& all, const std::vector<Expr>& all_after, const AttributeSet& results,
                      const Renaming& keys_in_rows) const {
    std::vector<Expr> above;
    std::vector<Expr> below;
    for (auto condition : all) {
      if (!is_fixed(condition)) return false;
      if (references(condition).intersects(results)) {
        if (!references(condition).is_subset_of(results)) return false;
        above.push_back(std::move(condition));
        continue;
      }
      rename(condition, keys_in_rows);
      below.push_back(std::move(condition));
    }
    return std::is_permutation(above.begin(), above.end(), having.begin(), having.end()) &&
           std::is_permutation(below.begin(), below.end(), all_after.begin(), all_after.end());
  }

  // Whether conditions on the rows are those of the grouped table, or equate keys.
  bool looks_at_keys_only(const std::vector<Expr>& conditions, const std::vector<Expr>& required,
                          const AttributeSet& keys, const AttributeSet& of_rows) const {
    const auto is_among = [](const Expr& each, const std::vector<Expr>& list) {
      return std::find(list.begin(), list.end(), each) != list.end();
    };
    return std::all_of(required.begin(), required.end(),
                       [&](const Expr& each) { return is_fixed(each) && is_among(each, conditions); }) &&
           std::all_of(conditions.begin(), conditions.end(), [&](const Expr& each) {
             const auto used = references(each) & of_rows;
             return used.empty() || is_among(each, required) || (equation_of(each, given) && used.is_subset_of(keys));
           });
  }

  // Whether the other leaves have one row at most for values of the keys.
  bool has_each_row_once(std::vector<const Rel*> leaves, std::size_t with, const std::vector<Expr>& conditions,
                         const AttributeSet& keys) const {
    const auto of_rows = output_set(*leaves[with]);
    leaves.erase(leaves.begin() + static_cast<std::ptrdiff_t>(with));
    if (leaves.empty()) return true;
    std::vector<Expr> on_others;
    AttributeSet fixed;
    for (const auto& condition : conditions) {
      if (!references(condition).intersects(of_rows)) on_others.push_back(condition);
      const auto pair = equation_of(condition, given);
      if (pair && keys.contains(pair->first)) fixed.add(pair->second);
      if (pair && keys.contains(pair->second)) fixed.add(pair->first);
    }
    const Rel others = product(leaves, std::move(on_others));
    const auto known = knowledge_of(others, given);
    return !is_volatile(others) && known.is_key(fixed & known.columns);
  }

  bool has_same_groups(const AttributeSet& keys) const {
    const auto known = knowledge_of(*after.input, given);
    AttributeSet grouped_by;
    for (const auto& key : after.keys) {
      const auto* id = column_id(key.expr);
      if (id == nullptr || key.collation != binary_collation) return false;
      grouped_by.add(*id);
    }
    return keys.is_subset_of(known.closure(grouped_by)) && grouped_by.is_subset_of(known.closure(keys));
  }
};

// Groups by the same columns as other groups of the same rows, with which the rows are joined.
bool groups_of_joined_rows(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const Rel* below = project != nullptr ? &*project->input : &c.after;
  std::vector<Expr> having;
  while (const auto* filter = below->as<Filter>()) {
    having.insert(having.end(), filter->conjuncts.begin(), filter->conjuncts.end());
    below = &*filter->input;
  }
  const auto* after = below->as<Aggregate>();
  if (before == nullptr || after == nullptr || !before->grouped || !after->grouped || before->keys.empty() ||
      !(before->keys == after->keys) || before->calls.size() > after->calls.size() ||
      !std::equal(before->calls.begin(), before->calls.end(), after->calls.begin()) ||
      !std::all_of(before->calls.begin(), before->calls.end(), skips_nulls) || outputs(c.before) != outputs(c.after) ||
      (project != nullptr && !std::all_of(project->items.begin(), project->items.end(),
                                          [](const ProjectItem& item) { return item.is_pass_through(); })))
    return false;
  std::vector<const Rel*> leaves;
  std::vector<Expr> conditions;
  split_product(*before->input, leaves, conditions);
  // What is no longer there is not used.
  const auto visible = output_set(*after->input);
  const auto is_over = [&](const Expr& expr) { return is_fixed(expr) && references(expr).is_subset_of(visible); };
  if (!std::all_of(before->keys.begin(), before->keys.end(), [&](const GroupKey& key) { return is_over(key.expr); }) ||
      !std::all_of(before->calls.begin(), before->calls.end(),
                   [&](const AggregateCall& call) { return is_over(contribution(call)); }))
    return false;
  const TwoGroupings both{*before, *after, having, c.given};
  for (std::size_t at = 0; at < leaves.size(); ++at) {
    for (std::size_t with = 0; with + 1 < leaves.size(); ++with) {
      if (both.merge(at, with)) return true;
    }
  }
  return false;
}

constexpr Law joined_aggregate_laws[] = {
    {"joined_aggregate_merging", joined_aggregate_merging},
    {"groups_of_joined_rows", groups_of_joined_rows},
};

}  // namespace

std::span<const Law> laws_of_joined_aggregates() { return joined_aggregate_laws; }

}  // namespace trustsql::equiv::checker
