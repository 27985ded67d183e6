// For any query that the parser accepts: its skeleton is a query and its own skeleton, its JSON form is JSON, and
// counting its parts terminates.

#include <cstdint>
#include <nlohmann/json.hpp>

#include "fuzz/check.hpp"
#include "score/set_match/hardness.hpp"
#include "sql/ast_json.hpp"
#include "sql/features.hpp"
#include "sql/parser.hpp"
#include "sql/skeleton.hpp"

using namespace trustsql;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view sql(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse_query(sql);
  if (!parsed.ok()) return 0;

  const auto json = to_json(*parsed);
  FUZZ_CHECK(!json.ok() || nlohmann::json::accept(*json));
  FUZZ_CHECK(!query_features(*parsed).empty());
  FUZZ_CHECK(!spider_hardness(*parsed).empty());
  FUZZ_CHECK(!trustsql_hardness(*parsed).empty());

  const auto skeleton = query_skeleton(*parsed);
  if (!skeleton.ok()) return 0;
  const auto reparsed = parse_query(*skeleton);
  if (!reparsed.ok()) {
    // Expanding aliases may exceed the limits on depth.
    FUZZ_CHECK(reparsed.error().code == ErrorCode::limit_exceeded);
    return 0;
  }
  const auto again = query_skeleton(*reparsed);
  if (!again.ok() || *again != *skeleton) {
    std::fprintf(stderr, "%s\n%s\n%s\n", std::string(sql).c_str(), skeleton->c_str(),
                 again.ok() ? again->c_str() : again.error().message.c_str());
    FUZZ_CHECK(!"its own skeleton");
  }
  return 0;
}
