// QueryTemplate: the query of an example with holes: slots for what its question names (values, numbers), and sites for
// its time expressions.
//
//   How many patients took aspirin since 2021?
//   SELECT count(*) FROM drugs WHERE drug = 'aspirin' AND strftime('%Y', day) >= '2021'
//   -> SELECT count(*) FROM drugs WHERE drug = <slot 0> AND <time 0 of day>
//
// What is not a hole stays as the example has it. The condition on time is kept apart as a TimeForm: every template can
// be filled with every time expression whose form some example has shown. This is the second of the two levels at which
// examples are put together (base query and modifiers).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semparse/examples/time_phrases.hpp"
#include "semparse/words/words.hpp"

namespace trustsql::semparse {

// Where a value of the question goes.
struct TemplateSlot {
  std::string column;  // "table.column" or "column" in lower case, that it is compared with; empty if none
  bool number = false;
  bool quoted = false;    // written between quotation marks
  bool equality = false;  // compared by = or IN: the column must hold it
  std::string before{};   // text inside the marks before the value: "%", "+"
  std::string after{};    // and after it: "%", " month"
  friend bool operator==(const TemplateSlot&, const TemplateSlot&) = default;
};

struct TemplateToken {
  std::string text;       // as the example writes it; the column of a site
  std::uint64_t key = 0;  // of what it says: letter case and slot numbers apart
  int slot = -1;
  int time = -1;   // number of the time expression
  int offset = 0;  // added to the slot's number: "in their 50s" is BETWEEN 50 AND 50 + 9
};

// How conditions of one kind of time expression are written: "strftime('%Y', {C}) >= '{0}'", {C} the column, {0} the
// first number of the expression, {0:2} with at least two digits.
using TimeForm = std::string;

struct QueryTemplate {
  std::vector<TemplateToken> tokens{};
  std::vector<TemplateSlot> slots{};
  int times = 0;
  std::string key{};  // equal for templates that are the same

  void set_key();
};

// A word of a question's pattern, or the place of a slot's value.
struct PatternItem {
  std::string word{};
  int slot = -1;
};

// An example taken apart.
struct ExampleParts {
  QueryTemplate query{};
  std::vector<PatternItem> pattern{};                   // the question without time expressions
  std::vector<std::string> values{};                    // of each slot, as the query has it
  std::vector<std::string> spans{};                     // of each slot: the words of the question that name it
  std::vector<TimePhrase> phrases{};                    // that the query has conditions for, in the question's order
  std::vector<int> phrase_times{};                      // the number of each in the template
  std::vector<std::pair<std::string, TimeForm>> forms;  // shape and form of each
  // Texts that are compared with a column and that the question does not name in the same words, as column and text.
  std::vector<std::pair<std::string, std::string>> unnamed{};
};

// Other words for values: column and words_key() of the value, to the words by which questions name it.
using AliasTable = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

// nullopt if `sql` is no query that can be taken apart: it has an error, or more than 1,000 tokens.
std::optional<ExampleParts> take_apart(std::string_view question, std::string_view sql, const AliasTable& aliases);

// What fills a template.
struct Filler {
  std::vector<std::string> values{};  // of each slot, without quotation marks
  // For each number of a time expression in the template: its phrase and the form of its condition.
  std::vector<std::pair<const TimePhrase*, TimeForm>> times{};
};

// The query, with single spaces where SQL is usually written with them.
std::string fill_template(const QueryTemplate& query, const Filler& filler);

// `sql` by its tokens, letter case of words, white space, the order in lists of literals and OFFSET 0 apart: equal for
// queries that are written the same way.
std::string token_text(std::string_view sql);

}  // namespace trustsql::semparse
