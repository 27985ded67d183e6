// Filters, projections and set operations.
#include <algorithm>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/agreement.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool same_form_in_order(const Change& c) { return same_rows(c.before, c.after, outputs(c.before), true, c.given); }

// A semi-join and a condition that asks for matches can be applied in either order.
bool same_form_of_rows(const Change& c) {
  return same_rows(c.before, c.after, outputs(c.before), c.demand.order != Demand::Order::none, c.given);
}

bool projection_pull_up(const Change& c) {
  const auto* after = c.after.as<Aggregate>();
  const auto* before = c.before.as<Aggregate>();
  if (after == nullptr || before == nullptr || after->grouped || !after->has_bare_columns())
    return same_form_in_order(c);
  // Over no rows a bare column is NULL, and so must be any expression over it.
  const bool null_of_nothing = std::all_of(after->calls.begin(), after->calls.end(), [&](const AggregateCall& call) {
    return !call.is_bare() || rejects_nulls(is_null(call.arguments.front(), true), references(call.arguments), c.given);
  });
  // Compare them as if they were grouped: their rows are the same.
  auto groups = *before;
  auto groups_now = *after;
  groups.grouped = groups_now.grouped = true;
  return null_of_nothing && before->grouped == after->grouped &&
         same_rows(Rel{groups}, Rel{groups_now}, outputs(c.before), true, c.given);
}

bool is_untrue(const Expr& condition) {
  Evaluator evaluator({});
  return condition.is<Literal>() && evaluator.truth(condition) != Truth::yes;
}
bool is_untrue(const std::vector<Expr>& conditions) {
  return std::any_of(conditions.begin(), conditions.end(), [](const Expr& each) { return is_untrue(each); });
}

bool is_empty(const Rel& rel, const Given& given) {
  const auto empty = [&](const Rel& each) { return is_empty(each, given); };
  return std::visit(Overloaded{
                        [](const auto&) { return false; },
                        [](const Values& n) { return n.rows.empty(); },
                        [&](const Filter& n) { return is_untrue(n.conjuncts) || empty(*n.input); },
                        [&](const Project& n) { return empty(*n.input); },
                        [&](const Sort& n) { return empty(*n.input); },
                        [&](const Limit& n) { return empty(*n.input); },
                        [&](const Distinct& n) { return empty(*n.input); },
                        [&](const Window& n) { return empty(*n.input); },
                        [&](const Derived& n) { return empty(*n.input); },
                        [&](const Aggregate& n) { return n.grouped && empty(*n.input); },
                        [&](const Join& n) {
                          switch (n.type) {
                            case JoinType::inner:
                            case JoinType::semi: return is_untrue(n.on) || empty(*n.left) || empty(*n.right);
                            case JoinType::left: return empty(*n.left);
                            case JoinType::right: return empty(*n.right);
                            case JoinType::full: return empty(*n.left) && empty(*n.right);
                            case JoinType::anti:
                              return empty(*n.left) || (n.on.empty() && knowledge_of(*n.right, given).has_rows);
                          }
                          return false;
                        },
                        [&](const Apply& n) {
                          if (empty(*n.left)) return true;
                          if (n.type == ApplyType::anti) return n.on.empty() && knowledge_of(*n.right, given).has_rows;
                          return (n.type == ApplyType::semi || n.type == ApplyType::lateral) &&
                                 (is_untrue(n.on) || empty(*n.right));
                        },
                        [&](const SetOp& n) {
                          if (n.op == ast::SetOp::except) return empty(n.inputs.front());
                          if (n.op == ast::SetOp::intersect)
                            return std::any_of(n.inputs.begin(), n.inputs.end(), empty);
                          return std::all_of(n.inputs.begin(), n.inputs.end(), empty);
                        },
                    },
                    rel.node);
}

// Whether `after` is `kept` with NULLs for the other columns.
bool is_filled(const Rel& after, const Rel& kept) {
  const auto* project = after.as<Project>();
  const auto columns = output_set(kept);
  return project != nullptr && *project->input == kept &&
         std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
           return columns.contains(item.id) ? item.is_pass_through() : is_null_literal(item.expr);
         });
}

// Whether `after` is the one row that an aggregate without GROUP BY has over no rows.
bool is_row_over_nothing(const Aggregate& aggregate, const Rel& after) {
  const auto* project = after.as<Project>();
  const auto* values = project != nullptr ? project->input->as<Values>() : nullptr;
  if (values == nullptr || !(*values == Values{{}, {{}}}) || project->items.size() != aggregate.calls.size())
    return false;
  return std::equal(aggregate.calls.begin(), aggregate.calls.end(), project->items.begin(),
                    [](const AggregateCall& call, const ProjectItem& item) {
                      const bool bare_column = call.is_bare() && call.arguments.front().is<plan::Column>();
                      if (item.id != call.id || !(bare_column || skips_nulls(call))) return false;
                      return item.expr == literal(bare_column ? Value{} : value_over_no_rows(call));
                    });
}

bool empty_relation(const Change& c) {
  if (const auto* aggregate = c.before.as<Aggregate>(); aggregate != nullptr && !aggregate->grouped)
    return is_empty(*aggregate->input, c.given) && is_row_over_nothing(*aggregate, c.after);
  if (const auto* values = c.after.as<Values>(); values != nullptr && values->rows.empty())
    return is_empty(c.before, c.given);
  const auto empty = [&](const Rel& rel) { return is_empty(rel, c.given); };
  if (const auto* join = c.before.as<Join>()) {
    const bool no_match = is_untrue(join->on);
    if (join->type == JoinType::anti) return (no_match || empty(*join->right)) && c.after == *join->left;
    if ((join->type == JoinType::left && (no_match || empty(*join->right))) ||
        (join->type == JoinType::full && empty(*join->right)))
      return is_filled(c.after, *join->left);
    if ((join->type == JoinType::right && (no_match || empty(*join->left))) ||
        (join->type == JoinType::full && empty(*join->left)))
      return is_filled(c.after, *join->right);
    return false;
  }
  if (const auto* apply = c.before.as<Apply>()) {
    const bool no_match = is_untrue(apply->on) || empty(*apply->right);
    if (apply->type == ApplyType::anti) return no_match && c.after == *apply->left;
    return no_match && (apply->type == ApplyType::scalar || apply->type == ApplyType::lateral_left) &&
           is_filled(c.after, *apply->left);
  }
  const auto* set = c.before.as<SetOp>();
  if (set == nullptr || set->op != ast::SetOp::union_all) return false;
  std::vector<const Rel*> rest;
  for (const auto& input : set->inputs) {
    if (!empty(input)) rest.push_back(&input);
  }
  if (const auto* other = c.after.as<SetOp>()) {
    return other->op == set->op && other->ids == set->ids &&
           std::equal(rest.begin(), rest.end(), other->inputs.begin(), other->inputs.end(),
                      [](const Rel* a, const Rel& b) { return *a == b; });
  }
  const auto* project = c.after.as<Project>();
  if (project == nullptr || rest.size() != 1 || !(*project->input == *rest.front())) return false;
  const auto ids = outputs(*rest.front());
  if (ids.size() != project->items.size()) return false;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto* from = column_id(project->items[i].expr);
    if (project->items[i].id != set->ids[i] || from == nullptr || *from != ids[i]) return false;
  }
  return true;
}

void append(const SetOp& set, std::vector<const Rel*>& inputs) {
  for (const auto& input : set.inputs) {
    const auto* inner = input.as<SetOp>();
    if (inner != nullptr && inner->op == ast::SetOp::union_all) {
      append(*inner, inputs);
    } else {
      inputs.push_back(&input);
    }
  }
}

bool set_operation_simplification(const Change& c) {
  const auto* set = c.before.as<SetOp>();
  if (set == nullptr) return false;
  if (set->op == ast::SetOp::union_all) {
    const auto* flat = c.after.as<SetOp>();
    if (flat == nullptr || flat->op != set->op || flat->ids != set->ids) return false;
    std::vector<const Rel*> all;
    std::vector<const Rel*> now;
    append(*set, all);
    append(*flat, now);
    return are_equal(all, now);
  }
  const auto* distinct = c.after.as<Distinct>();
  if (distinct == nullptr || distinct->collations != set->collations) return false;
  if (set->op == ast::SetOp::union_distinct) {
    auto expected = *set;
    expected.op = ast::SetOp::union_all;
    expected.collations = {};
    return *distinct->input == Rel{std::move(expected)};
  }
  const auto* project = distinct->input->as<Project>();
  if (project == nullptr || project->items.size() != set->ids.size()) return false;
  const auto left = outputs(set->inputs.front());
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto* from = column_id(project->items[i].expr);
    if (project->items[i].id != set->ids[i] || from == nullptr || *from != left[i]) return false;
  }
  // Go from the last input to the first.
  const Rel* current = project->input.get();
  for (std::size_t n = set->inputs.size(); n-- > 1;) {
    const auto* join = current->as<Join>();
    const auto right = outputs(set->inputs[n]);
    if (join == nullptr || join->type != (set->op == ast::SetOp::except ? JoinType::anti : JoinType::semi) ||
        !(*join->right == set->inputs[n]) || join->on.size() != left.size())
      return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Comparison how{Affinity::none, set->collations.empty() ? binary_collation : set->collations[i]};
      if (!(join->on[i] == compare(CompareOp::is, column(left[i]), column(right[i]), how))) return false;
    }
    current = join->left.get();
  }
  return *current == set->inputs.front();
}

// Whether `condition` cannot distinguish rows that are equal under BINARY in `columns`.
bool ignores_spelling(const Expr& condition, const AttributeSet& columns, const Given& given) {
  bool fine = is_fixed(condition);
  (references(condition) & columns).for_each([&](AttributeId id) {
    fine = fine && has_one_spelling(column(id), given.attributes);
  });
  return fine;
}

bool semi_join_below_distinct(const Change& c) {
  const auto* join = c.before.as<Join>();
  const auto* distinct = join != nullptr ? join->left->as<Distinct>() : nullptr;
  const auto* after = c.after.as<Distinct>();
  const auto* below = after != nullptr ? after->input->as<Join>() : nullptr;
  if (distinct == nullptr || below == nullptr || !distinct->collations.empty() || !after->collations.empty() ||
      (join->type != JoinType::semi && join->type != JoinType::anti) || is_volatile(*join->right))
    return false;
  const auto columns = output_set(*distinct->input);
  return *below == Join{join->type, distinct->input, join->right, join->on} &&
         std::all_of(join->on.begin(), join->on.end(),
                     [&](const Expr& each) { return ignores_spelling(each, columns, c.given); });
}

bool filter_pushdown_set(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  if (filter == nullptr) return false;
  if (filter->input->is<Sort>()) return same_form_in_order(c);
  const auto moved = difference(filter->conjuncts, conditions_of(c.after));
  if (!moved || moved->empty()) return false;
  const Rel& below = unfiltered(c.after);
  if (const auto* distinct = filter->input->as<Distinct>()) {
    const auto* after = below.as<Distinct>();
    const auto columns = output_set(*distinct->input);
    return after != nullptr && after->collations.empty() && distinct->collations.empty() &&
           conditions_of(*after->input) == *moved && unfiltered(*after->input) == *distinct->input &&
           std::all_of(moved->begin(), moved->end(),
                       [&](const Expr& each) { return ignores_spelling(each, columns, c.given); });
  }
  if (const auto* set = filter->input->as<SetOp>()) {
    const auto* after = below.as<SetOp>();
    if (after == nullptr || set->op != ast::SetOp::union_all || after->op != set->op || after->ids != set->ids ||
        after->inputs.size() != set->inputs.size() || !std::all_of(moved->begin(), moved->end(), is_fixed))
      return false;
    for (std::size_t n = 0; n < set->inputs.size(); ++n) {
      const auto ids = outputs(set->inputs[n]);
      Renaming renaming;
      for (std::size_t i = 0; i < ids.size(); ++i) renaming[set->ids[i]] = ids[i];
      Rel expected{Filter{set->inputs[n], *moved}};
      for (auto& each : expected.as<Filter>()->conjuncts) rename(each, renaming);
      if (!(expected == after->inputs[n])) return false;
    }
    return true;
  }
  const auto* window = filter->input->as<Window>();
  const auto* after = below.as<Window>();
  if (window == nullptr || after == nullptr || !(window->calls == after->calls) ||
      !(conditions_of(*after->input) == *moved) || !(unfiltered(*after->input) == *window->input))
    return false;
  const auto inside = output_set(*filter->input);
  return std::all_of(moved->begin(), moved->end(), [&](const Expr& each) {
    bool of_partitions = ignores_spelling(each, inside, c.given);
    (references(each) & inside).for_each([&](AttributeId id) {
      for (const auto& call : window->calls) {
        of_partitions =
            of_partitions && std::any_of(call.partition_by.begin(), call.partition_by.end(), [&](const GroupKey& key) {
              const auto* own = column_id(key.expr);
              return own != nullptr && *own == id && key.collation == binary_collation;
            });
      }
    });
    return of_partitions;
  });
}

// A column that all inputs of a UNION ALL have in common is computed above it.
bool common_column(const Change& c) {
  const auto* set = c.before.as<SetOp>();
  const auto* project = c.after.as<Project>();
  const auto* after = project != nullptr ? project->input->as<SetOp>() : nullptr;
  if (set == nullptr || after == nullptr || set->op != ast::SetOp::union_all || after->op != set->op ||
      after->inputs.size() != set->inputs.size() || after->ids.size() + 1 != set->ids.size() ||
      project->items.size() != set->ids.size())
    return false;
  std::size_t removed_place = 0;
  while (removed_place < after->ids.size() && after->ids[removed_place] == set->ids[removed_place]) ++removed_place;
  auto kept = set->ids;
  kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(removed_place));
  if (kept != after->ids) return false;
  for (std::size_t i = 0; i < set->ids.size(); ++i) {
    if (project->items[i].id != set->ids[i] || (i != removed_place && !project->items[i].is_pass_through()))
      return false;
  }
  const auto& value = project->items[removed_place].expr;
  const auto* twin = column_id(value);
  for (std::size_t n = 0; n < set->inputs.size(); ++n) {
    const auto* own = set->inputs[n].as<Project>();
    const auto* rest = after->inputs[n].as<Project>();
    if (own == nullptr || rest == nullptr || !(*own->input == *rest->input)) return false;
    auto items = own->items;
    const Expr removed = items[removed_place].expr;
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(removed_place));
    if (!(items == rest->items)) return false;
    if (value.is<Literal>()) {
      if (!(removed == value)) return false;
      continue;
    }
    // The columns must have the same affinity, since comparisons use that of the compound query.
    const auto place =
        twin != nullptr ? std::find(after->ids.begin(), after->ids.end(), *twin) - after->ids.begin() : 0;
    if (twin == nullptr || static_cast<std::size_t>(place) >= items.size() ||
        !(items[static_cast<std::size_t>(place)].expr == removed) || !removed.is<plan::Column>())
      return false;
  }
  return true;
}

bool projection_removal(const Change& c) {
  const auto* project = c.before.as<Project>();
  if (project == nullptr || !(c.after == *project->input)) return false;
  const bool hands_on = std::all_of(project->items.begin(), project->items.end(),
                                    [](const ProjectItem& item) { return item.is_pass_through(); });
  return hands_on && (!c.demand.places || outputs(c.before) == outputs(c.after));
}

bool projection_renaming(const Change& c) {
  const auto* project = c.before.as<Project>();
  if (project == nullptr || !(c.before == c.after)) return false;
  const auto inside = output_set(*project->input);
  return std::all_of(c.renaming.begin(), c.renaming.end(), [&](const auto& each) {
    const auto* value = item_of(*project, each.first);
    const auto* from = value != nullptr ? column_id(*value) : nullptr;
    return from != nullptr && *from == each.second && inside.contains(*from);
  });
}

bool drops_columns(const std::vector<AttributeId>& before, const std::vector<AttributeId>& after,
                   const Demand& demand) {
  // The remaining columns are a subset of the previous ones, and include all that are needed.
  std::size_t position = 0;
  for (const auto id : before) {
    if (position < after.size() && after[position] == id) {
      ++position;
    } else if (demand.needed.contains(id)) {
      return false;
    }
  }
  return position == after.size();
}

bool column_pruning(const Change& c) {
  if (c.demand.places) return false;
  const auto ids = outputs(c.before);
  const auto left = outputs(c.after);
  if (!drops_columns(ids, left, c.demand)) return false;
  const auto kept = AttributeSet::of(left);
  const auto without = [&](auto list) {
    std::erase_if(list, [&](const auto& each) { return !kept.contains(each.id); });
    return list;
  };
  if (const auto* n = c.before.as<Scan>()) {
    auto expected = *n;
    expected.columns = without(n->columns);
    return c.after == Rel{std::move(expected)};
  }
  if (const auto* n = c.before.as<Project>()) return c.after == Rel{Project{n->input, without(n->items)}};
  if (const auto* n = c.before.as<Aggregate>()) {
    const auto* after = c.after.as<Aggregate>();
    if (after == nullptr || !(after->keys == n->keys) || after->grouped != n->grouped ||
        !(*after->input == *n->input) || !(after->calls == without(n->calls)))
      return false;
    const bool lost_extreme = std::any_of(n->calls.begin(), n->calls.end(), [&](const AggregateCall& call) {
      return (call.name == "min" || call.name == "max") && !kept.contains(call.id);
    });
    return !lost_extreme || !after->has_bare_columns();
  }
  if (const auto* n = c.before.as<Window>()) {
    auto expected = without(n->calls);
    return expected.empty() ? c.after == *n->input : c.after == Rel{Window{n->input, std::move(expected)}};
  }
  if (const auto* n = c.before.as<Values>()) {
    const auto* after = c.after.as<Values>();
    if (after == nullptr || after->rows.size() != n->rows.size()) return false;
    for (std::size_t r = 0; r < n->rows.size(); ++r) {
      std::vector<Expr> row;
      for (std::size_t i = 0; i < n->ids.size(); ++i) {
        if (kept.contains(n->ids[i])) row.push_back(n->rows[r][i]);
      }
      if (!(row == after->rows[r])) return false;
    }
    return true;
  }
  const auto* n = c.before.as<SetOp>();
  const auto* after = c.after.as<SetOp>();
  if (n == nullptr || after == nullptr || n->op != ast::SetOp::union_all || after->op != n->op ||
      after->inputs.size() != n->inputs.size())
    return false;
  for (std::size_t each = 0; each < n->inputs.size(); ++each) {
    const auto own = outputs(n->inputs[each]);
    std::vector<AttributeId> expected;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (kept.contains(ids[i])) expected.push_back(own[i]);
    }
    if (outputs(after->inputs[each]) != expected ||
        !same_rows(n->inputs[each], after->inputs[each], expected, true, c.given))
      return false;
  }
  return true;
}

constexpr Law filter_laws[] = {
    {"conjunct_simplification", same_form_in_order},
    {"range_merging", same_form_in_order},
    {"filter_pushdown_join", same_form_in_order},
    {"filter_pushdown_project", same_form_in_order},
    {"transitive_equalities", same_form_in_order},
    {"projection_pull_up", projection_pull_up},
    {"semi_join_pull_up", same_form_in_order},
    {"right_to_left_join", same_form_in_order},
    {"single_row_join", same_form_in_order},
    {"exists_to_semi_join", same_form_of_rows},
    {"in_to_semi_join", same_form_of_rows},
    {"scalar_subquery_unnesting", same_form_of_rows},
    {"empty_relation", empty_relation},
    {"set_operation_simplification", set_operation_simplification},
    {"filter_pushdown_set", filter_pushdown_set},
    {"semi_join_below_distinct", semi_join_below_distinct},
    {"common_column", common_column},
    {"projection_removal", projection_removal},
    {"projection_renaming", projection_renaming},
    {"column_pruning", column_pruning},
};

}  // namespace

std::span<const Law> laws_of_filters() { return filter_laws; }

}  // namespace trustsql::equiv::checker
