#include "sql/schema_use.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_set>

#include "sql/ast_walk.hpp"

namespace trustsql {

std::string_view clause_name(Clause clause) {
  static constexpr std::string_view names[] = {"select",   "from",   "join",     "where",
                                               "group by", "having", "order by", "limit"};
  return names[static_cast<std::size_t>(clause)];
}

namespace {

class Collector {
 public:
  explicit Collector(const Resolution& resolution) : resolution_(resolution) {}

  std::vector<SchemaUse> collect() {
    query(resolution_.query());
    // Tables of which no column is used.
    for (const auto& table : tables_) {
      const bool has_column = named_.count({table.schema, table.table, table.via}) != 0;
      if (!has_column) add(table);
    }
    return std::move(uses_);
  }

 private:
  void query(const ResolvedQuery& query) {
    if (!seen_.insert(&query).second) return;
    for (const auto* arm : query.arms) select(*arm);
    for (const auto& term : query.order_by) {
      if (term.column < 0) {
        expr(*term.expr, Clause::order_by);
      } else {
        for (const auto* arm : query.arms)
          expr(*arm->columns[static_cast<std::size_t>(term.column)].expr, Clause::order_by);
      }
    }
    if (query.node->limit) expr(*query.node->limit, Clause::limit);
    if (query.node->offset) expr(*query.node->offset, Clause::limit);
  }

  void select(const ResolvedSelect& select) {
    if (select.values != nullptr) {
      for (const auto& row : select.values->rows) {
        for (const auto& value : row) expr(value, Clause::select);
      }
      return;
    }
    for (const auto& column : select.columns) expr(*column.expr, Clause::select);
    from(select.from);
    if (select.where != nullptr) expr(*select.where, Clause::where);
    for (const auto& term : select.group_by) {
      const auto& grouped = term.column < 0 ? *term.expr : *select.columns[static_cast<std::size_t>(term.column)].expr;
      expr(grouped, Clause::group_by);
    }
    if (select.node->having) expr(*select.node->having, Clause::having);
  }

  void from(const std::vector<ResolvedFromItem>& items) {
    for (const auto& item : items) {
      from(item.group);
      if (item.relation != nullptr) relation(*item.relation);
      for (const auto& pair : item.using_columns) {
        expr(*pair.left, Clause::join);
        expr(*pair.right, Clause::join);
      }
      if (item.on != nullptr) expr(*item.on, Clause::join);
    }
  }

  void relation(const Relation& relation) {
    const bool is_view = relation.kind == Relation::Kind::view;
    if (relation.table != nullptr) tables_.push_back(use(relation, SchemaUse::no_column, Clause::from));
    const auto* const outside = via_;
    if (is_view && via_ == nullptr) via_ = relation.table;
    if (relation.query != nullptr) query(*relation.query);
    via_ = outside;
    if (const auto* function = std::get_if<ast::TableFunction>(&relation.item->source)) {
      for (const auto& argument : function->arguments) expr(argument, Clause::from);
    }
  }

  void expr(const ast::Expr& expr, Clause clause) {
    ast::walk(expr, ast::Overloaded{[&](const ast::Expr& node) { return !resolution_.is_dropped(node); },
                                    [&](const ast::ColumnRef& ref) { column(ref, clause); },
                                    [&](const ast::Call& call) { window(call, clause); },
                                    [&](const ast::In& in) { return set(in, clause); },
                                    [&](const ast::Window&) { return false; },
                                    [&](const ast::Query& subquery) {
                                      query(resolution_.query(subquery));
                                      return false;
                                    }});
  }

  void column(const ast::ColumnRef& ref, Clause clause) {
    const auto& binding = resolution_.binding(ref);
    if (binding.kind == ColumnBinding::Kind::alias) {
      expr(*binding.select->columns[static_cast<std::size_t>(binding.item)].expr, clause);
    } else if (binding.select != nullptr) {
      column(binding.column, clause);
      for (const auto& id : binding.more) column(id, clause);
    }
  }

  void column(ColumnId id, Clause clause) {
    if (id.relation->table == nullptr) return;
    const auto column_use = use(*id.relation, id.column, clause);
    named_.insert({column_use.schema, column_use.table, column_use.via});
    add(column_use);
  }

  // OVER w uses the window named w.
  void window(const ast::Call& call, Clause clause) {
    if (!call.over) return;
    const auto* window = resolution_.call(call).window;
    for (const auto* partition : window->partition_by) expr(*partition, clause);
    for (const auto* term : window->order_by) expr(term->expr, clause);
  }

  // Returns false if the parts of `in` must not be visited.
  bool set(const ast::In& in, Clause clause) {
    if (std::holds_alternative<std::vector<ast::Expr>>(in.set)) return true;
    if (std::holds_alternative<ast::Box<ast::Query>>(in.set)) return true;
    expr(*in.operand, clause);
    query(resolution_.set(in));
    return false;
  }

  SchemaUse use(const Relation& relation, int column, Clause clause) const {
    SchemaUse use{
        .schema = relation.schema_name, .table = relation.table, .column = column, .clause = clause, .via = via_};
    if (column == ColumnId::rowid) use.name = "rowid";
    if (column < 0) return use;
    const auto place = static_cast<std::size_t>(column);
    use.name = relation.columns[place].name;
    // The columns of a view are those of its definition. The catalog has no columns for a view that a private
    // connection cannot prepare because the view calls a function that only the host has.
    if (place < relation.table->columns.size()) use.declared_type = relation.table->columns[place].declared_type;
    return use;
  }

  void add(const SchemaUse& use) {
    if (known_.insert({use.schema, use.table, use.column, use.clause, use.via}).second) uses_.push_back(use);
  }

  const Resolution& resolution_;
  std::vector<SchemaUse> uses_;
  std::vector<SchemaUse> tables_;
  std::set<std::tuple<std::string_view, const Table*, int, Clause, const Table*>> known_;
  std::set<std::tuple<std::string_view, const Table*, const Table*>> named_;
  std::unordered_set<const ResolvedQuery*> seen_;
  const Table* via_ = nullptr;
};

}  // namespace

std::vector<SchemaUse> schema_uses(const Resolution& resolution) { return Collector(resolution).collect(); }

}  // namespace trustsql
