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
// A name that the printer quotes if necessary, for example if it is a keyword.
ast::Name plain(std::string text) { return {std::move(text), ast::Quote::backticks}; }
void fold(ast::Name& name) { name = plain(folded(name)); }

// A table, subquery or common table in FROM.
struct RenamedSource {
  std::string exposed;  // its name in the query
  std::string normal;   // its new name
  Renaming columns;
};
struct Scope {
  const Scope* outer = nullptr;
  std::vector<RenamedSource> sources{};
};

struct CommonTable {
  std::string normal;
  Renaming columns;
};
// The common tables of a WITH and of the enclosing ones, by name in lower case.
struct CommonTables {
  const CommonTables* outer = nullptr;
  std::map<std::string, CommonTable> own{};

  const CommonTable* find(const std::string& name) const {
    for (const auto* tables = this; tables != nullptr; tables = tables->outer)
      if (const auto entry = tables->own.find(name); entry != tables->own.end()) return &entry->second;
    return nullptr;
  }
};

// The column, if the item is a plain column.
const ast::ColumnRef* plain_column(const ast::SelectItem& item) {
  return item.expr() != nullptr ? item.expr()->as<ast::ColumnRef>() : nullptr;
}

// The names of the columns of a SELECT as seen from outside: the alias, or the name of a plain column; "" for others.
std::vector<std::string> exposed_names(const ast::Select& select) {
  std::vector<std::string> names;
  for (const auto& item : select.items) {
    const auto* column = plain_column(item);
    names.push_back(item.alias ? folded(*item.alias) : column != nullptr ? folded(column->column) : "");
  }
  return names;
}

// The items of a SELECT that have an alias, by the alias in lower case; if several have the same, the first.
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
  bool has_any = false;
  ast::walk(expr, [&](const ast::ColumnRef& ref) { has_any = has_any || ref.column == column; });
  return has_any;
}

class Normaliser {
 public:
  // Whether the expressions that replaced aliases are within the limit.
  bool within_limit() const { return expansion_ <= max_expansion; }

  // `columns`, unless nullptr, receives the names of the query's columns as soon as they are known, which is before a
  // recursive part.
  void query(ast::Query& query, const Scope* outer, const CommonTables& around, Renaming* columns = nullptr) {
    CommonTables tables{&around};
    if (query.with) with(*query.with, outer, tables);
    expand_aliases(query);
    for (auto& arm : query.arms) {
      Scope scope{outer};
      if (auto* select = arm.select()) {
        const auto exposed = exposed_names(*select);
        this->select(*select, scope, tables);
        Renaming renamed = columns != nullptr ? rename_items(*select, exposed) : Renaming();
        if (columns == nullptr) {
          for (auto& item : select->items) item.alias.reset();
        } else if (&arm == &query.arms.front()) {
          *columns = std::move(renamed);
        }
      } else {
        for (auto& row : std::get<ast::Values>(arm.body).rows)
          for (auto& expr : row) expression(expr, scope, tables);
      }
      if (&arm == &query.arms.back()) {
        for (auto& term : query.order_by) expression(term.expr, scope, tables);
        if (query.limit) expression(*query.limit, scope, tables);
        if (query.offset) {
          expression(*query.offset, scope, tables);
          query.limit->span = query.offset->span = {};  // LIMIT a, b is LIMIT b OFFSET a
        }
      }
    }
  }

 private:
  // Names the items of a SELECT, whose own names are already normalised, for the enclosing queries: a plain column
  // keeps its own name unless several have it, and an expression with an alias gets the next number. Returns the new
  // names by the old ones.
  Renaming rename_items(ast::Select& select, const std::vector<std::string>& exposed) {
    std::map<std::string, int> uses;
    for (const auto& item : select.items)
      if (const auto* column = plain_column(item)) ++uses[column->column.text];
    Renaming renamed;
    for (std::size_t i = 0; i < select.items.size(); ++i) {
      auto& item = select.items[i];
      const auto* column = plain_column(item);
      if (column != nullptr && uses[column->column.text] == 1) item.alias.reset();
      if (item.alias) item.alias = plain(next_expression());
      if (!exposed[i].empty()) renamed.emplace(exposed[i], item.alias ? item.alias->text : column->column.text);
    }
    return renamed;
  }

  // A name that no column of an enclosing or inner subquery has.
  std::string next_expression() { return "expr_" + std::to_string(++expressions_); }

  void with(ast::With& with, const Scope* outer, CommonTables& tables) {
    for (auto& table : with.tables) {
      // Registered before its own query, which may be recursive.
      auto& common = tables.own[folded(table.name)];
      common = {"cte_" + std::to_string(++common_tables_), {}};
      table.name = plain(common.normal);
      if (table.columns.empty()) {
        query(*table.query, outer, tables, &common.columns);
        continue;
      }
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const std::string normal = next_expression();
        common.columns[folded(table.columns[i])] = normal;
        table.columns[i] = plain(normal);
      }
      query(*table.query, outer, tables);
    }
  }

  // Replaces aliases of the SELECT by their expressions. In ORDER BY an alias takes precedence over a column of the
  // same name, elsewhere the column does.
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
      if (!mentions(*item.expr(), *item.alias))
        expressions.emplace(alias, Expansion{item.expr(), size_of(*item.expr())});
    }
    if (expressions.empty()) return;
    const auto expand_in = [&](ast::Expr& expr) {
      ast::walk(expr, ast::Overloaded{[&](ast::Expr& inner) {
                                        const auto* column = inner.as<ast::ColumnRef>();
                                        const auto alias = column != nullptr && !column->table
                                                               ? expressions.find(folded(column->column))
                                                               : expressions.end();
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

  void select(ast::Select& select, Scope& scope, const CommonTables& tables) {
    for (auto& item : select.from) source(item, scope, tables);
    Renaming windows;
    for (auto& window : select.windows) {
      const std::string normal = "w" + std::to_string(windows.size() + 1);
      windows[folded(window.name)] = normal;
      window.name = plain(normal);
    }
    // The sources of the FROM items are already done.
    for (auto& item : select.items) {
      within(item, scope, tables, windows);
      item.text.clear();
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
    RenamedSource source;
    std::string own;  // its name without an alias
    if (auto* derived = std::get_if<ast::DerivedTable>(&item.source)) {
      query(*derived->query, scope.outer, tables, &source.columns);
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

  // `name`, or name_2, name_3 ... if an enclosing query or this one already uses it.
  static std::string unused(const std::string& name, const Scope& scope) {
    const auto is_taken = [&](const std::string& candidate) {
      for (const auto* s = &scope; s != nullptr; s = s->outer)
        for (const auto& source : s->sources)
          if (source.normal == candidate) return true;
      return false;
    };
    if (!is_taken(name)) return name;
    int number = 2;
    while (is_taken(name + "_" + std::to_string(number))) ++number;
    return name + "_" + std::to_string(number);
  }

  void expression(ast::Expr& expr, const Scope& scope, const CommonTables& tables) { within(expr, scope, tables, {}); }

  template <class Node>
  void within(Node& node, const Scope& scope, const CommonTables& tables, const Renaming& windows) {
    const auto window = [&](ast::Name& name) {
      const auto renamed = windows.find(folded(name));
      name = plain(renamed != windows.end() ? renamed->second : folded(name));
    };
    ast::walk(node, ast::Overloaded{[&](ast::ColumnRef& ref) { column(ref, scope); },
                                    [&](ast::Star& star) {
                                      if (star.table) star.table = plain(table(*star.table, scope));
                                    },
                                    [&](ast::Call& call) {
                                      call.name = {folded(call.name), ast::Quote::none};
                                      if (call.over && std::holds_alternative<ast::Name>(*call.over))
                                        window(std::get<ast::Name>(*call.over));
                                    },
                                    [&](ast::Window& w) {
                                      if (w.base) window(*w.base);
                                    },
                                    [&](ast::Collate& collate) { fold(collate.collation); },
                                    [&](ast::Cast& cast) { cast.type = to_lower_ascii(cast.type); },
                                    [&](ast::TableName& name) {  // IN table
                                      const auto* common = tables.find(folded(name.name));
                                      name.name =
                                          plain(common != nullptr && !name.schema ? common->normal : folded(name.name));
                                    },
                                    [&](ast::Query& inner) {
                                      query(inner, &scope, tables);
                                      return false;
                                    }});
  }

  static std::string table(const ast::Name& name, const Scope& scope) {
    const auto* source = find(name, scope);
    return source != nullptr ? source->normal : folded(name);
  }
  static const RenamedSource* find(const ast::Name& name, const Scope& scope) {
    const std::string exposed = folded(name);
    for (const auto* s = &scope; s != nullptr; s = s->outer)
      for (const auto& source : s->sources)
        if (source.exposed == exposed) return &source;
    return nullptr;
  }

  static void column(ast::ColumnRef& ref, const Scope& scope) {
    const std::string name = folded(ref.column);
    ref.column = ref.may_be_boolean() ? ast::Name{name, ast::Quote::none} : plain(name);
    ref.schema = {};
    if (ref.table) {
      const auto* source = find(*ref.table, scope);
      if (source == nullptr) return fold(*ref.table);
      if (const auto renamed = source->columns.find(name); renamed != source->columns.end())
        ref.column.text = renamed->second;
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

  // The limit on the nodes of expressions that replace aliases: each use of an alias copies its expression.
  static constexpr std::size_t max_expansion = 100'000;
  std::size_t expansion_ = 0;
  int expressions_ = 0;
  int common_tables_ = 0;
  int derived_tables_ = 0;
};

}  // namespace

Status normalise_names(ast::Query& query) {
  Normaliser normaliser;
  normaliser.query(query, nullptr, {});
  if (!normaliser.within_limit())
    return limit_exceeded("the aliases of the query stand for expressions that are too long");
  return ok_status();
}

}  // namespace trustsql::skeleton
