// A query as the sequence of words that n-gram metrics count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.hpp"

namespace trustsql {

struct Word {
  std::string text;        // keywords in upper case, names in lower case without quotes, numbers and strings as written
  bool is_syntax = false;  // a keyword, operator or punctuation
  bool is_keyword = false;
};

// The words of a query: SQLite's tokens without white space, comments and semicolons. Spelling variants of an
// operator are one word. Errors: limit_exceeded beyond `max_words`.
inline constexpr std::size_t max_words = 100'000;
Result<std::vector<Word>> words(std::string_view sql, int version);

struct WordsOfPair {
  std::vector<Word> reference;
  std::vector<Word> candidate;
};
// The words of two queries. Errors: those of words(), prefixed with "a" or "b".
Result<WordsOfPair> words_of_pair(std::string_view reference, std::string_view candidate, int version);

// `n` words starting at `first`, as one string: the key of an n-gram.
std::string ngram_key(const std::vector<Word>& words, std::size_t first, std::size_t n);

// Counts the n-grams of a corpus, query by query, to find the most frequent ones.
class NgramCounter {
 public:
  // For n-grams of 1 to `max_n` words.
  explicit NgramCounter(int max_n) : max_n_(max_n) {}
  // Errors: those of words(); limit_exceeded for a corpus of more than 4,000,000 distinct n-grams.
  Status add(std::string_view sql, int version);
  // The k most frequent n-grams; ties are broken alphabetically.
  std::unordered_set<std::string> most_frequent(std::size_t k) const;

 private:
  int max_n_;
  std::unordered_map<std::string, std::uint64_t> counts_;
};

}  // namespace trustsql
