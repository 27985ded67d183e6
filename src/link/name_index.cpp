#include "link/name_index.hpp"

#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "link/schema_words.hpp"
#include "link/vector_math.hpp"
#include "link/word_forms.hpp"
#include "link/word_split.hpp"

namespace trustsql::link {

namespace {

// The base forms of the words that carry meaning.
std::vector<std::string> lemmas_in(const std::vector<std::string>& words) {
  std::vector<std::string> lemmas;
  for (const auto& word : words)
    if (!is_function_word(word)) lemmas.push_back(word_forms(word)[0].lemma);
  return lemmas;
}

std::vector<float> packed(const std::vector<Vector>& vectors) {
  std::vector<float> result;
  result.reserve(vectors.size() * WordVectors::dimensions);
  for (const auto& vector : vectors) result.insert(result.end(), vector.begin(), vector.end());
  return result;
}

}  // namespace

NameIndex::NameIndex(const ElementSet& elements) : names_(elements.size()) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  std::vector<std::string> texts;
  std::vector<std::string> split_names;  // of names: their words
  std::vector<std::vector<std::uint32_t>> lemmas;
  std::map<std::pair<std::size_t, std::string>, std::size_t> group_numbers;
  std::vector<float> uses;  // of a lemma: the number of elements that have it
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto [entry, is_new] = numbers.try_emplace(elements[i].column, texts.size());
    names_[i] = entry->second;
    if (is_new) {
      texts.push_back(elements[i].column);
      const auto words = split_words(elements[i].column);
      split_names.push_back(join(words, " "));
      auto& numbered = lemmas.emplace_back();
      for (const auto& lemma : lemmas_in(words)) {
        const auto number = lemmas_.try_emplace(lemma, static_cast<std::uint32_t>(lemmas_.size())).first->second;
        numbered.push_back(number);
        if (number == uses.size()) uses.push_back(0);
      }
    }
    const std::set<std::uint32_t> distinct(lemmas[names_[i]].begin(), lemmas[names_[i]].end());
    for (const auto lemma : distinct) ++uses[lemma];
    const std::size_t database = elements.database_of_table(elements.table_of(i));
    const std::size_t group =
        group_numbers.try_emplace({database, split_names[names_[i]]}, groups_.size()).first->second;
    if (group == groups_.size()) groups_.emplace_back();
    groups_[group].push_back(static_cast<std::uint32_t>(i));
  }
  words_.resize(texts.size());
  for (std::size_t name = 0; name < texts.size(); ++name)
    for (const auto lemma : lemmas[name])
      words_[name].push_back({lemma, std::log(1 + static_cast<float>(elements.size()) / (1 + uses[lemma]))});
  vectors_ = packed(embedder_.embed(texts));
}

std::vector<float> NameIndex::cosines(std::span<const std::string> texts) const {
  std::vector<float> result(name_count() * texts.size());
  dot_all(vectors_, packed(embedder_.embed(texts)), WordVectors::dimensions, result);
  return result;
}

std::vector<float> NameIndex::shared_words(std::span<const std::string> texts) const {
  std::vector<char> occurs(lemmas_.size(), 0);
  for (const auto& text : texts)
    for (const auto& lemma : lemmas_in(split_words(text)))
      if (const auto known = lemmas_.find(lemma); known != lemmas_.end()) occurs[known->second] = 1;
  std::vector<float> shares(name_count(), 0.0F);
  for (std::size_t name = 0; name < name_count(); ++name) {
    float total = 0;
    for (const auto& [lemma, weight] : words_[name]) {
      total += weight;
      if (occurs[lemma] != 0) shares[name] += weight;
    }
    if (total > 0) shares[name] /= total;
  }
  return shares;
}

}  // namespace trustsql::link
