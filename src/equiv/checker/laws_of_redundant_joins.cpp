// Joins that are removed, and joins with distinct rows.
#include <algorithm>
#include <optional>

#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/uses.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool left_join_removal(const Change& c) {
  const auto* join = c.before.as<Join>();
  if (join == nullptr || join->type != JoinType::left || c.demand.places || !(c.after == *join->left) ||
      is_volatile(*join->right))
    return false;
  if (c.demand.needed.intersects(output_set(*join->right))) return false;
  return !c.demand.repeats || has_one_match(*join->right, join->on, c.given);
}

bool foreign_key_join_removal(const Change& c) {
  const auto* join = c.before.as<Join>();
  if (join == nullptr || join->type != JoinType::inner || c.demand.places) return false;
  for (const bool right : {true, false}) {
    const Rel& parent = right ? *join->right : *join->left;
    const Rel& rows = right ? *join->left : *join->right;
    const auto* scan = unfiltered(parent).as<Scan>();
    if (scan == nullptr || scan->table == nullptr || !(unfiltered(c.after) == rows || c.after == rows)) continue;
    const auto inside = output_set(parent);
    const auto pairs = pairs_of(join->on, inside, c.given);
    if (!pairs || !is_foreign_key(*pairs, rows, *scan, c.given)) continue;
    AttributeSet keys;
    bool identical = true;
    std::vector<Expr> expected;
    Renaming to_child;
    for (const auto& condition : join->on) {
      if (!references(condition).intersects(inside)) expected.push_back(condition);
    }
    for (const auto& [own, theirs] : *pairs) {
      keys.add(theirs);
      identical = identical && has_one_spelling(column(own), column(theirs), c.given.attributes);
      to_child[theirs] = own;
      expected.push_back(is_null(column(own), true));
    }
    // Each child has one parent.
    auto known = knowledge_of(unfiltered(parent), c.given);
    learn(known, join->on, c.given);
    if (!known.is_key(keys)) continue;
    const auto& own_conditions = conditions_of(parent);
    if (!own_conditions.empty() && !identical) continue;
    bool of_key = true;
    for (auto condition : own_conditions) {
      of_key = of_key && (references(condition) & inside).is_subset_of(keys) && !is_volatile(condition);
      rename(condition, to_child);
      expected.push_back(std::move(condition));
    }
    const auto shown = c.demand.needed & inside;
    if (!of_key || !shown.is_subset_of(keys) || (!shown.empty() && !identical)) continue;
    bool renamed = true;
    shown.for_each(
        [&](AttributeId id) { renamed = renamed && c.renaming.contains(id) && c.renaming.at(id) == to_child.at(id); });
    const Rel wanted{Filter{rows, std::move(expected)}};
    if (renamed && same_rows(wanted, c.after, outputs(rows), false, c.given)) return true;
  }
  return false;
}

// Two uses of a table under a join: `copy`, a side of the join, and `original`, a use in the other side, `rows`.
struct TwoUses {
  const Join& join;
  const Rel& copy;
  const Rel& rows;
  const Scan& scan;  // of the copy
  const Scan& original;
};

// Whether the only match of each row of the original is the row itself: the join compares the columns of a key.
bool matches_itself_only(const TwoUses& uses, const Given& given) {
  const auto& table = unfiltered(uses.copy);
  const auto inside = output_set(table);
  AttributeSet key;  // the columns that the join compares
  bool nothing_else = true;
  for (const auto& condition : uses.join.on) {
    const auto pair = pair_of(condition, inside, given);
    const auto* own = pair ? column_of(uses.original, pair->first) : nullptr;
    const auto* theirs = pair ? column_of(uses.scan, pair->second) : nullptr;
    if (own != nullptr && theirs != nullptr && own->position == theirs->position) {
      key.add(pair->second);
    } else {
      nothing_else = false;
    }
  }
  auto known = knowledge_of(uses.copy, given);
  if (uses.join.type != JoinType::inner && (!nothing_else || !key.is_subset_of(known.non_null))) return false;
  if (uses.join.type == JoinType::inner) learn(known, uses.join.on, given);
  auto of_table = knowledge_of(table, given);
  of_table.non_null |= known.non_null & of_table.columns;
  return !key.empty() && of_table.is_key(key);
}

// Whether the change may leave the original alone, with all columns of both, under the conditions of the join; nullopt
// if it does something else.
std::optional<bool> keeps_original(const TwoUses& uses, const Change& c) {
  // The columns of the copy are renamed to those of the original.
  Renaming expected{{uses.scan.row, uses.original.row}};
  auto merged = uses.original;
  for (const auto& column : uses.scan.columns) {
    if (const auto* same = column_at(uses.original, column.position)) {
      expected[column.id] = same->id;
    } else {
      merged.columns.push_back(column);
    }
  }
  if (c.renaming != expected) return std::nullopt;
  Rel kept = uses.rows;
  walk(kept, [&](Rel& each) {
    auto* own = each.as<Scan>();
    if (own != nullptr && own->row == merged.row) own->columns = merged.columns;
  });
  std::vector<Expr> conditions;
  if (uses.join.type == JoinType::inner) {
    conditions = uses.join.on;
    conditions.insert(conditions.end(), conditions_of(uses.copy).begin(), conditions_of(uses.copy).end());
  } else if (uses.join.type == JoinType::semi) {
    conditions = conditions_of(uses.copy);
  } else if (uses.join.type == JoinType::anti) {
    conditions.emplace_back(IsTruth{conjunction(conditions_of(uses.copy)), true, true});
  }
  const Rel wanted = conditions.empty() ? kept : Rel{Filter{kept, std::move(conditions)}};
  if (c.after == wanted) return !c.demand.places || outputs(c.after) == outputs(c.before);
  const auto* project = c.after.as<Project>();
  const bool hands_on = project != nullptr && *project->input == wanted && outputs(c.after) == outputs(c.before) &&
                        std::all_of(project->items.begin(), project->items.end(),
                                    [](const ProjectItem& item) { return item.is_pass_through(); });
  if (hands_on) return true;
  return std::nullopt;
}

// Two uses of a table, where the only match of each row is the row itself: one of the uses is redundant.
bool self_join_removal(const Change& c) {
  const auto* join = c.before.as<Join>();
  if (join == nullptr || join->type == JoinType::right || join->type == JoinType::full) return false;
  const bool asks = join->type == JoinType::semi || join->type == JoinType::anti;
  for (const bool right : {true, false}) {
    const Rel& copy = right ? *join->right : *join->left;
    const Rel& rows = right ? *join->left : *join->right;
    const auto* scan = unfiltered(copy).as<Scan>();
    if (scan == nullptr || scan->table == nullptr || (join->type != JoinType::inner && !right) ||
        (join->type == JoinType::left && !copy.is<Scan>()) || (asks && is_volatile(copy)))
      continue;
    for (const auto* original : uses_of(rows, scan->table, join->type == JoinType::left)) {
      const TwoUses uses{*join, copy, rows, *scan, *original};
      if (!matches_itself_only(uses, c.given)) continue;
      if (const auto keeps = keeps_original(uses, c)) return *keeps;
    }
  }
  return false;
}

bool distinct_join_to_semi_join(const Change& c) {
  const auto* join = c.before.as<Join>();
  const auto* semi = c.after.as<Join>();
  if (join == nullptr || semi == nullptr || join->type != JoinType::inner || semi->type != JoinType::semi ||
      c.demand.places)
    return false;
  for (const bool right : {true, false}) {
    const auto* distinct = (right ? *join->right : *join->left).as<Distinct>();
    const Rel& rows = right ? *join->left : *join->right;
    if (distinct == nullptr || !distinct->collations.empty() || !(*semi->left == rows)) continue;
    const auto inside = output_set(*distinct->input);
    const auto pairs = pairs_of(join->on, inside, c.given, true);
    if (!pairs || free_attributes(*distinct->input).intersects(output_set(rows))) continue;
    AttributeSet compared;
    bool fine = true;
    for (const auto& [own, theirs] : *pairs) {
      compared.add(theirs);
      fine = fine && has_one_spelling(column(own), column(theirs), c.given.attributes);
    }
    if (!fine || !(compared == inside)) continue;
    // Above, each column of the distinct rows is replaced by the column that it equals.
    (c.demand.needed & inside).for_each([&](AttributeId id) {
      const auto to = c.renaming.find(id);
      fine = fine && to != c.renaming.end() &&
             std::find(pairs->begin(), pairs->end(), std::pair{to->second, id}) != pairs->end();
    });
    const auto renaming = renaming_of_copy(*distinct->input, *semi->right);
    if (!fine || !renaming) continue;
    Join expected{JoinType::semi, rows, *distinct->input, join->on};
    rename(*expected.right, *renaming);
    for (auto& condition : expected.on) rename(condition, *renaming);
    if (expected == *semi) return true;
  }
  return false;
}

// Whether the filter asks for `others`, and in one IN for the alternatives x = c1 OR x = c2 ...
bool is_list_of(const Filter& filter, const Or& alternatives, const std::vector<Expr>& others) {
  int lists = 0;
  const Expr& compared = *alternatives.terms.front().as<Compare>()->left;
  const auto& how = alternatives.terms.front().as<Compare>()->how;
  std::vector<Expr> rest;
  for (const auto& condition : filter.conjuncts) {
    const auto* list = condition.as<InList>();
    const bool is_it =
        list != nullptr && !list->negated && *list->operand == compared && list->how == how &&
        list->items.size() == alternatives.terms.size() &&
        std::equal(list->items.begin(), list->items.end(), alternatives.terms.begin(),
                   [](const Expr& item, const Expr& term) { return item == *term.as<Compare>()->right; });
    if (is_it && lists++ == 0) continue;
    rest.push_back(condition);
  }
  return lists > 0 && std::is_permutation(rest.begin(), rest.end(), others.begin(), others.end());
}

// A row has one partner at most in a list of different constants, if it is joined by equality with one expression.
bool values_join_to_filter(const Change& c) {
  const auto* join = c.before.as<Join>();
  if (join == nullptr || join->type != JoinType::inner || c.demand.places) return false;
  for (const bool right : {true, false}) {
    const auto* list = (right ? *join->right : *join->left).as<Values>();
    const Rel& rows = right ? *join->left : *join->right;
    if (list == nullptr || list->ids.size() != 1 || c.demand.needed.contains(list->ids.front())) continue;
    const Expr listed = column(list->ids.front());
    std::vector<Expr> expected;
    const Compare* equality = nullptr;
    int uses = 0;
    for (const auto& condition : join->on) {
      if (!references(condition).contains(list->ids.front())) {
        expected.push_back(condition);
        continue;
      }
      ++uses;
      equality = condition.as<Compare>();
    }
    if (uses != 1 || equality == nullptr || equality->op != CompareOp::equal) continue;
    const auto collation = equality->how.collation;
    if (collation != "BINARY" && collation != "NOCASE" && collation != "RTRIM") continue;
    const bool listed_first = *equality->left == listed;
    const Expr& compared = listed_first ? *equality->right : *equality->left;
    if (!(listed_first || *equality->right == listed) || references(compared).contains(list->ids.front()) ||
        is_volatile(compared))
      continue;
    // As alternatives, which is what IN means.
    Evaluator evaluator({});
    Or alternatives;
    bool different = true;
    for (const auto& row : list->rows) {
      different = different && row.size() == 1 && row.front().is<Literal>();
      if (!different) break;
      if (literal_value(row.front())->index() == 0) continue;
      for (const auto& known : alternatives.terms) {
        const Expr same = compare(CompareOp::equal, row.front(), *known.as<Compare>()->right, equality->how);
        different = different && evaluator.truth(same) == Truth::no;
      }
      alternatives.terms.push_back(compare(CompareOp::equal, compared, row.front(), equality->how));
    }
    if (!different || alternatives.terms.empty()) continue;
    // A condition of the replacement lists the constants; all others are the same.
    const auto* filter = c.after.as<Filter>();
    if (filter != nullptr && *filter->input == rows && is_list_of(*filter, alternatives, expected)) return true;
  }
  return false;
}

constexpr Law redundant_join_laws[] = {
    {"left_join_removal", left_join_removal},         {"foreign_key_join_removal", foreign_key_join_removal},
    {"self_join_removal", self_join_removal},         {"distinct_join_to_semi_join", distinct_join_to_semi_join},
    {"values_join_to_filter", values_join_to_filter},
};

}  // namespace

std::span<const Law> laws_of_redundant_joins() { return redundant_join_laws; }

}  // namespace trustsql::equiv::checker
