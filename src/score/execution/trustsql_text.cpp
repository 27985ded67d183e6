#include "score/execution/trustsql_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "sql/query_shape.hpp"

namespace trustsql {

namespace {

// The moment at which EHRSQL's questions are asked.
constexpr std::string_view moment = "'2100-12-31 23:59:00'";
constexpr std::string_view moment_date = "'2100-12-31'";
constexpr std::string_view moment_time = "'23:59:00'";

struct VitalSign {
  std::string_view name;   // as written in queries, followed by _lower or _upper
  std::string_view lower;  // a number as SQL text
  std::string_view upper;
};
constexpr std::array<VitalSign, 7> vital_signs = {{
    {"temperature", "35.5", "38.1"},
    {"sao2", "95.0", "100.0"},
    {"heart_rate", "60.0", "100.0"},
    {"respiration", "12.0", "18.0"},
    {"systolic_bp", "90.0", "120.0"},
    {"diastolic_bp", "60.0", "90.0"},
    {"mean_bp", "60.0", "110.0"},
}};

// A change to a text: bytes [begin, end) become `replacement`.
struct Edit {
  std::size_t begin;
  std::size_t end;
  std::string replacement;
};

std::string apply_edits(std::string_view sql, const std::vector<Edit>& edits) {
  std::string result;
  std::size_t copied_to = 0;
  for (const auto& edit : edits) {
    result += sql.substr(copied_to, edit.begin - copied_to);
    result += edit.replacement;
    copied_to = edit.end;
  }
  result += sql.substr(copied_to);
  return result;
}

std::optional<std::string_view> vital_bound(std::string_view name) {
  for (const auto& sign : vital_signs) {
    if (name.size() != sign.name.size() + 6 || !equals_ignore_case(name.substr(0, sign.name.size()), sign.name))
      continue;
    if (equals_ignore_case(name.substr(sign.name.size()), "_lower")) return sign.lower;
    if (equals_ignore_case(name.substr(sign.name.size()), "_upper")) return sign.upper;
  }
  return std::nullopt;
}

// NOW(), CURDATE() and CURTIME(), which exist in MySQL but not in SQLite.
std::optional<std::string_view> clock_function(std::string_view name) {
  if (equals_ignore_case(name, "now")) return moment;
  if (equals_ignore_case(name, "curdate")) return moment_date;
  if (equals_ignore_case(name, "curtime")) return moment_time;
  return std::nullopt;
}

// The significant tokens of a text, followed by tokens of kind `end`.
class Tokens {
 public:
  explicit Tokens(std::string_view sql) : sql_(sql), tokens_(significant_tokens(sql)) {}
  std::size_t size() const { return tokens_.size(); }
  Token at(std::size_t i) const { return i < tokens_.size() ? tokens_[i] : Token{}; }
  std::string_view text(std::size_t i) const { return at(i).text(sql_); }
  std::span<const Token> all() const { return tokens_; }

 private:
  std::string_view sql_;
  std::vector<Token> tokens_;
};

// The replacement of token i (and those up to `last`) in an EHRSQL query, if it has one.
std::optional<std::string> ehrsql_replacement(const Tokens& tokens, std::size_t i, std::size_t& last) {
  const Token token = tokens.at(i);
  last = i;
  if (token.is(Keyword::CurrentTime) || token.is(Keyword::CurrentTimestamp)) return std::string(moment);
  if (token.is(Keyword::CurrentDate)) return std::string(moment_date);
  if (token.is(TokenKind::string)) {
    if (equals_ignore_case(tokens.text(i), "'now'")) return std::string(moment);
    const bool format = i >= 2 && tokens.at(i - 1).is(TokenKind::left_parenthesis) &&
                        equals_ignore_case(tokens.text(i - 2), "strftime");
    if (!format) return std::nullopt;
    std::string text(tokens.text(i));
    for (std::size_t k = 0; k + 1 < text.size(); ++k)
      if (text[k] == '%' && (text[k + 1] == 'y' || text[k + 1] == 'j')) text[k + 1] = text[k + 1] == 'y' ? 'Y' : 'J';
    return text;
  }
  if (!token.is(TokenKind::identifier)) return std::nullopt;
  if (const auto bound = vital_bound(tokens.text(i)); bound && !(i > 0 && tokens.at(i - 1).is(TokenKind::dot)))
    return std::string(*bound);
  if (const auto clock = clock_function(tokens.text(i));
      clock && tokens.at(i + 1).is(TokenKind::left_parenthesis) && tokens.at(i + 2).is(TokenKind::right_parenthesis)) {
    last = i + 2;
    return std::string(*clock);
  }
  return std::nullopt;
}

std::string fix_ehrsql(std::string_view sql) {
  const Tokens tokens(sql);
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::size_t last = i;
    if (auto replacement = ehrsql_replacement(tokens, i, last)) {
      edits.push_back({tokens.at(i).offset, tokens.at(last).end(), std::move(*replacement)});
      i = last;
    }
  }
  return apply_edits(sql, edits);
}

bool begins_with_distinct(std::string_view sql) {
  const auto list = outermost_select_list(significant_tokens(sql));
  return list && list->distinct;
}

std::string insert_distinct(std::string_view sql) {
  const Tokens tokens(sql);
  const auto list = outermost_select_list(tokens.all());
  if (!list || list->distinct) return std::string(sql);
  const Token before = tokens.at(list->begin - 1);  // SELECT, or the ALL after it
  if (before.is(Keyword::All)) return apply_edits(sql, {{before.offset, before.end(), "DISTINCT"}});
  return apply_edits(sql, {{before.end(), before.end(), " DISTINCT"}});
}

}  // namespace

std::string trustsql_gold(std::string_view gold, TrustsqlDataset dataset) {
  return dataset == TrustsqlDataset::ehrsql ? fix_ehrsql(gold) : std::string(gold);
}

std::string trustsql_prediction(std::string_view prediction, std::string_view gold, TrustsqlDataset dataset) {
  if (dataset == TrustsqlDataset::spider) return std::string(prediction);
  const std::string sql = dataset == TrustsqlDataset::ehrsql ? fix_ehrsql(prediction) : std::string(prediction);
  return begins_with_distinct(gold) ? insert_distinct(sql) : sql;
}

}  // namespace trustsql
