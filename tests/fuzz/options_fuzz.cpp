// Options::parse on any text: either an error with a message in valid UTF-8, or values of the types and ranges that the
// table declares.

#include <array>
#include <cmath>
#include <cstdint>

#include "base/options.hpp"
#include "base/text.hpp"
#include "fuzz/check.hpp"

namespace {

using trustsql::OptionType;

constexpr std::array known = {
    trustsql::OptionSpec{.key = "flag", .type = OptionType::boolean, .description = ""},
    trustsql::OptionSpec{.key = "count", .type = OptionType::integer, .description = "", .min = 1, .max = 1000},
    trustsql::OptionSpec{.key = "any", .type = OptionType::integer, .description = ""},
    trustsql::OptionSpec{.key = "share", .type = OptionType::real, .description = "", .min = 0, .max = 1},
    trustsql::OptionSpec{.key = "kind", .type = OptionType::text, .description = "", .choices = "bag|spider|strict"},
    trustsql::OptionSpec{.key = "name", .type = OptionType::text, .description = ""},
    trustsql::OptionSpec{.key = "value", .type = OptionType::scalar, .description = ""},
    trustsql::OptionSpec{.key = "by", .type = OptionType::list, .description = ""},
};

void check(const trustsql::Options& options) {
  if (const auto count = options.integer("count")) FUZZ_CHECK(*count >= 1 && *count <= 1000);
  FUZZ_CHECK(options.has("count") == options.integer("count").has_value());
  FUZZ_CHECK(options.has("any") == options.integer("any").has_value());
  FUZZ_CHECK(options.has("flag") == options.boolean("flag").has_value());
  if (const auto share = options.real("share")) FUZZ_CHECK(std::isfinite(*share) && *share >= 0 && *share <= 1);
  FUZZ_CHECK(options.has("share") == options.real("share").has_value());
  if (const auto kind = options.text("kind")) FUZZ_CHECK(*kind == "bag" || *kind == "spider" || *kind == "strict");
  FUZZ_CHECK(options.has("kind") == options.text("kind").has_value());
  FUZZ_CHECK(options.has("name") == options.text("name").has_value());
  FUZZ_CHECK(options.has("value") == options.scalar("value").has_value());
  const auto by = options.list("by");
  const auto texts = options.texts("by");
  FUZZ_CHECK(by.has_value() == texts.has_value());
  if (by) FUZZ_CHECK(by->size() == texts->size());
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
