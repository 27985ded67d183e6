// The replacements of instr, replace, trim, like, glob and printf against SQLite's own, which are the oracle.
#include "db/sandbox/bounded_functions.hpp"

#include <chrono>
#include <random>

#include "unit/db/support.hpp"
#include "unit/test_run.hpp"

namespace trustsql {
namespace {

using test::TestConnection;

class FunctionsTest : public testing::Test {
 protected:
  FunctionsTest() {
    EXPECT_TRUE(replace_slow_functions(replaced_, LikeFunction::bounded, [this] { return stops_; }).ok());
  }

  // The value and type that `call` yields with and without the replacements.
  void expect_same(const std::string& call) {
    const std::string query = "SELECT typeof(x) || ':' || coalesce(hex(x), '') FROM (SELECT " + call + " AS x)";
    EXPECT_EQ(replaced_.ask(query), original_.ask(query)) << call;
  }

  TestConnection original_;
  TestConnection replaced_;
  bool stops_ = false;
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
  const std::vector<std::string> letters = {"a",    "b",    "\xc3\xa4", "\xe2\x82\xac",
                                            "\xa4", "\xc3", " ",        std::string(1, '\0')};
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

TEST_F(FunctionsTest, PatternsOfSpecialCases) {
  for (const char* call : {
           "'abc' LIKE 'ABC'",
           "'abc' LIKE 'a%'",
           "'abc' LIKE '%C'",
           "'abc' LIKE '%b%'",
           "'abc' LIKE '_b_'",
           "'abc' LIKE '__'",
           "'' LIKE ''",
           "'' LIKE '%'",
           "'' LIKE '_'",
           "'a' LIKE '%_'",
           "'a' LIKE '_%_'",
           "NULL LIKE 'a'",
           "'a' LIKE NULL",
           "12 LIKE '1_'",
           "1.5 LIKE '%.%'",
           "x'6162' LIKE 'AB'",
           "'a%c' LIKE 'ax%c' ESCAPE 'x'",
           "'a%c' LIKE 'a%%c' ESCAPE '%'",
           "'a_c' LIKE 'a__c' ESCAPE '_'",
           "'abc' LIKE 'a%x' ESCAPE 'x'",
           "'abc' LIKE 'x' ESCAPE 'x'",
           "'a' LIKE 'a' ESCAPE ''",
           "'a' LIKE 'a' ESCAPE 'ab'",
           "'a' LIKE 'a' ESCAPE NULL",
           "'a' LIKE 'a' ESCAPE '\xc3\xa4'",
           "'\xc3\x84' LIKE '\xc3\xa4'",
           "'\xc3\xa4z' LIKE '_z'",
           "'\xc3\xa4z' LIKE '%\xc3\xa4%'",
           "'abc' GLOB 'a*'",
           "'abc' GLOB 'A*'",
           "'abc' GLOB '?b?'",
           "'abc' GLOB '[a-c]*'",
           "'abc' GLOB '[^a]*'",
           "'abc' GLOB '*[c]'",
           "'a]c' GLOB 'a[]]c'",
           "'a-c' GLOB 'a[-]c'",
           "'a-c' GLOB 'a[x-]c'",
           "'abc' GLOB '[a'",
           "'abc' GLOB '*[^x-z]'",
           "'a' GLOB '[^]]'",
           "'\xc3\xa4' GLOB '[\xc3\xa0-\xc3\xbf]'",
           "'a' || char(0) || 'b' LIKE 'a'",
           "like('%a', 'bba', '')",
           "glob('*', NULL)",
           "'abc' LIKE CAST(x'25ff' AS TEXT)",
       })
    expect_same(call);
  sqlite3_limit(original_, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 3);
  sqlite3_limit(replaced_, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 3);
  for (const char* call : {"'abcd' LIKE 'abcd'", "'abcd' LIKE 'abc'", "'abcd' GLOB 'abcd'"}) expect_same(call);
}

TEST_F(FunctionsTest, RandomPatterns) {
  std::mt19937 random(20236);
  const std::vector<std::string> letters = {
      "a", "b", "B", "%",        "_",    "*",        "?",    "[",
      "]", "^", "-", "\xc3\xa4", "\xa4", "\xe2\x82", "\xff", std::string(1, '\0')};
  const auto text = [&](std::size_t longest) {
    std::string bytes;
    for (std::size_t n = random() % (longest + 1); n > 0; --n) bytes += letters[random() % letters.size()];
    return "CAST(x'" + hex_of(bytes) + "' AS TEXT)";
  };
  for (int i = 0; i < 5000; ++i) {
    const std::string x = text(9);
    const std::string pattern = text(7);
    expect_same(x + " LIKE " + pattern);
    expect_same(x + " GLOB " + pattern);
    expect_same(x + " LIKE " + pattern + " ESCAPE " + text(1));
  }
}

TEST_F(FunctionsTest, PatternsLookAtTheClock) {
  const std::string slow = "SELECT printf('%.100000c', 'a') LIKE '%a%a%a%a%a%ab'";
  EXPECT_EQ(replaced_.ask("SELECT printf('%.1000c', 'a') LIKE '%a%a%a%ab'"), "0");
  stops_ = true;
  EXPECT_EQ(replaced_.ask(slow), "error: interrupted");
  EXPECT_EQ(replaced_.ask("SELECT 'abc' LIKE '%b%'"), "1");  // too short to ask
}

TEST_F(FunctionsTest, PrintfOfSpecialCases) {
  for (const char* call : {
           "printf()",
           "printf(NULL)",
           "printf(NULL, 1)",
           "printf('')",
           "printf('%')",
           "printf('a%')",
           "printf('%%')",
           "printf('%5%')",
           "printf('%d')",
           "printf('%s')",
           "printf('%y', 1)",
           "printf('a%yb', 1)",
           "printf('%T%s', 1, 2)",
           "printf('%S%s', 1, 2)",
           "printf('%n%d', 1)",
           "printf('%5n%d', 1)",
           "printf('%*d', 5, 1)",
           "printf('%-*d|', 5, 1)",
           "printf('%*d|', -5, 1)",
           "printf('%.*f', 3, 1.5)",
           "printf('%.*f', -3, 1.5)",
           "printf('%*.*f', 10, 2, 3.14159)",
           "printf('%*.*f')",
           "printf('%.*d', 2147483648, 1)",
           "printf('%*d', -2147483648, 1)",
           "printf('%lld %ld %5ld', 1, 2, 3)",
           "printf('%5.3lld', 7)",
           "printf('%.3ls', 'abcd')",
           "printf('%4294967301d', 1)",
           "printf('%.4294967298d', 1)",
           "printf('%!.4s', '\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f!')",
           "printf('%!6s', '\xc3\xa4')",
           "printf('%c', 'xyz')",
           "printf('%.5c', '\xc3\xa4')",
           "printf('%10.5c|', 'x')",
           "printf('%-10.5c|', 'x')",
           "printf('%.5c')",
           "printf('%q %Q %w', 'it''s', 'it''s', 'a\"b')",
           "printf('%q %Q', NULL, NULL)",
           "printf('%.2q', 'it''s')",
           "printf('%z', 'a')",
           "printf('%,d', 1234567)",
           "printf('%+d % d', 1, 2)",
           "printf('%x %X %#x %o', 255, 255, 255, 8)",
           "printf('%r %r %r', 1, 2, 11)",
           "printf('%p', 255)",
           "printf('%u', -1)",
           "printf('%i', 'abc')",
           "printf('%d', '12abc')",
           "printf('%s', x'4142')",
           "printf('%s %s', 1.5, 7)",
           "printf('%s', zeroblob(3))",
           "printf('%g', 1e300)",
           "printf('%.20000g', 1.5)",
           "printf('%.20000g', 0.1)",
           "printf('%.*g', 20000, 0.1)",
           "printf('%!.20000g', 1.1)",
           "printf('%#.300g', 1.5)",
           "printf('%.8193g', 1.7)",
           "printf('%.12289G', 123456.789)",
           "printf('%f', 9e999)",
           "printf('%.5000f', 9e999)",
           "printf('%.4096f', 0.3)",
           "printf('%.4097f', 1.3)",
           "printf('%e', 12345.678)",
           "printf('%.3E', 0)",
           "printf('%#.0f %!g', 1, 1)",
           "printf('%00005d', 3)",
           "printf('%-+ 05d|', 3)",
           "printf('%1$d', 3)",
           "printf('a' || char(0) || '%d', 3)",
           "printf(x'2564', 3)",
           "printf(1.5)",
           "printf('%.15d', 7)",
           "printf('%08.3f', -3.14159)",
       })
    expect_same(call);
  if (sqlite3_libversion_number() >= 3038000) expect_same("format('%5.2f|%s', 3.14159, 'x')");
}

TEST_F(FunctionsTest, RandomFormats) {
  for (TestConnection* db : {&original_, &replaced_}) sqlite3_limit(*db, SQLITE_LIMIT_LENGTH, 100'000);
  std::mt19937 random(20237);
  const auto pick = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
  const std::vector<std::string> arguments = {
      "1",     "-7",    "1234567", "9223372036854775807",    "1.5",     "-0.001",    "1e300", "9e999",
      "NULL",  "'abc'", "'it''s'", "'\xc3\xa4\xe2\x82\xac'", "x'6162'", "'12.5xyz'", "''",    "0",
      "20000", "-20000"};
  for (int i = 0; i < 5000; ++i) {
    std::string format;
    for (std::size_t n = 1 + random() % 4; n > 0; --n) {
      format += pick({"", "a", "%%", " "}) + "%";
      for (std::size_t flags = random() % 3; flags > 0; --flags) format += pick({"-", "+", " ", "#", "!", "0", ","});
      format += pick({"", "", "5", "12", "*", "300"}) +
                pick({"", "", ".0", ".3", ".*", ".", ".20", ".9000", ".25000"}) + pick({"", "", "l", "ll"});
      format += pick({"d", "i", "u", "x", "X", "o", "f", "e", "E", "g", "G", "c",
                      "s", "z", "q", "Q", "w", "r", "p", "n", "%", "T", "y", ""});
    }
    std::string call = "printf('" + format + "'";
    for (std::size_t n = random() % 6; n > 0; --n) call += ", " + pick(arguments);
    expect_same(call + ")");
  }
}

TEST_F(FunctionsTest, JsonEdits) {
  for (const char* call :
       {"json_set('{}', '$.a', 1)", "json_set('{\"a\":1}', '$.a', json('[1,2]'))", "json_set('{}', '$.a', '[1]')",
        "json_set('{}', '$.a.b[0].c', NULL)", "json_array(json_set('{}', '$.a', 1))",
        "json_array(json_insert('[1]', '$[#]', 'x'), '{}')", "json_set(NULL, '$.a', 1)", "json_set('{}', NULL, 1)",
        "json_set('{', '$.a', 1)", "json_set('{}', 'a', 1)", "json_set('{}', '$.a')", "json_set('{}')", "json_set()",
        "json_insert('{\"a\":1}', '$.a', 2, '$.b', 1.5)", "json_set('{}', '$.a', x'41')",
        "json_set(json_object('x', json_set('{}', '$.y', 2)), '$.z', json_array(1))", "json_insert(7, '$.a', 1)"})
    expect_same(call);
  // Two hundred thousand steps, with which SQLite overflows the stack.
  for (const char* name : {"json_set", "json_insert"})
    EXPECT_EQ(
        replaced_.ask(std::string("SELECT ") + name + "('{}', '$' || replace(hex(zeroblob(200000)), '00', '.a'), 1)"),
        std::string("error: a path of ") + name + "() has more than 2000 steps");
  EXPECT_EQ(replaced_.ask("SELECT length(json_set('{}', '$' || replace(hex(zeroblob(1900)), '00', '.a'), 1))"),
            original_.ask("SELECT length(json_set('{}', '$' || replace(hex(zeroblob(1900)), '00', '.a'), 1))"));
}

// Results beyond the length limit are an error or NULL, depending on SQLite's version; here the error comes at once.
TEST_F(FunctionsTest, PrintfBeyondTheLimit) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  for (TestConnection* db : {&original_, &replaced_}) sqlite3_limit(*db, SQLITE_LIMIT_LENGTH, 1000);
  for (const char* call : {"printf('%.1000c', 'a')", "printf('%.1001c', 'a')", "printf('%1001d', 1)",
                           "printf('%.2000f', 1)", "printf('%.600c%.600c', 'a', 'b')", "printf('%600s%.600d', 'a', 1)",
                           "printf('%y%.2000c', 1, 'a')", "printf('%*d', 5000, 1)", "printf('%.2000s', 'a')"})
    expect_same(call);
  const auto begun = std::chrono::steady_clock::now();
  const std::string past = original_.ask("SELECT printf('%1001d', 1)");
  EXPECT_EQ(replaced_.ask("SELECT printf('%.2000000000c', 'x')"), past);
  EXPECT_EQ(replaced_.ask("SELECT printf('%.*c%.*c%.*c', 2000000000, 'x', 2000000000, 'x', 2000000000, 'x')"), past);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
  sqlite3_limit(replaced_, SQLITE_LIMIT_LENGTH, 1 << 20);
  EXPECT_EQ(replaced_.ask("SELECT printf(replace(printf('%.100001c', '.'), '.', '%s'))"),
            "error: the format of printf() has more than 100000 conversions");
  EXPECT_EQ(replaced_.ask("SELECT length(printf(replace(printf('%.100000c', '.'), '.', '%s')))"), "0");
}

TEST_F(FunctionsTest, LengthLimit) {
  sqlite3_limit(replaced_, SQLITE_LIMIT_LENGTH, 1000);
  EXPECT_EQ(replaced_.ask("SELECT length(replace(printf('%.500c', 'a'), 'a', 'bb'))"), "1000");
  EXPECT_EQ(replaced_.ask("SELECT length(replace(printf('%.501c', 'a'), 'a', 'bb'))"),
            "error: string or blob too big (SQLITE_LIMIT_LENGTH of the connection is 1000)");
}

// Indexes and generated columns may use them, like SQLite's own.
TEST_F(FunctionsTest, InSchemas) {
  replaced_.exec(
      "PRAGMA trusted_schema = OFF; CREATE TABLE t(a, b AS (replace(a, 'x', 'y')), c AS (trim(a, 'x')) STORED); CREATE "
      "INDEX i ON t(instr(a, 'x'));"
      "INSERT INTO t VALUES ('ax'); CREATE VIEW v AS SELECT instr(a, 'x') AS p, b, c FROM t");
  EXPECT_EQ(replaced_.ask("SELECT p || b || c FROM v"), "2aya");
}

}  // namespace
}  // namespace trustsql
