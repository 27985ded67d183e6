// SQLite's instr, replace and trim in linear time. The UTF-8 need not be valid: the results are those of SQLite, byte
// for byte.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace trustsql {

// instr() of two BLOBs: the position from 1 of the first `needle`, counted in bytes; 0 if there is none.
std::int64_t instr_bytes(std::string_view haystack, std::string_view needle);

// instr() of texts: counted in characters. A match begins at the first byte of the text or at one that begins a
// character.
std::int64_t instr_characters(std::string_view haystack, std::string_view needle);

// replace(): nullopt if the result has more than `limit` bytes. Precondition: `pattern` is not empty.
std::optional<std::string> replace_all(std::string_view text, std::string_view pattern, std::string_view replacement,
                                       std::size_t limit);

// The characters that trim(X,Y) removes, looked up in constant time. If one is a prefix of another, which valid UTF-8
// rules out, the one that comes first in Y wins, as in SQLite.
class TrimSet {
 public:
  static constexpr std::size_t longest = 7;  // bytes; a character of more than 4 is not valid UTF-8

  // The characters before the first NUL. nullopt if one is longer than `longest`.
  static std::optional<TrimSet> of(std::string_view characters);

  // `text` without the characters of the set at its front, or at its back.
  std::string_view trim_front(std::string_view text) const;
  std::string_view trim_back(std::string_view text) const;

 private:
  template <class Cut>
  std::size_t find(std::string_view text, Cut cut) const;

  std::array<std::size_t, 256> single_{};                  // by byte: its position in Y from 1, 0 if it is not there
  std::unordered_map<std::uint64_t, std::size_t> longer_;  // by packed bytes
  std::size_t count_ = 0;
};

}  // namespace trustsql
