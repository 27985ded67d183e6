// SqlScanner: splits SQL text that SQLite has accepted into tokens, for the few facts about a schema that only its text
// contains. It never fails: text that it does not recognize is returned as punctuation.
#pragma once

#include <string>
#include <string_view>

#include "base/text.hpp"

namespace trustsql {

struct SqlToken {
  enum class Kind {
    end,
    word,               // a keyword or a bare identifier
    quoted_identifier,  // "x", [x] or `x`
    string,             // 'x'
    blob,               // x'00'
    number,
    variable,     // ?1, :a, @a, $a
    punctuation,  // one character, or an operator of two or three
  };

  Kind kind = Kind::end;
  std::string_view text;   // as written, with its quotes
  std::size_t offset = 0;  // of its first byte

  bool is_end() const { return kind == Kind::end; }
  // Whether it is the bare word `keyword`, in any case.
  bool is(std::string_view keyword) const { return kind == Kind::word && equals_ignore_case(text, keyword); }
  bool is_punctuation(char c) const { return kind == Kind::punctuation && text.size() == 1 && text.front() == c; }
  // Whether it can name something: a word, a quoted identifier, or a string, which SQLite accepts as a name as well.
  bool is_name() const { return kind == Kind::word || kind == Kind::quoted_identifier || kind == Kind::string; }
  // The name without its quotes.
  std::string name() const;
};

class SqlScanner {
 public:
  explicit SqlScanner(std::string_view sql) : sql_(sql) {}

  // The next token that is neither white space nor a comment; always Kind::end after the last one.
  SqlToken next();

 private:
  std::string_view sql_;
  std::size_t position_ = 0;
};

}  // namespace trustsql
