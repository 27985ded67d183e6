// Queries and their clauses. Each clause is a group inside the group of its query, so a long query has one line per
// clause, and a long clause has one line per element.
#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/printer.hpp"
#include "sql/printer/printer_impl.hpp"

namespace trustsql::printer {

namespace {

// Whether there is a parameter without a number or a name: its number depends on its position among all parameters.
bool has_unnumbered_parameter(const ast::Expr& expr) {
  bool has_any = false;
  ast::walk(expr, [&](const ast::Parameter& parameter) { has_any = has_any || parameter.text == "?"; });
  return has_any;
}

}  // namespace

// A column of a subquery without an alias is named by its text: in SELECT "1+1" FROM (SELECT 1+1), the text 1+1 must
// not become 1 + 1, which would turn "1+1" into a string.
void Printer::find_text_names(const ast::Query& query) {
  const auto add = [&](const ast::Name& name) {
    if (name.quote != ast::Quote::none && !is_plain_identifier(name.text))
      text_names_.insert(to_lower_ascii(name.text));
  };
  ast::walk(query, ast::Overloaded{[&](const ast::ColumnRef& column) { add(column.column); },
                                   [&](const ast::FromItem& item) {
                                     any_text_names_ = any_text_names_ || item.natural;
                                     for (const auto& name : item.using_columns) add(name);
                                   }});
}

bool Printer::is_text_name(const std::string& text) const {
  return any_text_names_ || (!text_names_.empty() && text_names_.count(to_lower_ascii(text)) != 0);
}

void Printer::print(const ast::Query& query) {
  const Group group(out_, 0);
  if (query.with) {
    print(*query.with);
    out_.line();
  }
  for (const auto& arm : query.arms) {
    if (&arm != &query.arms.front()) {
      out_.line();
      out_.text(operator_text(arm.op));
      out_.line();
    }
    std::visit([&](const auto& body) { print(body); }, arm.body);
  }
  if (!query.order_by.empty()) {
    out_.line();
    clause("ORDER BY", query.order_by);
  }
  if (query.limit) print_limit(query);
}

void Printer::print_limit(const ast::Query& query) {
  out_.line();
  out_.text("LIMIT ");
  // LIMIT offset, limit: only if the order of the parameters must not change.
  const bool comma = query.offset && query.offset->span.begin < query.limit->span.begin &&
                     has_unnumbered_parameter(*query.offset) && has_unnumbered_parameter(*query.limit);
  if (comma) {
    print(*query.offset);
    out_.text(", ");
    return print(*query.limit);
  }
  print(*query.limit);
  if (!query.offset) return;
  out_.text(" OFFSET ");
  print(*query.offset);
}

void Printer::print(const ast::With& with) {
  out_.text(with.recursive ? "WITH RECURSIVE " : "WITH ");
  for (const auto& table : with.tables) {
    if (&table != &with.tables.front()) {
      out_.text(',');
      out_.line();
    }
    print(table.name);
    if (!table.columns.empty()) parenthesised(table.columns);
    out_.text(" AS ");
    if (table.materialized != ast::Materialized::unstated) {
      out_.text(table.materialized == ast::Materialized::yes ? "MATERIALIZED " : "NOT MATERIALIZED ");
    }
    subquery(*table.query);
  }
}

void Printer::subquery(const ast::Query& query) {
  const Group whole(out_, 0);
  out_.text('(');
  {
    const Group group(out_);
    out_.soft_line();
    print(query);
  }
  out_.soft_line();
  out_.text(')');
}

void Printer::clause(std::string_view keyword, const ast::Expr& expr) {
  const Group group(out_);
  out_.text(keyword);
  out_.line();
  print(expr);
}

void Printer::print(const ast::Select& select) {
  clause(select.distinct ? "SELECT DISTINCT" : "SELECT", select.items);
  if (!select.from.empty()) {
    out_.line();
    const Group group(out_);
    out_.text("FROM");
    out_.line();
    for (const auto& item : select.from) print(item, &item == &select.from.front());
  }
  if (select.where) {
    out_.line();
    clause("WHERE", *select.where);
  }
  if (!select.group_by.empty()) {
    out_.line();
    clause("GROUP BY", select.group_by);
  }
  if (select.having) {
    out_.line();
    clause("HAVING", *select.having);
  }
  if (select.windows.empty()) return;
  out_.line();
  const Group group(out_);
  out_.text("WINDOW");
  for (const auto& named : select.windows) {
    if (&named != &select.windows.front()) out_.text(',');
    out_.line();
    print(named.name);
    out_.text(" AS ");
    print(named.window);
  }
}

void Printer::print(const ast::SelectItem& item) {
  if (!item.text.empty() && is_text_name(item.text)) {
    out_.text(item.text);
    if (item.text.find("--") != std::string::npos) out_.text('\n');  // it may end in a comment
  } else if (const auto* expr = item.expr()) {
    print(*expr);
  } else if (const auto& table = std::get<ast::Star>(item.value).table) {
    print(*table);
    out_.text(".*");
  } else {
    out_.text('*');
  }
  if (!item.alias) return;
  out_.text(" AS ");
  print(*item.alias);
}

void Printer::print(const ast::Values& values) {
  const Group group(out_);
  out_.text("VALUES");
  for (const auto& row : values.rows) {
    if (&row != &values.rows.front()) out_.text(',');
    out_.line();
    parenthesised(row);
  }
}

void Printer::print(const ast::FromItem& item, bool first) {
  if (!first) {
    using enum ast::JoinType;
    if (item.join == comma) out_.text(',');
    out_.line();
    if (item.natural) out_.text("NATURAL ");
    switch (item.join) {
      case comma: break;
      case inner: out_.text("JOIN "); break;
      case cross: out_.text("CROSS JOIN "); break;
      case left: out_.text("LEFT JOIN "); break;
      case right: out_.text("RIGHT JOIN "); break;
      case full: out_.text("FULL JOIN "); break;
    }
  }
  print_source(item.source);
  if (item.alias) {
    out_.text(" AS ");
    print(*item.alias);
  }
  if (const auto* table = std::get_if<ast::Table>(&item.source); table != nullptr && table->hint) {
    out_.text(table->hint->index ? " INDEXED BY " : " NOT INDEXED");
    if (table->hint->index) print(*table->hint->index);
  }
  if (item.on) {
    const Group group(out_);
    out_.text(" ON ");
    print(*item.on);
  }
  if (!item.using_columns.empty()) {
    out_.text(" USING ");
    parenthesised(item.using_columns);
  }
}

void Printer::print_source(const ast::FromItem::Source& source) {
  if (const auto* table = std::get_if<ast::Table>(&source)) return print(table->name);
  if (const auto* function = std::get_if<ast::TableFunction>(&source)) return print(*function);
  if (const auto* derived = std::get_if<ast::DerivedTable>(&source)) return subquery(*derived->query);
  const auto& items = std::get<ast::JoinGroup>(source).items;
  const Group whole(out_, 0);
  out_.text('(');
  {
    const Group group(out_);
    out_.soft_line();
    for (const auto& item : items) print(item, &item == &items.front());
  }
  out_.soft_line();
  out_.text(')');
}

void Printer::print(const ast::TableFunction& function) {
  print(function.name);
  parenthesised(function.arguments);
}

void Printer::print(const ast::TableName& table) {
  if (table.schema) {
    print(*table.schema);
    out_.text('.');
  }
  print(table.name);
}

void Printer::print(const ast::OrderTerm& term) {
  print(term.expr);
  if (term.descending) out_.text(" DESC");
  if (term.nulls != ast::NullsOrder::unstated)
    out_.text(term.nulls == ast::NullsOrder::first ? " NULLS FIRST" : " NULLS LAST");
}

// ([base] [PARTITION BY ...] [ORDER BY ...] [frame])
void Printer::print(const ast::Window& window) {
  out_.text('(');
  {
    const Group group(out_);
    out_.soft_line();
    bool first = true;
    const auto next = [&] {
      if (!first) out_.line();
      first = false;
    };
    if (window.base) {
      next();
      print(*window.base);
    }
    if (!window.partition_by.empty()) {
      next();
      clause("PARTITION BY", window.partition_by);
    }
    if (!window.order_by.empty()) {
      next();
      clause("ORDER BY", window.order_by);
    }
    if (window.frame) {
      next();
      print(*window.frame);
    }
  }
  out_.text(')');
}

void Printer::print(const ast::Frame& frame) {
  switch (frame.unit) {
    case ast::FrameUnit::rows: out_.text("ROWS BETWEEN "); break;
    case ast::FrameUnit::range: out_.text("RANGE BETWEEN "); break;
    case ast::FrameUnit::groups: out_.text("GROUPS BETWEEN "); break;
  }
  print(frame.start);
  out_.text(" AND ");
  print(frame.end);
  switch (frame.exclude) {
    case ast::FrameExclude::no_others:
      if (frame.says_no_others) out_.text(" EXCLUDE NO OTHERS");
      break;
    case ast::FrameExclude::current_row: out_.text(" EXCLUDE CURRENT ROW"); break;
    case ast::FrameExclude::group: out_.text(" EXCLUDE GROUP"); break;
    case ast::FrameExclude::ties: out_.text(" EXCLUDE TIES"); break;
  }
}

void Printer::print(const ast::FrameBound& bound) {
  using Kind = ast::FrameBound::Kind;
  if (bound.offset) {
    print(*bound.offset);
    out_.text(' ');
  }
  switch (bound.kind) {
    case Kind::unbounded_preceding: out_.text("UNBOUNDED PRECEDING"); break;
    case Kind::preceding: out_.text("PRECEDING"); break;
    case Kind::current_row: out_.text("CURRENT ROW"); break;
    case Kind::following: out_.text("FOLLOWING"); break;
    case Kind::unbounded_following: out_.text("UNBOUNDED FOLLOWING"); break;
  }
}

}  // namespace trustsql::printer
