#include "score/execution/trustsql_match.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "score/execution/python_value.hpp"
#include "sql/query_shape.hpp"

namespace trustsql {

namespace {

constexpr std::size_t compared_rows = 100;

using TextRow = std::vector<std::string>;

std::optional<double> as_number(ValueView value, TrustsqlDataset dataset) {
  switch (value.type) {
    case ValueType::null: return std::nullopt;
    case ValueType::integer: return static_cast<double>(value.integer);
    case ValueType::real: return value.real;
    case ValueType::text:
      if (dataset == TrustsqlDataset::advising) {
        if (value.bytes == "N" || value.bytes == "No") return 0.0;
        if (value.bytes == "Y" || value.bytes == "Yes") return 1.0;
      }
      return python_float(value.bytes);
    case ValueType::blob: return python_float(value.bytes);
  }
  return std::nullopt;
}

// The rows of a result that are compared, in order.
std::multiset<TextRow> first_rows(const ResultSet& result, TrustsqlDataset dataset) {
  std::multiset<TextRow> first;
  for (std::size_t r = 0; r < result.row_count(); ++r) {
    TextRow row;
    row.reserve(result.column_count());
    for (std::size_t j = 0; j < result.column_count(); ++j) {
      const auto value = result.at(r, j);
      const auto number = as_number(value, dataset);
      row.push_back(number ? python_float_str(python_round3(*number)) : python_str(value));
    }
    if (first.size() == compared_rows && row >= *first.rbegin()) continue;
    first.insert(std::move(row));
    if (first.size() > compared_rows) first.erase(std::prev(first.end()));
  }
  return first;
}

bool is_count(const std::vector<Token>& tokens, std::size_t i, std::string_view sql) {
  return i + 1 < tokens.size() && tokens[i].is(TokenKind::identifier) &&
         equals_ignore_case(tokens[i].text(sql), "count") && tokens[i + 1].is(TokenKind::left_parenthesis);
}

struct CountForm {
  bool anywhere = false;    // the select list calls COUNT
  bool above_zero = false;  // it is COUNT(...) > 0
};

CountForm count_form(std::string_view sql) {
  const auto tokens = significant_tokens(sql);
  const auto list = outermost_select_list(tokens);
  CountForm form;
  if (!list) return form;
  for (std::size_t i = list->begin; i < list->end; ++i) form.anywhere = form.anywhere || is_count(tokens, i, sql);
  if (list->end - list->begin < 5 || !is_count(tokens, list->begin, sql)) return form;
  std::size_t i = list->begin + 2;
  for (int depth = 1; i < list->end && depth > 0; ++i) {
    if (tokens[i].is(TokenKind::left_parenthesis)) ++depth;
    if (tokens[i].is(TokenKind::right_parenthesis)) --depth;
  }
  form.above_zero = i + 2 <= list->end && tokens[i].is(TokenKind::greater) && tokens[i + 1].text(sql) == "0" &&
                    (i + 2 == list->end || tokens[i + 2].is(Keyword::As));
  return form;
}

// A row that consists of a number.
TextRow number_row(double number) { return {python_float_str(number)}; }

// The answer that some rows give to a question that is answered yes or no: no (0) if they have a single value, which is
// 0 or NULL, or if there are none; else yes (1).
TextRow yes_or_no(const std::multiset<TextRow>& rows) {
  if (rows.empty()) return number_row(0);
  const TextRow& first = *rows.begin();
  const bool is_zero = first == number_row(0.0) || first == number_row(-0.0);
  const bool is_null = first == TextRow{python_str(ValueView::null())};
  return (is_zero || is_null) && first == *rows.rbegin() ? number_row(0) : number_row(1);
}

// What is compared of a result.
std::multiset<TextRow> answer(const ResultSet& result, TrustsqlDataset dataset, const CountForm& count) {
  auto rows = first_rows(result, dataset);
  if (count.above_zero) return {yes_or_no(rows)};
  if (count.anywhere && rows.empty()) rows.insert(number_row(0));
  return rows;
}

}  // namespace

bool trustsql_match(const ResultSet& gold, const ResultSet& prediction, std::string_view gold_sql,
                    TrustsqlDataset dataset) {
  const CountForm count = count_form(gold_sql);
  return answer(gold, dataset, count) == answer(prediction, dataset, count);
}

}  // namespace trustsql
