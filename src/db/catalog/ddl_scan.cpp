#include "db/catalog/ddl_scan.hpp"

#include <algorithm>

#include "base/sql_token.hpp"
#include "base/text.hpp"

namespace trustsql {

namespace {

// Reads the definitions between the parentheses of a CREATE TABLE one by one.
class TableScanner {
 public:
  explicit TableScanner(std::string_view sql) : sql_(sql), tokens_(sql) { advance(); }

  DdlFacts scan() {
    if (!token_.is(Keyword::Create)) return {};
    while (!is_end() && !token_.is(Keyword::Table)) {
      if (token_.is(Keyword::Virtual) || token_.is(Keyword::View) || token_.is(Keyword::Index) ||
          token_.is(Keyword::Trigger))
        return {};
      advance();
    }
    while (!is_end() && !token_.is(TokenKind::left_parenthesis)) {
      if (token_.is(Keyword::As)) return {};
      advance();
    }
    advance();
    while (!is_end() && !token_.is(TokenKind::right_parenthesis)) {
      definition();
      if (token_.is(TokenKind::comma)) advance();
    }
    return std::move(facts_);
  }

 private:
  void advance() { token_ = tokens_.next_significant(); }
  bool is_end() const { return token_.is(TokenKind::end); }

  // A column or a table constraint, up to the comma or the parenthesis after it. The comma between table constraints is
  // optional; its absence makes no difference here.
  void definition() {
    std::string column;
    const bool is_constraint = token_.is(Keyword::Constraint) || token_.is(Keyword::Check) ||
                               token_.is(Keyword::Primary) || token_.is(Keyword::Unique) || token_.is(Keyword::Foreign);
    if (!is_constraint) {
      column = token_.name(sql_);
      advance();
    }
    std::string constraint_name;
    while (!is_end() && !token_.is(TokenKind::comma) && !token_.is(TokenKind::right_parenthesis)) {
      if (token_.is(Keyword::Constraint)) {
        advance();
        constraint_name = token_.name(sql_);
        advance();
      } else if (token_.is(Keyword::Check)) {
        advance();
        if (token_.is(TokenKind::left_parenthesis)) facts_.checks.push_back({constraint_name, parenthesized(), column});
        constraint_name.clear();
      } else if (token_.is(Keyword::As) && !is_constraint) {
        advance();
        if (token_.is(TokenKind::left_parenthesis)) facts_.generated.push_back({column, parenthesized()});
        constraint_name.clear();
      } else if (token_.is(TokenKind::left_parenthesis)) {
        parenthesized();
      } else {
        if (token_.is(TokenKind::identifier) || (token_.is(TokenKind::keyword) && !token_.is(Keyword::Not)))
          constraint_name.clear();
        advance();
      }
    }
  }

  // The text between the current parenthesis and the matching closing one; advances past the latter.
  std::string parenthesized() {
    const std::size_t begin = token_.offset + 1;
    std::size_t depth = 0;
    std::size_t end = sql_.size();
    while (!is_end()) {
      if (token_.is(TokenKind::left_parenthesis)) ++depth;
      if (token_.is(TokenKind::right_parenthesis) && --depth == 0) {
        end = token_.offset;
        advance();
        break;
      }
      advance();
    }
    return std::string(trim(sql_.substr(begin, end - begin)));
  }

  std::string_view sql_;
  Tokenizer tokens_;
  Token token_;
  DdlFacts facts_;
};

}  // namespace

DdlFacts scan_create_table(std::string_view sql) { return TableScanner(sql).scan(); }

}  // namespace trustsql
