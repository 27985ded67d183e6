#include "base/affinity.hpp"

#include "base/text.hpp"

namespace trustsql {

Affinity affinity_of_type(std::string_view declared_type, bool strict) {
  if (strict && equals_ignore_case(declared_type, "any")) return Affinity::blob;
  const auto has = [&](std::string_view word) { return contains_ignore_case(declared_type, word); };
  if (has("int")) return Affinity::integer;
  if (has("char") || has("clob") || has("text")) return Affinity::text;
  if (declared_type.empty() || has("blob")) return Affinity::blob;
  if (has("real") || has("floa") || has("doub")) return Affinity::real;
  return Affinity::numeric;
}

}  // namespace trustsql
