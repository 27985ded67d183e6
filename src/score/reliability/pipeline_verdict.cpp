#include "score/reliability/pipeline_verdict.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"

namespace trustsql {

namespace {

constexpr std::array<std::string_view, 2> feasible_labels = {"answerable", "feasible"};
constexpr std::array<std::string_view, 12> infeasible_labels = {
    "not-answerable", "unanswerable", "infeasible", "column-surface", "column-related", "column-unrelated",
    "non-sql",        "ext-know",     "small-talk", "ambiguous",      "lack-of-data",   "unanswerable-by-sql"};

// Lower case, words joined by '-'.
std::string normalised(std::string_view label) {
  std::string text = to_lower_ascii(trim(label));
  for (char& c : text)
    if (c == ' ' || c == '_') c = '-';
  return text;
}

template <class Labels>
bool contains(const Labels& labels, std::string_view label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

Error unknown(std::string_view column, ValueView value, std::string_view allowed) {
  return invalid_argument(std::string(column) + " must be " + std::string(allowed) + ", not " +
                          quote_for_message(format_value(value), 60));
}

std::optional<bool> zero_or_one(ValueView value) {
  if (value.type == ValueType::integer && (value.integer == 0 || value.integer == 1)) return value.integer == 1;
  return std::nullopt;
}

}  // namespace

Result<std::optional<bool>> parse_cls_verdict(ValueView value) {
  if (value.is_null()) return std::optional<bool>();
  if (const auto number = zero_or_one(value)) return number;
  const std::string label = value.type == ValueType::text ? normalised(value.bytes) : std::string();
  if (contains(feasible_labels, label)) return std::optional(true);
  if (contains(infeasible_labels, label)) return std::optional(false);
  return unknown("cls", value, "answerable or not_answerable (or a kind of infeasible question), 1 or 0");
}

Result<std::optional<bool>> parse_error_verdict(ValueView value) {
  if (value.is_null()) return std::optional<bool>();
  if (const auto number = zero_or_one(value)) return number;
  const std::string label = value.type == ValueType::text ? normalised(value.bytes) : std::string();
  if (label == "correct") return std::optional(false);
  if (label == "incorrect") return std::optional(true);
  return unknown("error", value, "correct or incorrect, 0 or 1 (1: an error was found)");
}

}  // namespace trustsql
