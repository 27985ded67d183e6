#include "equiv/similarity/data_flow.hpp"

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/skeleton/names.hpp"

namespace trustsql {

namespace {

class Flows {
 public:
  std::unordered_map<std::string, std::size_t> bag;

  void add(const ast::Query& query) {
    if (query.with) {
      for (const auto& table : query.with->tables) add(*table.query);
    }
    std::string table = "?";
    for (const auto& arm : query.arms) {
      if (const auto* select = arm.select()) {
        table = only_table(*select);
        add(*select, table);
      } else {
        add_all(std::get<ast::Values>(arm.body), "values", table);
      }
    }
    for (const auto& term : query.order_by) add_all(term, "order by", table);
  }

 private:
  // The name of the only table of a SELECT; "?" if there is none.
  static std::string only_table(const ast::Select& select) {
    if (select.from.size() != 1) return "?";
    const auto& item = select.from.front();
    if (item.alias) return item.alias->text;
    const auto* table = std::get_if<ast::Table>(&item.source);
    return table != nullptr ? to_lower_ascii(table->name.name.text) : "?";
  }

  void add(const ast::Select& select, const std::string& table) {
    for (const auto& item : select.items) add_all(item, "select", table);
    for (const auto& item : select.from) add_all(item, "from", table);
    if (select.where) add_all(*select.where, "where", table);
    for (const auto& expr : select.group_by) add_all(expr, "group by", table);
    if (select.having) add_all(*select.having, "having", table);
    for (const auto& window : select.windows) add_all(window, "window", table);
  }

  // Every column below `node`; those in subqueries are assigned to the subqueries' own clauses.
  template <ast::Node T>
  void add_all(const T& node, std::string_view clause, const std::string& table) {
    ast::walk(node,
              ast::Overloaded{[&](const ast::ColumnRef& column) {
                                const std::string& from = column.table ? column.table->text : table;
                                ++bag[from + '.' + to_lower_ascii(column.column.text) + " -> " + std::string(clause)];
                              },
                              [&](const ast::Query& inner) {
                                add(inner);
                                return false;
                              }});
  }
};

}  // namespace

Result<std::unordered_map<std::string, std::size_t>> data_flows(const ast::Query& query) {
  ast::Query copy = query;
  TRUSTSQL_RETURN_IF_ERROR(skeleton::normalise_names(copy));
  Flows flows;
  flows.add(copy);
  return std::move(flows.bag);
}

}  // namespace trustsql
