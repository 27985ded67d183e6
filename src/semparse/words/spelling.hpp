// Misspelt words: how many edits lie between what was typed and a word that exists.
//
// An edit inserts, deletes or replaces a character, or swaps it with its neighbour (optimal string alignment). A word
// of five characters may have one edit, one of nine or more two; shorter ones, numbers and function words are taken as
// they are. The first letter is right, or swapped with the second (as BRIDGE, Lin et al. 2020, and others have it).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql::semparse {

// The characters of a text that may not be valid UTF-8: code points, and a number above all of them for each byte that
// is not part of one.
std::u32string characters_of(std::string_view text);

// How many edits a word that was typed may be away from what was meant: 0, 1 or 2. 0 if it holds a digit, or is a
// function word. Precondition: ASCII letters are in lower case.
std::size_t max_edits(std::string_view typed);

// Whether what begins with the characters of `word` may be what was meant by `typed`: both have two or more.
bool begins_alike(std::u32string_view typed, std::u32string_view word);

// The edits between `typed` and `word`, from 1 to max_edits(typed); nullopt if there are none or more, and for a
// `word` of fewer than four characters, one with a digit, or a function word. Precondition: ASCII letters are in lower
// case.
std::optional<std::size_t> edits_between(std::string_view typed, std::string_view word);

// The rows of the dynamic-programming table of edits between one word and the path to a node of a trie: one row for
// each character of the path, so that words with the same beginning share it. Numbers above a limit are not told apart,
// so that of each row only the cells near the diagonal are computed.
class EditRows {
 public:
  // Precondition: limit < 255.
  EditRows(std::u32string_view typed, std::size_t limit);

  void push(char32_t character);
  // Shortens the path to its first `length` characters. Precondition: length <= size().
  void pop_to(std::size_t length);

  std::size_t size() const { return path_.size(); }
  // The edits between the word and the path; the limit plus 1 if there are more.
  std::size_t distance() const { return cells_.back(); }
  // No word that begins with the path has fewer; the limit plus 1 if all have more.
  std::size_t least() const {
    const auto last = least_.back();
    return least_.size() < 2 ? last : std::min<std::size_t>(last, least_[least_.size() - 2] + 1U);
  }

 private:
  std::size_t width() const { return typed_.size() + 1; }

  std::u32string typed_;
  std::size_t limit_;
  std::u32string path_;
  std::vector<std::uint8_t> cells_;  // row by row
  std::vector<std::uint8_t> least_;  // of each row
};

// What edits_between() asks of the word itself.
bool may_be_misspelt(std::string_view word);

}  // namespace trustsql::semparse
