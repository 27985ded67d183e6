// ValueIndex: which columns hold the values that a question may name.
//
// It knows the distinct texts of a database's text columns by their words, so that "new york" finds 'New York', and the
// words of these texts, for what is near (near_values.hpp). It is built once for a state of the database, in the
// sandbox, with bounded time and memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "semparse/database/domain.hpp"
#include "semparse/database/word_table.hpp"

namespace trustsql::semparse {

class ValueStore;

struct ValueIndexOptions {
  std::int64_t max_values = 50000;           // distinct values of a column
  std::int64_t max_value_bytes = 100;        // longer values are not indexed
  std::size_t max_bytes = 64 * 1024 * 1024;  // of all values, with what is kept of each
  WordTableOptions words{};                  // of the values
};

class ValueIndex {
 public:
  struct Cell {
    ColumnId column;
    std::string_view text;  // as it is stored; valid as long as the index
  };

  // Reads the values of the domain's text columns through `sandbox`, or from `store` (unless it is null) if it has
  // those of this state of the database; else they are put there. A column that cannot be read, or does not fit any
  // more, is left out. Errors: interrupted, out_of_memory, io, those of the store.
  static Result<ValueIndex> build(const Domain& domain, Sandbox& sandbox, const ValueIndexOptions& options = {},
                                  ValueStore* store = nullptr);

  // Whether it holds no value at all.
  bool empty() const { return cells_.empty(); }

  // The cells whose words are those of `text`, letter case and punctuation apart.
  std::vector<Cell> find(std::string_view text) const;
  // The cells of one or two words that the lexicon derives `word` (in lower case) from, or has the same meaning:
  // 'France' for "french".
  std::vector<Cell> find_meaning(std::string_view word) const;

  // The words of the values, each with the numbers of the cells that hold it; and a cell by its number.
  const WordTable& words() const { return words_; }
  Cell cell(WordTable::TextId number) const;
  // The numbers of a column's cells: [first, last).
  std::pair<WordTable::TextId, WordTable::TextId> cells_of(ColumnId column) const;

  // Whether all texts of at most max_value_bytes bytes of the column are in the index, and there are any.
  bool is_complete(ColumnId column) const {
    return column >= 0 && static_cast<std::size_t>(column) < complete_.size() &&
           complete_[static_cast<std::size_t>(column)];
  }

 private:
  struct Stored {
    ColumnId column;
    std::uint32_t length;
    std::size_t offset;
  };
  // What finds a cell by all its words.
  struct Entry {
    std::uint32_t hash;
    std::uint32_t cell;
  };
  static std::uint32_t hash_of(std::string_view words) { return static_cast<std::uint32_t>(hash_bytes(words, 0)); }
  std::size_t bytes() const { return texts_.size() + cells_.size() * (sizeof(Stored) + sizeof(Entry)); }
  void add(ColumnId column, std::string_view text, WordTable::Builder& words);
  void add_meaning(const std::string& words, std::uint32_t cell);

  std::string texts_;
  std::vector<bool> complete_;   // for each column
  std::vector<Stored> cells_;    // column by column
  std::vector<Entry> by_words_;  // sorted by hash
  WordTable words_;
  std::unordered_multimap<std::uint32_t, std::uint32_t> by_meaning_;  // concepts of the lexicon
};

// The words of a value: letters and digits in lower case, separated by single spaces. Two values with the same words
// are the same to people.
std::string value_words(std::string_view text);

}  // namespace trustsql::semparse
