#include "equiv/checker/rewrites.hpp"

#include <algorithm>
#include <array>

#include "equiv/checker/agreement.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// The rules that are checked by evaluating the expression before and after.
constexpr std::array<std::string_view, 23> evaluated{
    "constant_folding",
    "operand_order",
    "comparison_conversion",
    "negation_pushdown",
    "boolean_simplification",
    "between_expansion",
    "in_list_normalisation",
    "case_simplification",
    "function_spelling",
    "self_comparison",
    "null_simplification",
    "truth_simplification",
    "arithmetic_simplification",
    "integer_sums",
    "integer_bounds",
    "range_merging",
    "number_text_comparison",
    "real_arithmetic",
    "division_by_zero",
    "like_prefix",
    "json_spelling",
    "date_parts",
    "date_ranges",
};
constexpr std::array<std::string_view, 7> of_subqueries{
    "grouped_scalar",       "scalar_subquery_inlining", "in_to_exists",   "count_to_exists",
    "existence_absorption", "null_test_to_exists",      "existence_union"};

// The rules whose law depends on what is used of the rows.
constexpr std::array<std::string_view, 21> by_demand{
    "derived_table_inlining", "distinct_removal",      "distinct_join_to_semi_join", "semi_join_to_join",
    "group_key_reduction",    "left_join_removal",     "left_join_to_exists",        "foreign_key_join_removal",
    "self_join_removal",      "sort_removal",          "projection_renaming",        "projection_removal",
    "column_pruning",         "limited_constant",      "duplicate_aggregate",        "extreme_to_count",
    "first_row_to_group",     "window_rows_to_groups", "extreme_to_semi_join",       "numbered_rows_to_limit",
    "values_join_to_filter",
};

bool is_among(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Law* law_of(std::string_view rule) {
  for (const auto& list :
       {laws_of_filters(), laws_of_joins(), laws_of_redundant_joins(), laws_of_groups(), laws_of_having(),
        laws_of_counts(), laws_of_merging(), laws_of_joined_aggregates(), laws_of_single_rows(), laws_of_orders(),
        laws_of_windows(), laws_of_row_numbers(), laws_of_limits(), laws_of_subqueries(), laws_of_ignored_rows(),
        laws_of_unions(), laws_of_asked_rows(), laws_of_calculations(), laws_of_null_tests()}) {
    for (const auto& law : list) {
      if (law.rule == rule) return &law;
    }
  }
  return nullptr;
}

std::string rejection_of(std::string_view rule, std::string_view what) {
  return std::string(rule) + ": " + std::string(what);
}

Demand all_of(const Rel& rel) { return {output_set(rel), true, true, Demand::Order::used}; }

bool is_computed_once(const Project& project, AttributeId id) {
  const auto* expr = item_of(project, id);
  return std::all_of(project.items.begin(), project.items.end(),
                     [&](const ProjectItem& item) { return item.id != id || item.expr == *expr; });
}

// Whether no attribute is produced twice.
bool has_unique_attributes(const Rel& rel) {
  AttributeSet produced;
  bool unique = true;
  walk(rel, [&](const Rel& each) {
    AttributeSet own_ids;
    const auto* values = each.as<Values>();
    const auto* project = each.as<Project>();
    for_each_produced(each, [&](AttributeId id) {
      // Over no rows a column may occur twice, since it has no values, and so may two columns computed by one
      // expression.
      const bool again = own_ids.contains(id) && (project != nullptr ? is_computed_once(*project, id)
                                                                     : values != nullptr && values->rows.empty());
      unique = unique && (again || !produced.contains(id));
      own_ids.add(id);
      produced.add(id);
    });
  });
  return unique;
}

bool is_in_scope(const Rel& rel, const AttributeSet& outside);
bool is_in_scope(const Expr& expr, const AttributeSet& visible) {
  bool fine = true;
  if (const auto* id = column_id(expr)) return visible.contains(*id);
  for_each_expr(expr, [&](const Expr& part) { fine = fine && is_in_scope(part, visible); });
  for_each_rel(expr, [&](const Rel& rel) { fine = fine && is_in_scope(rel, visible); });
  return fine;
}
// Whether everything that `rel` uses is produced below it, or is in `outside`.
bool is_in_scope(const Rel& rel, const AttributeSet& outside) {
  bool fine = true;
  auto visible = outside;
  const auto* apply = rel.as<Apply>();
  for_each_rel(rel, [&](const Rel& input) {
    const bool looks_left = apply != nullptr && &input == apply->right.get();
    fine = fine && is_in_scope(input, looks_left ? visible : outside);
    visible |= output_set(input);
  });
  if (const auto* recursive = rel.as<Recursive>()) visible |= AttributeSet::of(recursive->ids);
  for_each_expr(rel, [&](const Expr& expr) { fine = fine && is_in_scope(expr, visible); });
  return fine;
}

std::optional<std::string> reject(std::string_view rule, const Rel& before, const Rel& after, const Demand& demand,
                                  const Renaming& renaming, const Given& given) {
  const auto* law = law_of(rule);
  if (law == nullptr) return rejection_of(rule, "no law is known");
  const auto ids = outputs(before);
  const auto ids_after = outputs(after);
  if ((demand.places || !is_among(rule, by_demand)) && ids != ids_after)
    return rejection_of(rule, "the columns are not the same");
  const auto shown = AttributeSet::of(ids_after);
  bool all_there = true;
  demand.needed.for_each([&](AttributeId id) {
    const auto to = renaming.find(id);
    all_there = all_there && (shown.contains(id) || (to != renaming.end() && shown.contains(to->second)));
  });
  if (!all_there) return rejection_of(rule, "a column that is used above is missing");
  if (!law->holds({before, after, given, demand, renaming})) return rejection_of(rule, "its law does not hold here");
  return std::nullopt;
}

// Whether `after` uses nothing from outside that `before` did not use, after renaming.
bool uses_what_was_used(const Rel& before, const Rel& after, const Renaming& renaming) {
  AttributeSet used;
  free_attributes(after).for_each([&](AttributeId id) {
    const auto to = renaming.find(id);
    used.add(to != renaming.end() ? to->second : id);
  });
  AttributeSet produced;
  add_produced(after, produced);
  return (used - produced).is_subset_of(free_attributes(before));
}

// `non_null` is called only if it matters.
template <class NonNull>
std::optional<std::string> reject(std::string_view rule, const Expr& before, const Expr& after, bool truth_only,
                                  const NonNull& non_null, const Given& given) {
  if (!references(after).is_subset_of(references(before)))
    return rejection_of(rule, "an attribute is used that was not used before");
  if (is_among(rule, of_subqueries)) {
    if (is_same_subquery(rule, before, after, truth_only, non_null(), given)) return std::nullopt;
    return rejection_of(rule, "its law does not hold here");
  }
  if (!is_among(rule, evaluated)) return rejection_of(rule, "no law is known");
  if (agree(before, after, truth_only, {}, given)) return std::nullopt;
  const auto known = non_null();
  if (!known.empty() && agree(before, after, truth_only, known, given)) return std::nullopt;
  return rejection_of(rule, "the values differ");
}

// A tree on which steps are performed again.
class Replay {
 public:
  Replay(const RewritingRound& round, bool tables_have_rows)
      : tree_(round.start), attributes_(round.attributes), tables_have_rows_(tables_have_rows) {
    for (auto step = round.steps.rbegin(); step != round.steps.rend(); ++step) {
      for (const auto& change : step->changes) attributes_[change.id] = change.before;
    }
  }

  const Rel& tree() const { return tree_; }

  std::optional<std::string> take(const Rewriting& step) {
    const bool follows =
        open_ && open_->path == step.path && open_->assumptions == step.assumptions && is_evaluated(step);
    if (!follows) {
      if (auto rejection = finish()) return rejection;
      if (!find(step.path)) return rejection_of(step.rule, "there is no such place");
      if (is_evaluated(step) && places_.back().expr != nullptr) {
        open_ = {step.path, *places_.back().expr, step.rule, step.assumptions};
      } else if (auto rejection = reject_at_place(step, {attributes_, step.assumptions, tables_have_rows_})) {
        return rejection;
      }
    }
    if (open_) open_->rule = step.rule;
    if (std::holds_alternative<Rel>(step.after) != (places_.back().rel != nullptr))
      return rejection_of(step.rule, "its place holds something else");
    if (const auto* rel = std::get_if<Rel>(&step.after)) {
      *places_.back().rel = *rel;
    } else {
      *places_.back().expr = std::get<Expr>(step.after);
    }
    if (!step.renaming.empty()) rename(tree_, step.renaming);
    for (const auto& change : step.changes) attributes_[change.id] = change.after;
    return std::nullopt;
  }

  // Checks the steps that are still pending. Must be called before the tree is read.
  std::optional<std::string> finish() {
    if (!open_) return std::nullopt;
    const Given given{attributes_, open_->assumptions, tables_have_rows_};
    const auto& place = places_.back();
    auto rejection = reject(
        open_->rule, open_->before, *place.expr, place.truth_only, [&] { return non_null(given); }, given);
    open_.reset();
    return rejection;
  }

 private:
  // Consecutive steps in one place by rules that are checked by evaluation: only their combined effect matters.
  struct Open {
    std::vector<std::uint32_t> path{};
    Expr before;
    std::string_view rule{};  // of the last step
    std::vector<Assumption> assumptions{};
  };
  static bool is_evaluated(const Rewriting& step) {
    return std::holds_alternative<Expr>(step.after) && is_among(step.rule, evaluated) && step.changes.empty() &&
           step.renaming.empty();
  }

  // A node on the path from the root to the place of a step.
  struct Place {
    Rel* rel = nullptr;
    Expr* expr = nullptr;
    bool truth_only = false;
  };

  std::optional<std::string> reject_at_place(const Rewriting& step, const Given& given) const {
    const auto& place = places_.back();
    if (place.rel != nullptr) {
      const auto* after = std::get_if<Rel>(&step.after);
      if (after == nullptr) return rejection_of(step.rule, "an expression replaces a relation");
      return reject(step.rule, *place.rel, *after, is_among(step.rule, by_demand) ? demand() : all_of(*place.rel),
                    step.renaming, given);
    }
    const auto* after = std::get_if<Expr>(&step.after);
    if (after == nullptr) return rejection_of(step.rule, "a relation replaces an expression");
    return reject(
        step.rule, *place.expr, *after, place.truth_only, [&] { return non_null(given); }, given);
  }

  bool find(std::span<const std::uint32_t> path) {
    places_.assign(1, {&tree_, nullptr, false});
    for (const auto turn : path) {
      const Place place = places_.back();
      Place next;
      std::uint32_t left = turn / 2;
      const auto enter_rel = [&](Rel& rel) {
        if (left-- == 0) next.rel = &rel;
      };
      const auto enter_expr = [&](Expr& expr) {
        if (left-- == 0) next.expr = &expr;
      };
      if (turn % 2 == 0) {
        place.rel != nullptr ? for_each_rel(*place.rel, enter_rel) : for_each_rel(*place.expr, enter_rel);
      } else {
        place.rel != nullptr ? for_each_expr(*place.rel, enter_expr) : for_each_expr(*place.expr, enter_expr);
        if (next.expr != nullptr)
          next.truth_only =
              place.rel != nullptr ? asks_for_truth(*place.rel, *next.expr) : asks_for_truth(place, *next.expr);
      }
      if (next.rel == nullptr && next.expr == nullptr) return false;
      places_.push_back(next);
    }
    return true;
  }

  // Whether, for a condition directly in `rel`, it only matters whether it is true.
  static bool asks_for_truth(const Rel& rel, const Expr& expr) {
    const auto is_filter_of = [&](const auto& calls) {
      return std::any_of(calls.begin(), calls.end(), [&](const auto& call) { return call.filter.get() == &expr; });
    };
    if (const auto* n = rel.as<Aggregate>()) return is_filter_of(n->calls);
    if (const auto* n = rel.as<Window>()) return is_filter_of(n->calls);
    return rel.is<Filter>() || rel.is<Join>() || rel.is<Apply>();
  }
  // The same for an operand.
  static bool asks_for_truth(const Place& place, const Expr& operand) {
    if (place.expr->is<And>() || place.expr->is<Or>()) return place.truth_only;
    if (const auto* n = place.expr->as<IsTruth>()) return n->truth;
    const auto* choice = place.expr->as<Case>();
    if (choice == nullptr || choice->operand) return false;
    return std::any_of(choice->branches.begin(), choice->branches.end(),
                       [&](const Branch& branch) { return branch.condition.get() == &operand; });
  }

  // The attributes that are not NULL where the expression is evaluated.
  AttributeSet non_null(const Given& given) const {
    AttributeSet known;
    for (std::size_t i = 0; i + 1 < places_.size(); ++i) {
      if (places_[i].rel == nullptr || places_[i + 1].expr == nullptr) continue;
      for_each_rel(std::as_const(*places_[i].rel),
                   [&](const Rel& input) { known |= knowledge_of(input, given).non_null; });
    }
    return known;
  }

  Demand demand() const {
    Demand result{output_set(tree_), true, true, Demand::Order::shown};
    for (std::size_t i = 0; i + 1 < places_.size(); ++i) {
      const auto* input = places_[i + 1].rel;
      if (input == nullptr) continue;
      result = places_[i].rel != nullptr ? demand_of_input(*places_[i].rel, *input, result)
                                         : demand_of_subquery(*places_[i].expr);
    }
    return result;
  }

  Rel tree_;
  std::vector<Attribute> attributes_;  // before the next step
  bool tables_have_rows_;
  std::vector<Place> places_;
  std::optional<Open> open_;
};

}  // namespace

std::optional<std::string> reject_rewrite(const RewriteStep& step, const Plan& plan) {
  const Given given{plan.attributes, step.assumptions, plan.tables_have_rows};
  if (const auto* before = std::get_if<Rel>(&step.before)) {
    const auto& after = std::get<Rel>(step.after);
    if (!has_unique_attributes(after)) return rejection_of(step.rule, "an attribute is produced twice");
    if (!uses_what_was_used(*before, after, step.renaming))
      return rejection_of(step.rule, "an attribute is used that is not visible");
    return reject(step.rule, *before, after, step.demand ? *step.demand : all_of(*before), step.renaming, given);
  }
  return reject(
      step.rule, std::get<Expr>(step.before), std::get<Expr>(step.after), step.truth_only,
      [&] { return step.non_null; }, given);
}

RewriteCheck check_rewrites(const Plan& plan, const Normalised& normalised) {
  RewriteCheck check;
  const auto rejected = [&](std::string why) {
    check.rejection = std::move(why);
    return check;
  };
  Rel tree = plan.root;
  bool first = true;
  for (const auto& round : normalised.trace) {
    if (first ? !(round.start == tree) : !same_but_for_order(tree, round.start))
      return rejected("the steps do not follow each other");
    first = false;
    Replay replay(round, plan.tables_have_rows);
    for (const auto& step : round.steps) {
      for (const auto& assumption : step.assumptions) {
        if (std::find(normalised.assumptions.begin(), normalised.assumptions.end(), assumption) ==
            normalised.assumptions.end())
          return rejected(rejection_of(step.rule, "it relies on something that the proof does not name"));
      }
      if (auto why = replay.take(step)) return rejected(*std::move(why));
      ++check.steps;
    }
    if (auto why = replay.finish()) return rejected(*std::move(why));
    tree = replay.tree();
    if (!has_unique_attributes(tree)) return rejected("an attribute is produced twice");
    if (!is_in_scope(tree, {})) return rejected("an attribute is used where it is not visible");
    rename(tree, round.renumbering);
  }
  if (!(tree == normalised.plan.root)) return rejected("the steps do not lead to the result");
  return check;
}

}  // namespace trustsql::equiv::checker
