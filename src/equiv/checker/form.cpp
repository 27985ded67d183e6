#include "equiv/checker/form.hpp"

#include <algorithm>

#include "equiv/checker/agreement.hpp"
#include "equiv/checker/evaluator.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

bool looks_at_order(const Aggregate& n) {
  return std::any_of(n.calls.begin(), n.calls.end(), [](const AggregateCall& call) {
    for (const std::string_view name : {"", "count", "sum", "avg", "total", "min", "max"}) {
      if (call.name == name) return false;
    }
    return true;
  });
}

namespace {

bool never_true(const Expr& expr) {
  const auto* value = literal_value(expr);
  if (value == nullptr) return false;
  Evaluator evaluator({});
  return evaluator.truth(expr) != Truth::yes;
}
bool always_true(const Expr& expr) { return expr.is<Literal>() && !never_true(expr); }

class Builder {
 public:
  // `filled`: whether the columns may be replaced by NULLs, in which case computed columns stay where they are.
  Builder(Form& form, const Given& given, bool filled) : form_(form), given_(given), filled_(filled) {}

  void add(const Rel& rel) {
    std::visit([&](const auto& node) { of(node, rel); }, rel.node);
  }

  void add_condition(const Expr& condition) {
    if (const auto* both = condition.as<And>()) {
      for (const auto& term : both->terms) add_condition(term);
      return;
    }
    if (always_true(condition)) return;
    auto known = form_.resolved(condition);
    if (const auto* exists = known.as<Exists>(); exists != nullptr && !is_volatile(known)) {
      look_up(exists->negated ? Lookup::Kind::anti : Lookup::Kind::semi, *exists->rel, {});
    } else if (const auto* in = known.as<InSubquery>();
               in != nullptr && in->operands.size() == in->how.size() && !is_volatile(known) &&
               std::none_of(in->operands.begin(), in->operands.end(), has_subquery)) {
      const auto ids = outputs(*in->rel);
      std::vector<Expr> on;
      for (std::size_t i = 0; i < ids.size(); ++i)
        on.push_back(compare(CompareOp::equal, in->operands[i], column(ids[i]), in->how[i]));
      if (in->negated) {
        IsTruth not_false{conjunction(std::move(on)), false, true};
        on = {};
        on.emplace_back(std::move(not_false));
      }
      look_up(in->negated ? Lookup::Kind::anti : Lookup::Kind::semi, *in->rel, std::move(on));
    } else {
      form_.conditions.push_back(std::move(known));
    }
  }

  // A semi- or anti-join: for the rows of `rel` it only matters whether there is one of which all of `on` are true.
  void look_up(Lookup::Kind kind, Rel rel, std::vector<Expr> on) {
    do {
      if (kind == Lookup::Kind::semi) take_out(on, output_set(rel));
    } while (strip(rel, on));
    if (const auto* aggregate = rel.as<Aggregate>(); aggregate != nullptr && !aggregate->grouped && on.empty()) {
      if (kind == Lookup::Kind::anti) form_.conditions.push_back(literal(std::int64_t{0}));
      return;
    }
    Lookup lookup{kind, {}};
    Builder inside(lookup.matches, given_, false);
    inside.add(rel);
    for (const auto& condition : on) inside.add_condition(condition);
    auto& matches = lookup.matches;
    if (kind == Lookup::Kind::semi) {
      AttributeSet produced;
      add_produced(rel, produced);
      take_out(matches.conditions, produced);
    }
    if (kind == Lookup::Kind::semi && matches.leaves.empty() && matches.lookups.empty()) {
      // One row without columns: only the conditions matter.
      for (auto& condition : matches.conditions) form_.conditions.push_back(std::move(condition));
      return;
    }
    matches.columns.clear();
    matches.order.clear();
    form_.lookups.push_back(std::move(lookup));
  }

 private:
  // Turns what does not use the `columns` of a semi-join's matches into a condition of its own.
  void take_out(std::vector<Expr>& conditions, const AttributeSet& columns) {
    const auto others = std::stable_partition(conditions.begin(), conditions.end(), [&](const Expr& condition) {
      return references(condition).intersects(columns) || is_volatile(condition);
    });
    form_.conditions.insert(form_.conditions.end(), std::make_move_iterator(others),
                            std::make_move_iterator(conditions.end()));
    conditions.erase(others, conditions.end());
  }

  // Removes one operator that does not affect whether there is a match.
  bool strip(Rel& rel, std::vector<Expr>& on) const {
    const auto to_input = [&](Box<Rel>& input) {
      replace_by_descendant(rel, *input);
      return true;
    };
    if (auto* n = rel.as<Sort>()) return to_input(n->input);
    if (auto* n = rel.as<Filter>()) {
      on.insert(on.end(), n->conjuncts.begin(), n->conjuncts.end());
      return to_input(n->input);
    }
    if (auto* n = rel.as<Derived>()) return !is_volatile(*n->input) && to_input(n->input);
    if (auto* n = rel.as<Distinct>()) {
      const auto ids = outputs(*n->input);
      const bool same = n->collations.empty() && std::all_of(ids.begin(), ids.end(), [&](AttributeId id) {
                          return has_one_spelling(column(id), given_.attributes);
                        });
      return (on.empty() || same) && to_input(n->input);
    }
    if (auto* n = rel.as<Limit>()) {
      const auto* rows = literal_as<std::int64_t>(*n->count);
      return on.empty() && rows != nullptr && *rows != 0 && !n->offset && to_input(n->input);
    }
    if (auto* n = rel.as<Aggregate>()) return on.empty() && n->grouped && to_input(n->input);
    if (auto* n = rel.as<Project>()) {
      Form columns;
      for (const auto& item : n->items) {
        if (is_volatile(item.expr) || has_subquery(item.expr)) return false;
        if (!item.is_pass_through()) columns.columns.emplace_back(item.id, item.expr);
      }
      for (auto& condition : on) condition = columns.resolved(std::move(condition));
      return to_input(n->input);
    }
    return false;
  }

  Form input_of(const Rel& rel) const {
    Form form;
    Builder(form, given_, filled_).add(rel);
    return form;
  }

  void resolve_all(Rel& head, const Form& input) const {
    for_each_expr(head, [&](Expr& expr) { expr = input.resolved(std::move(expr)); });
  }

  static std::vector<Expr> shown(const Rel& rel, const Form& form) {
    std::vector<Expr> result;
    for (const auto id : outputs(rel)) result.push_back(form.resolved(column(id)));
    return result;
  }

  void add_leaf(Rel head, std::vector<Form> inputs = {}) {
    form_.leaves.push_back({std::move(head), std::move(inputs), {}});
  }

  template <class Node>
  void of(const Node&, const Rel& rel) {
    add_leaf(rel);
  }

  void of(const Values& n, const Rel& rel) {
    if (n.rows.size() != 1 || (filled_ && !n.ids.empty())) {
      add_leaf(rel);
      return;
    }
    for (std::size_t i = 0; i < n.ids.size(); ++i)
      form_.columns.emplace_back(n.ids[i], form_.resolved(n.rows.front()[i]));
  }

  void of(const Filter& n, const Rel&) {
    add(*n.input);
    for (const auto& condition : n.conjuncts) add_condition(condition);
  }

  void of(const Project& n, const Rel&) {
    const bool computes =
        std::any_of(n.items.begin(), n.items.end(), [](const ProjectItem& item) { return !item.is_pass_through(); });
    const bool stays =
        std::any_of(n.items.begin(), n.items.end(), [](const ProjectItem& item) { return is_volatile(item.expr); });
    if (!stays && !(filled_ && computes)) {
      add(*n.input);
      std::vector<std::pair<AttributeId, Expr>> own;
      for (const auto& item : n.items) {
        if (!item.is_pass_through()) own.emplace_back(item.id, form_.resolved(item.expr));
      }
      for (auto& each : own) form_.columns.push_back(std::move(each));
      return;
    }
    auto input = input_of(*n.input);
    Rel head{Project{{}, n.items}};
    resolve_all(head, input);
    form_.order = std::move(input.order);
    input.columns.clear();
    std::vector<Form> inputs;
    inputs.push_back(std::move(input));
    add_leaf(std::move(head), std::move(inputs));
  }

  void of(const Join& n, const Rel&) {
    switch (n.type) {
      case JoinType::inner:
        add(*n.left);
        add(*n.right);
        for (const auto& condition : n.on) add_condition(condition);
        form_.order.clear();
        return;
      case JoinType::left: outer_join(*n.left, *n.right, n.on); return;
      case JoinType::right: outer_join(*n.right, *n.left, n.on); return;
      case JoinType::semi:
      case JoinType::anti: add_choice(n.type == JoinType::semi, *n.left, *n.right, n.on); return;
      case JoinType::full: break;
    }
    std::vector<Form> inputs(3);
    Builder(inputs[0], given_, true).add(*n.left);
    Builder(inputs[1], given_, true).add(*n.right);
    for (const auto& condition : n.on) Builder(inputs[2], given_, true).add_condition(condition);
    add_leaf(Rel{Join{n.type, {}, {}, {}}}, std::move(inputs));
  }

  void outer_join(const Rel& kept, const Rel& filled, const std::vector<Expr>& on) {
    add(kept);
    form_.order.clear();
    Lookup lookup{Lookup::Kind::left, {}};
    Builder inside(lookup.matches, given_, true);
    inside.add(with_columns(filled));
    for (const auto& condition : on) inside.add_condition(form_.resolved(condition));
    lookup.matches.order.clear();
    const auto& matches = lookup.matches;
    // One row without columns changes nothing.
    if (matches.leaves.empty() && matches.lookups.empty() && outputs(filled).empty()) return;
    form_.lookups.push_back(std::move(lookup));
  }

  void add_choice(bool semi, const Rel& left, const Rel& right, const std::vector<Expr>& on) {
    add(left);
    std::vector<Expr> own;
    own.reserve(on.size());
    for (const auto& condition : on) own.push_back(form_.resolved(condition));
    look_up(semi ? Lookup::Kind::semi : Lookup::Kind::anti, with_columns(right), std::move(own));
  }

  // `rel`, which may use columns that are computed here.
  Rel with_columns(Rel rel) const {
    if (!form_.columns.empty()) {
      substitute(rel, [&](AttributeId id) -> const Expr* {
        const auto definition = std::find_if(form_.columns.rbegin(), form_.columns.rend(),
                                             [&](const auto& each) { return each.first == id; });
        return definition != form_.columns.rend() ? &definition->second : nullptr;
      });
    }
    return rel;
  }

  void of(const Apply& n, const Rel&) {
    if (n.type == ApplyType::semi || n.type == ApplyType::anti) {
      add_choice(n.type == ApplyType::semi, *n.left, *n.right, n.on);
      return;
    }
    add(*n.left);
    Rel right = with_columns(*n.right);
    const auto ids = outputs(right);
    if (n.type == ApplyType::scalar && ids.size() == 1 && !filled_ && !is_volatile(right)) {
      form_.columns.emplace_back(ids.front(), Expr{ScalarSubquery{std::move(right)}});
      return;
    }
    if (n.type != ApplyType::scalar) form_.order.clear();
    Lookup lookup{n.type == ApplyType::scalar    ? Lookup::Kind::scalar
                  : n.type == ApplyType::lateral ? Lookup::Kind::lateral
                                                 : Lookup::Kind::lateral_left,
                  {}};
    Builder inside(lookup.matches, given_, true);
    inside.add(right);
    for (const auto& condition : n.on) inside.add_condition(form_.resolved(condition));
    form_.lookups.push_back(std::move(lookup));
  }

  void of(const Aggregate& n, const Rel&) {
    if (!n.grouped && n.calls.empty()) return;  // one row without columns
    auto input = Form();
    // A bare column is NULL if there is no row; an expression over it may not be.
    Builder(input, given_, !n.grouped && n.has_bare_columns()).add(*n.input);
    Rel head{Aggregate{{}, n.grouped, n.keys, n.calls, n.of_distinct}};
    resolve_all(head, input);
    input.columns.clear();
    if (!looks_at_order(n)) input.order.clear();
    std::vector<Form> inputs;
    inputs.push_back(std::move(input));
    add_leaf(std::move(head), std::move(inputs));
  }

  // An operator that passes its rows on unchanged.
  void add_through(Rel head, const Rel& rel, bool keeps_order) {
    auto input = input_of(rel);
    resolve_all(head, input);
    for (auto& each : input.columns) form_.columns.push_back(std::move(each));
    input.columns.clear();
    if (keeps_order) form_.order = input.order;
    std::vector<Form> inputs;
    inputs.push_back(std::move(input));
    add_leaf(std::move(head), std::move(inputs));
  }
  void of(const Window& n, const Rel&) { add_through(Rel{Window{{}, n.calls}}, *n.input, true); }
  void of(const Limit& n, const Rel&) { add_through(Rel{Limit{{}, n.count, n.offset}}, *n.input, true); }

  void of(const Sort& n, const Rel&) {
    add(*n.input);
    form_.order.clear();
    for (auto key : n.keys) {
      key.expr = form_.resolved(std::move(key.expr));
      form_.order.push_back(std::move(key));
    }
  }

  void of(const Derived& n, const Rel& rel) {
    if (n.definition >= 0 && is_volatile(*n.input)) {
      add_leaf(rel);
    } else {
      add(*n.input);
    }
  }

  void of(const Distinct& n, const Rel&) {
    auto input = Form();
    Builder(input, given_, false).add(*n.input);
    Leaf leaf{Rel{Distinct{{}, n.collations}}, {}, {}};
    leaf.shown.push_back(shown(*n.input, input));
    for (const auto id : outputs(*n.input)) leaf.shown.back().push_back(column(id));
    form_.order = std::move(input.order);
    input.order.clear();
    input.columns.clear();
    leaf.inputs.push_back(std::move(input));
    form_.leaves.push_back(std::move(leaf));
  }

  void of(const SetOp& n, const Rel&) {
    Leaf leaf{Rel{SetOp{n.op, {}, n.ids, n.collations}}, {}, {}};
    for (const auto& each : n.inputs) {
      auto input = Form();
      Builder(input, given_, false).add(each);
      leaf.shown.push_back(shown(each, input));
      input.order.clear();
      input.columns.clear();
      leaf.inputs.push_back(std::move(input));
    }
    form_.leaves.push_back(std::move(leaf));
  }

  Form& form_;
  const Given& given_;
  bool filled_;
};

}  // namespace

Expr Form::resolved(Expr expr) const {
  if (columns.empty()) return expr;
  substitute(expr, [&](AttributeId id) -> const Expr* {
    const auto definition =
        std::find_if(columns.rbegin(), columns.rend(), [&](const auto& each) { return each.first == id; });
    return definition != columns.rend() ? &definition->second : nullptr;
  });
  return expr;
}

Form form_of(const Rel& rel, const Given& given) {
  Form form;
  Builder(form, given, false).add(rel);
  return form;
}

bool same_existence(const Rel& a, const std::vector<Expr>& a_on, const Rel& b, const std::vector<Expr>& b_on,
                    const Given& given) {
  Form of_a;
  Form of_b;
  Builder(of_a, given, false).look_up(Lookup::Kind::semi, a, a_on);
  Builder(of_b, given, false).look_up(Lookup::Kind::semi, b, b_on);
  return same_form(of_a, of_b, false, given);
}

}  // namespace trustsql::equiv::checker
