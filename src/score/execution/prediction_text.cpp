#include "score/execution/prediction_text.hpp"

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "sql/reply_text.hpp"

namespace trustsql {

namespace {

// "it's" as 'it''s'.
std::string requote(std::string_view quoted) {
  std::string content;
  const auto inner = quoted.substr(1, quoted.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    content += inner[i];
    if (inner[i] == '"') ++i;  // a doubled quote stands for one
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

std::optional<std::string> clean_prediction(std::string_view text, const PredictionCleaning& steps) {
  if (steps.fence) {
    if (const auto block = find_fenced_block(text)) text = block->content;
  }
  if (steps.abstain && find_word(text, "select") == std::string_view::npos) return std::nullopt;
  std::string sql(text);
  if (steps.quotes) sql = unify_quotes(sql);
  if (steps.space) sql = fold_space(sql);
  return sql;
}

}  // namespace trustsql
