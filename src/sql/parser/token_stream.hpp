// The tokens of a statement as the parser reads them, with lookahead and with error handling.
//
// After the first failure the current token is the end of the text, permanently. So the parser need not check for
// errors: its loops end, further failures are ignored, and parse_query() checks once, at the end, whether parsing
// succeeded.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/sql_token.hpp"
#include "base/text.hpp"

namespace trustsql::parser {

class TokenStream {
 public:
  TokenStream(std::string_view sql, int version);

  std::string_view sql() const { return sql_; }
  int version() const { return version_; }

  const Token& token() const { return tokens_[position_]; }
  // The token `distance` after the current one, or the end.
  const Token& peek(std::size_t distance = 1) const {
    return tokens_[position_ + distance < tokens_.size() ? position_ + distance : tokens_.size() - 1];
  }
  bool at(TokenKind kind) const { return token().kind == kind; }
  bool at(Keyword keyword) const { return token().keyword == keyword; }
  // Whether the current token is the identifier `word`, without quotes and in any case: a keyword of some libraries
  // only.
  bool at_word(std::string_view word) const {
    return at(TokenKind::identifier) && equals_ignore_case(text(token()), word);
  }
  std::string_view text(const Token& token) const { return token.text(sql_); }

  // Advances to the next token and returns the one just read.
  const Token& advance() {
    const Token& read = token();
    if (position_ + 1 < tokens_.size()) ++position_;
    previous_end_ = read.end();
    return read;
  }
  // The end of the last token that was read.
  std::size_t previous_end() const { return previous_end_; }

  template <class KindOrKeyword>
  bool accept(KindOrKeyword expected) {
    if (!at(expected)) return false;
    advance();
    return true;
  }
  // Reads the keyword; if it is not the current token, parsing fails.
  void expect(Keyword keyword) {
    if (!accept(keyword)) fail_expecting(keyword_text(keyword));
  }
  // The same for a token that `name` describes: "')'".
  void expect(TokenKind kind, std::string_view name) {
    if (!accept(kind)) fail_expecting(name);
  }

  // Fails because the current token is not what is expected here.
  void fail_expecting(std::string_view expected);
  // Fails because the text at `offset` is wrong for the given reason.
  void fail(std::size_t offset, ErrorCode code, std::string_view reason);
  bool failed() const { return error_.has_value(); }
  // The offset of the failure. Precondition: failed().
  std::size_t failed_at() const { return failed_at_; }
  // Precondition: failed().
  Error take_error() && { return std::move(*error_); }

 private:
  std::string_view sql_;
  int version_;
  std::vector<Token> tokens_;  // without spaces and comments; the last one is the end
  std::size_t position_ = 0;
  std::size_t previous_end_ = 0;
  std::optional<Error> error_;
  std::size_t failed_at_ = 0;
};

// Token classes of SQLite's grammar (nonterminals of its parse.y). Keywords that have no meaning where they occur "fall
// back" to identifiers; callers try the keyword's own meaning first.
bool is_fallback(Keyword keyword);         // may be used as an identifier
bool is_join_keyword(const Token& token);  // CROSS, FULL, INNER, LEFT, NATURAL, OUTER, RIGHT
bool is_id(const Token& token);            // names of columns and functions: an identifier, quoted or not
bool is_id_or_string(const Token& token);  // aliases without AS, collations, words of a type: 'ids'
bool is_name(const Token& token);          // everything else that has a name: 'nm'

}  // namespace trustsql::parser
