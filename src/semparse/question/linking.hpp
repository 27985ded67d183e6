// Linking: what the words of a question may stand for: tables, columns, values of the data, numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "semparse/database/domain.hpp"
#include "semparse/database/value_index.hpp"
#include "semparse/question/word_match.hpp"
#include "semparse/words/words.hpp"

namespace trustsql::semparse {

// A place where a question names a table or column.
struct Mention {
  WordSpan span{};
  float coverage = 0;                   // how much of the name is there, 0..1
  int matched = 0;                      // words of the name that are there
  WordMatch weakest = WordMatch::form;  // among the words that are there
  // All words of the name are there, but for units at its end, and each is the same word.
  bool complete = false;
  bool whole() const { return coverage > 0.99F; }
  // Whether every word of the name is there, by a form of it or an abbreviation: "member" for mbr.
  bool spelled_out() const { return complete && weakest >= WordMatch::abbreviation; }
};

// How well the question names something: 0 not at all (nullptr), 4 by its own words.
int naming(const Mention* mention);

// Whether the mention names the column beyond doubt where its words are tested or compared: by forms or abbreviations
// of half of its words, a date also by words of the same meaning: "birth date" for born.
bool names_surely(const Mention& mention, const DomainColumn& column);
// The word behind the mention, and behind "date" where the column is one: "birth date".
std::size_t end_of_name(const Mention& mention, const DomainColumn& column, const Question& question);

// What a value mention says of a column instead of a value: that there is none ("no phone"), or some ("was returned"),
// or how it compares with another column ("returned after the due date"), or with the same of a row that the question
// names ("older than Ann Lee").
enum class ColumnTest : std::uint8_t { none, missing, present, compared, row };

// A text that the question names as a value.
struct ValueMention {
  WordSpan span{};
  std::string text;  // as the question writes it
  bool quoted = false;
  bool capitalised = false;
  bool is_name = false;  // the same words are a whole name of a table or column
  // The cells say it in other words: "French" for 'France', "male" for 'M', "vegetarian" for 'yes'.
  bool is_derived = false;
  std::vector<ValueIndex::Cell> cells{};  // where it is; none for a quotation that no column holds
  // If there is one: the only cell names the column, and has no text.
  ColumnTest test = ColumnTest::none;
  Comparison comparison = Comparison::equal;  // of compared columns of the same rows, or with the named row
  ColumnId compared_with = nothing;
  std::vector<ValueIndex::Cell> row{};  // the names of that row: one, or a first and a last name
  bool is_flag = false;                 // "vegetarian dishes", "are active": only a condition on a column of yes and no
  TableId owner = nothing;  // unless `nothing`: of all tables with the same rows (roles.hpp) the one that it speaks of
};

// The number as an integer, where it is one.
Value number_value(double number);

// A number or date that is not part of a value.
struct NumberMention {
  WordSpan span{};
  Value value{};                  // an integer, where it is one; a date is a text: '2009-01-31'
  std::optional<Value> second{};  // for "between 3 and 5"
  double scale = 1;               // of "5 million", which the value says already
  bool exists = true;             // false for 30 February
  bool spelled = false;           // a date that is written out, or a month: '2009-01' (spelled_dates.hpp)
  TableId owner = nothing;        // as for a value
};

struct Linking {
  std::vector<std::vector<Mention>> columns{};  // for each column of the domain, the best first; at most three
  std::vector<std::vector<Mention>> tables{};   // for each table
  std::vector<ValueMention> values{};           // that do not overlap, in order
  std::vector<NumberMention> numbers{};         // in order
};

// Adds a mention that has a test. Its words belong to no other mention then, and are marked as quoted: they are no
// cues.
void add_column_test(ValueMention mention, Question& question, Linking& linking);

// Links questions to one domain. Not thread-safe: an object is used by one thread at a time.
class QuestionLinker {
 public:
  // Both must outlive this object.
  QuestionLinker(const Domain& domain, const ValueIndex& values);

  const Domain& domain() const { return domain_; }
  const ValueIndex& values() const { return values_; }

  // Marks the words of tests (missing_values.hpp, column_comparisons.hpp) as quoted: they are no cues.
  Linking link(Question& question);
  Linking link(Question&& question) { return link(question); }

 private:
  using MatchRow = std::vector<WordMatch>;  // for each word of the question
  std::vector<Mention> mentions_of(const Question& question, const std::vector<std::size_t>& name) const;
  WordSpan parts_run_together(const Word& word, const std::vector<std::size_t>& name,
                              const std::vector<bool>& used) const;
  static void drop_overruled(std::vector<std::vector<Mention>>& mentions);
  void find_values(const Question& question, Linking& linking) const;
  std::vector<ValueIndex::Cell> find_marked(const Question& question, WordSpan span, std::size_t marks) const;
  bool is_stored_phrase(const Question& question, WordSpan span) const;
  bool is_surname(const Question& question, WordSpan span, const Linking& linking) const;
  void drop_counts_of_rows(const Question& question, Linking& linking) const;
  void find_quotations(const Question& question, Linking& linking) const;
  std::vector<ValueIndex::Cell> derived_cells(const Word& word) const;
  void link_only_dates(const Question& question, Linking& linking) const;
  void find_flags();
  void link_flags(Question& question, Linking& linking) const;
  static void find_numbers(const Question& question, Linking& linking);

  // A column that says yes or no: vegetarian, has_garden, isElectric.
  struct Flag {
    ValueIndex::Cell yes{};
    ValueIndex::Cell no{};             // its text is empty if the column holds no "no"
    std::vector<std::string> words{};  // of its name, without "is" and "has"
    bool only_said = false;            // it may hold amounts as well: only what is said of rows is a condition
  };
  void link_flag(const Flag& flag, bool yes, WordSpan span, Question& question, Linking& linking) const;

  const Domain& domain_;
  const ValueIndex& values_;
  std::vector<Flag> flags_{};
  WordMatcher matcher_{};
  std::vector<std::string> vocabulary_{};
  std::unordered_map<std::string, std::size_t> word_ids_{};
  // The distinct names, as indexes in vocabulary_; for each column and table, the number of its name.
  std::vector<std::vector<std::size_t>> names_{};
  std::vector<std::size_t> column_names_{};
  std::vector<std::size_t> table_names_{};
  std::vector<MatchRow> matches_{};  // for each word of the vocabulary, for the question that is being linked
  std::unordered_map<std::string, std::vector<WordMatch>> known_matches_{};  // of words that were met, the same
};

}  // namespace trustsql::semparse
