#include "db/catalog/ddl_scan.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/catalog/sql_scan.hpp"

namespace trustsql {

namespace {

// Reads the definitions between the parentheses of a CREATE TABLE one by one.
class TableScanner {
 public:
  explicit TableScanner(std::string_view sql) : sql_(sql), scanner_(sql) { advance(); }

  DdlFacts scan() {
    if (!token_.is("create")) return {};
    while (!token_.is_end() && !token_.is("table")) {
      if (token_.is("virtual") || token_.is("view") || token_.is("index") || token_.is("trigger")) return {};
      advance();
    }
    while (!token_.is_end() && !token_.is_punctuation('(')) {
      if (token_.is("as")) return {};
      advance();
    }
    advance();
    while (!token_.is_end() && !token_.is_punctuation(')')) {
      definition();
      if (token_.is_punctuation(',')) advance();
    }
    return std::move(facts_);
  }

 private:
  void advance() { token_ = scanner_.next(); }

  // A column or a table constraint, up to the comma or the parenthesis after it. The comma between table constraints is
  // optional; its absence makes no difference here.
  void definition() {
    std::string column;
    const bool is_constraint = token_.is("constraint") || token_.is("check") || token_.is("primary") ||
                               token_.is("unique") || token_.is("foreign");
    if (!is_constraint) {
      column = token_.name();
      advance();
    }
    std::string constraint_name;
    while (!token_.is_end() && !token_.is_punctuation(',') && !token_.is_punctuation(')')) {
      if (token_.is("constraint")) {
        advance();
        constraint_name = token_.name();
        advance();
      } else if (token_.is("check")) {
        advance();
        if (token_.is_punctuation('(')) facts_.checks.push_back({constraint_name, parenthesized(), column});
        constraint_name.clear();
      } else if (token_.is("as") && !is_constraint) {
        advance();
        if (token_.is_punctuation('(')) facts_.generated.push_back({column, parenthesized()});
        constraint_name.clear();
      } else if (token_.is_punctuation('(')) {
        parenthesized();
      } else {
        if (token_.kind == SqlToken::Kind::word && !token_.is("not")) constraint_name.clear();
        advance();
      }
    }
  }

  // The text between the current parenthesis and the matching closing one; advances past the latter.
  std::string parenthesized() {
    const std::size_t begin = token_.offset + 1;
    std::size_t depth = 0;
    std::size_t end = sql_.size();
    while (!token_.is_end()) {
      if (token_.is_punctuation('(')) ++depth;
      if (token_.is_punctuation(')') && --depth == 0) {
        end = token_.offset;
        advance();
        break;
      }
      advance();
    }
    return std::string(trim(sql_.substr(begin, end - begin)));
  }

  std::string_view sql_;
  SqlScanner scanner_;
  SqlToken token_;
  DdlFacts facts_;
};

}  // namespace

DdlFacts scan_create_table(std::string_view sql) { return TableScanner(sql).scan(); }

}  // namespace trustsql
