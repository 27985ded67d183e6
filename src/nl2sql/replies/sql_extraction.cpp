#include "nl2sql/replies/sql_extraction.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_release.hpp"
#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "nl2sql/replies/query_cut.hpp"
#include "sql/reply_text.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr std::size_t max_places = 16;  // positions in one text that are tried as the beginning of a query

// --- where a query begins --------------------------------------------------------------------------------------------

// Whether `text` begins with SELECT, with VALUES (, or with WITH name AS or WITH name (.
bool begins_query(std::string_view text) {
  Tokenizer tokens(text);
  auto token = tokens.next_significant();
  if (token.is(Keyword::Select)) return true;
  if (token.is(Keyword::Values)) return tokens.next_significant().is(TokenKind::left_parenthesis);
  if (!token.is(Keyword::With)) return false;
  token = tokens.next_significant();
  if (token.is(Keyword::Recursive)) token = tokens.next_significant();
  if (!token.is(TokenKind::identifier) && !token.is(TokenKind::quoted)) return false;
  token = tokens.next_significant();
  return token.is(TokenKind::left_parenthesis) || token.is(Keyword::As);
}

// Whether a token is the first word of a statement that is not a query.
bool is_other_statement(const Token& token) {
  switch (token.keyword) {
    case Keyword::Alter:
    case Keyword::Analyze:
    case Keyword::Attach:
    case Keyword::Begin:
    case Keyword::Commit:
    case Keyword::Create:
    case Keyword::Delete:
    case Keyword::Detach:
    case Keyword::Drop:
    case Keyword::Explain:
    case Keyword::Insert:
    case Keyword::Pragma:
    case Keyword::Reindex:
    case Keyword::Replace:
    case Keyword::Update:
    case Keyword::Vacuum: return true;
    default: return false;
  }
}

// Words of prose that may follow "select" but do not begin a list of columns.
bool is_article(std::string_view word) {
  constexpr auto words =
      std::to_array<std::string_view>({"a", "an", "any", "only", "one", "that", "the", "this", "those", "your"});
  return std::find(words.begin(), words.end(), to_lower_ascii(word)) != words.end();
}

// "select the name" in a sentence: not in capitals, and followed by an article and a word.
bool is_sentence(std::string_view query) {
  const auto tokens = significant_tokens(query.substr(0, 200));
  if (tokens.size() < 3 || tokens[0].text(query) == "SELECT" || !tokens[0].is(Keyword::Select)) return false;
  return is_article(tokens[1].text(query)) && tokens[2].is(TokenKind::identifier);
}

// Whether the text has something that a query has but a sentence has not: FROM, a number, a string, a star, a
// parenthesis.
bool has_substance(std::string_view query) {
  const auto tokens = significant_tokens(query);
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return token.is(Keyword::From) || token.is(TokenKind::integer) || token.is(TokenKind::real) ||
           token.is(TokenKind::string) || token.is(TokenKind::star) || token.is(TokenKind::left_parenthesis);
  });
}

// "SELECT not_answerable": an abstention in the form of a query.
bool is_disguised_abstention(std::string_view query) {
  const auto tokens = significant_tokens(query);
  if (tokens.size() != 2 || !tokens[0].is(Keyword::Select)) return false;
  std::string letters;
  for (const char c : tokens[1].text(query))
    if ((to_lower_ascii(c) >= 'a' && to_lower_ascii(c) <= 'z')) letters += to_lower_ascii(c);
  return letters == "notanswerable" || letters == "unanswerable" || letters == "cannotanswer";
}

// --- from a cut to the extracted SQL ---------------------------------------------------------------------------------

void add_note(std::string& note, std::string_view more) {
  if (!note.empty()) note += "; ";
  note += more;
}

ExtractedSql extracted(const QueryCut& cut, std::string_view after) {
  ExtractedSql result;
  if (is_disguised_abstention(cut.text)) {
    result.note = "an abstention in the form of a query";
    return result;
  }
  result.sql = cut.text;
  result.is_query = cut.parses;
  if (!cut.parses) add_note(result.note, "the query has a syntax error");
  const auto next = significant_tokens(after.substr(0, 200));
  if (!next.empty() && (begins_query(after) || is_other_statement(next.front()))) {
    add_note(result.note, "several statements; the first SELECT is used");
  } else if (!next.empty()) {
    add_note(result.note, "text after the query is left out");
  }
  return result;
}

// The first query among the statements of a block of code.
ExtractedSql from_code(std::string_view code, bool closed) {
  ExtractedSql no_query;
  while (!code.empty()) {
    // Parentheses around a whole query are not valid in SQLite; they are kept so that SQLite reports them.
    Tokenizer tokens(code);
    const Token first = tokens.next_significant();
    if (first.is(TokenKind::end)) break;
    Token word = first;
    while (word.is(TokenKind::left_parenthesis)) word = tokens.next_significant();
    if (begins_query(code.substr(word.offset))) {
      const auto query = code.substr(first.offset);
      const auto cut = closed ? cut_statement(query) : cut_from_prose(query);
      auto result = extracted(cut, query.substr(cut.end));
      if (!no_query.note.empty()) result.note = no_query.note + (result.note.empty() ? "" : "; " + result.note);
      return result;
    }
    if (no_query.note.empty())
      no_query.note = "preceded by something other than a SELECT: " + quote_for_message(code.substr(first.offset), 60);
    code.remove_prefix(cut_statement(code).end);
  }
  if (!no_query.note.empty())
    no_query.note = "no SELECT in the block of code: " + no_query.note.substr(no_query.note.find('\''));
  return no_query;
}

// The line that contains `at`, up to `at`.
std::string_view line_before(std::string_view text, std::size_t position) {
  const auto start = position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
  return text.substr(start + 1, position - start - 1);  // npos + 1 == 0
}

// Whether a query can be expected after `before`: at the start of a line, or after a colon, an opening quote or a
// semicolon.
bool is_expected_after(std::string_view before) {
  before = trim(before);
  while (!before.empty() && std::string_view("*_>- ").find(before.back()) != std::string_view::npos)
    before.remove_suffix(1);
  return before.empty() || std::string_view(":;`\"'(").find(before.back()) != std::string_view::npos ||
         before.ends_with("\uff1a");
}

// `SELECT a FROM t` in backticks, which also quote names in SQLite: the query ends at the first backtick before which
// it parses.
std::optional<QueryCut> cut_at_backtick(std::string_view text) {
  const auto line = text.substr(0, text.find('\n'));
  std::size_t backtick = 0;
  for (std::size_t tried = 0; tried < max_places && (backtick = line.find('`', backtick)) != std::string_view::npos;
       ++tried, ++backtick) {
    auto cut = cut_statement(line.substr(0, backtick));
    if (!cut.parses) continue;
    cut.end = backtick + 1;
    return cut;
  }
  return std::nullopt;
}

// The next position of SELECT, WITH or VALUES at or after `from`.
std::size_t next_place(std::string_view text, std::size_t from) {
  return std::min({find_word(text, "select", from), find_word(text, "with", from), find_word(text, "values", from)});
}

ExtractedSql from_prose(std::string_view text) {
  std::size_t start = next_place(text, 0);
  for (std::size_t tried = 0; tried < max_places && start != std::string_view::npos;
       ++tried, start = next_place(text, start + 1)) {
    const auto before = line_before(text, start);
    const bool in_parentheses = !before.empty() && before.find_first_not_of("( ") == std::string_view::npos &&
                                before.find('(') != std::string_view::npos;
    const auto query = text.substr(in_parentheses ? start - before.size() + before.find('(') : start);
    const auto line = trim(before);
    if (line.starts_with("--") || !begins_query(text.substr(start)) || is_sentence(query)) continue;
    if (!line.empty() && is_other_statement(next_token(line, 0)) && find_word(line, "explain") != 0)
      continue;  // INSERT INTO t SELECT ...
    auto cut = cut_from_prose(query);
    if (!before.empty() && before.back() == '`')
      if (const auto quoted = cut_at_backtick(query)) cut = *quoted;
    const auto word = text.substr(start);
    const bool in_capitals = word.starts_with("SELECT") || word.starts_with("WITH") || word.starts_with("VALUES");
    const bool expected = is_expected_after(before);
    const bool plausible = cut.parses ? has_substance(cut.text) || in_capitals
                                      : in_capitals || find_word(cut.text, "from") != std::string_view::npos;
    if (!plausible || (!expected && (!cut.parses || !in_capitals))) continue;
    return extracted(cut, query.substr(cut.end));
  }
  return {};
}

// --- JSON ------------------------------------------------------------------------------------------------------------

bool is_sql_key(std::string_view key) {
  constexpr auto keys =
      std::to_array<std::string_view>({"sql", "query", "sql_query", "sqlquery", "final_sql", "sqlite", "answer"});
  return std::find(keys.begin(), keys.end(), to_lower_ascii(key)) != keys.end();
}

// The text under one of these keys, empty if there is none; nullopt if `text` is not a JSON object.
std::optional<std::string> json_answer(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('{')) return std::nullopt;
  auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  const JsonRelease release(json);
  if (!json.is_object()) return std::nullopt;
  for (const auto& [key, value] : json.items())
    if (is_sql_key(key) && value.is_string()) return value.get<std::string>();
  return std::string();
}

// For {"sql": "SELECT ... that is cut off or badly quoted: the text under the key, with JSON's escapes decoded.
std::optional<std::string> broken_json_answer(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('{')) return std::nullopt;
  const auto key = find_word(text, "sql");
  if (key == std::string_view::npos || key + 3 >= text.size() || text[key + 3] != '"') return std::nullopt;
  auto quoted = trim(text.substr(key + 4));
  if (!quoted.starts_with(':')) return std::nullopt;
  quoted = trim(quoted.substr(1));
  if (!quoted.starts_with('"')) return std::nullopt;
  std::string value;
  for (std::size_t i = 1; i < quoted.size() && quoted[i] != '"'; ++i) {
    if (quoted[i] != '\\' || i + 1 == quoted.size()) {
      value += quoted[i];
      continue;
    }
    const char escaped = quoted[++i];
    value += escaped == 'n' || escaped == 'r' || escaped == 't' ? ' ' : escaped;
  }
  return value;
}

// --- whole replies ---------------------------------------------------------------------------------------------------

ExtractedSql from_text(std::string_view text, const ExtractionOptions& options);

// `text` without its fenced blocks.
std::string outside_of_blocks(std::string_view text) {
  std::string outside;
  std::size_t copied_to = 0;
  for (auto block = find_fenced_block(text); block; block = find_fenced_block(text, block->end)) {
    outside.append(text.substr(copied_to, block->begin - copied_to)).append("\n\n");
    copied_to = block->end;
  }
  return outside.append(text.substr(copied_to));
}

ExtractedSql from_blocks(std::string_view text, const ExtractionOptions& options) {
  ExtractedSql best;
  std::size_t query_count = 0;
  for (auto block = find_fenced_block(text); block; block = find_fenced_block(text, block->end)) {
    ExtractedSql extracted_sql;
    if (const auto answer = json_answer(block->content)) {
      extracted_sql = from_text(*answer, {});
    } else {
      extracted_sql = from_code(block->content, block->closed);
      if (extracted_sql.sql.empty() && options.continues_select && query_count == 0)
        extracted_sql = from_text(block->content, options);
    }
    if (extracted_sql.sql.empty()) {
      if (best.sql.empty() && !extracted_sql.note.empty()) best.note = extracted_sql.note;
      continue;
    }
    if (++query_count == 1 || options.last_block) best = std::move(extracted_sql);
  }
  if (query_count > 1)
    add_note(best.note, std::to_string(query_count) + " blocks with a query; the " +
                            (options.last_block ? "last" : "first") + " is used");
  return best;
}

// The query if `text` continues "SELECT ".
ExtractedSql continuation(std::string_view text) {
  const std::string query = "SELECT " + std::string(trim(text));
  const auto cut = cut_from_prose(query);
  if (!cut.parses || !has_substance(cut.text) || is_sentence("select" + query.substr(6))) return {};
  return extracted(cut, std::string_view(query).substr(cut.end));
}

ExtractedSql from_text(std::string_view text, const ExtractionOptions& options) {
  text = trim(text);
  if (const auto answer = json_answer(text)) return from_prose(*answer);
  if (begins_query(text)) return from_prose(text);
  if (options.continues_select) {
    if (auto result = continuation(text); !result.sql.empty()) return result;
  }
  if (const auto answer = broken_json_answer(text)) return from_prose(*answer);
  return from_prose(text);
}

}  // namespace

ExtractedSql extract_sql(std::string_view reply, const ExtractionOptions& options) {
  const bool cut_off = reply.size() > max_reply_bytes;
  const std::string valid = replace_invalid_utf8(std::string(reply.substr(0, max_reply_bytes)));
  const std::string_view text = std::string_view(valid).substr(0, valid.find('\0'));

  auto result = from_blocks(text, options);
  if (result.sql.empty()) {
    auto note = std::move(result.note);
    result = from_text(outside_of_blocks(text), options);
    if (result.sql.empty() && result.note.empty())
      result.note = note.empty() ? "no query in the reply" : std::move(note);
  }
  if (cut_off)
    add_note(result.note, "only the first " + std::to_string(max_reply_bytes) + " bytes of the reply were examined");
  return result;
}

}  // namespace trustsql::nl2sql
