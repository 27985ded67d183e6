#include "db/functions.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.hpp"
#include "db/connection.hpp"

namespace trustsql {

namespace {

using ScalarBody = void (*)(sqlite3_context*, sqlite3_value**);

// Keeps C++ exceptions from crossing into SQLite.
template <ScalarBody body>
void guarded(sqlite3_context* context, int, sqlite3_value** arguments) noexcept {
  try {
    body(context, arguments);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  } catch (const std::exception& e) {
    sqlite3_result_error(context, e.what(), -1);
  }
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t length_limit(sqlite3_context* context) {
  return static_cast<std::size_t>(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
}

// The value's text; data() is nullptr for NULL or exhausted memory, as with sqlite3_value_text().
std::string_view text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

struct ValueFree {
  void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
};
using ValueCopy = std::unique_ptr<sqlite3_value, ValueFree>;

// Position of `needle` in `haystack` from `from` on, npos if there is none; linear time.
std::size_t find_from(std::string_view haystack, std::string_view needle, std::size_t from) {
  const std::size_t left = haystack.size() - from;
  if (needle.size() > left) return std::string_view::npos;
  const char* start = haystack.data() + from;
  const void* found = needle.size() == 1 ? std::memchr(start, needle.front(), left) : memmem(start, left, needle.data(), needle.size());
  return found == nullptr ? std::string_view::npos : static_cast<std::size_t>(static_cast<const char*>(found) - haystack.data());
}

// https://sqlite.org/lang_corefunc.html#instr: counted in bytes if both arguments are BLOBs, else in characters,
// and then a match begins at the first byte of the text or at one that begins a character.
void instr_body(sqlite3_context* context, sqlite3_value** arguments) {
  const int type0 = sqlite3_value_type(arguments[0]);
  const int type1 = sqlite3_value_type(arguments[1]);
  if (type0 == SQLITE_NULL || type1 == SQLITE_NULL) return;
  if (type0 == SQLITE_BLOB && type1 == SQLITE_BLOB) {
    const std::string_view haystack(static_cast<const char*>(sqlite3_value_blob(arguments[0])),
                                    static_cast<std::size_t>(sqlite3_value_bytes(arguments[0])));
    const std::string_view needle(static_cast<const char*>(sqlite3_value_blob(arguments[1])),
                                  static_cast<std::size_t>(sqlite3_value_bytes(arguments[1])));
    const std::size_t found = needle.empty() ? 0 : find_from(haystack, needle, 0);
    sqlite3_result_int64(context, found == std::string_view::npos ? 0 : static_cast<sqlite3_int64>(found) + 1);
    return;
  }
  // A blob that is read as a text would look like one to the rest of the query, hence the copies.
  const ValueCopy copy0(type0 == SQLITE_BLOB ? sqlite3_value_dup(arguments[0]) : nullptr);
  const ValueCopy copy1(type1 == SQLITE_BLOB ? sqlite3_value_dup(arguments[1]) : nullptr);
  const std::string_view haystack = text_of(copy0 ? copy0.get() : arguments[0]);
  const std::string_view needle = text_of(copy1 ? copy1.get() : arguments[1]);
  if (haystack.data() == nullptr || needle.data() == nullptr) return sqlite3_result_error_nomem(context);
  std::size_t found = 0;
  if (!needle.empty()) {
    // A needle that begins inside a character can match at the very start only.
    if (is_continuation(needle.front()))
      found = haystack.starts_with(needle) ? 0 : std::string_view::npos;
    else
      found = find_from(haystack, needle, 0);
  }
  if (found == std::string_view::npos) return sqlite3_result_int64(context, 0);
  const auto characters = std::count_if(haystack.begin() + (found > 0 ? 1 : 0), haystack.begin() + static_cast<std::ptrdiff_t>(found),
                                        [](char c) { return !is_continuation(c); });
  sqlite3_result_int64(context, static_cast<sqlite3_int64>(characters) + (found > 0 ? 2 : 1));
}

// https://sqlite.org/lang_corefunc.html#replace
void replace_body(sqlite3_context* context, sqlite3_value** arguments) {
  const std::string_view text = text_of(arguments[0]);
  if (text.data() == nullptr) return;
  const std::string_view pattern = text_of(arguments[1]);
  if (pattern.data() == nullptr) return;
  if (pattern.empty() || pattern.front() == '\0') return sqlite3_result_value(context, arguments[0]);
  const std::string_view replacement = text_of(arguments[2]);
  if (replacement.data() == nullptr) return;

  const std::size_t limit = length_limit(context);
  std::string result;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t found = find_from(text, pattern, from);
    if (found == std::string_view::npos) break;
    result.append(text, from, found - from).append(replacement);
    from = found + pattern.size();
    if (result.size() > limit) return sqlite3_result_error_toobig(context);
  }
  result.append(text.substr(from));
  if (result.size() > limit) return sqlite3_result_error_toobig(context);
  sqlite3_result_text64(context, result.data(), result.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

// The characters that trim(X,Y) takes off, looked up in constant time. Where one is the beginning of another, which
// cannot be in valid UTF-8, the one that stands first in Y counts, as in SQLite.
class CharacterSet {
 public:
  static constexpr std::size_t longest = 7;  // bytes; what is longer than 4 is not valid UTF-8

  // Adds the characters before the first NUL. False if one is too long.
  bool add_all(std::string_view characters) {
    characters = characters.substr(0, characters.find('\0'));
    while (!characters.empty()) {
      // As SQLite steps through text: a byte from 0xc0 on takes all continuation bytes that follow.
      std::size_t length = 1;
      if (static_cast<unsigned char>(characters.front()) >= 0xc0)
        while (length < characters.size() && is_continuation(characters[length])) ++length;
      if (length > longest) return false;
      const std::size_t position = ++count_;
      if (length == 1) {
        std::size_t& known = single_[static_cast<unsigned char>(characters.front())];
        if (known == 0) known = position;
      } else {
        longer_.emplace(pack(characters.substr(0, length)), position);
      }
      characters.remove_prefix(length);
    }
    return true;
  }

  // Length of the character of the set that `text` begins or ends with, 0 if there is none.
  std::size_t at_front(std::string_view text) const {
    return find(text, [](std::string_view t, std::size_t n) { return t.substr(0, n); });
  }
  std::size_t at_back(std::string_view text) const {
    return find(text, [](std::string_view t, std::size_t n) { return t.substr(t.size() - n); });
  }

 private:
  static std::uint64_t pack(std::string_view character) {
    std::uint64_t packed = character.size();
    for (const char c : character) packed = packed << 8 | static_cast<unsigned char>(c);
    return packed;
  }

  template <class Cut>
  std::size_t find(std::string_view text, Cut cut) const {
    if (text.empty()) return 0;
    std::size_t first = single_[static_cast<unsigned char>(cut(text, 1).front())];
    std::size_t found = first == 0 ? 0 : 1;
    if (longer_.empty()) return found;
    for (std::size_t length = 2; length <= std::min(longest, text.size()); ++length) {
      const auto entry = longer_.find(pack(cut(text, length)));
      if (entry == longer_.end() || (found != 0 && entry->second > first)) continue;
      first = entry->second;
      found = length;
    }
    return found;
  }

  std::array<std::size_t, 256> single_{};  // by byte: its position in Y from 1, 0 if it is not there
  std::unordered_map<std::uint64_t, std::size_t> longer_;
  std::size_t count_ = 0;
};

enum class TrimSide { left = 1, right = 2, both = 3 };

// https://sqlite.org/lang_corefunc.html#trim
template <TrimSide side>
void trim_body(sqlite3_context* context, sqlite3_value** arguments) {
  if (sqlite3_value_type(arguments[0]) == SQLITE_NULL) return;
  std::string_view text = text_of(arguments[0]);
  const std::string_view characters = text_of(arguments[1]);
  if (text.data() == nullptr || characters.data() == nullptr) return;
  CharacterSet set;
  if (!set.add_all(characters)) return sqlite3_result_error(context, "the second argument of trim() is not valid UTF-8", -1);
  if (static_cast<int>(side) & static_cast<int>(TrimSide::left))
    while (const std::size_t length = set.at_front(text)) text.remove_prefix(length);
  if (static_cast<int>(side) & static_cast<int>(TrimSide::right))
    while (const std::size_t length = set.at_back(text)) text.remove_suffix(length);
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void unhex2_body(sqlite3_context* context, sqlite3_value**) {
  sqlite3_result_error(context, "unhex() with two arguments may not be used in the sandbox", -1);
}

struct Replacement {
  const char* name;
  int arity;
  int since;  // version of SQLite that has the function
  void (*body)(sqlite3_context*, int, sqlite3_value**) noexcept;
};

constexpr std::array replacements = {
    Replacement{"instr", 2, 0, guarded<instr_body>},
    Replacement{"replace", 3, 0, guarded<replace_body>},
    Replacement{"trim", 2, 0, guarded<trim_body<TrimSide::both>>},
    Replacement{"ltrim", 2, 0, guarded<trim_body<TrimSide::left>>},
    Replacement{"rtrim", 2, 0, guarded<trim_body<TrimSide::right>>},
    Replacement{"unhex", 2, 3041000, guarded<unhex2_body>},
};

}  // namespace

bool is_replacement(std::string_view name, int arity) {
  return std::ranges::any_of(replacements, [&](const Replacement& r) { return arity == r.arity && equals_ignore_case(name, r.name); });
}

Status replace_quadratic_functions(sqlite3* db) {
  for (const Replacement& replacement : replacements) {
    if (sqlite3_libversion_number() < replacement.since) continue;
    const int code = sqlite3_create_function_v2(db, replacement.name, replacement.arity, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                                nullptr, replacement.body, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return sqlite_error(db, code);
  }
  return ok_status();
}

}  // namespace trustsql
