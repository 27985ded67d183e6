// The linear replacements of instr, replace and trim against SQLite's own, which is the oracle.
#include "db/functions.hpp"

#include <random>

#include "support.hpp"

namespace trustsql {
namespace {

using test::TestConnection;

class FunctionsTest : public testing::Test {
 protected:
  FunctionsTest() { EXPECT_TRUE(replace_quadratic_functions(replaced_).ok()); }

  // The value and type that `call` yields with and without the replacements.
  void expect_same(const std::string& call) {
    const std::string query = "SELECT typeof(x) || ':' || coalesce(hex(x), '') FROM (SELECT " + call + " AS x)";
    EXPECT_EQ(replaced_.ask(query), original_.ask(query)) << call;
  }

  TestConnection original_;
  TestConnection replaced_;
};

std::string hex_of(const std::string& bytes) {
  std::string hex;
  for (const char c : bytes) {
    char digits[3];
    snprintf(digits, sizeof digits, "%02X", static_cast<unsigned char>(c));
    hex += digits;
  }
  return hex;
}

TEST_F(FunctionsTest, SpecialCases) {
  for (const char* call : {
           "instr('abc', 'c')",
           "instr('abc', '')",
           "instr('', '')",
           "instr('', 'a')",
           "instr(NULL, 'a')",
           "instr('a', NULL)",
           "instr(12345, 34)",
           "instr(1.5, '.')",
           "instr(x'616263', 'b')",
           "instr('abc', x'62')",
           "instr(x'616263', x'63')",
           "instr(x'', x'')",
           "instr(x'', x'00')",
           "instr('\xc3\xa4\xc3\xb6', '\xc3\xb6')",
           "instr(x'c3a4c3b6', x'c3b6')",
           "instr(CAST(x'a4c3a4' AS TEXT), CAST(x'a4' AS TEXT))",
           "instr(CAST(x'c3a4' AS TEXT), CAST(x'a4' AS TEXT))",
           "instr('a\xc3\xa4', CAST(x'a4' AS TEXT))",
           "replace('aaa', 'a', 'bb')",
           "replace('aaa', '', 'b')",
           "replace('aaa', 'aa', 'b')",
           "replace('abc', 'd', 'e')",
           "replace('', 'a', 'b')",
           "replace(NULL, 'a', 'b')",
           "replace('a', NULL, 'b')",
           "replace('a', 'a', NULL)",
           "replace(12321, 2, 'x')",
           "replace(x'6162', 'a', 'c')",
           "replace(1.5, '.', ',')",
           "replace(7, '', 'x')",
           "replace('a' || char(0) || 'b', char(0), 'x')",
           "replace('aba', 'a', '')",
           "trim('xxaxx', 'x')",
           "trim('abc', 'cab')",
           "trim('abc', '')",
           "trim('', 'a')",
           "trim(NULL, 'a')",
           "trim('a', NULL)",
           "ltrim('xxaxx', 'x')",
           "rtrim('xxaxx', 'x')",
           "trim('\xc3\xa4x\xc3\xa4', '\xc3\xa4')",
           "ltrim('\xc3\xa4\xc3\xb6x', '\xc3\xb6\xc3\xa4')",
           "trim(1211, 1)",
           "trim(x'6161', 'a')",
           "trim('  a ')",
           "trim('\xe2\x82\xac\xe2\x82\xac!', '\xe2\x82\xac')",
           "trim('\xf0\x9f\x98\x80z', '\xf0\x9f\x98\x80')",
           "trim(CAST(x'a4a461a4' AS TEXT), CAST(x'a4' AS TEXT))",
       })
    expect_same(call);
}

TEST_F(FunctionsTest, ABlobArgumentStaysABlob) {
  for (const TestConnection* db : {&original_, &replaced_})
    EXPECT_EQ(db->ask("SELECT instr(x, 'b') || typeof(x) FROM (SELECT x'616263' AS x LIMIT 1)"), "2blob");
}

TEST_F(FunctionsTest, RandomTexts) {
  std::mt19937 random(20231);
  const std::vector<std::string> letters = {"a", "b", "\xc3\xa4", "\xe2\x82\xac", "\xa4", "\xc3", " ", std::string(1, '\0')};
  const auto text = [&](std::size_t longest) {
    std::string bytes;
    for (std::size_t n = random() % (longest + 1); n > 0; --n) bytes += letters[random() % letters.size()];
    return (random() % 4 == 0 ? "x'" + hex_of(bytes) + "'" : "CAST(x'" + hex_of(bytes) + "' AS TEXT)");
  };
  for (int i = 0; i < 5000; ++i) {
    const std::string x = text(8);
    const std::string y = text(3);
    expect_same("instr(" + x + "," + y + ")");
    expect_same("replace(" + x + "," + y + "," + text(2) + ")");
    for (const char* trim : {"trim(", "ltrim(", "rtrim("}) expect_same(trim + x + "," + y + ")");
  }
}

TEST_F(FunctionsTest, LengthLimit) {
  sqlite3_limit(replaced_, SQLITE_LIMIT_LENGTH, 1000);
  EXPECT_EQ(replaced_.ask("SELECT length(replace(printf('%.500c', 'a'), 'a', 'bb'))"), "1000");
  EXPECT_EQ(replaced_.ask("SELECT length(replace(printf('%.501c', 'a'), 'a', 'bb'))"),
            "error: string or blob too big (SQLITE_LIMIT_LENGTH of the connection is 1000)");
}

// Indexes and generated columns may use them, as they may SQLite's own.
TEST_F(FunctionsTest, InSchemas) {
  replaced_.exec(
      "PRAGMA trusted_schema = OFF; CREATE TABLE t(a, b AS (replace(a, 'x', 'y')), c AS (trim(a, 'x')) STORED); CREATE INDEX i ON t(instr(a, 'x'));"
      "INSERT INTO t VALUES ('ax'); CREATE VIEW v AS SELECT instr(a, 'x') AS p, b, c FROM t");
  EXPECT_EQ(replaced_.ask("SELECT p || b || c FROM v"), "2aya");
}

}  // namespace
}  // namespace trustsql
