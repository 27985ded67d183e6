#include "semparse/database/near_values.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "semparse/words/spelling.hpp"
#include "semparse/words/words.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t longest_text = 300;  // bytes
constexpr std::size_t most_words = 8;
constexpr std::size_t shortest_beginning = 4;  // characters
constexpr std::size_t most_spellings = 8;      // of a word
constexpr std::size_t most_cells = 500;        // that one way of finding looks at

class NearSearch {
 public:
  NearSearch(const ValueIndex& values, std::string_view text, const NearOptions& options)
      : values_(values), words_(value_words(text)), options_(options) {
    for (const auto word : split(words_, ' ')) parts_.emplace_back(word);
    if (options.column) cells_ = values.cells_of(*options.column);
  }

  std::vector<NearValue> run() {
    if (words_.empty() || parts_.size() > most_words) return {};
    if (std::any_of(parts_.begin(), parts_.end(), says_something)) {
      find_runs(parts_, Nearness::part, 0);
      left_ = most_cells;
      find_beginnings();
    }
    left_ = most_cells;
    find_misspelt();
    return take();
  }

 private:
  using TextId = WordTable::TextId;
  using WordId = WordTable::WordId;

  struct Rank {
    Nearness how;
    std::size_t edits;
    std::size_t bytes;  // of the value
    bool operator<(const Rank& other) const {
      if (how != other.how) return how < other.how;
      return edits != other.edits ? edits < other.edits : bytes < other.bytes;
    }
  };

  static bool is_number(const std::string& word) { return word.find_first_not_of("0123456789") == std::string::npos; }
  static bool says_something(const std::string& word) {
    return word.size() > 1 && !is_number(word) && !is_function_word(word);
  }

  // The cells that hold a word, of the column that is asked for.
  std::span<const TextId> cells_with(WordId word) const {
    const auto all = values_.words().texts(word);
    if (!cells_) return all;
    const auto first = std::lower_bound(all.begin(), all.end(), cells_->first);
    const auto last = std::lower_bound(first, all.end(), cells_->second);
    return all.subspan(static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - first));
  }

  // The cells that hold the rarest of the words; none if one of them is in no value.
  std::span<const TextId> cells_with_rarest(const std::vector<std::string>& words) const {
    std::optional<std::span<const TextId>> rarest;
    for (const auto& word : words) {
      if (!says_something(word)) continue;
      const auto id = values_.words().find(word);
      if (!id) return {};
      const auto cells = cells_with(*id);
      if (!rarest || cells.size() < rarest->size()) rarest = cells;
    }
    return rarest.value_or(std::span<const TextId>());
  }

  void add(TextId cell, Nearness how, std::size_t edits) {
    const auto rank = Rank{how, edits, values_.cell(cell).text.size()};
    const auto [entry, is_new] = found_.try_emplace(cell, rank);
    if (!is_new && rank < entry->second) entry->second = rank;
  }

  // Values in which the words stand one after another.
  void find_runs(const std::vector<std::string>& words, Nearness how, std::size_t edits) {
    const auto run = " " + join(words, " ") + " ";
    for (const auto cell : cells_with_rarest(words)) {
      if (left_ == 0) return;
      --left_;
      const auto value = " " + value_words(values_.cell(cell).text) + " ";
      if (value == run) {
        if (how == Nearness::part_spelling) add(cell, Nearness::spelling, edits);
      } else if (value.find(run) != std::string::npos) {
        add(cell, how, edits);
      }
    }
  }

  void find_beginnings() {
    if (!says_something(parts_.back()) || characters_of(parts_.back()).size() < shortest_beginning) return;
    const auto run = " " + words_;
    const auto look_at = [&](std::span<const TextId> cells) {
      for (const auto cell : cells) {
        if (left_ == 0) return;
        --left_;
        const auto value = " " + value_words(values_.cell(cell).text) + " ";
        const auto at = value.find(run);
        if (at != std::string::npos && value[at + run.size()] != ' ') add(cell, Nearness::beginning, 0);
      }
    };
    if (const std::vector<std::string> before(parts_.begin(), parts_.end() - 1);
        std::any_of(before.begin(), before.end(), says_something)) {
      look_at(cells_with_rarest(before));
      return;
    }
    const auto [first, last] = values_.words().beginning_with(parts_.back());
    for (auto word = first; word < last && left_ > 0; ++word) look_at(cells_with(word));
  }

  void find_misspelt() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (const auto& near : values_.words().near(parts_[i], most_spellings)) {
        auto words = parts_;
        words[i] = values_.words().text(near.word);
        find_runs(words, Nearness::part_spelling, near.edits);
      }
    }
  }

  std::vector<NearValue> take() const {
    std::vector<std::pair<Rank, TextId>> order;
    for (const auto& [cell, rank] : found_) order.emplace_back(rank, cell);
    std::sort(order.begin(), order.end(), [this](const auto& a, const auto& b) {
      if (a.first < b.first || b.first < a.first) return a.first < b.first;
      const auto first = values_.cell(a.second);
      const auto second = values_.cell(b.second);
      return first.column != second.column ? first.column < second.column : first.text < second.text;
    });
    std::vector<NearValue> near;
    for (const auto& [rank, cell] : order)
      if (near.size() < options_.max_values) near.push_back({values_.cell(cell), rank.how, rank.edits});
    return near;
  }

  const ValueIndex& values_;
  const std::string words_;
  const NearOptions& options_;
  std::vector<std::string> parts_{};                  // of words_
  std::optional<std::pair<TextId, TextId>> cells_{};  // of the column that is asked for
  std::size_t left_ = most_cells;                     // cells that may still be looked at
  std::map<TextId, Rank> found_{};
};

}  // namespace

std::vector<NearValue> find_near(const ValueIndex& values, std::string_view text, const NearOptions& options) {
  if (text.size() > longest_text) return {};
  return NearSearch(values, text, options).run();
}

}  // namespace trustsql::semparse
