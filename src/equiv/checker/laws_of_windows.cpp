// Window functions, and the joins and groups that replace them.
#include <algorithm>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// Whether the condition is that the column, a rank, is 1.
bool is_first_rank(const Expr& condition, AttributeId rank) {
  const auto* compare = condition.as<Compare>();
  if (compare == nullptr) return false;
  const Expr one = literal(std::int64_t{1});
  const bool of_left = *compare->left == column(rank) && *compare->right == one;
  const bool of_right = *compare->right == column(rank) && *compare->left == one;
  return (of_left && (compare->op == CompareOp::equal || compare->op == CompareOp::less_equal)) ||
         (of_right && (compare->op == CompareOp::equal || compare->op == CompareOp::greater_equal));
}

// The rows of the first rank have the extreme value of their partition.
bool rank_to_extreme(const Change& c) {
  const auto* window = unfiltered(c.before).as<Window>();
  const auto* project = unfiltered(c.after).as<Project>();
  const auto* join = project != nullptr ? project->input->as<Join>() : nullptr;
  const auto* extreme = join != nullptr ? join->right->as<Aggregate>() : nullptr;
  if (window == nullptr || extreme == nullptr || window->calls.size() != 1 || extreme->calls.size() != 1 ||
      join->type != JoinType::inner || !(*join->left == *window->input) || is_volatile(*window->input) ||
      !free_attributes(*window->input).empty())
    return false;
  const auto& rank = window->calls.front();
  const auto dropped = difference(conditions_of(c.before), conditions_of(c.after));
  if (!dropped || dropped->size() != 1 || !is_first_rank(dropped->front(), rank.id) || rank.order_by.size() != 1 ||
      rank.filter)
    return false;
  const auto& key = rank.order_by.front();
  const auto& call = extreme->calls.front();
  const auto* id = column_id(key.expr);
  const auto known = knowledge_of(*window->input, c.given);
  if (id == nullptr || !known.columns.contains(*id) || key.collation != binary_collation ||
      (key.nulls_first && !known.non_null.contains(*id)))
    return false;
  const auto renaming = renaming_of_copy(*window->input, *extreme->input);
  if (!renaming) return false;
  Rel copy = *window->input;
  rename(copy, *renaming);
  const auto copied = [&](AttributeId each) {
    Expr expr = column(each);
    rename(expr, *renaming);
    return expr;
  };
  if (!(copy == *extreme->input) || call.name != (key.descending ? "max" : "min") || call.info == nullptr ||
      call.distinct || call.filter || call.collation != binary_collation || call.arguments.size() != 1 ||
      !(call.arguments.front() == copied(*id)))
    return false;
  // The columns that must be equal, and their partners.
  std::vector<std::pair<AttributeId, Expr>> pairs{{*id, column(call.id)}};
  AttributeSet columns{*id};
  std::vector<Expr> keys;
  for (const auto& part : rank.partition_by) {
    const auto* by = column_id(part.expr);
    if (by == nullptr || part.collation != binary_collation) return false;
    if (std::find(keys.begin(), keys.end(), copied(*by)) != keys.end()) continue;
    pairs.emplace_back(*by, copied(*by));
    keys.push_back(copied(*by));
    columns.add(*by);
  }
  if (extreme->grouped == keys.empty() || extreme->keys.size() != keys.size()) return false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!(extreme->keys[i].expr == keys[i]) || !(column(extreme->keys[i].id) == keys[i]) ||
        extreme->keys[i].collation != binary_collation)
      return false;
  }
  if (join->on.size() != pairs.size()) return false;
  for (const auto& pair : pairs) {
    const bool equated = std::any_of(join->on.begin(), join->on.end(), [&](const Expr& condition) {
      const auto* compare = condition.as<Compare>();
      const bool fits =
          compare != nullptr &&
          (compare->op == CompareOp::is || (compare->op == CompareOp::equal && known.non_null.contains(pair.first)));
      return fits && compare->how == Comparison{} && *compare->left == column(pair.first) &&
             *compare->right == pair.second;
    });
    if (!equated) return false;
  }
  // Without ties only one row is first.
  if (rank.name != "rank" && rank.name != "dense_rank" && !(rank.name == "row_number" && known.is_key(columns)))
    return false;
  const auto ids = outputs(unfiltered(c.before));
  if (ids.size() != project->items.size()) return false;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Expr expected = ids[i] == rank.id ? literal(std::int64_t{1}) : column(ids[i]);
    if (project->items[i].id != ids[i] || !(project->items[i].expr == expected)) return false;
  }
  return true;
}

// Whether the call aggregates all rows of a partition by columns of the input.
bool is_of_whole_partition(const WindowCall& call, const AttributeSet& inside) {
  using Kind = ast::FrameBound::Kind;
  const bool whole = call.frame ? call.frame->start.kind == Kind::unbounded_preceding &&
                                      call.frame->end.kind == Kind::unbounded_following &&
                                      call.frame->exclude == ast::FrameExclude::no_others
                                : call.order_by.empty();
  return whole && std::all_of(call.partition_by.begin(), call.partition_by.end(), [&](const GroupKey& key) {
           const auto* id = column_id(key.expr);
           return id != nullptr && key.collation == binary_collation && inside.contains(*id);
         });
}

// Whether `b`, over the copied rows of a group, is the same aggregate as the window function `a`.
bool is_call_of_group(const WindowCall& a, const AggregateCall& b, const Renaming& copies) {
  auto arguments = a.arguments;
  for (auto& argument : arguments) rename(argument, copies);
  Box<Expr> filter;
  if (a.filter) {
    filter = *a.filter;
    rename(*filter, copies);
  }
  return a.id == b.id && a.name == b.name && a.info != nullptr && skips_nulls(b) && !b.distinct && b.order_by.empty() &&
         a.collation == b.collation && arguments == b.arguments && filter == b.filter;
}

// Aggregates over whole partitions become groups that the rows are joined with.
bool window_to_groups(const Change& c) {
  const auto* window = c.before.as<Window>();
  const Rel& below = below_renamings(c.after);
  const auto* join = below.as<Join>();
  const auto* groups = join != nullptr ? join->right->as<Aggregate>() : nullptr;
  if (window == nullptr || groups == nullptr || join->type != JoinType::inner || groups->calls.empty() ||
      outputs(c.before) != outputs(c.after) || is_volatile(c.before) || !free_attributes(c.before).empty())
    return false;
  const auto renaming = renaming_of_copy(*window->input, *groups->input);
  if (!renaming) return false;
  Rel copy = *window->input;
  rename(copy, *renaming);
  if (!(copy == *groups->input)) return false;
  // The calls that the groups compute, and their partition.
  const auto inside = output_set(*window->input);
  std::vector<WindowCall> others;
  AttributeSet partition;
  bool any = false;
  for (const auto& call : window->calls) {
    const auto* result = call_of(*groups, call.id);
    if (result == nullptr) {
      others.push_back(call);
      continue;
    }
    if (!is_of_whole_partition(call, inside) || !is_call_of_group(call, *result, *renaming)) return false;
    AttributeSet columns;
    for (const auto& key : call.partition_by) columns.add(*column_id(key.expr));
    if (any && !(columns == partition)) return false;
    partition = columns;
    any = true;
  }
  if (!any || others.size() + groups->calls.size() != window->calls.size()) return false;
  const Rel left = others.empty() ? *window->input : Rel{Window{window->input, std::move(others)}};
  if (!(*join->left == left)) return false;
  // The keys are the copies of the partition, and the join equates them with it, NULLs included.
  const auto known = knowledge_of(*window->input, c.given);
  if (groups->grouped == partition.empty() || groups->keys.size() != partition.size() ||
      join->on.size() != partition.size())
    return false;
  bool equated = true;
  partition.for_each([&](AttributeId id) {
    Expr own = column(id);
    rename(own, *renaming);
    const auto key = std::find_if(groups->keys.begin(), groups->keys.end(), [&](const GroupKey& each) {
      return each.expr == own && column(each.id) == own && each.collation == binary_collation;
    });
    const bool joined = std::any_of(join->on.begin(), join->on.end(), [&](const Expr& condition) {
      const auto* compare = condition.as<Compare>();
      return compare != nullptr &&
             (compare->op == CompareOp::is || (compare->op == CompareOp::equal && known.non_null.contains(id))) &&
             compare->how == Comparison{} && *compare->left == column(id) && *compare->right == own;
    });
    equated = equated && key != groups->keys.end() && joined;
  });
  return equated;
}

// The first value of a window by another name.
bool window_function_spelling(const Change& c) {
  const auto* before = c.before.as<Window>();
  const auto* after = c.after.as<Window>();
  return before != nullptr && after != nullptr && *before->input == *after->input &&
         std::equal(before->calls.begin(), before->calls.end(), after->calls.begin(), after->calls.end(),
                    [](WindowCall a, const WindowCall& b) {
                      if (a.name == "nth_value" && b.name == "first_value" && a.info != nullptr && b.info != nullptr &&
                          a.arguments.size() == 2 && a.arguments.back() == literal(std::int64_t{1})) {
                        a.arguments.pop_back();
                        a.name = b.name;
                        a.info = b.info;
                      }
                      return a == b;
                    });
}

// Groups over a copy of a window's input.
struct GroupsOfPartition {
  const Aggregate& groups;
  Renaming copies;    // the columns of the input in the copy
  AttributeSet keys;  // the columns of the input by whose copies the rows are grouped

  Expr copied(AttributeId id) const {
    Expr expr = column(id);
    rename(expr, copies);
    return expr;
  }
};

// `rel`, if it groups a copy of `input` by the columns of the partition and by others that these determine; nullopt if
// it does not.
std::optional<GroupsOfPartition> groups_of_partition(const Rel& input, const std::vector<GroupKey>& partition,
                                                     const Rel& rel, const Given& given) {
  const auto* groups = rel.as<Aggregate>();
  if (groups == nullptr || !groups->grouped || is_volatile(input)) return std::nullopt;
  const auto renaming = renaming_of_copy(input, *groups->input);
  if (!renaming) return std::nullopt;
  Rel copy = input;
  rename(copy, *renaming);
  if (!(copy == *groups->input)) return std::nullopt;
  GroupsOfPartition result{*groups, *renaming, {}};
  const auto known = knowledge_of(input, given);
  AttributeSet by;
  for (const auto& key : partition) {
    const auto* id = column_id(key.expr);
    if (id == nullptr || key.collation != binary_collation || !known.columns.contains(*id)) return std::nullopt;
    by.add(*id);
  }
  const auto agreed = known.closure(by);
  std::size_t found = 0;
  known.columns.for_each([&](AttributeId id) {
    const auto own = result.copied(id);
    const bool is_key = std::any_of(groups->keys.begin(), groups->keys.end(), [&](const GroupKey& key) {
      return key.expr == own && column(key.id) == own && key.collation == binary_collation;
    });
    if (!is_key || !agreed.contains(id)) return;
    result.keys.add(id);
    ++found;
  });
  if (found != groups->keys.size() || !by.is_subset_of(result.keys)) return std::nullopt;
  return result;
}

// The first row of a partition as a group, with the extreme value.
bool first_row_to_group(const Change& c) {
  const auto* window = unfiltered(c.before).as<Window>();
  const auto* project = unfiltered(c.after).as<Project>();
  if (window == nullptr || project == nullptr || window->calls.size() != 1) return false;
  const auto& rank = window->calls.front();
  const auto dropped = difference(conditions_of(c.before), conditions_of(c.after));
  if (!dropped || dropped->size() != 1 || !is_first_rank(dropped->front(), rank.id) || rank.order_by.empty() ||
      rank.filter)
    return false;
  // Ties: several rows may be first, which look the same.
  const bool one_row = rank.name == "row_number";
  const bool rows_of_value = (rank.name == "rank" || rank.name == "dense_rank") && rank.order_by.size() == 1;
  if (!one_row && (!rows_of_value || c.demand.repeats)) return false;
  const auto groups = groups_of_partition(*window->input, rank.partition_by, *project->input, c.given);
  const auto& key = rank.order_by.front();
  const auto* id = column_id(key.expr);
  const auto known = knowledge_of(*window->input, c.given);
  if (!groups || groups->groups.calls.size() != 1 || id == nullptr || !known.columns.contains(*id) ||
      key.collation != binary_collation || (key.nulls_first && !known.non_null.contains(*id)))
    return false;
  const auto& call = groups->groups.calls.front();
  if (call.name != (key.descending ? "max" : "min") || call.info == nullptr || call.distinct || call.filter ||
      call.collation != binary_collation || call.arguments.size() != 1 ||
      !(call.arguments.front() == groups->copied(*id)))
    return false;
  const auto ids = output_set(c.before);
  return std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
    if (!ids.contains(item.id)) return false;
    if (item.id == rank.id) return item.expr == literal(std::int64_t{1});
    return (item.id == *id && item.expr == column(call.id)) ||
           (groups->keys.contains(item.id) && item.expr == groups->copied(item.id));
  });
}

// Rows that are seen once each, with the aggregates of their partition, as groups.
bool window_rows_to_groups(const Change& c) {
  const auto* window = c.before.as<Window>();
  const auto* project = c.after.as<Project>();
  if (window == nullptr || project == nullptr || window->calls.empty() || c.demand.repeats) return false;
  const auto groups = groups_of_partition(*window->input, window->calls.front().partition_by, *project->input, c.given);
  if (!groups) return false;
  const auto inside = output_set(*window->input);
  const auto partition_of = [](const WindowCall& call) {
    AttributeSet columns;
    for (const auto& key : call.partition_by) columns |= references(key.expr);
    return columns;
  };
  const auto partition = partition_of(window->calls.front());
  // Each call of the groups is one of the window, by another name.
  return std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
    if (inside.contains(item.id)) return groups->keys.contains(item.id) && item.expr == groups->copied(item.id);
    const auto own = std::find_if(window->calls.begin(), window->calls.end(),
                                  [&](const WindowCall& call) { return call.id == item.id; });
    const auto* id = column_id(item.expr);
    const auto* call = id != nullptr ? call_of(groups->groups, *id) : nullptr;
    if (own == window->calls.end() || call == nullptr || !is_of_whole_partition(*own, inside) ||
        !(partition_of(*own) == partition))
      return false;
    AggregateCall named = *call;
    named.id = own->id;
    return is_call_of_group(*own, named, groups->copies);
  });
}

// The rows whose values decide about that of a call: those of its partition that come before its own row, those up to
// it and its equals, or those after it.
enum class Others : std::uint8_t { before, up_to, after };

// The conditions under which a row with the columns that `copied` names is one of those; nullopt if the keys of the
// call do not say so by comparisons of columns.
std::optional<std::vector<Expr>> conditions_on_others(const WindowCall& call, Others others, const Knowledge& known,
                                                      const Renaming& copies, const std::vector<Expr>& found) {
  const auto copied = [&](Expr expr) {
    rename(expr, copies);
    return expr;
  };
  const auto is_key = [&](const Expr& expr, std::string_view collation) {
    const auto* id = column_id(expr);
    return id != nullptr && collation == binary_collation && known.columns.contains(*id);
  };
  std::vector<Expr> conditions;
  for (const auto& key : call.partition_by) {
    if (!is_key(key.expr, key.collation)) return std::nullopt;
    Expr same = compare(CompareOp::is, copied(key.expr), key.expr);
    const bool nulls_apart = std::find(found.begin(), found.end(), same) == found.end();
    if (nulls_apart && !known.non_null.contains(*column_id(key.expr))) return std::nullopt;
    if (nulls_apart) same.as<Compare>()->op = CompareOp::equal;
    if (std::find(conditions.begin(), conditions.end(), same) == conditions.end())
      conditions.push_back(std::move(same));
  }
  std::vector<Expr> ways;  // in which the row differs first in the key of that number
  for (std::size_t first = 0; first < call.order_by.size(); ++first) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i <= first; ++i) {
      const auto& key = call.order_by[i];
      if (!is_key(key.expr, key.collation) || !known.non_null.contains(*column_id(key.expr))) return std::nullopt;
      auto op = CompareOp::equal;
      if (i == first) {
        const bool or_equal = others == Others::up_to && first + 1 == call.order_by.size();
        op = or_equal ? CompareOp::less_equal : CompareOp::less;
        if (key.descending != (others == Others::after)) op = mirrored(op);
      }
      terms.push_back(compare(op, copied(key.expr), key.expr));
    }
    ways.push_back(conjunction(std::move(terms)));
  }
  if (ways.empty()) return std::nullopt;
  conditions.push_back(disjunction(std::move(ways)));
  return conditions;
}

// Which other rows decide about the value of `call`, if `result` is the same aggregate of them, or for ranks the number
// of them or of their values; nullopt if it is not.
std::optional<Others> others_aggregated(const WindowCall& call, const AggregateCall& result, const Renaming& copies,
                                        bool tied, const Given& given) {
  using Kind = ast::FrameBound::Kind;
  if (call.info == nullptr || result.info == nullptr || call.order_by.empty()) return std::nullopt;
  const Expr& first = call.order_by.front().expr;
  Expr first_of_copy = first;
  rename(first_of_copy, copies);
  const bool plain = !result.filter && result.order_by.empty() && result.collation == binary_collation;
  if (call.name == "rank")
    return plain && result.name == "count" && result.arguments.empty() && !result.distinct
               ? std::optional(Others::before)
               : std::nullopt;
  if (call.name == "dense_rank") {
    const bool counts_values = plain && result.name == "count" && result.distinct && result.arguments.size() == 1 &&
                               result.arguments.front() == first_of_copy;
    return counts_values && call.order_by.size() == 1 ? std::optional(Others::before) : std::nullopt;
  }
  if (call.name == "lag" || call.name == "lead") {
    const bool after = call.name == "lead";
    const bool greatest = call.order_by.front().descending == after;
    const bool fits = !tied && plain && !result.distinct && !call.filter &&
                      call.arguments == std::vector<Expr>{first} &&
                      result.arguments == std::vector<Expr>{first_of_copy} && result.id == call.id &&
                      result.name == (greatest ? "max" : "min") && has_one_spelling(first, given.attributes);
    return fits ? std::optional(after ? Others::after : Others::before) : std::nullopt;
  }
  const bool up_to_row =
      !call.frame || (call.frame->start.kind == Kind::unbounded_preceding &&
                      call.frame->end.kind == Kind::current_row && call.frame->exclude == ast::FrameExclude::no_others);
  const bool splits_ties = tied && call.frame && call.frame->unit == ast::FrameUnit::rows;
  return up_to_row && !splits_ties && result.collation == binary_collation && is_call_of_group(call, result, copies)
             ? std::optional(Others::up_to)
             : std::nullopt;
}

// What is below filters, whose conditions are added to `conditions`.
const Rel& below_filters(const Rel& rel, std::vector<Expr>& conditions) {
  const auto* filter = rel.as<Filter>();
  if (filter == nullptr) return rel;
  conditions.insert(conditions.end(), filter->conjuncts.begin(), filter->conjuncts.end());
  return below_filters(*filter->input, conditions);
}

// A window function over the rows before or up to the own one as an aggregate of them.
bool window_to_subquery(const Change& c) {
  const auto* window = c.before.as<Window>();
  const auto* project = c.after.as<Project>();
  const auto* apply = (project != nullptr ? *project->input : c.after).as<Apply>();
  const auto* rows = apply != nullptr ? apply->right->as<Aggregate>() : nullptr;
  if (window == nullptr || rows == nullptr || apply->type != ApplyType::scalar || rows->grouped ||
      rows->calls.size() != 1 || is_volatile(c.before) || !free_attributes(c.before).empty())
    return false;
  const auto& result = rows->calls.front();
  // The call that is no longer there.
  std::vector<WindowCall> kept;
  if (!(*apply->left == *window->input)) {
    const auto* others = apply->left->as<Window>();
    if (others == nullptr || !(*others->input == *window->input)) return false;
    kept = others->calls;
  }
  std::size_t at = 0;
  while (at < kept.size() && at < window->calls.size() && kept[at] == window->calls[at]) ++at;
  if (at == window->calls.size()) return false;
  const auto& call = window->calls[at];
  auto all = kept;
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), call);
  if (!(all == window->calls)) return false;
  // The rows of the subquery are those of a copy, under more conditions.
  std::vector<Expr> own;
  std::vector<Expr> all_conditions;
  const Rel& table = below_filters(*window->input, own);
  const Rel& table_copy = below_filters(*rows->input, all_conditions);
  const auto renaming = renaming_of_copy(table, table_copy);
  if (!renaming) return false;
  Rel copy = table;
  rename(copy, *renaming);
  for (auto& condition : own) rename(condition, *renaming);
  const auto added = difference(all_conditions, own);
  if (!(copy == table_copy) || !added) return false;
  const auto known = knowledge_of(*window->input, c.given);
  AttributeSet order;
  for (const auto& key : call.partition_by) order |= references(key.expr);
  for (const auto& key : call.order_by) order |= references(key.expr);
  const auto others = others_aggregated(call, result, *renaming, !known.is_key(order), c.given);
  const auto expected = others ? conditions_on_others(call, *others, known, *renaming, *added) : std::nullopt;
  if (!expected || !std::is_permutation(expected->begin(), expected->end(), added->begin(), added->end())) return false;
  const bool is_rank = call.name == "rank" || call.name == "dense_rank";
  const Expr value =
      is_rank ? Expr{Binary{ast::BinaryOp::add, literal(std::int64_t{1}), column(result.id)}} : column(result.id);
  if (project == nullptr) return !is_rank && result.id == call.id && outputs(c.before) == outputs(c.after);
  return std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
    return item.id == call.id ? item.expr == value : item.is_pass_through();
  });
}

constexpr Law window_laws[] = {
    {"rank_to_extreme", rank_to_extreme},
    {"window_to_groups", window_to_groups},
    {"function_spelling", window_function_spelling},
    {"first_row_to_group", first_row_to_group},
    {"window_rows_to_groups", window_rows_to_groups},
    {"window_to_subquery", window_to_subquery},
};

}  // namespace

std::span<const Law> laws_of_windows() { return window_laws; }

}  // namespace trustsql::equiv::checker
