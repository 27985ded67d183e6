#include "semparse/database/word_table.hpp"

#include <algorithm>
#include <numeric>

#include "base/text.hpp"
#include "semparse/words/spelling.hpp"

namespace trustsql::semparse {

namespace {

bool is_all_digits(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The bytes of the first `count` characters.
std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t bytes = 0;
  for (; count > 0 && bytes < text.size(); --count) {
    const auto step = utf8_step(text.substr(bytes));
    bytes += step.valid ? step.length : 1;
  }
  return text.substr(0, bytes);
}

std::size_t common_bytes(std::string_view a, std::string_view b) {
  const auto n = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n), b.begin()).first - a.begin());
}

}  // namespace

void WordTable::Builder::add(TextId text, std::int32_t column, std::string_view words) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    add_word(text, column, words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

void WordTable::Builder::add_word(TextId text, std::int32_t column, std::string_view word) {
  if (word.size() < 2 || word.size() > options_.max_word_bytes || is_all_digits(word)) return;
  if (places_.size() >= options_.max_places) return;
  auto entry = known_.find(word);
  if (entry == known_.end()) {
    if (seen_.size() >= options_.max_words || words_.size() + word.size() > options_.max_bytes) return;
    seen_.push_back(
        {.start = static_cast<std::uint32_t>(words_.size()), .length = static_cast<std::uint32_t>(word.size())});
    words_ += word;
    entry = known_.insert(static_cast<std::uint32_t>(seen_.size() - 1)).first;
  }
  auto& seen = seen_[*entry];
  if (seen.column == column && (seen.last_text == text || seen.in_column >= options_.max_texts_of_word)) return;
  if (seen.column != column) {
    seen.column = column;
    seen.in_column = 0;
  }
  seen.last_text = text;
  ++seen.in_column;
  places_.push_back({*entry, text});
}

WordTable WordTable::Builder::finish() && {
  known_.clear();
  std::vector<std::uint32_t> order(seen_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) { return text(a) < text(b); });
  WordTable table;
  table.words_.reserve(words_.size());
  table.starts_.reserve(order.size() + 1);
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = i;
    table.starts_.push_back(static_cast<std::uint32_t>(table.words_.size()));
    table.words_ += text(order[i]);
  }
  table.starts_.push_back(static_cast<std::uint32_t>(table.words_.size()));
  // A counting sort of the places, which are in the order of the texts.
  table.first_texts_.assign(order.size() + 1, 0);
  for (const auto& place : places_) ++table.first_texts_[rank[place.word] + 1];
  std::partial_sum(table.first_texts_.begin(), table.first_texts_.end(), table.first_texts_.begin());
  table.texts_.resize(places_.size());
  auto next = table.first_texts_;
  for (const auto& place : places_) table.texts_[next[rank[place.word]]++] = place.text;
  return table;
}

std::optional<WordTable::WordId> WordTable::find(std::string_view word) const {
  const auto first = beginning_with(word).first;
  return first < size() && text(first) == word ? std::optional(first) : std::nullopt;
}

std::pair<WordTable::WordId, WordTable::WordId> WordTable::beginning_with(std::string_view beginning) const {
  WordId first = 0;
  for (auto count = static_cast<WordId>(size()); count > 0;) {
    const auto half = count / 2;
    if (text(first + half) < beginning) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return {first, end_of(beginning, first, static_cast<WordId>(size()))};
}

WordTable::WordId WordTable::end_of(std::string_view beginning, WordId first, WordId last) const {
  while (first < last) {
    const auto middle = first + (last - first) / 2;
    if (text(middle).starts_with(beginning))
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

void WordTable::add_near(std::string_view beginning, std::u32string_view typed, std::size_t limit,
                         std::vector<NearWord>& found) const {
  EditRows rows(typed, limit);
  std::vector<std::size_t> ends = {0};  // in bytes, of each length of the path
  std::string_view path;
  const auto [first, last] = beginning_with(beginning);
  for (auto id = first; id < last;) {
    const auto word = text(id);
    const auto common = common_bytes(path, word);
    while (ends.back() > common) ends.pop_back();
    rows.pop_to(ends.size() - 1);
    while (ends.back() < word.size() && rows.least() <= limit) {
      const auto byte = static_cast<unsigned char>(word[ends.back()]);
      const auto character = first_characters(word.substr(ends.back()), 1);
      rows.push(byte < 0x80 ? byte : characters_of(character).front());
      ends.push_back(ends.back() + character.size());
    }
    path = word.substr(0, ends.back());
    if (rows.least() > limit) {
      id = end_of(path, id, last);
      continue;
    }
    const auto edits = rows.distance();
    if (edits > 0 && edits <= limit && may_be_misspelt(word)) found.push_back({id, edits});
    ++id;
  }
}

std::vector<WordTable::NearWord> WordTable::near(std::string_view typed, std::size_t limit) const {
  std::vector<NearWord> found;
  const auto edits = max_edits(typed);
  if (edits == 0) return found;
  const auto characters = characters_of(typed);
  const auto first = first_characters(typed, 1);
  const std::string second(first_characters(typed.substr(first.size()), 1));
  add_near(first, characters, edits, found);
  if (second != first) add_near(second + std::string(first), characters, edits, found);
  std::stable_sort(found.begin(), found.end(), [](const NearWord& a, const NearWord& b) { return a.edits < b.edits; });
  if (found.size() > limit) found.resize(limit);
  return found;
}

}  // namespace trustsql::semparse
