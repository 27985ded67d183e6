// Comparisons that SQLite gets wrong: under other collations than those of the columns, and with constants that it puts
// in the place of columns.
#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "db/catalog/catalog.hpp"
#include "plan/sqlite_bug_patterns.hpp"
#include "plan/sqlite_bug_search.hpp"
#include "plan/types.hpp"

namespace trustsql::plan {

namespace {

bool equates(const Compare& compare) { return compare.op == CompareOp::equal || compare.op == CompareOp::is; }

// A list of one item is compared like =.
bool equates(const InList& list) { return list.items.size() == 1; }

bool has_right_join(const Plan& plan) {
  bool found = false;
  walk(plan.root,
       [&found](const Join& join) { found = found || join.type == JoinType::right || join.type == JoinType::full; });
  return found;
}

}  // namespace

bool compares_column_by_rtrim(const Rel& rel, const Plan&) {
  const auto has_columns = [](const Expr& a, const Expr& b) {
    return !references(a).empty() || !references(b).empty();
  };
  return any_value(rel, [&](const Expr& expr) {
    if (const auto* list = expr.as<InList>())
      return list->how.collation == "RTRIM" &&
             std::any_of(list->items.begin(), list->items.end(),
                         [&](const Expr& item) { return has_columns(*list->operand, item); });
    if (const auto* in = expr.as<InSubquery>())
      return std::any_of(in->how.begin(), in->how.end(),
                         [](const Comparison& how) { return how.collation == "RTRIM"; });
    const auto* n = expr.as<Compare>();
    return n != nullptr && equates(*n) && n->how.collation == "RTRIM" && has_columns(*n->left, *n->right);
  });
}

namespace {

// Whether the operand is a column that may hold texts and has another collation than the comparison.
bool has_other_collation(const Expr& operand, const Comparison& how, const Plan& plan) {
  const auto* id = column_id(operand);
  return id != nullptr && plan.attributes[*id].collation != how.collation &&
         (plan.attributes[*id].types & types::text) != TypeSet();
}

// For any comparison, also of an order.
bool is_under_other_collation(const Expr& expr, const Plan& plan) {
  if (const auto* list = expr.as<InList>())
    return has_other_collation(*list->operand, list->how, plan) ||
           std::any_of(list->items.begin(), list->items.end(),
                       [&](const Expr& item) { return has_other_collation(item, list->how, plan); });
  const auto* compare = expr.as<Compare>();
  return compare != nullptr && (has_other_collation(*compare->left, compare->how, plan) ||
                                has_other_collation(*compare->right, compare->how, plan));
}

// Whether the operand may be a text that is compared as such.
bool may_be_text(const Expr& operand, const Plan& plan) {
  const auto affinity = affinity_of(operand, plan);
  return (affinity == Affinity::text || affinity == Affinity::none || affinity == Affinity::blob) &&
         (types_of(operand, plan, {}) & types::text) != TypeSet();
}

}  // namespace

namespace {

// What may be part of a condition on rows, at any depth: of WHERE, HAVING and ON, and of the columns of subqueries in
// FROM, which SQLite puts in their place.
std::set<const Expr*> terms_of(const Plan& plan) {
  std::set<const Expr*> terms;
  const auto add = [&terms](const std::vector<Expr>& conjuncts) {
    for (const auto& conjunct : conjuncts) walk(conjunct, [&terms](const Expr& part) { terms.insert(&part); });
  };
  walk(plan.root, [&](const Filter& filter) { add(filter.conjuncts); });
  walk(plan.root, [&](const Join& join) { add(join.on); });
  walk(plan.root, [&](const Apply& apply) { add(apply.on); });
  walk(plan.root,
       [&](const Derived& derived) { walk(*derived.input, [&terms](const Expr& part) { terms.insert(&part); }); });
  return terms;
}

}  // namespace

// Answers for the whole plan, at its root, since SQLite moves conditions.
bool infers_under_other_collation(const Rel& rel, const Plan& plan) {
  if (&rel != &plan.root) return false;
  const auto terms = terms_of(plan);
  int equations = 0;   // of two columns
  int conditions = 0;  // these, and others of one column
  std::vector<std::string_view> collations;
  const auto note = [&](const Comparison& how, const Expr& operand) {
    if (may_be_text(operand, plan)) collations.push_back(how.collation);
  };
  for (const auto* expr : terms) {
    if (const auto* compare = expr->as<Compare>(); compare != nullptr && equates(*compare)) {
      ++conditions;
      const auto* left = column_id(*compare->left);
      const auto* right = column_id(*compare->right);
      equations += left != nullptr && right != nullptr && may_be_text(*compare->left, plan) &&
                   may_be_text(*compare->right, plan);
      // And the column's own collation, by which SQLite compares where it puts the columns together.
      for (const auto* side : {&*compare->left, &*compare->right}) {
        note(compare->how, *side);
        if (const auto* id = column_id(*side); id != nullptr && may_be_text(*side, plan))
          collations.push_back(plan.attributes[*id].collation);
      }
    } else if (const auto* list = expr->as<InList>()) {
      ++conditions;
      equations += equates(*list) && column_id(*list->operand) != nullptr && column_id(list->items.front()) != nullptr;
      note(list->how, *list->operand);
    } else if (const auto* in = expr->as<InSubquery>()) {
      ++conditions;
      for (std::size_t i = 0; i < in->how.size() && i < in->operands.size(); ++i) note(in->how[i], in->operands[i]);
    }
  }
  const bool differ = std::any_of(collations.begin(), collations.end(),
                                  [&](std::string_view each) { return each != collations.front(); });
  return equations > 0 && conditions > 1 && differ;
}

bool is_choice_under_other_collation(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* choice = expr.as<Or>();
    bool found = false;
    if (choice != nullptr) walk(expr, [&](const Expr& part) { found = found || is_under_other_collation(part, plan); });
    return found;
  });
}

bool is_equivalence_beside_right_join(const Rel& rel, const Plan& plan) {
  const bool found = any_value(rel, [](const Expr& expr) {
    if (const auto* row = expr.as<RowCompare>()) return row->op == CompareOp::is;
    const auto* compare = expr.as<Compare>();
    return compare != nullptr && compare->op == CompareOp::is && !references(*compare->left).empty() &&
           !references(*compare->right).empty();
  });
  return found && has_right_join(plan);
}

namespace {

// Calls `visit(column, constant, conjunct)` for each condition on rows of FROM that a column is equal to an expression
// without columns.
template <class Visit>
void visit_equations(const Plan& plan, const Visit& visit) {
  const auto look = [&](const std::vector<Expr>& conjuncts) {
    for (const auto& conjunct : conjuncts) {
      const auto check = [&](const Expr& side, const Expr& other) {
        const auto* id = column_id(side);
        if (id != nullptr && references(other).empty() && !has_subquery(other)) visit(*id, other, conjunct);
      };
      if (const auto* list = conjunct.as<InList>(); list != nullptr && equates(*list) && !list->negated)
        check(*list->operand, list->items.front());
      const auto* compare = conjunct.as<Compare>();
      if (compare == nullptr || !equates(*compare)) continue;
      check(*compare->left, *compare->right);
      check(*compare->right, *compare->left);
    }
  };
  walk(plan.root, [&](const Filter& filter) { look(filter.conjuncts); });
  walk(plan.root, [&](const Join& join) { look(join.on); });
}

}  // namespace

// Answers for the whole plan, at its root.
bool passes_constant_to_subquery(const Rel& rel, const Plan& plan) {
  if (&rel != &plan.root) return false;
  const auto is_real = [&](AttributeId id) {
    return plan.attributes[id].affinity == Affinity::real || plan.attributes[id].storage == Affinity::real;
  };
  bool equated = false;
  visit_equations(plan, [&](AttributeId id, const Expr&, const Expr&) { equated = equated || is_real(id); });
  if (!equated) return false;
  bool found = false;
  walk(plan.root, [&](const Expr& expr) {
    for_each_rel(expr, [&](const Rel& subquery) {
      free_attributes(subquery).for_each([&](AttributeId id) { found = found || is_real(id); });
    });
  });
  return found;
}

namespace {

// Whether the value may be marked as JSON (json_subtypes.hpp).
bool is_marked_as_json(const Expr& constant) {
  bool found = false;
  walk(constant, [&](const Function& call) {
    found = found || call.info == nullptr || call.info->subtype != SqlFunction::Subtype::none;
  });
  walk(constant, [&](const Binary& binary) {
    found = found || binary.op == ast::BinaryOp::arrow || binary.op == ast::BinaryOp::double_arrow;
  });
  return found;
}

}  // namespace

// Answers for the whole plan, at its root.
bool puts_constant_for_untyped_column(const Rel& rel, const Plan& plan) {
  if (&rel != &plan.root) return false;
  bool found = false;
  visit_equations(plan, [&](AttributeId id, const Expr& constant, const Expr& conjunct) {
    const auto& attribute = plan.attributes[id];
    const bool hidden =
        attribute.position >= 0 && attribute.affinity == Affinity::numeric &&
        (attribute.table == nullptr || attribute.table->columns[static_cast<std::size_t>(attribute.position)].hidden);
    const bool untyped = hidden || (attribute.table == nullptr && attribute.affinity == Affinity::none);
    if (found || !(untyped || is_marked_as_json(constant))) return;
    const auto values = attribute.types | types_of(constant, plan, {});
    const bool same = !hidden && ((values & types::real) == TypeSet() || (values & types::number) == TypeSet());
    if (same && !is_marked_as_json(constant)) return;
    const auto is_used_in = [&](const std::vector<Expr>& conjuncts) {
      return std::any_of(conjuncts.begin(), conjuncts.end(),
                         [&](const Expr& other) { return &other != &conjunct && references(other).contains(id); });
    };
    walk(plan.root, [&](const Filter& filter) { found = found || is_used_in(filter.conjuncts); });
    walk(plan.root, [&](const Join& join) { found = found || is_used_in(join.on); });
  });
  return found;
}

bool compares_null_test_by_is(const Rel& rel, const Plan&) {
  const auto has_null_test = [](const Expr& operand) {
    bool found = false;
    walk(operand, [&found](const IsNull&) { found = true; });
    return found;
  };
  return any_value(rel, [&](const Expr& expr) {
    const auto* compare = expr.as<Compare>();
    return compare != nullptr && (compare->op == CompareOp::is || compare->op == CompareOp::is_not) &&
           (has_null_test(*compare->left) || has_null_test(*compare->right));
  });
}

}  // namespace trustsql::plan
