#include "sql/skeleton/names.hpp"

#include <algorithm>
#include <map>

#include "base/result.hpp"
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
// By name in lower case: those of a WITH, and of the ones around it.
struct CommonTables {
  const CommonTables* outer = nullptr;
  std::map<std::string, CommonTable> own{};

  const CommonTable* find(const std::string& name) const {
    for (const auto* tables = this; tables != nullptr; tables = tables->outer)
      if (const auto found = tables->own.find(name); found != tables->own.end()) return &found->second;
    return nullptr;
  }
};

// The column that the item shows as it is, if it is no expression.
const ast::ColumnRef* plain_column(const ast::SelectItem& item) { return item.expr() != nullptr ? item.expr()->as<ast::ColumnRef>() : nullptr; }

// What the columns of a subquery are called afterwards: a plain column by its own name, unless several have it, an
// expression by its place.
std::vector<std::string> normal_columns(const ast::Select& select) {
  std::map<std::string, int> uses;
  for (const auto& item : select.items)
    if (const auto* column = plain_column(item)) ++uses[folded(column->column)];
  std::vector<std::string> names;
  for (const auto& item : select.items) {
    const auto* column = plain_column(item);
    const bool is_unique = column != nullptr && uses[folded(column->column)] == 1;
    names.push_back(is_unique ? folded(column->column) : "c" + std::to_string(names.size() + 1));
  }
  return names;
}

Renaming renamed_columns(const ast::Query& query) {
  Renaming columns;
  if (const auto* select = query.arms.front().select()) {
    const auto names = normal_columns(*select);
    for (std::size_t i = 0; i < select->items.size(); ++i)
      if (select->items[i].alias) columns[folded(*select->items[i].alias)] = names[i];
  }
  return columns;
}

// The items of a SELECT that have an alias, by it in lower case; the first of several.
std::map<std::string, std::size_t> aliases_of(const ast::Select& select) {
  std::map<std::string, std::size_t> aliases;
  for (std::size_t i = 0; i < select.items.size(); ++i)
    if (select.items[i].alias && select.items[i].expr() != nullptr) aliases.emplace(folded(*select.items[i].alias), i);
  return aliases;
}

std::size_t size_of(const ast::Expr& expr) {
  std::size_t size = 0;
  ast::walk(expr, [&](const ast::Expr&) { ++size; });
  return size;
}

bool mentions(const ast::Expr& expr, const ast::Name& column) {
  bool found = false;
  ast::walk(expr, [&](const ast::ColumnRef& ref) { found = found || ref.column == column; });
  return found;
}

enum class Use { rows, columns };  // of a query: its rows alone matter, or its columns are named from outside

class Normaliser {
 public:
  // Whether the limit on expressions that aliases stand for was kept.
  bool within_limit() const { return expansion_ <= max_expansion; }

  void query(ast::Query& query, Use use, const Scope* outer, const CommonTables& around) {
    CommonTables tables{&around};
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
      tables.own[folded(table.name)] = common;
      table.name = plain(common.normal);
      query(*table.query, table.columns.empty() ? Use::columns : Use::rows, outer, tables);
    }
  }

  // An alias of the SELECT that stands for its expression: in ORDER BY before any column of that name, elsewhere after it.
  void expand_aliases(ast::Query& query) {
    if (auto* first = query.arms.front().select()) {
      const auto aliases = aliases_of(*first);
      for (auto& term : query.order_by) {
        const auto* column = term.expr.as<ast::ColumnRef>();
        const auto alias = column != nullptr && !column->table ? aliases.find(folded(column->column)) : aliases.end();
        if (alias == aliases.end() || !within_limit()) continue;
        if (query.arms.size() > 1) {
          term.expr.node = ast::Parameter{std::to_string(alias->second + 1)};
        } else {
          const auto* expression = first->items[alias->second].expr();
          expand(term.expr, {expression, size_of(*expression)});
        }
      }
    }
    for (auto& arm : query.arms) {
      if (auto* select = arm.select()) expand_aliases(*select);
    }
  }
  void expand_aliases(ast::Select& select) {
    std::map<std::string, Expansion> expressions;
    for (const auto& [alias, place] : aliases_of(select)) {
      const auto& item = select.items[place];
      if (!mentions(*item.expr(), *item.alias)) expressions.emplace(alias, Expansion{item.expr(), size_of(*item.expr())});
    }
    if (expressions.empty()) return;
    const auto expand_in = [&](ast::Expr& expr) {
      ast::walk(expr, ast::Overloaded{[&](ast::Expr& inner) {
                                        const auto* column = inner.as<ast::ColumnRef>();
                                        const auto alias =
                                            column != nullptr && !column->table ? expressions.find(folded(column->column)) : expressions.end();
                                        if (alias == expressions.end()) return true;
                                        expand(inner, alias->second);
                                        return false;
                                      },
                                      [](ast::Query&) { return false; }});
    };
    if (select.where) expand_in(*select.where);
    for (auto& expr : select.group_by) expand_in(expr);
    if (select.having) expand_in(*select.having);
  }
  struct Expansion {
    const ast::Expr* expression;
    std::size_t size;  // nodes
  };
  void expand(ast::Expr& alias, const Expansion& expansion) {
    expansion_ += expansion.size;
    if (within_limit()) alias = ast::Expr(*expansion.expression);
  }

  void select(ast::Select& select, Use use, Scope& scope, const CommonTables& tables) {
    for (auto& item : select.from) source(item, scope, tables);
    Renaming windows;
    for (auto& window : select.windows) {
      const std::string normal = "w" + std::to_string(windows.size() + 1);
      windows[folded(window.name)] = normal;
      window.name = plain(normal);
    }
    const auto columns = normal_columns(select);
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
    for (auto& item : select.items) {
      within(item, scope, tables, windows);
      if (item.alias && plain_column(item) != nullptr && plain_column(item)->column == *item.alias) item.alias.reset();
    }
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
      if (const auto* common = tables.find(own); common != nullptr && !name.schema && table != nullptr) {
        source.columns = common->columns;
        name.name = plain(common->normal);
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
                                      const auto* common = tables.find(folded(name.name));
                                      name.name = plain(common != nullptr && !name.schema ? common->normal : folded(name.name));
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

  // Nodes of expressions that aliases were replaced by: each mention of an alias copies its expression.
  static constexpr std::size_t max_expansion = 100'000;
  std::size_t expansion_ = 0;
  int common_tables_ = 0;
  int derived_tables_ = 0;
};

}  // namespace

Status normalise_names(ast::Query& query) {
  Normaliser normaliser;
  normaliser.query(query, Use::rows, nullptr, {});
  if (!normaliser.within_limit()) return limit_exceeded("its aliases stand for expressions that are too long");
  return ok_status();
}

}  // namespace trustsql::skeleton
