#include "plan/smallest_integer.hpp"

#include <algorithm>
#include <set>

#include "db/catalog/catalog.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

// Values are told apart unless they are only passed on, compared as numbers, or tested for truth or NULL. As a rule may
// replace a column by one that it is equal to, what holds for one of them holds for both.
class Finder {
 public:
  explicit Finder(const Plan& plan) : plan_(plan) {}

  AttributeSet find() {
    do {
      changed_ = false;
      walk(plan_.root, [&](const Rel& rel) { look_at(rel); });
      share_among_uses();
    } while (changed_);
    return told_apart_;
  }

 private:
  static bool compares_numbers(const Comparison& how) { return how.affinity != Affinity::text; }

  void add(AttributeId id) {
    if (told_apart_.contains(id)) return;
    told_apart_.add(id);
    changed_ = true;
  }
  void add(const std::vector<AttributeId>& ids) {
    for (const auto id : ids) add(id);
  }

  void link(AttributeId a, AttributeId b) {
    if (told_apart_.contains(a)) add(b);
    if (told_apart_.contains(b)) add(a);
  }
  void link(const std::vector<AttributeId>& a, const std::vector<AttributeId>& b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) link(a[i], b[i]);
  }

  // All uses of a table are alike.
  void share_among_uses() {
    std::set<std::pair<const Table*, int>> columns;
    const auto for_each_column = [&](const auto& visit) {
      for (AttributeId id = 0; id < plan_.attributes.size(); ++id) {
        const auto& attribute = plan_.attributes[id];
        if (attribute.table != nullptr) visit(id, std::pair(attribute.table, attribute.position));
      }
    };
    for_each_column([&](AttributeId id, const auto& column) {
      if (told_apart_.contains(id)) columns.insert(column);
    });
    for_each_column([&](AttributeId id, const auto& column) {
      if (columns.contains(column)) add(id);
    });
  }

  // --- operators

  void look_at(const Rel& rel) {
    std::visit(Overloaded{
                   [&](const auto&) { for_each_expr(rel, [&](const Expr& expr) { look_at(expr, true); }); },
                   [&](const TableFunction& n) {
                     for (const auto& argument : n.arguments) look_at(argument, false);
                   },
                   [&](const Values& n) {
                     for (const auto& row : n.rows) {
                       for (std::size_t i = 0; i < row.size(); ++i) pass_on(row[i], n.ids[i]);
                     }
                   },
                   [&](const Project& n) {
                     for (const auto& item : n.items) pass_on(item.expr, item.id);
                   },
                   [&](const Aggregate& n) {
                     for (const auto& key : n.keys) pass_on(key.expr, key.id);
                     for (const auto& call : n.calls) look_at(call);
                   },
                   [&](const Window& n) {
                     for (const auto& call : n.calls) look_at(call);
                   },
                   [&](const SetOp& n) {
                     for (const auto& input : n.inputs) link(outputs(input), n.ids);
                   },
                   [&](const Recursive& n) {
                     link(outputs(*n.seed), n.ids);
                     for (const auto& step : n.steps) link(outputs(step), n.ids);
                   },
                   [&](const RecursiveRef& n) {
                     walk(plan_.root, [&](const Recursive& recursive) {
                       if (recursive.number == n.number) link(recursive.ids, n.ids);
                     });
                   },
               },
               rel.node);
  }

  void look_at(const AggregateCall& call) {
    const bool is_one_of_them = call.is_bare() || call.name == "min" || call.name == "max";
    for (const auto& argument : call.arguments) {
      if (is_one_of_them) {
        pass_on(argument, call.id);
      } else {
        look_at(argument, call.name == "count");
      }
    }
    for (const auto& key : call.order_by) look_at(key.expr, true);
    if (call.filter) look_at(*call.filter, true);
  }

  void look_at(const WindowCall& call) {
    constexpr std::string_view of_one_row[] = {"min", "max", "first_value", "last_value", "nth_value", "lag", "lead"};
    const bool is_one_of_them = std::ranges::find(of_one_row, call.name) != std::end(of_one_row);
    for (const auto& argument : call.arguments) {
      if (is_one_of_them) {
        pass_on(argument, call.id);
      } else {
        look_at(argument, call.name == "count");
      }
    }
    for (const auto& key : call.partition_by) look_at(key.expr, true);
    // The bounds of a frame are added to the key.
    for (const auto& key : call.order_by) look_at(key.expr, !call.frame);
    if (call.filter) look_at(*call.filter, true);
  }

  void pass_on(const Expr& expr, AttributeId id) {
    look_at(expr, !told_apart_.contains(id));
    if (const auto* from = column_id(expr)) link(*from, id);
  }

  // --- expressions

  // `tolerant`: what becomes of the value does not tell numbers apart.
  void look_at(const Expr& expr, bool tolerant) {
    if (const auto* id = column_id(expr)) {
      if (!tolerant) add(*id);
    } else if (const auto* n = expr.as<ScalarSubquery>()) {
      if (!tolerant) add(outputs(*n->rel));
    } else if (const auto* n = expr.as<InSubquery>()) {
      look_at_in(*n);
    } else if (const auto* n = expr.as<Compare>()) {
      compare(*n->left, *n->right, n->how);
    } else if (const auto* n = expr.as<RowCompare>()) {
      const auto left = elements(*n->left);
      const auto right = elements(*n->right);
      for (std::size_t i = 0; i < left.size() && i < right.size() && i < n->how.size(); ++i)
        compare(left[i], right[i], n->how[i]);
    } else if (const auto* n = expr.as<InList>()) {
      std::vector<Compared> items;
      for (const auto& item : n->items) items.push_back({item, n->how});
      compare(*n->operand, items);
    } else if (const auto* n = expr.as<Between>()) {
      compare(*n->operand, {{*n->low, n->low_how}, {*n->high, n->high_how}});
    } else if (const auto* n = expr.as<Case>()) {
      std::vector<Compared> conditions;
      for (const auto& branch : n->branches) {
        if (n->operand) {
          conditions.push_back({*branch.condition, branch.how});
        } else {
          look_at(*branch.condition, true);
        }
        look_at(*branch.result, tolerant);
      }
      if (n->operand) compare(*n->operand, conditions);
      if (n->otherwise) look_at(*n->otherwise, tolerant);
    } else {
      const bool tests = expr.is<And>() || expr.is<Or>() || expr.is<Not>() || expr.is<IsNull>() || expr.is<IsTruth>();
      const bool of_operands = tests || ((expr.is<Row>() || returns_argument(expr)) && tolerant);
      for_each_expr(expr, [&](const Expr& operand) { look_at(operand, of_operands); });
    }
  }

  static bool returns_argument(const Expr& expr) {
    using Returns = SqlFunction::Returns;
    const auto* n = expr.as<Function>();
    if (n == nullptr || n->info == nullptr) return false;
    const auto returns = n->info->returns;
    return returns == Returns::arguments || returns == Returns::branches || returns == Returns::first_argument ||
           returns == Returns::first_not_null;
  }

  // The elements of a row value, which is a Row or a subquery; a single value is its only element.
  static std::vector<Expr> elements(const Expr& expr) {
    if (const auto* n = expr.as<Row>()) return n->elements;
    const auto* n = expr.as<ScalarSubquery>();
    if (n == nullptr) return {expr};
    std::vector<Expr> columns;
    for (const auto id : outputs(*n->rel)) columns.push_back(column(id));
    return columns;
  }

  void look_at_in(const InSubquery& in) {
    const auto columns = outputs(*in.rel);
    const auto operands = in.operands.size() == in.how.size() ? in.operands : elements(in.operands.front());
    for (std::size_t i = 0; i < operands.size() && i < columns.size() && i < in.how.size(); ++i)
      compare(operands[i], column(columns[i]), in.how[i]);
  }

  void compare(const Expr& left, const Expr& right, const Comparison& how) { compare(left, {{right, how}}); }

  // What an expression is compared with, and how.
  struct Compared {
    const Expr& expr;
    const Comparison& how;
  };
  // The operand is looked at once: operands in operands would take twice as long with each level.
  void compare(const Expr& operand, const std::vector<Compared>& others) {
    look_at(operand, std::ranges::all_of(others, [](const Compared& each) { return compares_numbers(each.how); }));
    for (const auto& each : others) {
      look_at(each.expr, compares_numbers(each.how));
      if (is_told_apart(operand)) add_columns_of(each.expr);
      if (is_told_apart(each.expr)) add_columns_of(operand);
    }
  }

  bool is_told_apart(const Expr& expr) const {
    if (const auto* n = expr.as<ScalarSubquery>(); n != nullptr && output_set(*n->rel).intersects(told_apart_))
      return true;
    return references(expr).intersects(told_apart_);
  }

  void add_columns_of(const Expr& expr) {
    if (const auto* id = column_id(expr)) add(*id);
    if (const auto* n = expr.as<ScalarSubquery>()) add(outputs(*n->rel));
  }

  const Plan& plan_;
  AttributeSet told_apart_;
  bool changed_ = false;
};

}  // namespace

void find_where_smallest_matters(Plan& plan) {
  Finder(plan).find().for_each([&](AttributeId id) { plan.attributes[id].smallest_matters = true; });
}

}  // namespace trustsql::plan
