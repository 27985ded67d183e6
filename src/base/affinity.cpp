#include "base/affinity.hpp"

#include "base/text.hpp"

namespace trustsql {

Affinity affinity_of_type(std::string_view declared_type, bool strict) {
  if (strict && equals_ignore_case(declared_type, "any")) return Affinity::blob;
  const auto contains = [&](std::string_view word) { return contains_ignore_case(declared_type, word); };
  if (contains("int")) return Affinity::integer;
  if (contains("char") || contains("clob") || contains("text")) return Affinity::text;
  if (declared_type.empty() || contains("blob")) return Affinity::blob;
  if (contains("real") || contains("floa") || contains("doub")) return Affinity::real;
  return Affinity::numeric;
}

}  // namespace trustsql
