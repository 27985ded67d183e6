#include "nl2sql/content/example_pool.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "link/word_split.hpp"

namespace trustsql::nl2sql {

namespace {

// A word without the ending of its plural.
std::string singular(std::string word) {
  if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) word.pop_back();
  return word;
}

// The words in the names and values of a query.
std::set<std::string> words_of_query(std::string_view sql) {
  std::set<std::string> words;
  for (const auto& token : significant_tokens(sql)) {
    if (!token.is(TokenKind::identifier) && !token.is(TokenKind::quoted) && !token.is(TokenKind::string)) continue;
    for (auto& word : link::split_words(token.text(sql))) words.insert(singular(std::move(word)));
  }
  return words;
}

bool is_word_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

// The end of the quoted text that begins at `begin`; `begin` itself if there is none. An apostrophe within a word does
// not count.
std::size_t end_of_quotation(std::string_view text, std::size_t begin) {
  const char mark = text[begin];
  if (mark != '"' && mark != '\'' && mark != '`') return begin;
  if (begin > 0 && is_word_byte(text[begin - 1])) return begin;
  const auto close = text.find(mark, begin + 1);
  return close == std::string_view::npos ? begin : close + 1;
}

}  // namespace

std::string mask_question(std::string_view question, std::optional<std::string_view> sql) {
  constexpr std::string_view mark = "_";
  const auto masked_words = sql ? words_of_query(*sql) : std::set<std::string>();
  std::string masked;
  const auto add_mark = [&] {
    // Adjacent masked words share one mark, such as the words of one name.
    auto kept = std::string_view(masked);
    while (!kept.empty() && is_space(kept.back())) kept.remove_suffix(1);
    if (kept.ends_with(mark)) {
      masked.resize(kept.size());
    } else {
      masked += mark;
    }
  };
  for (std::size_t position = 0; position < question.size();) {
    if (const auto end = end_of_quotation(question, position); end != position) {
      add_mark();
      position = end;
    } else if (is_word_byte(question[position])) {
      const auto begin = position;
      while (position < question.size() &&
             (is_word_byte(question[position]) ||
              (question[position] == '.' && position + 1 < question.size() && is_word_byte(question[position + 1]))))
        ++position;
      const auto word = question.substr(begin, position - begin);
      if (std::isdigit(static_cast<unsigned char>(word.front())) != 0 ||
          masked_words.count(singular(to_lower_ascii(word))) != 0) {
        add_mark();
      } else {
        masked += word;
      }
    } else {
      masked += question[position++];
    }
  }
  return masked;
}

std::vector<std::string> query_words(std::string_view sql) {
  std::vector<std::string> words;
  const auto tokens = significant_tokens(sql);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    const bool called =
        token.is(TokenKind::identifier) && i + 1 < tokens.size() && tokens[i + 1].is(TokenKind::left_parenthesis);
    switch (token.kind) {
      case TokenKind::identifier:
      case TokenKind::quoted:
      case TokenKind::string:
      case TokenKind::blob:
      case TokenKind::integer:
      case TokenKind::real:
      case TokenKind::variable:
        if (called) words.push_back(to_lower_ascii(token.text(sql)));
        if (!called && (words.empty() || words.back() != "_")) words.emplace_back("_");
        break;
      case TokenKind::dot:  // t.a is one name
      case TokenKind::semicolon: break;
      default: words.push_back(to_lower_ascii(token.text(sql)));
    }
  }
  return words;
}

WordBag word_bag(const std::vector<std::string>& words) {
  WordBag bag;
  bag.reserve(words.size());
  for (const auto& word : words) bag.push_back(hash_bytes(word, 0));
  std::sort(bag.begin(), bag.end());
  return bag;
}

double word_similarity(const WordBag& a, const WordBag& b) {
  std::size_t common = 0;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    if (*left == *right) ++common;
    const bool left_first = *left <= *right;
    const bool right_first = *right <= *left;
    if (left_first) ++left;
    if (right_first) ++right;
  }
  const auto distinct = a.size() + b.size() - common;
  return distinct == 0 ? 1 : static_cast<double>(common) / static_cast<double>(distinct);
}

ExamplePool::ExamplePool(std::vector<Example> examples, OpenSchema open_schema)
    : examples_(std::move(examples)), open_schema_(std::move(open_schema)) {
  for (std::size_t i = 0; i < examples_.size(); ++i)
    if (!is_own(i)) others_[examples_[i].database].push_back(i);
}

Result<std::vector<Example>> ExamplePool::read(RowSource& source) {
  TRUSTSQL_ASSIGN_OR_RETURN(const int question, source.require("question"));
  const auto gold = source.find("gold");
  const auto sql = source.find("sql") ? source.find("sql") : gold;
  if (!sql) TRUSTSQL_RETURN_IF_ERROR(source.require("sql"));
  const auto database = source.find("db") ? source.find("db") : source.find("database");
  const auto schema = source.find("schema");
  const auto type = source.find("type");
  const auto text = [&](std::optional<int> column) {
    return column && !source.at(*column).is_null() ? format_value(source.at(*column)) : std::string();
  };

  std::vector<Example> examples;
  std::size_t bytes = 0;
  for (;;) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, source.next());
    if (!more) return examples;
    if (source.at(question).is_null()) continue;
    Example example{
        .question = text(question), .sql = {}, .database = text(database), .schema = text(schema), .type = text(type)};
    if (!source.at(*sql).is_null()) example.sql = text(sql);
    bytes += example.question.size() + example.database.size() + example.schema.size() +
             (example.sql ? example.sql->size() : 0) + sizeof(Example);
    if (examples.size() == max_examples || bytes > max_bytes) {
      return limit_exceeded("there are more than " + std::to_string(max_examples) + " examples, or more than " +
                            std::to_string(max_bytes) + " bytes of them; name a query that selects fewer");
    }
    examples.push_back(std::move(example));
  }
}

Result<std::shared_ptr<const std::vector<link::Vector>>> ExamplePool::vectors(bool masked, link::Embedder& embedder,
                                                                              const llm::RequestContext& call) const {
  const std::lock_guard lock(mutex_);
  auto& cached = vectors_[{masked, embedder.name()}];
  const bool fits =
      cached && (embedder.dimensions() == 0 || cached->empty() || cached->front().size() == embedder.dimensions());
  if (!fits) {
    std::vector<std::string> texts;
    texts.reserve(examples_.size());
    for (const auto& example : examples_)
      texts.push_back(masked ? mask_question(example.question, example.sql) : example.question);
    TRUSTSQL_ASSIGN_OR_RETURN(auto vectors, embedder.embed(texts, call));
    cached = std::make_shared<const std::vector<link::Vector>>(std::move(vectors));
  }
  return cached;
}

const std::vector<WordBag>& ExamplePool::words() const {
  const std::lock_guard lock(mutex_);
  if (!words_) {
    words_.emplace();
    for (const auto& example : examples_) words_->push_back(word_bag(query_words(example.sql.value_or(""))));
  }
  return *words_;
}

Result<std::shared_ptr<const semparse::ExampleModel>> ExamplePool::learned(const std::function<bool()>& stop) const {
  const std::lock_guard lock(learned_mutex_);
  if (learned_) return learned_;
  std::vector<semparse::LearnedExample> own;
  for (std::size_t i = 0; i < examples_.size(); ++i)
    if (is_own(i)) own.push_back({examples_[i].question, examples_[i].sql, examples_[i].type});
  if (own.empty()) return learned_;
  TRUSTSQL_ASSIGN_OR_RETURN(learned_, semparse::ExampleModel::learn(std::move(own), {}, stop));
  return learned_;
}

Result<std::string> ExamplePool::schema(const std::string& database, SchemaStyle style, bool with_values,
                                        const llm::RequestContext& call) const {
  const auto indices = others_.find(database);
  if (indices == others_.end()) return std::string();
  const auto described = std::find_if(indices->second.begin(), indices->second.end(),
                                      [&](std::size_t i) { return !examples_[i].schema.empty(); });
  if (described == indices->second.end()) return std::string();
  const auto& ddl = examples_[*described].schema;

  const std::lock_guard lock(mutex_);
  const SchemaKey key{database, style, with_values};
  if (const auto cached = schemas_.find(key); cached != schemas_.end()) return cached->second;
  const auto read = [&]() -> Result<std::string> {
    if (!open_schema_) return query_failed("there is no way to read DDL here");
    TRUSTSQL_ASSIGN_OR_RETURN(const auto source, open_schema_(ddl));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, source->catalog());
    const auto subset = SchemaSubset::all(*catalog);
    if (style != SchemaStyle::create_table_select_col3 || !with_values) return schema_text(*catalog, subset, style);
    TRUSTSQL_ASSIGN_OR_RETURN(auto reader, ContentReader::open(*source, *catalog, content_, call.stop));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto values, read_column_values(reader, subset));
    return schema_text(*catalog, subset, style, &values);
  };
  auto text = read();
  if (!text.ok() && text.error().code == ErrorCode::interrupted) return std::move(text).error();
  // DDL that cannot be parsed is shown as text only if values may be sent, since it may contain INSERTs.
  return schemas_.emplace(key, text.ok() ? std::move(text).value() : with_values ? ddl : std::string()).first->second;
}

}  // namespace trustsql::nl2sql
