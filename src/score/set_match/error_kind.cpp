#include "score/set_match/error_kind.hpp"

#include <algorithm>
#include <vector>

#include "sql/ast_walk.hpp"

namespace trustsql {

std::string_view error_kind_name(ErrorKind kind) {
  static constexpr std::string_view names[] = {"values", "conditions", "table/column", "others"};
  return names[static_cast<std::size_t>(kind)];
}

namespace {

using Bag = std::vector<std::uint64_t>;

// The expression without the names of columns and tables.
ast::Expr without_names(ast::Expr expr) {
  ast::walk(expr, ast::Overloaded{[](ast::ColumnRef& ref) { ref = {}; }, [](ast::TableName& name) { name = {}; }});
  return expr;
}

// An order in which names only decide between expressions that are equal without them.
bool comes_before(const ast::Expr& a, const ast::Expr& b) {
  const auto key = [](const ast::Expr& expr) { return std::pair(ast::hash(without_names(expr)), ast::hash(expr)); };
  return key(a) < key(b);
}

// --- canonical form -------------------------------------------------------------------------------------------------

// Rewrites a query to canonical form, in place.
class Canonical {
 public:
  // `qualified`: where FROM has several tables, columns keep the name of their table; otherwise they lose it.
  // `literals`: literals are kept; otherwise all but NULL become the same literal.
  Canonical(bool qualified, bool literals) : qualified_(qualified), literals_(literals) {}

  void rewrite(ast::Query& query) {
    if (query.with) {
      for (auto& table : query.with->tables) rewrite(*table.query);
    }
    const auto* const single = query.single_select();
    for (auto& arm : query.arms) {
      if (auto* select = arm.select()) {
        rewrite(*select, select == single ? &query.order_by : nullptr);
      } else {
        for (auto& row : std::get<ast::Values>(arm.body).rows) {
          for (auto& value : row) rewrite(value);
        }
      }
    }
    if (single == nullptr) {
      for (auto& term : query.order_by) rewrite(term.expr);
    }
    if (query.limit) rewrite(*query.limit);
    if (query.offset) rewrite(*query.offset);
  }

  Bag take_values() { return std::move(values_); }
  // Whether an unqualified column was seen where FROM has several tables: qualified and unqualified names cannot then
  // be compared.
  bool has_unqualified() const { return has_unqualified_; }

 private:
  struct Alias {
    ast::Name alias;
    ast::Name table;  // empty for a subquery
  };
  using Scope = std::vector<Alias>;

  void rewrite(ast::Select& select, std::vector<ast::OrderTerm>* order_by) {
    for (auto& expr : select.group_by) replace_aliases(select, expr, true);
    if (select.having) replace_aliases(select, *select.having, false);
    if (order_by != nullptr) {
      for (auto& term : *order_by) replace_aliases(select, term.expr, true);
    }
    Scope scope;
    enter(select.from, scope);
    scopes_.push_back(std::move(scope));
    for (auto& item : select.items) {
      item.alias.reset();
      if (auto* expr = item.expr()) {
        rewrite(*expr);
      } else if (auto& star = std::get<ast::Star>(item.value); star.table) {
        star.table = scopes_.back().size() > 1 ? table_of(*star.table) : std::nullopt;
      }
    }
    rewrite_conditions(select.from);
    if (select.where) rewrite(*select.where);
    for (auto& expr : select.group_by) rewrite(expr);
    if (select.having) rewrite(*select.having);
    if (order_by != nullptr) {
      for (auto& term : *order_by) rewrite(term.expr);
    }
    scopes_.pop_back();
  }

  void enter(std::vector<ast::FromItem>& items, Scope& scope) {
    for (auto& item : items) {
      if (auto* table = std::get_if<ast::Table>(&item.source)) {
        scope.push_back({item.alias ? *item.alias : table->name.name, table->name.name});
      } else if (auto* derived = std::get_if<ast::DerivedTable>(&item.source)) {
        rewrite(*derived->query);
        scope.push_back({item.alias.value_or(ast::Name{}), {}});
      } else if (auto* group = std::get_if<ast::JoinGroup>(&item.source)) {
        enter(group->items, scope);
      }
      item.alias.reset();
    }
  }

  void rewrite_conditions(std::vector<ast::FromItem>& items) {
    for (auto& item : items) {
      if (item.on) rewrite(*item.on);
      if (auto* group = std::get_if<ast::JoinGroup>(&item.source)) rewrite_conditions(group->items);
      if (auto* function = std::get_if<ast::TableFunction>(&item.source)) {
        for (auto& argument : function->arguments) rewrite(argument);
      }
    }
  }

  // Replaces aliases of result columns by their expressions, and a result column's number if it is the whole term
  // (`is_term`).
  void replace_aliases(const ast::Select& select, ast::Expr& expr, bool is_term) {
    if (const auto* literal = expr.as<ast::Literal>(); is_term && literal != nullptr) {
      const Value value = literal->value();
      const auto* number = std::get_if<std::int64_t>(&value);
      if (number == nullptr || *number < 1 || static_cast<std::size_t>(*number) > select.items.size()) return;
      if (const auto* item = select.items[static_cast<std::size_t>(*number) - 1].expr()) expr = ast::Expr(*item);
      return;
    }
    if (const auto* ref = expr.as<ast::ColumnRef>()) {
      if (ref->table) return;
      for (const auto& item : select.items) {
        if (item.expr() == nullptr || !item.alias || !(*item.alias == ref->column)) continue;
        expr = ast::Expr(*item.expr());
        return;
      }
      return;
    }
    each_expr_below(expr, [&](ast::Expr& child) { replace_aliases(select, child, false); });
  }

  // Calls `visit` on the topmost expressions below `node`, except those inside queries.
  template <class Node, class Visit>
  static void each_expr_below(Node& node, const Visit& visit) {
    ast::for_each_child(node, [&](auto& child) {
      using Child = std::decay_t<decltype(child)>;
      if constexpr (std::is_same_v<Child, ast::Expr>) {
        visit(child);
      } else if constexpr (!std::is_same_v<Child, ast::Query>) {
        each_expr_below(child, visit);
      }
    });
  }

  template <class Node>
  void rewrite_below(Node& node) {
    ast::for_each_child(node, [&](auto& child) {
      using Child = std::decay_t<decltype(child)>;
      if constexpr (std::is_same_v<Child, ast::Expr> || std::is_same_v<Child, ast::Query>) {
        rewrite(child);
      } else {
        rewrite_below(child);
      }
    });
  }

  void rewrite(ast::Expr& expr) {
    if (const auto* ref = expr.as<ast::ColumnRef>(); ref != nullptr && ref->may_be_string()) {
      expr.node = ast::Literal{ast::Literal::Kind::string, ref->column.text};
    }
    if (auto* literal = expr.as<ast::Literal>()) {
      values_.push_back(ast::hash(*literal));
      if (!literals_ && literal->kind != ast::Literal::Kind::null) *literal = {ast::Literal::Kind::string, ""};
      return;
    }
    if (auto* ref = expr.as<ast::ColumnRef>()) return rewrite(*ref);
    rewrite_below(expr);
    auto* binary = expr.as<ast::Binary>();
    if (binary == nullptr) return;
    using Op = ast::BinaryOp;
    if (binary->op == Op::greater || binary->op == Op::greater_equal) {
      binary->op = binary->op == Op::greater ? Op::less : Op::less_equal;
      std::swap(binary->left, binary->right);
    } else if ((binary->op == Op::equal || binary->op == Op::not_equal) &&
               comes_before(*binary->right, *binary->left)) {
      std::swap(binary->left, binary->right);
    }
  }

  void rewrite(ast::ColumnRef& ref) {
    ref.schema = {};
    if (!ref.table) {
      if (!scopes_.empty() && scopes_.back().size() > 1) has_unqualified_ = true;
    } else {
      ref.table = qualified_ ? table_of(*ref.table) : std::nullopt;
    }
  }

  // The table that a qualifier stands for; nullopt if it is the only table of the innermost scope.
  std::optional<ast::Name> table_of(const ast::Name& qualifier) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      for (const auto& alias : *scope) {
        if (!(alias.alias == qualifier)) continue;
        const auto same =
            std::count_if(scope->begin(), scope->end(), [&](const Alias& other) { return other.table == alias.table; });
        if (scope == scopes_.rbegin() && scope->size() == 1) return std::nullopt;
        if (same == 1) return alias.table;
        // Of several instances of one table: which of them it is.
        const auto before =
            std::count_if(scope->data(), &alias, [&](const Alias& other) { return other.table == alias.table; });
        return ast::Name{alias.table.text + ":" + std::to_string(before)};
      }
    }
    return qualifier;
  }

  bool qualified_;
  bool literals_;
  bool has_unqualified_ = false;
  std::vector<Scope> scopes_;
  Bag values_;
};

// --- the parts of a query --------------------------------------------------------------------------------------------

enum class Place : std::uint64_t { select, table, join, where, group, having, order, clause, set_operator };

// The parts of a query, as bags of hashes.
struct Parts {
  Bag values;            // literals
  Bag conditions;        // conjuncts of WHERE and HAVING
  Bag condition_shapes;  // the same without names
  Bag names;             // tables, joins, columns and all other expressions outside the conditions
  Bag shape;             // clauses and expressions, without names
  bool has_unqualified = false;

  friend bool operator==(const Parts& a, const Parts& b) {
    return a.values == b.values && a.conditions == b.conditions && a.names == b.names && a.shape == b.shape;
  }

  void sort() {
    for (Bag* bag : {&values, &conditions, &condition_shapes, &names, &shape}) std::sort(bag->begin(), bag->end());
  }
};

template <class T>
std::uint64_t hash_at(Place place, const T& node) {
  return ast::detail::Hasher<T>::hash(node, static_cast<std::uint64_t>(place) + 1);
}

std::uint64_t shape_at(Place place, const ast::Expr& expr) { return hash_at(place, without_names(expr)); }

class Collector {
 public:
  explicit Collector(Parts& parts) : parts_(parts) {}

  void query(const ast::Query& query) {
    if (query.with) {
      for (const auto& table : query.with->tables) this->query(*table.query);
    }
    for (std::size_t i = 0; i < query.arms.size(); ++i) {
      if (i > 0) note(Place::set_operator, static_cast<std::uint64_t>(query.arms[i].op));
      arm_ = i;
      if (const auto* select = query.arms[i].select()) this->select(*select);
    }
    for (const auto& term : query.order_by) {
      note(Place::order, term.descending ? 1 : 0);
      expr(Place::order, term.expr);
    }
    if (query.limit) note(Place::clause, 1);
    if (query.offset) note(Place::clause, 2);
  }

 private:
  void select(const ast::Select& select) {
    if (select.distinct) note(Place::clause, 3);
    if (!select.group_by.empty()) note(Place::clause, 4);
    for (const auto& item : select.items) {
      if (const auto* expr = item.expr()) {
        this->expr(Place::select, *expr);
      } else {
        parts_.names.push_back(hash_at(Place::select, std::get<ast::Star>(item.value)));
      }
    }
    from(select.from);
    if (select.where) conjuncts(Place::where, *select.where);
    for (const auto& expr : select.group_by) this->expr(Place::group, expr);
    if (select.having) conjuncts(Place::having, *select.having);
  }

  void from(const std::vector<ast::FromItem>& items) {
    for (const auto& item : items) {
      if (const auto* table = std::get_if<ast::Table>(&item.source))
        parts_.names.push_back(hash_at(Place::table, table->name.name));
      if (const auto* function = std::get_if<ast::TableFunction>(&item.source))
        parts_.names.push_back(hash_at(Place::table, *function));
      if (const auto* group = std::get_if<ast::JoinGroup>(&item.source)) from(group->items);
      if (const auto* derived = std::get_if<ast::DerivedTable>(&item.source)) {
        note(Place::clause, 5);
        query(*derived->query);
      }
      if (item.join >= ast::JoinType::left) note(Place::join, static_cast<std::uint64_t>(item.join));
      if (item.natural) note(Place::join, 100);
      for (const auto& name : item.using_columns) parts_.names.push_back(hash_at(Place::join, name));
      if (item.on) conjuncts(Place::join, *item.on);
    }
  }

  void conjuncts(Place place, const ast::Expr& condition) {
    const auto* binary = condition.as<ast::Binary>();
    if (binary != nullptr && binary->op == ast::BinaryOp::logical_and) {
      conjuncts(place, *binary->left);
      conjuncts(place, *binary->right);
      return;
    }
    // As in FROM a, b WHERE a.x = b.y.
    const bool joins = binary != nullptr && binary->op == ast::BinaryOp::equal && binary->left->is<ast::ColumnRef>() &&
                       binary->right->is<ast::ColumnRef>();
    if (place == Place::join || (place == Place::where && joins)) {
      parts_.names.push_back(hash_at(Place::join, condition));
    } else {
      parts_.conditions.push_back(mix64(hash_at(place, condition) + arm_));
      parts_.condition_shapes.push_back(mix64(shape_at(place, condition) + arm_));
    }
  }

  void expr(Place place, const ast::Expr& expr) {
    parts_.names.push_back(hash_at(place, expr));
    if (!expr.is<ast::ColumnRef>()) parts_.shape.push_back(shape_at(place, expr));
  }

  void note(Place place, std::uint64_t kind) {
    parts_.shape.push_back(mix64(static_cast<std::uint64_t>(place) * 1000 + kind));
  }

  Parts& parts_;
  std::size_t arm_ = 0;  // index of the current arm of the query entered last
};

Parts parts_of(const ast::Query& query, bool qualified, bool literals) {
  ast::Query copy = query;
  Canonical canonical(qualified, literals);
  canonical.rewrite(copy);
  Parts parts;
  parts.values = canonical.take_values();
  parts.has_unqualified = canonical.has_unqualified();
  Collector(parts).query(copy);
  parts.sort();
  return parts;
}

}  // namespace

std::optional<ErrorKind> error_kind(const ast::Query& gold, const ast::Query& prediction) {
  bool qualified = true;
  Parts right = parts_of(gold, qualified, false);
  Parts predicted = parts_of(prediction, qualified, false);
  if (right.has_unqualified || predicted.has_unqualified) {
    qualified = false;
    right = parts_of(gold, qualified, false);
    predicted = parts_of(prediction, qualified, false);
  }
  const bool same_names = right.names == predicted.names && right.shape == predicted.shape;
  if (same_names && right.conditions == predicted.conditions) {
    if (parts_of(gold, qualified, true) == parts_of(prediction, qualified, true)) return std::nullopt;
    return ErrorKind::values;
  }
  if (same_names) return ErrorKind::conditions;
  const bool same_shape = right.shape == predicted.shape && right.condition_shapes == predicted.condition_shapes;
  return same_shape ? ErrorKind::table_column : ErrorKind::others;
}

}  // namespace trustsql
