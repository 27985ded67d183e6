// ExampleBank: learned examples taken apart: templates, the patterns of their questions, the values they name, and how
// they write times. It only counts; what is likely is learned from it (template_ranking.hpp).
//
// Templates that differ in conditions on time alone are variants of one family, and share the patterns of their
// questions: an example without a time teaches how to ask the same with one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "semparse/examples/pattern_index.hpp"
#include "semparse/examples/query_template.hpp"
#include "semparse/examples/slot_orders.hpp"
#include "semparse/examples/template_rules.hpp"

namespace trustsql::semparse {

// A question with its query; without one it cannot be answered, and `type` may say why.
struct LearnedExample {
  std::string question{};
  std::optional<std::string> sql{};
  std::string type{};
  friend bool operator==(const LearnedExample&, const LearnedExample&) = default;
};

struct BankPattern {
  std::size_t example = 0;          // index in the list of examples
  int variant = -1;                 // -1: the question cannot be answered
  int family = -1;                  // the same
  std::vector<int> items{};         // numbers of words; -1 - s for slot s
  std::vector<int> phrase_times{};  // for each time expression, in the question's order: its number in the template
  std::size_t alike = 1;            // patterns of the family with the same items
};

struct BankVariant {
  QueryTemplate query{};
  int family = -1;
  std::size_t count = 0;                    // examples; 0: a variant that was made by leaving out the times
  std::size_t example = 0;                  // the last one that has it, or that it was made from
  std::map<std::string, TimeForm> forms{};  // of shapes of time, as these examples write them
  // How often a time of each shape has each number in the template.
  std::map<std::string, std::map<std::size_t, std::size_t>> places{};
};

struct BankFamily {
  std::vector<int> variants{};
  std::vector<int> patterns{};
  SlotOrders orders{};
};

// What a rule makes of a variant.
struct DerivedVariant {
  int variant = -1;   // that it is made from
  int rule = -1;      // index in rules()
  int existing = -1;  // the variant that it is, if there is one
};

// What examples compare a column with.
struct BankColumn {
  std::string name;  // "table.column" or "column"
  // words_key() of a value, or of other words for it, to the value, in each spelling, the last one that was learned
  // last.
  std::unordered_map<std::string, std::vector<std::string>> values{};
  std::unordered_map<std::string, double> words{};  // in how many values each word is
  double word_count = 0;
  std::unordered_map<std::string, double> endings{};  // the same for the last letters of words
  double ending_count = 0;
  std::size_t fewest_digits = 99;  // of numbers
  std::size_t most_digits = 0;
  bool decimals = false;
  bool lower_case = true;  // all texts are in lower case
};

struct BankWord {
  std::string text;
  std::uint64_t stem = 0;  // a hash
  double patterns = 0;     // that have it
  double outside = 0;      // occurrences in patterns
  double inside = 0;       // in the names of values
  double before = 0;       // right before a value
  double after = 0;        // right after one
  double first = 0;        // the first word of one
  double last = 0;         // the last
  float weight = 1;        // how much it says: near 0 for words that most patterns have, 1 for rare ones
};

class ExampleBank {
 public:
  // Examples beyond this number are left out, the first ones.
  static constexpr std::size_t max_examples = 20'000;

  // `examples[i]` for i in `kept`; the bank refers to examples by i. Examples about other databases must not be among
  // them.
  static ExampleBank build(std::span<const LearnedExample> examples, const std::vector<std::size_t>& kept);

  const std::vector<BankPattern>& patterns() const { return patterns_; }
  const std::vector<BankVariant>& variants() const { return variants_; }
  const std::vector<BankFamily>& families() const { return families_; }
  const std::vector<TemplateRule>& rules() const { return rules_; }
  // For each variant, what rules make of it.
  const std::vector<std::vector<DerivedVariant>>& derived() const { return derived_; }
  const std::vector<BankColumn>& columns() const { return columns_; }
  const std::vector<BankWord>& words() const { return words_; }
  const NamePairs& name_pairs() const { return name_pairs_; }

  const BankPattern& pattern(int i) const { return patterns_[static_cast<std::size_t>(i)]; }
  const BankVariant& variant(int i) const { return variants_[static_cast<std::size_t>(i)]; }
  const BankFamily& family(int i) const { return families_[static_cast<std::size_t>(i)]; }
  const BankWord& word(int i) const { return words_[static_cast<std::size_t>(i)]; }
  std::uint64_t stem(int word) const { return words_[static_cast<std::size_t>(word)].stem; }

  // -1 if no example has it.
  int find_word(std::string_view text) const;
  int find_column(std::string_view name) const;
  // The variant with that key; -1 if there is none.
  int find_variant(const std::string& key) const;
  // How a time of that shape is written in `variant`; nullptr if no example shows it.
  const TimeForm* time_form(const BankVariant& variant, const std::string& shape) const;
  // The numbers that times of these shapes have in `variant`, where its examples tell them apart: "today" is the first
  // and "yesterday" the second, wherever the question names them. Empty if they do not.
  static std::vector<std::size_t> time_places(const BankVariant& variant, const std::vector<TimePhrase>& phrases);
  // How much more the questions on the right side of a rule have a word than those on the left side.
  float cue(int rule, int word) const;
  // How many words the longest known value has.
  std::size_t longest_value() const { return longest_value_; }
  // The columns that hold a value named by these words; nullptr if none does.
  const std::vector<int>* columns_with(const std::string& key) const;
  // For each column, the logarithm of how likely `word` is in the name of one of its values, by its last letters if no
  // value has it ("-emia", "-cillin"); and of how likely a value
  // is one of the column at all. Columns without texts have -1e9.
  std::vector<float> column_likelihoods(const std::string& word) const;
  std::vector<float> column_priors() const;

  // PatternIndex::nearest() of this bank's patterns.
  std::vector<NearPattern> nearest(const std::vector<int>& words, std::size_t count, std::size_t per_family) const {
    return pattern_index_.nearest(words, count, per_family);
  }

 private:
  struct Taken {
    std::size_t example;
    ExampleParts parts;
  };
  int number_of_word(const std::string& text);
  int number_of_column(const std::string& name);
  void add_feasible(const Taken& taken);
  void add_infeasible(std::size_t example, std::string_view question);
  int variant_of(const QueryTemplate& query, std::size_t example);
  void add_stripped_variants();
  void add_words(const std::vector<std::string>& values, const ExampleParts& parts);
  void count_alike();
  void weigh_words();
  void index_values();
  void index_patterns();
  void make_rules();

  std::vector<BankPattern> patterns_{};
  std::vector<BankVariant> variants_{};
  std::vector<BankFamily> families_{};
  std::vector<TemplateRule> rules_{};
  std::vector<std::vector<DerivedVariant>> derived_{};
  std::vector<BankColumn> columns_{};
  std::vector<BankWord> words_{};
  std::unordered_map<std::string, int> word_numbers_{};
  std::unordered_map<std::string, int> column_numbers_{};
  std::unordered_map<std::string, int> variant_numbers_{};
  std::unordered_map<std::string, int> family_numbers_{};
  std::map<std::string, std::map<TimeForm, std::size_t>> forms_{};
  std::map<std::string, TimeForm> usual_forms_{};
  std::vector<std::unordered_map<int, float>> cues_{};
  NamePairs name_pairs_{};
  std::unordered_map<std::string, std::vector<int>> value_columns_{};
  std::unordered_set<std::string> value_words_{};  // of all columns
  std::unordered_set<std::string> endings_{};
  std::size_t longest_value_ = 1;
  PatternIndex pattern_index_{};
};

// `query` without its conditions on time; nullopt if they cannot be left out.
std::optional<QueryTemplate> without_times(const QueryTemplate& query);

}  // namespace trustsql::semparse
