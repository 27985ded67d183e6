#include "base/sql_keyword.hpp"

#include <algorithm>
#include <array>

namespace trustsql {

namespace {

constexpr std::array<std::string_view, keyword_count + 1> texts = {"",
#define TRUSTSQL_KEYWORD_TEXT(name, text) text,
                                                                   TRUSTSQL_KEYWORDS(TRUSTSQL_KEYWORD_TEXT)
#undef TRUSTSQL_KEYWORD_TEXT
};

constexpr std::size_t shortest = 2;
constexpr std::size_t longest = 17;
constexpr std::size_t slots = 512;  // a load factor of 0.29: a search probes 1.2 slots on average

// Folds the case of letters; '_' always maps to the same character, which no keyword contains.
constexpr unsigned fold(char c) { return static_cast<unsigned char>(c) | 0x20U; }

constexpr std::size_t slot_of(std::string_view word) {
  const std::size_t n = word.size();
  const unsigned mixed = fold(word[0]) * 29U + fold(word[1]) * 131U + fold(word[n / 2]) * 7U + fold(word[n - 1]) * 59U +
                         static_cast<unsigned>(n) * 17U;
  return mixed % slots;
}

constexpr std::array<std::uint8_t, slots> make_table() {
  std::array<std::uint8_t, slots> table{};
  for (std::size_t k = 1; k < texts.size(); ++k) {
    std::size_t slot = slot_of(texts[k]);
    while (table[slot] != 0) slot = (slot + 1) % slots;
    table[slot] = static_cast<std::uint8_t>(k);
  }
  return table;
}
constexpr auto table = make_table();

}  // namespace

Keyword find_keyword(std::string_view word) {
  if (word.size() < shortest || word.size() > longest) return Keyword::None;
  for (std::size_t slot = slot_of(word); table[slot] != 0; slot = (slot + 1) % slots) {
    const auto text = texts[table[slot]];
    const auto same = [](char a, char b) {
      return a == b || (b >= 'a' && b <= 'z' && a == static_cast<char>(b - 'a' + 'A'));
    };
    if (std::equal(text.begin(), text.end(), word.begin(), word.end(), same)) return static_cast<Keyword>(table[slot]);
  }
  return Keyword::None;
}

std::string_view keyword_text(Keyword keyword) { return texts[static_cast<std::size_t>(keyword)]; }

}  // namespace trustsql
