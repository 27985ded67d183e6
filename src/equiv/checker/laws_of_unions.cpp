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

// What decides whether `rel` has rows.
const Rel& tested_part(const Rel& rel) {
  if (const auto* project = rel.as<Project>()) return tested_part(*project->input);
  if (const auto* sort = rel.as<Sort>()) return tested_part(*sort->input);
  if (const auto* distinct = rel.as<Distinct>()) return tested_part(*distinct->input);
  return rel;
}

const std::vector<Expr>& terms_of(const Expr& expr, bool of_and) {
  static const std::vector<Expr> none;
  if (const auto* both = expr.as<And>(); both != nullptr && of_and) return both->terms;
  if (const auto* choice = expr.as<Or>(); choice != nullptr && !of_and) return choice->terms;
  return none;
}

// Whether `after` has a test for each input of the union that `before` tests.
bool tests_each_input(const Expr& before, const Expr& after) {
  const auto* exists = before.as<Exists>();
  const auto* in = before.as<InSubquery>();
  const bool negated = exists != nullptr ? exists->negated : in->negated;
  const auto* distinct = in != nullptr ? in->rel->as<Distinct>() : nullptr;
  const auto* set = exists != nullptr     ? tested_part(*exists->rel).as<SetOp>()
                    : distinct != nullptr ? distinct->input->as<SetOp>()
                                          : in->rel->as<SetOp>();
  if (set == nullptr || (set->op != ast::SetOp::union_distinct && set->op != ast::SetOp::union_all)) return false;
  const bool merges = distinct != nullptr || set->op == ast::SetOp::union_distinct;
  const bool is_binary = set->collations.empty() && (distinct == nullptr || distinct->collations.empty());
  if (in != nullptr) {
    if (in->operands.size() != in->how.size() || outputs(*in->rel).size() != in->how.size() ||
        !std::all_of(in->operands.begin(), in->operands.end(), is_fixed))
      return false;
    // Merged values are equal under BINARY, and equal to the same values unless they are compared as texts.
    for (std::size_t i = 0; merges && i < in->how.size(); ++i) {
      if (in->how[i].affinity == Affinity::text || !is_binary) return false;
    }
  }
  const auto& tests = terms_of(after, negated);
  return std::equal(tests.begin(), tests.end(), set->inputs.begin(), set->inputs.end(),
                    [&](const Expr& test, const Rel& input) {
                      if (in == nullptr) return test == Expr{Exists{input, negated}};
                      return test == Expr{InSubquery{in->operands, negated, input, in->how}};
                    });
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

// Whether `rel` has rows if and only if `a` or `b` has.
bool has_rows_of_either(const Rel& rel, const Rel& a, const Rel& b) {
  const auto rows = [](const Rel& tested) {
    Part part;
    split_product(tested_part(tested), part.tables, part.conditions);
    return part;
  };
  const auto either = rows(rel);
  auto first = rows(a);
  auto second = rows(b);
  if (!read_from(either.tables, first) || !read_from(either.tables, second)) return false;
  // The conditions of `either` are those of `a` and of `b`, but for one that is a choice of the rest.
  auto shared = either.conditions;
  const auto is_choice = [&](const Expr& condition) {
    const auto others = difference(either.conditions, {condition});
    const auto of_a = difference(first.conditions, *others);
    const auto of_b = difference(second.conditions, *others);
    return of_a && of_b && !of_a->empty() && !of_b->empty() &&
           condition == disjunction({conjunction(*of_a), conjunction(*of_b)});
  };
  if (std::any_of(shared.begin(), shared.end(), is_choice)) return true;
  const auto of_a = difference(first.conditions, shared);
  const auto of_b = difference(second.conditions, shared);
  return of_a && of_b && (of_a->empty() || of_b->empty());
}

constexpr Law union_laws[] = {{"exclusive_union", exclusive_union}};

}  // namespace

bool is_same_existence_of_union(const Expr& before, const Expr& after) {
  if (is_volatile(before) || is_volatile(after)) return false;
  if (before.is<Exists>() || before.is<InSubquery>()) return tests_each_input(before, after);
  const auto* choice = before.as<Or>();
  if (choice == nullptr) return false;
  // One of the tests now replaces two.
  const auto& terms = terms_of(after, false);
  const auto terms_after = terms.empty() ? std::vector<Expr>{after} : terms;
  auto replaced = choice->terms;
  const Exists* united = nullptr;
  for (const auto& term : terms_after) {
    if (const auto same = std::find(replaced.begin(), replaced.end(), term); same != replaced.end()) {
      replaced.erase(same);
    } else if (united != nullptr || !term.is<Exists>()) {
      return false;
    } else {
      united = term.as<Exists>();
    }
  }
  const auto* a = replaced.empty() ? nullptr : replaced.front().as<Exists>();
  const auto* b = replaced.empty() ? nullptr : replaced.back().as<Exists>();
  if (united == nullptr && replaced.size() == 1 && a != nullptr && !a->negated) {
    // Another test includes the one that is gone.
    return std::any_of(terms_after.begin(), terms_after.end(), [&](const Expr& term) {
      const auto* wider = term.as<Exists>();
      return wider != nullptr && !wider->negated && has_rows_of_either(*wider->rel, *wider->rel, *a->rel);
    });
  }
  if (united == nullptr || united->negated || replaced.size() != 2) return false;
  return a != nullptr && b != nullptr && !a->negated && !b->negated &&
         has_rows_of_either(*united->rel, *a->rel, *b->rel);
}

std::span<const Law> laws_of_unions() { return union_laws; }

}  // namespace trustsql::equiv::checker
