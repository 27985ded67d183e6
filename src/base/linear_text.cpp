#include "base/linear_text.hpp"

#include <algorithm>
#include <cstring>

namespace trustsql {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// std::string_view::find is quadratic; memmem is not.
std::size_t find_from(std::string_view haystack, std::string_view needle, std::size_t from) {
  const std::size_t left = haystack.size() - from;
  if (needle.size() > left) return std::string_view::npos;
  const char* start = haystack.data() + from;
  const void* match =
      needle.size() == 1 ? std::memchr(start, needle.front(), left) : memmem(start, left, needle.data(), needle.size());
  return match == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(match) - haystack.data());
}

std::uint64_t pack(std::string_view character) {
  std::uint64_t packed = character.size();
  for (const char c : character) packed = packed << 8 | static_cast<unsigned char>(c);
  return packed;
}

std::string_view front(std::string_view text, std::size_t n) { return text.substr(0, n); }
std::string_view back(std::string_view text, std::size_t n) { return text.substr(text.size() - n); }

}  // namespace

std::int64_t instr_bytes(std::string_view haystack, std::string_view needle) {
  const std::size_t position = needle.empty() ? 0 : find_from(haystack, needle, 0);
  return position == std::string_view::npos ? 0 : static_cast<std::int64_t>(position) + 1;
}

std::int64_t instr_characters(std::string_view haystack, std::string_view needle) {
  // A needle that begins inside a character can match at the very start only.
  if (haystack.starts_with(needle)) return 1;
  if (is_continuation(needle.front())) return 0;
  const std::size_t position = find_from(haystack, needle, 0);
  if (position == std::string_view::npos) return 0;
  // The first byte begins a character, whatever it is.
  const auto begin = haystack.begin();
  return 2 + std::count_if(begin + 1, begin + static_cast<std::ptrdiff_t>(position),
                           [](char c) { return !is_continuation(c); });
}

std::optional<std::string> replace_all(std::string_view text, std::string_view pattern, std::string_view replacement,
                                       std::size_t limit) {
  std::string result;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t position = find_from(text, pattern, from);
    if (position == std::string_view::npos) break;
    result.append(text, from, position - from).append(replacement);
    from = position + pattern.size();
    if (result.size() > limit) return std::nullopt;
  }
  result.append(text.substr(from));
  if (result.size() > limit) return std::nullopt;
  return result;
}

std::optional<TrimSet> TrimSet::of(std::string_view characters) {
  TrimSet set;
  characters = characters.substr(0, characters.find('\0'));
  while (!characters.empty()) {
    // As SQLite steps through text: a byte from 0xc0 on takes all continuation bytes that follow.
    std::size_t length = 1;
    if (static_cast<unsigned char>(characters.front()) >= 0xc0)
      while (length < characters.size() && is_continuation(characters[length])) ++length;
    if (length > longest) return std::nullopt;
    const std::size_t position = ++set.count_;
    if (length == 1) {
      std::size_t& first_position = set.single_[static_cast<unsigned char>(characters.front())];
      if (first_position == 0) first_position = position;
    } else {
      set.longer_.emplace(pack(characters.substr(0, length)), position);
    }
    characters.remove_prefix(length);
  }
  return set;
}

// The length of the character of the set that `text` begins or ends with; 0 if there is none.
template <class Cut>
std::size_t TrimSet::find(std::string_view text, Cut cut) const {
  if (text.empty()) return 0;
  std::size_t first_position = single_[static_cast<unsigned char>(cut(text, 1).front())];
  std::size_t found_length = first_position == 0 ? 0 : 1;
  if (longer_.empty()) return found_length;
  for (std::size_t length = 2; length <= std::min(longest, text.size()); ++length) {
    const auto entry = longer_.find(pack(cut(text, length)));
    if (entry == longer_.end() || (found_length != 0 && entry->second > first_position)) continue;
    first_position = entry->second;
    found_length = length;
  }
  return found_length;
}

std::string_view TrimSet::trim_front(std::string_view text) const {
  while (const std::size_t length = find(text, front)) text.remove_prefix(length);
  return text;
}

std::string_view TrimSet::trim_back(std::string_view text) const {
  while (const std::size_t length = find(text, back)) text.remove_suffix(length);
  return text;
}

}  // namespace trustsql
