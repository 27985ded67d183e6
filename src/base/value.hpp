// The five storage classes of SQLite as C++ values (https://sqlite.org/datatype3.html).
//
// `Value` owns its text; `ValueView` borrows it (16 to 24 bytes, passed by value). Texts are bytes that should be UTF-8
// but need not be: SQLite does not check, so no reader may rely on it.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

namespace trustsql {

enum class ValueType : std::uint8_t { null, integer, real, text, blob };

// The name that SQLite's typeof() gives.
std::string_view type_name(ValueType type);

struct Blob {
  std::string bytes;
  friend bool operator==(const Blob&, const Blob&) = default;
};

using Value = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;

// A value that somebody else owns. `bytes` is used for text and blob only.
struct ValueView {
  ValueType type = ValueType::null;
  union {
    std::int64_t integer = 0;
    double real;
  };
  std::string_view bytes;

  static ValueView null() { return {}; }
  static ValueView of_integer(std::int64_t v) {
    ValueView r;
    r.type = ValueType::integer;
    r.integer = v;
    return r;
  }
  static ValueView of_real(double v) {
    ValueView r;
    r.type = ValueType::real;
    r.real = v;
    return r;
  }
  static ValueView of_text(std::string_view v) {
    ValueView r;
    r.type = ValueType::text;
    r.bytes = v;
    return r;
  }
  static ValueView of_blob(std::string_view v) {
    ValueView r;
    r.type = ValueType::blob;
    r.bytes = v;
    return r;
  }

  bool is_null() const { return type == ValueType::null; }
  bool is_number() const { return type == ValueType::integer || type == ValueType::real; }
};

// A view of `value`, valid as long as `value` is.
ValueView view(const Value& value);
// A copy of what `value` shows.
Value to_value(ValueView value);

// Exact comparison of an integer with a real: neither side is rounded (as in SQLite's sqlite3IntFloatCompare, and in
// Python between int and float). A NaN, which SQLite never stores, sorts before every integer.
std::strong_ordering compare_integer_real(std::int64_t a, double b);

// SQLite's order without affinity and with collation BINARY: NULL < numbers < text < blob; 1 and 1.0 are equal.
std::strong_ordering compare(ValueView a, ValueView b);

// compare(a, b) == 0: NULL equals NULL, 1 equals 1.0, '1' does not equal 1, a text never equals a blob.
inline bool equal(ValueView a, ValueView b) {
  if (a.type != b.type) return a.is_number() && b.is_number() && compare(a, b) == 0;
  switch (a.type) {
    case ValueType::null: return true;
    case ValueType::integer: return a.integer == b.integer;
    case ValueType::real: return a.real == b.real || (a.real != a.real && b.real != b.real);
    case ValueType::text:
    case ValueType::blob: return a.bytes == b.bytes;
  }
  return false;
}

// The finaliser of splitmix64: a bijection that spreads every input bit over the word.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Hash of the bytes of a text or blob.
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed);

// A 64-bit hash under which equal() values are equal (1 and 1.0, 0.0 and -0.0). `seed` selects an independent function.
inline std::uint64_t hash(ValueView value, std::uint64_t seed = 0) {
  constexpr std::uint64_t null_mark = 0x6e756c6c;
  constexpr std::uint64_t integer_mark = 0x696e74;
  constexpr std::uint64_t real_mark = 0x7265616c;
  constexpr std::uint64_t text_mark = 0x74657874;
  constexpr std::uint64_t blob_mark = 0x626c6f62;
  switch (value.type) {
    case ValueType::null: return mix64(seed ^ null_mark);
    case ValueType::integer: return mix64(mix64(seed ^ integer_mark) ^ static_cast<std::uint64_t>(value.integer));
    case ValueType::real:
      if (value.real >= -9223372036854775808.0 && value.real < 9223372036854775808.0) {
        const auto truncated = static_cast<std::int64_t>(value.real);
        if (static_cast<double>(truncated) == value.real)
          return mix64(mix64(seed ^ integer_mark) ^ static_cast<std::uint64_t>(truncated));
      }
      return mix64(mix64(seed ^ real_mark) ^
                   std::bit_cast<std::uint64_t>(value.real == value.real ? value.real
                                                                         : std::numeric_limits<double>::quiet_NaN()));
    case ValueType::text: return hash_bytes(value.bytes, mix64(seed ^ text_mark));
    case ValueType::blob: return hash_bytes(value.bytes, mix64(seed ^ blob_mark));
  }
  return 0;
}

}  // namespace trustsql
