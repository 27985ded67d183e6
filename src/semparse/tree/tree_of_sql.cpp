#include "semparse/tree/tree_of_sql.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

namespace {

// The functions return false where a query is not a tree.
class BlockReader {
 public:
  explicit BlockReader(const Domain& domain) : domain_(domain) {}

  bool read(const ast::Select& select, const ast::Query* tail, Block& block) {
    if (!select.windows.empty() || select.from.empty()) return false;
    for (const auto& item : select.from)
      if (!read_from(item)) return false;
    block.distinct = select.distinct;
    for (const auto& item : select.items) {
      if (item.expr() == nullptr) {
        if (select.items.size() != 1 || tables_.size() != 1) return false;
        block.select.push_back({Aggregate::none, false, nothing, tables_.front().second});
        continue;
      }
      Term term;
      if (!read_term(*item.expr(), term)) return false;
      block.select.push_back(term);
    }
    if (select.where && !read_conditions(*select.where, block.where, block.any)) return false;
    for (const auto& expr : select.group_by) {
      Term term;
      if (!read_term(expr, term) || term.aggregate != Aggregate::none) return false;
      block.group.push_back(term.column);
    }
    bool any = false;
    if (select.having && (!read_conditions(*select.having, block.having, any) || any)) return false;
    if (tail != nullptr) {
      for (const auto& order : tail->order_by) {
        Term term;
        if (!read_term(order.expr, term)) return false;
        block.order.push_back({term, order.descending});
      }
      if (tail->limit) {
        const auto* literal = std::get_if<ast::Literal>(&tail->limit->node);
        if (literal == nullptr || literal->kind != ast::Literal::Kind::integer || tail->offset) return false;
        block.limit = std::get<std::int64_t>(literal->value());
      }
    }
    name_tables(block);
    return true;
  }

 private:
  bool read_from(const ast::FromItem& item) {
    const auto* table = std::get_if<ast::Table>(&item.source);
    if (table == nullptr || item.natural) return false;
    if (item.join != ast::JoinType::comma && item.join != ast::JoinType::inner) return false;
    const auto id = domain_.find_table(table->name.name.text);
    if (id == nothing) return false;
    for (const auto& [name, known] : tables_)
      if (known == id) return false;  // a table twice
    tables_.emplace_back(item.alias ? item.alias->text : table->name.name.text, id);
    return true;
  }

  ColumnId find(const ast::ColumnRef& ref) const {
    for (const auto& [name, id] : tables_) {
      if (ref.table && !equals_ignore_case(ref.table->text, name) &&
          !equals_ignore_case(ref.table->text, domain_.table(id).name))
        continue;
      const auto column = domain_.find_column(id, ref.column.text);
      if (column != nothing) return column;
    }
    return nothing;
  }

  bool read_term(const ast::Expr& expr, Term& term) const {
    if (const auto* ref = std::get_if<ast::ColumnRef>(&expr.node)) {
      term.column = find(*ref);
      return term.column != nothing;
    }
    const auto* call = std::get_if<ast::Call>(&expr.node);
    if (call == nullptr || call->filter || call->over) return false;
    constexpr std::pair<std::string_view, Aggregate> aggregates[] = {{"count", Aggregate::count},
                                                                     {"sum", Aggregate::sum},
                                                                     {"avg", Aggregate::avg},
                                                                     {"min", Aggregate::min},
                                                                     {"max", Aggregate::max}};
    for (const auto& [name, aggregate] : aggregates)
      if (equals_ignore_case(call->name.text, name)) term.aggregate = aggregate;
    if (term.aggregate == Aggregate::none) return false;
    term.distinct = call->distinct;
    if (call->star) return true;  // its table is named later
    if (call->arguments.size() != 1) return false;
    const auto* ref = std::get_if<ast::ColumnRef>(&call->arguments.front().node);
    if (ref == nullptr) return false;
    term.column = find(*ref);
    return term.column != nothing;
  }

  static bool read_value(const ast::Expr& expr, Value& value) {
    if (const auto* literal = std::get_if<ast::Literal>(&expr.node)) {
      value = literal->value();
      return true;
    }
    if (const auto* unary = std::get_if<ast::Unary>(&expr.node); unary != nullptr && unary->op == ast::UnaryOp::minus) {
      if (!read_value(*unary->operand, value)) return false;
      if (auto* integer = std::get_if<std::int64_t>(&value)) {
        *integer = -*integer;
      } else if (auto* real = std::get_if<double>(&value)) {
        *real = -*real;
      } else {
        return false;
      }
      return true;
    }
    const auto* ref = std::get_if<ast::ColumnRef>(&expr.node);
    if (ref == nullptr || !ref->may_be_string()) return false;
    value = ref->column.text;
    return true;
  }

  // The right side of a comparison: a value, or a subquery.
  bool read_operand(const ast::Expr& expr, Condition& condition) const {
    if (const auto* subquery = std::get_if<ast::Subquery>(&expr.node))
      return read_subquery(*subquery->query, condition);
    Value value;
    if (const auto* ref = std::get_if<ast::ColumnRef>(&expr.node); ref != nullptr && find(*ref) != nothing)
      return false;
    if (!read_value(expr, value)) return false;
    condition.values.push_back(std::move(value));
    return true;
  }

  bool read_subquery(const ast::Query& query, Condition& condition) const {
    const auto* select = query.single_select();
    if (select == nullptr || query.with) return false;
    Block block;
    if (!BlockReader(domain_).read(*select, &query, block) || block.select.size() != 1) return false;
    condition.subquery.push_back(std::move(block));
    return true;
  }

  bool read_conditions(const ast::Expr& expr, std::vector<Condition>& conditions, bool& any) const {
    const auto* binary = std::get_if<ast::Binary>(&expr.node);
    const bool is_or = binary != nullptr && binary->op == ast::BinaryOp::logical_or;
    if (binary != nullptr && (is_or || binary->op == ast::BinaryOp::logical_and)) {
      if (!conditions.empty() && any != is_or) return false;
      any = is_or;
      // All conditions of one list have the same connective.
      const auto same = [&](const ast::Expr& side) {
        const auto* inner = std::get_if<ast::Binary>(&side.node);
        const bool connects =
            inner != nullptr && (inner->op == ast::BinaryOp::logical_or || inner->op == ast::BinaryOp::logical_and);
        return !connects || inner->op == binary->op;
      };
      return same(*binary->left) && same(*binary->right) && read_side(*binary->left, conditions, any) &&
             read_side(*binary->right, conditions, any);
    }
    return read_condition(expr, conditions);
  }

  bool read_side(const ast::Expr& expr, std::vector<Condition>& conditions, bool& any) const {
    const auto* binary = std::get_if<ast::Binary>(&expr.node);
    const bool connects =
        binary != nullptr && (binary->op == ast::BinaryOp::logical_or || binary->op == ast::BinaryOp::logical_and);
    return connects ? read_side(*binary->left, conditions, any) && read_side(*binary->right, conditions, any)
                    : read_condition(expr, conditions);
  }

  bool read_condition(const ast::Expr& expr, std::vector<Condition>& conditions) const {
    Condition condition;
    if (const auto* binary = std::get_if<ast::Binary>(&expr.node)) {
      switch (binary->op) {
        case ast::BinaryOp::equal: condition.comparison = Comparison::equal; break;
        case ast::BinaryOp::not_equal: condition.comparison = Comparison::not_equal; break;
        case ast::BinaryOp::less: condition.comparison = Comparison::less; break;
        case ast::BinaryOp::less_equal: condition.comparison = Comparison::less_equal; break;
        case ast::BinaryOp::greater: condition.comparison = Comparison::greater; break;
        case ast::BinaryOp::greater_equal: condition.comparison = Comparison::greater_equal; break;
        default: return false;
      }
      if (!read_term(*binary->left, condition.term) || !read_operand(*binary->right, condition)) return false;
    } else if (const auto* between = std::get_if<ast::Between>(&expr.node)) {
      condition.comparison = Comparison::between;
      if (between->negated || !read_term(*between->operand, condition.term) ||
          !read_operand(*between->low, condition) || !read_operand(*between->high, condition) ||
          condition.values.size() != 2)
        return false;
    } else if (const auto* like = std::get_if<ast::Like>(&expr.node)) {
      condition.comparison = like->negated ? Comparison::not_like : Comparison::like;
      if (like->op != ast::LikeOp::like || like->escape || !read_term(*like->operand, condition.term) ||
          !read_operand(*like->pattern, condition) || condition.values.empty())
        return false;
    } else if (const auto* in = std::get_if<ast::In>(&expr.node)) {
      condition.comparison = in->negated ? Comparison::not_in : Comparison::in;
      const auto* query = std::get_if<ast::Box<ast::Query>>(&in->set);
      if (query == nullptr || !read_term(*in->operand, condition.term) || !read_subquery(**query, condition))
        return false;
    } else if (const auto* null = std::get_if<ast::IsNull>(&expr.node)) {
      condition.comparison = null->negated ? Comparison::is_not_null : Comparison::is_null;
      if (!read_term(*null->operand, condition.term)) return false;
    } else {
      return false;
    }
    conditions.push_back(std::move(condition));
    return true;
  }

  // Says whose rows count(*) counts, and which tables are joined for their own sake. Rows are counted of a table whose
  // rows the join does not multiply: one that no other table of FROM refers to.
  void name_tables(Block& block) const {
    const auto used = tables_of(domain_, block);
    const auto is_parent = [this](TableId table) {
      return std::any_of(domain_.edges().begin(), domain_.edges().end(), [&](const JoinEdge& edge) {
        const auto child = domain_.column(edge.child).table;
        return domain_.column(edge.parent).table == table && child != table &&
               std::any_of(tables_.begin(), tables_.end(), [&](const auto& each) { return each.second == child; });
      });
    };
    std::vector<TableId> lowest;
    for (const auto& [name, table] : tables_)
      if (!is_parent(table)) lowest.push_back(table);
    const auto unused = std::find_if(lowest.begin(), lowest.end(), [&used](TableId table) {
      return !std::binary_search(used.begin(), used.end(), table);
    });
    const TableId counted = unused != lowest.end() ? *unused : lowest.empty() ? tables_.front().second : lowest.front();
    const auto name = [counted](Term& term) {
      if (term.aggregate == Aggregate::count && term.column == nothing) term.table = counted;
    };
    for (auto& term : block.select) name(term);
    for (auto& condition : block.having) name(condition.term);
    for (auto& order : block.order) name(order.term);
    const auto now_used = tables_of(domain_, block);
    const auto joined = join_trees(domain_, now_used, 1);
    for (const auto& [unused_name, table] : tables_) {
      const bool on_the_way = !joined.empty() && std::find(joined.front().tables.begin(), joined.front().tables.end(),
                                                           table) != joined.front().tables.end();
      if (!on_the_way) block.tables.push_back(table);
    }
    std::sort(block.tables.begin(), block.tables.end());
  }

  const Domain& domain_;
  std::vector<std::pair<std::string, TableId>> tables_{};  // of FROM, with the names they have there
};

}  // namespace

std::optional<Tree> tree_of(const Domain& domain, const ast::Query& query) {
  if (query.with || query.arms.empty() || query.arms.size() > 2 || query.offset) return std::nullopt;
  Tree tree;
  const auto* first = query.arms.front().select();
  const bool compound = query.arms.size() == 2;
  if (first == nullptr || (compound && (query.limit || !query.order_by.empty()))) return std::nullopt;
  if (!BlockReader(domain).read(*first, compound ? nullptr : &query, tree.block)) return std::nullopt;
  if (!compound) return tree;
  const auto* second = query.arms.back().select();
  if (second == nullptr) return std::nullopt;
  switch (query.arms.back().op) {
    case ast::SetOp::intersect: tree.operation = SetOperation::intersect; break;
    case ast::SetOp::except: tree.operation = SetOperation::except; break;
    case ast::SetOp::union_distinct: tree.operation = SetOperation::union_; break;
    case ast::SetOp::union_all: return std::nullopt;
  }
  if (!BlockReader(domain).read(*second, nullptr, tree.other.emplace_back())) return std::nullopt;
  return tree;
}

}  // namespace trustsql::semparse
