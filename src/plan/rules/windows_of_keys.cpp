#include "plan/rules/windows_of_keys.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "plan/rules/common.hpp"
#include "plan/rules/partitions.hpp"

namespace trustsql::plan::rules {

namespace {

constexpr std::array<std::string_view, 3> ranking_functions = {"row_number", "rank", "dense_rank"};
constexpr std::array<std::string_view, 4> picking_functions = {"min", "max", "first_value", "last_value"};

bool is_among(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether the frame of each row contains the row.
bool contains_own_row(const std::optional<Frame>& frame) {
  using Kind = ast::FrameBound::Kind;
  return !frame || ((frame->start.kind == Kind::unbounded_preceding || frame->start.kind == Kind::current_row) &&
                    (frame->end.kind == Kind::current_row || frame->end.kind == Kind::unbounded_following) &&
                    frame->exclude == ast::FrameExclude::no_others);
}

// The value of the call in a partition of one row; nullopt if it is not that simple.
std::optional<Expr> value_of_row(const WindowCall& call) {
  if (call.info == nullptr) return std::nullopt;
  if (is_among(call.name, ranking_functions)) return literal(std::int64_t{1});
  if (call.filter || !contains_own_row(call.frame)) return std::nullopt;
  if (call.name == "count" && call.arguments.empty()) return literal(std::int64_t{1});
  if (call.arguments.size() != 1) return std::nullopt;
  if (call.name == "count") return is_null(call.arguments.front(), true);
  return is_among(call.name, picking_functions) ? std::optional(call.arguments.front()) : std::nullopt;
}

// Whether the call counts the rows up to its own, in an order that it asks for.
bool counts_up_to_row(const WindowCall& call) {
  using Kind = ast::FrameBound::Kind;
  return call.name == "count" && call.arguments.empty() && !call.filter && !call.order_by.empty() &&
         (!call.frame ||
          (call.frame->start.kind == Kind::unbounded_preceding && call.frame->end.kind == Kind::current_row &&
           call.frame->exclude == ast::FrameExclude::no_others));
}

bool use_keys(Rel& rel, RuleContext& context) {
  auto* window = rel.as<Window>();
  const auto inside = output_set(*window->input);
  const auto facts = context.facts(*window->input);
  const auto* row_number = FunctionTable::latest().find("row_number", 0);
  bool changed = false;
  std::map<AttributeId, Expr> values;
  for (auto& call : window->calls) {
    const auto partition = partition_of(call, inside);
    if (!partition) continue;
    if (auto value = value_of_row(call); value && context.superkey(AttributeSet::of(*partition), facts)) {
      values.emplace(call.id, *std::move(value));
    } else if (row_number != nullptr && call.info != nullptr &&
               (call.name == "rank" || call.name == "dense_rank" || counts_up_to_row(call)) &&
               context.superkey(columns_of_order(call) & inside, facts)) {
      call.name = row_number->name;
      call.info = row_number;
      call.frame.reset();
      call.star = false;
      changed = true;
    }
  }
  if (values.empty()) return changed;
  const auto ids = outputs(rel);
  std::erase_if(window->calls, [&](const WindowCall& call) { return values.contains(call.id); });
  if (window->calls.empty()) replace_by_descendant(rel, *window->input);
  project_above(rel, ids, values);
  return true;
}

}  // namespace

const Rule windows_of_keys{
    .name = "windows_of_keys",
    .kinds = rel_kinds<Window>,
    .apply = use_keys,
    .example = windows_of_keys_example,
};

}  // namespace trustsql::plan::rules
