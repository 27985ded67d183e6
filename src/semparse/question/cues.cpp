#include "semparse/question/cues.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "link/lexicon/lexicon.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

struct CueWord {
  std::string_view word;
  Cue cue;
};

// Words that are a cue wherever they stand. Sorted.
constexpr CueWord cue_words[] = {
    {"above", Cue::more},
    {"after", Cue::more},
    {"alphabetic", Cue::order},
    {"alphabetical", Cue::order},
    {"alphabetically", Cue::order},
    {"ascending", Cue::order},
    {"average", Cue::average},
    {"avg", Cue::average},
    {"before", Cue::less},
    {"begin", Cue::pattern},
    {"beginning", Cue::pattern},
    {"begins", Cue::pattern},
    {"below", Cue::less},
    {"beneath", Cue::less},
    {"best", Cue::highest},
    {"between", Cue::between},
    {"both", Cue::both},
    {"bottom", Cue::lowest},
    {"cheapest", Cue::lowest},
    {"contain", Cue::pattern},
    {"containing", Cue::pattern},
    {"contains", Cue::pattern},
    {"count", Cue::count},
    {"decreasing", Cue::descending},
    {"descending", Cue::descending},
    {"different", Cue::distinct},
    {"distinct", Cue::distinct},
    {"each", Cue::each},
    {"earliest", Cue::lowest},
    {"either", Cue::either},
    {"ending", Cue::pattern},
    {"ends", Cue::pattern},
    {"every", Cue::each},
    {"exceed", Cue::more},
    {"exceeding", Cue::more},
    {"exceeds", Cue::more},
    {"except", Cue::negation},
    {"excluding", Cue::negation},
    {"fewest", Cue::lowest},
    {"increasing", Cue::order},
    {"lacking", Cue::negation},
    {"latest", Cue::highest},
    {"letter", Cue::pattern},
    {"lowest", Cue::lowest},
    {"max", Cue::maximum},
    {"maximal", Cue::maximum},
    {"maximum", Cue::maximum},
    {"mean", Cue::average},
    {"min", Cue::minimum},
    {"minimal", Cue::minimum},
    {"minimum", Cue::minimum},
    {"neither", Cue::negation},
    {"never", Cue::negation},
    {"newest", Cue::highest},
    {"no", Cue::negation},
    {"nor", Cue::negation},
    {"not", Cue::negation},
    {"or", Cue::either},
    {"over", Cue::more},
    {"per", Cue::each},
    {"prefix", Cue::pattern},
    {"same", Cue::same},
    {"shortest", Cue::lowest},
    {"since", Cue::more},
    {"slowest", Cue::lowest},
    {"smallest", Cue::lowest},
    {"sorted", Cue::order},
    {"start", Cue::pattern},
    {"starting", Cue::pattern},
    {"starts", Cue::pattern},
    {"substring", Cue::pattern},
    {"sum", Cue::sum},
    {"top", Cue::top},
    {"total", Cue::sum},
    {"under", Cue::less},
    {"unique", Cue::distinct},
    {"until", Cue::less},
    {"without", Cue::negation},
    {"worst", Cue::lowest},
    {"youngest", Cue::lowest},
};

// Comparatives that mean less; all others mean more.
constexpr std::string_view lesser[] = {"cheaper", "earlier", "fewer",  "less",    "lesser", "lighter",
                                       "lower",   "shorter", "slower", "smaller", "worse",  "younger"};

class CueFinder {
 public:
  explicit CueFinder(const Question& question) : question_(question), words_(question.words) {}

  std::vector<CueMention> find() && {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (!words_[i].quoted) look(i);
    return std::move(cues_);
  }

 private:
  std::string_view at(std::size_t i) const { return i < words_.size() ? words_[i].lower : std::string_view(); }
  std::string_view before(std::size_t i) const { return i == 0 ? std::string_view() : at(i - 1); }
  void add(Cue cue, std::size_t first, std::size_t count = 1) {
    cues_.push_back({cue, {first, std::min(first + count, words_.size())}});
  }

  void look(std::size_t i) {
    static_assert(std::is_sorted(std::begin(cue_words), std::end(cue_words),
                                 [](const CueWord& a, const CueWord& b) { return a.word < b.word; }));
    const auto word = at(i);
    const auto next = at(i + 1);
    const auto* const entry = std::lower_bound(std::begin(cue_words), std::end(cue_words), word,
                                               [](const CueWord& a, std::string_view b) { return a.word < b; });
    const bool listed = entry != std::end(cue_words) && entry->word == word;
    if (is_order_superlative(question_, i)) return look_at_order(i);
    if (listed) add(entry->cue, i);
    if (word == "many" && before(i) == "how") add(Cue::count, i - 1, 2);
    if ((word == "number" || word == "numbers" || word == "amount") && next == "of") add(Cue::count, i, 2);
    if ((word == "sort" || word == "order" || word == "ordered" || word == "rank" || word == "ranked") && next == "by")
      add(Cue::order, i, 2);
    if (word == "order" && (next == "of" || before(i) == "the")) add(Cue::order, i);
    if (word == "reverse") add(Cue::descending, i);
    if (word == "a" && next == "to" && at(i + 2) == "z") add(Cue::order, i, 3);
    if (word == "z" && next == "to" && at(i + 2) == "a") {
      add(Cue::order, i, 3);
      add(Cue::descending, i, 3);
    }
    if ((word == "high" || word == "highest" || word == "largest" || word == "most") && next == "to")
      add(Cue::descending, i);
    if (word == "other" && next == "than") add(Cue::negation, i, 2);
    if (word == "grouped" || (word == "group" && next == "by")) add(Cue::each, i);
    if ((word == "first" || word == "last") && i + 1 < words_.size() && words_[i + 1].number) add(Cue::top, i, 2);
    if ((word == "first" || word == "last" || word == "recently") && ends_with_verb(i))
      add(word == "first" ? Cue::lowest : Cue::highest, i);
    if (word == "least" || word == "most") {
      if (before(i) == "at")
        add(word == "least" ? Cue::more : Cue::less, i - 1, 2);
      else
        add(word == "least" ? Cue::lowest : Cue::highest, i);
    } else if (!listed && is_superlative(i)) {
      add(Cue::highest, i);
    }
    if (next == "than" && word != "other" && word != "rather")
      add(is_listed(lesser, word) ? Cue::less : Cue::more, i, 2);
    if (word == "than" || word == "above" || word == "below" || word == "over" || word == "exceeds") look_behind(i);
    if (word == "or" && (next == "more" || next == "above" || next == "older" || next == "later")) add(Cue::more, i, 2);
    if (word == "or" && (next == "less" || next == "below" || next == "fewer" || next == "earlier"))
      add(Cue::less, i, 2);
  }

  // "Who was hired last?", "which band was formed first": an adverb at the end, behind a form of a verb. "Cheapest
  // first" is an order.
  bool ends_with_verb(std::size_t i) const {
    const auto next = at(i + 1);
    if (i == 0 || !(next.empty() || next == "?" || next == "." || next == "!")) return false;
    const auto& verb = words_[i - 1];
    const auto is_base = [&verb](const std::string& lemma) { return lemma != verb.lower; };
    const bool inflected = std::any_of(verb.lemmas.begin(), verb.lemmas.end(), is_base) && !verb.lower.ends_with('s') &&
                           !verb.lower.ends_with("st") && !verb.lower.ends_with("er");
    return inflected && !is_function_word(verb);
  }

  // "Cheapest first": an order, which is descending where the greatest or the newest comes first.
  void look_at_order(std::size_t i) {
    constexpr std::string_view descending[] = {"highest", "largest", "biggest",  "greatest", "longest", "tallest",
                                               "most",    "newest",  "youngest", "latest",   "heaviest"};
    add(Cue::order, i);
    if (is_listed(descending, at(i))) add(Cue::descending, i);
  }

  // "than the average", "than any", "than all": a comparison with an aggregate.
  void look_behind(std::size_t i) {
    for (auto j = i + 1; j < std::min(i + 4, words_.size()); ++j) {
      const auto word = at(j);
      const bool aggregate = word == "average" || word == "mean" || word == "any" || word == "all" || word == "every" ||
                             word == "some" || word == "maximum" || word == "minimum";
      if (aggregate) return add(Cue::than_average, i, j - i + 1);
      if (words_[j].number) return;
    }
  }

  // "oldest": ends in -est, is no word of its own ("interest", "forest"), and has a base form that is one.
  bool is_superlative(std::size_t i) const {
    const auto& word = words_[i];
    if (!word.lower.ends_with("est") || word.lower.size() < 5 || link::lexicon::find(word.lower)) return false;
    return std::any_of(word.lemmas.begin(), word.lemmas.end(), [&](const std::string& lemma) {
      return lemma.size() < word.lower.size() && (link::lexicon::is_empty() || link::lexicon::find(lemma));
    });
  }

  const Question& question_;
  const std::vector<Word>& words_;
  std::vector<CueMention> cues_{};
};

}  // namespace

std::vector<CueMention> find_cues(const Question& question) { return CueFinder(question).find(); }

}  // namespace trustsql::semparse
