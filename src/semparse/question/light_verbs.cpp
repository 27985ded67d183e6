#include "semparse/question/light_verbs.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "semparse/database/people.hpp"
#include "semparse/question/sentence.hpp"
#include "semparse/question/word_match.hpp"
#include "semparse/tree/description.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// In base forms, of what people do and of what anything may have. None says what became of a row: a course that is
// completed, a bill that is paid, a game that is won. With a particle they mean something else: given up, put off.
constexpr std::string_view doing_verbs[] = {"host",  "handle",   "file",   "place",    "claim", "make",    "do",
                                            "run",   "book",     "submit", "post",     "lead",  "file",    "record",
                                            "drive", "organise", "teach",  "organize", "log",   "perform", "conduct"};
constexpr std::string_view owning_verbs[] = {"have", "own", "keep", "hold", "offer", "host"};
constexpr std::string_view prizes[] = {"award", "prize", "medal", "trophy"};
constexpr std::string_view particles[] = {"out", "on", "up", "in", "off", "over", "away", "back", "down", "from"};
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
    drop_idle_words();
    drop_yet();
    return in_order(std::move(edits_));
  }

 private:
  // The table whose name begins at word `first`, and the word behind it.
  TableId table_behind(std::size_t first, std::size_t& behind) const {
    TableId table = nothing;
    if (const auto* mention = table_at(first, table)) behind = mention->span.last;
    return table;
  }

  // Whether word `i` names nothing, so that it may be a verb of this kind.
  bool is_open(std::size_t i) const {
    return i < end_ && !words_[i].quoted && (view_.kind(i) == Symbol::word || view_.kind(i) == Symbol::unknown);
  }

  template <class List>
  bool is_form_of(std::size_t i, const List& verbs) const {
    if (i >= words_.size()) return false;
    const auto& lemmas = words_[i].lemmas;
    return std::any_of(lemmas.begin(), lemmas.end(), [&verbs](const auto& lemma) { return is_listed(verbs, lemma); });
  }

  // "Carry out" and "look after".
  bool is_phrase(std::size_t i) const {
    constexpr std::string_view carry[] = {"carry"};
    constexpr std::string_view look[] = {"look"};
    return (at(i + 1) == "out" && is_form_of(i, carry)) || (at(i + 1) == "after" && is_form_of(i, look));
  }

  // The word behind a verb at `i`, or behind such a phrase; `i` if there is none, or if a particle gives the verb
  // another meaning.
  std::size_t behind_verb(std::size_t i) const {
    if (!is_open(i)) return i;
    if (is_phrase(i)) return i + 2;
    if (is_function_word(words_[i]) && !is_form_of(i, owning_verbs) && !is_form_of(i, doing_verbs)) return i;
    return is_listed(particles, at(i + 1)) ? i : i + 1;
  }

  // Whether the verb at `i` is what a reference is called: handled_by, owner_id.
  bool is_called(std::size_t edge, std::size_t i) const {
    const auto words = view_.domain().role_words(edge);
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return is_form_of_verb(word, words_[i].lemma()); });
  }

  // Whether the verb at `i` says no more than that rows of the two tables belong together: rows of the one refer to
  // rows of the other in one way, which has no other name than these, or that of the verb.
  bool relates(std::size_t i, TableId one, TableId other) const {
    constexpr std::string_view win[] = {"win"};
    const auto& domain = view_.domain();
    if (one == other) return false;
    const auto edges = domain.edges_between(one, other);
    if (edges.size() != 1) return false;
    if (is_called(edges.front(), i)) return true;
    const auto parent = domain.column(domain.edges()[edges.front()].parent).table;
    if (domain.role_words(edges.front()) != domain.table(parent).words) return false;
    if (is_form_of(i, owning_verbs) || (is_form_of(i, win) && is_prize(other))) return true;
    return (is_phrase(i) || is_form_of(i, doing_verbs)) && are_only_people_of(view_.domain(), one, other);
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
    const auto verb = i;
    auto object = behind_verb(verb);
    if (object == verb) return rename_happening(table, name, have);
    if (negated) {
      if (at(object) == "a" || at(object) == "an" || at(object) == "any" || at(object) == "one") ++object;
      if (at(object) == "single") ++object;
      std::size_t behind = object;
      const auto other = table_behind(object, behind);
      if (other == nothing || !relates(verb, table, other)) return;
      if (at(behind) == "yet" || (at(behind) == "so" && at(behind + 1) == "far")) behind += at(behind) == "yet" ? 1 : 2;
      edits_.push_back({{first, behind}, have + "no " + plural_of(noun_of(view_.domain(), other))});
      return;
    }
    auto amount = behind_amount(object);
    if (at(object) == "no") amount = object + 1;
    std::size_t behind = amount;
    if (amount == object) return rename_keeping(table, verb, object, have);
    const auto other = table_behind(amount, behind);
    if (other == nothing || !relates(verb, table, other)) return;
    edits_.push_back({{first, object}, have.substr(0, have.size() - 1)});
  }

  // "Farms keep goats", where goat is a value of the farms alone.
  void rename_keeping(TableId table, std::size_t verb, std::size_t object, const std::string& have) {
    constexpr std::string_view verbs[] = {"keep", "own", "hold", "offer"};
    if (object != verb + 1 || !is_form_of(verb, verbs)) return;
    const auto value = at(object) == "a" || at(object) == "an" ? object + 1 : object;
    for (const auto& mention : view_.linking().values) {
      if (mention.span.first != value || mention.cells.empty() || mention.is_flag) continue;
      const bool own = std::all_of(mention.cells.begin(), mention.cells.end(), [&](const ValueIndex::Cell& cell) {
        return view_.domain().column(cell.column).table == table;
      });
      if (own) edits_.push_back({{verb, object}, have.substr(0, have.size() - 1)});
      return;
    }
  }

  // "Plays that were produced more than once", where there is a table of productions.
  void rename_happening(TableId table, WordSpan name, const std::string& have) {
    constexpr std::string_view be[] = {"is", "are", "was", "were", "been", "have", "has", "had"};
    auto first = name.last;
    if (is_listed(relatives, at(first))) ++first;
    auto verb = first;
    while (verb < first + 2 && is_listed(be, at(verb))) ++verb;
    std::size_t behind = verb;
    const auto other = verb == first ? nothing : table_behind(verb, behind);
    if (other == nothing || behind != verb + 1 || !at(verb).ends_with("ed") || other == table ||
        view_.domain().edges_between(table, other).size() != 1)
      return;
    const auto rows = plural_of(noun_of(view_.domain(), other));
    if (at(behind) == "more" && at(behind + 1) == "than" && at(behind + 2) == "once" && behind + 3 == end_) {
      edits_.push_back({{first, end_}, have + "more than one " + noun_of(view_.domain(), other)});
    } else if (at(behind) == "the" && at(behind + 1) == "most" &&
               (behind + 2 == end_ || (at(behind + 2) == "often" && behind + 3 == end_))) {
      edits_.push_back({{first, end_}, have + "the most " + rows});
    } else if (const auto amount = behind_amount(behind);
               amount > behind && at(amount) == "times" && amount + 1 == end_) {
      edits_.push_back({{first, end_}, have + text_of({behind, amount}) + " " + rows});
    }
  }

  // "Hives stand at the farm", "donors based in York", "plays that run longer than the average", "still open", "closed
  // at the moment": words that say nothing beside what follows or precedes.
  void drop_idle_words() {
    constexpr std::string_view places[] = {"stand", "hang", "lie", "base", "locate", "situate", "house", "work"};
    constexpr std::string_view durations[] = {"last", "run", "lie"};
    constexpr std::string_view links[] = {"in", "at", "on", "for"};
    constexpr std::string_view comparatives[] = {"longer", "shorter", "higher", "lower", "between"};
    for (std::size_t i = 1; i + 1 < end_; ++i) {
      if (!is_open(i)) continue;
      const auto place = at(i + 2) == "the" ? i + 3 : i + 2;
      if (is_form_of(i, places) && is_listed(links, at(i + 1)) && is_value(place)) edits_.push_back({{i, i + 1}, ""});
      if (is_form_of(i, durations) && is_listed(comparatives, at(i + 1))) edits_.push_back({{i, i + 1}, ""});
      if (at(i) == "still" && is_value(i + 1)) edits_.push_back({{i, i + 1}, ""});
      if (is_value(i - 1) && i + 3 == end_ && at(i) == "at" && at(i + 1) == "the" && at(i + 2) == "moment")
        edits_.push_back({{i, end_}, ""});
      if (is_value(i - 1) && i + 2 == end_ && at(i) == "right" && at(i + 1) == "now") edits_.push_back({{i, end_}, ""});
      if (i + 2 == end_ && at(i) == "so" && at(i + 1) == "far") edits_.push_back({{i, end_}, ""});
    }
  }

  // "Which items have not been sold yet?"
  void drop_yet() {
    if (end_ < 3 || at(end_ - 1) != "yet" || words_[end_ - 1].quoted) return;
    for (std::size_t i = 0; i + 1 < end_; ++i)
      if (at(i) == "not" || at(i) == "no" || at(i) == "never") return edits_.push_back({{end_ - 1, end_}, ""});
  }

  bool is_value(std::size_t i) const { return i < end_ && view_.kind(i) == Symbol::value; }

  // "How many hives do we have": are there. "How many tests did Ada Moe carry out": does she have.
  void rename_counted() {
    constexpr std::string_view owning[] = {"have", "own"};
    std::size_t name = 2;
    const auto counted = table_behind(2, name);
    if (counted == nothing) return;
    for (auto i = name; i + 2 < end_; ++i) {
      if (!is_listed(past, at(i)) && !is_listed(perfect, at(i))) continue;
      if (at(i + 1) == "we" || at(i + 1) == "you") {
        const bool places = at(i + 3) == "from" || at(i + 3) == "in" || at(i + 3) == "with";
        if (at(i) == "do" && is_listed(owning, at(i + 2)) && (i + 3 == end_ || places))
          edits_.push_back({{i, i + 3}, "are there"});
        return;
      }
      auto subject = at(i + 1) == "the" ? i + 2 : i + 1;
      std::size_t behind = subject;
      if (table_behind(subject, behind) != nothing && is_value(behind)) subject = behind;
      const auto value = subject;
      while (is_value(subject)) ++subject;
      if (subject == value) continue;
      if (subject == end_ || behind_verb(subject) != end_ || !is_done_by(subject, counted, value)) return;
      edits_.push_back({{i, end_}, "does " + text_of({i + 1, subject}) + " have"});
      return;
    }
  }

  // Whether the verb at `i` says what the row that the value at `value` names has to do with rows of `counted`.
  bool is_done_by(std::size_t i, TableId counted, std::size_t value) const {
    const auto& domain = view_.domain();
    for (const auto& mention : view_.linking().values)
      for (const auto& cell : mention.cells) {
        const auto table = domain.column(cell.column).table;
        if (mention.span.first != value) continue;
        if (table != counted && domain.table(table).display == cell.column && relates(i, table, counted)) return true;
        if (table == counted && (is_phrase(i) || is_form_of(i, doing_verbs))) return true;
      }
    return false;
  }

  std::vector<Edit> edits_{};
};

}  // namespace

std::vector<Edit> light_verb_edits(const QuestionView& view) { return LightVerbs(view).find(); }

}  // namespace trustsql::semparse
