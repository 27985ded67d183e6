// Arguments that the rs_ functions share.
#pragma once

#include "ext/adaptor/value_access.hpp"
#include "score/reliability/reliability_case.hpp"

namespace trustsql::ext {

template <>
struct ArgumentReader<ReliabilityCase> {
  static Result<ReliabilityCase> read(sqlite3_value* value, const ArgumentPlace& place) {
    if (sqlite3_value_type(value) != SQLITE_TEXT) return must_be(place.text(), "one of I, II, III, IV, V", value);
    auto parsed = parse_case(view(value).bytes);
    if (!parsed.ok()) return std::move(parsed).error().with_prefix(place.text());
    return parsed;
  }
};

}  // namespace trustsql::ext
