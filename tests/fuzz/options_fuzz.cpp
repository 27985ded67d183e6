// Options::parse on any text: either an error with a message in valid UTF-8, or values of the types and ranges that the
// table declares.

#include <cmath>
#include <cstdint>

#include "base/options.hpp"
#include "base/text.hpp"
#include "fuzz/check.hpp"

namespace {

using trustsql::Option;

enum class Kind { bag, spider, strict };

constexpr Option<std::optional<bool>> flag = {.key = "flag", .description = ""};
constexpr Option<std::optional<int>> count = {.key = "count", .description = "", .min = 1, .max = 1000};
constexpr Option<std::optional<std::int64_t>> any = {.key = "any", .description = ""};
constexpr Option<std::optional<double>> share = {.key = "share", .description = "", .min = 0, .max = 1};
constexpr Option<std::optional<Kind>> kind = {
    .key = "kind",
    .description = "",
    .choices = {{"bag", Kind::bag}, {"spider", Kind::spider}, {"strict", Kind::strict}}};
constexpr Option<std::optional<std::string>> name = {.key = "name", .description = ""};
constexpr Option<std::optional<trustsql::Value>> value = {.key = "value", .description = ""};
constexpr Option<std::optional<std::vector<trustsql::Value>>> by = {.key = "by", .description = ""};

constexpr auto known = trustsql::option_table(flag, count, any, share, kind, name, value, by);

void check(const trustsql::Options& options) {
  if (const auto number = options.get(count)) FUZZ_CHECK(*number >= 1 && *number <= 1000);
  FUZZ_CHECK(options.has(count) == options.get(count).has_value());
  FUZZ_CHECK(options.has(any) == options.get(any).has_value());
  FUZZ_CHECK(options.has(flag) == options.get(flag).has_value());
  if (const auto number = options.get(share)) FUZZ_CHECK(std::isfinite(*number) && *number >= 0 && *number <= 1);
  FUZZ_CHECK(options.has(share) == options.get(share).has_value());
  FUZZ_CHECK(options.has(kind) == options.get(kind).has_value());
  FUZZ_CHECK(options.has(name) == options.get(name).has_value());
  FUZZ_CHECK(options.has(value) == options.get(value).has_value());
  FUZZ_CHECK(options.has(by) == options.get(by).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto options = trustsql::Options::parse(text, known);
  if (options.ok()) {
    check(*options);
  } else {
    FUZZ_CHECK(options.error().code == trustsql::ErrorCode::invalid_argument);
    FUZZ_CHECK(!options.error().message.empty());
    FUZZ_CHECK(options.error().message.size() < 2000);
    FUZZ_CHECK(trustsql::is_valid_utf8(options.error().message));
  }
  return 0;
}
