// NameIndex: the columns' names of a corpus by themselves, without tables: how near they are to the columns of a
// hallucinated schema, which words they share with them, and which columns have the same name. Names are compared by
// the words of the embedded lexicon, whatever the corpus's embedder is, so that no request is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "link/element.hpp"
#include "link/lexical_embedder.hpp"

namespace trustsql::link {

class NameIndex {
 public:
  explicit NameIndex(const ElementSet& elements);

  // The number of the element's name; names that differ in case or in how words are separated may differ.
  std::size_t name_of(std::size_t element) const { return names_[element]; }
  std::size_t name_count() const { return words_.size(); }

  // The cosines of all names with each of `texts`: [name * text count + text].
  std::vector<float> cosines(std::span<const std::string> texts) const;

  // For each name the share of its words, weighted by their rarity in the corpus, that occur in `texts`: 0 to 1.
  std::vector<float> shared_words(std::span<const std::string> texts) const;

  // Elements of one database whose names have the same words form a group.
  std::size_t group_count() const { return groups_.size(); }
  const std::vector<std::uint32_t>& group(std::size_t number) const { return groups_[number]; }

 private:
  struct RareWord {
    std::uint32_t lemma;
    float weight;
  };

  LexicalEmbedder embedder_;
  std::vector<std::size_t> names_;
  std::vector<float> vectors_;                // of names, one after the other
  std::vector<std::vector<RareWord>> words_;  // of names
  std::unordered_map<std::string, std::uint32_t> lemmas_;
  std::vector<std::vector<std::uint32_t>> groups_;
};

}  // namespace trustsql::link
