#include "link/question_schema.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/text.hpp"
#include "link/lexicon/lexicon.hpp"
#include "link/schema_words.hpp"
#include "link/word_forms.hpp"

namespace trustsql::link {

namespace {

constexpr std::size_t max_question = 4096;
constexpr std::size_t max_phrases = 40;
constexpr std::size_t max_phrase_words = 3;

struct Token {
  std::string_view text;
  bool ends_clause = false;  // a comma, a full stop or the like follows
  bool owns = false;         // it ends in 's
};

struct Phrase {
  std::vector<std::string> words;
  bool is_table = false;
  bool is_column = false;  // something that belongs to what follows: "names of ..."
  bool is_value = false;   // a name

  std::string text() const { return join(words, " "); }
  // The phrase as a column name, in the singular: "names" -> name.
  std::string column() const;
  // For a table, the words before its noun: "highest paid" of "highest paid instructor".
  std::string attribute() const { return join(std::span(words).first(words.size() - 1), " "); }
};

bool is_question_word_byte(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u >= 0x80 || c == '_' ||
         c == '-';
}

std::vector<Token> tokens_of(std::string_view question) {
  std::vector<Token> tokens;
  std::size_t i = 0;
  while (i < question.size()) {
    if (!is_question_word_byte(question[i])) {
      const char c = question[i++];
      if (!tokens.empty() &&
          (c == ',' || c == '.' || c == '?' || c == ';' || c == ':' || c == '!' || c == '(' || c == ')'))
        tokens.back().ends_clause = true;
      continue;
    }
    const std::size_t begin = i;
    // "37.5" and "2012/8/24" are one token.
    const auto joins = [&](std::size_t position) {
      const bool between_digits = position > begin && position + 1 < question.size() && question[position - 1] >= '0' &&
                                  question[position - 1] <= '9' && question[position + 1] >= '0' &&
                                  question[position + 1] <= '9';
      return between_digits && (question[position] == '.' || question[position] == '/' || question[position] == ',' ||
                                question[position] == ':');
    };
    while (i < question.size() && (is_question_word_byte(question[i]) || joins(i))) ++i;
    tokens.push_back({question.substr(begin, i - begin)});
    if (question.substr(i).starts_with("'s")) {
      tokens.back().owns = true;
      i += 2;
    }
  }
  return tokens;
}

bool is_numeric(std::string_view text) { return text[0] >= '0' && text[0] <= '9'; }

// The kind of column that a number in a question is a value of, if its form tells.
std::optional<std::string_view> column_of_number(std::string_view text) {
  const auto parts = std::count_if(text.begin(), text.end(), [](char c) { return c == '/' || c == '-'; });
  if (parts == 2) return "date";
  if (text.find(':') != std::string_view::npos) return "time";
  const bool is_year = text.size() == 4 && (text.starts_with("19") || text.starts_with("20")) &&
                       std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_year) return "year";
  return std::nullopt;
}

constexpr std::array<std::string_view, 12> months = {"january",   "february", "march",    "april",
                                                     "may",       "june",     "july",     "august",
                                                     "september", "october",  "november", "december"};

// The column that a question word asks for.
std::optional<std::string_view> column_of_cue(std::string_view word, std::string_view next) {
  static constexpr std::pair<std::string_view, std::string_view> cues[] = {
      {"who", "name"}, {"whose", "name"}, {"whom", "name"}, {"when", "date"}, {"where", "location"}};
  for (const auto& [cue, column] : cues)
    if (word == cue) return column;
  if (word != "how") return std::nullopt;
  static constexpr std::pair<std::string_view, std::string_view> degrees[] = {
      {"old", "age"},      {"much", "amount"},  {"long", "duration"},   {"tall", "height"},
      {"heavy", "weight"}, {"far", "distance"}, {"often", "frequency"}, {"fast", "speed"},
      {"big", "size"},     {"large", "size"},   {"expensive", "price"}};
  for (const auto& [degree, column] : degrees)
    if (next == degree) return column;
  return std::nullopt;
}

// The category of a value ("France": country), if the lexicon knows it.
std::optional<std::string_view> column_of_value(std::string_view value) {
  static constexpr std::string_view columns[] = {"country", "city",     "state", "language", "continent",
                                                 "sport",   "currency", "color", "religion"};
  const auto word = lexicon::find(value);
  if (!word || lexicon::sense_count(*word) == 0) return std::nullopt;
  std::vector<lexicon::ConceptId> reached = {lexicon::sense(*word, 0).meaning};
  constexpr float least_probability = 0.1F;
  constexpr std::size_t max_reached = 24;  // a few levels up; further up, everything is an entity
  for (std::size_t i = 0; i < reached.size() && reached.size() < max_reached; ++i) {
    for (const auto column : columns) {
      const auto general = lexicon::find(column);
      for (std::size_t j = 0; i > 0 && general && j < lexicon::sense_count(*general); ++j)
        if (lexicon::sense(*general, j).probability >= least_probability &&
            lexicon::sense(*general, j).meaning == reached[i])
          return column;
    }
    for (std::size_t j = 0; j < lexicon::related_count(reached[i]); ++j) {
      const auto related = lexicon::related(reached[i], j);
      // The derived relation leads from "French" to "France".
      if (related.relation == Relation::broader || (related.relation == Relation::derived && i == 0))
        reached.push_back(related.meaning);
    }
  }
  return std::nullopt;
}

// Comparatives that do not imply a property ("smaller than"), unlike "older than".
bool is_degree(std::string_view word) {
  static constexpr std::string_view degrees[] = {"smaller", "larger", "bigger", "greater", "higher", "lower",
                                                 "less",    "more",   "fewer",  "better",  "other",  "rather"};
  return std::find(std::begin(degrees), std::end(degrees), word) != std::end(degrees);
}

bool is_plural(std::string_view word) {
  return word.size() > 3 && word.back() == 's' && !word.ends_with("ss") && word_forms(word)[0].lemma != word;
}

std::string Phrase::column() const {
  std::vector<std::string> parts = words;
  if (is_plural(parts.back())) parts.back() = word_forms(parts.back())[0].lemma;
  return join(parts, " ");
}

class Reader {
 public:
  explicit Reader(std::string_view question) : tokens_(tokens_of(question)) {}

  void read() {
    for (std::size_t i = 0; i < tokens_.size() && phrases_.size() < max_phrases; ++i) read_token(i);
    close();
  }

  std::vector<std::string> relations() {
    choose_tables();
    struct Relation {
      std::string table;
      std::vector<std::string> columns;
    };
    std::vector<Relation> relations;
    const auto relation_of = [&](const std::string& table) -> Relation& {
      const auto relation =
          std::find_if(relations.begin(), relations.end(), [&](const Relation& r) { return r.table == table; });
      return relation != relations.end() ? *relation : relations.emplace_back(Relation{table, {}});
    };
    const auto add = [](Relation& relation, std::string column) {
      if (std::find(relation.columns.begin(), relation.columns.end(), column) == relation.columns.end())
        relation.columns.push_back(std::move(column));
    };
    std::string main;
    for (std::size_t i = 0; i < phrases_.size(); ++i) {
      const std::string table = nearest_table(i);
      if (main.empty()) main = table;
      Relation& relation = relation_of(table);
      if (!phrases_[i].is_table)
        add(relation, phrases_[i].is_value ? std::string(column_of_value(join(phrases_[i].words, "_")).value_or("name"))
                                           : phrases_[i].column());
      if (phrases_[i].is_table && phrases_[i].words.size() > 1) add(relation, phrases_[i].attribute());
    }
    for (const auto& column : asked_)
      if (!phrases_.empty()) add(relation_of(main), std::string(column));
    const bool is_joined = relations.size() > 1;
    std::vector<std::string> texts;
    for (auto& relation : relations) {
      if (is_joined || relation.columns.empty()) relation.columns.insert(relation.columns.begin(), "id");
      texts.push_back(relation.table + "(" + join(relation.columns, ", ") + ")");
    }
    return texts;
  }

 private:
  void read_token(std::size_t i) {
    const Token& token = tokens_[i];
    const std::string word = to_lower_ascii(token.text);
    const std::string next = i + 1 < tokens_.size() ? to_lower_ascii(tokens_[i + 1].text) : std::string();
    if (const auto cue = column_of_cue(word, next)) ask(*cue);
    const bool stands_without_article = i > 0 && tokens_[i - 1].text != "a" && tokens_[i - 1].text != "A";
    const bool is_month =
        std::find(months.begin(), months.end(), word) != months.end() && (word != "may" || token.text == "May");
    if (is_numeric(word)) {
      if (const auto column = column_of_number(word)) ask(*column);
      close();
    } else if (is_month && i > 0) {
      ask("date");
      close();
    } else if (next == "than" && is_degree(word)) {
      close();
    } else if (is_function_word(word) || (is_request_word(word) && (phrase_.words.empty() || i == 0)) ||
               (i == 0 && word == "count")) {
      // A request word followed by "of" ("number of", "name of") is a column.
      const bool is_column = is_request_word(word) && next == "of" && !is_function_word(word);
      const bool owns_next = word == "of" && !is_numeric(next.empty() ? "0" : next);
      if (owns_next && !phrase_.is_value) phrase_.is_column = true;
      close();
      if (is_column && (word == "name" || word == "state")) {
        add_word(word, false);
        phrase_.is_column = true;
        close();
      }
      const bool is_article = word == "the" || word == "a" || word == "an";
      if (!is_article)
        owned_next_ =
            word == "of" || word == "for" || word == "in" || word == "among" || word == "each" || word == "all";
    } else {
      // A capitalised word within a sentence is a name; the words of one name stay together.
      const bool is_value = i > 0 && stands_without_article && token.text[0] >= 'A' && token.text[0] <= 'Z' &&
                            !tokens_[i - 1].ends_clause;
      if (!phrase_.words.empty() && (phrase_.is_value != is_value || phrase_.words.size() == max_phrase_words)) close();
      add_word(word, is_value);
      if (token.owns) {
        phrase_.is_table = true;
        close();
      }
    }
    if (token.ends_clause) close();
  }

  void add_word(const std::string& word, bool is_value) {
    if (phrase_.words.empty()) phrase_.is_table = owned_next_ && !is_value;
    owned_next_ = false;
    phrase_.is_value = is_value;
    phrase_.words.push_back(word);
  }

  void close() {
    if (!phrase_.words.empty()) phrases_.push_back(std::move(phrase_));
    phrase_ = {};
  }

  void ask(std::string_view column) {
    if (std::find(asked_.begin(), asked_.end(), column) == asked_.end()) asked_.push_back(column);
  }

  // Plural phrases are tables; if no phrase looks like a table, the first one is used.
  void choose_tables() {
    bool has_table = false;
    for (auto& phrase : phrases_) {
      if (!phrase.is_value && is_plural(phrase.words.back())) phrase.is_table = true;
      if (phrase.is_column) phrase.is_table = false;
      has_table = has_table || phrase.is_table;
    }
    if (has_table || phrases_.empty()) return;
    const auto first = std::find_if(phrases_.begin(), phrases_.end(),
                                    [](const Phrase& phrase) { return !phrase.is_value && !phrase.is_column; });
    (first == phrases_.end() ? phrases_.front() : *first).is_table = true;
  }

  // The phrase itself if it is a table, else the next phrase if that is one ("names of singers"), else the nearest
  // table before, else the nearest after.
  std::string nearest_table(std::size_t i) const {
    for (std::size_t j = i; j < phrases_.size() && j <= i + 1; ++j)
      if (phrases_[j].is_table) return phrases_[j].text();
    for (std::size_t j = i; j-- > 0;)
      if (phrases_[j].is_table) return phrases_[j].text();
    for (std::size_t j = i; j < phrases_.size(); ++j)
      if (phrases_[j].is_table) return phrases_[j].text();
    return phrases_[i].text();
  }

  std::vector<Token> tokens_;
  std::vector<Phrase> phrases_;
  std::vector<std::string_view> asked_;
  Phrase phrase_;
  bool owned_next_ = false;
};

}  // namespace

std::vector<std::string> schema_of_question(std::string_view question) {
  Reader reader(question.substr(0, max_question));
  reader.read();
  return reader.relations();
}

}  // namespace trustsql::link
