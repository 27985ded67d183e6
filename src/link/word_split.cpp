#include "link/word_split.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/text.hpp"
#include "link/lexicon/lexicon.hpp"
#include "link/schema_words.hpp"
#include "link/word_forms.hpp"

namespace trustsql::link {

namespace {

enum class CharKind { separator, lower, upper, digit };

CharKind kind_of(char c) {
  if (c >= 'a' && c <= 'z') return CharKind::lower;
  if (c >= 'A' && c <= 'Z') return CharKind::upper;
  if (c >= '0' && c <= '9') return CharKind::digit;
  return static_cast<unsigned char>(c) >= 0x80 ? CharKind::lower : CharKind::separator;
}

// Whether a word ends before text[i], a character that is not a separator, where text[i - 1] belongs to a word.
bool ends_before(std::string_view text, std::size_t i) {
  const CharKind before = kind_of(text[i - 1]);
  const CharKind kind = kind_of(text[i]);
  if ((before == CharKind::digit) != (kind == CharKind::digit)) return true;
  if (kind != CharKind::upper) return false;
  if (before == CharKind::lower) return true;
  // "HTMLPage": the last capital belongs to the next word, unless a plural's s follows ("IDs").
  const bool hump = i + 1 < text.size() && kind_of(text[i + 1]) == CharKind::lower;
  return hump && !(text[i + 1] == 's' && (i + 2 == text.size() || kind_of(text[i + 2]) != CharKind::lower));
}

// --- compounds -------------------------------------------------------------------------------------------------------

constexpr std::size_t max_compound = 64;
constexpr std::size_t max_part = 18;

// The cost of a word as a part of a compound approximates minus the binary logarithm of its probability.
constexpr float words_in_all = 21;  // log2 of the total number of occurrences in the lexicon
constexpr float schema_word_cost = 9;
constexpr float function_word_cost = 17;  // "of", "by": two letters often occur by chance
constexpr float unknown_cost = 16;        // a part that is not a word: this plus unknown_letter_cost for each letter
constexpr float unknown_letter_cost = 4;

// The cost of the part `word`; nullopt if it cannot be a part.
std::optional<float> part_cost(std::string_view word) {
  if (is_schema_word(word)) return schema_word_cost;
  // "re" and "ve" are those of "you're" and "I've".
  if (word.size() < 3)
    return is_function_word(word) && word != "re" && word != "ve" ? std::optional(function_word_cost) : std::nullopt;
  float frequency = -1;
  for (const auto& form : word_forms(word)) {
    if (const auto id = lexicon::find(form.lemma)) frequency = std::max(frequency, lexicon::log_frequency(*id));
  }
  if (frequency < (word.size() < 6 ? 1.0F : 0.0F)) return std::nullopt;
  return words_in_all - frequency + (word.size() == 3 ? 3.0F : 0.0F);
}

}  // namespace

std::vector<std::string> split_compound(std::string_view letters) {
  const std::size_t size = letters.size();
  // Without a lexicon every word would look like an unknown one.
  if (size < 5 || size > max_compound || lexicon::is_empty() || is_function_word(letters) || part_cost(letters))
    return {std::string(letters)};
  struct Best {
    float cost = std::numeric_limits<float>::infinity();
    std::size_t begin = 0;
    bool known = false;
  };
  std::array<Best, max_compound + 1> best;
  best[0].cost = 0;
  for (std::size_t end = 1; end <= size; ++end) {
    for (std::size_t begin = end > max_part ? end - max_part : 0; begin < end; ++begin) {
      const auto part = letters.substr(begin, end - begin);
      const auto known_cost = part.size() > 1 ? part_cost(part) : std::nullopt;
      const float cost =
          best[begin].cost + known_cost.value_or(unknown_cost + unknown_letter_cost * static_cast<float>(part.size()));
      if (cost < best[end].cost) best[end] = {cost, begin, known_cost.has_value()};
    }
  }
  std::vector<std::string> parts;
  bool any_known = false;
  bool all_known = true;
  for (std::size_t end = size; end > 0; end = best[end].begin) {
    parts.emplace_back(letters.substr(best[end].begin, end - best[end].begin));
    any_known = any_known || best[end].known;
    all_known = all_known && best[end].known;
  }
  // Few letters behind a word, or behind a short one, are the end of one word: "winery", "apiary".
  constexpr std::size_t min_unknown_end = 4;
  constexpr std::size_t min_word_before = 4;
  const auto& end = best[size];
  const bool chance = !end.known && (size - end.begin < min_unknown_end || end.begin < min_word_before);
  // Consonants alone are those of one word: "shpmt" is no sh and no payment.
  const bool vowels = letters.find_first_of("aeiouy") != std::string_view::npos;
  if (!any_known || chance || (!vowels && !all_known) ||
      best[size].cost > unknown_cost + unknown_letter_cost * static_cast<float>(size))
    return {std::string(letters)};
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::size_t i = 0;
  while (i < text.size()) {
    if (kind_of(text[i]) == CharKind::separator) {
      ++i;
      continue;
    }
    const std::size_t begin = i++;
    while (i < text.size() && kind_of(text[i]) != CharKind::separator && !ends_before(text, i)) ++i;
    std::string word = to_lower_ascii(text.substr(begin, i - begin));
    // The s of "player's" is not a word.
    if (word == "s" && begin > 0 && text[begin - 1] == '\'') continue;
    if (kind_of(word[0]) != CharKind::lower) {
      words.push_back(std::move(word));
      continue;
    }
    for (auto& part : split_compound(word)) words.push_back(std::move(part));
  }
  return words;
}

}  // namespace trustsql::link
