// Build tool: converts WordNet's database files to the compact tables of lexicon_table.hpp, as C++ source.
//
//   make_lexicon <folder with data.noun, index.noun, cntlist.rev ...> <output.cpp>
//   make_lexicon "" <output.cpp>         empty tables
//
// The file formats are those of wndb(5WN), cntlist(5WN) and morphy(7WN).
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "link/lexicon/lexicon_table.hpp"

namespace {

using trustsql::link::Relation;

constexpr std::array<std::string_view, 3> parts_of_speech = {"noun", "verb", "adj"};

// The maximum number of senses of a word, and the probability below which a sense is dropped.
constexpr std::size_t max_senses = 8;
constexpr double min_probability = 0.03;
constexpr std::size_t max_relations = 12;

struct Synset {
  std::vector<std::string> lemmas;
  std::vector<std::pair<Relation, std::string>> relations;  // the relation and the key of the other synset
};

struct WordNet {
  std::map<std::string, Synset> synsets;  // by "n00001740"
  // For each lemma: its synsets' keys, by decreasing frequency within a part of speech.
  std::map<std::string, std::vector<std::string>> senses;
  // For each lemma: how often each sense occurs in the tagged texts.
  std::map<std::string, std::map<std::string, double>> tagged;
  std::unordered_map<std::string, std::int64_t> gloss_frequency;  // in how many definitions a word occurs
  std::map<std::string, std::string> irregular;                   // inflected form to base form
};

char letter_of(std::string_view part_of_speech) { return part_of_speech == "adj" ? 'a' : part_of_speech[0]; }

bool is_word(std::string_view text) {
  return text.size() > 1 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// Two words, as in "first_name".
bool is_pair(std::string_view text) {
  const auto gap = text.find('_');
  return gap != std::string_view::npos && is_word(text.substr(0, gap)) && is_word(text.substr(gap + 1));
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (const auto marker = text.find('('); marker != std::string::npos)
    text.erase(marker);  // galore(ip): a syntactic marker
  return text;
}

bool relation_of(std::string_view symbol, Relation& relation) {
  if (symbol == "@" || symbol == "@i") {
    relation = Relation::broader;
  } else if (symbol == "+" || symbol == "\\" || symbol == "<") {
    relation = Relation::derived;
  } else if (symbol == "=") {
    relation = Relation::attribute;
  } else if (symbol == "&") {
    relation = Relation::similar;
  } else {
    return false;
  }
  return true;
}

std::ifstream open(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    std::cerr << "make_lexicon: cannot read " << path << '\n';
    std::exit(1);
  }
  return file;
}

void count_gloss_words(WordNet& wordnet, const std::string& gloss) {
  std::set<std::string> seen;
  std::string word;
  for (const char c : gloss + " ") {
    if (c >= 'a' && c <= 'z') {
      word += c;
    } else {
      if (is_word(word) && seen.insert(word).second) ++wordnet.gloss_frequency[word];
      word.clear();
    }
  }
}

void read_data(WordNet& wordnet, const std::string& folder, std::string_view part_of_speech) {
  auto file = open(folder + "/data." + std::string(part_of_speech));
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == ' ') continue;  // the licence
    const auto bar = line.find('|');
    std::istringstream fields(line.substr(0, bar));
    std::string offset, file_number, type, count_hex;
    fields >> offset >> file_number >> type >> count_hex;
    Synset synset;
    const int lemma_count = std::stoi(count_hex, nullptr, 16);
    for (int i = 0; i < lemma_count; ++i) {
      std::string lemma, lexical_id;
      fields >> lemma >> lexical_id;
      synset.lemmas.push_back(lower(lemma));
    }
    int pointer_count = 0;
    fields >> pointer_count;
    for (int i = 0; i < pointer_count; ++i) {
      std::string symbol, target, target_type, source_target;
      fields >> symbol >> target >> target_type >> source_target;
      Relation relation{};
      if (!relation_of(symbol, relation) || target_type == "r") continue;
      synset.relations.emplace_back(relation, target_type + target);
    }
    if (bar != std::string::npos) count_gloss_words(wordnet, line.substr(bar));
    wordnet.synsets.emplace(letter_of(part_of_speech) + offset, std::move(synset));
  }
}

void read_index(WordNet& wordnet, const std::string& folder, std::string_view part_of_speech,
                const std::map<std::string, std::map<int, double>>& counts) {
  auto file = open(folder + "/index." + std::string(part_of_speech));
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == ' ') continue;
    std::istringstream fields(line);
    std::string lemma, letter, skipped;
    int synset_count = 0, pointer_count = 0;
    fields >> lemma >> letter >> synset_count >> pointer_count;
    for (int i = 0; i < pointer_count + 2; ++i) fields >> skipped;  // pointer symbols, sense_cnt, tagsense_cnt
    const auto tagged = counts.find(letter + lemma);
    for (int sense = 1; sense <= synset_count; ++sense) {
      std::string offset;
      fields >> offset;
      const std::string key = letter + offset;
      wordnet.senses[lemma].push_back(key);
      double count = 0;
      if (tagged != counts.end())
        if (const auto sense_count = tagged->second.find(sense); sense_count != tagged->second.end())
          count = sense_count->second;
      // A sense that does not occur in the tagged texts counts less the later it is listed.
      wordnet.tagged[lemma][key] = count + 0.8 / sense;
    }
  }
}

// How often each sense occurs in the tagged texts, by the part of speech's letter followed by the lemma.
std::map<std::string, std::map<int, double>> read_counts(const std::string& folder) {
  std::map<std::string, std::map<int, double>> counts;
  auto file = open(folder + "/cntlist.rev");
  std::string key;
  int sense = 0;
  double count = 0;
  while (file >> key >> sense >> count) {
    const auto percent = key.find('%');
    if (percent == std::string::npos || percent + 1 >= key.size()) continue;
    constexpr std::string_view letters = " nvara";  // ss_type 1..5: noun, verb, adjective, adverb, satellite
    const auto type = static_cast<std::size_t>(key[percent + 1] - '0');
    if (type >= 1 && type <= 5) counts[letters[type] + key.substr(0, percent)][sense] += count;
  }
  return counts;
}

void read_irregular(WordNet& wordnet, const std::string& folder, std::string_view part_of_speech) {
  auto file = open(folder + "/" + std::string(part_of_speech) + ".exc");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string inflected, base;
    fields >> inflected >> base;
    if (is_word(inflected) && is_word(base) && inflected != base) wordnet.irregular.emplace(inflected, base);
  }
}

WordNet read(const std::string& folder) {
  WordNet wordnet;
  const auto counts = read_counts(folder);
  for (const auto part : parts_of_speech) {
    read_data(wordnet, folder, part);
    read_index(wordnet, folder, part, counts);
    read_irregular(wordnet, folder, part);
  }
  return wordnet;
}

double frequency(const WordNet& wordnet, const std::string& lemma) {
  double sum = 0;
  if (const auto senses = wordnet.tagged.find(lemma); senses != wordnet.tagged.end())
    for (const auto& [key, count] : senses->second) sum += std::floor(count);
  if (const auto gloss = wordnet.gloss_frequency.find(lemma); gloss != wordnet.gloss_frequency.end())
    sum += static_cast<double>(gloss->second);
  return sum;
}

bool has_synonym(const WordNet& wordnet, const std::string& lemma) {
  for (const auto& key : wordnet.senses.at(lemma)) {
    const auto synset = wordnet.synsets.find(key);
    if (synset == wordnet.synsets.end()) continue;
    for (const auto& other : synset->second.lemmas)
      if (other != lemma && is_word(other)) return true;
  }
  return false;
}

// The lemmas that are included: words in use, and pairs of words that have a one-word synonym.
std::vector<std::string> choose_words(const WordNet& wordnet) {
  std::vector<std::string> words;
  for (const auto& [lemma, senses] : wordnet.senses) {
    const bool keep = is_word(lemma)
                          ? frequency(wordnet, lemma) >= 2 || senses.size() > 1 || has_synonym(wordnet, lemma)
                      : is_pair(lemma) ? has_synonym(wordnet, lemma)
                                       : false;
    if (keep) words.push_back(lemma);
  }
  return words;  // sorted, as the map is
}

class Writer {
 public:
  explicit Writer(const std::string& path) : out_(path) {
    out_ << "// Made by make_lexicon from WordNet; see src/link/lexicon.\n#include "
            "\"link/lexicon/lexicon_table.hpp\"\n\n"
         << "namespace trustsql::link::lexicon_table {\n\n";
  }
  void number(std::string_view name, std::size_t value) {
    out_ << "extern const std::uint32_t " << name << " = " << value << ";\n";
  }
  // Writes an array of at least one element, as ISO C++ requires.
  void numbers(std::string_view name, std::string_view type, std::vector<std::uint32_t> values) {
    if (values.empty()) values.push_back(0);
    out_ << "extern const std::" << type << ' ' << name << "[] = {";
    for (std::size_t i = 0; i < values.size(); ++i) out_ << (i % 24 == 0 ? "\n" : "") << values[i] << ',';
    out_ << "};\n";
  }
  void text(std::string_view name, const std::string& text) {
    out_ << "extern const char " << name << "[] = {";
    for (std::size_t i = 0; i < text.size(); ++i) out_ << (i % 40 == 0 ? "\n" : "") << static_cast<int>(text[i]) << ',';
    out_ << "0};\n";
  }
  bool finish() {
    out_ << "\n}  // namespace trustsql::link::lexicon_table\n";
    out_.close();
    return !out_.fail();
  }

 private:
  std::ofstream out_;
};

struct Tables {
  std::string texts;
  std::vector<std::uint32_t> word_offsets = {0};
  std::vector<std::uint32_t> frequencies;
  std::vector<std::uint32_t> sense_offsets = {0};
  std::vector<std::uint32_t> senses;
  std::vector<std::uint32_t> relation_offsets = {0};
  std::vector<std::uint32_t> relations;
  std::string irregular_texts;
  std::vector<std::uint32_t> irregular_offsets = {0};  // inflected form, base form, inflected form ...
};

Tables make_tables(const WordNet& wordnet) {
  Tables tables;
  std::map<std::string, std::uint32_t> ids;
  std::vector<std::string> keys;
  const auto id_of = [&](const std::string& key) {
    const auto [entry, added] = ids.try_emplace(key, static_cast<std::uint32_t>(keys.size()));
    if (added) keys.push_back(key);
    return entry->second;
  };
  const auto words = choose_words(wordnet);
  for (const auto& word : words) {
    tables.texts += word;
    tables.word_offsets.push_back(static_cast<std::uint32_t>(tables.texts.size()));
    tables.frequencies.push_back(
        static_cast<std::uint32_t>(std::lround(std::min(255.0, 16 * std::log2(1 + frequency(wordnet, word))))));
    std::vector<std::pair<double, std::string>> senses;
    double total = 0;
    for (const auto& [key, count] : wordnet.tagged.at(word)) {
      senses.emplace_back(-count, key);
      total += count;
    }
    std::sort(senses.begin(), senses.end());
    for (std::size_t i = 0; i < senses.size() && i < max_senses; ++i) {
      const double probability = -senses[i].first / total;
      if (probability < min_probability && i > 0) break;
      tables.senses.push_back(id_of(senses[i].second) << 8 |
                              static_cast<std::uint32_t>(std::lround(255 * probability)));
    }
    tables.sense_offsets.push_back(static_cast<std::uint32_t>(tables.senses.size()));
  }
  // All relations of the concepts of words; for the concepts reached from them only the broader relations, up to the
  // top.
  const std::size_t own_concepts = keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (const auto synset = wordnet.synsets.find(keys[i]); synset != wordnet.synsets.end()) {
      std::set<std::pair<Relation, std::string>> seen;
      for (const auto& relation : synset->second.relations) {
        if (seen.size() == max_relations) break;
        if (i >= own_concepts && relation.first != Relation::broader) continue;
        const std::string target =
            (relation.second[0] == 's' ? "a" : relation.second.substr(0, 1)) + relation.second.substr(1);
        if (!seen.emplace(relation.first, target).second) continue;
        tables.relations.push_back(id_of(target) << 4 | static_cast<std::uint32_t>(relation.first));
      }
    }
    tables.relation_offsets.push_back(static_cast<std::uint32_t>(tables.relations.size()));
  }
  const std::set<std::string> known(words.begin(), words.end());
  for (const auto& [inflected, base] : wordnet.irregular) {
    if (known.count(base) == 0) continue;
    for (const auto* form : {&inflected, &base}) {
      tables.irregular_texts += *form;
      tables.irregular_offsets.push_back(static_cast<std::uint32_t>(tables.irregular_texts.size()));
    }
  }
  return tables;
}

bool write(const std::string& path, const Tables& tables) {
  Writer writer(path);
  writer.number("word_count", tables.word_offsets.size() - 1);
  writer.number("concept_count", tables.relation_offsets.size() - 1);
  writer.number("irregular_count", tables.irregular_offsets.size() / 2);
  writer.text("texts", tables.texts);
  writer.numbers("word_offsets", "uint32_t", tables.word_offsets);
  writer.numbers("frequencies", "uint8_t", tables.frequencies);
  writer.numbers("sense_offsets", "uint32_t", tables.sense_offsets);
  writer.numbers("senses", "uint32_t", tables.senses);
  writer.numbers("relation_offsets", "uint32_t", tables.relation_offsets);
  writer.numbers("relations", "uint32_t", tables.relations);
  writer.text("irregular_texts", tables.irregular_texts);
  writer.numbers("irregular_offsets", "uint32_t", tables.irregular_offsets);
  return writer.finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: make_lexicon <WordNet folder, or ''> <output.cpp>\n";
    return 2;
  }
  const std::string folder = argv[1];
  const Tables tables = folder.empty() ? Tables() : make_tables(read(folder));
  if (!write(argv[2], tables)) {
    std::cerr << "make_lexicon: cannot write " << argv[2] << '\n';
    return 1;
  }
  return 0;
}
