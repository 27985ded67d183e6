#include "semparse/examples/order_free.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "base/value.hpp"
#include "semparse/examples/query_parts.hpp"
#include "semparse/examples/query_template.hpp"
#include "sql/ast_walk.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"

namespace trustsql::semparse {

namespace {

// Aliases in lower case, and what is written for them.
using AliasNames = std::map<std::string, std::string>;

constexpr int refinements = 3;

std::string visible_name(const ast::FromItem& item) {
  if (item.alias) return item.alias->text;
  const auto* table = std::get_if<ast::Table>(&item.source);
  return table == nullptr ? std::string() : table->name.name.text;
}

AliasNames without_names(AliasNames names, const ast::Arm& arm) {
  if (const auto* select = arm.select())
    for (const auto& item : select->from) names.erase(visible_name(item));
  return names;
}

// Writes other names for aliases, in `node` and in the subqueries below it that do not hide them.
template <class T>
void rename_aliases(T& node, const AliasNames& names) {
  if (names.empty()) return;
  const auto below = [](auto& parent, const AliasNames& visible) {
    ast::for_each_child(parent, [&](auto& child) { rename_aliases(child, visible); });
  };
  if constexpr (std::is_same_v<T, ast::ColumnRef> || std::is_same_v<T, ast::Star>) {
    if (!node.table) return;
    if constexpr (std::is_same_v<T, ast::ColumnRef>)
      if (node.schema) return;
    if (const auto name = names.find(node.table->text); name != names.end()) node.table->text = name->second;
  } else if constexpr (std::is_same_v<T, ast::Query>) {
    auto visible = names;
    for (auto& arm : node.arms) {
      below(arm, without_names(names, arm));
      visible = without_names(std::move(visible), arm);
    }
    for (auto& term : node.order_by) rename_aliases(term, visible);
  } else {
    below(node, names);
  }
}

void lower_names(ast::Query& query) {
  const auto lower = [](ast::Name& name) { name = {to_lower_ascii(name.text)}; };
  const auto lower_all = [&lower](auto& names) {
    if (names) lower(*names);
  };
  // Text in double quotes, where a value is expected.
  const auto value = [](ast::Expr& expr) {
    const auto* column = expr.as<ast::ColumnRef>();
    if (column != nullptr && column->may_be_string())
      expr = ast::Expr(ast::Literal{ast::Literal::Kind::string, column->column.text}, expr.span);
  };
  ast::walk(query,
            ast::Overloaded{
                [&](ast::ColumnRef& column) {
                  lower_all(column.table);
                  lower(column.column);
                },
                [&](ast::Star& star) { lower_all(star.table); }, [&](ast::TableName& table) { lower(table.name); },
                [&](ast::FromItem& item) { lower_all(item.alias); },
                [&](ast::SelectItem& item) { lower_all(item.alias); }, [&](ast::Call& call) { lower(call.name); },
                [&](ast::Binary& binary) { value(*binary.right); }, [&](ast::Like& like) { value(*like.pattern); },
                [&](ast::Between& between) {
                  value(*between.low);
                  value(*between.high);
                },
                [&](ast::In& in) {
                  if (auto* list = std::get_if<std::vector<ast::Expr>>(&in.set))
                    for (auto& each : *list) value(each);
                }});
}

void split_operands(ast::Expr expr, ast::BinaryOp op, std::vector<ast::Expr>& parts) {
  auto* binary = expr.as<ast::Binary>();
  if (binary == nullptr || binary->op != op) {
    parts.push_back(std::move(expr));
    return;
  }
  split_operands(std::move(*binary->left), op, parts);
  split_operands(std::move(*binary->right), op, parts);
}

void sort_by_hash(std::vector<ast::Expr>& list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const ast::Expr& a, const ast::Expr& b) { return ast::hash(a) < ast::hash(b); });
}

ast::Expr join_operands(std::vector<ast::Expr> parts, ast::BinaryOp op) {
  auto joined = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i)
    joined = ast::Expr(ast::Binary{op, std::move(joined), std::move(parts[i])});
  return joined;
}

void put_operands_in_order(ast::Expr& expr) {
  if (auto* in = expr.as<ast::In>()) {
    if (auto* list = std::get_if<std::vector<ast::Expr>>(&in->set)) sort_by_hash(*list);
    return;
  }
  auto* binary = expr.as<ast::Binary>();
  if (binary == nullptr) return;
  switch (binary->op) {
    case ast::BinaryOp::logical_and:
    case ast::BinaryOp::logical_or: {
      const auto op = binary->op;
      std::vector<ast::Expr> parts;
      split_operands(std::move(expr), op, parts);
      sort_by_hash(parts);
      parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
      expr = join_operands(std::move(parts), op);
      break;
    }
    case ast::BinaryOp::greater:
    case ast::BinaryOp::greater_equal:
      binary->op = binary->op == ast::BinaryOp::greater ? ast::BinaryOp::less : ast::BinaryOp::less_equal;
      std::swap(binary->left, binary->right);
      break;
    case ast::BinaryOp::equal:
    case ast::BinaryOp::not_equal:
      if (ast::hash(*binary->right) < ast::hash(*binary->left)) std::swap(binary->left, binary->right);
      break;
    default: break;
  }
}

// Children first: the order of a list depends on how its members are written.
template <class T>
void put_in_order(T& node) {
  ast::for_each_child(node, [](auto& child) { put_in_order(child); });
  if constexpr (std::is_same_v<T, ast::Expr>) put_operands_in_order(node);
  if constexpr (std::is_same_v<T, ast::Select>) sort_by_hash(node.group_by);
}

// Numbers the aliases of one SELECT by how they are used, and puts its tables in that order.
class AliasNumbering {
 public:
  AliasNumbering(ast::Select& select, std::vector<ast::OrderTerm>* order_by) : select_(select), order_by_(order_by) {}

  void run(int depth) {
    if (!applies()) return;
    gather_conditions();
    for (const auto& item : select_.from) colours_.push_back(ast::hash(ast::FromItem{.source = item.source}));
    gather_uses();
    for (int i = 0; i < refinements; ++i) refine();
    // Where two look the same, one of them is chosen, which tells the others apart.
    while (const auto tied = first_of_tie()) {
      colours_[*tied] = mix64(colours_[*tied] + 1);
      refine();
      refine();
    }
    uses_.clear();
    std::vector<std::size_t> order(names_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return colours_[a] < colours_[b]; });
    AliasNames numbers;
    std::vector<ast::FromItem> from;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto number = std::to_string(depth) + ":" + std::to_string(i);
      numbers[names_[order[i]]] = number;
      from.push_back({.source = std::move(select_.from[order[i]].source), .alias = ast::Name{number}});
    }
    select_.from = std::move(from);
    ast::for_each_child(select_, [&](auto& child) { rename_aliases(child, numbers); });
    if (order_by_ != nullptr)
      for (auto& term : *order_by_) rename_aliases(term, numbers);
  }

 private:
  // Inner joins of tables with different names, whose order no star shows.
  bool applies() {
    if (select_.from.empty() || !select_.windows.empty()) return false;
    for (std::size_t i = 0; i < select_.from.size(); ++i) {
      const auto& item = select_.from[i];
      const bool inner =
          item.join == ast::JoinType::comma || item.join == ast::JoinType::inner || item.join == ast::JoinType::cross;
      if ((i > 0 && !inner) || item.natural || !item.using_columns.empty()) return false;
      names_.push_back(visible_name(item));
    }
    const bool star = std::any_of(select_.items.begin(), select_.items.end(),
                                  [](const ast::SelectItem& item) { return item.expr() == nullptr; });
    const std::set<std::string> different(names_.begin(), names_.end());
    return different.size() == names_.size() && different.count("") == 0 && (!star || names_.size() == 1);
  }

  void gather_conditions() {
    std::vector<ast::Expr> conditions;
    for (auto& item : select_.from)
      if (item.on) split_operands(std::move(*item.on), ast::BinaryOp::logical_and, conditions);
    if (select_.where) split_operands(std::move(*select_.where), ast::BinaryOp::logical_and, conditions);
    if (!conditions.empty()) select_.where = join_operands(std::move(conditions), ast::BinaryOp::logical_and);
  }

  struct Use {
    ast::Expr expr;
    std::uint64_t role;
    std::vector<std::size_t> tables{};
  };

  void add_use(ast::Expr expr, std::uint64_t role) {
    Use use{std::move(expr), role};
    std::set<std::size_t> tables;
    ast::walk(use.expr, [&](const ast::ColumnRef& column) {
      if (!column.table) return;
      const auto found = std::find(names_.begin(), names_.end(), column.table->text);
      if (found != names_.end()) tables.insert(static_cast<std::size_t>(found - names_.begin()));
    });
    use.tables.assign(tables.begin(), tables.end());
    if (!use.tables.empty()) uses_.push_back(std::move(use));
  }

  void gather_uses() {
    std::vector<ast::Expr> conditions;
    if (select_.where) split_operands(*select_.where, ast::BinaryOp::logical_and, conditions);
    for (auto& each : conditions) add_use(std::move(each), 1);
    for (const auto& each : select_.group_by) add_use(each, 2);
    if (select_.having) add_use(*select_.having, 3);
    for (std::size_t i = 0; i < select_.items.size(); ++i)
      if (const auto* expr = select_.items[i].expr()) add_use(*expr, 100 + i);
    if (order_by_ == nullptr) return;
    for (std::size_t i = 0; i < order_by_->size(); ++i) add_use((*order_by_)[i].expr, 10'000 + i);
  }

  // A table's colour takes up how it is used together with which others.
  void refine() {
    if (names_.size() == 1) return;
    std::vector<std::uint64_t> next(colours_.size(), 0);
    for (const auto& use : uses_) {
      AliasNames names;
      for (const auto table : use.tables) names[names_[table]] = "c" + std::to_string(colours_[table]);
      for (const auto table : use.tables) {
        auto own = names;
        own[names_[table]] += "self";
        auto expr = use.expr;
        rename_aliases(expr, own);
        put_in_order(expr);
        next[table] += mix64(ast::hash(expr, use.role));
      }
    }
    for (std::size_t i = 0; i < next.size(); ++i) colours_[i] = mix64(colours_[i] ^ mix64(next[i]));
  }

  std::optional<std::size_t> first_of_tie() const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < colours_.size(); ++i)
      for (std::size_t j = i + 1; j < colours_.size(); ++j)
        if (colours_[i] == colours_[j] && (!first || colours_[i] < colours_[*first])) first = i;
    return first;
  }

  ast::Select& select_;
  std::vector<ast::OrderTerm>* order_by_;
  std::vector<std::string> names_{};
  std::vector<std::uint64_t> colours_{};
  std::vector<Use> uses_{};
};

void number_aliases(ast::Query& query, int depth) {
  ast::for_each_child(query, [depth](auto& child) {
    ast::walk(child, [depth](ast::Query& nested) {
      number_aliases(nested, depth + 1);
      return false;
    });
  });
  for (auto& arm : query.arms)
    if (auto* select = arm.select())
      AliasNumbering(*select, query.arms.size() == 1 ? &query.order_by : nullptr).run(depth);
}

// The same for queries that differ in order and names alone: a sum over the tokens that are neither.
std::uint64_t token_sum(std::string_view sql) {
  std::uint64_t sum = 0;
  auto tokens = significant_tokens(sql);
  drop_zero_offsets(sql, tokens);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    if (token.is(TokenKind::integer) || token.is(TokenKind::real)) {
      sum += mix64(hash_bytes(token.text(sql), 1));
    } else if (token.is(TokenKind::string) || token.is(TokenKind::quoted) || token.is(TokenKind::identifier)) {
      const bool qualifies = i + 1 < tokens.size() && tokens[i + 1].is(TokenKind::dot);
      const bool names = i > 0 && tokens[i - 1].is(Keyword::As);
      if (!qualifies && !names) sum += mix64(hash_bytes(to_lower_ascii(token.name(sql)), 2));
    }
  }
  return sum;
}

}  // namespace

std::optional<OrderFreeForm> order_free_form(std::string_view sql) {
  auto parsed = parse_query(sql);
  if (!parsed.ok() || parsed->with) return std::nullopt;
  auto& query = *parsed;
  if (query.offset && query.offset->is<ast::Literal>() && query.offset->as<ast::Literal>()->text == "0")
    query.offset = {};
  lower_names(query);
  number_aliases(query, 0);
  put_in_order(query);
  OrderFreeForm form{print_query(query)};
  ast::walk(query, [&form](const ast::Expr& expr) {
    if (expr.is<ast::Literal>()) form.literals.push_back(expr.span.begin);
  });
  return form;
}

QueryMatcher::QueryMatcher(std::string_view sql) : sql_(sql), tokens_(token_text(sql)), sum_(token_sum(sql)) {}

bool QueryMatcher::matches(std::string_view other) const {
  if (token_sum(other) != sum_) return false;
  if (token_text(other) == tokens_) return true;
  if (!form_) {
    const auto form = order_free_form(sql_);
    form_ = form ? form->text : std::string();
  }
  const auto form = order_free_form(other);
  return form && form->text == *form_;
}

}  // namespace trustsql::semparse
