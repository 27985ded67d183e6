#include "semparse/abstention/question_classifier.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "semparse/parser.hpp"
#include "semparse/question/cues.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t feasibility_kinds = static_cast<std::size_t>(Feasibility::small_talk) + 1;
constexpr std::size_t symbol_kinds = static_cast<std::size_t>(Symbol::part) + 1;
constexpr std::size_t named_inputs = 24;
// A question with fewer unified features, because it has no reading, has zeros.
constexpr std::size_t unified_inputs = 13;
constexpr std::array<std::string_view, 8> asking_words = {"what", "which", "who", "how", "when", "where", "why", "is"};

float asking_word(const Question& question) {
  for (const auto& word : question.words)
    for (std::size_t i = 0; i < asking_words.size(); ++i)
      if (word.lower == asking_words[i]) return static_cast<float>(i + 1);
  return 0;
}

// How many columns and tables the question names in full; how far the column that is furthest from all named tables
// lies, in joins.
struct NamedElements {
  float columns = 0;
  float tables = 0;
  float furthest = 0;
};

NamedElements named_elements(const QuestionView& view) {
  NamedElements named;
  std::vector<TableId> tables;
  for (TableId id = 0; id < static_cast<TableId>(view.domain().tables().size()); ++id)
    if (const auto* mention = view.table_mention(id); mention != nullptr && mention->whole()) tables.push_back(id);
  named.tables = static_cast<float>(tables.size());
  std::map<std::pair<std::size_t, std::size_t>, int> nearest;  // by span: several columns may have the same words
  for (ColumnId id = 0; id < static_cast<ColumnId>(view.domain().columns().size()); ++id) {
    const auto* mention = view.column_mention(id);
    if (mention == nullptr || !mention->whole()) continue;
    int distance = tables.empty() ? 0 : std::numeric_limits<int>::max();
    for (const auto table : tables) distance = std::min(distance, view.distance(view.domain().column(id).table, table));
    const auto [entry, is_new] = nearest.try_emplace({mention->span.first, mention->span.last}, distance);
    if (!is_new) entry->second = std::min(entry->second, distance);
  }
  named.columns = static_cast<float>(nearest.size());
  for (const auto& [span, distance] : nearest) named.furthest = std::max(named.furthest, static_cast<float>(distance));
  return named;
}

std::set<std::uint64_t> content_words(const Question& question) {
  std::set<std::uint64_t> words;
  for (const auto& word : question.words)
    if (!word.number && !word.quoted) words.insert(hash_bytes(word.lemma(), 11));
  return words;
}

}  // namespace

std::vector<float> classifier_inputs(const QuestionView& view, const Parse& parse) {
  std::vector<float> inputs;
  inputs.reserve(classifier_input_count());
  const auto add = [&inputs](auto number) { inputs.push_back(static_cast<float>(number)); };
  for (std::size_t i = 0; i < feasibility_kinds; ++i) add(static_cast<std::size_t>(parse.triage.type) == i ? 1 : 0);
  const auto& question = view.question();
  std::array<int, symbol_kinds> kinds{};
  int content = 0;
  float suspicion = 0;
  float worst = 0;
  for (std::size_t i = 0; i < question.words.size(); ++i) {
    const auto& word = question.words[i];
    if (is_function_word(word)) continue;
    ++content;
    ++kinds[static_cast<std::size_t>(view.kind(i))];
    const bool linked = view.kind(i) != Symbol::word && view.kind(i) != Symbol::unknown;
    const float weight = linked ? 0 : 1 - view.vocabulary().idle(word.lower);
    suspicion += weight;
    worst = std::max(worst, weight);
  }
  for (const int count : kinds) add(count);
  std::array<int, cue_kinds> cues{};
  for (const auto& mention : find_cues(question)) ++cues[static_cast<std::size_t>(mention.cue)];
  for (const int count : cues) add(count);
  const auto named = named_elements(view);
  const auto& readings = parse.readings;
  const auto probability = [&](std::size_t i) { return i < readings.size() ? readings[i].probability : 0.0F; };
  const auto* outcome = !readings.empty() && readings.front().outcome ? &*readings.front().outcome : nullptr;
  const auto& values = view.linking().values;
  for (const float number :
       {static_cast<float>(question.words.size()),
        static_cast<float>(content),
        suspicion,
        worst,
        suspicion / static_cast<float>(std::max(content, 1)),
        static_cast<float>(parse.unexplained.size()),
        static_cast<float>(values.size()),
        static_cast<float>(std::count_if(values.begin(), values.end(), [](const auto& v) { return v.cells.empty(); })),
        static_cast<float>(std::count_if(values.begin(), values.end(), [](const auto& v) { return v.capitalised; })),
        static_cast<float>(view.linking().numbers.size()),
        static_cast<float>(question.quotations.size()),
        named.columns,
        named.tables,
        named.furthest,
        asking_word(question),
        question.text.ends_with('?') ? 1.0F : 0.0F,
        parse.ambiguous_words.empty() ? 0.0F : 1.0F,
        static_cast<float>(parse.confidence),
        probability(0),
        probability(1),
        static_cast<float>(std::min<std::size_t>(readings.size(), 30)),
        outcome == nullptr ? -1.0F : static_cast<float>(std::min<std::size_t>(outcome->rows, 20)),
        outcome != nullptr && outcome->nulls ? 1.0F : 0.0F,
        parse.triage.suggestion.empty() ? 0.0F : 1.0F})
    inputs.push_back(number);
  for (std::size_t i = 0; i < unified_inputs; ++i)
    inputs.push_back(i < parse.unified.features.size() ? parse.unified.features[i] : 0);
  return inputs;
}

std::size_t classifier_input_count() {
  return feasibility_kinds + symbol_kinds + cue_kinds + named_inputs + unified_inputs;
}

void WordOdds::add(const Question& question, bool feasible) {
  for (const auto word : content_words(question)) ++(feasible ? words_[word].feasible : words_[word].infeasible);
  ++(feasible ? questions_.feasible : questions_.infeasible);
}

std::vector<float> WordOdds::inputs(const Question& question) const {
  // As if one more question of each kind had been seen, that has the word by half.
  const auto odds_of = [this](const Counts& counts) {
    return std::log((static_cast<float>(counts.feasible) + 0.5F) / (static_cast<float>(questions_.feasible) + 1)) -
           std::log((static_cast<float>(counts.infeasible) + 0.5F) / (static_cast<float>(questions_.infeasible) + 1));
  };
  float sum = 0;
  float worst = 0;
  float unknown = 0;
  const auto words = content_words(question);
  for (const auto word : words) {
    const auto entry = words_.find(word);
    const auto counts = entry == words_.end() ? Counts() : entry->second;
    const float odds = odds_of(counts);
    sum += odds;
    worst = std::min(worst, odds);
    if (counts.feasible == 0) unknown += 1;
  }
  return {sum, worst, unknown / static_cast<float>(std::max<std::size_t>(words.size(), 1))};
}

WordOdds WordOdds::from_counts(std::map<std::uint64_t, Counts> words, Counts questions) {
  WordOdds odds;
  odds.words_ = std::move(words);
  odds.questions_ = questions;
  return odds;
}

double QuestionClassifier::probability(const Question& question, std::span<const float> parsed) const {
  if (parsed.size() != classifier_input_count()) return 0;
  std::vector<float> inputs(parsed.begin(), parsed.end());
  const auto of_words = words.inputs(question);
  inputs.insert(inputs.end(), of_words.begin(), of_words.end());
  return outcome.probability(inputs);
}

}  // namespace trustsql::semparse
