#include "semparse/examples/value_aliases.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_words = 3;
constexpr std::size_t min_questions = 2;
constexpr double min_precision = 0.9;
constexpr double min_recall = 0.25;  // several aliases may share a value
constexpr std::size_t max_aliases = 8;

std::set<std::string> runs_of_words(std::string_view question) {
  const auto words = pattern_words(question);
  std::set<std::string> runs;
  for (std::size_t first = 0; first < words.size(); ++first)
    for (auto last = first + 1; last <= words.size() && last <= first + max_words; ++last)
      runs.insert(words_key(words, first, last));
  return runs;
}

}  // namespace

AliasTable find_aliases(const std::vector<LearnedPair>& examples) {
  // The questions of each value that is not named, and how many values each column is compared with.
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> questions;
  std::map<std::string, std::set<std::string>> values;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto parts = take_apart(examples[i].question, examples[i].sql, {});
    if (!parts) continue;
    for (std::size_t slot = 0; slot < parts->values.size(); ++slot)
      values[parts->query.slots[slot].column].insert(parts->values[slot]);
    std::set<std::pair<std::string, std::string>> own;
    for (const auto& [column, value] : parts->unnamed) {
      values[column].insert(value);
      if (own.emplace(column, words_key(value)).second) questions[{column, words_key(value)}].push_back(i);
    }
  }
  std::erase_if(questions, [&](const auto& entry) {
    return entry.second.size() < min_questions || values[entry.first.first].size() < 2;
  });
  if (questions.empty()) return {};
  std::unordered_map<std::string, std::size_t> totals;
  for (const auto& example : examples)
    for (const auto& run : runs_of_words(example.question)) ++totals[run];
  AliasTable aliases;
  for (const auto& [value, with] : questions) {
    std::map<std::string, std::size_t> counts;
    for (const auto i : with)
      for (const auto& run : runs_of_words(examples[i].question)) ++counts[run];
    std::vector<std::pair<std::string, std::size_t>> found;
    for (const auto& [run, count] : counts) {
      const auto precision = static_cast<double>(count) / static_cast<double>(totals[run]);
      const auto recall = static_cast<double>(count) / static_cast<double>(with.size());
      if (count >= min_questions && precision >= min_precision && recall >= min_recall) found.emplace_back(run, count);
    }
    // The most frequent first, among these the shortest: longer ones only add words of the sentence.
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first.size() < b.first.size();
    });
    auto& kept = aliases[value];
    for (const auto& [run, count] : found) {
      const std::string text = run;
      const bool contained = std::any_of(kept.begin(), kept.end(), [&](const std::string& other) {
        return (" " + text + " ").find(" " + other + " ") != std::string::npos;
      });
      if (!contained && kept.size() < max_aliases) kept.push_back(text);
    }
    if (kept.empty()) aliases.erase(value);
  }
  return aliases;
}

}  // namespace trustsql::semparse
