#include "semparse/words/intent.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "semparse/words/task_lexicon.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::pair<std::string_view, std::string_view> auxiliary_forms[] = {
    {"am", "be"}, {"are", "be"},  {"is", "be"},  {"was", "be"},  {"were", "be"},  {"been", "be"},
    {"'s", "be"}, {"does", "do"}, {"did", "do"}, {"done", "do"}, {"has", "have"}, {"had", "have"},
};
constexpr std::array<std::string_view, 9> articles_and_pronouns = {"the",   "a",  "an",   "all", "each",
                                                                   "every", "me", "them", "us"};
constexpr std::array<std::string_view, 7> finite_verbs = {"is", "are", "was", "were", "has", "had", "have"};
constexpr std::array<std::string_view, 10> relative_words = {"who",   "whose", "whom", "which", "what",
                                                             "where", "when",  "that", "how",   "why"};
// "I want ...", "I am looking for ..."
constexpr std::array<std::string_view, 10> wishes = {"want", "need", "wish",       "would", "look",
                                                     "try",  "know", "interested", "d",     "see"};

// A cursor over the words of a phrase.
std::string_view next_word(std::string_view& phrase) {
  const auto end = std::min(phrase.find(' '), phrase.size());
  const auto word = phrase.substr(0, end);
  phrase.remove_prefix(std::min(end + 1, phrase.size()));
  return word;
}

bool is_word(const Word& word, std::string_view base) {
  if (word.lower == base || is_listed(word.lemmas, base)) return true;
  return std::any_of(std::begin(auxiliary_forms), std::end(auxiliary_forms),
                     [&](const auto& each) { return each.first == word.lower && each.second == base; });
}

// The number of words from `at` on that are the phrase; 0 if they are not. `exact`: its first word must stand there as
// it is, not in another form.
std::size_t matched(const Question& question, std::size_t at, std::string_view phrase, bool exact = false) {
  std::size_t count = 0;
  while (!phrase.empty()) {
    const auto base = next_word(phrase);
    if (at + count >= question.words.size()) return 0;
    const auto& word = question.words[at + count];
    if (word.quoted || !(exact && count == 0 ? word.lower == base : is_word(word, base))) return 0;
    ++count;
  }
  return count;
}

class IntentReader {
 public:
  IntentReader(const Question& question, const std::vector<bool>& named)
      : question_(question), words_(question.words), named_(named) {
    while (begin_ < words_.size()) {
      std::size_t taken = 0;
      for (const auto opening : polite_openings())
        if (taken == 0) taken = matched(question_, begin_, opening);
      if (taken == 0) break;
      begin_ += taken;
    }
  }

  Intent read() const {
    for (const auto& [kind, phrases] :
         {std::pair{IntentKind::small_talk, small_talk_phrases()}, std::pair{IntentKind::task, task_phrases()},
          std::pair{IntentKind::knowledge, knowledge_phrases()}}) {
      for (const auto& entry : phrases)
        if (const auto span = find(entry); span.size() > 0) return {kind, entry.what, span};
    }
    if (begin_ >= words_.size())
      return words_.empty() ? Intent{} : Intent{IntentKind::small_talk, "a greeting", {0, words_.size()}};
    const auto& first = words_[begin_];
    if (first.lower == "i" && !first.quoted) {
      const auto end = std::min(words_.size(), begin_ + 5);
      const bool wish = std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(begin_),
                                    words_.begin() + static_cast<std::ptrdiff_t>(end), [](const Word& word) {
                                      return std::any_of(wishes.begin(), wishes.end(),
                                                         [&](auto each) { return is_word(word, each); });
                                    });
      if (!wish) return {IntentKind::small_talk, "conversation", {begin_, begin_ + 1}};
    }
    if (const auto verb = verb_of_statement(); verb < words_.size())
      return {IntentKind::statement, "a statement", {verb, verb + 1}};
    return {};
  }

 private:
  bool is_named(WordSpan span) const {
    for (auto i = span.first; i < span.last; ++i)
      if (i < named_.size() && named_[i]) return true;
    return false;
  }

  WordSpan find(const PhraseEntry& entry) const {
    switch (entry.place) {
      case PhrasePlace::command: return find_command(entry.phrase);
      case PhrasePlace::opening:
        if (const auto size = matched(question_, begin_, entry.phrase); size > 0) return {begin_, begin_ + size};
        return {};
      case PhrasePlace::whole: {
        const auto size = matched(question_, 0, entry.phrase);
        auto end = words_.size();
        while (end > size && is_function_word(words_[end - 1]) && words_[end - 1].text.size() == 1) --end;
        return size > 0 && size == end ? WordSpan{0, size} : WordSpan{};
      }
      case PhrasePlace::anywhere: break;
    }
    for (std::size_t at = 0; at < words_.size(); ++at) {
      const auto size = matched(question_, at, entry.phrase);
      const WordSpan span{at, at + size};
      if (size > 0 && !is_named(span)) return span;
    }
    return {};
  }

  // At the start, or after "and" where an object follows: "find the customers and e-mail them". A verb that is also a
  // name of the database is a command only before an object: "Plot the ages", but "Plot sizes of all farms".
  WordSpan find_command(std::string_view phrase) const {
    for (auto at = begin_; at < words_.size(); ++at) {
      if (at > begin_ && !(words_[at - 1].lower == "and" || words_[at - 1].lower == "then")) continue;
      const auto size = matched(question_, at, phrase, true);
      if (size == 0) continue;
      const WordSpan span{at, at + size};
      const bool has_object =
          span.size() > 1 || (span.last < words_.size() && is_listed(articles_and_pronouns, words_[span.last].lower));
      if (at > begin_ || is_named(span) ? has_object : true) return span;
    }
    return {};
  }

  // The finite verb of a text that neither asks nor requests; the number of words if there is none.
  std::size_t verb_of_statement() const {
    const auto none = words_.size();
    auto verb = none;
    if (none == 0 || words_.back().lower == "?") return none;
    // "Addresses of properties nobody has viewed".
    if (begin_ + 1 < none && begin_ < named_.size() && named_[begin_] && words_[begin_ + 1].lower == "of") return none;
    if (matched(question_, begin_, "there be") > 0) return begin_ + 1;
    for (auto i = begin_; i < words_.size(); ++i) {
      if (words_[i].quoted) continue;
      if (is_listed(relative_words, words_[i].lower)) return none;
      const auto requests = request_verbs();
      const bool opens = i == begin_ || words_[i - 1].lower == ",";
      if (opens && std::binary_search(requests.begin(), requests.end(), std::string_view(words_[i].lower))) return none;
      if (i > begin_ && verb == none && is_listed(finite_verbs, words_[i].lower)) verb = i;
    }
    return verb;
  }

  const Question& question_;
  const std::vector<Word>& words_;
  const std::vector<bool>& named_;
  std::size_t begin_ = 0;  // the first word after "please", "can you" ...
};

}  // namespace

Intent intent_of(const Question& question, const std::vector<bool>& named) {
  return IntentReader(question, named).read();
}

}  // namespace trustsql::semparse
