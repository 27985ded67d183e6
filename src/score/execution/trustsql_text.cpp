#include "score/execution/trustsql_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
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

// The edits must not overlap.
std::string apply_edits(std::string_view sql, std::vector<Edit> edits) {
  std::ranges::sort(edits, {}, &Edit::begin);
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
  // Whether token i is the name of a function that is called.
  bool is_call(std::size_t i, std::string_view name) const {
    return at(i).is(TokenKind::identifier) && equals_ignore_case(text(i), name) &&
           at(i + 1).is(TokenKind::left_parenthesis);
  }
  // The token after the parenthesis that closes the one at i, or the token after the last one.
  std::size_t behind_parenthesis(std::size_t i) const {
    long depth = 0;
    for (; i < size(); ++i) {
      if (at(i).is(TokenKind::left_parenthesis)) ++depth;
      if (at(i).is(TokenKind::right_parenthesis) && --depth == 0) return i + 1;
    }
    return i;
  }

 private:
  std::string_view sql_;
  std::vector<Token> tokens_;
};

// A unit of INTERVAL in MySQL, as a modifier of SQLite's date functions.
struct IntervalUnit {
  std::string_view name;
  int factor;
  std::string_view modifier;
};
constexpr std::array<IntervalUnit, 8> interval_units = {{
    {"second", 1, " second"},
    {"minute", 1, " minute"},
    {"hour", 1, " hour"},
    {"day", 1, " day"},
    {"week", 7, " day"},
    {"month", 1, " month"},
    {"quarter", 3, " month"},
    {"year", 1, " year"},
}};

const IntervalUnit* find_interval_unit(std::string_view name) {
  const auto* unit =
      std::ranges::find_if(interval_units, [&](const IntervalUnit& u) { return equals_ignore_case(name, u.name); });
  return unit == interval_units.end() ? nullptr : unit;
}

// Where DATE_SUB(date, INTERVAL amount unit) has its parts, as indices of tokens.
struct DateCall {
  std::size_t interval;
  std::size_t amount;
  std::size_t unit;
};

// The call of DATE_SUB or DATE_ADD whose name is token i; nullopt if it has another form.
std::optional<DateCall> read_date_call(const Tokens& tokens, std::size_t i) {
  const std::size_t end = tokens.behind_parenthesis(i + 1);  // tokens.size() also if the parenthesis stays open
  if (!tokens.at(end - 1).is(TokenKind::right_parenthesis)) return std::nullopt;
  long depth = 0;
  for (std::size_t k = i + 1; k < end; ++k) {
    if (tokens.at(k).is(TokenKind::left_parenthesis)) ++depth;
    if (tokens.at(k).is(TokenKind::right_parenthesis)) --depth;
    if (depth != 1 || !tokens.at(k).is(TokenKind::comma)) continue;
    const DateCall call = {k + 1, k + 2, end - 2};
    const bool complete = k > i + 2 && call.unit > call.amount && equals_ignore_case(tokens.text(k + 1), "interval") &&
                          find_interval_unit(tokens.text(call.unit)) != nullptr;
    return complete ? std::optional(call) : std::nullopt;
  }
  return std::nullopt;
}

// The amount as a number, if it is written as one, possibly in quotes: 1, -1, '1'.
std::optional<std::int64_t> literal_amount(const Tokens& tokens, const DateCall& call) {
  const bool negative = tokens.at(call.amount).is(TokenKind::minus);
  const std::size_t i = call.amount + (negative ? 1 : 0);
  if (i + 1 != call.unit) return std::nullopt;
  auto digits = tokens.text(i);
  if (tokens.at(i).is(TokenKind::string)) digits = digits.substr(1, digits.size() - 2);
  std::int32_t amount = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), amount);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return negative ? -std::int64_t{amount} : std::int64_t{amount};
}

// DATE_SUB(x, INTERVAL 2 YEAR) becomes datetime(x, '-2 year'); an amount that is an expression e is computed:
// datetime(x, (-(e)) || ' year').
void translate_date_call(const Tokens& tokens, std::size_t i, std::vector<Edit>& edits) {
  const bool subtracts = tokens.is_call(i, "date_sub");
  if (!subtracts && !tokens.is_call(i, "date_add")) return;
  const auto call = read_date_call(tokens, i);
  if (!call) return;
  const auto& unit = *find_interval_unit(tokens.text(call->unit));
  const Token interval = tokens.at(call->interval);
  const Token unit_name = tokens.at(call->unit);
  edits.push_back({tokens.at(i).offset, tokens.at(i).end(), "datetime"});
  if (const auto amount = literal_amount(tokens, *call)) {
    const std::int64_t added = (subtracts ? -*amount : *amount) * unit.factor;
    std::string modifier = (added < 0 ? "'" : "'+") + std::to_string(added);
    edits.push_back({interval.offset, unit_name.end(), modifier.append(unit.modifier) + "'"});
    return;
  }
  const std::string factor = std::to_string(subtracts ? -unit.factor : unit.factor);
  edits.push_back({interval.offset, interval.end(), "(" + factor + " * ("});
  edits.push_back({unit_name.offset, unit_name.end(), ")) || '" + std::string(unit.modifier) + "'"});
}

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
    translate_date_call(tokens, i, edits);
    std::size_t last = i;
    if (auto replacement = ehrsql_replacement(tokens, i, last)) {
      edits.push_back({tokens.at(i).offset, tokens.at(last).end(), std::move(*replacement)});
      i = last;
    }
  }
  return apply_edits(sql, std::move(edits));
}

// A call of COUNT in the outermost select list.
struct CountCall {
  std::size_t argument;  // index of the first token behind the parenthesis
  bool distinct;         // COUNT(DISTINCT ...)
  bool takes_distinct;   // its value may change if DISTINCT is inserted, and it stays valid
};

// The calls of COUNT in the outermost select list, those in its subqueries excepted.
std::vector<CountCall> listed_counts(const Tokens& tokens, const SelectList& list) {
  std::vector<CountCall> calls;
  for (std::size_t i = list.begin; i < list.end; ++i) {
    if (tokens.at(i).is(TokenKind::left_parenthesis) &&
        (tokens.at(i + 1).is(Keyword::Select) || tokens.at(i + 1).is(Keyword::With))) {
      i = tokens.behind_parenthesis(i) - 1;
      continue;
    }
    if (!tokens.is_call(i, "count")) continue;
    const Token argument = tokens.at(i + 2);
    CountCall call = {.argument = i + 2, .distinct = argument.is(Keyword::Distinct), .takes_distinct = false};
    std::size_t behind = tokens.behind_parenthesis(i + 1);
    if (equals_ignore_case(tokens.text(behind), "filter")) behind = tokens.behind_parenthesis(behind + 1);
    const bool window = equals_ignore_case(tokens.text(behind), "over");  // there, SQLite has no DISTINCT
    call.takes_distinct = !call.distinct && !window && !argument.is(TokenKind::star) &&
                          !argument.is(TokenKind::right_parenthesis) && !argument.is(TokenKind::end);
    calls.push_back(call);
  }
  return calls;
}

bool has_distinct(const std::vector<CountCall>& calls) {
  return std::ranges::any_of(calls, [](const CountCall& call) { return call.distinct; });
}

// DISTINCT in front of token i; it replaces an ALL there or before.
Edit distinct_before(const Tokens& tokens, std::size_t i) {
  for (const std::size_t k : {i - 1, i})
    if (tokens.at(k).is(Keyword::All)) return {tokens.at(k).offset, tokens.at(k).end(), "DISTINCT"};
  return {tokens.at(i).offset, tokens.at(i).offset, "DISTINCT "};
}

// Inserts DISTINCT into `sql` where `gold` has it in its select list and `sql` does not.
std::string insert_distinct(std::string_view sql, std::string_view gold) {
  const Tokens gold_tokens(gold);
  const auto gold_list = outermost_select_list(gold_tokens.all());
  if (!gold_list) return std::string(sql);
  const Tokens tokens(sql);
  const auto list = outermost_select_list(tokens.all());
  if (!list) return std::string(sql);
  std::vector<Edit> edits;
  if (gold_list->distinct && !list->distinct && list->begin < tokens.size())
    edits.push_back(distinct_before(tokens, list->begin));
  const auto calls = listed_counts(tokens, *list);
  if (has_distinct(listed_counts(gold_tokens, *gold_list)) && !has_distinct(calls)) {
    for (const auto& call : calls)
      if (call.takes_distinct) edits.push_back(distinct_before(tokens, call.argument));
  }
  return apply_edits(sql, std::move(edits));
}

}  // namespace

std::string_view dataset_name(TrustsqlDataset dataset) {
  switch (dataset) {
    case TrustsqlDataset::atis: return "atis";
    case TrustsqlDataset::advising: return "advising";
    case TrustsqlDataset::ehrsql: return "ehrsql";
    case TrustsqlDataset::spider: return "spider";
  }
  return "";
}

std::optional<TrustsqlDataset> find_dataset(std::string_view name) {
  using enum TrustsqlDataset;
  for (const auto dataset : {atis, advising, ehrsql, spider})
    if (equals_ignore_case(name, dataset_name(dataset))) return dataset;
  return std::nullopt;
}

std::string trustsql_gold(std::string_view gold, TrustsqlDataset dataset) {
  return dataset == TrustsqlDataset::ehrsql ? fix_ehrsql(gold) : std::string(gold);
}

std::string trustsql_prediction(std::string_view prediction, std::string_view gold, TrustsqlDataset dataset) {
  if (dataset == TrustsqlDataset::spider) return std::string(prediction);
  const std::string sql = dataset == TrustsqlDataset::ehrsql ? fix_ehrsql(prediction) : std::string(prediction);
  return insert_distinct(sql, gold);
}

}  // namespace trustsql
