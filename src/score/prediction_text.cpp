#include "score/prediction_text.hpp"

#include "base/text.hpp"
#include "sql/token.hpp"

namespace trustsql {

namespace {

bool is_word_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// Looked for in the bare text, not among SQL tokens: prose has apostrophes, which would begin strings.
bool mentions_select(std::string_view text) {
  constexpr std::string_view word = "select";
  for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
    if (!equals_ignore_case(text.substr(at, word.size()), word)) continue;
    const bool begins = at == 0 || !is_word_byte(text[at - 1]);
    const bool ends = at + word.size() == text.size() || !is_word_byte(text[at + word.size()]);
    if (begins && ends) return true;
  }
  return false;
}

std::string_view unwrap_fence(std::string_view text) {
  constexpr std::string_view fence = "```";
  const std::size_t open = text.find(fence);
  if (open == std::string_view::npos) return text;
  std::string_view block = text.substr(open + fence.size());
  block = block.substr(0, block.find(fence));
  // The language is what the opening line says where the query stands below it, or a leading "sql".
  if (const std::size_t line_end = block.find_first_of("\r\n"); line_end != std::string_view::npos) {
    const auto line = trim(block.substr(0, line_end));
    const bool begins_query = equals_ignore_case(line, "select") || equals_ignore_case(line, "with") || equals_ignore_case(line, "values");
    if (!begins_query && line.find(' ') == std::string_view::npos && !trim(block.substr(line_end)).empty()) return trim(block.substr(line_end));
  }
  for (const std::string_view language : {"sqlite", "sql"})
    if (block.size() > language.size() && equals_ignore_case(block.substr(0, language.size()), language) && is_space(block[language.size()]))
      return trim(block.substr(language.size()));
  return trim(block);
}

// "it's" as 'it''s'.
std::string requote(std::string_view quoted) {
  std::string content;
  const auto inner = quoted.substr(1, quoted.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    content += inner[i];
    if (inner[i] == '"') ++i;  // a doubled mark stands for one
  }
  return quote_string(content);
}

std::string unify_quotes(std::string_view sql) {
  std::string result;
  Tokenizer tokens(sql);
  std::size_t end = 0;
  for (Token token = tokens.next(); token.kind != TokenKind::end; token = tokens.next()) {
    const auto text = token.text(sql);
    if (token.kind == TokenKind::quoted && text.front() == '"') {
      result += requote(text);
    } else {
      result += text;
    }
    end = token.end();
  }
  result += sql.substr(end);  // from a NUL byte on
  return result;
}

std::string fold_space(std::string_view sql) {
  std::string result;
  Tokenizer tokens(sql);
  bool pending = false;
  std::size_t end = 0;
  for (Token token = tokens.next(); token.kind != TokenKind::end; token = tokens.next()) {
    end = token.end();
    if (token.is_blank()) {
      pending = true;
      continue;
    }
    if (pending && !result.empty()) result += ' ';
    pending = false;
    result += token.text(sql);
  }
  result += sql.substr(end);  // from a NUL byte on
  return result;
}

}  // namespace

Result<PredictionCleaning> parse_cleaning(const std::vector<std::string>& names) {
  PredictionCleaning steps;
  for (const auto& name : names) {
    if (name == "fence") {
      steps.fence = true;
    } else if (name == "quotes") {
      steps.quotes = true;
    } else if (name == "space") {
      steps.space = true;
    } else if (name == "abstain") {
      steps.abstain = true;
    } else {
      return invalid_argument("option 'clean' lists any of fence, quotes, space, abstain, not " + quote_for_message(name));
    }
  }
  return steps;
}

std::optional<std::string> clean_prediction(std::string_view text, const PredictionCleaning& steps) {
  if (steps.fence) text = unwrap_fence(text);
  if (steps.abstain && !mentions_select(text)) return std::nullopt;
  std::string sql(text);
  if (steps.quotes) sql = unify_quotes(sql);
  if (steps.space) sql = fold_space(sql);
  return sql;
}

}  // namespace trustsql
