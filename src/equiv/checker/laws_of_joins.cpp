// Outer joins that become something else, and joins that go.
#include <algorithm>

#include "base/text.hpp"
#include "db/catalog.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// Whether `after` is `before` with outer joins made stricter, where `conditions` hold of the rows that count.
bool is_strengthened(const Rel& before, const Rel& after, std::vector<const Expr*> conditions, const Given& given) {
  if (before == after) return true;
  const auto with = [&](const std::vector<Expr>& more) {
    for (const auto& each : more) conditions.push_back(&each);
  };
  const auto rejected = [&](const Rel& side) {
    const auto columns = output_set(side);
    return std::any_of(conditions.begin(), conditions.end(), [&](const Expr* each) { return rejects_nulls(*each, columns, given); });
  };
  if (const auto* n = before.as<Filter>()) {
    const auto* m = after.as<Filter>();
    if (m == nullptr || !(m->conjuncts == n->conjuncts)) return false;
    with(n->conjuncts);
    return is_strengthened(*n->input, *m->input, std::move(conditions), given);
  }
  if (const auto* n = before.as<Sort>()) {
    const auto* m = after.as<Sort>();
    return m != nullptr && m->keys == n->keys && is_strengthened(*n->input, *m->input, std::move(conditions), given);
  }
  if (const auto* n = before.as<Project>()) {
    // Conditions on columns that are computed here say nothing of what is below: they look at other attributes.
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
  if (n == nullptr || m == nullptr || !(m->on == n->on)) return false;
  // Which sides are kept whole.
  const auto keeps_left = [](JoinType type) { return type == JoinType::left || type == JoinType::full; };
  const auto keeps_right = [](JoinType type) { return type == JoinType::right || type == JoinType::full; };
  const bool chooses = n->type == JoinType::semi || n->type == JoinType::anti;
  if (chooses && m->type != n->type) return false;
  if (!chooses && (m->type == JoinType::semi || m->type == JoinType::anti)) return false;
  if (keeps_left(m->type) > keeps_left(n->type) || keeps_right(m->type) > keeps_right(n->type)) return false;
  if (keeps_left(n->type) && !keeps_left(m->type) && !rejected(*n->right)) return false;
  if (keeps_right(n->type) && !keeps_right(m->type) && !rejected(*n->left)) return false;
  std::vector<const Expr*> on;
  for (const auto& each : n->on) on.push_back(&each);
  auto both = conditions;
  both.insert(both.end(), on.begin(), on.end());
  switch (m->type) {
    case JoinType::inner: return is_strengthened(*n->left, *m->left, both, given) && is_strengthened(*n->right, *m->right, both, given);
    case JoinType::left: return is_strengthened(*n->left, *m->left, conditions, given) && is_strengthened(*n->right, *m->right, on, given);
    case JoinType::right: return is_strengthened(*n->left, *m->left, on, given) && is_strengthened(*n->right, *m->right, conditions, given);
    case JoinType::full: return *n->left == *m->left && *n->right == *m->right;
    case JoinType::semi: return is_strengthened(*n->left, *m->left, both, given) && is_strengthened(*n->right, *m->right, on, given);
    case JoinType::anti: return is_strengthened(*n->left, *m->left, conditions, given) && is_strengthened(*n->right, *m->right, on, given);
  }
  return false;
}

bool outer_to_inner(const Change& c) { return is_strengthened(c.before, c.after, {}, c.given); }

// The pairs of columns that `on` equates, one of `inside` behind one of the others; nullopt if `on` says anything else of it.
using Pairs = std::vector<std::pair<AttributeId, AttributeId>>;
std::optional<std::pair<AttributeId, AttributeId>> pair_of(const Expr& condition, const AttributeSet& inside, const Given& given) {
  const auto* compare = condition.as<Compare>();
  if (compare == nullptr || compare->op != CompareOp::equal || !compares_plainly(*compare, given.attributes)) return std::nullopt;
  const auto* left = column_id(*compare->left);
  const auto* right = column_id(*compare->right);
  if (left == nullptr || right == nullptr || inside.contains(*left) == inside.contains(*right)) return std::nullopt;
  return inside.contains(*right) ? std::pair{*left, *right} : std::pair{*right, *left};
}
std::optional<Pairs> pairs_of(const std::vector<Expr>& on, const AttributeSet& inside, const Given& given) {
  Pairs pairs;
  for (const auto& condition : on) {
    if (!references(condition).intersects(inside)) continue;
    const auto pair = pair_of(condition, inside, given);
    if (!pair) return std::nullopt;
    pairs.push_back(*pair);
  }
  return pairs;
}

const Scan* scan_of(const Rel& rel) {
  if (const auto* n = rel.as<Filter>()) return scan_of(*n->input);
  if (const auto* n = rel.as<Project>()) {
    const bool hands_on = std::all_of(n->items.begin(), n->items.end(), [](const ProjectItem& item) { return item.is_pass_through(); });
    return hands_on ? scan_of(*n->input) : nullptr;
  }
  const auto* scan = rel.as<Scan>();
  return scan != nullptr && scan->table != nullptr ? scan : nullptr;
}

// The uses of `table` of which each row of `rel` has one row; `or_nulls`: or NULLs in all its columns.
std::vector<const Scan*> uses_of(const Rel& rel, const Table* table, bool or_nulls) {
  std::vector<const Scan*> found;
  const auto add = [&](const Rel& input) {
    for (const auto* scan : uses_of(input, table, or_nulls)) found.push_back(scan);
  };
  if (const auto* n = rel.as<Filter>()) add(*n->input);
  if (const auto* n = rel.as<Sort>()) add(*n->input);
  if (const auto* n = rel.as<Limit>()) add(*n->input);
  if (const auto* n = rel.as<Join>()) {
    if (n->type != JoinType::right && n->type != JoinType::full) add(*n->left);
    if (n->type == JoinType::inner || (n->type == JoinType::left && or_nulls)) add(*n->right);
  }
  if (const auto* scan = rel.as<Scan>(); scan != nullptr && scan->table == table) found.push_back(scan);
  return found;
}

const TableColumn* column_at(const Scan& scan, int position) {
  const auto found = std::find_if(scan.columns.begin(), scan.columns.end(), [&](const TableColumn& each) { return each.position == position; });
  return found != scan.columns.end() ? &*found : nullptr;
}
const TableColumn* column_of(const Scan& scan, AttributeId id) {
  const auto found = std::find_if(scan.columns.begin(), scan.columns.end(), [&](const TableColumn& each) { return each.id == id; });
  return found != scan.columns.end() ? &*found : nullptr;
}

// Whether the pairs are a foreign key of one use of a table in `rows` to `parent`, which the step relies on.
bool is_foreign_key(const Pairs& pairs, const Rel& rows, const Scan& parent, const Given& given) {
  const Table* child = pairs.empty() ? nullptr : given.attributes[pairs.front().first].table;
  if (child == nullptr || child->schema != parent.table->schema) return false;
  bool of_one_use = false;
  walk(rows, [&](const Scan& scan) {
    of_one_use = of_one_use || std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return column_of(scan, pair.first) != nullptr; });
  });
  if (!of_one_use) return false;
  return std::any_of(child->foreign_keys.begin(), child->foreign_keys.end(), [&](const ForeignKey& key) {
    if (!equals_ignore_case(key.parent_table, parent.table->name) || key.columns.size() != pairs.size() || key.parent_columns.size() != pairs.size())
      return false;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < key.columns.size(); ++i) {
      names.push_back(child->columns[static_cast<std::size_t>(key.columns[i])].name);
      const bool compared = std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        const auto* column = column_of(parent, pair.second);
        if (given.attributes[pair.first].position != key.columns[i] || column == nullptr || column->position < 0) return false;
        const auto& theirs = parent.table->columns[static_cast<std::size_t>(column->position)];
        return equals_ignore_case(theirs.name, key.parent_columns[i]) && theirs.collation == binary_collation;
      });
      if (!compared) return false;
    }
    return std::any_of(given.assumptions.begin(), given.assumptions.end(), [&](const Assumption& each) {
      return each.kind == Assumption::Kind::foreign_key && each.table == child->name && each.columns == names && each.parent == parent.table->name;
    });
  });
}

bool are_not_null(const Pairs& pairs, const Knowledge& rows) {
  return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return rows.non_null.contains(pair.first); });
}

// Whether each of `rows` has a match in `partners`.
bool has_match(const Rel& rows, const Rel& partners, const std::vector<Expr>& on, const Given& given) {
  const auto* scan = scan_of(partners);
  if (scan == nullptr) return false;
  const auto known = knowledge_of(rows, given);
  const auto inside = output_set(partners);
  if (const auto pairs = pairs_of(on, inside, given);
      pairs && pairs->size() == on.size() && partners.is<Scan>() && is_foreign_key(*pairs, rows, *scan, given) && are_not_null(*pairs, known))
    return true;
  // Itself, as the same table has it.
  auto wanted = form_of(partners, given).conditions;
  wanted.insert(wanted.end(), on.begin(), on.end());
  const auto held = form_of(rows, given).conditions;
  for (const auto* own : uses_of(rows, scan->table, false)) {
    Renaming to_own;
    for (const auto& column : scan->columns) {
      if (const auto* same = column_at(*own, column.position)) to_own[column.id] = same->id;
    }
    const bool all = std::all_of(wanted.begin(), wanted.end(), [&](Expr condition) {
      rename(condition, to_own);
      if (!is_fixed(condition) || references(condition).intersects(inside)) return false;
      if (std::find(held.begin(), held.end(), condition) != held.end()) return true;
      const auto* compare = condition.as<Compare>();
      if (compare == nullptr || !(*compare->left == *compare->right)) return false;
      if (compare->op == CompareOp::is) return true;
      const bool reflexive = compare->op == CompareOp::equal || compare->op == CompareOp::less_equal || compare->op == CompareOp::greater_equal;
      return reflexive && !given.may_be_null(*compare->left, known.non_null);
    });
    if (all) return true;
  }
  return false;
}

bool matched_outer_join(const Change& c) {
  const auto* before = c.before.as<Join>();
  const auto* after = c.after.as<Join>();
  if (before == nullptr || after == nullptr || !(before->on == after->on) || !(*before->left == *after->left) || !(*before->right == *after->right))
    return false;
  const auto keeps_left = [](JoinType type) { return type == JoinType::left || type == JoinType::full; };
  const auto keeps_right = [](JoinType type) { return type == JoinType::right || type == JoinType::full; };
  if (after->type == JoinType::semi || after->type == JoinType::anti || keeps_left(after->type) > keeps_left(before->type) ||
      keeps_right(after->type) > keeps_right(before->type))
    return false;
  if (keeps_left(before->type) != keeps_left(after->type) && !has_match(*before->left, *before->right, before->on, c.given)) return false;
  return keeps_right(before->type) == keeps_right(after->type) || has_match(*before->right, *before->left, before->on, c.given);
}

// Whether a match of `join` on its right side has a value in `id`.
bool is_set_in_matches(const Rel& right, const std::vector<Expr>& on, AttributeId id, const Given& given) {
  auto known = knowledge_of(right, given);
  learn(known, on, given);
  return known.non_null.contains(id);
}
bool has_one_match(const Rel& right, const std::vector<Expr>& on, const Given& given) {
  auto known = knowledge_of(right, given);
  learn(known, on, given);
  return known.has_one_row_at_most();
}

bool left_to_anti_join(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  const auto* join = filter != nullptr ? filter->input->as<Join>() : nullptr;
  const auto* project = unfiltered(c.after).as<Project>();
  const auto* anti = project != nullptr ? project->input->as<Join>() : nullptr;
  if (join == nullptr || anti == nullptr || join->type != JoinType::left || anti->type != JoinType::anti || !(*join->left == *anti->left))
    return false;
  const auto gone = difference(filter->conjuncts, conditions_of(c.after));
  const auto right = output_set(*join->right);
  const auto* test = gone && gone->size() == 1 ? gone->front().as<IsNull>() : nullptr;
  const auto* id = test != nullptr && !test->negated ? column_id(*test->operand) : nullptr;
  if (id == nullptr || !right.contains(*id) || !is_set_in_matches(*join->right, join->on, *id, c.given)) return false;
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
         std::all_of(project->items.begin(), project->items.end(), [](const ProjectItem& item) { return item.is_pass_through(); });
}

bool left_join_removal(const Change& c) {
  const auto* join = c.before.as<Join>();
  if (join == nullptr || join->type != JoinType::left || c.demand.places || !(c.after == *join->left) || is_volatile(*join->right)) return false;
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
    shown.for_each([&](AttributeId id) { renamed = renamed && c.renaming.contains(id) && c.renaming.at(id) == to_child.at(id); });
    const Rel wanted{Filter{rows, std::move(expected)}};
    if (renamed && same_rows(wanted, c.after, outputs(rows), false, c.given)) return true;
  }
  return false;
}

// Two uses of a table of which each row of one has itself as its only match in the other: one of them will do.
bool self_join_removal(const Change& c) {
  const auto* join = c.before.as<Join>();
  if (join == nullptr || (join->type != JoinType::inner && join->type != JoinType::left)) return false;
  for (const bool right : {true, false}) {
    const Rel& copy = right ? *join->right : *join->left;
    const Rel& rows = right ? *join->left : *join->right;
    const auto* scan = unfiltered(copy).as<Scan>();
    if (scan == nullptr || scan->table == nullptr || (join->type == JoinType::left && (!right || !copy.is<Scan>()))) continue;
    const auto inside = output_set(unfiltered(copy));
    for (const auto* original : uses_of(rows, scan->table, join->type == JoinType::left)) {
      // The columns in which they are compared.
      AttributeSet key;
      bool nothing_else = true;
      for (const auto& condition : join->on) {
        const auto pair = pair_of(condition, inside, c.given);
        const auto* own = pair ? column_of(*original, pair->first) : nullptr;
        const auto* theirs = pair ? column_of(*scan, pair->second) : nullptr;
        if (own != nullptr && theirs != nullptr && own->position == theirs->position) {
          key.add(pair->second);
        } else {
          nothing_else = false;
        }
      }
      auto known = knowledge_of(copy, c.given);
      if (join->type == JoinType::left && (!nothing_else || !key.is_subset_of(known.non_null))) continue;
      if (join->type == JoinType::inner) learn(known, join->on, c.given);
      auto of_table = knowledge_of(unfiltered(copy), c.given);
      of_table.non_null |= known.non_null & of_table.columns;
      if (key.empty() || !of_table.is_key(key)) continue;
      // What is left, with the columns of the copy under those of the original.
      Renaming expected{{scan->row, original->row}};
      auto merged = *original;
      for (const auto& column : scan->columns) {
        if (const auto* same = column_at(*original, column.position)) {
          expected[column.id] = same->id;
        } else {
          merged.columns.push_back(column);
        }
      }
      if (c.renaming != expected) continue;
      Rel kept = rows;
      walk(kept, [&](Rel& each) {
        auto* own = each.as<Scan>();
        if (own != nullptr && own->row == merged.row) own->columns = merged.columns;
      });
      std::vector<Expr> conditions;
      if (join->type == JoinType::inner) {
        conditions = join->on;
        conditions.insert(conditions.end(), conditions_of(copy).begin(), conditions_of(copy).end());
      }
      const Rel wanted = conditions.empty() ? kept : Rel{Filter{kept, std::move(conditions)}};
      if (c.after == wanted) return !c.demand.places;
      const auto* project = c.after.as<Project>();
      const bool hands_on = project != nullptr && *project->input == wanted && outputs(c.after) == outputs(c.before) &&
                            std::all_of(project->items.begin(), project->items.end(), [](const ProjectItem& item) { return item.is_pass_through(); });
      if (hands_on) return true;
    }
  }
  return false;
}

bool distinct_join_to_semi_join(const Change& c) {
  const auto* join = c.before.as<Join>();
  const auto* semi = c.after.as<Join>();
  if (join == nullptr || semi == nullptr || join->type != JoinType::inner || semi->type != JoinType::semi || c.demand.places) return false;
  for (const bool right : {true, false}) {
    const auto* distinct = (right ? *join->right : *join->left).as<Distinct>();
    const Rel& rows = right ? *join->left : *join->right;
    if (distinct == nullptr || !distinct->collations.empty() || !(*semi->left == rows)) continue;
    const auto inside = output_set(*distinct->input);
    const auto pairs = pairs_of(join->on, inside, c.given);
    if (!pairs || free_attributes(*distinct->input).intersects(output_set(rows))) continue;
    AttributeSet compared;
    bool fine = true;
    for (const auto& [own, theirs] : *pairs) {
      compared.add(theirs);
      fine = fine && has_one_spelling(column(own), column(theirs), c.given.attributes);
    }
    if (!fine || !(compared == inside)) continue;
    // Above, each column of the distinct rows is one that it is equal to.
    (c.demand.needed & inside).for_each([&](AttributeId id) {
      const auto to = c.renaming.find(id);
      fine = fine && to != c.renaming.end() && std::find(pairs->begin(), pairs->end(), std::pair{to->second, id}) != pairs->end();
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

bool left_join_to_exists(const Change& c) {
  const auto input_of = [](const Rel& rel) -> const Rel* {
    if (const auto* n = rel.as<Project>()) return n->input.get();
    const auto* n = rel.as<Filter>();
    return n != nullptr ? n->input.get() : nullptr;
  };
  const auto* input = input_of(c.before);
  const auto* join = input != nullptr ? input->as<Join>() : nullptr;
  const auto* now = input_of(c.after);
  if (join == nullptr || now == nullptr || join->type != JoinType::left || !(*now == *join->left) || is_volatile(*join->right)) return false;
  const auto right = output_set(*join->right);
  if (c.before.is<Filter>() && (c.demand.places || c.demand.needed.intersects(right))) return false;
  if (!has_one_match(*join->right, join->on, c.given)) return false;
  const auto known = knowledge_of(*join->right, c.given);
  // Walks both: where `b` asks for partners, `a` asks whether a column of theirs is NULL.
  const auto same = [&](const auto& self, const Expr& a, const Expr& b) -> bool {
    const auto* exists = b.as<Exists>();
    const auto* test = a.as<IsNull>();
    const auto* id = test != nullptr ? column_id(*test->operand) : nullptr;
    if (exists != nullptr && id != nullptr && right.contains(*id)) {
      if (exists->negated == test->negated || !known.non_null.contains(*id)) return false;
      const auto renaming = renaming_of_copy(*join->right, unfiltered(*exists->rel));
      if (!renaming) return false;
      Rel expected = join->on.empty() ? *join->right : Rel{Filter{*join->right, join->on}};
      rename(expected, *renaming);
      return same_existence(expected, {}, *exists->rel, {}, c.given);
    }
    if (a == b) return !references(a).intersects(right);
    if (a.node.index() != b.node.index() || has_subquery(a)) return false;
    std::vector<const Expr*> parts;
    for_each_expr(a, [&](const Expr& part) { parts.push_back(&part); });
    // Equal but for the parts that were looked at.
    Expr rebuilt = b;
    std::size_t at = 0;
    bool fine = true;
    for_each_expr(rebuilt, [&](Expr& part) {
      fine = fine && at < parts.size() && self(self, *parts[at], part);
      if (at < parts.size()) part = *parts[at];
      ++at;
    });
    return fine && at == parts.size() && rebuilt == a;
  };
  std::vector<const Expr*> before;
  std::vector<const Expr*> after;
  for_each_expr(c.before, [&](const Expr& each) { before.push_back(&each); });
  for_each_expr(c.after, [&](const Expr& each) { after.push_back(&each); });
  return std::equal(before.begin(), before.end(), after.begin(), after.end(), [&](const Expr* a, const Expr* b) { return same(same, *a, *b); }) &&
         (!c.before.is<Project>() || outputs(c.before) == outputs(c.after));
}

// r >= max(t) of a value r of t.
bool extreme_comparison(const Change& c) {
  const auto* before = c.before.as<Join>();
  const auto* after = c.after.as<Join>();
  if (before == nullptr || after == nullptr || before->type != JoinType::inner || after->type != JoinType::inner ||
      !(*before->left == *after->left) || !(*before->right == *after->right) || before->on.size() != after->on.size())
    return false;
  const auto is_extreme = [&](const Expr& value, const Expr& extreme, CompareOp op, const Comparison& how) {
    const auto* own = column_id(value);
    const auto* id = column_id(extreme);
    if (own == nullptr || id == nullptr || may_convert(value, how.affinity, c.given.attributes)) return false;
    for (const bool right : {true, false}) {
      const Rel& rows = right ? *before->left : *before->right;
      const auto* aggregate = (right ? *before->right : *before->left).as<Aggregate>();
      const auto* scan = aggregate != nullptr && !aggregate->grouped ? aggregate->input->as<Scan>() : nullptr;
      if (scan == nullptr || scan->table == nullptr) continue;
      for (const auto& call : aggregate->calls) {
        const bool least = call.name == "min";
        if (call.id != *id || (!least && call.name != "max") || call.filter || call.arguments.size() != 1 || call.collation != how.collation)
          continue;
        const auto* of = column_id(call.arguments.front());
        const auto* column = of != nullptr ? column_of(*scan, *of) : nullptr;
        if (column == nullptr || op != (least ? CompareOp::less_equal : CompareOp::greater_equal)) continue;
        for (const auto* use : uses_of(rows, scan->table, true)) {
          const auto* theirs = column_of(*use, *own);
          if (theirs != nullptr && theirs->position == column->position) return true;
        }
      }
    }
    return false;
  };
  for (std::size_t i = 0; i < before->on.size(); ++i) {
    if (before->on[i] == after->on[i]) continue;
    const auto* old = before->on[i].as<Compare>();
    const auto* now = after->on[i].as<Compare>();
    if (old == nullptr || now == nullptr || now->op != CompareOp::equal || !(old->how == now->how) || !(*old->left == *now->left) ||
        !(*old->right == *now->right))
      return false;
    if (!is_extreme(*old->left, *old->right, old->op, old->how) && !is_extreme(*old->right, *old->left, mirrored(old->op), old->how)) return false;
  }
  return true;
}

constexpr Law laws[] = {
    {"outer_to_inner", outer_to_inner},           {"matched_outer_join", matched_outer_join},
    {"left_to_anti_join", left_to_anti_join},     {"semi_join_to_join", semi_join_to_join},
    {"left_join_removal", left_join_removal},     {"foreign_key_join_removal", foreign_key_join_removal},
    {"self_join_removal", self_join_removal},     {"distinct_join_to_semi_join", distinct_join_to_semi_join},
    {"left_join_to_exists", left_join_to_exists}, {"extreme_comparison", extreme_comparison},
};

}  // namespace

std::span<const Law> laws_of_joins() { return laws; }

}  // namespace trustsql::equiv::checker
