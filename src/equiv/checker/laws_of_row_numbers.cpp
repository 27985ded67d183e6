// Window functions over rows that keys tell apart, and the numbers of such rows.
#include <algorithm>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/agreement.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// The columns that a window function partitions by under BINARY, and with `ordered` those that it orders by, too.
AttributeSet told_apart_by(const WindowCall& call, bool ordered) {
  AttributeSet columns;
  const auto add = [&](const Expr& expr, std::string_view collation) {
    const auto* id = column_id(expr);
    if (id != nullptr && collation == binary_collation) columns.add(*id);
  };
  for (const auto& key : call.partition_by) add(key.expr, key.collation);
  if (ordered) {
    for (const auto& key : call.order_by) add(key.expr, key.collation);
  }
  return columns;
}

// Whether `value` is that of the call in a partition of one row.
bool is_value_of_row(const WindowCall& call, const Expr& value) {
  using Kind = ast::FrameBound::Kind;
  if (call.info == nullptr) return false;
  const bool is_rank = call.name == "row_number" || call.name == "rank" || call.name == "dense_rank";
  if (is_rank) return value == literal(std::int64_t{1});
  const bool sees_row =
      !call.frame ||
      (call.frame->exclude == ast::FrameExclude::no_others &&
       (call.frame->start.kind == Kind::unbounded_preceding || call.frame->start.kind == Kind::current_row) &&
       (call.frame->end.kind == Kind::unbounded_following || call.frame->end.kind == Kind::current_row));
  if (call.filter || !sees_row) return false;
  if (call.name == "count")
    return value == (call.arguments.empty() ? literal(std::int64_t{1}) : is_null(call.arguments.front(), true));
  return is_one_of(call.name, {"min", "max", "first_value", "last_value"}) && call.arguments.size() == 1 &&
         value == call.arguments.front();
}

// Whether the frame, or the default one, consists of the rows up to the own one and its peers.
bool is_up_to_row(const std::optional<Frame>& frame) {
  using Kind = ast::FrameBound::Kind;
  return !frame || (frame->start.kind == Kind::unbounded_preceding && frame->end.kind == Kind::current_row &&
                    frame->exclude == ast::FrameExclude::no_others);
}

// Partitions of one row, and ranks without ties.
bool windows_of_keys(const Change& c) {
  const auto* before = c.before.as<Window>();
  if (before == nullptr || outputs(c.before) != outputs(c.after)) return false;
  const auto* project = c.after.as<Project>();
  const Rel& below = project != nullptr ? *project->input : c.after;
  const auto* after = below.as<Window>();
  if (after != nullptr && *before->input == below) after = nullptr;  // all calls are gone, of two windows
  if (!((after != nullptr ? *after->input : below) == *before->input)) return false;
  const auto known = knowledge_of(*before->input, c.given);
  std::size_t kept = 0;
  for (const auto& call : before->calls) {
    const auto* value = project != nullptr ? item_of(*project, call.id) : nullptr;
    if (value != nullptr && !(*value == column(call.id))) {
      if (!is_value_of_row(call, *value) || !known.is_key(told_apart_by(call, false) & known.columns)) return false;
      continue;
    }
    if (after == nullptr || kept == after->calls.size()) return false;
    const auto& same = after->calls[kept++];
    if (same == call) continue;
    auto renamed = call;
    renamed.name = "row_number";
    renamed.star = false;
    renamed.frame = same.frame;
    // A rank looks at no frame; the number of the rows up to the own one has this frame.
    const bool is_rank = call.name == "rank" || call.name == "dense_rank";
    const bool counts_up = call.name == "count" && call.arguments.empty() && !call.order_by.empty() && !call.filter &&
                           is_up_to_row(call.frame);
    if (!(is_rank || counts_up) || call.info == nullptr || same.info == nullptr || !(same == renamed) ||
        !known.is_key(told_apart_by(call, true) & known.columns))
      return false;
  }
  if (kept != (after != nullptr ? after->calls.size() : 0)) return false;
  return project == nullptr || std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
           return item.is_pass_through() || !known.columns.contains(item.id);
         });
}

// Whether the call numbers all rows in an order without ties.
bool numbers_rows(const WindowCall& call, const Rel& rows, const Given& given) {
  const auto known = knowledge_of(rows, given);
  return call.name == "row_number" && call.info != nullptr && !call.filter && call.partition_by.empty() &&
         !call.order_by.empty() && known.is_key(told_apart_by(call, true) & known.columns);
}

// Rows of these numbers as the rows of a LIMIT.
bool numbered_rows_to_limit(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  const auto* window = filter != nullptr ? filter->input->as<Window>() : nullptr;
  const auto* limit = unfiltered(c.after).as<Limit>();
  const auto* sort = limit != nullptr ? limit->input->as<Sort>() : nullptr;
  if (window == nullptr || sort == nullptr || window->calls.size() != 1 || !(*sort->input == *window->input) ||
      c.demand.places)
    return false;
  const auto& call = window->calls.front();
  const auto bounds = difference(filter->conjuncts, conditions_of(c.after));
  if (!bounds || c.demand.needed.contains(call.id) || !(sort->keys == call.order_by) ||
      !numbers_rows(call, *window->input, c.given))
    return false;
  const auto uses_number = [&](const Expr& condition) { return references(condition).contains(call.id); };
  const auto& kept = conditions_of(c.after);
  if (std::any_of(kept.begin(), kept.end(), uses_number)) return false;
  const auto number_in = [](const Box<Expr>& expr) -> std::optional<std::int64_t> {
    const auto* value = expr ? literal_value(*expr) : nullptr;
    const auto* integer = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
    return integer != nullptr && *integer > 0 && *integer < (std::int64_t{1} << 54U) ? std::optional(*integer)
                                                                                     : std::nullopt;
  };
  const auto count = number_in(limit->count);
  const auto offset = limit->offset ? number_in(limit->offset) : std::optional(std::int64_t{0});
  if (!count || !offset || (*count > 1 && c.demand.order != Demand::Order::none)) return false;
  // The numbers from 1 on that the conditions admit are those of the LIMIT.
  auto admitted = *bounds;
  admitted.push_back(compare(CompareOp::greater_equal, column(call.id), literal(std::int64_t{1})));
  const std::vector<Expr> limited{compare(CompareOp::greater, column(call.id), literal(*offset)),
                                  compare(CompareOp::less_equal, column(call.id), literal(*offset + *count))};
  return std::all_of(bounds->begin(), bounds->end(),
                     [&](const Expr& bound) { return references(bound) == AttributeSet{call.id}; }) &&
         agree(admitted, limited, {call.id}, c.given);
}

// A sort by the number of the rows.
bool sort_by_row_number(const Change& c) {
  const auto* before = c.before.as<Sort>();
  const auto* after = c.after.as<Sort>();
  if (before == nullptr || after == nullptr || !(*before->input == *after->input)) return false;
  const Rel* below = before->input.get();
  for (bool again = true; again;) {
    const Rel* next = &below_renamings(unfiltered(*below));
    again = next != below;
    below = next;
  }
  const auto* window = below->as<Window>();
  const auto& first = before->keys.front();
  if (window == nullptr || first.descending) return false;
  return std::any_of(window->calls.begin(), window->calls.end(), [&](const WindowCall& call) {
    return first.expr == column(call.id) && numbers_rows(call, *window->input, c.given) &&
           after->keys == call.order_by &&
           std::all_of(after->keys.begin(), after->keys.end(), [](const SortKey& key) { return is_fixed(key.expr); });
  });
}

// The first row of each partition is the one before which no other comes.
bool first_row_to_anti_join(const Change& c) {
  const auto* window = unfiltered(c.before).as<Window>();
  const auto* project = unfiltered(c.after).as<Project>();
  const auto* join = project != nullptr ? project->input->as<Join>() : nullptr;
  if (window == nullptr || join == nullptr || window->calls.size() != 1 || join->type != JoinType::anti ||
      !(*join->left == *window->input) || is_volatile(*window->input) || !free_attributes(*window->input).empty())
    return false;
  const auto& number = window->calls.front();
  const auto dropped = difference(conditions_of(c.before), conditions_of(c.after));
  const Expr one = literal(std::int64_t{1});
  if (!dropped || dropped->size() != 1 || number.name != "row_number" || number.info == nullptr || number.filter)
    return false;
  // The number is an integer from 1 on.
  const std::vector<Expr> at_least_one{compare(CompareOp::greater_equal, column(number.id), one)};
  auto admitted = *dropped;
  admitted.push_back(at_least_one.front());
  if (!(references(dropped->front()) == AttributeSet{number.id}) ||
      !agree(admitted, {compare(CompareOp::equal, column(number.id), one)}, {number.id}, c.given))
    return false;
  const auto known = knowledge_of(*window->input, c.given);
  if (!known.is_key(told_apart_by(number, true) & known.columns)) return false;
  const auto renaming = renaming_of_copy(*window->input, *join->right);
  if (!renaming) return false;
  Rel copy = *window->input;
  rename(copy, *renaming);
  if (!(copy == *join->right)) return false;
  const auto is_column = [&](const Expr& expr, std::string_view collation) {
    const auto* id = column_id(expr);
    return id != nullptr && known.columns.contains(*id) && collation == "BINARY";
  };
  const auto of_copy = [&](Expr expr) {
    rename(expr, *renaming);
    return expr;
  };
  std::vector<Expr> expected;
  for (const auto& key : number.partition_by) {
    if (!is_column(key.expr, key.collation)) return false;
    Expr same = compare(CompareOp::is, key.expr, of_copy(key.expr));
    if (std::find(expected.begin(), expected.end(), same) == expected.end()) expected.push_back(std::move(same));
  }
  // From the last key to the first: before in it, or equal in it and before in the later ones.
  std::vector<Expr> before(number.order_by.size(), literal(std::int64_t{0}));
  for (std::size_t i = 0; i < number.order_by.size(); ++i) {
    const auto& key = number.order_by[i];
    if (!is_column(key.expr, key.collation) || !known.non_null.contains(*column_id(key.expr))) return false;
    std::vector<Expr> terms;
    for (std::size_t k = 0; k < i; ++k)
      terms.push_back(compare(CompareOp::equal, of_copy(number.order_by[k].expr), number.order_by[k].expr));
    terms.push_back(compare(key.descending ? CompareOp::greater : CompareOp::less, of_copy(key.expr), key.expr));
    before[i] = conjunction(terms);
  }
  if (before.empty()) return false;
  expected.push_back(disjunction(before));
  if (!std::is_permutation(expected.begin(), expected.end(), join->on.begin(), join->on.end())) return false;
  const auto ids = outputs(unfiltered(c.before));
  return std::equal(ids.begin(), ids.end(), project->items.begin(), project->items.end(),
                    [&](AttributeId id, const ProjectItem& item) {
                      return item.id == id && item.expr == (id == number.id ? one : column(id));
                    });
}

constexpr Law row_number_laws[] = {
    {"windows_of_keys", windows_of_keys},
    {"numbered_rows_to_limit", numbered_rows_to_limit},
    {"first_row_to_anti_join", first_row_to_anti_join},
    {"sort_by_row_number", sort_by_row_number},
};

}  // namespace

std::span<const Law> laws_of_row_numbers() { return row_number_laws; }

}  // namespace trustsql::equiv::checker
