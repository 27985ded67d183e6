#include "nl2sql/replies/one_word.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace trustsql::nl2sql {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The runs of letters of `text` in lower case: "not_answerable." becomes "not", "answerable".
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    if (!is_letter(c)) {
      inside = inside && (c == '\'');  // "isn't" is one word
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    words.back() += to_lower_ascii(c);
  }
  return words;
}

std::string letters_of(std::string_view text) { return join(words_of(text), ""); }

// Whether a token with these letters can be the beginning of `word`, or begins with it.
bool agrees(const std::string& letters, const std::string& word) {
  return !letters.empty() && (word.starts_with(letters) || letters.starts_with(word));
}

// The probability of the positive word at the first token that contains letters; nullopt if its alternatives do not
// decide between the words.
std::optional<double> from_logprobs(const llm::Choice& choice, const std::string& positive,
                                    const std::string& negative) {
  for (const auto& token : choice.logprobs) {
    const auto letters = letters_of(token.token);
    if (letters.empty()) continue;
    double yes = 0;
    double no = 0;
    const auto add = [&](const std::string& word, double logprob) {
      if (!std::isfinite(logprob)) return;
      const bool can_be_yes = agrees(word, positive);
      const bool can_be_no = agrees(word, negative);
      if (can_be_yes != can_be_no) (can_be_yes ? yes : no) += std::exp(std::min(logprob, 0.0));
    };
    bool listed = false;
    for (const auto& other : token.top) {
      listed = listed || other.token == token.token;
      add(letters_of(other.token), other.logprob);
    }
    if (!listed) add(letters, token.logprob);
    if (yes + no <= 0) return std::nullopt;
    // If only the token itself is known, the rest of the probability goes to the other word.
    if (token.top.size() < 2 && (yes == 0 || no == 0)) return yes > 0 ? yes : 1 - no;
    return yes / (yes + no);
  }
  return std::nullopt;
}

}  // namespace

OneWord read_one_word(const llm::Choice& choice, std::string_view positive, std::string_view negative) {
  const std::string yes = letters_of(positive);
  const std::string no = letters_of(negative);
  const auto words = words_of(choice.text);
  bool said_yes = false;
  bool said_no = false;
  std::optional<bool> first;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_no = words[i] == no || words[i] == "un" + yes || words[i] == "non" + yes || words[i] == "in" + yes;
    if (!is_no && words[i] != yes) continue;
    const bool negated = i > 0 && (words[i - 1] == "not" || words[i - 1] == "non" || words[i - 1].ends_with("nt") ||
                                   words[i - 1].ends_with("n't"));
    const bool answer = !is_no && !negated;
    (answer ? said_yes : said_no) = true;
    if (i == 0 || (negated && i == 1)) first = answer;
  }
  OneWord read;
  if (first) {
    read.yes = first;
  } else if (said_yes != said_no) {
    read.yes = said_yes;
  }
  read.probability = read.yes.value_or(false) ? 1 : 0;
  if (first) read.probability = from_logprobs(choice, yes, no).value_or(read.probability);
  return read;
}

}  // namespace trustsql::nl2sql
