#include "semparse/words/spelling.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "semparse/words/words.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t one_edit_from = 5;  // characters
constexpr std::size_t two_edits_from = 9;
constexpr std::size_t longest_typed = 64;
constexpr char32_t ill_formed = 0x110000;  // plus the byte

bool has_digit(std::string_view word) { return word.find_first_of("0123456789") != std::string_view::npos; }

char32_t character_at(std::string_view text, Utf8Step step) {
  const auto byte = [&text](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  if (!step.valid) return ill_formed + byte(0);
  if (step.length == 1) return byte(0);
  char32_t character = byte(0) & (0x7fU >> step.length);
  for (std::size_t i = 1; i < step.length; ++i) character = (character << 6) | (byte(i) & 0x3fU);
  return character;
}

}  // namespace

std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    auto step = utf8_step(text);
    if (!step.valid) step.length = 1;
    characters += character_at(text, step);
    text.remove_prefix(step.length);
  }
  return characters;
}

std::size_t max_edits(std::string_view typed) {
  if (typed.size() > 4 * longest_typed) return 0;
  const auto length = characters_of(typed).size();
  if (length < one_edit_from || length > longest_typed || has_digit(typed) || is_function_word(typed)) return 0;
  return length < two_edits_from ? 1 : 2;
}

bool begins_alike(std::u32string_view typed, std::u32string_view word) {
  return typed[0] == word[0] || (typed[0] == word[1] && typed[1] == word[0]);
}

bool may_be_misspelt(std::string_view word) {
  return word.size() >= one_edit_from - 1 && characters_of(word).size() >= one_edit_from - 1 && !has_digit(word) &&
         !is_function_word(word);
}

std::optional<std::size_t> edits_between(std::string_view typed, std::string_view word) {
  const auto limit = max_edits(typed);
  if (limit == 0 || !may_be_misspelt(word)) return std::nullopt;
  const auto typed_characters = characters_of(typed);
  const auto characters = characters_of(word);
  if (!begins_alike(typed_characters, characters)) return std::nullopt;
  EditRows rows(typed_characters, limit);
  for (const auto character : characters) {
    rows.push(character);
    if (rows.least() > limit) return std::nullopt;
  }
  const auto edits = rows.distance();
  return edits == 0 || edits > limit ? std::nullopt : std::optional(edits);
}

EditRows::EditRows(std::u32string_view typed, std::size_t limit) : typed_(typed), limit_(limit), least_{0} {
  for (std::size_t i = 0; i < width(); ++i) cells_.push_back(static_cast<std::uint8_t>(std::min(i, limit + 1)));
}

void EditRows::push(char32_t character) {
  path_ += character;
  const auto length = path_.size();
  const auto too_many = static_cast<std::uint8_t>(limit_ + 1);
  cells_.resize(cells_.size() + width(), too_many);
  auto* const next = &cells_[length * width()];
  const auto* const last = next - width();
  const auto* const before = length > 1 ? last - width() : nullptr;
  auto least = too_many;
  if (length <= limit_) least = next[0] = static_cast<std::uint8_t>(length);
  const auto end = std::min(width(), length + limit_ + 1);
  for (std::size_t i = length > limit_ ? std::max<std::size_t>(length - limit_, 1) : 1; i < end; ++i) {
    auto edits = std::min({last[i] + 1, next[i - 1] + 1, last[i - 1] + (typed_[i - 1] == character ? 0 : 1)});
    const bool swapped = before != nullptr && i > 1 && typed_[i - 1] == path_[length - 2] && typed_[i - 2] == character;
    if (swapped) edits = std::min(edits, before[i - 2] + 1);
    next[i] = static_cast<std::uint8_t>(std::min<int>(edits, too_many));
    least = std::min(least, next[i]);
  }
  least_.push_back(least);
}

void EditRows::pop_to(std::size_t length) {
  path_.resize(length);
  cells_.resize((length + 1) * width());
  least_.resize(length + 1);
}

}  // namespace trustsql::semparse
