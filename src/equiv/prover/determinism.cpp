#include "equiv/prover/determinism.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "db/catalog/catalog.hpp"
#include "equiv/prover/merged_values.hpp"
#include "equiv/prover/reading_order.hpp"
#include "plan/compound_rows.hpp"
#include "plan/dependencies.hpp"
#include "plan/json_subtypes.hpp"
#include "plan/sqlite_bugs.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

template <class List>
bool all_binary(const List& collations) {
  return std::all_of(collations.begin(), collations.end(), [](std::string_view c) { return c == binary_collation; });
}

class OpenResultFinder {
 public:
  OpenResultFinder(const Plan& plan, Assume assume, bool same_reading, bool same_groups,
                   std::vector<Assumption>& assumptions)
      : plan_(plan),
        assume_(std::move(assume)),
        same_reading_(same_reading),
        same_groups_(same_groups),
        assumptions_(assumptions) {}

  std::optional<ProofGap> find() {
    if (is_volatile(plan_.root)) note_reason("a function that may return another value each time");
    visit(plan_.root, output_set(plan_.root));
    if (!reason_) reason_ = find_distinguished_merged_values(plan_);
    if (!reason_) return std::nullopt;
    return ProofGap{ProofGap::Kind::order_dependent, reason_};
  }

  // Whether it is open which rows come first somewhere where the rows already have an order that decides about it.
  bool has_ties_of_ordered_rows() {
    visit(plan_.root, output_set(plan_.root));
    return ties_of_ordered_rows_;
  }

 private:
  static constexpr const char* first_of_several = "a scalar subquery that may have several rows";

  void note_reason(const char* reason) {
    if (!reason_) reason_ = reason;
  }

  // Which rows of `input` come first is open, for this reason.
  void note_ties(const char* reason, const Rel& input) {
    const bool is_ordered = has_own_order(input) || (!same_reading_ && is_in_written_order(input)) ||
                            (!same_groups_ && is_in_order_of_groups(input));
    ties_of_ordered_rows_ = ties_of_ordered_rows_ || is_ordered;
    if (!assume_.ties || is_ordered) return note_reason(reason);
    const Assumption assumption{Assumption::Kind::same_ties, {}, {}, {}};
    if (std::find(assumptions_.begin(), assumptions_.end(), assumption) == assumptions_.end())
      assumptions_.push_back(assumption);
  }

  // Whether the rows are in an order that the query writes: the sides of an outer join and the parts of a compound
  // query are read in the order in which they are written, and a plan writes them in another one (RIGHT JOIN as LEFT
  // JOIN); so are rows that are written out, and the terms of an OR that are looked up. Of the sides of an inner join,
  // SQLite chooses which to read first. DISTINCT leaves the rows in their order, and groups have an order of their own.
  bool is_in_written_order(const Rel& rel) const {
    if (rel.is<Aggregate>()) return false;
    const auto* join = rel.as<Join>();
    const auto* values = rel.as<Values>();
    bool found = rel.is<SetOp>() || rel.is<Distinct>() || (values != nullptr && values->rows.size() > 1) ||
                 (join != nullptr &&
                  (join->type == JoinType::left || join->type == JoinType::right || join->type == JoinType::full));
    for_each_expr(rel, [&](const Expr& expr) { found = found || has_looked_up_choice(expr); });
    for_each_rel(rel, [&](const Rel& input) { found = found || is_in_written_order(input); });
    return found;
  }

  bool has_looked_up_choice(const Expr& expr) const {
    const auto* choice = expr.as<Or>();
    bool found = choice != nullptr && is_looked_up(*choice, plan_);
    for_each_expr(expr, [&](const Expr& operand) { found = found || has_looked_up_choice(operand); });
    return found;
  }

  // Whether the rows are groups, or come from a window, or are made of such rows.
  static bool is_in_order_of_groups(const Rel& rel) {
    const auto* aggregate = rel.as<Aggregate>();
    bool found = rel.is<Window>() || (aggregate != nullptr && aggregate->grouped);
    for_each_rel(rel, [&](const Rel& input) { found = found || is_in_order_of_groups(input); });
    return found;
  }

  static const Rel& below_projections(const Rel& rel) {
    if (const auto* project = rel.as<Project>()) return below_projections(*project->input);
    const auto* derived = rel.as<Derived>();
    return derived != nullptr ? below_projections(*derived->input) : rel;
  }

  // The first of the sorts by the same keys that follow each other: the others leave these rows, or the first of them,
  // as they are.
  static const Sort& innermost_of_equal(const Sort& sort) {
    const Rel* input = &below_projections(*sort.input);
    while (const auto* limit = input->as<Limit>()) input = &below_projections(*limit->input);
    const auto* below = input->as<Sort>();
    return below != nullptr && below->keys == sort.keys ? innermost_of_equal(*below) : sort;
  }

  // The sort of the rows of groups, if it is by the first keys of the groups, in whose order SQLite puts them anyway.
  static const Sort* sort_like_groups(const Aggregate& groups) {
    const auto* sort = below_projections(*groups.input).as<Sort>();
    const bool is_alike =
        sort != nullptr && std::ranges::mismatch(sort->keys, groups.keys, [](const auto& key, const auto& group) {
                             return key.expr == group.expr && key.collation == group.collation && !key.descending &&
                                    key.nulls_first;
                           }).in1 == sort->keys.end();
    return is_alike ? sort : nullptr;
  }

  // Whether the rows may be in an order that was asked for.
  static bool has_own_order(const Rel& rel) {
    if (rel.is<Sort>()) return true;
    if (const auto* groups = rel.as<Aggregate>()) {
      if (const auto* sort = sort_like_groups(*groups)) return has_own_order(*sort->input);
    }
    bool ordered = false;
    for_each_rel(rel, [&](const Rel& input) { ordered = ordered || has_own_order(input); });
    return ordered;
  }

  // `used`: the attributes that operators above use.
  void visit(const Rel& rel, const AttributeSet& used) {
    for_each_expr(rel, [&](const Expr& expr) { visit(expr); });
    AttributeSet of_input = used;
    if (const auto* project = rel.as<Project>()) {
      of_input = {};
      for (const auto& item : project->items) {
        if (used.contains(item.id)) of_input |= references(item.expr);
      }
    } else {
      of_input |= references_of_operator(rel);
    }
    for_each_rel(rel, [&](const Rel& input) {
      visit(input, rel.is<Distinct>() || rel.is<SetOp>() || rel.is<Recursive>()
                       ? output_set(input)
                       : of_input | free_attributes_of_others(rel, input));
    });
    std::visit(Overloaded{
                   [](const auto&) {},
                   [&](const Limit& n) { check(n, used); },
                   [&](const Aggregate& n) { check(n); },
                   [&](const Window& n) { check(n); },
                   [&](const Distinct& n) { check_merged(n.collations); },
                   [&](const SetOp& n) { check(n); },
                   [&](const Recursive& n) { check(n); },
                   [&](const Apply& n) {
                     if (n.type == ApplyType::scalar && !single_row(facts_of(*n.right, plan_)))
                       note_reason(first_of_several);
                   },
               },
               rel.node);
  }

  void visit(const Expr& expr) {
    for_each_expr(expr, [&](const Expr& operand) { visit(operand); });
    for_each_rel(expr, [&](const Rel& rel) { visit(rel, output_set(rel)); });
    if (const auto* n = expr.as<ScalarSubquery>(); n != nullptr && !single_row(facts_of(*n->rel, plan_)))
      note_reason(first_of_several);
  }

  // The attributes of the left side of an Apply that its right side uses.
  static AttributeSet free_attributes_of_others(const Rel& rel, const Rel& input) {
    const auto* apply = rel.as<Apply>();
    return apply != nullptr && &input == apply->left.get() ? free_attributes(*apply->right) : AttributeSet();
  }

  void rely_on(const AttributeSet& columns) {
    columns.for_each([&](AttributeId id) {
      const auto& attribute = plan_.attributes[id];
      if (attribute.table == nullptr) return;
      Assumption assumption{
          Assumption::Kind::primary_key_not_null, attribute.table->name, {std::string(attribute.name)}, {}};
      if (std::find(assumptions_.begin(), assumptions_.end(), assumption) == assumptions_.end())
        assumptions_.push_back(std::move(assumption));
    });
  }

  bool superkey(const AttributeSet& attributes, const Facts& facts) {
    AttributeSet assumed;
    if (!is_superkey(attributes, facts, assume_.primary_key_not_null ? &assumed : nullptr)) return false;
    rely_on(assumed);
    return true;
  }
  bool single_row(const Facts& facts) { return superkey({}, facts); }

  bool determines(const AttributeSet& attributes, const AttributeSet& targets, const Facts& facts) {
    if (targets.is_subset_of(closure(attributes, facts))) return true;
    AttributeSet assumed;
    if (!assume_.primary_key_not_null || !targets.is_subset_of(closure(attributes, facts, &assumed))) return false;
    rely_on(assumed);
    return true;
  }

  // --- operators

  void check(const Limit& n, AttributeSet used) {
    if (single_row(facts_of(*n.input, plan_))) return;
    const Rel* input = n.input.get();
    while (true) {
      if (const auto* project = input->as<Project>()) {
        AttributeSet below;
        for (const auto& item : project->items) {
          if (used.contains(item.id)) below |= references(item.expr);
        }
        used = below;
        input = project->input.get();
      } else if (const auto* derived = input->as<Derived>()) {
        input = derived->input.get();
      } else if (const auto* limit = input->as<Limit>()) {
        input = limit->input.get();
      } else {
        break;
      }
    }
    const auto* sort = input->as<Sort>();
    if (sort == nullptr) return note_ties("LIMIT without ORDER BY", *input);
    const auto facts = facts_of(*sort->input, plan_);
    AttributeSet keys;
    for (const auto& key : sort->keys) {
      const auto* id = column_id(key.expr);
      if (id != nullptr && key.collation == binary_collation && equal_is_identical(key.expr, plan_)) keys.add(*id);
    }
    used &= output_set(*sort->input);
    if (!superkey(keys, facts) && !determines(keys, used, facts))
      note_ties("ties in the ORDER BY before a LIMIT", *innermost_of_equal(*sort).input);
  }

  void check(const Aggregate& n) {
    const auto facts = facts_of(*n.input, plan_);
    AttributeSet keys;
    for (const auto& key : n.keys) {
      if (key.collation != binary_collation) note_reason("texts that a collation treats as equal are grouped");
      if (const auto* id = column_id(key.expr)) keys.add(*id);
    }
    // Beside them SQLite takes bare columns from the last row that it reads, repeated values included.
    const bool distinct_extreme = std::any_of(n.calls.begin(), n.calls.end(), [](const AggregateCall& call) {
      return call.distinct && (call.name == "min" || call.name == "max");
    });
    for (const auto& call : n.calls) {
      if (call.is_bare()) {
        const auto& value = call.arguments.front();
        const bool is_key =
            std::any_of(n.keys.begin(), n.keys.end(), [&](const GroupKey& key) { return key.expr == value; });
        const bool is_open = !is_key && !(n.grouped && determines(keys, references(value), facts));
        if (is_open && distinct_extreme) note_reason("a bare column beside min or max of DISTINCT values");
        if (is_open) note_ties("a bare column: neither grouped by nor in an aggregate", *n.input);
      } else if (call.name == "min" || call.name == "max") {
        if (call.collation != binary_collation) note_reason("min or max of texts that a collation treats as equal");
      } else if (call.name == "sum" || call.name == "avg" || call.name == "total") {
        if (call.distinct && call.collation != binary_collation)
          note_reason("an aggregate over DISTINCT texts that a collation treats as equal");
      } else if (call.name != "count") {
        note_ties("an aggregate that depends on the order of rows", *n.input);
      }
    }
  }

  void check(const Window& n) {
    constexpr std::array<std::string_view, 4> of_peers = {"rank", "dense_rank", "percent_rank", "cume_dist"};
    constexpr std::array<std::string_view, 6> aggregates = {"count", "sum", "avg", "total", "min", "max"};
    const auto among = [](const auto& names, std::string_view name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    const auto facts = facts_of(*n.input, plan_);
    for (const auto& call : n.calls) {
      // What counts as equal decides about these, not which of the equal values there are.
      if (among(of_peers, call.name)) continue;
      // Which of the equal keys SQLite adds to matters: 2^53 + 1 is no real.
      const bool by_number = call.frame && call.frame->adds_to_key() && !call.order_by.empty() &&
                             !equal_is_identical(call.order_by.front().expr, plan_);
      const bool by_rows = call.frame && call.frame->unit == ast::FrameUnit::rows;
      if (among(aggregates, call.name) && !by_rows && !by_number && call.collation == binary_collation) continue;
      // Rows that agree in the keys, under BINARY, are tied.
      AttributeSet keys;
      bool identical = call.collation == binary_collation;
      bool binary = identical;
      const auto add = [&](const Expr& expr, std::string_view collation) {
        binary = binary && collation == binary_collation;
        identical = identical && collation == binary_collation && equal_is_identical(expr, plan_);
        if (const auto* id = column_id(expr)) keys.add(*id);
      };
      for (const auto& key : call.partition_by) add(key.expr, key.collation);
      for (const auto& key : call.order_by) add(key.expr, key.collation);
      if (binary && superkey(keys, facts)) continue;
      if (!identical) note_reason("a window function over values that are equal but not identical");
      if (!superkey(keys, facts)) note_ties("ties in the ORDER BY of a window function", *n.input);
    }
  }

  void check(const SetOp& n) {
    if (n.op == ast::SetOp::union_all) return;
    check_merged(n.collations);
  }

  void check(const Recursive& n) {
    if (n.count || n.offset) note_reason("LIMIT in a recursive query");
    if (n.distinct) check_merged(n.collations);
  }

  void check_merged(const std::vector<std::string_view>& collations) {
    if (!all_binary(collations)) note_reason("texts that a collation treats as equal are merged");
  }

  const Plan& plan_;
  Assume assume_;
  bool same_reading_;  // both queries read the rows of outer joins in the same order
  bool same_groups_;   // and have their groups in the same order
  std::vector<Assumption>& assumptions_;
  const char* reason_ = nullptr;
  bool ties_of_ordered_rows_ = false;
};

}  // namespace

namespace {

// The column of texts that is cast to a real; nullptr if `expr` is something else.
const AttributeId* text_cast_to_real(const Expr& expr, const Plan& plan) {
  const auto* cast = expr.as<Cast>();
  const auto* id = cast != nullptr && cast->affinity == Affinity::real ? column_id(*cast->operand) : nullptr;
  if (id == nullptr) return nullptr;
  const auto& attribute = plan.attributes[*id];
  return attribute.table != nullptr && attribute.position >= 0 && attribute.storage == Affinity::text ? id : nullptr;
}

// Columns that hold texts of numbers stand for the reals that they are cast to. These have at most 15 digits, and
// rowid_beside_real is about one number with more. Adds what is assumed about the columns.
Plan without_casts_of_texts(const Plan& plan, std::vector<Assumption>& assumptions) {
  Plan changed = plan;
  const auto replace_cast = [&](Expr& expr) {
    const auto* id = text_cast_to_real(expr, plan);
    if (id == nullptr) return false;
    const auto& attribute = plan.attributes[*id];
    Assumption assumption{Assumption::Kind::number_text, attribute.table->name, {std::string(attribute.name)}, {}};
    if (std::find(assumptions.begin(), assumptions.end(), assumption) == assumptions.end())
      assumptions.push_back(std::move(assumption));
    expr = column(AttributeId(*id));
    return true;
  };
  walk(changed.root, [&](Expr& expr) {
    auto* compare = expr.as<Compare>();
    if (compare == nullptr) return;
    replace_cast(*compare->left);
    replace_cast(*compare->right);
  });
  // Columns that such a cast computes, and columns that pass them on.
  AttributeSet texts;
  for (bool again = true; again;) {
    again = false;
    walk(changed.root, [&](Project& project) {
      for (auto& item : project.items) {
        const auto* from = column_id(item.expr);
        const bool passes_on = from != nullptr && texts.contains(*from) && !texts.contains(item.id);
        if (!passes_on && !replace_cast(item.expr)) continue;
        texts.add(item.id);
        changed.attributes[item.id].affinity = Affinity::text;
        again = true;
      }
    });
  }
  return changed;
}

// The first bug that may affect the query; what rules one out is added to `assumptions`.
const SqliteBug* find_bug(const Plan& plan, const Assume& assume, std::vector<Assumption>& assumptions) {
  const auto* bug = find_sqlite_bug(plan);
  if (bug == nullptr || bug->name != "rowid_beside_real" || !assume.number_texts) return bug;
  std::vector<Assumption> of_texts;
  const auto* other = find_sqlite_bug(without_casts_of_texts(plan, of_texts));
  if (other == nullptr) assumptions.insert(assumptions.end(), of_texts.begin(), of_texts.end());
  return other;
}

}  // namespace

std::optional<ProofGap> find_unreliable_form(const Plan& plan, const Assume& assume,
                                             std::vector<Assumption>& assumptions) {
  if (const auto* bug = find_bug(plan, assume, assumptions)) {
    return ProofGap{ProofGap::Kind::order_dependent, "a form that SQLite gets wrong (" + std::string(bug->name) + ")"};
  }
  if (const auto* reason = find_distinguished_merged_values(plan))
    return ProofGap{ProofGap::Kind::order_dependent, reason};
  if (depends_on_passed_subtype(plan)) {
    return ProofGap{ProofGap::Kind::order_dependent,
                    "a JSON function whose argument may be JSON or text, depending on how SQLite runs the query"};
  }
  return std::nullopt;
}

std::optional<ProofGap> find_open_result(const Normalised& normalised, const Assume& assume, bool same_reading,
                                         std::vector<Assumption>& assumptions) {
  return OpenResultFinder(normalised.plan, assume, same_reading, true, assumptions).find();
}

bool has_ties_of_ordered_rows(const Plan& plan, bool same_reading, bool same_groups) {
  std::vector<Assumption> unused;
  return OpenResultFinder(plan, Assume::nothing(), same_reading, same_groups, unused).has_ties_of_ordered_rows();
}

std::optional<ProofGap> find_undefined_types(const Plan& plan) {
  // The parts of the outermost compound query are compared only with each other, without affinity
  // (https://sqlite.org/lang_select.html#compound).
  const Rel* outermost = &plan.root;
  while (true) {
    if (const auto* n = outermost->as<Distinct>()) {
      outermost = n->input.get();
    } else if (const auto* n = outermost->as<Sort>()) {
      outermost = n->input.get();
    } else if (const auto* n = outermost->as<Limit>()) {
      outermost = n->input.get();
    } else if (const auto* n = outermost->as<Project>();
               n != nullptr && std::all_of(n->items.begin(), n->items.end(),
                                           [](const ProjectItem& i) { return i.is_pass_through(); })) {
      outermost = n->input.get();
    } else {
      break;
    }
  }
  bool undefined = false;
  walk(plan.root, [&](const Rel& rel) {
    if (const auto* n = rel.as<Recursive>()) undefined = undefined || !stays_distinct(*n, plan);
    if (&rel == outermost) return;
    // In VALUES for instance: a column of affinity BLOB is never converted, but a value without affinity is converted
    // to TEXT if the other operand is text.
    if (rel.is<SetOp>() || rel.is<Values>() || rel.is<Recursive>()) {
      for (const auto id : outputs(rel)) undefined = undefined || plan.attributes[id].is_open;
    }
    if (const auto* n = rel.as<SetOp>()) {
      const auto first = outputs(n->inputs.front());
      for (const auto& input : n->inputs) {
        const auto ids = outputs(input);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          undefined = undefined || plan.attributes[first[i]].affinity != plan.attributes[ids[i]].affinity;
        }
      }
    }
  });
  if (!undefined) return std::nullopt;
  return ProofGap{ProofGap::Kind::types_undefined,
                  "a compound query whose parts have columns of different affinities or collations"};
}

}  // namespace trustsql::equiv
