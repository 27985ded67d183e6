// The bytes of a model file: little-endian numbers, varints, counts that are checked against what is left.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace trustsql::semparse {

class PartWriter {
 public:
  void bytes(std::string_view text) { out_ += text; }
  void byte(std::uint8_t value) { out_ += static_cast<char>(value); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  void fixed64(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void fixed32(std::uint32_t value) {
    for (int i = 0; i < 4; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  // A part of its own: its length, then its bytes.
  void part(std::string_view text) {
    varint(text.size());
    bytes(text);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class PartReader {
 public:
  explicit PartReader(std::string_view in) : in_(in) {}

  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && in_.empty(); }
  bool skip(std::string_view text) {
    ok_ = ok_ && in_.starts_with(text);
    if (ok_) in_.remove_prefix(text.size());
    return ok_;
  }
  std::uint8_t byte() {
    if (in_.empty()) {
      ok_ = false;
      return 0;
    }
    const auto value = static_cast<std::uint8_t>(in_.front());
    in_.remove_prefix(1);
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  std::uint64_t fixed64() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value |= static_cast<std::uint64_t>(byte()) << (8 * i);
    return value;
  }
  std::uint32_t fixed32() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(byte()) << (8 * i);
    return value;
  }
  // A count of things of which each takes at least `least` bytes.
  std::size_t count(std::size_t least) {
    const auto value = varint();
    if (value > in_.size() / least) ok_ = false;
    return ok_ ? static_cast<std::size_t>(value) : 0;
  }
  // A part that PartWriter::part() wrote; empty if it is not there.
  std::string_view part() {
    const auto size = count(1);
    const auto text = in_.substr(0, size);
    in_.remove_prefix(text.size());
    return text;
  }
  // An enumerator up to `last`.
  template <class E>
  E choice(E last) {
    const auto value = byte();
    if (value > static_cast<std::uint8_t>(last)) ok_ = false;
    return ok_ ? static_cast<E>(value) : E{};
  }

 private:
  std::string_view in_;
  bool ok_ = true;
};

}  // namespace trustsql::semparse
