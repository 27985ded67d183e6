#include "semparse/words/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.hpp"
#include "link/word_forms.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

bool is_letter(char c) {
  const char lower = to_lower_ascii(c);
  return (lower >= 'a' && lower <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

// Quotation marks, and what closes them. The typographic ones take three bytes.
struct Marks {
  std::string_view open;
  std::string_view close;
};
constexpr Marks quotation_marks[] = {
    {"\"", "\""}, {"'", "'"}, {"`", "`"}, {"\xe2\x80\x9c", "\xe2\x80\x9d"}, {"\xe2\x80\x98", "\xe2\x80\x99"},
    {"``", "''"},
};

constexpr std::pair<std::string_view, double> number_words[] = {
    {"zero", 0},      {"one", 1},       {"two", 2},       {"three", 3},    {"four", 4},      {"five", 5},
    {"six", 6},       {"seven", 7},     {"eight", 8},     {"nine", 9},     {"ten", 10},      {"eleven", 11},
    {"twelve", 12},   {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15}, {"sixteen", 16},  {"seventeen", 17},
    {"eighteen", 18}, {"nineteen", 19}, {"twenty", 20},   {"thirty", 30},  {"forty", 40},    {"fifty", 50},
    {"sixty", 60},    {"seventy", 70},  {"eighty", 80},   {"ninety", 90},  {"hundred", 100}, {"thousand", 1000},
    {"million", 1e6}, {"billion", 1e9}, {"dozen", 12},    {"once", 1},     {"twice", 2},
};

// What an auxiliary looks like in front of "'t", and which it is.
constexpr std::pair<std::string_view, std::string_view> contractions[] = {
    {"don", "do"},   {"doesn", "does"}, {"didn", "did"},     {"isn", "is"},         {"aren", "are"},
    {"wasn", "was"}, {"weren", "were"}, {"haven", "have"},   {"hasn", "has"},       {"hadn", "had"},
    {"won", "will"}, {"can", "can"},    {"couldn", "could"}, {"shouldn", "should"}, {"wouldn", "would"},
};
// Contractions that people type without the apostrophe, and how many letters stand in front of it.
constexpr std::pair<std::string_view, std::size_t> bare_contractions[] = {
    {"whats", 4},   {"whos", 3},  {"wheres", 5}, {"hows", 3},   {"dont", 3},    {"doesnt", 5}, {"didnt", 4},
    {"isnt", 3},    {"arent", 4}, {"wasnt", 4},  {"werent", 5}, {"havent", 5},  {"hasnt", 4},  {"hadnt", 4},
    {"couldnt", 6}, {"weve", 2},  {"theyve", 4}, {"theyre", 4}, {"wouldnt", 6},
};

// Behind these words, "'s" is short for "is".
constexpr std::string_view before_is[] = {"what",  "who",  "where", "when", "how",
                                          "which", "that", "there", "it",   "here"};

// What stands behind an apostrophe, and what it is short for; "t" is "not" behind one of the words above.
constexpr std::pair<std::string_view, std::string_view> contracted[] = {
    {"ve", "have"}, {"re", "are"}, {"ll", "will"}, {"m", "am"}, {"d", "would"}, {"t", ""},
};

// The length of the apostrophe that stands there, typographic or not; 0 if there is none.
std::size_t apostrophe_length(std::string_view text) {
  constexpr std::string_view typographic = "\xe2\x80\x99";
  return text.starts_with('\'') ? 1 : text.starts_with(typographic) ? typographic.size() : 0;
}

// How many letters behind an apostrophe belong to it.
std::size_t contracted_length(std::string_view text) {
  if (text.starts_with('s')) return 1;
  for (const auto& [letters, word] : contracted)
    if (text.starts_with(letters) && (text.size() == letters.size() || !is_word_character(text[letters.size()])))
      return letters.size();
  return 0;
}

// Sorted.
constexpr std::string_view function_words[] = {
    "!",     "'s",   "(",    ")",     ",",     ".",    "/",     ":",      ";",      "?",      "a",     "about",
    "all",   "also", "am",   "an",    "and",   "any",  "are",   "as",     "at",     "be",     "been",  "being",
    "both",  "but",  "by",   "can",   "could", "did",  "do",    "does",   "each",   "either", "every", "find",
    "for",   "from", "get",  "give",  "had",   "has",  "have",  "having", "he",     "her",    "him",   "his",
    "how",   "i",    "if",   "in",    "into",  "is",   "it",    "its",    "list",   "many",   "may",   "me",
    "much",  "my",   "of",   "on",    "or",    "our",  "out",   "please", "return", "s",      "she",   "should",
    "show",  "so",   "some", "such",  "tell",  "than", "that",  "the",    "their",  "them",   "then",  "there",
    "these", "they", "this", "those", "to",    "us",   "was",   "we",     "were",   "what",   "when",  "where",
    "which", "who",  "whom", "whose", "will",  "with", "would", "you",    "your",
};

// The length of the number at the start of `text`: digits, thousands separators, one decimal point. 0 if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && is_digit(text[i])) ++i;
  if (i == 0) return 0;
  if (i <= 3) {
    const auto is_group = [&text](std::size_t at) {
      return at + 3 < text.size() && text[at] == ',' && is_digit(text[at + 1]) && is_digit(text[at + 2]) &&
             is_digit(text[at + 3]) && (at + 4 >= text.size() || !is_digit(text[at + 4]));
    };
    while (is_group(i)) i += 4;
  }
  if (i + 1 < text.size() && text[i] == '.' && is_digit(text[i + 1])) {
    ++i;
    while (i < text.size() && is_digit(text[i])) ++i;
  }
  return i;
}

std::optional<double> read_number(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != ',') digits += c;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

class QuestionReader {
 public:
  explicit QuestionReader(std::string_view text) { question_.text = text; }

  Question read() && {
    const std::string_view text = question_.text;
    while (at_ < text.size() && question_.words.size() < max_question_words) {
      if (is_space(text[at_])) {
        ++at_;
      } else if (!close_quotation() && !open_quotation()) {
        read_word();
      }
    }
    return std::move(question_);
  }

 private:
  // A mark opens a quotation if it stands at the start of a word and something closes it at the end of one.
  bool open_quotation() {
    const std::string_view text = question_.text;
    if (close_at_ != 0) return false;
    for (const auto& marks : quotation_marks) {
      if (!text.substr(at_).starts_with(marks.open)) continue;
      const auto start = at_ + marks.open.size();
      if (marks.open == "'" && at_ > 0 && is_word_character(text[at_ - 1])) continue;
      auto close = text.find(marks.close, start);
      while (marks.close == "'" && close != std::string_view::npos && close + 1 < text.size() &&
             is_word_character(text[close + 1]))
        close = text.find(marks.close, close + 1);
      if (close == std::string_view::npos || close == start) continue;
      close_at_ = close;
      close_length_ = marks.close.size();
      question_.quotations.push_back(
          {{question_.words.size(), question_.words.size()}, std::string(trim(text.substr(start, close - start)))});
      at_ = start;
      return true;
    }
    return false;
  }

  bool close_quotation() {
    if (close_at_ == 0 || at_ < close_at_) return false;
    question_.quotations.back().words.last = question_.words.size();
    at_ = close_at_ + close_length_;
    close_at_ = 0;
    return true;
  }

  void read_word() {
    const std::string_view text = question_.text;
    std::size_t end = at_;
    std::optional<double> number;
    if (const auto digits = number_length(text.substr(at_)); digits > 0) {
      number = read_number(text.substr(at_, digits));
      end = at_ + digits;
      // "3rd", "1980s" and "A380" are words; "5%" and "5." are a number and a mark.
      while (end < text.size() && is_word_character(text[end])) {
        number.reset();
        ++end;
      }
    } else if (const auto mark = apostrophe_length(text.substr(at_)); mark > 0) {
      end += mark;
      end += contracted_length(text.substr(end));
    } else if (is_word_character(text[at_])) {
      while (end < text.size() && is_word_character(text[end]) && apostrophe_length(text.substr(end)) == 0) ++end;
    } else {
      ++end;
    }
    if (close_at_ != 0) end = std::min(end, close_at_);
    const auto bare = close_at_ != 0 ? 0 : bare_length(to_lower_ascii(text.substr(at_, end - at_)));
    add(bare > 0 ? at_ + bare : end, number);
    if (bare > 0) add(end, std::nullopt, true);
  }

  // Of "whats", "what"; 0 for any other word.
  static std::size_t bare_length(std::string_view lower) {
    const auto* const entry = std::find_if(std::begin(bare_contractions), std::end(bare_contractions),
                                           [lower](const auto& each) { return each.first == lower; });
    return entry == std::end(bare_contractions) ? 0 : entry->second;
  }

  // `contracted`: an apostrophe is missing in front of it.
  void add(std::size_t end, std::optional<double> number, bool contracted = false) {
    Word word;
    word.text = question_.text.substr(at_, end - at_);
    const auto mark = apostrophe_length(word.text);
    word.lower = mark > 0 || contracted ? "'" + to_lower_ascii(word.text.substr(mark)) : to_lower_ascii(word.text);
    word.begin = at_;
    word.end = end;
    word.capitalised = word.text.front() >= 'A' && word.text.front() <= 'Z';
    word.quoted = close_at_ != 0;
    word.number = number ? number : number_of_word(word.lower);
    if (!word.quoted) expand_contraction(word);
    if (is_letter(word.lower.front())) {
      for (auto& form : link::word_forms(word.lower)) word.lemmas.push_back(std::move(form.lemma));
    }
    if (word.lemmas.empty()) word.lemmas.push_back(word.lower);
    question_.words.push_back(std::move(word));
    at_ = end;
  }

  // "What's" is what is, "aren't" are not, and "we've" we have: in lower case, not as written.
  void expand_contraction(Word& word) {
    auto& words = question_.words;
    if (word.lower == "'s" && !words.empty() && is_listed(before_is, words.back().lower)) word.lower = "is";
    if (!word.lower.starts_with('\'') || words.empty()) return;
    for (const auto& [letters, meaning] : contracted)
      if (!meaning.empty() && word.lower.substr(1) == letters) word.lower = meaning;
    if (word.lower != "'t") return;
    auto& auxiliary = words.back();
    const auto* entry = std::find_if(std::begin(contractions), std::end(contractions),
                                     [&auxiliary](const auto& each) { return each.first == auxiliary.lower; });
    if (entry == std::end(contractions)) return;
    auxiliary.lower = entry->second;
    auxiliary.lemmas = {auxiliary.lower};
    word.lower = "not";
  }

  Question question_;
  std::size_t at_ = 0;
  std::size_t close_at_ = 0;  // where the open quotation ends; 0: none is open
  std::size_t close_length_ = 0;
};

}  // namespace

bool is_word_character(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

int words_between(WordSpan a, WordSpan b) {
  if (a.overlaps(b)) return 0;
  return static_cast<int>(a.last <= b.first ? b.first - a.last : a.first - b.last);
}

std::string_view Question::text_of(WordSpan span) const {
  const auto begin = words[span.first].begin;
  return std::string_view(text).substr(begin, words[span.last - 1].end - begin);
}

Question read_question(std::string_view text) { return QuestionReader(text).read(); }

bool is_function_word(const Word& word) { return is_function_word(word.lower); }

bool is_function_word(std::string_view lower) {
  static_assert(std::is_sorted(std::begin(function_words), std::end(function_words)));
  return std::binary_search(std::begin(function_words), std::end(function_words), lower) ||
         (lower.size() == 1 && !is_word_character(lower.front()));
}

bool is_identifier_word(std::string_view lower) {
  constexpr std::string_view identifiers[] = {"id", "ids", "number", "numbers", "code", "codes", "key", "identifier"};
  return is_listed(identifiers, lower);
}

bool is_past_participle(const Word& word) {
  constexpr std::string_view irregular[] = {"sold",  "bought", "broken", "lost",  "won",   "paid",    "built",
                                            "sent",  "held",   "made",   "given", "taken", "written", "left",
                                            "ended", "begun",  "gone",   "found", "chosen"};
  return !word.quoted && (word.lower.ends_with("ed") || is_listed(irregular, word.lower));
}

std::optional<double> number_of_word(std::string_view lower) {
  for (const auto& [word, value] : number_words)
    if (word == lower) return value;
  return std::nullopt;
}

}  // namespace trustsql::semparse
