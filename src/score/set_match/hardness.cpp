#include "score/set_match/hardness.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"

namespace trustsql {

namespace {

// The number of tables, including those inside parenthesised joins.
std::size_t table_count(const std::vector<ast::FromItem>& items) {
  std::size_t count = 0;
  for (const auto& item : items) {
    const auto* group = std::get_if<ast::JoinGroup>(&item.source);
    count += group != nullptr ? table_count(group->items) : 1;
  }
  return count;
}

// The conditions connected by AND and OR, and the numbers of these connectives.
struct ConnectedConditions {
  std::vector<const ast::Expr*> all;
  std::size_t ands = 0;
  std::size_t ors = 0;

  void add(const ast::Expr& expr) {
    const auto* binary = expr.as<ast::Binary>();
    const bool is_and = binary != nullptr && binary->op == ast::BinaryOp::logical_and;
    const bool is_or = binary != nullptr && binary->op == ast::BinaryOp::logical_or;
    if (!is_and && !is_or) {
      all.push_back(&expr);
      return;
    }
    add(*binary->left);
    (is_and ? ands : ors) += 1;
    add(*binary->right);
  }
  void add(const ast::Box<ast::Expr>& expr) {
    if (expr) add(*expr);
  }
};

bool is_negated(const ast::Expr& condition) {
  if (const auto* unary = condition.as<ast::Unary>()) return unary->op == ast::UnaryOp::logical_not;
  if (const auto* in = condition.as<ast::In>()) return in->negated;
  if (const auto* like = condition.as<ast::Like>()) return like->negated;
  if (const auto* between = condition.as<ast::Between>()) return between->negated;
  return false;
}

// The condition without the NOTs before it.
const ast::Expr& positive(const ast::Expr& condition) {
  const auto* unary = condition.as<ast::Unary>();
  return unary != nullptr && unary->op == ast::UnaryOp::logical_not ? positive(*unary->operand) : condition;
}

bool is_like(const ast::Expr& condition) {
  const auto* like = positive(condition).as<ast::Like>();
  return like != nullptr && like->op == ast::LikeOp::like;
}

// The number of subqueries in the condition, not counting those inside other subqueries.
std::size_t subquery_count(const ast::Expr& condition) {
  std::size_t count = 0;
  ast::walk(condition, [&](const ast::Query&) {
    ++count;
    return false;
  });
  return count;
}

// Whether the expression is a call of an aggregate that the evaluator knows.
bool is_aggregate(const ast::Expr& expr) {
  const auto* call = expr.as<ast::Call>();
  if (call == nullptr) return false;
  constexpr std::string_view names[] = {"max", "min", "count", "sum", "avg"};
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view name) { return equals_ignore_case(call->name.text, name); });
}

// The number of aggregates in an ORDER BY term: the term itself, or either operand of a binary operator.
std::size_t aggregates_in_term(const ast::Expr& term) {
  if (const auto* binary = term.as<ast::Binary>())
    return (is_aggregate(*binary->left) ? 1U : 0U) + (is_aggregate(*binary->right) ? 1U : 0U);
  return is_aggregate(term) ? 1 : 0;
}

void add_join_conditions(const std::vector<ast::FromItem>& items, ConnectedConditions& conditions) {
  for (const auto& item : items) {
    conditions.add(item.on);
    if (const auto* group = std::get_if<ast::JoinGroup>(&item.source)) add_join_conditions(group->items, conditions);
  }
}

struct Counts {
  std::size_t a = 0, b = 0, c = 0;
};

Counts count(const ast::Query& query, const ast::Select& select) {
  const bool is_compound = query.arms.size() > 1;
  ConnectedConditions on, where, having;
  add_join_conditions(select.from, on);
  where.add(select.where);
  having.add(select.having);

  const auto one_if = [](bool condition) -> std::size_t { return condition ? 1 : 0; };
  Counts counts;
  counts.a = one_if(static_cast<bool>(select.where)) + one_if(!select.group_by.empty());
  if (!is_compound) counts.a += one_if(!query.order_by.empty()) + one_if(static_cast<bool>(query.limit));
  counts.a += std::max<std::size_t>(table_count(select.from), 1) - 1;
  counts.b = one_if(is_compound);
  for (const auto* conditions : {&on, &where, &having}) {
    counts.a += conditions->ors;
    for (const auto* condition : conditions->all) {
      counts.a += one_if(is_like(*condition));
      counts.b += subquery_count(*condition);
    }
  }

  const auto negated = [](const ConnectedConditions& conditions) {
    return static_cast<std::size_t>(
        std::count_if(conditions.all.begin(), conditions.all.end(), [](const auto* e) { return is_negated(*e); }));
  };
  std::size_t aggregates = negated(where) + negated(having) + having.ands + having.ors;
  for (const auto& item : select.items) aggregates += one_if(item.expr() != nullptr && is_aggregate(*item.expr()));
  for (const auto& expr : select.group_by) aggregates += one_if(is_aggregate(expr));
  if (!is_compound) {
    for (const auto& term : query.order_by) aggregates += aggregates_in_term(term.expr);
  }
  counts.c = one_if(aggregates > 1) + one_if(select.items.size() > 1) + one_if(where.all.size() > 1) +
             one_if(select.group_by.size() > 1);
  return counts;
}

}  // namespace

std::string_view trustsql_hardness(const ast::Query& query) {
  bool nested = query.arms.size() > 1, joined = false;
  const ast::Query* outermost = &query;
  ast::walk(query,
            ast::Overloaded{[&](const ast::Query& inner) { nested = nested || &inner != outermost; },
                            [&](const ast::Select& select) { joined = joined || table_count(select.from) > 1; }});
  return nested ? "hard" : joined ? "medium" : "easy";
}

std::string_view spider_hardness(const ast::Query& query) {
  const auto* select = query.arms.front().select();
  const auto [a, b, c] = select != nullptr ? count(query, *select) : Counts{};
  if (a <= 1 && c == 0 && b == 0) return "easy";
  if (b == 0 && ((c <= 2 && a <= 1) || (a <= 2 && c < 2))) return "medium";
  if ((b == 0 && ((c > 2 && a <= 2) || (a == 3 && c <= 2))) || (a <= 1 && c == 0 && b <= 1)) return "hard";
  return "extra";
}

}  // namespace trustsql
