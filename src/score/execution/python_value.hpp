// SQLite's values as Python sees them: str() of a value, and float() of a text.
//
// Public evaluators are Python programs, and some of their verdicts depend on the printed form of a value. Python's
// sqlite3 module returns NULL as None, integers as int, reals as float, texts as str and blobs as bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/value.hpp"

namespace trustsql {

// str(x): "None", "1", "1.0", "1e+16", the text itself, "b'\\x00'".
std::string python_str(ValueView value);
// str(x) of a float: the shortest digits that read back as `value`; in exponential form below 1e-4 and from 1e16 on.
std::string python_float_str(double value);

// str(type(x)): "<class 'int'>".
std::string_view python_type(ValueType type);

// float(x) of a str: surrounding white space, a sign, digits with '_' between them, a decimal point, an exponent,
// "inf", "infinity" or "nan" in any case. nullopt if Python raises ValueError. Only ASCII digits and white space are
// supported.
std::optional<double> python_float(std::string_view text);

// round(x, 3): to the nearest multiple of 0.001, ties to even, computed exactly on the binary value.
double python_round3(double value);

}  // namespace trustsql
