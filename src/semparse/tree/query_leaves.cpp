#include "semparse/tree/query_leaves.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/schema_use.hpp"

namespace trustsql::semparse {

namespace {

constexpr int max_depth = 8;  // of subqueries in FROM that a column is followed through

std::optional<Aggregate> aggregate_of_name(std::string_view name) {
  for (const auto aggregate : {Aggregate::count, Aggregate::sum, Aggregate::avg, Aggregate::min, Aggregate::max})
    if (equals_ignore_case(aggregate_name(aggregate), name)) return aggregate;
  if (equals_ignore_case(name, "total")) return Aggregate::sum;
  return std::nullopt;
}

std::optional<Comparison> comparison_of_operator(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::equal:
    case ast::BinaryOp::is: return Comparison::equal;
    case ast::BinaryOp::not_equal:
    case ast::BinaryOp::is_not: return Comparison::not_equal;
    case ast::BinaryOp::less: return Comparison::less;
    case ast::BinaryOp::less_equal: return Comparison::less_equal;
    case ast::BinaryOp::greater: return Comparison::greater;
    case ast::BinaryOp::greater_equal: return Comparison::greater_equal;
    default: return std::nullopt;
  }
}

Comparison reversed(Comparison comparison) {
  switch (comparison) {
    case Comparison::less: return Comparison::greater;
    case Comparison::less_equal: return Comparison::greater_equal;
    case Comparison::greater: return Comparison::less;
    case Comparison::greater_equal: return Comparison::less_equal;
    default: return comparison;
  }
}

template <class T>
void make_set(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

class LeafCollector {
 public:
  LeafCollector(const Resolution& resolution, const Domain& domain) : resolution_(resolution), domain_(domain) {}

  QueryLeaves collect(const ast::Query& query) {
    for (const auto& use : schema_uses(resolution_)) {
      const auto table = domain_.find_table(use.table->name);
      if (table == nothing) continue;
      leaves_.tables.push_back(table);
      if (use.column < 0) continue;
      const auto column = domain_.find_column(table, use.name);
      if (column == nothing) continue;
      (use.clause == Clause::join ? leaves_.joined : leaves_.columns).push_back(column);
    }
    make_set(leaves_.tables);
    make_set(leaves_.columns);
    make_set(leaves_.joined);
    std::erase_if(leaves_.joined, [this](ColumnId column) { return leaves_.uses(column); });
    for (const auto& column : resolution_.query().columns) leaves_.select.push_back(select_leaf(*column.expr));
    for (const auto& arm : query.arms) {
      if (arm.select() == nullptr) continue;
      for (const auto& item : arm.select()->items) leaves_.star |= item.expr() == nullptr;
    }
    read_operators(query);
    return std::move(leaves_);
  }

 private:
  SelectLeaf select_leaf(const ast::Expr& expr) const {
    if (const auto* call = std::get_if<ast::Call>(&expr.node)) {
      const auto aggregate = aggregate_of_name(call->name.text);
      if (!aggregate || call->over) return {};
      if (call->star) return {*aggregate, nothing, true};
      if (call->arguments.size() != 1) return {};
      return {*aggregate, column_of(call->arguments.front(), 0), true};
    }
    const auto column = column_of(expr, 0);
    return {Aggregate::none, column, column != nothing};
  }

  // The column that `expr` is; `nothing` if it is something else.
  ColumnId column_of(const ast::Expr& expr, int depth) const {
    if (depth > max_depth) return nothing;
    if (const auto* collate = std::get_if<ast::Collate>(&expr.node)) return column_of(*collate->operand, depth + 1);
    if (const auto* cast = std::get_if<ast::Cast>(&expr.node)) return column_of(*cast->operand, depth + 1);
    const auto* ref = std::get_if<ast::ColumnRef>(&expr.node);
    const auto* binding = ref == nullptr ? nullptr : resolution_.find_binding(*ref);
    if (binding == nullptr) return nothing;
    if (binding->kind == ColumnBinding::Kind::alias)
      return column_of(*binding->select->columns[static_cast<std::size_t>(binding->item)].expr, depth + 1);
    if (binding->kind != ColumnBinding::Kind::column || binding->column.column < 0) return nothing;
    const auto& relation = *binding->column.relation;
    const auto place = static_cast<std::size_t>(binding->column.column);
    if (relation.table != nullptr) {
      const auto table = domain_.find_table(relation.table->name);
      return table == nothing || place >= relation.columns.size()
                 ? nothing
                 : domain_.find_column(table, relation.columns[place].name);
    }
    if (relation.query == nullptr || place >= relation.query->columns.size()) return nothing;
    return column_of(*relation.query->columns[place].expr, depth + 1);
  }

  void compare(const ast::Expr& left, const ast::Expr& right, Comparison comparison) {
    const ast::Expr* value = &right;
    double sign = 1;
    if (const auto* unary = std::get_if<ast::Unary>(&right.node);
        unary != nullptr && unary->op == ast::UnaryOp::minus) {
      value = &*unary->operand;
      sign = -1;
    }
    if (const auto* literal = std::get_if<ast::Literal>(&value->node)) {
      LiteralLeaf leaf{literal->text, std::nullopt, column_of(left, 0), comparison};
      const auto known = literal->value();
      if (const auto* integer = std::get_if<std::int64_t>(&known)) leaf.number = sign * static_cast<double>(*integer);
      if (const auto* real = std::get_if<double>(&known)) leaf.number = sign * *real;
      if (literal->kind == ast::Literal::Kind::string || leaf.number) leaves_.literals.push_back(std::move(leaf));
      return;
    }
    // "x" that is no column is a text.
    const auto* ref = std::get_if<ast::ColumnRef>(&value->node);
    const auto* binding = ref == nullptr ? nullptr : resolution_.find_binding(*ref);
    if (binding != nullptr && binding->kind == ColumnBinding::Kind::string)
      leaves_.literals.push_back({ref->column.text, std::nullopt, column_of(left, 0), comparison});
  }

  void read_operators(const ast::Query& query) {
    ast::walk(
        query,
        ast::Overloaded{
            [&](const ast::Query& each) {
              if (&each != &query) leaves_.inner = true;
              leaves_.unusual |= each.with.has_value();
              for (const auto& term : each.order_by) {
                leaves_.ordered = true;
                (term.descending ? leaves_.descending : leaves_.ascending) = true;
              }
              for (std::size_t i = 1; i < each.arms.size(); ++i) {
                const auto op = each.arms[i].op;
                (op == ast::SetOp::intersect ? leaves_.intersects
                 : op == ast::SetOp::except  ? leaves_.excludes
                                             : leaves_.unites) = true;
              }
              if (!each.limit) return;
              leaves_.limited = true;
              if (const auto* literal = std::get_if<ast::Literal>(&each.limit->node)) {
                const auto value = literal->value();
                if (const auto* integer = std::get_if<std::int64_t>(&value))
                  leaves_.literals.push_back(
                      {literal->text, static_cast<double>(*integer), nothing, Comparison::equal, true});
              }
            },
            [&](const ast::Select& select) { leaves_.grouped |= !select.group_by.empty(); },
            [&](const ast::Call& call) {
              const auto aggregate = aggregate_of_name(call.name.text);
              leaves_.unusual |= !aggregate || call.over || call.filter;
              if (aggregate) leaves_.aggregates[static_cast<std::size_t>(*aggregate)] = true;
            },
            [&](const ast::Case&) { leaves_.unusual = true; }, [&](const ast::Exists&) { leaves_.unusual = true; },
            [&](const ast::IsNull& test) {
              leaves_.null_test = true;
              leaves_.excludes |= test.negated;
            },
            [&](const ast::Unary& unary) { leaves_.excludes |= unary.op == ast::UnaryOp::logical_not; },
            [&](const ast::Between& between) {
              leaves_.between = true;
              leaves_.excludes |= between.negated;
              compare(*between.operand, *between.low, Comparison::between);
              compare(*between.operand, *between.high, Comparison::between);
            },
            [&](const ast::Like& like) {
              leaves_.like = true;
              leaves_.excludes |= like.negated;
              compare(*like.operand, *like.pattern, like.negated ? Comparison::not_like : Comparison::like);
            },
            [&](const ast::In& in) {
              leaves_.excludes |= in.negated;
              if (const auto* list = std::get_if<std::vector<ast::Expr>>(&in.set)) {
                leaves_.any |= list->size() > 1;
                for (const auto& element : *list)
                  compare(*in.operand, element, in.negated ? Comparison::not_equal : Comparison::equal);
              }
            },
            [&](const ast::Binary& binary) {
              leaves_.any |= binary.op == ast::BinaryOp::logical_or;
              leaves_.all |= binary.op == ast::BinaryOp::logical_and;
              leaves_.unusual |= binary.op >= ast::BinaryOp::bit_and;
              leaves_.excludes |= binary.op == ast::BinaryOp::not_equal || binary.op == ast::BinaryOp::is_not;
              if (const auto comparison = comparison_of_operator(binary.op)) {
                compare(*binary.left, *binary.right, *comparison);
                compare(*binary.right, *binary.left, reversed(*comparison));
              }
            }});
  }

  const Resolution& resolution_;
  const Domain& domain_;
  QueryLeaves leaves_;
};

}  // namespace

bool QueryLeaves::uses(ColumnId column) const { return std::binary_search(columns.begin(), columns.end(), column); }
bool QueryLeaves::uses_table(TableId table) const { return std::binary_search(tables.begin(), tables.end(), table); }

QueryLeaves leaves_of(const ast::Query& query, const Resolution& resolution, const Domain& domain) {
  return LeafCollector(resolution, domain).collect(query);
}

}  // namespace trustsql::semparse
