#include "score/set_match/reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "base/stack_space.hpp"
#include "base/text.hpp"
#include "score/set_match/tokens.hpp"

namespace trustsql::set_match {

namespace {

constexpr std::size_t max_tokens = 20'000;    // comparing takes quadratic time
constexpr int max_depth = 200;                // nesting of subqueries and set operators
constexpr std::size_t bytes_of_level = 8192;  // that one level of these takes of the stack, with room to spare

// The position of the token among the names, -1 if it is none of them.
template <std::size_t n>
int position(std::string_view token, const std::array<std::string_view, n>& names) {
  const auto name = std::find(names.begin(), names.end(), token);
  return name == names.end() ? -1 : static_cast<int>(name - names.begin());
}

// In the order of the enumerators.
constexpr std::array<std::string_view, 6> aggregates = {"none", "max", "min", "count", "sum", "avg"};
constexpr std::array<std::string_view, 5> arithmetic = {"none", "-", "+", "*", "/"};
constexpr std::array<std::string_view, 12> operators = {
    "not", "between", "=", ">", "<", ">=", "<=", "!=", "in", "like", "is", "exists"};
constexpr std::array<std::string_view, 2> connectives = {"and", "or"};
constexpr std::array<std::string_view, 3> set_operators = {"intersect", "union", "except"};

bool begins_clause(std::string_view token) {
  constexpr std::array<std::string_view, 9> names = {"select", "from",      "where", "group", "order",
                                                     "limit",  "intersect", "union", "except"};
  return position(token, names) >= 0;
}
bool joins(std::string_view token) { return token == "join" || token == "on" || token == "as"; }
bool closes(std::string_view token) { return token == ")" || token == ";"; }

// As Python's float() reads it: 1, -.5e3, 1_000, inf, nan.
std::optional<double> number(std::string_view token) {
  bool negative = false;
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) {
    negative = token.front() == '-';
    token.remove_prefix(1);
  }
  double value = 0;
  if (token == "inf" || token == "infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (token == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    std::string digits;
    for (std::size_t i = 0; i < token.size(); ++i) {
      const auto is_digit = [&](std::size_t k) { return k < token.size() && token[k] >= '0' && token[k] <= '9'; };
      if (token[i] == '_' && i > 0 && is_digit(i - 1) && is_digit(i + 1)) continue;
      digits += token[i];
    }
    if (digits.empty() || (digits.front() != '.' && (digits.front() < '0' || digits.front() > '9')))
      return std::nullopt;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range) value = std::strtod(digits.c_str(), nullptr);
  }
  return negative ? -value : value;
}

class Reader {
 public:
  Reader(std::vector<std::string> tokens, const Schema& schema)
      : tokens_(std::move(tokens)), all_(tokens_), schema_(schema) {}

  Result<Query> read() {
    if (tokens_.size() > max_tokens)
      return limit_exceeded("the query has more than " + std::to_string(max_tokens) + " words");
    TRUSTSQL_RETURN_IF_ERROR(find_aliases());
    return query();
  }

 private:
  // The tables in which unqualified columns are looked up, in this order.
  using Tables = std::vector<int>;

  bool at_end() const { return current_ >= all_.size(); }
  // The current token; empty at the end, since no token is empty.
  std::string_view token() const { return at_end() ? std::string_view() : all_[current_]; }
  bool is(std::string_view word) const { return token() == word; }
  bool take(std::string_view word) {
    if (!is(word)) return false;
    ++current_;
    return true;
  }
  Error unexpected(std::string_view expected) const {
    return invalid_argument("expected " + std::string(expected) + ", found " +
                            (at_end() ? "the end of the query" : quote_for_message(token(), 40)));
  }
  Status expect(std::string_view word) {
    if (take(word)) return ok_status();
    return unexpected(quote_for_message(word));
  }

  // Every "x AS y" of the text makes y an alias of x, whatever they are.
  Status find_aliases() {
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (tokens_[i] != "as") continue;
      if (i + 1 == tokens_.size()) return invalid_argument("the query ends in AS");
      if (schema_.has_table(tokens_[i + 1]))
        return invalid_argument("the alias " + quote_for_message(tokens_[i + 1], 40) + " is the name of a table");
      aliases_[tokens_[i + 1]] = tokens_[i - 1];
    }
    return ok_status();
  }
  // The table with this name or alias.
  std::optional<int> table(std::string_view name) const {
    const auto alias = aliases_.find(std::string(name));
    return schema_.find_table(alias != aliases_.end() ? std::string_view(alias->second) : name);
  }

  Result<Query> query() {
    if (depth_ == most_)
      return limit_exceeded(std::string("subqueries and set operators are nested too deeply") +
                            (most_ < max_depth ? " for the stack of this thread" : ""));
    ++depth_;
    auto read = query_at_depth();
    --depth_;
    return read;
  }

  Result<Query> query_at_depth() {
    Query query;
    const bool in_block = take("(");
    // FROM is read first: it determines the tables that unqualified columns may belong to.
    const std::size_t start = current_;
    Tables tables;
    TRUSTSQL_RETURN_IF_ERROR(from(query, tables));
    const std::size_t after_from = current_;
    current_ = start;
    TRUSTSQL_RETURN_IF_ERROR(select(query, tables));
    current_ = after_from;
    if (take("where")) TRUSTSQL_RETURN_IF_ERROR(conditions(query.where, tables));
    TRUSTSQL_RETURN_IF_ERROR(group_by(query, tables));
    if (take("having")) TRUSTSQL_RETURN_IF_ERROR(conditions(query.having, tables));
    TRUSTSQL_RETURN_IF_ERROR(order_by(query, tables));
    if (take("limit")) {
      if (at_end()) return unexpected("a number");
      query.limit = true;
      ++current_;
    }
    skip_semicolons();
    if (in_block) TRUSTSQL_RETURN_IF_ERROR(expect(")"));
    skip_semicolons();
    if (const int op = position(token(), set_operators); op >= 0) {
      ++current_;
      TRUSTSQL_ASSIGN_OR_RETURN(Query right, this->query());
      constexpr std::array<SetOperator, 3> in_order = {SetOperator::intersect_rows, SetOperator::union_rows,
                                                       SetOperator::except_rows};
      query.operation = SetOperation{in_order[static_cast<std::size_t>(op)], std::move(right)};
    }
    return query;
  }
  void skip_semicolons() {
    while (take(";")) {
    }
  }

  // Reads the first FROM after the current position, which is the query's own if it has one.
  Status from(Query& query, Tables& tables) {
    const auto from_token =
        std::find(all_.begin() + static_cast<std::ptrdiff_t>(std::min(current_, all_.size())), all_.end(), "from");
    if (from_token == all_.end()) return invalid_argument("a SELECT has no FROM clause");
    current_ = static_cast<std::size_t>(from_token - all_.begin()) + 1;
    while (!at_end()) {
      const bool in_block = take("(");
      if (is("select")) {
        TRUSTSQL_ASSIGN_OR_RETURN(Query derived, this->query());
        query.tables.emplace_back(ast::Box<Query>(std::move(derived)));
      } else {
        take("join");
        const auto named = table(token());
        if (!named) return unexpected("a table");
        ++current_;
        if (take("as")) ++current_;
        query.tables.emplace_back(*named);
        tables.push_back(*named);
      }
      if (take("on")) {
        if (!query.joins.empty()) query.joins.connectives.push_back(Connective::logical_and);
        TRUSTSQL_RETURN_IF_ERROR(conditions(query.joins, tables));
      }
      if (in_block) TRUSTSQL_RETURN_IF_ERROR(expect(")"));
      if (begins_clause(token()) || closes(token())) break;
    }
    return ok_status();
  }

  Status select(Query& query, const Tables& tables) {
    TRUSTSQL_RETURN_IF_ERROR(expect("select"));
    query.distinct = take("distinct");
    while (!at_end() && !begins_clause(token())) {
      SelectItem item;
      if (const int aggregate = position(token(), aggregates); aggregate >= 0) {
        item.aggregate = static_cast<Aggregate>(aggregate);
        ++current_;
      }
      TRUSTSQL_ASSIGN_OR_RETURN(item.unit, value_unit(tables));
      query.items.push_back(std::move(item));
      take(",");
    }
    return ok_status();
  }

  Status group_by(Query& query, const Tables& tables) {
    if (!take("group")) return ok_status();
    TRUSTSQL_RETURN_IF_ERROR(expect("by"));
    while (!at_end() && !begins_clause(token()) && !closes(token())) {
      TRUSTSQL_ASSIGN_OR_RETURN(ColumnUnit unit, column_unit(tables));
      query.group_by.push_back(unit);
      if (!take(",")) break;
    }
    return ok_status();
  }

  Status order_by(Query& query, const Tables& tables) {
    if (!take("order")) return ok_status();
    TRUSTSQL_RETURN_IF_ERROR(expect("by"));
    query.order_by.emplace();
    while (!at_end() && !begins_clause(token()) && !closes(token())) {
      TRUSTSQL_ASSIGN_OR_RETURN(ValueUnit unit, value_unit(tables));
      query.order_by->units.push_back(std::move(unit));
      if (is("asc") || is("desc")) {
        query.order_by->descending = is("desc");
        ++current_;
      }
      if (!take(",")) break;
    }
    return ok_status();
  }

  Status conditions(Conditions& conditions, const Tables& tables) {
    while (!at_end()) {
      Condition condition;
      TRUSTSQL_ASSIGN_OR_RETURN(condition.unit, value_unit(tables));
      condition.negated = take("not");
      const int op = position(token(), operators);
      if (op < 0) return unexpected("an operator");
      condition.op = static_cast<Operator>(op);
      ++current_;
      TRUSTSQL_RETURN_IF_ERROR(operand(condition.first, tables));
      if (condition.op == Operator::between) {
        TRUSTSQL_RETURN_IF_ERROR(expect("and"));
        TRUSTSQL_RETURN_IF_ERROR(operand(condition.second, tables));
      }
      conditions.all.push_back(std::move(condition));
      if (at_end() || begins_clause(token()) || closes(token()) || joins(token())) return ok_status();
      const int connective = position(token(), connectives);
      // The evaluator would continue and read the next condition as a connective; no query equals such a result.
      if (connective < 0) return unexpected("AND or OR");
      conditions.connectives.push_back(static_cast<Connective>(connective));
      ++current_;
    }
    return ok_status();
  }

  Status operand(Operand& operand, const Tables& tables) {
    const std::size_t start = current_;
    const bool in_block = take("(");
    if (at_end()) return unexpected("a value");
    if (is("select")) {
      TRUSTSQL_ASSIGN_OR_RETURN(Query nested, query());
      operand = ast::Box<Query>(std::move(nested));
    } else if (token().find('"') != std::string_view::npos) {
      operand = std::string(token());
      ++current_;
    } else if (const auto value = number(token())) {
      operand = *value;
      ++current_;
    } else {
      // A column, in the tokens up to the next comma, parenthesis, clause or AND.
      std::size_t end = current_;
      const auto is_end = [](std::string_view word) {
        return word == "," || word == ")" || word == "and" || begins_clause(word) || joins(word);
      };
      while (end < all_.size() && !is_end(all_[end])) ++end;
      const auto everything = all_;
      all_ = all_.first(end);
      current_ = start;
      auto column = column_unit(tables);
      all_ = everything;
      current_ = end;
      if (!column.ok()) return column.error();
      operand = *column;
    }
    if (in_block) return expect(")");
    return ok_status();
  }

  Result<ValueUnit> value_unit(const Tables& tables) {
    ValueUnit unit;
    const bool in_block = take("(");
    TRUSTSQL_ASSIGN_OR_RETURN(unit.left, column_unit(tables));
    if (const int op = position(token(), arithmetic); op >= 0) {
      unit.op = static_cast<Arithmetic>(op);
      ++current_;
      TRUSTSQL_ASSIGN_OR_RETURN(unit.right, column_unit(tables));
    }
    if (in_block) TRUSTSQL_RETURN_IF_ERROR(expect(")"));
    return unit;
  }

  Result<ColumnUnit> column_unit(const Tables& tables) {
    ColumnUnit unit;
    const bool in_block = take("(");
    if (const int aggregate = position(token(), aggregates); aggregate >= 0) {
      unit.aggregate = static_cast<Aggregate>(aggregate);
      ++current_;
      TRUSTSQL_RETURN_IF_ERROR(expect("("));
      unit.distinct = take("distinct");
      TRUSTSQL_ASSIGN_OR_RETURN(unit.column, column(tables));
      TRUSTSQL_RETURN_IF_ERROR(expect(")"));
      return unit;  // the caller closes a parenthesis around an aggregate
    }
    unit.distinct = take("distinct");
    TRUSTSQL_ASSIGN_OR_RETURN(unit.column, column(tables));
    if (in_block) TRUSTSQL_RETURN_IF_ERROR(expect(")"));
    return unit;
  }

  Result<int> column(const Tables& tables) {
    const std::string_view name = token();
    if (at_end()) return unexpected("a column");
    std::optional<int> index;
    if (name == "*") {
      index = all_columns;
    } else if (const auto dot = name.find('.'); dot != std::string_view::npos) {
      const auto qualifier = table(name.substr(0, dot));
      if (qualifier && name.find('.', dot + 1) == std::string_view::npos)
        index = schema_.find_column(*qualifier, name.substr(dot + 1));
    } else {
      for (std::size_t i = 0; i < tables.size() && !index; ++i) index = schema_.find_column(tables[i], name);
    }
    if (!index) return unexpected("a column");
    ++current_;
    return *index;
  }

  const std::vector<std::string> tokens_;
  std::span<const std::string> all_;  // the tokens to read: all, or those up to the end of one operand
  const Schema& schema_;
  std::unordered_map<std::string, std::string> aliases_;
  std::size_t current_ = 0;  // index of the current token
  int depth_ = 0;
  const int most_ = levels_of_stack(bytes_of_level, max_depth);
};

}  // namespace

Result<Query> read(std::string_view sql, const Schema& schema) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto all, tokens(sql));
  return Reader(std::move(all), schema).read();
}

}  // namespace trustsql::set_match
