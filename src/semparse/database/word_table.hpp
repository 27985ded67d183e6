// WordTable: the distinct words of many short texts, sorted, and in which texts each one is.
//
// The texts are numbered. The words lie in one string, and the numbers of the texts in one array, so that a word takes
// little more than its bytes. The sorted words are a trie: those with a common beginning lie together, and a search for
// misspelt words (near()) computes the edits of a beginning once for all of them, and skips those that are too far
// away. That is exact and takes no memory of its own. FTS5 with trigrams would find as much where the host's SQLite has
// it, but it needs a database to write to, and takes longer to build and more memory (docs/results.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace trustsql::semparse {

struct WordTableOptions {
  std::size_t max_words = 400'000;          // distinct ones
  std::size_t max_word_bytes = 64;          // a longer word is left out
  std::size_t max_bytes = 8 * 1024 * 1024;  // of all words
  std::size_t max_places = 2'000'000;       // a word in a text counts as one
  std::size_t max_texts_of_word = 64;       // in one column; the table has no further ones
};

class WordTable {
 public:
  using WordId = std::uint32_t;
  using TextId = std::uint32_t;

  struct NearWord {
    WordId word = 0;
    std::size_t edits = 0;
  };

  class Builder;

  // The word, in lower case; nullopt if no text has it.
  std::optional<WordId> find(std::string_view word) const;
  // The words that begin with `beginning`, itself among them: [first, last).
  std::pair<WordId, WordId> beginning_with(std::string_view beginning) const;
  // The words that `typed` may be a misspelling of (spelling.hpp), those with the fewest edits first, at most `limit`.
  std::vector<NearWord> near(std::string_view typed, std::size_t limit) const;

  std::size_t size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  std::string_view text(WordId word) const {
    return std::string_view(words_).substr(starts_[word], starts_[word + 1] - starts_[word]);
  }
  // The texts that hold a word, in the order of their numbers.
  std::span<const TextId> texts(WordId word) const {
    return std::span(texts_).subspan(first_texts_[word], first_texts_[word + 1] - first_texts_[word]);
  }

 private:
  // The first word from `first` on, before `last`, that does not begin with `beginning`. Precondition: those that do
  // come first.
  WordId end_of(std::string_view beginning, WordId first, WordId last) const;
  void add_near(std::string_view beginning, std::u32string_view typed, std::size_t limit,
                std::vector<NearWord>& found) const;

  std::string words_;                       // one after another, sorted
  std::vector<std::uint32_t> starts_;       // of each word in words_, and the end of the last
  std::vector<std::uint32_t> first_texts_;  // of each word in texts_, and the end of the last
  std::vector<TextId> texts_;
};

// Makes a WordTable of texts that are added in the order of their numbers, those of a column one after another.
class WordTable::Builder {
 public:
  explicit Builder(const WordTableOptions& options = {}) : options_(options) {}
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  // Adds the words of a text: in lower case, separated by single spaces. Numbers are left out, and what exceeds the
  // options.
  void add(TextId text, std::int32_t column, std::string_view words);
  WordTable finish() &&;

 private:
  struct Seen {
    std::uint32_t start = 0;
    std::uint32_t length = 0;
    TextId last_text = 0;
    std::int32_t column = -1;
    std::uint32_t in_column = 0;  // texts
  };
  // Words are found by their bytes, whether they are in the table or not.
  struct Hash {
    using is_transparent = void;
    const Builder* builder;
    std::size_t operator()(std::uint32_t word) const { return (*this)(builder->text(word)); }
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };
  struct Same {
    using is_transparent = void;
    const Builder* builder;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(std::string_view a, std::uint32_t b) const { return a == builder->text(b); }
    bool operator()(std::uint32_t a, std::string_view b) const { return b == builder->text(a); }
  };
  struct Place {
    std::uint32_t word;
    TextId text;
  };
  std::string_view text(std::uint32_t word) const {
    return std::string_view(words_).substr(seen_[word].start, seen_[word].length);
  }
  void add_word(TextId text, std::int32_t column, std::string_view word);

  WordTableOptions options_;
  std::string words_;  // in the order in which they were seen
  std::vector<Seen> seen_;
  std::unordered_set<std::uint32_t, Hash, Same> known_{0, Hash{this}, Same{this}};
  std::vector<Place> places_;
};

}  // namespace trustsql::semparse
