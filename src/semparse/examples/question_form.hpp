// QuestionForm: a question as the bank of examples sees it: its words by number, its time expressions, and which runs
// of words are values of which columns.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semparse/examples/example_bank.hpp"
#include "semparse/examples/known_values.hpp"

namespace trustsql::semparse {

// How well a value that fills a slot is known.
enum class ValueStanding : std::uint8_t {
  known,      // the column holds it, or an example compares the column with it
  fits,       // a number like those that examples compare the column with
  unknown,    // nothing is known of it
  elsewhere,  // only other columns hold it
  absent,     // the column's values are known, and it is not among them
};

struct SlotValue {
  std::string value{};
  ValueStanding standing = ValueStanding::unknown;
  float share = 1;  // of an unknown value: how likely it is one of the column, among all columns
};

// The words that are aligned with patterns: all of them, or those outside of time expressions.
struct QuestionReading {
  std::vector<std::size_t> at{};  // indexes in the words of the question
  std::vector<int> ids{};         // numbers in the bank; -1: no example has the word
  bool without_times = false;
};

// A run of words of a reading that may fill a slot, and what it costs to do so.
struct SlotSpan {
  std::size_t length = 0;
  float cost = 0;
};

class QuestionForm {
 public:
  // Both must outlive this object; `values` may be null.
  QuestionForm(std::string_view text, const ExampleBank& bank, const KnownValues* values);

  const ExampleBank& bank() const { return bank_; }
  std::string_view text() const { return text_; }
  const std::vector<PatternWord>& words() const { return words_; }
  const std::vector<TimePhrase>& phrases() const { return phrases_; }
  const std::vector<QuestionReading>& readings() const { return readings_; }
  // The words for ExampleBank::nearest(), of the reading without times.
  std::vector<int> search_words() const;

  // The value that the words [first, last) of the question are in `slot`.
  SlotValue value_of(const TemplateSlot& slot, std::size_t first, std::size_t last) const;
  // The spans that may fill `slot`, for each position of a reading.
  const std::vector<std::vector<SlotSpan>>& spans(std::size_t reading, const TemplateSlot& slot) const;
  // Runs of words that are values of some column and seldom anything else; they do not overlap.
  const std::vector<WordSpan>& value_spans() const { return value_spans_; }
  // A hash of the word's stem.
  std::uint64_t stem(std::size_t word) const { return stems_[word]; }
  // What it costs to leave the word over: more for what looks like a part of a value.
  float extra_cost(std::size_t word) const;
  // Whether the word is a number or part of a value.
  bool is_any_value(std::size_t word) const;
  // How much of the use of a word is outside of values, 0..1.
  float outside(std::size_t word) const;
  // The same where the word stands before a value or begins one, and where it stands after one or ends it.
  float outside_before(std::size_t word) const;
  float outside_after(std::size_t word) const;
  // What it costs that a value begins and ends here: a part of a name such as "acetaminophen" in
  // "oxycodone-acetaminophen", or words beside it that elsewhere stand in values.
  float edge_cost(std::size_t first, std::size_t last) const;

 private:
  std::string_view written_as(std::size_t first, std::size_t last) const;
  void find_value_spans();
  float span_cost(const TemplateSlot& slot, std::size_t first, std::size_t last) const;
  bool is_known_somewhere(std::size_t first, std::size_t last) const;
  // How likely the words [first, last) are a value of each column, relative to the others (naive Bayes).
  const std::vector<float>& column_shares(std::size_t first, std::size_t last) const;

  std::string text_;
  const ExampleBank& bank_;
  const KnownValues* values_;
  std::vector<PatternWord> words_{};
  std::vector<int> ids_{};
  std::vector<std::uint64_t> stems_{};
  std::vector<TimePhrase> phrases_{};
  std::vector<bool> timed_{};  // of each word: whether it is in a time expression
  std::vector<QuestionReading> readings_{};
  std::vector<WordSpan> value_spans_{};
  std::size_t longest_ = 1;
  std::vector<float> priors_{};
  std::vector<std::vector<float>> likelihoods_{};  // of each word, for each column
  struct SpanFacts {
    std::optional<bool> known{};
    std::vector<float> shares{};
  };
  mutable std::map<std::pair<std::size_t, std::size_t>, SpanFacts> facts_{};
  mutable std::map<std::pair<std::size_t, std::string>, std::vector<std::vector<SlotSpan>>> spans_{};
};

}  // namespace trustsql::semparse
