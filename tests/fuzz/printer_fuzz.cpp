// What the parser accepts survives printing: the same tree, and for SQLite the same program.

#include <cstdint>

#include "fuzz/check.hpp"
#include "fuzz/sqlite_oracle.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"

using namespace trustsql;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view sql(reinterpret_cast<const char*>(data), size);
  const ParseOptions options{.version = sqlite3_libversion_number()};
  const auto parsed = parse_query(sql, options);
  if (!parsed.ok()) return 0;
  const auto program = explain(fuzz::oracle(), sql);
  for (const auto style : {PrintStyle::canonical, PrintStyle::pretty}) {
    const auto text = print_query(*parsed, style);
    const auto again = parse_query(text, options);
    FUZZ_CHECK(again.ok());
    FUZZ_CHECK(*again == *parsed);
    FUZZ_CHECK(hash(*again) == hash(*parsed));
    FUZZ_CHECK(print_query(*again, style) == text);
    if (program && explain(fuzz::oracle(), text) != program) {
      std::fprintf(stderr, "%s\n%s\n", std::string(sql).c_str(), text.c_str());
      FUZZ_CHECK(!"the same program");
    }
  }
  return 0;
}
