// Every metric is a number from 0 to 1, and 1 for a query and itself. The input is two queries with a line break
// between them.

#include <cstdint>

#include "equiv/similarity.hpp"
#include "fuzz/check.hpp"

using namespace trustsql;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto middle = text.find('\n');
  const auto a = text.substr(0, middle);
  const auto b = middle == std::string_view::npos ? std::string_view() : text.substr(middle + 1);
  for (const auto& metric : similarity_metrics()) {
    if (const auto score = similarity(QueryPair(a, b, {}), metric.name, {}); score.ok())
      FUZZ_CHECK(*score >= 0 && *score <= 1 + 1e-9);
    if (const auto score = similarity(QueryPair(a, a, {}), metric.name, {}); score.ok())
      FUZZ_CHECK(*score > 1 - 1e-6 && *score < 1 + 1e-6);
  }
  return 0;
}
