#include "sql/skeleton/names.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"

namespace trustsql::skeleton {

namespace {

// Old name to new name, both in lower case.
using Renaming = std::map<std::string, std::string>;

std::string folded(const ast::Name& name) { return to_lower_ascii(name.text); }
ast::Name plain(std::string text) { return {std::move(text), ast::Quote::none}; }
void fold(ast::Name& name) { name = plain(folded(name)); }

// A table, subquery or common table in FROM.
struct Source {
  std::string exposed;  // the name by which the query calls it
  std::string normal;   // the name that it gets
  Renaming columns;
};
struct Scope {
  const Scope* outer = nullptr;
  std::vector<Source> sources{};
};

struct CommonTable {
  std::string normal;
  Renaming columns;
};
using CommonTables = std::map<std::string, CommonTable>;

// The column that the item shows as it is, if it is no expression.
const ast::ColumnRef* plain_column(const ast::SelectItem& item) { return item.expr() != nullptr ? item.expr()->as<ast::ColumnRef>() : nullptr; }

// What the columns of a subquery are called afterwards: a plain column by its own name, unless several have it, an
// expression by its place.
std::string normal_column(const ast::Select& select, std::size_t place) {
  const auto* column = plain_column(select.items[place]);
  const auto same = [&](const ast::SelectItem& item) {
    return column != nullptr && plain_column(item) != nullptr && plain_column(item)->column == column->column;
  };
  if (std::count_if(select.items.begin(), select.items.end(), same) == 1) return folded(column->column);
  return "c" + std::to_string(place + 1);
}

Renaming renamed_columns(const ast::Query& query) {
  Renaming columns;
  if (const auto* select = query.arms.front().select()) {
    for (std::size_t i = 0; i < select->items.size(); ++i)
      if (select->items[i].alias) columns[folded(*select->items[i].alias)] = normal_column(*select, i);
  }
  return columns;
}

bool mentions(const ast::Expr& expr, const ast::Name& column) {
  bool found = false;
  ast::walk(expr, [&](const ast::ColumnRef& ref) { found = found || ref.column == column; });
  return found;
}

enum class Use { rows, columns };  // of a query: its rows alone matter, or its columns are named from outside

class Normaliser {
 public:
  void query(ast::Query& query, Use use, const Scope* outer, CommonTables tables) {
    if (query.with) with(*query.with, outer, tables);
    expand_aliases(query);
    for (auto& arm : query.arms) {
      Scope scope{outer};
      if (auto* select = arm.select()) {
        this->select(*select, use, scope, tables);
      } else {
        for (auto& row : std::get<ast::Values>(arm.body).rows)
          for (auto& expr : row) expression(expr, scope, tables);
      }
      if (&arm == &query.arms.back()) {
        for (auto& term : query.order_by) expression(term.expr, scope, tables);
        if (query.limit) expression(*query.limit, scope, tables);
        if (query.offset) expression(*query.offset, scope, tables);
      }
    }
  }

 private:
  void with(ast::With& with, const Scope* outer, CommonTables& tables) {
    for (auto& table : with.tables) {
      CommonTable common{"cte_" + std::to_string(++common_tables_), renamed_columns(*table.query)};
      if (!table.columns.empty()) common.columns.clear();
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const std::string normal = "c" + std::to_string(i + 1);
        common.columns[folded(table.columns[i])] = normal;
        table.columns[i] = plain(normal);
      }
      // Before its own query, which may be recursive.
      tables[folded(table.name)] = common;
      table.name = plain(common.normal);
      query(*table.query, table.columns.empty() ? Use::columns : Use::rows, outer, tables);
    }
  }

  // An alias of the SELECT that stands for its expression: in ORDER BY before any column of that name, elsewhere after it.
  static void expand_aliases(ast::Query& query) {
    auto* first = query.arms.front().select();
    if (first == nullptr) return;
    for (auto& term : query.order_by) {
      const auto* column = term.expr.as<ast::ColumnRef>();
      if (column == nullptr || column->table) continue;
      for (std::size_t i = 0; i < first->items.size(); ++i) {
        const auto& item = first->items[i];
        if (!item.alias || !(*item.alias == column->column)) continue;
        if (query.arms.size() > 1) {
          term.expr.node = ast::Parameter{std::to_string(i + 1)};
        } else {
          term.expr = ast::Expr(*item.expr());
        }
        break;
      }
    }
    for (auto& arm : query.arms) {
      if (auto* select = arm.select()) expand_aliases(*select);
    }
  }
  static void expand_aliases(ast::Select& select) {
    const auto expand = [&](ast::Expr& expr) {
      ast::walk(expr, ast::Overloaded{[&](ast::Expr& inner) {
                                        const auto* column = inner.as<ast::ColumnRef>();
                                        if (column == nullptr || column->table) return true;
                                        for (const auto& item : select.items) {
                                          if (!item.alias || item.expr() == nullptr || !(*item.alias == column->column)) continue;
                                          if (mentions(*item.expr(), *item.alias)) continue;
                                          inner = ast::Expr(*item.expr());
                                          return false;
                                        }
                                        return true;
                                      },
                                      [](ast::Query&) { return false; }});
    };
    if (select.where) expand(*select.where);
    for (auto& expr : select.group_by) expand(expr);
    if (select.having) expand(*select.having);
  }

  void select(ast::Select& select, Use use, Scope& scope, const CommonTables& tables) {
    for (auto& item : select.from) source(item, scope, tables);
    Renaming windows;
    for (auto& window : select.windows) {
      const std::string normal = "w" + std::to_string(windows.size() + 1);
      windows[folded(window.name)] = normal;
      window.name = plain(normal);
    }
    std::vector<std::string> columns;
    for (std::size_t i = 0; i < select.items.size(); ++i) columns.push_back(normal_column(select, i));
    for (std::size_t i = 0; i < select.items.size(); ++i) {
      auto& item = select.items[i];
      const auto* column = plain_column(item);
      const bool keeps_name = column != nullptr && folded(column->column) == columns[i];
      if (use == Use::rows || keeps_name || item.expr() == nullptr) {
        item.alias.reset();
      } else if (item.alias) {
        item.alias = plain(columns[i]);
      }
      item.text.clear();
    }
    // What the walk meets first in a FROM item, its sources, is done already.
    for (auto& item : select.items) within(item, scope, tables, windows);
    for (auto& item : select.from) join_conditions(item, scope, tables, windows);
    if (select.where) within(*select.where, scope, tables, windows);
    for (auto& expr : select.group_by) within(expr, scope, tables, windows);
    if (select.having) within(*select.having, scope, tables, windows);
    for (auto& window : select.windows) within(window.window, scope, tables, windows);
  }

  void join_conditions(ast::FromItem& item, const Scope& scope, const CommonTables& tables, const Renaming& windows) {
    if (item.on) within(*item.on, scope, tables, windows);
    for (auto& name : item.using_columns) fold(name);
    if (auto* group = std::get_if<ast::JoinGroup>(&item.source)) {
      for (auto& inner : group->items) join_conditions(inner, scope, tables, windows);
    }
    if (auto* function = std::get_if<ast::TableFunction>(&item.source)) {
      for (auto& argument : function->arguments) within(argument, scope, tables, windows);
    }
  }

  // Names the source and adds it to the scope.
  void source(ast::FromItem& item, Scope& scope, const CommonTables& tables) {
    if (auto* group = std::get_if<ast::JoinGroup>(&item.source)) {
      for (auto& inner : group->items) source(inner, scope, tables);
      item.alias.reset();
      return;
    }
    Source source;
    std::string own;  // its name without an alias
    if (auto* derived = std::get_if<ast::DerivedTable>(&item.source)) {
      source.columns = renamed_columns(*derived->query);
      query(*derived->query, Use::columns, scope.outer, tables);
      source.normal = "derived_" + std::to_string(++derived_tables_);
    } else {
      auto* table = std::get_if<ast::Table>(&item.source);
      auto& name = table != nullptr ? table->name : std::get<ast::TableFunction>(item.source).name;
      own = folded(name.name);
      if (name.schema) fold(*name.schema);
      if (const auto common = tables.find(own); common != tables.end() && !name.schema && table != nullptr) {
        source.columns = common->second.columns;
        name.name = plain(common->second.normal);
      } else {
        fold(name.name);
      }
      source.normal = unused(name.name.text, scope);
      if (table != nullptr && table->hint && table->hint->index) fold(*table->hint->index);
      source.exposed = own;
      own = name.name.text;
    }
    if (item.alias) source.exposed = folded(*item.alias);
    item.alias.reset();
    if (source.normal != own) item.alias = plain(source.normal);
    scope.sources.push_back(std::move(source));
  }

  // `name`, or name_2, name_3 ... where an enclosing query or this one has it already.
  static std::string unused(const std::string& name, const Scope& scope) {
    const auto taken = [&](const std::string& candidate) {
      for (const auto* s = &scope; s != nullptr; s = s->outer)
        for (const auto& source : s->sources)
          if (source.normal == candidate) return true;
      return false;
    };
    if (!taken(name)) return name;
    int number = 2;
    while (taken(name + "_" + std::to_string(number))) ++number;
    return name + "_" + std::to_string(number);
  }

  void expression(ast::Expr& expr, const Scope& scope, const CommonTables& tables) { within(expr, scope, tables, {}); }

  template <class Node>
  void within(Node& node, const Scope& scope, const CommonTables& tables, const Renaming& windows) {
    const auto window = [&](ast::Name& name) {
      const auto found = windows.find(folded(name));
      name = plain(found != windows.end() ? found->second : folded(name));
    };
    ast::walk(node, ast::Overloaded{[&](ast::ColumnRef& ref) { column(ref, scope); },
                                    [&](ast::Star& star) {
                                      if (star.table) star.table = plain(table(*star.table, scope));
                                    },
                                    [&](ast::Call& call) {
                                      fold(call.name);
                                      if (call.over && std::holds_alternative<ast::Name>(*call.over)) window(std::get<ast::Name>(*call.over));
                                    },
                                    [&](ast::Window& w) {
                                      if (w.base) window(*w.base);
                                    },
                                    [&](ast::Collate& collate) { fold(collate.collation); },
                                    [&](ast::TableName& name) {  // IN table
                                      const auto common = tables.find(folded(name.name));
                                      name.name = plain(common != tables.end() && !name.schema ? common->second.normal : folded(name.name));
                                    },
                                    [&](ast::Query& inner) {
                                      query(inner, Use::rows, &scope, tables);
                                      return false;
                                    }});
  }

  static std::string table(const ast::Name& name, const Scope& scope) {
    const auto* source = find(name, scope);
    return source != nullptr ? source->normal : folded(name);
  }
  static const Source* find(const ast::Name& name, const Scope& scope) {
    const std::string exposed = folded(name);
    for (const auto* s = &scope; s != nullptr; s = s->outer)
      for (const auto& source : s->sources)
        if (source.exposed == exposed) return &source;
    return nullptr;
  }

  static void column(ast::ColumnRef& ref, const Scope& scope) {
    const std::string name = folded(ref.column);
    ref.column = plain(name);
    ref.schema = {};
    if (ref.table) {
      const auto* source = find(*ref.table, scope);
      if (source == nullptr) return fold(*ref.table);
      if (const auto renamed = source->columns.find(name); renamed != source->columns.end()) ref.column.text = renamed->second;
      ref.table = plain(source->normal);
      if (scope.sources.size() == 1 && source == &scope.sources.front()) ref.table.reset();
      return;
    }
    for (const auto* s = &scope; s != nullptr; s = s->outer) {
      for (const auto& source : s->sources) {
        if (const auto renamed = source.columns.find(name); renamed != source.columns.end()) {
          ref.column.text = renamed->second;
          return;
        }
      }
    }
  }

  int common_tables_ = 0;
  int derived_tables_ = 0;
};

}  // namespace

void normalise_names(ast::Query& query) { Normaliser().query(query, Use::rows, nullptr, {}); }

}  // namespace trustsql::skeleton
