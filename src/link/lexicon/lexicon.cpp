#include "link/lexicon/lexicon.hpp"

namespace trustsql::link::lexicon {

namespace {

std::string_view text_at(const char* texts, const std::uint32_t* offsets, std::uint32_t index) {
  return {texts + offsets[index], offsets[index + 1] - offsets[index]};
}

// The index of `text` among `count` sorted texts; every `stride`-th entry of `offsets` is the start of one.
std::optional<std::uint32_t> find_sorted(const char* texts, const std::uint32_t* offsets, std::uint32_t count,
                                         std::uint32_t stride, std::string_view text) {
  std::uint32_t low = 0;
  std::uint32_t high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    const auto order = text_at(texts, offsets, middle * stride).compare(text);
    if (order == 0) return middle;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_empty() { return lexicon_table::word_count == 0; }
std::size_t word_count() { return lexicon_table::word_count; }
std::size_t concept_count() { return lexicon_table::concept_count; }

std::optional<WordId> find(std::string_view word) {
  return find_sorted(lexicon_table::texts, lexicon_table::word_offsets, lexicon_table::word_count, 1, word);
}

std::size_t sense_count(WordId word) {
  return lexicon_table::sense_offsets[word + 1] - lexicon_table::sense_offsets[word];
}

Sense sense(WordId word, std::size_t index) {
  const std::uint32_t packed = lexicon_table::senses[lexicon_table::sense_offsets[word] + index];
  return {packed >> 8, static_cast<float>(packed & 255) / 255.0F};
}

std::size_t related_count(ConceptId meaning) {
  if (meaning >= lexicon_table::concept_count) return 0;
  return lexicon_table::relation_offsets[meaning + 1] - lexicon_table::relation_offsets[meaning];
}

Related related(ConceptId meaning, std::size_t index) {
  const std::uint32_t packed = lexicon_table::relations[lexicon_table::relation_offsets[meaning] + index];
  return {packed >> 4, static_cast<Relation>(packed & 15)};
}

float log_frequency(WordId word) { return static_cast<float>(lexicon_table::frequencies[word]) / 16.0F; }

std::optional<std::string_view> irregular_base(std::string_view word) {
  const auto index = find_sorted(lexicon_table::irregular_texts, lexicon_table::irregular_offsets,
                                 lexicon_table::irregular_count, 2, word);
  if (!index) return std::nullopt;
  return text_at(lexicon_table::irregular_texts, lexicon_table::irregular_offsets, 2 * *index + 1);
}

}  // namespace trustsql::link::lexicon
