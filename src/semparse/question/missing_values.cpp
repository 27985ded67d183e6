#include "semparse/question/missing_values.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "link/word_forms.hpp"
#include "semparse/words/superiors.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// Between a word that negates and what is missing.
constexpr std::string_view determiners[] = {"a",   "an",  "any", "the",   "their",
                                            "his", "her", "its", "known", "registered"};
constexpr std::string_view auxiliaries[] = {"been", "yet",  "be",    "being",     "ever", "is",  "are",
                                            "was",  "were", "still", "currently", "has",  "have"};
// What is so said of a value, also with "not" in front of the second list.
constexpr std::string_view missing_words[] = {"missing", "unknown", "empty",       "null",
                                              "blank",   "unset",   "unspecified", "undefined"};
constexpr std::string_view given_words[] = {"set",      "known",  "given",  "recorded", "specified", "available",
                                            "provided", "filled", "stated", "listed",   "entered"};

struct FoundAbsence {
  WordSpan span{};
  ColumnId column = nothing;
  ColumnTest test = ColumnTest::missing;
};

class AbsenceFinder {
 public:
  AbsenceFinder(const Domain& domain, const Question& question, const Linking& linking)
      : domain_(domain), question_(question), words_(question.words), linking_(linking) {}

  std::vector<FoundAbsence> find() const {
    std::vector<FoundAbsence> found;
    for (std::size_t at = 0; at < words_.size();) {
      const auto absence = words_[at].quoted ? std::nullopt : find_at(at);
      if (!absence || !is_free(*absence)) {
        ++at;
        continue;
      }
      found.push_back(*absence);
      at = absence->span.last;
    }
    return found;
  }

 private:
  struct Named {
    ColumnId column = nothing;
    std::size_t last = 0;  // one past its words
  };

  // Behind what is missing: "on file", "yet", "recorded", "attached to them".
  std::size_t skip_ending(std::size_t i) const {
    constexpr std::string_view generic[] = {"address", "number", "value", "date", "information", "info", "details"};
    constexpr std::string_view joined[] = {"attached", "assigned", "linked", "associated", "yet"};
    if (is_listed(generic, at(i))) ++i;
    if (at(i) == "on" && (at(i + 1) == "file" || at(i + 1) == "record")) return i + 2;
    return is_listed(joined, at(i)) || is_listed(given_words, at(i)) ? i + 1 : i;
  }
  std::string_view at(std::size_t i) const { return i < words_.size() ? words_[i].lower : std::string_view(); }
  bool ends_clause(std::size_t i) const { return i >= words_.size() || is_function_word(words_[i]); }
  bool is_not(std::size_t i) const { return at(i) == "not" || at(i) == "never"; }
  template <class List>
  std::size_t skip(std::size_t i, const List& list) const {
    while (i < words_.size() && is_listed(list, at(i))) ++i;
    return i;
  }

  std::optional<FoundAbsence> find_at(std::size_t first) const {
    if (auto absence = find_without(first)) return absence;
    if (auto absence = find_unknown(first)) return absence;
    if (auto absence = find_undone(first)) return absence;
    if (auto absence = find_denied(first)) return absence;
    if (auto absence = find_held(first)) return absence;
    return find_done(first);
  }

  // "No phone", "without a phone", "do not have a phone", "lack a phone": a column, or what a column refers to.
  std::optional<FoundAbsence> find_without(std::size_t first) const {
    auto next = first + 1;
    const auto word = at(first);
    if (is_not(first) && (at(next) == "have" || at(next) == "got"))
      ++next;
    else if (word != "no" && word != "without" && word != "lack" && word != "lacks" && word != "lacking" &&
             !(word == "missing" && next < words_.size() &&
               (at(next) == "a" || at(next) == "an" || at(next) == "their")))
      return std::nullopt;
    next = skip(next, determiners);
    const auto named = named_at(next, first, [](const DomainColumn& column) { return !may_be_zero(column); });
    if (named)
      if (const auto last = skip_ending(named->last); ends_clause(last))
        return FoundAbsence{{first, last}, named->column, ColumnTest::missing};
    return find_unreferred(first, next);
  }

  // "The price is unknown", "an unknown price", "whose price was not given"; "is not empty" says the contrary. None
  // behind "excluding".
  std::optional<FoundAbsence> find_unknown(std::size_t first) const {
    constexpr std::string_view exclusions[] = {"excluding", "except", "exclude", "without", "not", "ignoring", "no"};
    const auto any = [](const DomainColumn& /*column*/) { return true; };
    if (first > 0 && is_listed(exclusions, at(first - 1))) return std::nullopt;
    if (is_listed(missing_words, at(first))) {
      const auto named = named_at(first + 1, first, any);
      if (named && ends_clause(named->last))
        return FoundAbsence{{first, named->last}, named->column, ColumnTest::missing};
      return std::nullopt;
    }
    const auto named = named_at(first, first, any);
    if (!named) return std::nullopt;
    auto next = skip(named->last, auxiliaries);
    const bool negated = is_not(next);
    if (negated) next = skip(next + 1, auxiliaries);
    const bool missing = is_listed(missing_words, at(next));
    if (!missing && !(negated && is_listed(given_words, at(next)))) return std::nullopt;
    return FoundAbsence{
        {first, next + 1}, named->column, missing && negated ? ColumnTest::present : ColumnTest::missing};
  }

  // "Not returned yet", of a date; "not assigned to a technician".
  std::optional<FoundAbsence> find_undone(std::size_t first) const {
    if (!is_not(first)) return std::nullopt;
    const auto verb = skip(first + 1, auxiliaries);
    if (!is_participle(verb)) return std::nullopt;
    if (at(verb + 1) == "to" || at(verb + 1) == "by") {
      const auto next = skip(verb + 2, determiners);
      if (next > verb + 2)
        if (auto absence = find_unreferred(first, next)) return absence;
    }
    const auto named = named_at(verb, first, [](const DomainColumn& column) { return column.kind == DataKind::date; });
    if (!named || named->last != verb + 1 || has_literal_behind(verb)) return std::nullopt;
    const auto last = at(named->last) == "yet" ? named->last + 1 : named->last;
    return FoundAbsence{{first, last}, named->column, ColumnTest::missing};
  }

  // "Unpaid violations", "are still unpaid", "untitled players": the only column of these rows that lacks values and
  // has the verb or noun in its name.
  std::optional<FoundAbsence> find_denied(std::size_t first) const {
    constexpr std::size_t shortest = 5;
    constexpr std::string_view before[] = {"is", "are", "was", "were", "still", "remain", "remains", "currently"};
    const auto word = at(first);
    if (word.size() < shortest || !word.starts_with("un") || (!word.ends_with("d") && !word.ends_with("n")))
      return std::nullopt;
    const bool said_of_rows = is_table_at(first + 1) || (first > 0 && is_listed(before, at(first - 1)));
    const auto owner = owner_before(first);
    if (!said_of_rows || owner == nothing) return std::nullopt;
    const auto denied = std::string(word.substr(2));
    const auto forms = link::word_forms(denied);
    ColumnId found = nothing;
    for (auto id = domain_.table(owner).first_column; id < domain_.table(owner).last_column; ++id) {
      const auto& column = domain_.column(id);
      const auto is_form = [&](const std::string& part) {
        return part == denied ||
               std::any_of(forms.begin(), forms.end(), [&part](const auto& form) { return form.lemma == part; });
      };
      if (!lacks_values(id) || column.is_key || column.is_binary ||
          std::none_of(column.words.begin(), column.words.end(), is_form))
        continue;
      if (found != nothing) return std::nullopt;
      found = id;
    }
    if (found == nothing) return std::nullopt;
    return FoundAbsence{{first, first + 1}, found, ColumnTest::missing};
  }

  // "Have a phone", at the end of the question.
  std::optional<FoundAbsence> find_held(std::size_t first) const {
    const auto word = at(first);
    const auto article = at(first + 1);
    if ((word != "have" && word != "has" && word != "with") || (article != "a" && article != "an" && article != "any"))
      return std::nullopt;
    const auto named = named_at(first + 2, first, [](const DomainColumn& column) { return !may_be_zero(column); });
    if (!named || std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(named->last), words_.end(),
                              [](const Word& each) { return is_word_character(each.text.front()); }))
      return std::nullopt;
    return FoundAbsence{{first, named->last}, named->column, ColumnTest::present};
  }

  // "Was returned", "cancelled bookings": the date says that it happened.
  std::optional<FoundAbsence> find_done(std::size_t verb) const {
    if (!is_participle(verb) || verb == 0 || at(0) == "when" || (at(0) == "how" && at(1) != "many"))
      return std::nullopt;
    const auto before = at(verb - 1);
    const bool passive = before == "was" || before == "were" || before == "been";
    if (!passive && !is_table_at(verb + 1)) return std::nullopt;
    // "Hired in the sales department" does not ask whether someone was hired.
    const auto next = at(verb + 1);
    const bool ends = verb + 1 >= words_.size() || !is_word_character(next.front());
    if (passive && !ends && next != "by" && next != "already") return std::nullopt;
    if (has_literal_behind(verb)) return std::nullopt;
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (i != verb && (at(i).ends_with("est") || at(i) == "first" || at(i) == "last" || at(i) == "when" ||
                        at(i) == "date" || at(i) == "dates" || at(i) == "most" || at(i) == "recently" || is_not(i)))
        return std::nullopt;
    const auto named = named_at(verb, verb, [](const DomainColumn& column) { return column.kind == DataKind::date; });
    if (!named || named->last != verb + 1) return std::nullopt;
    return FoundAbsence{{verb, verb + 1}, named->column, ColumnTest::present};
  }

  // A table that the asked one refers to, by one column: rows whose reference is missing.
  std::optional<FoundAbsence> find_unreferred(std::size_t first, std::size_t next) const {
    const auto owner = owner_before(first);
    if (owner == nothing) return std::nullopt;
    if (const auto child = role_of(owner, next); child != nothing)
      return FoundAbsence{{first, next + 1}, child, ColumnTest::missing};
    for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table) {
      const auto& mentions = linking_.tables[static_cast<std::size_t>(table)];
      const auto here = std::find_if(mentions.begin(), mentions.end(), [next](const Mention& mention) {
        return mention.span.first == next && mention.spelled_out();
      });
      if (table == owner || here == mentions.end() || !ends_clause(skip_ending(here->span.last))) continue;
      const auto edges = domain_.edges_between(owner, table);
      if (edges.size() != 1) return std::nullopt;
      const auto child = domain_.edges()[edges.front()].child;
      if (domain_.column(child).table != owner || !lacks_values(child)) return std::nullopt;
      return FoundAbsence{{first, skip_ending(here->span.last)}, child, ColumnTest::missing};
    }
    return std::nullopt;
  }

  // The column that refers to a row's parent, or to its boss, whatever the column is called, where the word at `next`
  // says so.
  ColumnId role_of(TableId owner, std::size_t next) const {
    if (next >= words_.size() || !ends_clause(next + 1)) return nothing;
    for (const auto number : domain_.edges_of(owner)) {
      const auto& edge = domain_.edges()[number];
      const auto role = domain_.role_words(number);
      if (domain_.column(edge.child).table == domain_.column(edge.parent).table && role.size() == 1 &&
          (is_superior_role(role.front()) ? names_superior(words_[next]) : words_[next].lemma() == role.front()) &&
          lacks_values(edge.child))
        return edge.child;
    }
    return nothing;
  }

  bool lacks_values(ColumnId column) const {
    return (domain_.column(column).has_nulls || domain_.column(column).has_blanks) && !domain_.column(column).has_none;
  }

  // "No fee" may be a fee of 0.
  static bool may_be_zero(const DomainColumn& column) {
    return column.kind == DataKind::number && column.min && column.max && *column.min <= 0 && *column.max >= 0;
  }

  bool is_participle(std::size_t i) const {
    if (i >= words_.size() || words_[i].quoted) return false;
    const auto& word = words_[i];
    const bool ends = word.lower.ends_with("ed") || word.lower.ends_with("en") || word.lower.ends_with("d") ||
                      word.lower.ends_with("t");
    return ends && std::any_of(word.lemmas.begin(), word.lemmas.end(),
                               [&word](const std::string& lemma) { return lemma != word.lower; });
  }

  // A date or number that the verb may be about: "returned in 2024".
  bool has_literal_behind(std::size_t verb) const {
    constexpr std::size_t reach = 4;
    return std::any_of(linking_.numbers.begin(), linking_.numbers.end(), [verb](const NumberMention& number) {
      return number.span.first > verb && number.span.first <= verb + reach;
    });
  }

  bool is_table_at(std::size_t i) const {
    return std::any_of(linking_.tables.begin(), linking_.tables.end(), [i](const std::vector<Mention>& mentions) {
      return std::any_of(mentions.begin(), mentions.end(),
                         [i](const Mention& mention) { return mention.span.first == i && mention.spelled_out(); });
    });
  }

  // The table that is named last in front of the word; without one, the first behind it.
  TableId owner_before(std::size_t word) const {
    TableId before = nothing;
    TableId behind = nothing;
    std::size_t last = 0;
    std::size_t first = words_.size();
    for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table)
      for (const auto& mention : linking_.tables[static_cast<std::size_t>(table)]) {
        if (!mention.spelled_out()) continue;
        if (mention.span.last <= word && mention.span.last > last) {
          last = mention.span.last;
          before = table;
        } else if (mention.span.first >= word && mention.span.first < first) {
          first = mention.span.first;
          behind = table;
        }
      }
    return before != nothing ? before : behind;
  }

  // Who has no licence may have none of the classes in licence_class, or one whose class is not known.
  bool names_only_what_has_a_kind(const Mention& mention, const DomainColumn& column) const {
    constexpr std::string_view kinds[] = {"class", "type", "category", "kind", "level"};
    return std::any_of(column.words.begin(), column.words.end(), [&](const std::string& word) {
      if (column.words.size() < 2 || !is_listed(kinds, word)) return false;
      for (auto i = mention.span.first; i < mention.span.last; ++i)
        if (is_listed(words_[i].lemmas, word) || words_[i].lower == word) return false;
      return true;
    });
  }

  // The column that the words from `next` on name, of the table that is spoken of: the one that they name best, if it
  // lacks values and `fits`. nullopt if two are named equally well, or a table is.
  template <class Fits>
  std::optional<Named> named_at(std::size_t next, std::size_t first, const Fits& fits) const {
    if (next >= words_.size() || words_[next].quoted || is_function_word(words_[next])) return std::nullopt;
    const auto owner = owner_before(first);
    Named best;
    float coverage = 0;
    bool tied = false;
    for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id) {
      if (owner != nothing && domain_.column(id).table != owner) continue;
      for (const auto& mention : linking_.columns[static_cast<std::size_t>(id)]) {
        if (mention.span.first != next || !names_surely(mention, domain_.column(id)) ||
            names_only_what_has_a_kind(mention, domain_.column(id)))
          continue;
        const auto size = static_cast<float>(mention.matched) + mention.coverage;
        if (size > coverage + 0.05F) {
          best = {id, end_of_name(mention, domain_.column(id), question_)};
          coverage = size;
          tied = false;
        } else if (size > coverage - 0.05F && best.column != id) {
          // Of two columns that share a word, only one may lack values.
          const bool better = lacks_values(id) && fits(domain_.column(id));
          const bool good = lacks_values(best.column) && fits(domain_.column(best.column));
          tied = better == good;
          if (better && !good) best = {id, end_of_name(mention, domain_.column(id), question_)};
        }
      }
    }
    if (best.column == nothing || tied || !lacks_values(best.column) || !fits(domain_.column(best.column)) ||
        domain_.column(best.column).is_key)
      return std::nullopt;
    return best;
  }

  // Whether the words name no value of the same table: "resolved" may be a status.
  bool is_free(const FoundAbsence& found) const {
    const auto table = domain_.column(found.column).table;
    return std::none_of(linking_.values.begin(), linking_.values.end(), [&](const ValueMention& value) {
      return value.span.overlaps(found.span) && !value.is_name &&
             (value.quoted || std::any_of(value.cells.begin(), value.cells.end(), [&](const ValueIndex::Cell& cell) {
                return domain_.column(cell.column).table == table;
              }));
    });
  }

  const Domain& domain_;
  const Question& question_;
  const std::vector<Word>& words_;
  const Linking& linking_;
};

}  // namespace

void link_missing(const Domain& domain, Question& question, Linking& linking) {
  for (const auto& found : AbsenceFinder(domain, question, linking).find())
    add_column_test(
        {.span = found.span, .text = {}, .capitalised = true, .cells = {{found.column, {}}}, .test = found.test},
        question, linking);
}

}  // namespace trustsql::semparse
