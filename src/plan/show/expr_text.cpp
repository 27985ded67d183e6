#include "plan/show/expr_text.hpp"

#include "plan/to_sql/pieces.hpp"
#include "plan/walk.hpp"
#include "sql/printer.hpp"

namespace trustsql::plan {

namespace {

// Converts an expression to a syntax tree, which the printer then writes with no more parentheses than necessary.
class ExprShower {
 public:
  explicit ExprShower(const ShownLeaves& leaves) : leaves_(leaves) {}

  ast::Expr operator()(const Expr& expr) const {
    return std::visit([this](const auto& node) { return of(node); }, expr.node);
  }

 private:
  static ast::Expr make(ast::Expr::Node node) { return {std::move(node), {}}; }
  static ast::Expr named(std::string name) { return make(ast::ColumnRef{{}, {}, {std::move(name), ast::Quote::none}}); }
  static ast::Expr collated(ast::Expr expr, std::string_view collation) {
    if (collation == binary_collation) return expr;
    return make(ast::Collate{std::move(expr), sql_name(collation)});
  }
  ast::Box<ast::Expr> box(const ast::Box<Expr>& expr) const {
    return expr ? ast::Box<ast::Expr>((*this)(*expr)) : ast::Box<ast::Expr>();
  }
  std::vector<ast::Expr> all(const std::vector<Expr>& exprs) const {
    std::vector<ast::Expr> shown;
    for (const auto& expr : exprs) shown.push_back((*this)(expr));
    return shown;
  }
  ast::Expr chain(ast::BinaryOp op, const std::vector<Expr>& terms) const {
    auto result = (*this)(terms.front());
    for (std::size_t i = 1; i < terms.size(); ++i) result = make(ast::Binary{op, std::move(result), (*this)(terms[i])});
    return result;
  }
  static ast::Expr call(std::string_view name, std::vector<ast::Expr> arguments) {
    ast::Call call;
    call.name = {std::string(name), ast::Quote::none};
    call.arguments = std::move(arguments);
    return make(std::move(call));
  }

  ast::Expr of(const Literal& n) const { return sql_literal(n.value); }
  ast::Expr of(const Column& n) const { return leaves_.column(n.id); }
  ast::Expr of(const Parameter& n) const { return make(ast::Parameter{std::string(n.text)}); }
  ast::Expr of(const Unary& n) const { return make(ast::Unary{n.op, (*this)(*n.operand)}); }
  ast::Expr of(const Binary& n) const { return make(ast::Binary{n.op, (*this)(*n.left), (*this)(*n.right)}); }
  ast::Expr of(const Compare& n) const {
    return make(ast::Binary{sql_operator(n.op), (*this)(*n.left), collated((*this)(*n.right), n.how.collation)});
  }
  ast::Expr of(const RowCompare& n) const {
    return make(ast::Binary{sql_operator(n.op), (*this)(*n.left), (*this)(*n.right)});
  }
  ast::Expr of(const And& n) const { return chain(ast::BinaryOp::logical_and, n.terms); }
  ast::Expr of(const Or& n) const { return chain(ast::BinaryOp::logical_or, n.terms); }
  ast::Expr of(const Not& n) const { return make(ast::Unary{ast::UnaryOp::logical_not, (*this)(*n.operand)}); }
  ast::Expr of(const IsNull& n) const { return make(ast::IsNull{(*this)(*n.operand), n.negated}); }
  ast::Expr of(const IsTruth& n) const {
    return make(ast::Binary{n.negated ? ast::BinaryOp::is_not : ast::BinaryOp::is, (*this)(*n.operand),
                            named(n.truth ? "TRUE" : "FALSE")});
  }
  ast::Expr of(const Between& n) const {
    return make(ast::Between{(*this)(*n.operand), n.negated, collated((*this)(*n.low), n.low_how.collation),
                             collated((*this)(*n.high), n.high_how.collation)});
  }
  ast::Expr of(const InList& n) const {
    ast::In in;
    in.operand = collated((*this)(*n.operand), n.how.collation);
    in.negated = n.negated;
    in.set = all(n.items);
    return make(std::move(in));
  }
  ast::Expr of(const Like& n) const {
    return make(ast::Like{n.op, (*this)(*n.operand), n.negated, (*this)(*n.pattern), box(n.escape)});
  }
  ast::Expr of(const Case& n) const {
    ast::Case shown;
    shown.operand = box(n.operand);
    for (const auto& branch : n.branches)
      shown.branches.push_back({collated((*this)(*branch.condition), branch.how.collation), (*this)(*branch.result)});
    shown.otherwise = box(n.otherwise);
    return make(std::move(shown));
  }
  ast::Expr of(const Cast& n) const { return make(ast::Cast{(*this)(*n.operand), std::string(n.type)}); }
  ast::Expr of(const Function& n) const {
    auto arguments = all(n.arguments);
    if (!arguments.empty()) arguments.front() = collated(std::move(arguments.front()), n.collation);
    return call(n.name, std::move(arguments));
  }
  ast::Expr of(const Row& n) const { return make(ast::Row{all(n.elements)}); }
  ast::Expr of(const ScalarSubquery& n) const { return leaves_.value(*n.rel); }
  ast::Expr of(const Exists& n) const {
    auto exists = make(ast::Exists{leaves_.rows(*n.rel)});
    return n.negated ? make(ast::Unary{ast::UnaryOp::logical_not, std::move(exists)}) : exists;
  }
  ast::Expr of(const InSubquery& n) const {
    ast::In in;
    in.operand = n.operands.size() == 1 ? (*this)(n.operands.front()) : make(ast::Row{all(n.operands)});
    in.negated = n.negated;
    in.set = leaves_.set(*n.rel);
    return make(std::move(in));
  }

  const ShownLeaves& leaves_;
};

// Columns and subqueries under their shown names.
class NamedLeaves : public ShownLeaves {
 public:
  explicit NamedLeaves(const ShownNames& names) : names_(names) {}

  ast::Expr column(AttributeId id) const override {
    const auto& name = names_.of(id);
    ast::ColumnRef column{{}, {}, {name.name, ast::Quote::none}};
    if (!name.table.empty()) column.table = ast::Name{name.table, ast::Quote::none};
    return ast::Expr(std::move(column));
  }
  ast::Expr value(const Rel& subquery) const override {
    return ast::Expr(ast::ColumnRef{{}, {}, {names_.of_subquery(subquery), ast::Quote::none}});
  }
  ast::In::Set set(const Rel& subquery) const override {
    ast::TableName table;
    table.name = {names_.of_subquery(subquery), ast::Quote::none};
    return table;
  }
  ast::Query rows(const Rel& subquery) const override {
    ast::Select select;
    select.items.push_back({ast::Star{}, {}, {}});
    ast::FromItem item;
    ast::Table table;
    table.name.name = {names_.of_subquery(subquery), ast::Quote::none};
    item.source = std::move(table);
    select.from.push_back(std::move(item));
    ast::Query query;
    query.arms.push_back({ast::SetOp::union_all, std::move(select)});
    return query;
  }

 private:
  const ShownNames& names_;
};

}  // namespace

std::string expr_text(const Expr& expr, const ShownNames& names) {
  return print_expression(expr_syntax(expr, NamedLeaves(names)));
}

ast::Expr expr_syntax(const Expr& expr, const ShownLeaves& leaves) { return ExprShower(leaves)(expr); }

}  // namespace trustsql::plan
