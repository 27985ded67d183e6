// The semantics of SQLite's operators on values: numbers in text, arithmetic, truth, order
// (https://sqlite.org/lang_expr.html, datatype3.html). For the checker's own evaluation of expressions.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/text.hpp"
#include "base/value.hpp"
#include "sql/ast.hpp"

namespace trustsql::equiv::checker {

// Values made of numbers. SQLite has no NaN: it is NULL.
inline ValueView null() { return {}; }
inline ValueView integer(std::int64_t v) { return ValueView::of_integer(v); }
inline ValueView real(double v) { return std::isnan(v) ? null() : ValueView::of_real(v); }

inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

inline constexpr auto smallest_integer = std::numeric_limits<std::int64_t>::min();

// A truth value, as WHERE and AND interpret values.
enum class Truth : std::uint8_t { no, yes, null };

// The number at the beginning of a text.
struct NumberInText {
  ValueView value = ValueView::of_integer(0);
  bool all = false;    // followed by nothing but white space
  bool found = false;  // the text begins with a number
};
NumberInText number_in(std::string_view text);

// Converts a real to the equal integer if that loses nothing; other values are returned unchanged.
ValueView without_fraction(ValueView value);

// Converts an operand of arithmetic: for text and blobs, to the number at the beginning.
ValueView number_of(ValueView value);
// A number as a real, or truncated to an integer. Precondition: the value is a number.
double as_real(ValueView value);
std::int64_t as_integer(ValueView value);

Truth truth_of(ValueView value);

// left op right for + - * / %, and for & | << >>.
ValueView arithmetic(ast::BinaryOp op, ValueView left, ValueView right);
ValueView bits(ast::BinaryOp op, ValueView left, ValueView right);

// Values that represent classes of values, by type: numbers around zero, text that looks like numbers, and so on.
std::span<const ValueView> representative_values();

// How two values compare under `collation`, without conversion: < 0, 0 or > 0. A collation that is not built in is
// unknown; it is taken to be an order other than BINARY. BINARY compares the bytes that texts have in the encoding of
// the database (https://sqlite.org/datatype3.html section 7.1).
enum class Encoding : std::uint8_t { utf8, utf16le };
int order_of(ValueView a, ValueView b, std::string_view collation, Encoding encoding = Encoding::utf8);

}  // namespace trustsql::equiv::checker
