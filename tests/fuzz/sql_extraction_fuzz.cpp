// Extracting the query from any reply never crashes, gives one statement, and calls only a parsable text a query.
#include <cstdint>
#include <string_view>

#include "fuzz/check.hpp"
#include "nl2sql/replies/sql_extraction.hpp"
#include "sql/parser.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const trustsql::nl2sql::ExtractionOptions options{.continues_select = (data[0] & 1) != 0,
                                                    .last_block = (data[0] & 2) != 0};
  const std::string_view reply(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto extracted = trustsql::nl2sql::extract_sql(reply, options);
  FUZZ_CHECK(extracted.is_query == (!extracted.sql.empty() && trustsql::parse_query(extracted.sql).ok()));
  FUZZ_CHECK(extracted.sql.find('\0') == std::string::npos);
  return 0;
}
