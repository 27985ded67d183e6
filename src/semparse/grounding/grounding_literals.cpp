// The rules of grounding on values and numbers.

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "semparse/database/near_values.hpp"
#include "semparse/grounding/grounder.hpp"
#include "semparse/question/correction.hpp"

namespace trustsql::semparse {

namespace {

std::string digits_of(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c >= '0' && c <= '9') digits += c;
  return digits;
}

}  // namespace

bool Grounder::has_number(double number) const {
  // "-5" and "5 million" are two words.
  const auto says = [number](const Value& value) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    return (integer != nullptr && same_number(static_cast<double>(*integer), number)) ||
           (real != nullptr && same_number(*real, number));
  };
  if (std::any_of(linking_.numbers.begin(), linking_.numbers.end(),
                  [&says](const NumberMention& mention) { return says(mention.value); }))
    return true;
  return std::any_of(licensing_.words.begin(), licensing_.words.end(), [&](const Word& word) {
    if (word.number && same_number(*word.number, number)) return true;
    const auto digits = digits_of(word.text);
    return !digits.empty() && digits.size() < 16 && same_number(std::stod(digits), number);
  });
}

bool Grounder::is_licensed(const std::string& literal) const {
  const auto words = value_words(literal);
  if (words.empty() || words.size() <= code_length || text_.find(words) != std::string::npos) return true;
  // Word by word: other forms, prefixes, synonyms.
  for (const auto& word : read_question(words).words) {
    if (is_function_word(word)) continue;
    const bool known = std::any_of(licensing_.words.begin(), licensing_.words.end(), [&](const Word& asked) {
      if (asked.lower == word.lower) return true;
      if (!digits_of(word.lower).empty() && !digits_of(asked.lower).empty())
        return digits_of(word.lower).find(digits_of(asked.lower)) != std::string::npos;
      const auto n = std::min({common_prefix, asked.lower.size(), word.lower.size()});
      if (n >= 3 && asked.lower.compare(0, n, word.lower, 0, n) == 0) return true;
      for (const auto& lemma : word.lemmas)
        if (matcher_.match(asked, lemma) != WordMatch::none) return true;
      return false;
    });
    if (known) return true;
  }
  // Initials: "UK" for United Kingdom, and the other way round.
  std::string initials;
  for (const auto& word : read_question(words).words) initials += word.lower.front();
  return std::any_of(licensing_.words.begin(), licensing_.words.end(),
                     [&](const Word& asked) { return asked.lower == initials; });
}

void Grounder::check_literals() {
  for (const auto& literal : leaves_.literals) {
    if (literal.number) {
      const double number = *literal.number;
      const bool usual = same_number(number, 0) || same_number(number, 1);
      const bool inclusive = literal.comparison == Comparison::greater_equal ||
                             literal.comparison == Comparison::less_equal ||
                             literal.comparison == Comparison::greater || literal.comparison == Comparison::less;
      const bool near = inclusive && (has_number(number - 1) || has_number(number + 1));
      if (!usual && !near && !has_number(number) && !names_amount(number))
        add(GroundingRule::number, "the question does not say " + literal.text);
      continue;
    }
    if (!is_licensed(literal.text))
      add(GroundingRule::literal, "the question does not say " + quote_for_message(literal.text, shown));
    check_column_of(literal);
  }
}

bool Grounder::names_amount(double number) const {
  struct Amount {
    std::string_view word;
    double number;
  };
  static constexpr Amount amounts[] = {
      {"both", 2},    {"second", 2},    {"twice", 2},  {"pair", 2},      {"couple", 2}, {"third", 3},  {"three", 3},
      {"fourth", 4},  {"fifth", 5},     {"sixth", 6},  {"double", 2},    {"half", 0.5}, {"dozen", 12}, {"multiple", 1},
      {"several", 1}, {"teenager", 18}, {"adult", 18}, {"century", 100}, {"decade", 10}};
  return std::any_of(licensing_.words.begin(), licensing_.words.end(), [&](const Word& word) {
    return std::any_of(std::begin(amounts), std::end(amounts), [&](const Amount& amount) {
      return amount.word == word.lower && same_number(amount.number, number);
    });
  });
}

void Grounder::check_column_of(const LiteralLeaf& literal) {
  const bool equality = literal.comparison == Comparison::equal || literal.comparison == Comparison::not_equal;
  if (!equality || literal.column == nothing) return;
  const auto column = domain_.stored_column(literal.column);
  if (!values_.is_complete(column)) return;
  const auto cells = values_.find(literal.text);
  std::string elsewhere;
  bool here = false;
  bool exact = false;
  bool other_case = false;
  for (const auto& cell : cells) {
    if (cell.column == column) {
      here = true;
      exact |= cell.text == literal.text;
      other_case |= equals_ignore_case(cell.text, literal.text);
    } else if (elsewhere.empty()) {
      elsewhere = name_of(cell.column);
    }
  }
  const auto value = quote_for_message(literal.text, shown);
  if (!here && !elsewhere.empty())
    add(GroundingRule::elsewhere, value + " is not in " + name_of(literal.column) + ", but in " + elsewhere);
  if (other_case && !exact)
    add(GroundingRule::letter_case, name_of(literal.column) + " has " + value + " in other letters only");
  if (cells.empty()) check_spelling_of(literal);
}

void Grounder::check_spelling_of(const LiteralLeaf& literal) {
  if (literal.text.size() > static_cast<std::size_t>(ValueIndexOptions{}.max_value_bytes)) return;
  auto near = find_near(values_, literal.text, {.column = domain_.stored_column(literal.column)});
  near.erase(
      std::remove_if(near.begin(), near.end(), [](const NearValue& value) { return value.how != Nearness::spelling; }),
      near.end());
  if (near.empty()) return;
  grounding_.misspelt.push_back({"no value " + quote_for_message(literal.text, shown) + " in " +
                                     name_of(literal.column) + "; the nearest is " +
                                     quote_for_message(near.front().cell.text, shown),
                                 did_you_mean(domain_, near)});
}

bool Grounder::literal_has(const std::string& words) const {
  return std::any_of(leaves_.literals.begin(), leaves_.literals.end(), [&](const LiteralLeaf& leaf) {
    const auto text = value_words(leaf.text);
    return contains_words(text, words) || (!text.empty() && contains_words(words, text));
  });
}

bool Grounder::names_used_name(WordSpan span) const {
  for (auto i = span.first; i < span.last; ++i)
    if (!used_[i] && !is_function_word(question_.words[i])) return false;
  return true;
}

bool Grounder::quotes_name(const std::string& words) const {
  const auto says = [&words](const std::string& name) {
    const auto plain = value_words(name);
    return contains_words(words, plain) || contains_words(plain, words);
  };
  return std::any_of(leaves_.columns.begin(), leaves_.columns.end(),
                     [&](ColumnId id) { return says(domain_.column(id).name); }) ||
         std::any_of(leaves_.tables.begin(), leaves_.tables.end(),
                     [&](TableId id) { return says(domain_.table(id).name); });
}

void Grounder::check_values_of_question() {
  for (const auto& quotation : question_.quotations) {
    const auto words = value_words(quotation.text);
    if (words.empty() || quotation.words.size() == 0) continue;
    if (!literal_has(words) && !names_used_name(quotation.words) && !quotes_name(words))
      add(GroundingRule::quotation, "the query does not use " + quote_for_message(quotation.text, shown));
  }
  for (const auto& value : linking_.values) {
    if (value.test == ColumnTest::compared) {
      if (!is_used(value.cells.front().column) || !is_used(value.compared_with))
        add(GroundingRule::value, "the query does not use " + quote_for_message(question_.text_of(value.span), shown));
      continue;
    }
    if (value.test == ColumnTest::row) {
      if (!is_used(value.cells.front().column) || !literal_has(value_words(value.row.front().text)))
        add(GroundingRule::value, "the query does not use " + quote_for_message(question_.text_of(value.span), shown));
      continue;
    }
    if (value.test != ColumnTest::none) {
      // IS NULL, a comparison with an empty text, or NOT IN.
      if (!leaves_.null_test && !leaves_.excludes && !is_used(value.cells.front().column))
        add(GroundingRule::value, "the query does not use " + quote_for_message(question_.text_of(value.span), shown));
      continue;
    }
    if (value.quoted || value.is_name || !value.capitalised || value.cells.empty()) continue;
    if (!literal_has(value_words(value.text)) && !names_used_name(value.span))
      add(GroundingRule::value, "the query does not use " + quote_for_message(value.text, shown));
  }
  for (const auto& number : linking_.numbers) {
    const auto& word = question_.words[number.span.first];
    if (!word.number || word.quoted || word.text.front() < '0' || word.text.front() > '9') continue;
    if (uses_number(*word.number) || names_used_name(number.span)) continue;
    add(GroundingRule::count, "the query does not use " + word.text);
  }
}

bool Grounder::uses_number(double number) const {
  const auto digits = digits_of(std::to_string(static_cast<std::int64_t>(number)));
  return std::any_of(leaves_.literals.begin(), leaves_.literals.end(), [&](const LiteralLeaf& leaf) {
    if (leaf.number && std::fabs(*leaf.number - number) <= 1) return true;
    return !leaf.number && digits_of(leaf.text).find(digits) != std::string::npos;
  });
}

}  // namespace trustsql::semparse
