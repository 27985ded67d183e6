#include "base/sql_token.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {
namespace {

using Kind = TokenKind;

std::vector<std::string> texts(std::string_view sql, int grammar = latest_grammar) {
  std::vector<std::string> result;
  for (const auto& token : significant_tokens(sql, grammar)) result.emplace_back(token.text(sql));
  return result;
}

std::vector<Kind> kinds(std::string_view sql, int grammar = latest_grammar) {
  std::vector<Kind> result;
  for (const auto& token : significant_tokens(sql, grammar)) result.push_back(token.kind);
  return result;
}

using Texts = std::vector<std::string>;
using Kinds = std::vector<Kind>;

TEST(Token, WordsQuotesAndLiterals) {
  constexpr std::string_view sql = "SELECT \"a\"\"b\", `c`, [d e], 'it''s', x'0aFF', 0x1F, 1.5e-3, .5, 1., é_$1 FROM t";
  EXPECT_EQ(texts(sql),
            (Texts{"SELECT", "\"a\"\"b\"", ",",      "`c`", ",",  "[d e]", ",",  "'it''s'", ",",    "x'0aFF'", ",",
                   "0x1F",   ",",          "1.5e-3", ",",   ".5", ",",     "1.", ",",       "é_$1", "FROM",    "t"}));
  EXPECT_EQ(kinds("a \"a\" 'a' x'aa' 1 1.0 ?1 select"),
            (Kinds{Kind::identifier, Kind::quoted, Kind::string, Kind::blob, Kind::integer, Kind::real, Kind::variable,
                   Kind::keyword}));
}

TEST(Token, Operators) {
  EXPECT_EQ(kinds("-> ->> - > < <= <> << >= >> = == != ! | || & ~ + * / % . , ( ) ;"), (Kinds{Kind::arrow,
                                                                                              Kind::double_arrow,
                                                                                              Kind::minus,
                                                                                              Kind::greater,
                                                                                              Kind::less,
                                                                                              Kind::less_equal,
                                                                                              Kind::not_equal,
                                                                                              Kind::shift_left,
                                                                                              Kind::greater_equal,
                                                                                              Kind::shift_right,
                                                                                              Kind::equal,
                                                                                              Kind::equal,
                                                                                              Kind::not_equal,
                                                                                              Kind::illegal,
                                                                                              Kind::bar,
                                                                                              Kind::concat,
                                                                                              Kind::ampersand,
                                                                                              Kind::tilde,
                                                                                              Kind::plus,
                                                                                              Kind::star,
                                                                                              Kind::slash,
                                                                                              Kind::percent,
                                                                                              Kind::dot,
                                                                                              Kind::comma,
                                                                                              Kind::left_parenthesis,
                                                                                              Kind::right_parenthesis,
                                                                                              Kind::semicolon}));
}

TEST(Token, Variables) {
  EXPECT_EQ(texts("?12a :a@b #c $a::b(c d) $x::y(z)w"),
            (Texts{"?12", "a", ":a", "@b", "#c", "$a::b(c", "d", ")", "$x::y(z)", "w"}));
  EXPECT_EQ(kinds(": @ $a(")[0], Kind::illegal);
  EXPECT_EQ(kinds("$a(b")[0], Kind::illegal);
}

TEST(Token, Comments) {
  EXPECT_EQ(texts("a -- b 'c\nd /* e ; */ f /* g"), (Texts{"a", "d", "f"}));
  EXPECT_EQ(texts("a /*"), (Texts{"a", "/", "*"}));
  EXPECT_EQ(texts("a /*/ b */ c"), (Texts{"a", "c"}));
}

TEST(Token, WhatIsLeftOpenIsIllegal) {
  for (const auto* sql : {"'a", "\"a", "`a", "[a", "x'a", "x'abc'", "'a''"}) {
    const auto tokens = significant_tokens(sql);
    ASSERT_EQ(tokens.size(), 1U) << sql;
    EXPECT_EQ(tokens[0].kind, Kind::illegal) << sql;
  }
}

TEST(Token, DigitSeparatorsBelongToLaterGrammars) {
  constexpr int before = digit_separator_version - 1;
  EXPECT_EQ(kinds("1_000"), Kinds{Kind::integer});
  EXPECT_EQ(kinds("1_000.2_5e1_0"), Kinds{Kind::real});
  EXPECT_EQ(kinds("0xFF_FF"), Kinds{Kind::integer});
  EXPECT_EQ(kinds("1_000", before), Kinds{Kind::illegal});
  for (const auto* sql : {"1_", "1__0", "1_.5", "1._5", "0xF_", "1e1_", "0x1g"})
    EXPECT_EQ(kinds(sql), Kinds{Kind::illegal}) << sql;
  EXPECT_EQ(texts("0x1g", before), (Texts{"0x1", "g"}));
}

TEST(Token, ReadingStopsAtNulAsSqliteDoes) {
  const std::string sql("a\0b", 3);
  EXPECT_EQ(texts(sql), Texts{"a"});
  EXPECT_EQ(next_token(sql, 1).kind, Kind::end);
  const std::string open("'a\0b'", 5);
  EXPECT_EQ(kinds(open), Kinds{Kind::illegal});
}

TEST(Token, TokensCoverTheText) {
  constexpr std::string_view sql = "\xef\xbb\xbfSELECT /* x */ a -- y\n FROM t WHERE b = 'c' ; \v";
  std::size_t offset = 0;
  for (;;) {
    const Token token = next_token(sql, offset);
    EXPECT_EQ(token.offset, offset);
    if (token.kind == Kind::end) break;
    ASSERT_GT(token.length, 0U);
    offset = token.end();
  }
  EXPECT_EQ(offset, sql.size());
}

TEST(Keyword, AreThoseOfSqlite) {
  std::size_t known = 0;
  for (int i = 0; i < sqlite3_keyword_count(); ++i) {
    const char* name = nullptr;
    int length = 0;
    ASSERT_EQ(sqlite3_keyword_name(i, &name, &length), SQLITE_OK);
    std::string word(name, static_cast<std::size_t>(length));
    const auto keyword = find_keyword(word);
    if (keyword == Keyword::None) continue;  // SQLite may add more of them
    ++known;
    EXPECT_EQ(keyword_text(keyword), word);
    for (char& c : word) c = static_cast<char>(c | (c == '_' ? 0 : 0x20));
    EXPECT_EQ(find_keyword(word), keyword);
    EXPECT_EQ(find_keyword(word + "x"), Keyword::None);
  }
  EXPECT_EQ(known, keyword_count);
  for (const auto* word : {"", "a", "selec",
                           "current\x7f"
                           "date",
                           "CURRENT-DATE",
                           "sel\xe5"
                           "ct",
                           "zzzzzzzzzzzzzzzzzz"})
    EXPECT_EQ(find_keyword(word), Keyword::None) << word;
}

// The oracle: after "COMMIT TRANSACTION [x]" SQLite's parser accepts nothing but a semicolon, so it reports the next
// token of the text as the place of a syntax error, or as an unrecognized token, in full.
class Oracle {
 public:
  Oracle() {
    sqlite3* db = nullptr;
    sqlite3_open(":memory:", &db);
    db_.reset(db);
  }

  // What SQLite makes of the first token of `text`.
  std::string message(std::string_view text) const {
    const std::string sql = "COMMIT TRANSACTION [x]" + std::string(text);
    sqlite3_stmt* statement = nullptr;
    const int rc = sqlite3_prepare_v2(db_.get(), sql.c_str(), -1, &statement, nullptr);
    sqlite3_finalize(statement);
    return rc == SQLITE_OK ? "accepted" : sqlite3_errmsg(db_.get());
  }

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };
  std::unique_ptr<sqlite3, Close> db_;
};

// `message`: what the oracle says.
std::string expected_message(const Token& token, std::string_view sql, const std::string& message) {
  const std::string text(token.text(sql));
  const std::string misplaced = "near \"" + text + "\": syntax error";
  switch (token.kind) {
    case Kind::end:
    case Kind::semicolon: return "accepted";
    case Kind::illegal:
      // From 3.46 on a number with a _ in the wrong place may be a token, which SQLite rejects where a number may
      // stand.
      if (sqlite3_libversion_number() >= 3'046'000 && text.find('_') != std::string::npos && message == misplaced)
        return misplaced;
      return "unrecognized token: \"" + text + "\"";
    default: return misplaced;
  }
}

TEST(Token, BoundariesAreThoseOfSqlite) {
  const std::vector<std::string> pieces = {"select", "x",
                                           "X'",     "x'0a'",
                                           "'",      "''",
                                           "\"",     "`",
                                           "[",      "]",
                                           "(",      ")",
                                           ";",      "--",
                                           "-",      "->",
                                           ">",      "<",
                                           "=",      "!",
                                           "|",      "&",
                                           "~",      "+",
                                           "*",      "/",
                                           "/*",     "*/",
                                           "%",      ",",
                                           ".",      "0",
                                           "1",      "0x",
                                           "9f",     "e",
                                           "E+",     "e-",
                                           "_",      "$",
                                           "@",      "#",
                                           ":",      "?",
                                           "::",     "\n",
                                           "\t",     " ",
                                           "\v",     "\f",
                                           "\r",     "\\",
                                           "{",      "}",
                                           "^",      "é",
                                           "\x80",   "\xef\xbb\xbf",
                                           "\xef",   "\x7f",
                                           "\x01",   "over",
                                           "window", "current_date",
                                           "abc",    "12.5e3",
                                           "5.",     ".5"};
  const Oracle oracle;
  const int grammar = sqlite3_libversion_number();
  std::mt19937 random(20240611);
  std::size_t compared = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string sql;
    for (std::size_t n = 1 + random() % 8; n > 0; --n) sql += pieces[random() % pieces.size()];
    std::size_t offset = 0;
    while (true) {
      const Token token = next_token(sql, offset, grammar);
      if (!token.is_blank()) {
        const auto message = oracle.message(std::string_view(sql).substr(offset));
        ASSERT_EQ(message, expected_message(token, sql, message)) << sql << " at " << offset;
        ++compared;
      }
      if (token.kind == Kind::end) break;
      offset = token.end();
    }
  }
  EXPECT_GT(compared, 50000U);
}

// The same for bytes: any three of them.
TEST(Token, BoundariesOfRandomBytesAreThoseOfSqlite) {
  const Oracle oracle;
  const int grammar = sqlite3_libversion_number();
  std::mt19937 random(7);
  for (int round = 0; round < 50000; ++round) {
    std::string sql;
    for (int i = 0; i < 3; ++i) sql += static_cast<char>(1 + random() % 255);
    const Token first = next_token(sql, 0, grammar);
    if (first.is_blank()) continue;
    const auto message = oracle.message(sql);
    ASSERT_EQ(message, expected_message(first, sql, message)) << testing::PrintToString(sql);
  }
}

TEST(Token, NamesWithoutTheirQuotes) {
  const auto name = [](std::string_view sql) { return next_token(sql, 0).name(sql); };
  EXPECT_EQ(name("abc"), "abc");
  EXPECT_EQ(name("Select"), "Select");
  EXPECT_EQ(name("\"a\"\"b\""), "a\"b");
  EXPECT_EQ(name("`a``b`"), "a`b");
  EXPECT_EQ(name("[a b]"), "a b");
  EXPECT_EQ(name("'a''b'"), "a'b");
  EXPECT_EQ(name("\"\""), "");
}

}  // namespace
}  // namespace trustsql
