// Inputs of UNION ALL that become one.
#include <algorithm>

#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "equiv/checker/samples.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// An input: expressions over rows of tables that satisfy conditions.
struct Part {
  std::vector<Expr> values{};
  std::vector<const Rel*> tables{};
  std::vector<Expr> conditions{};
};

Part part_of(const Rel& input) {
  Part part;
  const auto* project = input.as<Project>();
  if (project != nullptr) {
    for (const auto& item : project->items) part.values.push_back(item.expr);
  } else {
    for (const auto id : outputs(input)) part.values.push_back(column(id));
  }
  split_product(project != nullptr ? *project->input : input, part.tables, part.conditions);
  return part;
}

// Writes the expressions of `part` over the columns of `tables`, which are the same tables; false if they are not.
bool read_from(const std::vector<const Rel*>& tables, Part& part) {
  if (tables.size() != part.tables.size()) return false;
  Renaming columns;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto* own = part.tables[i]->as<Scan>();
    const auto* scan = tables[i]->as<Scan>();
    if (own == nullptr || scan == nullptr || own->table == nullptr || own->table != scan->table) return false;
    for (const auto& each : own->columns) {
      const auto same = std::find_if(scan->columns.begin(), scan->columns.end(),
                                     [&](const TableColumn& other) { return other.position == each.position; });
      if (same == scan->columns.end()) return false;
      columns[each.id] = same->id;
    }
  }
  for (auto& value : part.values) rename(value, columns);
  for (auto& condition : part.conditions) rename(condition, columns);
  return true;
}

// Whether no row satisfies both conditions.
bool exclude(const Expr& a, const Expr& b, const Given& given) {
  Parts of_a;
  Parts of_b;
  collect(a, of_a);
  collect(b, of_b);
  return hold_everywhere(united(std::move(of_a), of_b), {}, given, [&](Evaluator& evaluator) {
    return evaluator.truth(a) == Truth::yes && evaluator.truth(b) == Truth::yes;
  });
}

// Whether `merged` has the rows of `a` and those of `b`.
bool is_sum_of(const Rel& merged, const Rel& a, const Rel& b, const Given& given) {
  const auto whole = part_of(merged);
  auto first = part_of(a);
  auto second = part_of(b);
  if (!read_from(whole.tables, first) || !read_from(whole.tables, second) || !(first.values == whole.values) ||
      !(second.values == whole.values) || is_volatile(merged) || is_volatile(a) || is_volatile(b))
    return false;
  // All have the same conditions, but for one that has those of `a` or those of `b`.
  for (const auto& condition : whole.conditions) {
    auto shared = whole.conditions;
    shared.erase(shared.begin() + (&condition - whole.conditions.data()));
    const auto of_a = difference(first.conditions, shared);
    const auto of_b = difference(second.conditions, shared);
    if (!of_a || !of_b || of_a->size() + shared.size() != first.conditions.size() ||
        of_b->size() + shared.size() != second.conditions.size())
      continue;
    const Expr p = conjunction(*of_a);
    const Expr q = conjunction(*of_b);
    if (condition == disjunction({p, q}) && exclude(p, q, given)) return true;
  }
  return false;
}

bool exclusive_union(const Change& c) {
  const auto* before = c.before.as<SetOp>();
  if (before == nullptr || before->op != ast::SetOp::union_all || outputs(c.before) != outputs(c.after)) return false;
  std::vector<const Rel*> inputs;
  if (const auto* after = c.after.as<SetOp>()) {
    if (after->op != ast::SetOp::union_all || !(after->ids == before->ids)) return false;
    for (const auto& input : after->inputs) inputs.push_back(&input);
  } else if (const auto* project = c.after.as<Project>()) {
    const auto ids = outputs(*project->input);
    if (ids.size() != project->items.size()) return false;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!(project->items[i].expr == column(ids[i]))) return false;
    }
    inputs.push_back(project->input.get());
  }
  if (inputs.size() + 1 != before->inputs.size()) return false;
  // One of the inputs replaces two; the others are the same.
  const Rel* merged = nullptr;
  std::vector<const Rel*> replaced;
  for (const auto& input : before->inputs) replaced.push_back(&input);
  for (const auto* input : inputs) {
    const auto same = std::find_if(replaced.begin(), replaced.end(), [&](const Rel* each) { return *each == *input; });
    if (same != replaced.end()) {
      replaced.erase(same);
    } else if (merged != nullptr) {
      return false;
    } else {
      merged = input;
    }
  }
  return merged != nullptr && replaced.size() == 2 && is_sum_of(*merged, *replaced[0], *replaced[1], c.given);
}

constexpr Law union_laws[] = {{"exclusive_union", exclusive_union}};

}  // namespace

std::span<const Law> laws_of_unions() { return union_laws; }

}  // namespace trustsql::equiv::checker
