#include "sql/ast.hpp"

#include <charconv>
#include <cstdlib>

#include "base/text.hpp"

namespace trustsql::ast {

TRUSTSQL_DEFINE_VALUE(Expr)

namespace {

// The bits of a hexadecimal integer as a signed number; NULL if it has more than 64 significant bits.
Value hexadecimal_value(std::string_view digits) {
  while (!digits.empty() && digits.front() == '0') digits.remove_prefix(1);
  if (digits.empty()) return std::int64_t{0};
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (error != std::errc()) return std::monostate{};
  return static_cast<std::int64_t>(bits);
}

Value number_value(std::string_view text, bool integer) {
  std::string digits;
  for (const char c : text)
    if (c != '_') digits += c;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
    return hexadecimal_value(std::string_view(digits).substr(2));
  const char* const end = digits.data() + digits.size();
  if (integer) {
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), end, value).ec == std::errc()) return value;
  }
  double value = 0;
  const auto parsed = std::from_chars(digits.data(), end, value);
  // Out of range: from_chars does not change the value. strtod distinguishes 0 from infinity.
  if (parsed.ec == std::errc::result_out_of_range) value = std::strtod(digits.c_str(), nullptr);
  return value;
}

}  // namespace

bool operator==(const Name& a, const Name& b) { return equals_ignore_case(a.text, b.text); }

std::uint64_t Name::hash(std::uint64_t seed) const {
  return detail::combine(seed, std::hash<std::string>{}(to_lower_ascii(text)));
}

bool ColumnRef::may_be_boolean() const {
  return !table && column.quote == Quote::none &&
         (equals_ignore_case(column.text, "true") || equals_ignore_case(column.text, "false"));
}

bool operator==(const ColumnRef& a, const ColumnRef& b) {
  return a.column == b.column && a.table == b.table && a.schema == b.schema && a.may_be_string() == b.may_be_string() &&
         a.may_be_boolean() == b.may_be_boolean();
}

std::uint64_t ColumnRef::hash(std::uint64_t seed) const {
  seed = column.hash(detail::combine(seed, may_be_string() ? 1 : 0));
  return table ? table->hash(seed) : seed;
}

Value Literal::value() const {
  switch (kind) {
    case Kind::integer: return number_value(text, true);
    case Kind::real: return number_value(text, false);
    case Kind::string: return text;
    case Kind::blob: return Blob{text};
    case Kind::null:
    case Kind::current_date:
    case Kind::current_time:
    case Kind::current_timestamp: return std::monostate{};
  }
  return std::monostate{};
}

}  // namespace trustsql::ast
