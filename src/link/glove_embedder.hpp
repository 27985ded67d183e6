// GloveEmbedder: the mean of a text's word vectors, which are read from a file (Pennington et al. 2014), as in DART-SQL
// (section 3.2).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "link/embedder.hpp"

namespace trustsql::link {

// Stores the positions of the words in the file, not their vectors, which are read when a word occurs. Opening takes as
// long as reading the file once; the file must not be changed while it is open.
class GloveEmbedder final : public Embedder {
 public:
  // `path`: a text file with a word and its numbers, separated by single blanks, on each line, with the same number of
  // numbers on all lines; a first line of two numbers (as in word2vec files) is skipped. If a word occurs twice the
  // first occurrence counts. Errors: io (unreadable, or not a regular file), invalid_argument (a line is malformed;
  // contains its number).
  static Result<std::unique_ptr<GloveEmbedder>> open(const std::string& path);
  ~GloveEmbedder() override;

  std::string name() const override { return name_; }
  // Words are sequences of letters and digits, in lower case; words that are not in the file are ignored.
  Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::RequestContext& context) override;

  std::size_t dimensions() const override { return dimensions_; }
  std::size_t size() const { return places_.size(); }

 private:
  class Mapping;

  GloveEmbedder(std::string name, std::unique_ptr<Mapping> file);
  Status index();
  // Adds the word's vector to `sum`; false if there is no such word.
  bool add(std::string_view word, std::span<float> sum) const;

  std::string name_;
  std::unique_ptr<Mapping> file_;
  std::size_t dimensions_ = 0;
  std::unordered_map<std::string_view, std::uint64_t>
      places_;  // offset of a word's first number; the keys point into the file
};

}  // namespace trustsql::link
