#include "equiv/refuter/sketch.hpp"

#include <algorithm>
#include <unordered_map>

#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

constexpr int max_operators = 2000;  // visited operators; subqueries count each time they are visited
constexpr std::size_t max_sketch_rows = 40;
constexpr std::size_t max_atoms = 120;
constexpr std::size_t max_choices = 40;
constexpr std::size_t largest_expression = 60;  // nodes of an atom or a definition
constexpr std::int64_t largest_count = 250;

using Kind = Sketch::Part::Kind;

class Sketcher {
 public:
  Sketcher(const Plan& plan, const DataModel& model) : plan_(plan), model_(model) {
    sketch_.by_attribute.assign(plan.attributes.size(), -1);
  }

  Sketch make() {
    sketch_.parts.push_back({});
    draw(plan_.root, 0);
    return std::move(sketch_);
  }

 private:
  int new_part(Kind kind, int parent) {
    sketch_.parts.push_back({kind, parent});
    return static_cast<int>(sketch_.parts.size() - 1);
  }

  void draw(const Rel& rel, int part) {
    if (++steps_ > max_operators) return;
    std::visit(ast::Overloaded{
                   [&](const Scan& n) { draw_scan(n, part); },
                   [&](const Filter& n) {
                     draw(*n.input, part);
                     require(n.conjuncts, part);
                   },
                   [&](const Project& n) {
                     draw(*n.input, part);
                     for (const auto& item : n.items) define(item.id, item.expr, part);
                   },
                   [&](const Join& n) { draw_join(n, part); },
                   [&](const Apply& n) { draw_apply(n, part); },
                   [&](const Aggregate& n) { draw_aggregate(n, part); },
                   [&](const Window& n) { draw_window(n, part); },
                   [&](const Distinct& n) {
                     draw(*n.input, part);
                     sketch_.groups.push_back({variables_of(outputs(*n.input))});
                   },
                   [&](const Sort& n) { draw(*n.input, part); },
                   [&](const Limit& n) { draw_limit(n, part); },
                   [&](const SetOp& n) { draw_set(n, part); },
                   [&](const Derived& n) { draw(*n.input, part); },
                   [&](const Recursive& n) {
                     draw(*n.seed, part);
                     same_columns(n.ids, outputs(*n.seed));
                   },
                   [&](const auto&) {},
               },
               rel.node);
  }

  void draw_scan(const Scan& n, int part) {
    if (sketch_.rows.size() >= max_sketch_rows) return;
    for (std::size_t t = 0; t < model_.tables.size(); ++t) {
      const auto& table = model_.tables[t];
      if (n.name != table.table->name || n.schema != table.table->schema) continue;
      const int first = static_cast<int>(sketch_.variables.size());
      const int row = static_cast<int>(sketch_.rows.size());
      sketch_.rows.push_back({t, part, first});
      for (std::size_t c = 0; c < table.columns.size(); ++c) sketch_.variables.push_back({t, c, row});
      for (const auto& column : n.columns) {
        const int place = table.place_of(column.position);
        if (place >= 0) sketch_.by_attribute[column.id] = first + place;
      }
      return;
    }
  }

  void draw_join(const Join& n, int part) {
    int left = part;
    int right = part;
    switch (n.type) {
      case JoinType::inner:
      case JoinType::semi: break;
      case JoinType::left: right = new_part(Kind::optional, part); break;
      case JoinType::right: left = new_part(Kind::optional, part); break;
      case JoinType::full:
        left = new_part(Kind::optional, part);
        right = new_part(Kind::optional, part);
        break;
      case JoinType::anti: right = new_part(Kind::unwanted, part); break;
    }
    draw(*n.left, left);
    draw(*n.right, right);
    require(n.on, right != part ? right : left);
  }

  void draw_apply(const Apply& n, int part) {
    int right = part;
    if (n.type == ApplyType::anti) right = new_part(Kind::unwanted, part);
    if (n.type == ApplyType::lateral_left) right = new_part(Kind::optional, part);
    draw(*n.left, part);
    draw(*n.right, right);
    require(n.on, right);
  }

  void draw_aggregate(const Aggregate& n, int part) {
    draw(*n.input, part);
    Sketch::Group group;
    for (const auto& key : n.keys) {
      define(key.id, key.expr, part);
      add_variables(key.expr, group.keys);
    }
    if (n.grouped) sketch_.groups.push_back(std::move(group));
    for (const auto& call : n.calls) {
      if (call.name == "count" || call.arguments.empty()) {
        counts_.add(call.id);
      } else {
        define(call.id, call.arguments.front(), part);
      }
    }
  }

  void draw_window(const Window& n, int part) {
    draw(*n.input, part);
    for (const auto& call : n.calls) {
      Sketch::Group group;
      for (const auto& key : call.partition_by) add_variables(key.expr, group.keys);
      if (!group.keys.empty()) sketch_.groups.push_back(std::move(group));
      Sketch::Cut cut;
      for (const auto& key : call.order_by) add_variables(key.expr, cut.keys);
      sketch_.cuts.push_back(std::move(cut));
      if (call.arguments.empty() || call.name == "count" || call.name == "ntile") {
        counts_.add(call.id);
      } else {
        define(call.id, call.arguments.front(), part);
      }
    }
  }

  void draw_limit(const Limit& n, int part) {
    draw(*n.input, part);
    Sketch::Cut cut;
    for (const auto* bound : {n.count.get(), n.offset.get()}) {
      const auto* number = bound != nullptr ? literal_as<std::int64_t>(*bound) : nullptr;
      if (number != nullptr && *number > 0 && *number < largest_count)
        cut.count = bound == n.offset.get() ? cut.count + *number : *number;
    }
    const Rel* input = n.input.get();
    while (const auto* project = input->as<Project>()) input = project->input.get();
    if (const auto* sort = input->as<Sort>()) {
      for (const auto& key : sort->keys) {
        add_variables(key.expr, cut.keys);
        if (const auto* id = column_id(key.expr); id != nullptr && counts_.contains(*id)) sketch_.counts.push_back(2);
      }
    }
    sketch_.cuts.push_back(std::move(cut));
  }

  void draw_set(const SetOp& n, int part) {
    std::vector<AttributeId> first;
    for (std::size_t i = 0; i < n.inputs.size(); ++i) {
      const bool is_union = n.op == ast::SetOp::union_all || n.op == ast::SetOp::union_distinct;
      int own_part = part;
      if (is_union) own_part = new_part(Kind::optional, part);
      if (n.op == ast::SetOp::except && i > 0) own_part = new_part(Kind::unwanted, part);
      draw(n.inputs[i], own_part);
      const auto ids = outputs(n.inputs[i]);
      if (i == 0) {
        first = ids;
        same_columns(n.ids, first);
        continue;
      }
      if (is_union) continue;
      for (std::size_t c = 0; c < std::min(first.size(), ids.size()); ++c)
        require(compare(CompareOp::equal, column(first[c]), column(ids[c])), own_part);
    }
  }

  void same_columns(const std::vector<AttributeId>& ids, const std::vector<AttributeId>& sources) {
    for (std::size_t i = 0; i < std::min(ids.size(), sources.size()); ++i) {
      if (ids[i] != sources[i]) define(ids[i], column(sources[i]), 0);
    }
  }

  // --- expressions ---

  // `expr` over the columns of tables, with subqueries replaced by their first column.
  std::optional<Expr> resolved(const Expr& expr, int part) {
    if (size_of(expr) > largest_expression) return std::nullopt;
    Expr copy = expr;
    replace_subqueries(copy, part);
    substitute(copy, [&](AttributeId id) -> const Expr* {
      const auto known = definitions_.find(id);
      return known == definitions_.end() ? nullptr : &known->second;
    });
    if (size_of(copy) > largest_expression) return std::nullopt;
    return copy;
  }

  void replace_subqueries(Expr& expr, int part) {
    if (auto* subquery = expr.as<ScalarSubquery>()) {
      const Rel rel = std::move(*subquery->rel);
      draw(rel, part);
      const auto ids = outputs(rel);
      expr = ids.empty() ? literal({}) : column(ids.front());
      return;
    }
    for_each_expr(expr, [&](Expr& operand) { replace_subqueries(operand, part); });
  }

  void define(AttributeId id, const Expr& expr, int part) {
    const auto* from = column_id(expr);
    if (from != nullptr && *from == id) return;
    if (from != nullptr && counts_.contains(*from)) counts_.add(id);
    note_counts(expr);
    if (auto definition = resolved(expr, part)) definitions_.insert_or_assign(id, *std::move(definition));
  }

  std::vector<int> variables_of(const std::vector<AttributeId>& ids) {
    std::vector<int> variables;
    for (const auto id : ids) add_variables(column(id), variables);
    return variables;
  }

  void add_variables(const Expr& expr, std::vector<int>& variables) {
    const auto known = resolved(expr, 0);
    if (!known) return;
    references(*known).for_each([&](AttributeId id) {
      const int variable = sketch_.variable_of(id);
      if (variable >= 0 && std::ranges::find(variables, variable) == variables.end()) variables.push_back(variable);
    });
  }

  void require(const std::vector<Expr>& conjuncts, int part) {
    for (const auto& conjunct : conjuncts) require(conjunct, part);
  }

  void require(const Expr& expr, int part) {
    if (sketch_.atoms.size() >= max_atoms) return;
    if (const auto* n = expr.as<And>()) return require(n->terms, part);
    if (const auto* n = expr.as<Exists>()) return draw(*n->rel, n->negated ? new_part(Kind::unwanted, part) : part);
    if (const auto* n = expr.as<InSubquery>()) {
      const int own = n->negated ? new_part(Kind::unwanted, part) : part;
      draw(*n->rel, own);
      const auto ids = outputs(*n->rel);
      for (std::size_t i = 0; i < std::min(ids.size(), n->operands.size()); ++i)
        require(compare(CompareOp::equal, n->operands[i], column(ids[i]), n->how[i]), own);
      return;
    }
    const auto condition = resolved(expr, part);
    if (!condition) return;
    if (const auto* n = condition->as<Compare>()) {
      if (note_count(*n->left, *n->right) || note_count(*n->right, *n->left)) return;
      const auto* left = column_id(*n->left);
      const auto* right = column_id(*n->right);
      if (left != nullptr && right != nullptr && (n->op == CompareOp::equal || n->op == CompareOp::is)) {
        const int a = sketch_.variable_of(*left);
        const int b = sketch_.variable_of(*right);
        if (a >= 0 && b >= 0) sketch_.equalities.push_back({a, b, part});
        return;
      }
      // A column compared with a cast of, or a calculation from, another column: equal values will mostly
      // satisfy it.
      if (n->op == CompareOp::equal || n->op == CompareOp::is) {
        const int a = only_variable(*n->left);
        const int b = only_variable(*n->right);
        if (a >= 0 && b >= 0) {
          sketch_.equalities.push_back({a, b, part});
          return;
        }
      }
    }
    note_counts(*condition);
    if (const auto* n = condition->as<Between>()) {
      if (note_count(*n->operand, *n->low) && note_count(*n->operand, *n->high)) return;
    }
    Sketch::Atom atom{*condition, part, {}};
    bool complete = true;
    references(*condition).for_each([&](AttributeId id) {
      const int variable = sketch_.variable_of(id);
      if (variable < 0) complete = false;
      atom.variables.push_back(variable);
    });
    if (!complete || atom.variables.empty()) return;
    sketch_.atoms.push_back(std::move(atom));
    const int index = static_cast<int>(sketch_.atoms.size()) - 1;
    const auto choose = [&](Expr choice) {
      if (sketch_.choices.size() < max_choices) sketch_.choices.push_back({index, std::move(choice)});
    };
    if (const auto* n = condition->as<Or>()) {
      for (const auto& term : n->terms) choose(term);
    } else if (const auto* list = condition->as<InList>(); list != nullptr && !list->negated) {
      for (const auto& item : list->items) choose(compare(CompareOp::equal, *list->operand, item, list->how));
    }
  }

  int only_variable(const Expr& expr) {
    const auto ids = references(expr).to_vector();
    return ids.size() == 1 ? sketch_.variable_of(ids.front()) : -1;
  }

  // Records the counts that `expr` compares anywhere.
  void note_counts(const Expr& expr) {
    for_each_expr(expr, [&](const Expr& operand) { note_counts(operand); });
    if (const auto* n = expr.as<Compare>()) {
      if (!note_count(*n->left, *n->right)) note_count(*n->right, *n->left);
    }
  }

  // Whether `number` is a count of rows compared with a constant; if so, records it.
  bool note_count(const Expr& number, const Expr& bound) {
    const auto* id = column_id(number);
    if (id == nullptr || !counts_.contains(*id)) return false;
    if (const auto* value = literal_value(bound)) {
      std::int64_t count = 0;
      if (const auto* integer = std::get_if<std::int64_t>(value)) count = *integer;
      if (const auto* real = std::get_if<double>(value);
          real != nullptr && *real > 0 && *real < static_cast<double>(largest_count))
        count = static_cast<std::int64_t>(*real);
      if (count > 0 && count <= largest_count && std::ranges::find(sketch_.counts, count) == sketch_.counts.end())
        sketch_.counts.push_back(count);
    }
    return true;
  }

  const Plan& plan_;
  const DataModel& model_;
  Sketch sketch_;
  int steps_ = 0;
  AttributeSet counts_;
  std::unordered_map<AttributeId, Expr> definitions_;
};

}  // namespace

Sketch sketch_of(const Plan& plan, const DataModel& model) { return Sketcher(plan, model).make(); }

}  // namespace trustsql::equiv
