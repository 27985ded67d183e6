// Arguments that the rs_ functions share.
#pragma once

#include "ext/adaptor/value_access.hpp"
#include "score/reliability/reliability_case.hpp"

namespace trustsql::ext {

template <>
struct ArgumentReader<ReliabilityCase> {
  static Result<ReliabilityCase> read(sqlite3_value* value) {
    if (sqlite3_value_type(value) != SQLITE_TEXT) return must_be("one of I, II, III, IV, V", value);
    return parse_case(view(value).bytes);
  }
};

}  // namespace trustsql::ext
