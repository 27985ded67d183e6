// Expressions. Operands are parenthesised by the levels of precedence.hpp alone; all operators between two operands
// associate to the left.
#include <span>

#include "base/text.hpp"
#include "sql/printer.hpp"
#include "sql/printer/printer_impl.hpp"

namespace trustsql::printer {

void Printer::print(const ast::Expr& expr, Level loosest) {
  const auto print_any = [&] { std::visit([&](const auto& node) { print_node(node); }, expr.node); };
  if (level_of(expr) >= loosest) return print_any();
  out_.text('(');
  {
    const Group group(out_);
    out_.soft_line();
    print_any();
  }
  out_.text(')');
}

void Printer::print_node(const ast::Literal& literal) {
  using Kind = ast::Literal::Kind;
  switch (literal.kind) {
    case Kind::null: return out_.text("NULL");
    case Kind::integer:
    case Kind::real: return out_.text(literal.text);
    case Kind::string:
      // The text of a query cannot contain a NUL character.
      if (literal.text.find('\0') != std::string::npos)
        return out_.text("CAST(" + format_value(ValueView::of_blob(literal.text)) + " AS TEXT)");
      return out_.text(quote_string(literal.text));
    case Kind::blob: return out_.text(format_value(ValueView::of_blob(literal.text)));
    case Kind::current_date: return out_.text("CURRENT_DATE");
    case Kind::current_time: return out_.text("CURRENT_TIME");
    case Kind::current_timestamp: return out_.text("CURRENT_TIMESTAMP");
  }
}

void Printer::print_node(const ast::ColumnRef& column) {
  if (!column.table) return out_.text(name_text(column.column, NameRole::column));
  if (column.schema) {
    print(*column.schema);
    out_.text('.');
  }
  print(*column.table);
  out_.text('.');
  print(column.column);
}

void Printer::print_node(const ast::Unary& unary) {
  out_.text(operator_text(unary.op));
  if (unary.op == ast::UnaryOp::logical_not) {
    out_.text(' ');
    return print(*unary.operand, Level::logical_not);
  }
  // Two minus signs would begin a comment.
  const auto* inner = unary.operand->as<ast::Unary>();
  const bool comment = unary.op == ast::UnaryOp::minus && inner != nullptr && inner->op == ast::UnaryOp::minus;
  print(*unary.operand, comment ? Level::primary : Level::prefix);
}

void Printer::print_node(const ast::Binary& binary) {
  const Level level = level_of(binary.op);
  if (level == Level::logical_and || level == Level::logical_or) return print_logical(binary);
  print(*binary.left, level);
  out_.text(' ');
  out_.text(operator_text(binary.op));
  out_.text(' ');
  print(*binary.right, tighter(level));
}

// A chain of ANDs or of ORs, which breaks before each operator.
void Printer::print_logical(const ast::Binary& binary) {
  const Level level = level_of(binary.op);
  std::vector<const ast::Expr*> operands;  // from the last one to the first
  for (const auto* link = &binary; link != nullptr;) {
    operands.push_back(link->right.get());
    const auto* next = link->left->as<ast::Binary>();
    if (next == nullptr || next->op != binary.op) {
      operands.push_back(link->left.get());
      break;
    }
    link = next;
  }
  const Group group(out_, 0);
  for (auto operand = operands.rbegin(); operand != operands.rend(); ++operand) {
    const bool first = operand == operands.rbegin();
    if (!first) {
      out_.line();
      out_.text(operator_text(binary.op));
      out_.text(' ');
    }
    print(**operand, first ? level : tighter(level));
  }
}

void Printer::print_node(const ast::IsNull& is_null) {
  print(*is_null.operand, Level::equality);
  out_.text(is_null.negated ? " IS NOT NULL" : " IS NULL");
}

void Printer::print_node(const ast::Between& between) {
  print(*between.operand, Level::equality);
  out_.text(between.negated ? " NOT BETWEEN " : " BETWEEN ");
  print(*between.low, tighter(Level::equality));
  out_.text(" AND ");
  print(*between.high, tighter(Level::equality));
}

void Printer::print_node(const ast::Like& like) {
  print(*like.operand, Level::equality);
  out_.text(like.negated ? " NOT " : " ");
  out_.text(operator_text(like.op));
  out_.text(' ');
  print(*like.pattern, tighter(Level::equality));
  if (!like.escape) return;
  out_.text(" ESCAPE ");
  print(*like.escape, tighter(Level::equality));
}

void Printer::print_node(const ast::In& in) {
  print(*in.operand, Level::equality);
  out_.text(in.negated ? " NOT IN " : " IN ");
  if (const auto* elements = std::get_if<std::vector<ast::Expr>>(&in.set)) return parenthesised(*elements);
  if (const auto* query = std::get_if<ast::Box<ast::Query>>(&in.set)) return subquery(**query);
  if (const auto* table = std::get_if<ast::TableName>(&in.set)) return print(*table);
  print(std::get<ast::TableFunction>(in.set));
}

void Printer::print_node(const ast::Case& expr) {
  const Group whole(out_, 0);
  {
    const Group group(out_);
    out_.text("CASE");
    if (expr.operand) {
      out_.text(' ');
      print(*expr.operand);
    }
    for (const auto& branch : expr.branches) {
      out_.line();
      out_.text("WHEN ");
      print(*branch.condition);
      out_.text(" THEN ");
      print(*branch.result);
    }
    if (expr.otherwise) {
      out_.line();
      out_.text("ELSE ");
      print(*expr.otherwise);
    }
  }
  out_.line();
  out_.text("END");
}

void Printer::print_node(const ast::Cast& cast) {
  out_.text("CAST(");
  print(*cast.operand);
  out_.text(" AS ");
  out_.text(cast.type);
  out_.text(')');
}

void Printer::print_node(const ast::Collate& collate) {
  print(*collate.operand, Level::collate);
  out_.text(" COLLATE ");
  print(collate.collation);
}

void Printer::print_node(const ast::Call& call) {
  print(call.name);
  if (call.star) {
    out_.text("(*)");
  } else {
    out_.text('(');
    {
      const Group group(out_);
      out_.soft_line();
      if (call.distinct) out_.text(call.arguments.empty() ? "DISTINCT" : "DISTINCT ");
      list(std::span(call.arguments).subspan(call.within_group ? 1 : 0));
      if (!call.order_by.empty()) {
        if (!call.arguments.empty() || call.distinct) out_.line();
        clause("ORDER BY", call.order_by);
      }
    }
    out_.text(')');
  }
  if (call.within_group) {
    out_.text(" WITHIN GROUP (ORDER BY ");
    print(call.arguments.front());
    out_.text(')');
  }
  if (call.filter) {
    out_.text(" FILTER (WHERE ");
    print(*call.filter);
    out_.text(')');
  }
  if (!call.over) return;
  out_.text(" OVER ");
  if (const auto* name = std::get_if<ast::Name>(call.over.get())) return print(*name);
  print(std::get<ast::Window>(*call.over));
}

void Printer::print_node(const ast::Subquery& node) { subquery(*node.query); }

void Printer::print_node(const ast::Exists& exists) {
  out_.text("EXISTS ");
  subquery(*exists.query);
}

void Printer::print_node(const ast::Row& row) { parenthesised(row.elements); }

}  // namespace trustsql::printer
