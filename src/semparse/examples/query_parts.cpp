#include "semparse/examples/query_parts.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "base/text.hpp"
#include "sql/functions.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_tokens = 1000;

bool is_name_token(const Token& token) { return token.is(TokenKind::identifier) || token.is(TokenKind::quoted); }

// 2021-07 ...: a text that begins like a date.
bool begins_like_date(std::string_view text) {
  const auto digit = [text](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  return text.size() >= 7 && digit(0) && digit(1) && digit(2) && digit(3) && text[4] == '-' && digit(5) && digit(6);
}

class QueryPartReader {
 public:
  QueryPartReader(std::string_view sql, QueryParts& parts) : sql_(sql), parts_(parts), tokens_(parts.tokens) {}

  void read() {
    read_aliases();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].is(Keyword::Where) || tokens_[i].is(Keyword::And) || tokens_[i].is(Keyword::On)) read_time(i + 1);
      read_literal(i);
    }
    join_times();
  }

 private:
  std::string lower(std::size_t i) const { return to_lower_ascii(tokens_[i].name(sql_)); }
  bool is(std::size_t i, TokenKind kind) const { return i < tokens_.size() && tokens_[i].is(kind); }
  bool is(std::size_t i, Keyword keyword) const { return i < tokens_.size() && tokens_[i].is(keyword); }

  // FROM table AS alias
  void read_aliases() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const bool before = is(i, Keyword::From) || is(i, Keyword::Join) || is(i, TokenKind::comma);
      if (!before || !is_name_token(tokens_[i + 1])) continue;
      auto at = i + 2;
      if (is(at, TokenKind::dot)) at += 2;
      // Behind a comma, a name may be a column.
      if (!is(i, TokenKind::comma)) tables_.insert(lower(at - 1));
      if (is(at, Keyword::As)) ++at;
      if (at < tokens_.size() && is_name_token(tokens_[at]))
        aliases_.emplace(lower(at), lower(at - 1 - (is(at - 1, Keyword::As) ? 1 : 0)));
    }
  }

  // The name whose last token is `last`: "table.column".
  std::string column_ending_at(std::size_t last) const {
    if (last >= tokens_.size() || !is_name_token(tokens_[last])) return {};
    auto name = lower(last);
    if (last >= 2 && is(last - 1, TokenKind::dot) && is_name_token(tokens_[last - 2])) {
      const auto owner = lower(last - 2);
      const auto alias = aliases_.find(owner);
      return (alias == aliases_.end() ? owner : alias->second) + "." + name;
    }
    return tables_.size() == 1 ? *tables_.begin() + "." + name : name;
  }

  // The column that a comparison's left side ends with; "strftime('%Y', t.c)" and "lower(c)" are of c.
  std::string column_before(std::size_t comparison) const {
    if (comparison == 0) return {};
    auto at = comparison - 1;
    if (is(at, Keyword::Not) && at > 0) --at;
    if (!is(at, TokenKind::right_parenthesis)) return column_ending_at(at);
    while (at > 0 && is(at, TokenKind::right_parenthesis)) --at;
    return column_ending_at(at);
  }

  void read_literal(std::size_t i) {
    const auto& token = tokens_[i];
    const bool text = token.is(TokenKind::string) || (token.is(TokenKind::quoted) && sql_[token.offset] == '"');
    const bool number = token.is(TokenKind::integer) || token.is(TokenKind::real);
    if (!text && !number) return;
    QueryLiteral literal{.token = i, .value = text ? token.name(sql_) : std::string(token.text(sql_)), .quoted = text};
    if (!find_context(i, literal)) return;
    if (token.is(TokenKind::quoted) && literal.column.empty()) return;
    if (number) {
      literal.number = std::strtod(literal.value.c_str(), nullptr);
    } else {
      split_text(literal);
    }
    if (literal.value.empty()) return;
    parts_.literals.push_back(std::move(literal));
  }

  // What the literal is compared with; false if a question's value cannot stand there.
  bool find_context(std::size_t i, QueryLiteral& literal) const {
    if (i == 0) return false;
    auto before = i - 1;
    if (is(before, Keyword::Limit) || is(before, Keyword::Offset)) {
      literal.column = "limit";
      return !literal.quoted;
    }
    if (is_comparison(tokens_[before])) {
      literal.column = column_before(before);
      literal.compared = true;
      literal.equality = is(before, TokenKind::equal);
      literal.pattern = is(before, Keyword::Like);
      return true;
    }
    // BETWEEN x AND y
    if (is(before, Keyword::And) && before >= 2 && is(before - 2, Keyword::Between)) {
      literal.column = column_before(before - 2);
      literal.compared = true;
      literal.low_bound = before - 1;
      return true;
    }
    // IN (x, y)
    while (before > 0 && (is(before, TokenKind::comma) || tokens_[before].is(TokenKind::string) ||
                          tokens_[before].is(TokenKind::integer) || tokens_[before].is(TokenKind::quoted)))
      --before;
    if (is(before, TokenKind::left_parenthesis) && before > 0 && is(before - 1, Keyword::In)) {
      literal.column = column_before(before - 1);
      literal.compared = literal.equality = true;
      return true;
    }
    // '+2 month' in a date function
    return literal.quoted && tokens_[i].is(TokenKind::string) && is(i - 1, TokenKind::comma) &&
           is_interval(literal.value);
  }

  static bool is_interval(std::string_view text) {
    if (text.size() < 3 || (text[0] != '+' && text[0] != '-') || text[1] < '1' || text[1] > '9') return false;
    return text.find(' ') != std::string_view::npos;
  }

  static void split_text(QueryLiteral& literal) {
    auto& value = literal.value;
    if (literal.column.empty() && is_interval(value)) {
      const auto space = value.find(' ');
      literal.before = value.substr(0, 1);
      literal.after = value.substr(space);
      value = value.substr(1, space - 1);
      literal.number = std::strtod(value.c_str(), nullptr);
      return;
    }
    if (!literal.pattern) return;
    if (value.starts_with('%')) {
      literal.before = "%";
      value.erase(0, 1);
    }
    if (value.ends_with('%')) {
      literal.after = "%";
      value.pop_back();
    }
  }

  // A condition that begins at `first`, if it is about time.
  void read_time(std::size_t first) {
    TimeCondition condition{.first = first};
    int depth = 0;
    bool about_time = false;
    bool between = false;
    bool compares = false;
    std::string column;
    auto i = first;
    for (; i < tokens_.size(); ++i) {
      const auto& token = tokens_[i];
      compares = compares || (depth == 0 && is_comparison(token));
      if (token.is(TokenKind::left_parenthesis)) {
        ++depth;
      } else if (token.is(TokenKind::right_parenthesis)) {
        if (depth == 0) break;
        --depth;
      } else if (token.is(Keyword::Between)) {
        between = true;
      } else if (token.is(Keyword::And) && between) {
        between = false;
      } else if (token.is(Keyword::CurrentTime) || token.is(Keyword::CurrentDate) ||
                 token.is(Keyword::CurrentTimestamp)) {
        about_time = true;
      } else if (token.is(TokenKind::string)) {
        if (begins_like_date(token.name(sql_))) about_time = true;
      } else if (is_name_token(token)) {
        const auto name = lower(i);
        if (is(i + 1, TokenKind::left_parenthesis)) {
          if (!FunctionTable::latest().is_date_function(name)) return;
          about_time = true;
          continue;
        }
        condition.columns.push_back(i);
        if (is(i + 1, TokenKind::dot)) continue;
        const auto found = column_ending_at(i);
        if (!column.empty() && column != found) return;
        column = found;
      } else if (token.is(TokenKind::dot)) {
        condition.columns.push_back(i);
      } else if (!is_comparison(token) && !token.is(TokenKind::comma) && !token.is(TokenKind::integer)) {
        if (depth == 0) break;
        return;
      }
    }
    condition.last = i;
    if (!about_time || !compares || column.empty() || depth != 0) return;
    const bool ends = i == tokens_.size() || tokens_[i].is(TokenKind::right_parenthesis) ||
                      tokens_[i].is(Keyword::And) || tokens_[i].is(Keyword::Order) || tokens_[i].is(Keyword::Group) ||
                      tokens_[i].is(Keyword::Limit) || tokens_[i].is(TokenKind::semicolon) ||
                      tokens_[i].is(Keyword::Union) || tokens_[i].is(Keyword::Intersect) ||
                      tokens_[i].is(Keyword::Except);
    if (!ends) return;
    names_.push_back(column);
    parts_.times.push_back(std::move(condition));
  }

  // Conditions on one column with only AND between them become one.
  void join_times() {
    std::vector<TimeCondition> joined;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < parts_.times.size(); ++i) {
      auto& next = parts_.times[i];
      if (!joined.empty() && joined.back().last + 1 == next.first && is(joined.back().last, Keyword::And) &&
          names.back() == names_[i]) {
        joined.back().last = next.last;
        joined.back().columns.insert(joined.back().columns.end(), next.columns.begin(), next.columns.end());
      } else if (joined.empty() || joined.back().last <= next.first) {
        joined.push_back(std::move(next));
        names.push_back(names_[i]);
      }
    }
    parts_.times = std::move(joined);
  }

  std::string_view sql_;
  QueryParts& parts_;
  const std::vector<Token>& tokens_;
  std::map<std::string, std::string> aliases_;
  std::set<std::string> tables_;
  std::vector<std::string> names_;  // the column of each condition
};

}  // namespace

bool is_comparison(const Token& token) {
  switch (token.kind) {
    case TokenKind::equal:
    case TokenKind::not_equal:
    case TokenKind::less:
    case TokenKind::less_equal:
    case TokenKind::greater:
    case TokenKind::greater_equal: return true;
    default: return token.is(Keyword::Like) || token.is(Keyword::Between);
  }
}

bool TimeCondition::is_column(std::size_t token) const {
  return std::find(columns.begin(), columns.end(), token) != columns.end();
}

const TimeCondition* QueryParts::time_at(std::size_t token) const {
  for (const auto& condition : times)
    if (condition.first == token) return &condition;
  return nullptr;
}

bool QueryParts::in_time(std::size_t token) const {
  return std::any_of(times.begin(), times.end(), [token](const TimeCondition& condition) {
    return condition.number != -1 && condition.first <= token && token < condition.last;
  });
}

void drop_zero_offsets(std::string_view sql, std::vector<Token>& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size();) {
    if (tokens[i].is(Keyword::Offset) && tokens[i + 1].is(TokenKind::integer) && tokens[i + 1].text(sql) == "0")
      tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                   tokens.begin() + static_cast<std::ptrdiff_t>(i + 2));
    else
      ++i;
  }
}

std::optional<QueryParts> parts_of_query(std::string_view sql) {
  QueryParts parts;
  parts.tokens = significant_tokens(sql);
  while (!parts.tokens.empty() && parts.tokens.back().is(TokenKind::semicolon)) parts.tokens.pop_back();
  auto& tokens = parts.tokens;
  drop_zero_offsets(sql, tokens);
  if (tokens.empty() || tokens.size() > max_tokens) return std::nullopt;
  if (!tokens.front().is(Keyword::Select) && !tokens.front().is(Keyword::With)) return std::nullopt;
  const bool wrong = std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return token.is(TokenKind::illegal) || token.is(TokenKind::semicolon) || token.is(TokenKind::variable);
  });
  if (wrong) return std::nullopt;
  QueryPartReader(sql, parts).read();
  return parts;
}

}  // namespace trustsql::semparse
