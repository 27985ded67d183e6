#include "sql/parser/token_stream.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace trustsql::parser {

namespace {

constexpr auto make_fallbacks() {
  std::array<bool, keyword_count + 1> fallbacks{};
  using enum Keyword;
  for (const auto keyword :
       {Abort,     Action,    After,     Always,    Analyze,   Asc,       Attach,      Before,      Begin,
        By,        Cascade,   Cast,      Column,    Conflict,  Current,   CurrentDate, CurrentTime, CurrentTimestamp,
        Database,  Deferred,  Desc,      Detach,    Do,        Each,      End,         Exclude,     Exclusive,
        Explain,   Fail,      First,     Following, For,       Generated, Glob,        Groups,      If,
        Ignore,    Immediate, Initially, Instead,   Key,       Last,      Like,        Match,       Materialized,
        No,        Nulls,     Of,        Offset,    Others,    Partition, Plan,        Pragma,      Preceding,
        Query,     Raise,     Range,     Recursive, Regexp,    Reindex,   Release,     Rename,      Replace,
        Restrict,  Rollback,  Row,       Rows,      Savepoint, Temp,      Temporary,   Ties,        Trigger,
        Unbounded, Vacuum,    View,      Virtual,   With,      Without})
    fallbacks[static_cast<std::size_t>(keyword)] = true;
  return fallbacks;
}
constexpr auto fallbacks = make_fallbacks();

// WINDOW, OVER and FILTER are keywords or identifiers depending on the tokens around them. SQLite decides this in
// analyzeWindowKeyword() and similar functions, between tokenizer and parser.
bool counts_as_identifier(const Token& token) {
  return is_id_or_string(token) || is_join_keyword(token) || token.is(Keyword::Window) || token.is(Keyword::Over);
}

void settle_window_words(std::vector<Token>& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    Token& token = tokens[i];
    if (!token.is(Keyword::Window) && !token.is(Keyword::Over) && !token.is(Keyword::Filter)) continue;
    const bool after_parenthesis = i > 0 && tokens[i - 1].is(TokenKind::right_parenthesis);
    const Token& next = tokens[i + 1];
    bool keyword = false;
    if (token.is(Keyword::Window)) {
      keyword = counts_as_identifier(next) && i + 2 < tokens.size() && tokens[i + 2].is(Keyword::As);
    } else if (token.is(Keyword::Over)) {
      keyword = after_parenthesis && (next.is(TokenKind::left_parenthesis) || counts_as_identifier(next));
    } else {
      keyword = after_parenthesis && next.is(TokenKind::left_parenthesis);
    }
    if (keyword) continue;
    token.kind = TokenKind::identifier;
    token.keyword = Keyword::None;
  }
}

// "line 2, column 7", both from 1; columns count characters.
std::string place(std::string_view sql, std::size_t offset) {
  const auto before = sql.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto start = before.rfind('\n') + 1;  // npos + 1 == 0
  const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start), before.end(),
                                    [](char c) { return (c & 0xC0) != 0x80; }) +
                      1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace

TokenStream::TokenStream(std::string_view sql, int version) : sql_(sql), version_(version) {
  tokens_.reserve(std::min<std::size_t>(sql.size() / 4 + 8, 4096));
  Tokenizer tokenizer(sql, version);
  bool window_words = false;
  for (;;) {
    const Token token = tokenizer.next_significant();
    tokens_.push_back(token);
    if (token.is(TokenKind::end)) break;
    window_words = window_words || token.is(Keyword::Window) || token.is(Keyword::Over) || token.is(Keyword::Filter);
  }
  if (window_words) settle_window_words(tokens_);
}

void TokenStream::fail_expecting(std::string_view expected) {
  const Token& actual = token();
  std::string reason;
  if (actual.is(TokenKind::illegal)) {
    reason = "unrecognized token " + quote_for_message(text(actual), 40);
  } else {
    reason = "expected " + std::string(expected) + ", found ";
    if (actual.is(TokenKind::end)) {
      reason += actual.offset < sql_.size() ? "a NUL character" : "the end of the query";
    } else if (actual.is(TokenKind::keyword)) {
      reason += keyword_text(actual.keyword);
    } else {
      reason += quote_for_message(text(actual), 40);
    }
  }
  fail(actual.offset, ErrorCode::invalid_argument, reason);
}

void TokenStream::fail(std::size_t offset, ErrorCode code, std::string_view reason) {
  if (failed()) return;
  failed_at_ = offset;
  error_ = Error{code, place(sql_, offset) + ": " + std::string(reason)};
  position_ = tokens_.size() - 1;
}

bool is_fallback(Keyword keyword) { return fallbacks[static_cast<std::size_t>(keyword)]; }

bool is_join_keyword(const Token& token) {
  switch (token.keyword) {
    case Keyword::Cross:
    case Keyword::Full:
    case Keyword::Inner:
    case Keyword::Left:
    case Keyword::Natural:
    case Keyword::Outer:
    case Keyword::Right: return true;
    default: return false;
  }
}

bool is_id(const Token& token) {
  switch (token.kind) {
    case TokenKind::identifier:
    case TokenKind::quoted: return true;
    case TokenKind::keyword: return is_fallback(token.keyword) || token.keyword == Keyword::Indexed;
    default: return false;
  }
}

bool is_id_or_string(const Token& token) {
  return token.is(TokenKind::string) || (is_id(token) && token.keyword != Keyword::Indexed);
}

bool is_name(const Token& token) { return token.is(TokenKind::string) || is_id(token) || is_join_keyword(token); }

}  // namespace trustsql::parser
