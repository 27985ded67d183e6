#include "semparse/question/light_verbs.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "semparse/question/sentence.hpp"
#include "semparse/tree/description.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// In base forms. None says what became of a row: a course that is completed, a bill that is paid, a game that is won.
constexpr std::string_view light_verbs[] = {
    "have",  "own",    "give",     "host", "handle",  "file", "place",   "claim",    "carry", "make",    "do",
    "hold",  "record", "register", "take", "run",     "book", "submit",  "post",     "get",   "lead",    "teach",
    "drive", "keep",   "perform",  "log",  "conduct", "put",  "receive", "organize", "offer", "organise"};
constexpr std::string_view prizes[] = {"award", "prize", "medal", "trophy"};
constexpr std::string_view particles[] = {"out", "on", "up", "in", "off"};
constexpr std::string_view relatives[] = {"that", "who", "which"};
constexpr std::string_view perfect[] = {"have", "has", "had"};
constexpr std::string_view past[] = {"did", "do", "does"};

class LightVerbs : private Sentence {
 public:
  using Sentence::Sentence;

  std::vector<Edit> find() {
    const auto& tables = view_.linking().tables;
    for (TableId id = 0; id < static_cast<TableId>(tables.size()); ++id)
      for (const auto& mention : tables[static_cast<std::size_t>(id)])
        if (mention.spelled_out()) rename_verb_of(id, mention.span);
    if (at(0) == "how" && at(1) == "many") rename_counted();
    return in_order(std::move(edits_));
  }

 private:
  // The table whose name begins at word `first`, and the word behind it.
  TableId table_at(std::size_t first, std::size_t& behind) const {
    const auto& tables = view_.linking().tables;
    for (TableId id = 0; id < static_cast<TableId>(tables.size()); ++id)
      for (const auto& mention : tables[static_cast<std::size_t>(id)])
        if (mention.span.first == first && mention.spelled_out()) {
          behind = mention.span.last;
          return id;
        }
    return nothing;
  }

  // The word behind a light verb and its particle; `i` if there is none.
  std::size_t behind_verb(std::size_t i, bool of_prizes = false) const {
    if (i >= end_ || words_[i].quoted || (view_.kind(i) != Symbol::word && view_.kind(i) != Symbol::unknown)) return i;
    const auto& lemmas = words_[i].lemmas;
    const bool light = std::any_of(lemmas.begin(), lemmas.end(), [of_prizes](const std::string& lemma) {
      return is_listed(light_verbs, lemma) || (of_prizes && lemma == "win");
    });
    if (!light) return i;
    return is_listed(particles, at(i + 1)) && at(i + 2) != "the" ? i + 2 : i + 1;
  }

  // Whether rows of the one table refer to rows of the other, in one way, which has no other name than these.
  bool belong_together(TableId one, TableId other) const {
    const auto& domain = view_.domain();
    if (one == other) return false;
    const auto edges = domain.edges_between(one, other);
    if (edges.size() != 1) return false;
    const auto parent = domain.column(domain.edges()[edges.front()].parent).table;
    return domain.role_words(edges.front()) == domain.table(parent).words;
  }

  bool is_prize(TableId table) const {
    const auto& words = view_.domain().table(table).words;
    return !words.empty() && is_listed(prizes, words.back());
  }

  // The word behind "more than 10", "at least two", "3"; `i` if there is no such amount.
  std::size_t behind_amount(std::size_t i) const {
    auto number = i;
    if ((at(i) == "more" || at(i) == "less" || at(i) == "fewer") && at(i + 1) == "than") number = i + 2;
    if (at(i) == "at" && (at(i + 1) == "least" || at(i + 1) == "most")) number = i + 2;
    if (at(i) == "exactly" || at(i) == "only") number = i + 1;
    if (number < end_ && (words_[number].number || (number > i && at(number) == "one"))) return number + 1;
    return at(i) == "the" && (at(i + 1) == "most" || at(i + 1) == "fewest") ? i + 2 : i;
  }

  // What the verb behind the name of `table` says of another table.
  void rename_verb_of(TableId table, WordSpan name) {
    const bool many = words_[name.last - 1].lower != words_[name.last - 1].lemma();
    const std::string have = many ? "have " : "has ";
    auto first = name.last;
    if (is_listed(relatives, at(first))) ++first;
    auto i = first;
    bool negated = false;
    if (is_listed(perfect, at(i)) || is_listed(past, at(i))) {
      ++i;
      if (at(i) == "not" || at(i) == "never") {
        negated = true;
        ++i;
        while (at(i) == "yet" || at(i) == "ever") ++i;
      }
    } else if (at(i) == "never") {
      negated = true;
      ++i;
    }
    auto object = behind_verb(i, true);
    if (object == i) return;
    const bool wins = words_[i].lemma() == "win";
    if (negated) {
      if (at(object) == "a" || at(object) == "an" || at(object) == "any" || at(object) == "one") ++object;
      if (at(object) == "single") ++object;
      std::size_t behind = object;
      const auto other = table_at(object, behind);
      if (other == nothing || !belong_together(table, other) || (wins && !is_prize(other))) return;
      if (at(behind) == "yet" || (at(behind) == "so" && at(behind + 1) == "far")) behind += at(behind) == "yet" ? 1 : 2;
      edits_.push_back({{first, behind}, have + "no " + plural_of(noun_of(view_.domain(), other))});
      return;
    }
    auto amount = behind_amount(object);
    if (at(object) == "no") amount = object + 1;
    std::size_t behind = amount;
    if (amount == object) return rename_keeping(table, first, object, have);
    const auto other = table_at(amount, behind);
    if (other == nothing || !belong_together(table, other) || (wins && !is_prize(other))) return;
    edits_.push_back({{first, object}, have.substr(0, have.size() - 1)});
  }

  // "Farms keep goats", where goat is a value of the farms alone.
  void rename_keeping(TableId table, std::size_t first, std::size_t object, const std::string& have) {
    constexpr std::string_view verbs[] = {"keep", "own", "hold", "offer"};
    if (object != first + 1 || !is_listed(verbs, words_[first].lemma())) return;
    const auto value = at(object) == "a" || at(object) == "an" ? object + 1 : object;
    for (const auto& mention : view_.linking().values) {
      if (mention.span.first != value || mention.cells.empty() || mention.is_flag) continue;
      const bool own = std::all_of(mention.cells.begin(), mention.cells.end(), [&](const ValueIndex::Cell& cell) {
        return view_.domain().column(cell.column).table == table;
      });
      if (own) edits_.push_back({{first, object}, have.substr(0, have.size() - 1)});
      return;
    }
  }

  bool is_value(std::size_t i) const { return i < end_ && view_.kind(i) == Symbol::value; }

  // "How many hives do we have", "how many batches of Brie have we made": are there. "How many tests did Ada Moe carry
  // out": does she have.
  void rename_counted() {
    std::size_t name = 2;
    if (table_at(2, name) == nothing) return;
    for (auto i = name; i + 2 < end_; ++i) {
      if (!is_listed(past, at(i)) && !is_listed(perfect, at(i))) continue;
      const bool ours = at(i + 1) == "we" || at(i + 1) == "you" || at(i + 1) == "they" || at(i + 1) == "i";
      auto subject = i + 1;
      if (ours) {
        ++subject;
      } else {
        if (at(subject) == "the") ++subject;
        std::size_t behind = subject;
        if (table_at(subject, behind) != nothing && is_value(behind)) subject = behind;
        const auto value = subject;
        while (is_value(subject)) ++subject;
        if (subject == value) continue;
      }
      if (at(subject) == "so" && at(subject + 1) == "far") subject += 2;
      const auto behind = behind_verb(subject);
      if (behind == subject || behind != end_) continue;
      if (ours)
        edits_.push_back({{i, end_}, "are there"});
      else
        edits_.push_back({{i, end_}, "does " + text_of({i + 1, subject}) + " have"});
      return;
    }
  }

  std::vector<Edit> edits_{};
};

}  // namespace

std::vector<Edit> light_verb_edits(const QuestionView& view) { return LightVerbs(view).find(); }

}  // namespace trustsql::semparse
