#include "plan/rules/transitive_equalities.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/shape.hpp"

namespace trustsql::plan::rules {

namespace {

void collect(const Rel& rel, std::vector<const Expr*>& conjuncts) {
  if (const auto* filter = rel.as<Filter>()) {
    for (const auto& conjunct : filter->conjuncts) conjuncts.push_back(&conjunct);
    collect(*filter->input, conjuncts);
  } else if (const auto* join = rel.as<Join>(); join != nullptr && join->type == JoinType::inner) {
    for (const auto& conjunct : join->on) conjuncts.push_back(&conjunct);
    collect(*join->left, conjuncts);
    collect(*join->right, conjuncts);
  }
}

// The columns of base tables that are joined here. A condition on one of them stays in reach of this rule, wherever it
// is pushed; one on a column of a derived table, a group or an outer join may be pushed further, out of reach.
void collect_base_columns(const Rel& rel, AttributeSet& columns) {
  if (const auto* filter = rel.as<Filter>()) {
    collect_base_columns(*filter->input, columns);
  } else if (const auto* join = rel.as<Join>(); join != nullptr && join->type == JoinType::inner) {
    collect_base_columns(*join->left, columns);
    collect_base_columns(*join->right, columns);
  } else if (rel.is<Scan>()) {
    columns |= output_set(rel);
  }
}

// The results of aggregates among the joined relations. They are not equated for being compared with the same literal:
// rules about a condition on such a result ask that no other condition uses it.
void collect_results(const Rel& rel, AttributeSet& results) {
  if (const auto* filter = rel.as<Filter>()) {
    collect_results(*filter->input, results);
  } else if (const auto* join = rel.as<Join>(); join != nullptr && join->type == JoinType::inner) {
    collect_results(*join->left, results);
    collect_results(*join->right, results);
  } else if (const auto* aggregate = rel.as<Aggregate>()) {
    for (const auto& call : aggregate->calls) results.add(call.id);
  }
}

// Equal columns, and the literal that they equal, if there is one; a single column that equals a literal.
struct Class {
  std::vector<AttributeId> members{};
  const Expr* constant = nullptr;
  AttributeId first = 0;
  std::vector<AttributeId> fixed{};  // members that have the constant as a condition of their own

  // Whether the member gets the constant as a condition. If all are columns of base tables, each does. Otherwise no
  // condition is added: one that is pushed out of reach would be made anew from the others, and pushed again, without
  // end. Those that have one keep it, and a single one is given to the first member.
  bool fixes(AttributeId member, const AttributeSet& base_columns) const {
    const auto is_base = [&](AttributeId id) { return base_columns.contains(id); };
    if (constant == nullptr) return false;
    if (std::all_of(members.begin(), members.end(), is_base)) return true;
    return fixed.size() == 1 ? member == first : std::find(fixed.begin(), fixed.end(), member) != fixed.end();
  }
};

// Compares by shape; of two uses of one table, the left one comes first.
bool comes_before(AttributeId a, AttributeId b, const std::vector<AttributeId>& ids, const Plan& plan) {
  const int order = compare_shape(a, b, plan);
  if (order != 0) return order < 0;
  return std::find(ids.begin(), ids.end(), a) < std::find(ids.begin(), ids.end(), b);
}

class Classes {
 public:
  // `ids`: the columns in their order; `results`: those that are not equated by literals.
  Classes(const std::vector<const Expr*>& conjuncts, const std::vector<AttributeId>& ids, const AttributeSet& results,
          const Plan& plan)
      : plan_(plan) {
    for (const auto* conjunct : conjuncts) {
      if (const auto pair = equated(*conjunct)) join(pair->first, pair->second);
    }
    // Columns that are equal to the same literal are equal, too.
    std::vector<std::pair<AttributeId, const Expr*>> fixed;
    for (const auto* conjunct : conjuncts) {
      const auto* compare = fit(*conjunct);
      const auto* id = compare != nullptr ? column_id(*compare->left) : nullptr;
      if (id == nullptr || !compare->right->is<Literal>()) continue;
      for (const auto& [other, value] : fixed) {
        if (*value == *compare->right && other != *id && !results.contains(*id) && !results.contains(other))
          join(other, *id);
      }
      fixed.emplace_back(*id, compare->right.get());
    }
    for (const auto& [id, value] : fixed) {
      if (find(id) == nullptr) classes_.push_back({.members = {id}});
      auto* found = find(id);
      if (found->constant == nullptr) found->constant = value;
      const bool known = std::find(found->fixed.begin(), found->fixed.end(), id) != found->fixed.end();
      if (*found->constant == *value && !known) found->fixed.push_back(id);
    }
    for (auto& equal : classes_) {
      equal.first = *std::min_element(equal.members.begin(), equal.members.end(),
                                      [&](AttributeId a, AttributeId b) { return comes_before(a, b, ids, plan_); });
    }
  }

  const std::vector<Class>& all() const { return classes_; }
  const Class* find(AttributeId id) const { return const_cast<Classes*>(this)->find(id); }

  // The columns that `conjunct` equates.
  std::optional<std::pair<AttributeId, AttributeId>> equated(const Expr& conjunct) const {
    const auto* compare = fit(conjunct);
    if (compare == nullptr) return std::nullopt;
    const auto* left = column_id(*compare->left);
    const auto* right = column_id(*compare->right);
    if (left == nullptr || right == nullptr || *left == *right) return std::nullopt;
    return std::pair{*left, *right};
  }

  // Whether `conjunct` equates a column of a class with the constant of the class.
  bool fixes(const Expr& conjunct) const {
    const auto* compare = fit(conjunct);
    const auto* id = compare != nullptr ? column_id(*compare->left) : nullptr;
    const auto* equal = id != nullptr ? find(*id) : nullptr;
    return equal != nullptr && equal->constant != nullptr && *compare->right == *equal->constant;
  }

 private:
  const Compare* fit(const Expr& conjunct) const {
    const auto* compare = conjunct.as<Compare>();
    if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan_)) return nullptr;
    return equal_is_identical(*compare->left, *compare->right, plan_) ? compare : nullptr;
  }

  Class* find(AttributeId id) {
    for (auto& equal : classes_) {
      if (std::find(equal.members.begin(), equal.members.end(), id) != equal.members.end()) return &equal;
    }
    return nullptr;
  }

  void join(AttributeId a, AttributeId b) {
    auto* of_a = find(a);
    auto* of_b = find(b);
    if (of_a == nullptr && of_b == nullptr) {
      classes_.push_back({.members = {a, b}});
    } else if (of_a == nullptr) {
      of_b->members.push_back(a);
    } else if (of_b == nullptr) {
      of_a->members.push_back(b);
    } else if (of_a != of_b) {
      of_a->members.insert(of_a->members.end(), of_b->members.begin(), of_b->members.end());
      classes_.erase(classes_.begin() + (of_b - classes_.data()));
    }
  }

  const Plan& plan_;
  std::vector<Class> classes_;
};

// The conditions in their new form.
std::vector<Expr> rewritten(const std::vector<const Expr*>& conjuncts, const Classes& classes,
                            const AttributeSet& base_columns) {
  std::vector<Expr> result;
  const auto add = [&](Expr conjunct) {
    if (is_volatile(conjunct) || std::find(result.begin(), result.end(), conjunct) == result.end())
      result.push_back(std::move(conjunct));
  };
  for (const auto& equal : classes.all()) {
    for (const auto member : equal.members) {
      if (equal.fixes(member, base_columns)) add(compare(CompareOp::equal, column(member), *equal.constant));
      if (member != equal.first) add(compare(CompareOp::equal, column(equal.first), column(member)));
    }
  }
  for (const auto* conjunct : conjuncts) {
    if (classes.equated(*conjunct)) continue;
    if (classes.fixes(*conjunct)) continue;
    Expr changed = *conjunct;
    std::vector<Expr> firsts;
    firsts.reserve(classes.all().size());
    for (const auto& equal : classes.all()) firsts.push_back(column(equal.first));
    substitute(changed, [&](AttributeId id) -> const Expr* {
      const auto* equal = classes.find(id);
      if (equal == nullptr) return nullptr;
      if (equal->constant != nullptr) return equal->constant;
      return equal->first == id ? nullptr : &firsts[static_cast<std::size_t>(equal - classes.all().data())];
    });
    add(std::move(changed));
  }
  return result;
}

bool same_conditions(const std::vector<const Expr*>& before, const std::vector<Expr>& after) {
  if (before.size() != after.size()) return false;
  return std::all_of(before.begin(), before.end(), [&](const Expr* old) {
    return std::any_of(after.begin(), after.end(), [&](const Expr& now) {
      if (now == *old) return true;
      // The two sides of an equality may be in any order.
      const auto* a = now.as<Compare>();
      const auto* b = old->as<Compare>();
      return a != nullptr && b != nullptr && a->op == CompareOp::equal && b->op == CompareOp::equal &&
             a->how == b->how && *a->left == *b->right && *a->right == *b->left;
    });
  });
}

bool replace_by_representatives(Rel& rel, RuleContext& context) {
  if (is_part_of_cluster(context.parent())) return false;
  std::vector<const Expr*> conjuncts;
  collect(rel, conjuncts);
  if (conjuncts.size() < 2) return false;
  const auto ids = outputs(rel);
  AttributeSet results;
  collect_results(rel, results);
  const Classes classes(conjuncts, ids, results, context.plan());
  if (classes.all().empty()) return false;
  AttributeSet base_columns;
  collect_base_columns(rel, base_columns);
  auto after = rewritten(conjuncts, classes, base_columns);
  if (same_conditions(conjuncts, after)) return false;
  auto cluster = take_apart(rel);
  cluster.conjuncts = std::move(after);
  rel = with_outputs(put_together(std::move(cluster)), ids);
  return true;
}

}  // namespace

const Rule transitive_equalities{
    .name = "transitive_equalities",
    .kinds = rel_kinds<Filter, Join>,
    .apply = replace_by_representatives,
    .example = transitive_equalities_example,
};

}  // namespace trustsql::plan::rules
