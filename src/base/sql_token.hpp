// Tokens of SQLite's SQL: where they begin and end, and their kinds.
//
// The boundaries are those of SQLite's own tokenizer, including its quirks (https://sqlite.org/draft/tokenreq.html,
// https://sqlite.org/lang_expr.html): a test compares the two on random texts. What SQLite decides in its parser is
// left to our parser: which keywords may be identifiers, that WINDOW, OVER and FILTER are keywords only in some places,
// and whether "x" is a column or, if there is no such column, a string.
//
//   Tokenizer tokens(sql);
//   for (Token t = tokens.next(); t.kind != TokenKind::end; t = tokens.next()) use(t.kind, t.text(sql));
//
// It lies below the catalog and the sandbox, which read schemas and queries by tokens; src/sql has the grammar.
//
// A token is 12 bytes and refers to its text by position; nothing is allocated, and the time is linear in the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sql_keyword.hpp"

namespace trustsql {

enum class TokenKind : std::uint8_t {
  end,      // the end of the text, or a NUL byte, at which SQLite stops reading
  space,    // white space, or a byte order mark
  comment,  // "-- ..." to the end of the line, "/* ... */"; the latter may be unterminated
  illegal,  // what SQLite reports as an unrecognized token

  keyword,     // see Token::keyword
  identifier,  // unquoted: letters, digits, '_', '$', bytes from 0x80
  quoted,      // "..." or `...` or [...]: an identifier; the first is a string if no such column exists
  string,      // '...'
  blob,        // x'...'
  integer,     // decimal or hexadecimal
  real,
  variable,  // ? ?1 :a @a #a $a $a::b(c)

  semicolon,
  left_parenthesis,
  right_parenthesis,
  comma,
  dot,
  plus,
  minus,
  star,
  slash,
  percent,
  equal,      // = ==
  not_equal,  // != <>
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  ampersand,
  bar,
  tilde,
  concat,        // ||
  arrow,         // ->
  double_arrow,  // ->>
};

struct Token {
  TokenKind kind = TokenKind::end;
  Keyword keyword = Keyword::None;
  std::uint32_t offset = 0;  // the position of its first byte in the text
  std::uint32_t length = 0;  // bytes

  std::size_t end() const { return std::size_t{offset} + length; }
  std::string_view text(std::string_view sql) const { return sql.substr(offset, length); }
  bool is(TokenKind k) const { return kind == k; }
  bool is(Keyword k) const { return kind == TokenKind::keyword && keyword == k; }
  bool is_quoted() const { return kind == TokenKind::quoted || kind == TokenKind::string; }
  // Whether it can name something: a word, a quoted identifier, or a string, which SQLite accepts as a name as well.
  bool is_name() const { return kind == TokenKind::identifier || kind == TokenKind::keyword || is_quoted(); }
  // What it says without quotes.
  std::string name(std::string_view sql) const;
  // Whether it only separates other tokens.
  bool is_blank() const { return kind == TokenKind::space || kind == TokenKind::comment; }
};

// The text that a quoted token stands for: without the quotation marks, and with doubled marks made single.
std::string unquote(std::string_view quoted);

// The SQLite versions between which grammars differ, as SQLITE_VERSION_NUMBER.
inline constexpr int arrow_version = 3038000;            // -> and ->> are operators from here on
inline constexpr int digit_separator_version = 3046000;  // 1_000 is a number from here on
inline constexpr int latest_grammar = 3046000;

// The token of `sql` that begins at `offset`; its kind is `end` if nothing is left. Only `end` is ever empty.
// Preconditions: sql.size() < 2^32; offset <= sql.size() is a position between two tokens.
Token next_token(std::string_view sql, std::size_t offset, int grammar = latest_grammar);

// Iterates over the tokens of a text, which must outlive it.
class Tokenizer {
 public:
  explicit Tokenizer(std::string_view sql, int grammar = latest_grammar) : sql_(sql), grammar_(grammar) {}

  // The next token, including spaces and comments; always `end` after the last one.
  Token next() {
    const Token token = next_token(sql_, offset_, grammar_);
    offset_ = token.end();
    return token;
  }
  // The next token that is neither space nor comment.
  Token next_significant() {
    Token token = next();
    while (token.is_blank()) token = next();
    return token;
  }

 private:
  std::string_view sql_;
  std::size_t offset_ = 0;
  int grammar_;
};

// All tokens of `sql` except spaces, comments and the end.
std::vector<Token> significant_tokens(std::string_view sql, int grammar = latest_grammar);

}  // namespace trustsql
