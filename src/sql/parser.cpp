#include "sql/parser.hpp"

#include "base/stack_space.hpp"
#include "sql/parser/parser_impl.hpp"
#include "sql/syntax_error_offset.hpp"

namespace trustsql {

namespace parser {

namespace {

constexpr std::size_t max_bytes = 1'000'000'000;  // SQLITE_MAX_SQL_LENGTH

// What one level takes of the stack, in this parser and in what reads its trees, with room to spare: a level of
// parentheses about 1 KiB, a level of a tree almost as much where plans are printed.
constexpr std::size_t bytes_of_nesting = 4096;
constexpr std::size_t bytes_of_level = 2048;

ast::Quote quote_of(char first) {
  switch (first) {
    case '"': return ast::Quote::double_quotes;
    case '`': return ast::Quote::backticks;
    case '[': return ast::Quote::brackets;
    case '\'': return ast::Quote::single_quotes;
    default: return ast::Quote::none;
  }
}

}  // namespace

Depths depths_for_this_thread() {
  Depths depths;
  depths.nesting = levels_of_stack(bytes_of_nesting, max_parser_nesting);
  depths.height = levels_of_stack(bytes_of_level, max_tree_height);
  return depths;
}

std::string Depths::too_deep(std::string_view what) const {
  const bool small = nesting < max_parser_nesting || height < max_tree_height;
  return std::string(what) + (small ? " is nested too deeply for the stack of this thread" : " is nested too deeply");
}

ast::Name Parser::take_name() {
  const Token& token = tokens_.token();
  const auto text = tokens_.text(token);
  ast::Name name;
  if (token.is(TokenKind::quoted) || token.is(TokenKind::string)) {
    name.quote = quote_of(text.front());
    name.text = unquote(text);
  } else {
    name.text = text;
  }
  tokens_.advance();
  return name;
}

ast::Name Parser::expect_name(std::string_view expected) {
  if (is_name(tokens_.token())) return take_name();
  tokens_.fail_expecting(expected);
  return {};
}

std::optional<ast::Name> Parser::alias() {
  if (tokens_.accept(Keyword::As)) return expect_name("a name");
  if (is_id_or_string(tokens_.token())) return take_name();
  return std::nullopt;
}

std::vector<ast::Name> Parser::name_list() {
  std::vector<ast::Name> names;
  expect_left();
  do names.push_back(expect_name("a name"));
  while (tokens_.accept(TokenKind::comma));
  expect_right();
  return names;
}

Result<ast::Query> Parser::statement() {
  if (!at_query()) tokens_.fail_expecting("SELECT, VALUES or WITH");
  ast::Query parsed = query();
  while (tokens_.accept(TokenKind::semicolon)) {
  }
  // The tokenizer stops at a NUL byte, as SQLite does; any text after it would be ignored silently.
  if (!tokens_.at(TokenKind::end) || tokens_.token().offset < tokens_.sql().size())
    tokens_.fail_expecting("the end of the query");
  if (tokens_.failed()) return std::move(tokens_).take_error();
  return parsed;
}

}  // namespace parser

Result<ast::Query> parse_query(std::string_view sql, const ParseOptions& options) {
  if (sql.size() > parser::max_bytes) return limit_exceeded("the query is longer than 1000000000 bytes");
  return parser::Parser(sql, options).statement();
}

std::optional<std::size_t> syntax_error_offset(std::string_view sql, const ParseOptions& options) {
  if (sql.size() > parser::max_bytes) return 0;
  parser::Parser parser(sql, options);
  if (parser.statement().ok()) return std::nullopt;
  return parser.failed_at();
}

}  // namespace trustsql
