#include "base/affinity.hpp"

#include "base/text.hpp"

namespace trustsql {

std::string_view affinity_name(Affinity affinity) {
  static constexpr std::string_view names[] = {"none", "blob", "text", "numeric", "integer", "real"};
  return names[static_cast<std::size_t>(affinity)];
}

Affinity affinity_of_type(std::string_view declared_type) {
  const auto has = [&](std::string_view word) { return contains_ignore_case(declared_type, word); };
  if (has("INT")) return Affinity::integer;
  if (has("CHAR") || has("CLOB") || has("TEXT")) return Affinity::text;
  if (has("BLOB") || declared_type.empty()) return Affinity::blob;
  if (has("REAL") || has("FLOA") || has("DOUB")) return Affinity::real;
  return Affinity::numeric;
}

}  // namespace trustsql
