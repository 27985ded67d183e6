#include "base/value.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace trustsql {

std::string_view type_name(ValueType type) {
  switch (type) {
    case ValueType::null: return "null";
    case ValueType::integer: return "integer";
    case ValueType::real: return "real";
    case ValueType::text: return "text";
    case ValueType::blob: return "blob";
  }
  return "null";
}

ValueView view(const Value& value) {
  switch (value.index()) {
    case 1: return ValueView::of_integer(*std::get_if<1>(&value));
    case 2: return ValueView::of_real(*std::get_if<2>(&value));
    case 3: return ValueView::of_text(*std::get_if<3>(&value));
    case 4: return ValueView::of_blob(std::get_if<4>(&value)->bytes);
    default: return ValueView::null();
  }
}

Value to_value(ValueView value) {
  switch (value.type) {
    case ValueType::null: return {};
    case ValueType::integer: return value.integer;
    case ValueType::real: return value.real;
    case ValueType::text: return std::string(value.bytes);
    case ValueType::blob: return Blob{std::string(value.bytes)};
  }
  return {};
}

std::strong_ordering compare_integer_real(std::int64_t a, double b) {
  if (std::isnan(b)) return std::strong_ordering::greater;
  if (b >= 9223372036854775808.0) return std::strong_ordering::less;
  if (b < -9223372036854775808.0) return std::strong_ordering::greater;
  const auto truncated = static_cast<std::int64_t>(b);
  if (a != truncated) return a < truncated ? std::strong_ordering::less : std::strong_ordering::greater;
  const double fraction = b - static_cast<double>(truncated);
  if (fraction == 0.0) return std::strong_ordering::equal;
  return fraction > 0.0 ? std::strong_ordering::less : std::strong_ordering::greater;
}

namespace {

int type_rank(ValueType type) {
  switch (type) {
    case ValueType::null: return 0;
    case ValueType::integer:
    case ValueType::real: return 1;
    case ValueType::text: return 2;
    case ValueType::blob: return 3;
  }
  return 0;
}

std::strong_ordering compare_reals(double a, double b) {
  if (a < b) return std::strong_ordering::less;
  if (a > b) return std::strong_ordering::greater;
  if (a == b) return std::strong_ordering::equal;
  return static_cast<int>(!std::isnan(a)) <=> static_cast<int>(!std::isnan(b));
}

}  // namespace

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t h = mix64(seed ^ bytes.size());
  const char* p = bytes.data();
  std::size_t n = bytes.size();
  for (; n >= 8; p += 8, n -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    h = (std::rotl(h, 23) ^ word) * 0x9fb21c651e98df25ULL;
    h ^= h >> 32;
  }
  std::uint64_t tail = 0;
  if (n > 0) std::memcpy(&tail, p, n);
  return mix64(h ^ tail);
}

std::strong_ordering compare(ValueView a, ValueView b) {
  if (a.type == ValueType::integer && b.type == ValueType::integer) return a.integer <=> b.integer;
  const int rank_a = type_rank(a.type);
  const int rank_b = type_rank(b.type);
  if (rank_a != rank_b) return rank_a <=> rank_b;
  switch (rank_a) {
    case 0: return std::strong_ordering::equal;
    case 1:
      if (a.type == ValueType::integer) return compare_integer_real(a.integer, b.real);
      if (b.type == ValueType::integer) return 0 <=> compare_integer_real(b.integer, a.real);
      return compare_reals(a.real, b.real);
    default: return a.bytes <=> b.bytes;
  }
}

}  // namespace trustsql
