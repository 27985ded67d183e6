// What SQLite's operators make of values: numbers in texts, arithmetic, truth, order
// (https://sqlite.org/lang_expr.html, datatype3.html). For the checker's own evaluation of expressions.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/value.hpp"
#include "sql/ast.hpp"

namespace trustsql::equiv::checker {

// Values made of numbers. SQLite has no NaN: it is NULL.
inline ValueView null() { return {}; }
inline ValueView integer(std::int64_t v) { return ValueView::of_integer(v); }
inline ValueView real(double v) { return std::isnan(v) ? null() : ValueView::of_real(v); }

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

inline constexpr auto smallest_integer = std::numeric_limits<std::int64_t>::min();

// A truth value, as WHERE and AND take it.
enum class Truth : std::uint8_t { no, yes, null };

// The number that a text begins with.
struct NumberInText {
  ValueView value = ValueView::of_integer(0);
  bool all = false;    // there is nothing else but white space
  bool found = false;  // there is one
};
NumberInText number_in(std::string_view text);

// A real that is an integer as one, where that loses nothing; other values as they are.
ValueView without_fraction(ValueView value);

// An operand of arithmetic: of a text or blob the number that it begins with.
ValueView number_of(ValueView value);
// A number as a real, or cut off to an integer. Precondition: it is one.
double as_real(ValueView value);
std::int64_t as_integer(ValueView value);

Truth truth_of(ValueView value);

// left op right for + - * / %, and for & | << >>.
ValueView arithmetic(ast::BinaryOp op, ValueView left, ValueView right);
ValueView bits(ast::BinaryOp op, ValueView left, ValueView right);

// The values that tell classes of values apart, by type: numbers around nothing, texts that look like numbers, and so
// on.
std::span<const ValueView> representative_values();

// How two values compare under `collation`, neither converted: < 0, 0 or > 0. Of a collation that is not built in
// nothing is known but that it is one: it is taken to be some other order than BINARY.
int order_of(ValueView a, ValueView b, std::string_view collation);

}  // namespace trustsql::equiv::checker
