#include "equiv/explanation/query_clauses.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"
#include "plan/all_rules.hpp"
#include "plan/show/expr_text.hpp"
#include "plan/walk.hpp"
#include "sql/ast_walk.hpp"

namespace trustsql::equiv::explanation {

namespace {

ast::Expr column_of(std::string_view table, std::string_view name) {
  ast::ColumnRef reference;
  if (!table.empty()) reference.table = ast::Name{std::string(table), ast::Quote::none};
  reference.column = ast::Name{std::string(name), ast::Quote::none};
  return {std::move(reference)};
}

ast::Box<ast::Expr> conjunction(const std::vector<ast::Expr>& conditions) {
  ast::Box<ast::Expr> all;
  for (const auto& condition : conditions)
    all = all ? ast::Box<ast::Expr>(
                    ast::Expr(ast::Binary{ast::BinaryOp::logical_and, all, ast::Box<ast::Expr>(condition)}))
              : ast::Box<ast::Expr>(condition);
  return all;
}

// An expression that is larger is not written out where it is used: the size of nested ones would multiply.
constexpr std::size_t largest_definition = 100;  // nodes

std::size_t size_of(const ast::Expr& expr) {
  std::size_t nodes = 0;
  ast::walk(expr, [&](const ast::Expr&) { ++nodes; });
  return nodes;
}

class ClauseReader final : public plan::ShownLeaves {
 public:
  explicit ClauseReader(const plan::Plan& plan) : names_(plan, plan::Naming::canonical) { define(plan.root); }

  QueryClauses read(const plan::Rel& root) const {
    QueryClauses clauses;
    for (const auto id : plan::outputs(root)) clauses.columns.push_back(column(id));
    const auto* rel = read_order(root, clauses);
    if (const auto* node = rel->as<plan::SetOp>()) {
      clauses.set_operation = node->op;
      if (clauses.distinct && node->op == ast::SetOp::union_all) {
        clauses.set_operation = ast::SetOp::union_distinct;
        clauses.distinct = false;
      }
      for (const auto& input : node->inputs) clauses.arms.push_back(read(input));
      return clauses;
    }
    rel = read_groups(*rel, clauses);
    read_source(*rel, clauses);
    return clauses;
  }

  ast::Expr column(plan::AttributeId id) const override {
    const auto found = definitions_.find(id);
    if (found != definitions_.end()) return found->second;
    const auto& name = names_.of(id);
    return column_of(name.table, name.name);
  }
  ast::Expr value(const plan::Rel& subquery) const override {
    return ast::Expr(ast::Subquery{ast::Box<ast::Query>(simplified(query_of(read(subquery))))});
  }
  ast::In::Set set(const plan::Rel& subquery) const override {
    return ast::Box<ast::Query>(simplified(query_of(read(subquery))));
  }
  ast::Query rows(const plan::Rel& subquery) const override { return simplified(query_of(read(subquery))); }

 private:
  ast::Expr shown(const plan::Expr& expr) const { return plan::expr_syntax(expr, *this); }
  std::vector<ast::Expr> shown(const std::vector<plan::Expr>& exprs) const {
    std::vector<ast::Expr> all;
    all.reserve(exprs.size());
    for (const auto& expr : exprs) all.push_back(shown(expr));
    return all;
  }

  // --- what attributes stand for

  void define(plan::AttributeId id, ast::Expr expr) {
    if (size_of(expr) <= largest_definition) definitions_[id] = std::move(expr);
  }

  void define(const plan::Expr& expr) {
    plan::for_each_expr(expr, [&](const plan::Expr& operand) { define(operand); });
    plan::for_each_rel(expr, [&](const plan::Rel& rel) { define(rel); });
  }
  // From the leaves up, so that the attributes that an expression uses are defined before it.
  void define(const plan::Rel& rel) {
    plan::for_each_rel(rel, [&](const plan::Rel& input) { define(input); });
    plan::for_each_expr(rel, [&](const plan::Expr& expr) { define(expr); });
    if (const auto* scan = rel.as<plan::Scan>()) {
      tables_[to_lower_ascii(names_.of_instance(rel))] = scan->name;
    } else if (const auto* project = rel.as<plan::Project>()) {
      for (const auto& item : project->items) {
        if (!item.is_pass_through()) define(item.id, shown(item.expr));
      }
    } else if (const auto* join = rel.as<plan::Join>(); join != nullptr && join->type == plan::JoinType::inner) {
      for (const auto* side : {join->left.get(), join->right.get()}) {
        if (is_single_value(*side)) define_values(*side);
      }
    } else if (const auto* apply = rel.as<plan::Apply>(); apply != nullptr && apply->type == plan::ApplyType::scalar) {
      define_values(*apply->right);
    } else if (const auto* aggregate = rel.as<plan::Aggregate>()) {
      for (const auto& key : aggregate->keys) {
        const auto* same = plan::column_id(key.expr);
        if (same == nullptr || *same != key.id) define(key.id, shown(key.expr));
      }
      for (const auto& call : aggregate->calls) define(call);
    } else if (const auto* window = rel.as<plan::Window>()) {
      for (const auto& call : window->calls) {
        ast::Call over;
        over.name = {std::string(call.name), ast::Quote::none};
        over.star = call.star;
        over.arguments = shown(call.arguments);
        ast::Window frame;
        for (const auto& key : call.partition_by) frame.partition_by.push_back(shown(key.expr));
        for (const auto& key : call.order_by) frame.order_by.push_back(term(key));
        over.over = ast::Box<std::variant<ast::Name, ast::Window>>(std::move(frame));
        define(call.id, ast::Expr(std::move(over)));
      }
    } else if (const auto* combined = rel.as<plan::SetOp>(); combined != nullptr && !combined->inputs.empty()) {
      const auto first = plan::outputs(combined->inputs.front());
      for (std::size_t i = 0; i < combined->ids.size() && i < first.size(); ++i) {
        if (combined->ids[i] != first[i]) define(combined->ids[i], column(first[i]));
      }
    }
  }
  void define(const plan::AggregateCall& call) {
    if (call.is_bare()) {
      const auto* same = plan::column_id(call.arguments.front());
      if (same == nullptr || *same != call.id) define(call.id, shown(call.arguments.front()));
      return;
    }
    ast::Call aggregated;
    aggregated.name = {std::string(call.name), ast::Quote::none};
    aggregated.distinct = call.distinct;
    aggregated.arguments = shown(call.arguments);
    aggregated.star = call.arguments.empty();
    for (const auto& key : call.order_by) aggregated.order_by.push_back(term(key));
    if (call.filter) aggregated.filter = ast::Box<ast::Expr>(shown(*call.filter));
    define(call.id, ast::Expr(std::move(aggregated)));
  }
  // Whether the rows are a single one that an aggregate without GROUP BY computes.
  static bool is_single_value(const plan::Rel& rel) {
    if (const auto* project = rel.as<plan::Project>()) return is_single_value(*project->input);
    const auto* aggregate = rel.as<plan::Aggregate>();
    return aggregate != nullptr && !aggregate->grouped;
  }
  // The columns of such a relation are written as scalar subqueries where they are used.
  void define_values(const plan::Rel& rel) {
    QueryClauses clauses = read(rel);
    const auto ids = plan::outputs(rel);
    const auto columns = clauses.columns;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      clauses.columns = {columns[i]};
      define(ids[i], ast::Expr(ast::Subquery{ast::Box<ast::Query>(simplified(query_of(clauses)))}));
    }
  }

  // A subquery as one would write it: columns of its only table are not qualified, and a table has its own name unless
  // that would be ambiguous.
  ast::Query simplified(ast::Query query) const {
    std::map<std::string, std::string> own;  // from the name here to the table's name
    std::set<std::string> tables;
    for (const auto& arm : query.arms) {
      for (const auto& item : arm.select() == nullptr ? std::vector<ast::FromItem>() : arm.select()->from) {
        const auto* table = std::get_if<ast::Table>(&item.source);
        if (table == nullptr) continue;
        const auto name = to_lower_ascii(table->name.name.text);
        const auto found = tables_.find(name);
        const std::string plain(found == tables_.end() ? std::string_view(table->name.name.text) : found->second);
        if (!tables.insert(to_lower_ascii(plain)).second) return query;
        own[name] = plain;
      }
    }
    bool is_closed = true;
    ast::walk(query, [&](const ast::ColumnRef& node) {
      is_closed = is_closed && (!node.table || own.contains(to_lower_ascii(node.table->text)));
    });
    if (!is_closed) return query;
    ast::walk(query, ast::Overloaded{[&](ast::ColumnRef& node) {
                                       if (!node.table) return;
                                       if (own.size() == 1) {
                                         node.table = std::nullopt;
                                       } else {
                                         node.table->text = own.at(to_lower_ascii(node.table->text));
                                       }
                                     },
                                     [&](ast::TableName& node) {
                                       const auto found = own.find(to_lower_ascii(node.name.text));
                                       if (found != own.end()) node.name.text = found->second;
                                     }});
    return query;
  }

  ast::OrderTerm term(const plan::SortKey& key) const { return {shown(key.expr), key.descending}; }

  // --- clauses, from the root down

  // Reads LIMIT, ORDER BY and DISTINCT; returns what is below them.
  const plan::Rel* read_order(const plan::Rel& root, QueryClauses& clauses) const {
    const auto* rel = &root;
    for (;;) {
      if (const auto* limit = rel->as<plan::Limit>();
          limit != nullptr && !clauses.limit && clauses.order.empty() && !clauses.distinct) {
        clauses.limit = ast::Box<ast::Expr>(shown(*limit->count));
        if (limit->offset) clauses.offset = ast::Box<ast::Expr>(shown(*limit->offset));
        rel = limit->input.get();
      } else if (const auto* sort = rel->as<plan::Sort>();
                 sort != nullptr && clauses.order.empty() && !clauses.distinct) {
        for (const auto& key : sort->keys) clauses.order.push_back(term(key));
        rel = sort->input.get();
      } else if (const auto* distinct = rel->as<plan::Distinct>()) {
        clauses.distinct = true;
        rel = distinct->input.get();
      } else if (const auto* project = rel->as<plan::Project>()) {
        rel = project->input.get();
      } else if (const auto* derived = rel->as<plan::Derived>()) {
        rel = derived->input.get();
      } else {
        return rel;
      }
    }
  }

  // Reads HAVING and GROUP BY; returns what is below them.
  const plan::Rel* read_groups(const plan::Rel& root, QueryClauses& clauses) const {
    const auto* rel = &root;
    std::vector<ast::Expr> conditions;
    for (;;) {
      if (const auto* filter = rel->as<plan::Filter>()) {
        for (auto& condition : shown(filter->conjuncts)) conditions.push_back(std::move(condition));
        rel = filter->input.get();
      } else if (const auto* project = rel->as<plan::Project>()) {
        rel = project->input.get();
      } else if (const auto* aggregate = rel->as<plan::Aggregate>()) {
        clauses.aggregate = true;
        for (const auto& key : aggregate->keys) clauses.keys.push_back(shown(key.expr));
        clauses.group_conditions = std::move(conditions);
        return aggregate->input.get();
      } else {
        return &root;
      }
    }
  }

  void read_source(const plan::Rel& rel, QueryClauses& clauses) const {
    if (const auto* filter = rel.as<plan::Filter>()) {
      for (auto& condition : shown(filter->conjuncts)) clauses.conditions.push_back(std::move(condition));
      read_source(*filter->input, clauses);
    } else if (const auto* project = rel.as<plan::Project>()) {
      read_source(*project->input, clauses);
    } else if (const auto* derived = rel.as<plan::Derived>()) {
      read_source(*derived->input, clauses);
    } else if (const auto* sort = rel.as<plan::Sort>()) {
      read_source(*sort->input, clauses);
    } else if (const auto* window = rel.as<plan::Window>()) {
      read_source(*window->input, clauses);
    } else if (const auto* join = rel.as<plan::Join>()) {
      read_join(*join, clauses);
    } else if (const auto* apply = rel.as<plan::Apply>(); apply != nullptr && apply->type <= plan::ApplyType::anti) {
      read_source(*apply->left, clauses);
      if (apply->type != plan::ApplyType::scalar) clauses.conditions.push_back(match(*apply));
    } else if (const auto* scan = rel.as<plan::Scan>()) {
      clauses.sources.push_back({.table = names_.of_instance(rel), .name = std::string(scan->name)});
    } else if (const auto* values = rel.as<plan::Values>(); values != nullptr && values->rows.empty()) {
      // No row at all: the normaliser has found a contradiction.
      clauses.conditions.emplace_back(ast::Literal{ast::Literal::Kind::integer, "0"});
    } else if (values != nullptr && values->ids.empty()) {
      return;  // a SELECT without FROM
    } else {
      clauses.sources.push_back({.subquery = nested(rel)});
    }
  }

  // The relation as a subquery in FROM; an operator that has no clauses of its own is only named.
  ast::Box<ast::Query> nested(const plan::Rel& rel) const {
    const bool is_readable =
        rel.is<plan::Aggregate>() || rel.is<plan::Distinct>() || rel.is<plan::Limit>() || rel.is<plan::SetOp>();
    if (is_readable) return {query_of(read(rel))};
    QueryClauses unread;
    for (const auto id : plan::outputs(rel)) unread.columns.push_back(column(id));
    return {query_of(unread)};
  }

  void read_join(const plan::Join& join, QueryClauses& clauses) const {
    switch (join.type) {
      case plan::JoinType::inner:
        for (const auto* side : {join.left.get(), join.right.get()}) {
          if (!is_single_value(*side)) read_source(*side, clauses);
        }
        for (auto& condition : shown(join.on)) clauses.conditions.push_back(std::move(condition));
        return;
      case plan::JoinType::semi:
      case plan::JoinType::anti:
        read_source(*join.left, clauses);
        clauses.conditions.push_back(match(join));
        return;
      case plan::JoinType::left:
      case plan::JoinType::right:
      case plan::JoinType::full: {
        read_source(*join.left, clauses);
        QueryClauses right;
        read_source(*join.right, right);
        for (auto& source : right.sources) {
          source.optional = true;
          clauses.sources.push_back(std::move(source));
        }
        if (clauses.sources.empty()) return;
        auto& conditions = clauses.sources.back().conditions;
        conditions = shown(join.on);
        for (auto& condition : right.conditions) conditions.push_back(std::move(condition));
        return;
      }
    }
  }

  // A semi-join with a subquery that is evaluated for each row, as a condition.
  ast::Expr match(const plan::Apply& apply) const {
    QueryClauses inside = read(*apply.right);
    for (auto& condition : shown(apply.on)) inside.conditions.push_back(std::move(condition));
    ast::Expr exists(ast::Exists{ast::Box<ast::Query>(simplified(query_of(inside)))});
    if (apply.type == plan::ApplyType::semi) return exists;
    return ast::Expr(ast::Unary{ast::UnaryOp::logical_not, ast::Box<ast::Expr>(std::move(exists))});
  }

  // A semi-join as a condition: IN if one equality links the two sides, otherwise EXISTS.
  ast::Expr match(const plan::Join& join) const {
    const bool negated = join.type == plan::JoinType::anti;
    QueryClauses inside = read(*join.right);
    const auto inner = plan::output_set(*join.right);
    const auto side = [&](const plan::Expr& expr) {
      const auto used = plan::references(expr);
      return std::pair(used.intersects(inner), !used.is_subset_of(inner));
    };
    const plan::Expr* operand = nullptr;
    const plan::Expr* element = nullptr;
    bool is_single = true;
    std::vector<ast::Expr> rest;
    for (const auto& condition : join.on) {
      const auto* compare = condition.as<plan::Compare>();
      const auto [in, out] = side(condition);
      if (in && !out) {
        rest.push_back(shown(condition));
        continue;
      }
      is_single = is_single && operand == nullptr && compare != nullptr && compare->op == plan::CompareOp::equal;
      if (!is_single) break;
      const bool left_is_inside = side(*compare->left).first;
      element = left_is_inside ? compare->left.get() : compare->right.get();
      operand = left_is_inside ? compare->right.get() : compare->left.get();
      is_single = !side(*element).second && !side(*operand).first;
    }
    if (is_single && operand != nullptr) {
      inside.columns = {shown(*element)};
      for (auto& condition : rest) inside.conditions.push_back(std::move(condition));
      return ast::Expr(
          ast::In{ast::Box<ast::Expr>(shown(*operand)), negated, ast::Box<ast::Query>(simplified(query_of(inside)))});
    }
    inside.columns.clear();
    for (auto& condition : shown(join.on)) inside.conditions.push_back(std::move(condition));
    ast::Expr exists(ast::Exists{ast::Box<ast::Query>(simplified(query_of(inside)))});
    return negated ? ast::Expr(ast::Unary{ast::UnaryOp::logical_not, ast::Box<ast::Expr>(std::move(exists))}) : exists;
  }

  plan::ShownNames names_;
  std::unordered_map<plan::AttributeId, ast::Expr> definitions_;
  std::map<std::string, std::string_view> tables_;  // from the name of an instance, in lower case, to its table
};

}  // namespace

QueryClauses clauses_of(const plan::Plan& plan) { return ClauseReader(plan).read(plan.root); }

ast::Query query_of(const QueryClauses& clauses) {
  ast::Query query;
  if (clauses.set_operation) {
    for (const auto& arm : clauses.arms) {
      const ast::Query part = query_of(arm);
      query.arms.push_back({*clauses.set_operation, part.arms.front().body});
    }
  } else {
    ast::Select select;
    select.distinct = clauses.distinct;
    for (const auto& expr : clauses.columns) {
      ast::SelectItem item;
      item.value = expr;
      select.items.push_back(std::move(item));
    }
    if (select.items.empty()) select.items.push_back(ast::SelectItem{ast::Star{}});
    for (const auto& source : clauses.sources) {
      ast::FromItem item;
      if (source.subquery) {
        item.source = ast::DerivedTable{source.subquery};
      } else {
        item.source = ast::Table{ast::TableName{{}, {source.table, ast::Quote::none}}};
      }
      item.join = source.optional ? ast::JoinType::left : ast::JoinType::comma;
      item.on = conjunction(source.conditions);
      select.from.push_back(std::move(item));
    }
    select.where = conjunction(clauses.conditions);
    select.group_by = clauses.keys;
    select.having = conjunction(clauses.group_conditions);
    query.arms.push_back({ast::SetOp::union_all, std::move(select)});
  }
  query.order_by = clauses.order;
  query.limit = clauses.limit;
  query.offset = clauses.offset;
  return query;
}

std::span<const plan::Rule* const> rules_within_clauses() {
  static const auto rules = [] {
    constexpr std::array<std::string_view, 12> between_clauses = {
        "common_filter",     "exclusive_union", "extreme_to_semi_join",   "filter_of_matches",
        "ignored_nulls",     "pinned_column",   "numbered_rows_to_limit", "sort_by_row_number",
        "sum_of_conditions", "top_row_by_key",  "window_to_groups",       "windows_of_keys"};
    std::vector<const plan::Rule*> kept;
    for (const auto* rule : plan::all_rules()) {
      if (std::find(between_clauses.begin(), between_clauses.end(), rule->name) == between_clauses.end())
        kept.push_back(rule);
    }
    return kept;
  }();
  return rules;
}

}  // namespace trustsql::equiv::explanation
