// The tokenizer on any text: its tokens cover the text without gaps, none is empty, and keywords and kinds fit the
// text.

#include <cstdint>

#include "base/sql_token.hpp"
#include "fuzz/check.hpp"

using namespace trustsql;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view sql(reinterpret_cast<const char*>(data), size);
  for (const int grammar : {3037000, latest_grammar}) {
    std::size_t offset = 0;
    Tokenizer tokens(sql, grammar);
    for (Token token = tokens.next(); token.kind != TokenKind::end; token = tokens.next()) {
      FUZZ_CHECK(token.offset == offset);
      FUZZ_CHECK(token.length > 0);
      FUZZ_CHECK(token.end() <= sql.size());
      FUZZ_CHECK((token.kind == TokenKind::keyword) == (token.keyword != Keyword::None));
      FUZZ_CHECK(token.keyword == Keyword::None || find_keyword(token.text(sql)) == token.keyword);
      offset = token.end();
    }
    FUZZ_CHECK(offset == sql.size() || sql[offset] == '\0');
  }
  return 0;
}
