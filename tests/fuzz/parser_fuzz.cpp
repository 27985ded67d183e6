// The parser on any text, against SQLite: it accepts exactly what SQLite does not call a syntax error.

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"
#include "fuzz/check.hpp"
#include "fuzz/sqlite_oracle.hpp"
#include "sql/parser.hpp"

using namespace trustsql;

namespace {

// The parser is not concerned with statements other than SELECT.
bool is_other_statement(std::string_view sql) {
  const auto tokens = significant_tokens(sql);
  if (tokens.empty()) return true;
  const auto is_one_of = [](const Token& token, std::initializer_list<Keyword> keywords) {
    return std::any_of(keywords.begin(), keywords.end(), [&](Keyword keyword) { return token.is(keyword); });
  };
  if (!is_one_of(tokens.front(), {Keyword::Select, Keyword::Values, Keyword::With})) return true;
  if (!tokens.front().is(Keyword::With)) return false;
  return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
    return is_one_of(token, {Keyword::Insert, Keyword::Update, Keyword::Delete, Keyword::Replace});
  });
}

// Errors that SQLite finds only when it resolves names, so that another error can come first.
bool is_late_error(const std::string& message) {
  return message.find("a NATURAL join may not") != message.npos || message.find("RAISE()") != message.npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view sql(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse_query(sql, {.version = sqlite3_libversion_number()});
  if (!parsed.ok()) {
    FUZZ_CHECK(parsed.error().code == ErrorCode::invalid_argument || parsed.error().code == ErrorCode::limit_exceeded);
    FUZZ_CHECK(is_valid_utf8(parsed.error().message));
    FUZZ_CHECK(parsed.error().message.size() < 1000);
  }
  if (sql.find('\0') != sql.npos || is_other_statement(sql)) {
    FUZZ_CHECK(!parsed.ok());
    return 0;
  }
  const auto sqlite = ask_sqlite(fuzz::oracle(), sql);
  if (sqlite.has_tail || sqlite.answer == SqliteAnswer::limit) return 0;
  if (!parsed.ok() && (parsed.error().code == ErrorCode::limit_exceeded || is_late_error(parsed.error().message)))
    return 0;
  if (parsed.ok() != (sqlite.answer != SqliteAnswer::syntax_error)) {
    std::fprintf(stderr, "SQLite: %s\nparser: %s\n", sqlite.message.c_str(),
                 parsed.ok() ? "accepts" : parsed.error().message.c_str());
    FUZZ_CHECK(!"SQLite agrees");
  }
  return 0;
}
