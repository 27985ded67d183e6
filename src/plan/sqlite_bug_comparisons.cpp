// Comparisons that SQLite gets wrong: under other collations than those of the columns, and with constants that it puts
// in the place of columns.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "db/catalog/catalog.hpp"
#include "plan/constants.hpp"
#include "plan/equal_columns.hpp"
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
    if (const auto* rows = expr.as<RowCompare>())
      return std::any_of(rows->how.begin(), rows->how.end(),
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

// Whether the operand may be a text; a column of integers may hold one as well.
bool may_be_text(const Expr& operand, const Plan& plan) {
  return (types_of(operand, plan, {}) & types::text) != TypeSet();
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

namespace {

// The columns that conditions equate with each other, and those that subqueries make of them: what SQLite infers goes
// from one to another. For each such set, which conditions there are, and by which collations.
class EquatedColumns {
 public:
  explicit EquatedColumns(const Plan& plan) : plan_(plan), columns_(plan.attributes.size()) {
    walk(plan.root, [this](const Project& project) {
      for (const auto& item : project.items)
        references(item.expr).for_each([&](AttributeId id) { columns_.unite(item.id, id); });
    });
    walk(plan.root, [this](const Aggregate& aggregate) {
      for (const auto& key : aggregate.keys)
        references(key.expr).for_each([&](AttributeId id) { columns_.unite(key.id, id); });
    });
    walk(plan.root, [this](const SetOp& set) {
      for (const auto& input : set.inputs) {
        const auto ids = outputs(input);
        for (std::size_t i = 0; i < ids.size(); ++i) columns_.unite(set.ids[i], ids[i]);
      }
    });
    const auto terms = terms_of(plan);
    for (const auto* term : terms) {
      if (const auto* compare = term->as<Compare>(); compare != nullptr && equates(*compare))
        equate(*compare->left, *compare->right);
      if (const auto* list = term->as<InList>(); list != nullptr && equates(*list))
        equate(*list->operand, list->items.front());
      if (const auto* rows = term->as<RowCompare>())
        visit_row_pairs(*rows, [this](const Expr& left, const Expr& right, const Comparison&) { equate(left, right); });
    }
    for (const auto* term : terms) add(*term);
  }

  // Whether a column that is equal to another one is also compared by another collation.
  bool are_compared_otherwise() {
    for (const auto id : equated_) {
      const auto& set = sets_.at(columns_.find(id));
      if (set.conditions > 1 && set.collations.size() > 1) return true;
    }
    return false;
  }

 private:
  struct Set {
    int conditions = 0;
    std::set<std::string_view> collations{};
  };

  void equate(const Expr& a, const Expr& b) {
    const auto* left = column_id(a);
    const auto* right = column_id(b);
    if (left == nullptr || right == nullptr || !may_be_text(a, plan_) || !may_be_text(b, plan_)) return;
    columns_.unite(*left, *right);
    equated_.push_back(*left);
  }

  // A condition by `collations` on the columns of `operands`.
  void note(std::initializer_list<const Expr*> operands, std::initializer_list<std::string_view> collations) {
    std::set<AttributeId> sets;
    for (const auto* operand : operands)
      references(*operand).for_each([&](AttributeId id) { sets.insert(columns_.find(id)); });
    for (const auto each : sets) {
      auto& set = sets_[each];
      ++set.conditions;
      set.collations.insert(collations.begin(), collations.end());
    }
    // And the column's own collation, by which SQLite compares where it puts columns together.
    for (const auto* operand : operands)
      if (const auto* id = column_id(*operand))
        sets_[columns_.find(*id)].collations.insert(plan_.attributes[*id].collation);
  }

  void add(const Expr& term) {
    if (const auto* compare = term.as<Compare>();
        compare != nullptr && compare->op != CompareOp::not_equal && compare->op != CompareOp::is_not)
      note({&*compare->left, &*compare->right}, {compare->how.collation});
    if (const auto* between = term.as<Between>())
      note({&*between->operand, &*between->low, &*between->high},
           {between->low_how.collation, between->high_how.collation});
    if (const auto* rows = term.as<RowCompare>())
      visit_row_pairs(*rows, [this](const Expr& left, const Expr& right, const Comparison& how) {
        note({&left, &right}, {how.collation});
      });
    if (const auto* like = term.as<Like>()) note({&*like->operand}, {binary_collation});
    if (const auto* call = term.as<Function>();
        call != nullptr && (call->name == "like" || call->name == "glob") && call->arguments.size() > 1)
      note({&call->arguments[1]}, {binary_collation});
    if (const auto* list = term.as<InList>()) {
      note({&*list->operand}, {list->how.collation});
      for (const auto& item : list->items)
        if (!references(item).empty()) note({&item}, {list->how.collation});
    }
    if (const auto* in = term.as<InSubquery>())
      for (std::size_t i = 0; i < in->how.size() && i < in->operands.size(); ++i)
        note({&in->operands[i]}, {in->how[i].collation});
  }

  const Plan& plan_;
  ColumnSets columns_;
  std::vector<AttributeId> equated_{};
  std::map<AttributeId, Set> sets_{};
};

}  // namespace

namespace {

// Whether a column or a comparison has another collation than BINARY.
bool has_other_collations(const Plan& plan) {
  bool found = std::any_of(plan.attributes.begin(), plan.attributes.end(),
                           [](const Attribute& attribute) { return attribute.collation != binary_collation; });
  if (found) return true;
  walk(plan.root, [&found](const Expr& expr) {
    const auto note = [&found](const Comparison& how) { found = found || !how.is_binary(); };
    if (const auto* compare = expr.as<Compare>()) note(compare->how);
    if (const auto* list = expr.as<InList>()) note(list->how);
    if (const auto* between = expr.as<Between>()) {
      note(between->low_how);
      note(between->high_how);
    }
    if (const auto* in = expr.as<InSubquery>()) std::for_each(in->how.begin(), in->how.end(), note);
  });
  return found;
}

}  // namespace

// Answers for the whole plan, at its root, since SQLite moves conditions.
bool infers_under_other_collation(const Rel& rel, const Plan& plan) {
  return &rel == &plan.root && has_other_collations(plan) && EquatedColumns(plan).are_compared_otherwise();
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

// Answers for the whole plan, at its root.
bool passes_constant_to_subquery(const Rel& rel, const Plan& plan) {
  if (&rel != &plan.root) return false;
  const auto is_real = [&](AttributeId id) {
    return plan.attributes[id].affinity == Affinity::real || plan.attributes[id].storage == Affinity::real;
  };
  bool equated = false;
  bool any = false;
  for (AttributeId id = 0; id < plan.attributes.size(); ++id) any = any || is_real(id);
  if (!any) return false;
  const Constants constants(plan);
  visit_equations(plan, constants, [&](AttributeId id, const Expr&, const Expr&) {
    equated = equated || constants.any_equal(id, is_real);
  });
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
bool is_marked_as_json(const Expr& constant, const Plan& plan) {
  bool found = false;
  if (!references(constant).empty())
    walk(plan.root, [&](const Project& project) {
      for (const auto& item : project.items)
        found = found || (references(item.expr).empty() && is_marked_as_json(item.expr, plan));
    });
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
  const Constants constants(plan);
  visit_equations(plan, constants, [&](AttributeId column, const Expr& constant, const Expr& conjunct) {
    if (found) return;
    // Also for a column that is equal, such as that of a part of UNION ALL, into which SQLite moves conditions.
    const bool differs = constants.any_equal(column, [&](AttributeId id) {
      const auto& attribute = plan.attributes[id];
      const bool hidden =
          attribute.position >= 0 && attribute.affinity == Affinity::numeric &&
          (attribute.table == nullptr || attribute.table->columns[static_cast<std::size_t>(attribute.position)].hidden);
      const bool untyped = hidden || (attribute.table == nullptr && attribute.affinity == Affinity::none);
      // The real -2^63 becomes no integer where it stands for a column of integers.
      const bool stays_real = (attribute.affinity == Affinity::integer || attribute.affinity == Affinity::numeric) &&
                              may_be_smallest_real(constant, plan);
      if (hidden || stays_real) return true;
      const auto values = attribute.types | types_of(constant, plan, {});
      return untyped && (values & types::real) != TypeSet() && (values & types::number) != TypeSet();
    });
    if (!differs && !is_marked_as_json(constant, plan)) return;
    visit_conditions(plan, [&](const std::vector<Expr>& conjuncts) {
      for (const auto& other : conjuncts) found = found || (&other != &conjunct && constants.uses_equal(other, column));
    });
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
