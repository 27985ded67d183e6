#include "equiv/similarity/words.hpp"

#include <algorithm>

#include "base/sql_token.hpp"
#include "base/text.hpp"

namespace trustsql {

namespace {

constexpr std::size_t max_different_ngrams = 4'000'000;
constexpr char separator = '\x1f';  // between the words of a key

std::string to_upper_ascii(std::string_view text) {
  std::string upper(text);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

Word word(const Token& token, std::string_view sql) {
  const std::string_view text = token.text(sql);
  switch (token.kind) {
    case TokenKind::keyword: return {to_upper_ascii(text), true, true};
    case TokenKind::identifier: return {to_lower_ascii(text), false, false};
    case TokenKind::quoted: return {to_lower_ascii(text.substr(1, text.size() - 2)), false, false};
    case TokenKind::string:
    case TokenKind::blob:
    case TokenKind::integer:
    case TokenKind::real:
    case TokenKind::variable:
    case TokenKind::illegal: return {std::string(text), false, false};
    case TokenKind::equal: return {"=", true, false};
    case TokenKind::not_equal: return {"!=", true, false};
    default: return {std::string(text), true, false};
  }
}

}  // namespace

Result<std::vector<Word>> words(std::string_view sql, int version) {
  if (sql.find('\0') != std::string_view::npos) return invalid_argument("the query contains a NUL character");
  std::vector<Word> result;
  Tokenizer tokenizer(sql, version);
  for (Token token = tokenizer.next_significant(); token.kind != TokenKind::end; token = tokenizer.next_significant()) {
    if (token.is(TokenKind::semicolon)) continue;
    if (result.size() == max_words)
      return limit_exceeded("the query has more than " + std::to_string(max_words) + " words");
    result.push_back(word(token, sql));
  }
  return result;
}

Result<WordsOfPair> words_of_pair(std::string_view reference, std::string_view candidate, int version) {
  auto a = words(reference, version);
  if (!a.ok()) return std::move(a).error().with_prefix("a");
  auto b = words(candidate, version);
  if (!b.ok()) return std::move(b).error().with_prefix("b");
  return WordsOfPair{std::move(*a), std::move(*b)};
}

std::string ngram_key(const std::vector<Word>& words, std::size_t first, std::size_t n) {
  std::string key;
  for (std::size_t i = first; i < first + n; ++i) {
    if (i > first) key += separator;
    key += words[i].text;
  }
  return key;
}

Status NgramCounter::add(std::string_view sql, int version) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto all, words(sql, version));
  for (std::size_t n = 1; n <= static_cast<std::size_t>(max_n_); ++n)
    for (std::size_t i = 0; i + n <= all.size(); ++i) ++counts_[ngram_key(all, i, n)];
  if (counts_.size() > max_different_ngrams)
    return limit_exceeded("the corpus has more than " + std::to_string(max_different_ngrams) +
                          " different n-grams; name a smaller one");
  return ok_status();
}

std::unordered_set<std::string> NgramCounter::most_frequent(std::size_t k) const {
  std::vector<const std::pair<const std::string, std::uint64_t>*> order;
  order.reserve(counts_.size());
  for (const auto& entry : counts_) order.push_back(&entry);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(k, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [](const auto* a, const auto* b) {
    return a->second != b->second ? a->second > b->second : a->first < b->first;
  });
  std::unordered_set<std::string> frequent;
  for (auto entry = order.begin(); entry != end; ++entry) frequent.insert((*entry)->first);
  return frequent;
}

}  // namespace trustsql
