// GloveEmbedder: the mean of a text's word vectors, from a file of them (Pennington et al. 2014), as DART-SQL has it
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

// Holds the places of the words in the file, not their vectors: those are read when a word is met. Reading the file for
// the first time takes as long as reading its bytes; the file must not be changed while it is open.
class GloveEmbedder final : public Embedder {
 public:
  // `path`: a text file with a word and its numbers, separated by single blanks, on each line, all lines with as many
  // numbers; a first line of two numbers (word2vec's) is skipped. Of a word that occurs twice the first counts. Errors:
  // io (cannot be read, no regular file), invalid_argument (not of that form, with the line).
  static Result<std::unique_ptr<GloveEmbedder>> open(const std::string& path);
  ~GloveEmbedder() override;

  std::string name() const override { return name_; }
  // Words are runs of letters and digits, in lower case; those that are not in the file do not count.
  Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::CallContext& context) override;

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
  std::unordered_map<std::string_view, std::uint64_t> places_;  // of a word's first number; the keys are in the file
};

}  // namespace trustsql::link
