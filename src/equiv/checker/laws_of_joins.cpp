// Joins that become other joins.
#include <algorithm>

#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "equiv/checker/uses.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool is_strengthened_join(const Join& before, const Join& after, const std::vector<const Expr*>& conditions,
                          const Given& given);

// Whether `after` is `before` with outer joins made stricter, where `conditions` hold for the rows that matter.
bool is_strengthened(const Rel& before, const Rel& after, std::vector<const Expr*> conditions, const Given& given) {
  if (before == after) return true;
  if (const auto* n = before.as<Filter>()) {
    const auto* m = after.as<Filter>();
    if (m == nullptr || !(m->conjuncts == n->conjuncts)) return false;
    for (const auto& each : n->conjuncts) conditions.push_back(&each);
    return is_strengthened(*n->input, *m->input, std::move(conditions), given);
  }
  if (const auto* n = before.as<Sort>()) {
    const auto* m = after.as<Sort>();
    return m != nullptr && m->keys == n->keys && is_strengthened(*n->input, *m->input, std::move(conditions), given);
  }
  if (const auto* n = before.as<Project>()) {
    // Conditions on columns that are computed here do not restrict what is below, which has other attributes.
    const auto* m = after.as<Project>();
    return m != nullptr && m->items == n->items && is_strengthened(*n->input, *m->input, std::move(conditions), given);
  }
  if (const auto* n = before.as<Apply>()) {
    const auto* m = after.as<Apply>();
    return m != nullptr && m->type == n->type && m->on == n->on && *m->right == *n->right &&
           is_strengthened(*n->left, *m->left, std::move(conditions), given);
  }
  const auto* n = before.as<Join>();
  const auto* m = after.as<Join>();
  return n != nullptr && m != nullptr && m->on == n->on && is_strengthened_join(*n, *m, conditions, given);
}

// The same for joins with the same condition.
bool is_strengthened_join(const Join& before, const Join& after, const std::vector<const Expr*>& conditions,
                          const Given& given) {
  const auto rejected = [&](const Rel& side) {
    const auto columns = output_set(side);
    return std::any_of(conditions.begin(), conditions.end(),
                       [&](const Expr* each) { return rejects_nulls(*each, columns, given); });
  };
  // Which sides the join preserves.
  const auto keeps_left = [](JoinType type) { return type == JoinType::left || type == JoinType::full; };
  const auto keeps_right = [](JoinType type) { return type == JoinType::right || type == JoinType::full; };
  const bool chooses = before.type == JoinType::semi || before.type == JoinType::anti;
  if (chooses && after.type != before.type) return false;
  if (!chooses && (after.type == JoinType::semi || after.type == JoinType::anti)) return false;
  if (keeps_left(after.type) > keeps_left(before.type) || keeps_right(after.type) > keeps_right(before.type))
    return false;
  if (keeps_left(before.type) && !keeps_left(after.type) && !rejected(*before.right)) return false;
  if (keeps_right(before.type) && !keeps_right(after.type) && !rejected(*before.left)) return false;
  std::vector<const Expr*> on;
  for (const auto& each : before.on) on.push_back(&each);
  auto both = conditions;
  both.insert(both.end(), on.begin(), on.end());
  const auto left = [&](const std::vector<const Expr*>& known) {
    return is_strengthened(*before.left, *after.left, known, given);
  };
  const auto right = [&](const std::vector<const Expr*>& known) {
    return is_strengthened(*before.right, *after.right, known, given);
  };
  switch (after.type) {
    case JoinType::inner: return left(both) && right(both);
    case JoinType::left: return left(conditions) && right(on);
    case JoinType::right: return left(on) && right(conditions);
    case JoinType::full: return *before.left == *after.left && *before.right == *after.right;
    case JoinType::semi: return left(both) && right(on);
    case JoinType::anti: return left(conditions) && right(on);
  }
  return false;
}

bool outer_to_inner(const Change& c) { return is_strengthened(c.before, c.after, {}, c.given); }

bool are_not_null(const Pairs& pairs, const Knowledge& rows) {
  return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return rows.non_null.contains(pair.first); });
}

// Whether each of `rows` has a match in `partners`.
bool has_match(const Rel& rows, const Rel& partners, const std::vector<Expr>& on, const Given& given) {
  const auto* scan = scan_of(partners);
  if (scan == nullptr) return false;
  const auto known = knowledge_of(rows, given);
  const auto inside = output_set(partners);
  if (const auto pairs = pairs_of(on, inside, given); pairs && pairs->size() == on.size() && partners.is<Scan>() &&
                                                      is_foreign_key(*pairs, rows, *scan, given) &&
                                                      are_not_null(*pairs, known))
    return true;
  // Otherwise each row matches itself, if `rows` reads the same table.
  auto required = form_of(partners, given).conditions;
  required.insert(required.end(), on.begin(), on.end());
  const auto conditions_of_rows = form_of(rows, given).conditions;
  for (const auto* own : uses_of(rows, scan->table, false)) {
    Renaming to_own;
    for (const auto& column : scan->columns) {
      if (const auto* same = column_at(*own, column.position)) to_own[column.id] = same->id;
    }
    const bool all_hold = std::all_of(required.begin(), required.end(), [&](Expr condition) {
      rename(condition, to_own);
      if (!is_fixed(condition) || references(condition).intersects(inside)) return false;
      if (std::find(conditions_of_rows.begin(), conditions_of_rows.end(), condition) != conditions_of_rows.end())
        return true;
      const auto* compare = condition.as<Compare>();
      if (compare == nullptr || !(*compare->left == *compare->right)) return false;
      if (compare->op == CompareOp::is) return true;
      const bool reflexive = compare->op == CompareOp::equal || compare->op == CompareOp::less_equal ||
                             compare->op == CompareOp::greater_equal;
      return reflexive && !given.may_be_null(*compare->left, known.non_null);
    });
    if (all_hold) return true;
  }
  return false;
}

bool matched_outer_join(const Change& c) {
  const auto* before = c.before.as<Join>();
  const auto* after = c.after.as<Join>();
  if (before == nullptr || after == nullptr) return false;
  if (nests_matches(*before, *after, c.given)) {
    const auto& matches = *after->right->as<Join>();
    return has_match(*matches.left, *matches.right, matches.on, c.given);
  }
  if (!(before->on == after->on) || !(*before->left == *after->left) || !(*before->right == *after->right))
    return false;
  const auto keeps_left = [](JoinType type) { return type == JoinType::left || type == JoinType::full; };
  const auto keeps_right = [](JoinType type) { return type == JoinType::right || type == JoinType::full; };
  if (after->type == JoinType::semi || after->type == JoinType::anti ||
      keeps_left(after->type) > keeps_left(before->type) || keeps_right(after->type) > keeps_right(before->type))
    return false;
  if (keeps_left(before->type) != keeps_left(after->type) &&
      !has_match(*before->left, *before->right, before->on, c.given))
    return false;
  return keeps_right(before->type) == keeps_right(after->type) ||
         has_match(*before->right, *before->left, before->on, c.given);
}

// Whether `id` is not NULL in the matches of `right`.
bool is_non_null_in_matches(const Rel& right, const std::vector<Expr>& on, AttributeId id, const Given& given) {
  auto known = knowledge_of(right, given);
  learn(known, on, given);
  return known.non_null.contains(id);
}
bool left_to_anti_join(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  const auto* join = filter != nullptr ? filter->input->as<Join>() : nullptr;
  const auto* project = unfiltered(c.after).as<Project>();
  const auto* anti = project != nullptr ? project->input->as<Join>() : nullptr;
  if (join == nullptr || anti == nullptr || join->type != JoinType::left || anti->type != JoinType::anti ||
      !(*join->left == *anti->left))
    return false;
  const auto removed = difference(filter->conjuncts, conditions_of(c.after));
  const auto right = output_set(*join->right);
  const auto* test = removed && removed->size() == 1 ? removed->front().as<IsNull>() : nullptr;
  const auto* id = test != nullptr && !test->negated ? column_id(*test->operand) : nullptr;
  if (id == nullptr || !right.contains(*id) || !is_non_null_in_matches(*join->right, join->on, *id, c.given))
    return false;
  const auto renaming = renaming_of_copy(*join->right, *anti->right);
  if (!renaming) return false;
  Join expected{JoinType::anti, join->left, join->right, join->on};
  rename(*expected.right, *renaming);
  for (auto& condition : expected.on) rename(condition, *renaming);
  return expected == *anti && std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
           return right.contains(item.id) ? is_null_literal(item.expr) : item.is_pass_through();
         });
}

bool semi_join_to_join(const Change& c) {
  const auto* join = c.before.as<Join>();
  if (join == nullptr || join->type != JoinType::semi) return false;
  if (c.demand.repeats && !has_one_match(*join->right, join->on, c.given)) return false;
  const Rel expected{Join{JoinType::inner, join->left, join->right, join->on}};
  if (c.after == expected) return !c.demand.places;
  const auto* project = c.after.as<Project>();
  return project != nullptr && *project->input == expected && outputs(c.after) == outputs(*join->left) &&
         std::all_of(project->items.begin(), project->items.end(),
                     [](const ProjectItem& item) { return item.is_pass_through(); });
}

bool left_join_to_exists(const Change& c) {
  const auto input_of = [](const Rel& rel) -> const Rel* {
    if (const auto* n = rel.as<Project>()) return n->input.get();
    const auto* n = rel.as<Filter>();
    return n != nullptr ? n->input.get() : nullptr;
  };
  const auto* input = input_of(c.before);
  const auto* join = input != nullptr ? input->as<Join>() : nullptr;
  const auto* input_after = input_of(c.after);
  if (join == nullptr || input_after == nullptr || join->type != JoinType::left || !(*input_after == *join->left) ||
      is_volatile(*join->right))
    return false;
  const auto right = output_set(*join->right);
  if (c.before.is<Filter>() && (c.demand.places || c.demand.needed.intersects(right))) return false;
  if (!has_one_match(*join->right, join->on, c.given)) return false;
  const auto known = knowledge_of(*join->right, c.given);
  // Where `b` asks for matches, `a` tests whether a column of theirs is NULL.
  const auto replaced = [&](const Expr& a, const Expr& b) -> std::optional<bool> {
    const auto* exists = b.as<Exists>();
    const auto* test = a.as<IsNull>();
    const auto* id = test != nullptr ? column_id(*test->operand) : nullptr;
    if (exists == nullptr || id == nullptr || !right.contains(*id)) {
      return a == b ? std::optional(!references(a).intersects(right)) : std::nullopt;
    }
    if (exists->negated == test->negated || !known.non_null.contains(*id)) return false;
    const auto renaming = renaming_of_copy(*join->right, unfiltered(*exists->rel));
    if (!renaming) return false;
    Rel expected = join->on.empty() ? *join->right : Rel{Filter{*join->right, join->on}};
    rename(expected, *renaming);
    return same_existence(expected, {}, *exists->rel, {}, c.given);
  };
  return same_expressions(c.before, c.after, replaced) &&
         (!c.before.is<Project>() || outputs(c.before) == outputs(c.after));
}

// Whether `rows` is a product of relations of which one is the same as `other` but for the names of its columns, which
// are those of the pairs: one of `rows`, and one of `other`.
bool has_factor_like(const Rel& rows, const Rel& other, const Pairs& pairs) {
  if (is_volatile(other) || !free_attributes(other).empty()) return false;
  std::vector<const Rel*> factors;
  std::vector<Expr> conditions;
  split_product(rows, factors, conditions);
  return std::any_of(factors.begin(), factors.end(), [&](const Rel* factor) {
    const auto names = renaming_of_copy(other, *factor);
    if (!names) return false;
    Rel renamed = other;
    rename(renamed, *names);
    const auto visible = output_set(other);
    return renamed == *factor && std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
             const auto name = names->find(pair.second);
             return visible.contains(pair.second) && name != names->end() && name->second == pair.first;
           });
  });
}

// r >= max(t), where r is a value of t.
bool extreme_comparison(const Change& c) {
  const auto* before = c.before.as<Join>();
  const auto* after = c.after.as<Join>();
  if (before == nullptr || after == nullptr || before->type != JoinType::inner || after->type != JoinType::inner ||
      !(*before->left == *after->left) || !(*before->right == *after->right) || before->on.size() != after->on.size())
    return false;
  // Whether `value op extreme` may become `value now extreme`.
  const auto is_extreme = [&](const Expr& value, const Expr& extreme, CompareOp op, CompareOp now,
                              const Comparison& how) {
    const auto* value_id = column_id(value);
    const auto* id = column_id(extreme);
    if (value_id == nullptr || id == nullptr || may_convert(value, how.affinity, c.given.attributes)) return false;
    for (const bool right : {true, false}) {
      const Rel& rows = right ? *before->left : *before->right;
      const auto* aggregate = (right ? *before->right : *before->left).as<Aggregate>();
      if (aggregate == nullptr || aggregate->grouped) continue;
      const auto* scan = aggregate->input->as<Scan>();
      for (const auto& call : aggregate->calls) {
        const bool least = call.name == "min";
        if (call.id != *id || (!least && call.name != "max") || call.filter || call.arguments.size() != 1 ||
            call.collation != how.collation)
          continue;
        const auto* argument = column_id(call.arguments.front());
        const bool reaches =
            op == (least ? CompareOp::less_equal : CompareOp::greater_equal) && now == CompareOp::equal;
        const bool misses = op == CompareOp::not_equal && now == (least ? CompareOp::greater : CompareOp::less);
        if (argument == nullptr || (!reaches && !misses)) continue;
        if (has_factor_like(rows, *aggregate->input, {{*value_id, *argument}})) return true;
        const auto* column = scan != nullptr && scan->table != nullptr ? column_of(*scan, *argument) : nullptr;
        if (column == nullptr) continue;
        for (const auto* use : uses_of(rows, scan->table, true)) {
          const auto* theirs = column_of(*use, *value_id);
          if (theirs != nullptr && theirs->position == column->position) return true;
        }
      }
    }
    return false;
  };
  for (std::size_t i = 0; i < before->on.size(); ++i) {
    if (before->on[i] == after->on[i]) continue;
    const auto* old = before->on[i].as<Compare>();
    const auto* compare_after = after->on[i].as<Compare>();
    if (old == nullptr || compare_after == nullptr || !(old->how == compare_after->how) ||
        !(*old->left == *compare_after->left) || !(*old->right == *compare_after->right))
      return false;
    if (!is_extreme(*old->left, *old->right, old->op, compare_after->op, old->how) &&
        !is_extreme(*old->right, *old->left, mirrored(old->op), mirrored(compare_after->op), old->how))
      return false;
  }
  return true;
}

// No row of the table has a greater value than r: r has the maximum, if it is one of the values.
bool anti_join_to_extreme(const Change& c) {
  const auto* before = c.before.as<Join>();
  const auto* project = c.after.as<Project>();
  const auto* after = project != nullptr ? project->input->as<Join>() : nullptr;
  const auto* extreme = after != nullptr ? after->right->as<Aggregate>() : nullptr;
  if (before == nullptr || extreme == nullptr || before->type != JoinType::anti || after->type != JoinType::inner ||
      !(*before->left == *after->left) || !(*extreme->input == *before->right) || extreme->calls.size() != 1 ||
      outputs(c.before) != outputs(c.after) ||
      !std::all_of(project->items.begin(), project->items.end(), [](const auto& i) { return i.is_pass_through(); }))
    return false;
  const auto& call = extreme->calls.front();
  if ((call.name != "max" && call.name != "min") || call.info == nullptr || call.arguments.size() != 1 || call.filter ||
      call.collation != binary_collation)
    return false;
  const auto known = knowledge_of(*before->left, c.given);
  const auto of_others = output_set(*before->right);
  Pairs columns;  // of the row itself, and of the others
  AttributeSet keys;
  bool ordered = false;
  std::vector<Expr> expected;
  for (const auto& condition : before->on) {
    const auto* compare = condition.as<Compare>();
    if (compare == nullptr || !compares_plainly(*compare, c.given.attributes)) return false;
    const auto* left = column_id(*compare->left);
    const auto* right = column_id(*compare->right);
    if (left == nullptr || right == nullptr) return false;
    const bool mirror = !of_others.contains(*left);
    const auto theirs = mirror ? *right : *left;
    const auto own = mirror ? *left : *right;
    const auto op = mirror ? mirrored(compare->op) : compare->op;
    if (!of_others.contains(theirs) || !known.columns.contains(own) || !known.non_null.contains(own)) return false;
    columns.emplace_back(own, theirs);
    if (op == CompareOp::equal) {
      keys.add(theirs);
      expected.push_back(plan::compare(CompareOp::equal, column(own), column(theirs)));
    } else {
      const bool greatest = op == CompareOp::greater && call.name == "max";
      const bool least = op == CompareOp::less && call.name == "min";
      if (ordered || (!greatest && !least) || !(call.arguments.front() == column(theirs))) return false;
      ordered = true;
      expected.push_back(plan::compare(CompareOp::equal, column(own), column(call.id)));
    }
  }
  AttributeSet grouped_by;
  for (const auto& key : extreme->keys) {
    if (!(key.expr == column(key.id)) || key.collation != binary_collation) return false;
    grouped_by.add(key.id);
  }
  if (!ordered || !(grouped_by == keys) || extreme->grouped == keys.empty()) return false;
  const auto rest = difference(after->on, expected);
  if (!rest || !rest->empty() || after->on.size() != expected.size()) return false;
  if (has_factor_like(*before->left, *before->right, columns)) return true;
  const auto* scan = unfiltered(*before->right).as<Scan>();
  if (scan == nullptr || scan->table == nullptr) return false;
  std::vector<const Rel*> leaves;
  std::vector<Expr> of_left;
  split_product(*before->left, leaves, of_left);
  // Whether the conditions on the table hold for the row, too.
  const auto fulfils = [&](const Scan& use) {
    Renaming to_own;
    for (const auto& each : scan->columns) {
      if (const auto* own = column_at(use, each.position)) to_own[each.id] = own->id;
    }
    auto conditions = conditions_of(*before->right);
    for (auto& condition : conditions) rename(condition, to_own);
    return std::all_of(conditions.begin(), conditions.end(), [&](const Expr& condition) {
      return is_fixed(condition) && std::find(of_left.begin(), of_left.end(), condition) != of_left.end();
    });
  };
  const auto uses = uses_of(*before->left, scan->table, false);
  return std::any_of(uses.begin(), uses.end(), [&](const Scan* use) {
    return fulfils(*use) && std::all_of(columns.begin(), columns.end(), [&](const auto& each) {
             const auto* own = column_of(*use, each.first);
             const auto* theirs = column_of(*scan, each.second);
             return own != nullptr && theirs != nullptr && own->position == theirs->position;
           });
  });
}

// A comparison with an extreme that is true just if one with a value is.
bool extreme_to_semi_join(const Change& c) {
  const auto* join = c.before.as<Join>();
  const auto* semi = c.after.as<Join>();
  if (join == nullptr || semi == nullptr || join->type != JoinType::inner || semi->type != JoinType::semi ||
      c.demand.places || join->on.size() != semi->on.size())
    return false;
  for (const bool right : {true, false}) {
    const auto* aggregate = (right ? *join->right : *join->left).as<Aggregate>();
    const Rel& rows = right ? *join->left : *join->right;
    if (aggregate == nullptr || aggregate->grouped || aggregate->calls.size() != 1 || !(*semi->left == rows) ||
        !(*semi->right == *aggregate->input) || is_volatile(*aggregate->input) ||
        free_attributes(*aggregate->input).intersects(output_set(rows)))
      continue;
    const auto& call = aggregate->calls.front();
    if (call.info == nullptr || call.arguments.size() != 1 || call.filter || !is_fixed(call.arguments.front()) ||
        c.demand.needed.contains(call.id))
      continue;
    std::size_t compared = 0;
    const bool same = std::equal(join->on.begin(), join->on.end(), semi->on.begin(), [&](const Expr& a, const Expr& b) {
      if (!references(a).contains(call.id)) return a == b;
      ++compared;
      const auto* comparison = a.as<Compare>();
      if (comparison == nullptr || comparison->how.collation != call.collation ||
          may_convert(call.arguments.front(), comparison->how.affinity, c.given.attributes))
        return false;
      // The condition holds for more values the farther its other side is beyond the extreme.
      const bool on_right = *comparison->right == column(call.id);
      const Expr& other = on_right ? *comparison->left : *comparison->right;
      const bool greater = comparison->op == CompareOp::greater || comparison->op == CompareOp::greater_equal;
      const bool less = comparison->op == CompareOp::less || comparison->op == CompareOp::less_equal;
      const bool above = on_right ? greater : less;
      const bool below = on_right ? less : greater;
      if ((!on_right && !(*comparison->left == column(call.id))) || references(other).contains(call.id) ||
          !((call.name == "min" && above) || (call.name == "max" && below)))
        return false;
      Compare expected = *comparison;
      (on_right ? expected.right : expected.left) = call.arguments.front();
      return b == Expr{std::move(expected)};
    });
    if (same && compared == 1) return true;
  }
  return false;
}

constexpr Law join_laws[] = {
    {"extreme_to_semi_join", extreme_to_semi_join}, {"outer_to_inner", outer_to_inner},
    {"matched_outer_join", matched_outer_join},     {"left_to_anti_join", left_to_anti_join},
    {"semi_join_to_join", semi_join_to_join},

    {"left_join_to_exists", left_join_to_exists},   {"extreme_comparison", extreme_comparison},
    {"anti_join_to_extreme", anti_join_to_extreme},
};

}  // namespace

std::span<const Law> laws_of_joins() { return join_laws; }

}  // namespace trustsql::equiv::checker
