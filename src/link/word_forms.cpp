#include "link/word_forms.hpp"

#include <algorithm>
#include <cstdint>

#include "link/lexicon/lexicon.hpp"

namespace trustsql::link {

namespace {

struct Detachment {
  std::string_view ending;
  std::string_view replacement;
};
constexpr Detachment detachments[] = {
    {"ies", "y"},   {"ches", "ch"}, {"shes", "sh"}, {"sses", "ss"}, {"xes", "x"}, {"zes", "z"}, {"ses", "s"},
    {"men", "man"}, {"s", ""},      {"ing", ""},    {"ing", "e"},   {"ied", "y"}, {"ed", "e"},  {"ed", ""},
    {"iest", "y"},  {"est", "e"},   {"est", ""},    {"ier", "y"},   {"er", "e"},  {"er", ""},
};

bool is_plural_ending(std::string_view ending) { return ending.back() == 's' || ending == "men"; }

// Removes a doubled final consonant: "stopp" (of "stopped") -> "stop".
std::string without_doubling(std::string stem) {
  const std::size_t n = stem.size();
  const bool doubled =
      n > 3 && stem[n - 1] == stem[n - 2] && std::string_view("aeiou").find(stem[n - 1]) == std::string_view::npos;
  if (doubled) stem.pop_back();
  return stem;
}

std::string plain_plural(std::string_view word) {
  if (word.size() > 4 && word.ends_with("ies")) return std::string(word.substr(0, word.size() - 3)) + "y";
  for (const std::string_view ending : {"ches", "shes", "sses", "xes"})
    if (word.ends_with(ending)) return std::string(word.substr(0, word.size() - 2));
  if (word.size() > 3 && word.back() == 's' && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is"))
    return std::string(word.substr(0, word.size() - 1));
  return std::string(word);
}

void add(std::vector<WordForm>& forms, std::string lemma, float weight) {
  for (auto& form : forms) {
    if (form.lemma != lemma) continue;
    form.weight += weight;
    return;
  }
  forms.push_back({std::move(lemma), weight});
}

}  // namespace

std::vector<WordForm> word_forms(std::string_view word) {
  std::vector<WordForm> forms;
  // A form is weighted by the frequency of its word, so that "lens" is kept and "laps" becomes "lap".
  const auto add_known = [&forms](const std::string& lemma, float share) {
    if (const auto id = lexicon::find(lemma)) add(forms, lemma, share * (1 + lexicon::log_frequency(*id)));
  };
  if (const auto base = lexicon::irregular_base(word)) add_known(std::string(*base), 4);
  for (const auto& rule : detachments) {
    if (word.size() < rule.ending.size() + 2 || !word.ends_with(rule.ending)) continue;
    if (rule.ending == "s" && word.ends_with("ss")) continue;
    std::string stem(word.substr(0, word.size() - rule.ending.size()));
    // Few words in -er are comparatives.
    const float share = is_plural_ending(rule.ending) ? 3.0F : rule.ending.ends_with("er") ? 0.4F : 1.0F;
    if (rule.replacement.empty() && rule.ending != "s") add_known(without_doubling(stem), share);
    stem += rule.replacement;
    if (stem.size() > 2 || rule.ending == "s") add_known(stem, share);
  }
  add_known(std::string(word), 2);
  if (forms.empty()) return {{plain_plural(word), 1}};
  std::sort(forms.begin(), forms.end(), [](const WordForm& a, const WordForm& b) { return a.weight > b.weight; });
  if (forms.size() > 3) forms.resize(3);
  float total = 0;
  for (const auto& form : forms) total += form.weight;
  for (auto& form : forms) form.weight /= total;
  return forms;
}

}  // namespace trustsql::link
