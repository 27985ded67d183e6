#include "link/abbreviations.hpp"

#include <algorithm>

#include "link/lexicon/lexicon.hpp"
#include "link/schema_words.hpp"
#include "link/word_forms.hpp"
#include "link/word_split.hpp"

namespace trustsql::link {

namespace {

constexpr std::size_t max_abbreviation = 6;
constexpr std::size_t max_initials = 5;
constexpr std::size_t max_abbreviated_words = 1024;  // words of a text that are read
// More frequent words are seldom abbreviated, except those that schema_words.cpp lists.
constexpr float common = 7;
// Less frequent words may also be abbreviations: an alb is a robe.
constexpr float rare = 4;

bool may_abbreviate(std::string_view word) {
  if (word.size() < 2 || word.size() > max_abbreviation || is_schema_word(word) || is_function_word(word)) return false;
  if (!std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; })) return false;
  const auto word_id = lexicon::find(word);
  return !word_id || (word.size() < 5 && lexicon::log_frequency(*word_id) < rare);
}

bool is_common(std::string_view word) {
  const auto forms = word_forms(word);
  return std::any_of(forms.begin(), forms.end(), [](const WordForm& form) {
    const auto word_id = lexicon::find(form.lemma);
    return word_id && lexicon::log_frequency(*word_id) > common;
  });
}

}  // namespace

bool abbreviates(std::string_view shorter, std::string_view word) {
  if (shorter.size() < 3 || word.size() < shorter.size() + 2 || word[0] != shorter[0]) return false;
  if (word.starts_with(shorter)) return true;
  if (3 * shorter.size() < word.size() - 1) return false;
  std::size_t next = 0;
  for (const char c : word) {
    if (next < shorter.size() && c == shorter[next]) ++next;
  }
  return next == shorter.size();
}

Abbreviations::Abbreviations(const ElementSet& elements) {
  if (lexicon::is_empty()) return;  // abbreviations could not be distinguished from words
  for (const auto& element : elements.elements()) {
    for (auto& word : split_words(element.column)) {
      if (!may_abbreviate(word) || !all_.insert(word).second) continue;
      by_first_letter_[word[0]].push_back(std::move(word));
    }
  }
}

std::vector<std::string> Abbreviations::in(std::string_view text) const {
  std::vector<std::string> matches;
  const auto add = [&](const std::string& abbreviation) {
    if (std::find(matches.begin(), matches.end(), abbreviation) == matches.end()) matches.push_back(abbreviation);
  };
  auto words = split_words(text);
  if (words.size() > max_abbreviated_words) words.resize(max_abbreviated_words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    // Match initials, with and without the function words between the others.
    for (const bool skip_small : {false, true}) {
      std::string initials;
      for (std::size_t j = i; j < words.size() && initials.size() < max_initials; ++j) {
        if (skip_small && j > i && is_function_word(words[j])) continue;
        initials += words[j][0];
        if (initials.size() > 1 && all_.count(initials) != 0 && !is_function_word(words[i]) &&
            !is_function_word(words[j]))
          add(initials);
      }
    }
    if (is_function_word(words[i]) || is_common(words[i])) continue;
    const auto same_letter = by_first_letter_.find(words[i][0]);
    if (same_letter == by_first_letter_.end()) continue;
    for (const auto& candidate : same_letter->second)
      if (abbreviates(candidate, words[i])) add(candidate);
  }
  return matches;
}

std::string Abbreviations::add_to(std::string_view text) const {
  std::string extended(text);
  for (const auto& abbreviation : in(text)) extended += " " + abbreviation;
  return extended;
}

}  // namespace trustsql::link
