// JsonTree: a JSON document that can be freed where no memory is left.
//
// nlohmann::json allocates in its destructor, so a document that is still being parsed when memory runs out ends the
// process (json_release.hpp helps only once it is complete). This tree is built from the parser's events, and consists
// of vectors and texts. For documents that come from files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trustsql {

struct JsonTree {
  enum class Kind : std::uint8_t { null, boolean, integer, natural, real, text, array, object };

  Kind kind = Kind::null;
  bool truth = false;
  std::int64_t integer = 0;   // kind integer: negative
  std::uint64_t natural = 0;  // kind natural
  double real = 0;            // all numbers
  std::string text{};
  std::vector<std::pair<std::string, JsonTree>> members{};  // of an array: with empty names

  bool is(Kind wanted) const { return kind == wanted; }
  bool is_number() const { return is(Kind::integer) || is(Kind::natural) || is(Kind::real); }
  // The first member of that name; null if there is none.
  const JsonTree* find(std::string_view name) const;
};

// nullopt if `text` is not JSON, or nested deeper than `nesting`.
std::optional<JsonTree> parse_json(std::string_view text, int nesting);

}  // namespace trustsql
