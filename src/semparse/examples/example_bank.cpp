#include "semparse/examples/example_bank.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "base/value.hpp"
#include "semparse/examples/value_aliases.hpp"
#include "sql/parser.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t min_rule_support = 2;
constexpr std::size_t max_rules = 500;
constexpr std::size_t max_rule_templates = 1000;  // comparing all pairs of more takes too long
constexpr std::size_t max_derived = 60'000;
// Longer questions and queries with more slots answer their own question only: aligning many of them takes too long.
constexpr std::size_t max_pattern_items = 60;
constexpr std::size_t max_slots = 20;

void add_spelling(std::vector<std::string>& spellings, const std::string& value) {
  std::erase(spellings, value);
  spellings.push_back(value);
}

constexpr std::size_t ending_size = 3;
std::string ending_of(const std::string& word) { return word.substr(word.size() - ending_size); }

bool is_word_token(const TemplateToken& token, std::string_view word) { return equals_ignore_case(token.text, word); }

}  // namespace

std::optional<QueryTemplate> without_times(const QueryTemplate& query) {
  QueryTemplate stripped{{}, query.slots, 0};
  const auto& tokens = query.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].time < 0) {
      stripped.tokens.push_back(tokens[i]);
      continue;
    }
    const bool and_follows = i + 1 < tokens.size() && is_word_token(tokens[i + 1], "and");
    if (stripped.tokens.empty()) return std::nullopt;
    if (is_word_token(stripped.tokens.back(), "and")) {
      stripped.tokens.pop_back();
    } else if (!is_word_token(stripped.tokens.back(), "where")) {
      return std::nullopt;
    } else if (and_follows) {
      ++i;
    } else {
      stripped.tokens.pop_back();
    }
  }
  stripped.set_key();
  return stripped;
}

int ExampleBank::number_of_word(const std::string& text) {
  const auto [entry, is_new] = word_numbers_.try_emplace(text, static_cast<int>(words_.size()));
  if (is_new) words_.push_back({text, hash_bytes(word_stem(text), 5)});
  return entry->second;
}

int ExampleBank::number_of_column(const std::string& name) {
  const auto [entry, is_new] = column_numbers_.try_emplace(name, static_cast<int>(columns_.size()));
  if (is_new) columns_.push_back({name});
  return entry->second;
}

int ExampleBank::find_word(std::string_view text) const {
  const auto entry = word_numbers_.find(std::string(text));
  return entry == word_numbers_.end() ? -1 : entry->second;
}

int ExampleBank::find_column(std::string_view name) const {
  const auto entry = column_numbers_.find(std::string(name));
  return entry == column_numbers_.end() ? -1 : entry->second;
}

int ExampleBank::find_variant(const std::string& key) const {
  const auto entry = variant_numbers_.find(key);
  return entry == variant_numbers_.end() ? -1 : entry->second;
}

const TimeForm* ExampleBank::time_form(const BankVariant& variant, const std::string& shape) const {
  if (const auto own = variant.forms.find(shape); own != variant.forms.end()) return &own->second;
  const auto usual = usual_forms_.find(shape);
  return usual == usual_forms_.end() ? nullptr : &usual->second;
}

std::vector<std::size_t> ExampleBank::time_places(const BankVariant& variant, const std::vector<TimePhrase>& phrases) {
  std::vector<std::size_t> places;
  for (const auto& phrase : phrases) {
    const auto entry = variant.places.find(phrase.shape);
    if (entry == variant.places.end()) return {};
    const auto most = std::max_element(entry->second.begin(), entry->second.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (std::find(places.begin(), places.end(), most->first) != places.end()) return {};
    places.push_back(most->first);
  }
  return places;
}

const std::vector<int>* ExampleBank::columns_with(const std::string& key) const {
  const auto entry = value_columns_.find(key);
  return entry == value_columns_.end() ? nullptr : &entry->second;
}

std::vector<float> ExampleBank::column_likelihoods(const std::string& word) const {
  std::vector<float> logs;
  if (value_words_.count(word) == 0 && word.size() > ending_size) {
    const auto ending = ending_of(word);
    const auto kinds = static_cast<double>(endings_.size()) + 1;
    for (const auto& column : columns_) {
      const auto entry = column.endings.find(ending);
      const double count = entry == column.endings.end() ? 0 : entry->second;
      logs.push_back(static_cast<float>(std::log((count + 0.5) / (column.ending_count + 0.5 * kinds))));
    }
    return logs;
  }
  const auto vocabulary = static_cast<double>(words_.size()) + 1;
  for (const auto& column : columns_) {
    const auto entry = column.words.find(word);
    const double count = entry == column.words.end() ? 0 : entry->second;
    logs.push_back(static_cast<float>(std::log((count + 0.05) / (column.word_count + 0.05 * vocabulary))));
  }
  return logs;
}

std::vector<float> ExampleBank::column_priors() const {
  std::vector<float> logs;
  for (const auto& column : columns_)
    logs.push_back(column.values.empty() ? -1e9F : std::log(static_cast<float>(column.values.size())));
  return logs;
}

void ExampleBank::index_values() {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    for (const auto& [key, value] : columns_[i].values) value_columns_[key].push_back(static_cast<int>(i));
}

float ExampleBank::cue(int rule, int word) const {
  const auto& cues = cues_[static_cast<std::size_t>(rule)];
  const auto entry = cues.find(word);
  return entry == cues.end() ? 0.0F : entry->second;
}

int ExampleBank::variant_of(const QueryTemplate& query, std::size_t example) {
  const auto [entry, is_new] = variant_numbers_.try_emplace(query.key, static_cast<int>(variants_.size()));
  if (is_new) {
    const auto stripped = query.times > 0 ? without_times(query) : std::nullopt;
    const auto& key = stripped ? stripped->key : query.key;
    const auto [family, new_family] = family_numbers_.try_emplace(key, static_cast<int>(families_.size()));
    if (new_family) families_.emplace_back();
    families_[static_cast<std::size_t>(family->second)].variants.push_back(entry->second);
    variants_.push_back({query, family->second, 0, example});
    add_name_pairs(query, name_pairs_);
  }
  return entry->second;
}

void ExampleBank::add_words(const std::vector<std::string>& values, const ExampleParts& parts) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& slot = parts.query.slots[i];
    auto& column = columns_[static_cast<std::size_t>(number_of_column(slot.column))];
    if (slot.number) {
      const auto point = values[i].find('.');
      column.decimals = column.decimals || point != std::string::npos;
      const auto digits = std::min(point, values[i].size());
      column.fewest_digits = std::min(column.fewest_digits, digits);
      column.most_digits = std::max(column.most_digits, digits);
      continue;
    }
    const auto named = pattern_words(parts.spans[i]);
    for (const auto& word : named) words_[static_cast<std::size_t>(number_of_word(word.text))].inside += 1;
    if (!named.empty()) {
      words_[static_cast<std::size_t>(number_of_word(named.front().text))].first += 1;
      words_[static_cast<std::size_t>(number_of_word(named.back().text))].last += 1;
    }
    const auto key = words_key(values[i]);
    longest_value_ = std::max({longest_value_, named.size(), pattern_words(key).size()});
    column.lower_case = column.lower_case && to_lower_ascii(values[i]) == values[i];
    const bool is_new = column.values.count(key) == 0;
    add_spelling(column.values[key], values[i]);
    if (is_new) {
      for (const auto& word : pattern_words(key)) {
        column.words[word.text] += 1;
        value_words_.insert(word.text);
        if (word.digits || word.text.size() <= ending_size) continue;
        const auto ending = ending_of(word.text);
        column.endings[ending] += 1;
        column.ending_count += 1;
        endings_.insert(ending);
      }
      column.word_count += static_cast<double>(pattern_words(key).size());
    }
    if (parts.spans[i] != key) add_spelling(column.values[parts.spans[i]], values[i]);
  }
}

void ExampleBank::add_feasible(const Taken& taken) {
  const auto& parts = taken.parts;
  const int number = variant_of(parts.query, taken.example);
  auto& variant = variants_[static_cast<std::size_t>(number)];
  ++variant.count;
  variant.example = taken.example;
  for (std::size_t i = 0; i < parts.forms.size(); ++i) {
    const auto& [shape, form] = parts.forms[i];
    variant.forms[shape] = form;
    ++forms_[shape][form];
    ++variant.places[shape][static_cast<std::size_t>(parts.phrase_times[i])];
  }
  add_words(parts.values, parts);
  BankPattern pattern{taken.example, number, variant.family, {}, parts.phrase_times};
  const auto is_text = [&parts](const PatternItem& item) {
    return item.slot >= 0 && !parts.query.slots[static_cast<std::size_t>(item.slot)].number;
  };
  for (std::size_t i = 0; i < parts.pattern.size(); ++i) {
    const auto& item = parts.pattern[i];
    if (item.slot >= 0) {
      pattern.items.push_back(-1 - item.slot);
    } else {
      pattern.items.push_back(number_of_word(item.word));
      auto& word = words_[static_cast<std::size_t>(pattern.items.back())];
      word.outside += 1;
      if (i + 1 < parts.pattern.size() && is_text(parts.pattern[i + 1])) word.before += 1;
      if (i > 0 && is_text(parts.pattern[i - 1])) word.after += 1;
    }
  }
  auto& family = families_[static_cast<std::size_t>(variant.family)];
  family.patterns.push_back(static_cast<int>(patterns_.size()));
  family.orders.add(pattern.items, parts.query.slots);
  patterns_.push_back(std::move(pattern));
}

void ExampleBank::add_infeasible(std::size_t example, std::string_view question) {
  const auto words = pattern_words(question);
  std::vector<bool> timed(words.size(), false);
  for (const auto& phrase : find_time_phrases(question, words))
    for (auto i = phrase.span.first; i < phrase.span.last; ++i) timed[i] = true;
  BankPattern pattern{example};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (timed[i] || words[i].digits) continue;
    if (pattern.items.size() == max_pattern_items) return;
    pattern.items.push_back(number_of_word(words[i].text));
    words_[static_cast<std::size_t>(pattern.items.back())].outside += 1;
  }
  patterns_.push_back(std::move(pattern));
}

// Each template can be asked without a time.
void ExampleBank::add_stripped_variants() {
  const auto count = variants_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (variants_[i].query.times == 0) continue;
    if (auto stripped = without_times(variants_[i].query)) variant_of(*stripped, variants_[i].example);
  }
}

void ExampleBank::count_alike() {
  for (const auto& family : families_) {
    std::map<std::vector<int>, std::size_t> counts;
    for (const int number : family.patterns) ++counts[pattern(number).items];
    for (const int number : family.patterns)
      patterns_[static_cast<std::size_t>(number)].alike = counts[pattern(number).items];
  }
}

void ExampleBank::weigh_words() {
  for (const auto& pattern : patterns_) {
    auto words = pattern.items;
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const int word : words)
      if (word >= 0) words_[static_cast<std::size_t>(word)].patterns += 1;
  }
  // A word matters if the questions of one family agree on it more than all questions do: nearly all or none of them
  // say "last", while "tell" and "me" come and go.
  std::vector<double> agreement(words_.size(), 0);
  std::vector<double> compared(words_.size(), 0);
  std::unordered_map<int, double> counts;
  for (const auto& family : families_) {
    counts.clear();
    for (const int number : family.patterns) {
      auto words = pattern(number).items;
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
      for (const int word : words)
        if (word >= 0) counts[word] += 1;
    }
    const auto others = static_cast<double>(family.patterns.size()) - 1;
    if (others < 1) continue;
    for (const auto& [word, count] : counts) {
      agreement[static_cast<std::size_t>(word)] += count * (count - 1) / others;
      compared[static_cast<std::size_t>(word)] += count;
    }
  }
  constexpr double prior = 2;  // patterns that agree half the time
  const auto total = static_cast<double>(patterns_.size()) + 1;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const double agree = (agreement[i] + prior / 2) / (compared[i] + prior);
    const double share = words_[i].patterns / total;
    words_[i].weight = std::clamp(static_cast<float>((agree - share) / (1 - share)), 0.05F, 1.0F);
  }
}

void ExampleBank::index_patterns() {
  for (const auto& pattern : patterns_) {
    std::vector<int> words;
    for (const int item : pattern.items) words.push_back(item < 0 ? PatternIndex::slot_mark : item);
    pattern_index_.add(words, pattern.family);
  }
  pattern_index_.finish();
}

void ExampleBank::make_rules() {
  derived_.assign(variants_.size(), {});
  if (variants_.size() > max_rule_templates) return;
  std::vector<const QueryTemplate*> templates;
  for (const auto& variant : variants_) templates.push_back(&variant.query);
  rules_ = find_rules(templates, min_rule_support, max_rules);
  std::vector<std::unordered_map<int, double>> counts(families_.size());
  for (std::size_t i = 0; i < families_.size(); ++i) {
    for (const int number : families_[i].patterns)
      for (const int word : pattern(number).items)
        if (word >= 0) counts[i][word] += 1.0 / static_cast<double>(families_[i].patterns.size());
  }
  std::size_t made = 0;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    std::unordered_map<int, std::pair<double, double>> sides;
    const auto& pairs = rules_[r].pairs;
    for (const auto& [a, b] : pairs) {
      for (const auto& [word, share] : counts[static_cast<std::size_t>(variants_[a].family)])
        sides[word].first += share;
      for (const auto& [word, share] : counts[static_cast<std::size_t>(variants_[b].family)])
        sides[word].second += share;
    }
    auto& cues = cues_.emplace_back();
    for (const auto& [word, side] : sides) {
      const auto n = static_cast<double>(pairs.size());
      const double cue = std::log((side.second + 0.1 * n) / (side.first + 0.1 * n));
      if (std::fabs(cue) > 0.3) cues[word] = static_cast<float>(cue);
    }
    for (std::size_t v = 0; v < variants_.size() && made < max_derived; ++v) {
      const auto changed = apply_rule(rules_[r], variants_[v].query, name_pairs_);
      if (!changed) continue;
      derived_[v].push_back({static_cast<int>(v), static_cast<int>(r), find_variant(changed->key)});
      ++made;
    }
  }
}

ExampleBank ExampleBank::build(std::span<const LearnedExample> examples, const std::vector<std::size_t>& kept) {
  ExampleBank bank;
  const auto first = kept.size() > max_examples ? kept.size() - max_examples : 0;
  std::vector<LearnedPair> pairs;
  for (auto i = first; i < kept.size(); ++i)
    if (examples[kept[i]].sql && parse_query(*examples[kept[i]].sql).ok())
      pairs.push_back({examples[kept[i]].question, *examples[kept[i]].sql});
  const auto aliases = find_aliases(pairs);
  for (auto i = first; i < kept.size(); ++i) {
    const auto& example = examples[kept[i]];
    if (!example.sql) {
      bank.add_infeasible(kept[i], example.question);
    } else if (!parse_query(*example.sql).ok()) {
      continue;  // it answers its own question only
    } else if (auto parts = take_apart(example.question, *example.sql, aliases);
               parts && parts->pattern.size() <= max_pattern_items && parts->query.slots.size() <= max_slots) {
      bank.add_feasible({kept[i], std::move(*parts)});
    }
  }
  for (const auto& [shape, forms] : bank.forms_) {
    const auto most =
        std::max_element(forms.begin(), forms.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    bank.usual_forms_[shape] = most->first;
  }
  bank.add_stripped_variants();
  bank.count_alike();
  bank.weigh_words();
  bank.index_values();
  bank.index_patterns();
  bank.make_rules();
  return bank;
}

}  // namespace trustsql::semparse
