#include "equiv/explanation/result_words.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "base/sql_token.hpp"
#include "base/text.hpp"

namespace trustsql::equiv::explanation {

namespace {

constexpr std::size_t longest_value = 40;   // characters of a text that are shown
constexpr std::size_t most_values = 6;      // of a row
constexpr std::size_t most_named_rows = 2;  // of a result
constexpr std::size_t longest_data = 250;   // bytes of data_words()

std::string value_words(ValueView value) {
  if (value.is_null()) return "NULL";
  if (value.type == ValueType::text) return quote_for_message(value.bytes, longest_value);
  return format_value(value);
}

std::string row_words(const ResultSet& result, std::size_t row) {
  std::vector<std::string> values;
  for (std::size_t column = 0; column < std::min(result.column_count(), most_values); ++column)
    values.push_back(value_words(result.at(row, column)));
  if (result.column_count() > most_values) values.emplace_back("...");
  return "(" + join(values, ", ") + ")";
}

std::string rows_words(std::size_t count) {
  return count == 0 ? "no row" : count == 1 ? "one row" : std::to_string(count) + " rows";
}

std::string times_words(std::size_t count) {
  return count == 0 ? "not at all" : count == 1 ? "once" : count == 2 ? "twice" : std::to_string(count) + " times";
}

// A text by which a row equals another: longer than what is shown, so that two long texts stay two.
std::string row_key(const ResultSet& result, std::size_t row) {
  std::string key;
  for (std::size_t column = 0; column < result.column_count(); ++column) {
    key += format_value(result.at(row, column));
    key += result.type_at(row, column) == ValueType::text ? "'," : ",";
  }
  return key;
}

// The rows of a result, with how often each occurs.
std::map<std::string, std::size_t> counted(const ResultSet& result) {
  std::map<std::string, std::size_t> rows;
  for (std::size_t row = 0; row < result.row_count(); ++row) ++rows[row_key(result, row)];
  return rows;
}

// The rows of `result` that occur in `other` less often, in words; and how many they are.
struct OwnRows {
  std::vector<std::string> words;
  std::size_t count = 0;
};
OwnRows own_rows(const ResultSet& result, const ResultSet& other) {
  auto left = counted(other);
  OwnRows own;
  for (std::size_t row = 0; row < result.row_count(); ++row) {
    if (auto& number = left[row_key(result, row)]; number > 0) {
      --number;
      continue;
    }
    ++own.count;
    if (own.words.size() < most_named_rows) own.words.push_back(row_words(result, row));
  }
  return own;
}

std::string listed_rows(const std::vector<std::string>& rows) {
  if (rows.size() < 2) return rows.empty() ? std::string() : rows.front();
  return join(std::vector(rows.begin(), rows.end() - 1), ", ") + " and " + rows.back();
}

std::string named(const OwnRows& rows) {
  if (rows.count == 2 && rows.words.size() == 2 && rows.words[0] == rows.words[1]) return rows.words[0] + " twice";
  if (rows.count == rows.words.size()) return listed_rows(rows.words);
  return join(rows.words, ", ") + " and " + rows_words(rows.count - rows.words.size()) + " more";
}

}  // namespace

std::string result_difference_words(const ResultSet& a, const ResultSet& b, Deviations deviations,
                                    const std::string& first, const std::string& second) {
  if (a.row_count() == 0 || b.row_count() == 0) {
    const bool a_is_empty = a.row_count() == 0;
    const std::string& full_name = a_is_empty ? second : first;
    const std::string rows = named(own_rows(a_is_empty ? b : a, a_is_empty ? a : b));
    // A row that is there although there is nothing to make it from is not one that the other query misses.
    if (!deviations.has(Deviation::empty)) return "only " + full_name + " returns " + rows;
    return full_name + " returns " + rows + " and " + (a_is_empty ? first : second) + " returns no row";
  }
  if (a.row_count() == 1 && b.row_count() == 1) {
    if (a.column_count() == 1 && b.column_count() == 1)
      return first + " gives " + value_words(a.at(0, 0)) + " and " + second + " gives " + value_words(b.at(0, 0));
    return first + " returns " + row_words(a, 0) + " and " + second + " returns " + row_words(b, 0);
  }
  if (a.column_count() != b.column_count())
    return first + " returns rows such as " + row_words(a, 0) + " and " + second + " rows such as " + row_words(b, 0);
  const auto only_a = own_rows(a, b);
  const auto only_b = own_rows(b, a);
  if (only_a.count == 0 && only_b.count == 0) {
    std::size_t row = 0;
    while (row + 1 < a.row_count() && row_words(a, row) == row_words(b, row)) ++row;
    const std::string place = row == 0 ? "first" : "in row " + std::to_string(row + 1);
    return first + " returns " + row_words(a, row) + " " + place + " and " + second + " " + row_words(b, row);
  }
  if (deviations.has(Deviation::duplicates)) {
    const auto in_a = counted(a);
    const auto in_b = counted(b);
    for (std::size_t row = 0; row < std::max(a.row_count(), b.row_count()); ++row) {
      const auto& result = a.row_count() >= b.row_count() ? a : b;
      const std::string key = row_key(result, row);
      const auto times = [&](const auto& rows) {
        const auto found = rows.find(key);
        return found == rows.end() ? std::size_t{0} : found->second;
      };
      if (times(in_a) == times(in_b)) continue;
      return first + " returns " + row_words(result, row) + " " + times_words(times(in_a)) + " and " + second + " " +
             times_words(times(in_b));
    }
  }
  if (only_b.count == 0) return "only " + first + " returns " + named(only_a);
  if (only_a.count == 0) return "only " + second + " returns " + named(only_b);
  return first + " returns " + named(only_a) + " where " + second + " returns " + named(only_b);
}

std::optional<std::string> data_words(std::string_view script) {
  const auto tokens = significant_tokens(script);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (!tokens[i].is(Keyword::Insert) || !tokens[i + 1].is(Keyword::Into)) continue;
    std::size_t at = i + 2;
    std::string table(tokens[at].text(script));
    while (at + 2 < tokens.size() && tokens[at + 1].is(TokenKind::dot)) {
      at += 2;
      table = std::string(tokens[at].text(script));
    }
    ++at;
    if (at >= tokens.size() || !tokens[at].is(TokenKind::left_parenthesis)) return std::nullopt;
    std::vector<std::string> names;
    for (++at; at < tokens.size() && !tokens[at].is(TokenKind::right_parenthesis); ++at) {
      if (!tokens[at].is(TokenKind::comma)) names.emplace_back(tokens[at].text(script));
    }
    at += 2;  // VALUES
    std::vector<std::string> rows;
    while (at < tokens.size() && tokens[at].is(TokenKind::left_parenthesis)) {
      std::vector<std::string> values;
      std::size_t depth = 1;
      std::size_t begin = at + 1;
      for (++at; at < tokens.size() && depth > 0; ++at) {
        if (tokens[at].is(TokenKind::left_parenthesis)) ++depth;
        if (tokens[at].is(TokenKind::right_parenthesis)) --depth;
        if (depth == 0 || (depth == 1 && tokens[at].is(TokenKind::comma))) {
          values.emplace_back(script.substr(tokens[begin].offset, tokens[at - 1].end() - tokens[begin].offset));
          begin = at + 1;
        }
      }
      for (std::size_t column = 0; column < std::min(names.size(), values.size()); ++column)
        values[column] = names[column] + " " + values[column];
      rows.push_back("(" + join(values, ", ") + ")");
      if (at < tokens.size() && tokens[at].is(TokenKind::comma)) ++at;
    }
    parts.push_back((rows.size() == 1 ? "the row " : "the rows ") + listed_rows(rows) + " in " + table);
    i = at;
  }
  if (parts.empty()) return "on empty tables";
  std::string text = "with " + listed_rows(parts);
  if (text.size() > longest_data) return std::nullopt;
  return text;
}

std::string deviation_words(Deviations deviations) {
  std::vector<std::string_view> parts;
  if (deviations.has(Deviation::null)) parts.emplace_back("a value is NULL");
  if (deviations.has(Deviation::foreign_key)) parts.emplace_back("a foreign key refers to no row");
  if (deviations.has(Deviation::type)) parts.emplace_back("a value does not have the type that its column declares");
  if (deviations.has(Deviation::letter_case)) parts.emplace_back("texts differ in the case of their letters only");
  if (deviations.has(Deviation::empty) && parts.empty()) parts.emplace_back("there are no rows to work on");
  return parts.empty() ? std::string() : "where " + join(parts, " and ");
}

}  // namespace trustsql::equiv::explanation
