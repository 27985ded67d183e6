#include "semparse/abstention/triage.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "semparse/question/asked_joins.hpp"
#include "semparse/words/task_lexicon.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// A word that training questions leave unexplained more often than this is taken to say nothing.
constexpr float harmless_from = 0.5F;
constexpr int no_path = 9;     // QuestionView::distance() of tables that cannot be joined
constexpr int near_joins = 1;  // a column further from all that is named belongs to something else
constexpr std::size_t shown_words = 3;
constexpr std::size_t shown_columns = 5;

// Words before a value, rather than before a name: "of Smith", "is Smith".
constexpr std::string_view value_openers[] = {"of",   "for",   "is",    "was",    "are",  "were",  "by",      "in",
                                              "at",   "on",    "from",  "with",   "than", "has",   "named",   "called",
                                              "when", "where", "after", "before", "to",   "since", "against", "as"};

// Words of general English that speak of data and answers as such, in base forms.
constexpr std::string_view data_words[] = {
    "answer", "column", "data",  "database", "entry",    "equal",  "equals", "field",  "information", "item",
    "kind",   "list",   "name",  "number",   "object",   "output", "record", "result", "row",         "sort",
    "table",  "thing",  "total", "value",    "question", "way",    "least",  "most",   "first",       "last",
    "same",   "other",  "only",  "no",       "not",      "never",  "time",   "times",  "neither",     "nor"};
constexpr std::string_view months_and_days[] = {"january", "february", "march",     "april",    "may",      "june",
                                                "july",    "august",   "september", "october",  "november", "december",
                                                "monday",  "tuesday",  "wednesday", "thursday", "friday",   "saturday",
                                                "sunday",  "today",    "yesterday"};

class TriageReader {
 public:
  TriageReader(const QuestionView& view, const ReadingEvidence& reading)
      : view_(view), reading_(reading), chooses_join_(!asked_joins(view).empty()) {
    for (std::size_t i = 0; i < view.question().words.size(); ++i) {
      const auto kind = view.kind(i);
      names_something_ |=
          kind == Symbol::column || kind == Symbol::table || kind == Symbol::value || kind == Symbol::part;
    }
    find_anchors();
  }

  Triage read() const {
    std::vector<std::size_t> unexplained;
    bool near = false;
    for (std::size_t i = 0; i < view_.question().words.size(); ++i) {
      if (!is_unexplained(i)) continue;
      unexplained.push_back(i);
      near |= is_near(i);
    }
    if (!unexplained.empty()) {
      unexplained.resize(std::min(unexplained.size(), shown_words));
      return {near || !named_.empty() ? Feasibility::column_related : Feasibility::column_unrelated,
              not_found_text(unexplained), suggestion(), unexplained};
    }
    if (!names_something_)
      return {Feasibility::ambiguous, "the question names nothing in this database", suggestion(), {}};
    return triage_of_columns();
  }

  // What the tables of the reading hold.
  std::string suggestion() const {
    if (!reading_.has_reading || reading_.tables.empty()) return {};
    const auto& table = view_.domain().table(reading_.tables.front());
    std::string names;
    std::size_t shown = 0;
    for (auto id = table.first_column; id < table.last_column && shown < shown_columns; ++id) {
      const auto& column = view_.domain().column(id);
      if (column.is_id) continue;
      names += (shown++ == 0 ? "" : ", ") + quote_for_message(column.name, 60);
    }
    if (names.empty()) return {};
    return "of " + quote_for_message(table.name, 60) + " you can ask for " + names;
  }

 private:
  // Columns with names that the question writes out.
  struct Named {
    WordSpan span{};
    std::vector<ColumnId> columns{};  // that the words could mean equally well
  };

  std::vector<Named> named_columns() const {
    std::vector<Named> all;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id) {
      const auto* mention = view_.column_mention(id);
      if (mention == nullptr || !mention->whole() || view_.domain().column(id).is_id) continue;
      const auto& words = view_.domain().column(id).words;
      if (words.size() == 1 && is_listed(data_words, words.front())) continue;  // any table may have "names"
      const auto same =
          std::find_if(all.begin(), all.end(), [&](const Named& named) { return named.span == mention->span; });
      if (same == all.end())
        all.push_back({mention->span, {id}});
      else
        same->columns.push_back(id);
    }
    // "name" within "first name" is no name of its own.
    std::vector<Named> longest;
    for (const auto& named : all) {
      const bool inside = std::any_of(all.begin(), all.end(), [&](const Named& other) {
        return !(other.span == named.span) && other.span.contains(named.span);
      });
      if (!inside) longest.push_back(named);
    }
    return longest;
  }

  // How many joins lie between a column and what the question names besides.
  int distance(ColumnId column) const {
    int nearest = no_path;
    for (const auto table : named_)
      nearest = std::min(nearest, view_.distance(view_.domain().column(column).table, table));
    return nearest;
  }

  // The same for columns whose names the words give in part: "phone" for customer_phone.
  int distance_of_parts(WordSpan span) const {
    int nearest = no_path;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id) {
      const auto* mention = view_.column_mention(id);
      if (mention != nullptr && !mention->whole() && mention->span.overlaps(span))
        nearest = std::min(nearest, distance(id));
    }
    return nearest;
  }

  // Tables that the question names, by their names or by values in capitals or quotes.
  void find_anchors() {
    for (TableId id = 0; id < static_cast<TableId>(view_.domain().tables().size()); ++id)
      if (const auto* mention = view_.table_mention(id); mention != nullptr && mention->whole()) named_.push_back(id);
    for (const auto& value : view_.linking().values) {
      if (value.is_name || !(value.quoted || value.capitalised)) continue;
      for (const auto& cell : value.cells) anchors_.push_back(view_.domain().column(cell.column).table);
    }
    anchors_.insert(anchors_.end(), named_.begin(), named_.end());
  }

  Triage triage_of_columns() const {
    if (named_.empty()) return {};
    for (const auto& named : named_columns()) {
      // Words that are a table's name as well say which table is meant.
      const bool is_table = std::any_of(named_.begin(), named_.end(), [&](TableId table) {
        return view_.table_mention(table)->span.overlaps(named.span);
      });
      if (is_table) continue;
      std::vector<int> distances;
      for (const auto column : named.columns) distances.push_back(distance(column));
      const int nearest =
          std::min(*std::min_element(distances.begin(), distances.end()), distance_of_parts(named.span));
      const auto words = quote_for_message(view_.question().text_of(named.span), 60);
      if (nearest > near_joins) {
        const auto& column = view_.domain().column(named.columns.front());
        return {Feasibility::column_surface,
                words + " belongs to " + quote_for_message(view_.domain().table(column.table).name, 60) +
                    ", which the question does not name",
                suggestion(),
                {}};
      }
      const auto at_nearest = std::count(distances.begin(), distances.end(), nearest);
      if (nearest == 0 || at_nearest < 2) continue;
      std::string names;
      for (std::size_t i = 0; i < distances.size(); ++i) {
        if (distances[i] != nearest) continue;
        if (!names.empty()) names += " or ";
        names += name_of(named.columns[i]);
      }
      return {Feasibility::ambiguous, words + " could be " + names, "name the table as well", {}};
    }
    return {};
  }

  std::string name_of(ColumnId id) const {
    const auto& column = view_.domain().column(id);
    return view_.domain().table(column.table).name + "." + column.name;
  }

  bool is_unexplained(std::size_t i) const {
    const auto& word = view_.question().words[i];
    if (is_function_word(word) || word.quoted || word.number) return false;
    if (i < reading_.explained.size() && reading_.explained[i]) return false;
    const auto kind = view_.kind(i);
    if (kind != Symbol::word && kind != Symbol::unknown) return false;
    if (view_.vocabulary().contains(word.lower) && view_.vocabulary().idle(word.lower) > harmless_from) return false;
    if (is_listed(data_words, word.lemma()) || is_listed(months_and_days, word.lower) || opens_request(i)) return false;
    // A value, by its form: that nothing has it is an answer, too.
    if (word.text.find_first_of("0123456789") != std::string::npos || (word.capitalised && i > 0)) return false;
    if (names_something_ && is_verb_form(word)) return false;
    if (chooses_join_ && says_direction(word)) return false;
    const auto& words = view_.question().words;
    if (i + 1 < words.size() && words[i + 1].lower == "than") return false;  // "shorter than 200": a comparison
    return reading_.values_known || !may_be_value(i);
  }

  // "Name the ...", "..., output the ..."
  bool opens_request(std::size_t i) const {
    const auto verbs = request_verbs();
    const auto& words = view_.question().words;
    if (!std::binary_search(verbs.begin(), verbs.end(), std::string_view(words[i].lower))) return false;
    return i == 0 || words[i - 1].lower == "." || words[i - 1].lower == "," || words[i - 1].lower == "and" ||
           is_listed(polite_openings(), words[i - 1].lower);
  }

  // A participle says how things are related ("owned by", "opening in"), and seldom what is asked for.
  static bool is_verb_form(const Word& word) {
    if (word.lemma() == word.lower) return false;
    return word.lower.ends_with("ed") || word.lower.ends_with("ing");
  }

  // Where no values are known, a word may be one: by its form, or by where it stands.
  bool may_be_value(std::size_t i) const {
    const auto& words = view_.question().words;
    for (auto at = i; at > 0; --at) {
      const auto& before = words[at - 1];
      // A value may also follow a name: "player Smith".
      if (is_listed(value_openers, before.lower) ||
          (view_.kind(at - 1) != Symbol::word && view_.kind(at - 1) != Symbol::unknown))
        return true;
      if (is_function_word(before)) return false;
    }
    return false;
  }

  // Whether a name here means something near.
  bool is_near(std::size_t i) const {
    const auto touches = [i](const Mention* mention) {
      return mention != nullptr && mention->span.first <= i && i < mention->span.last;
    };
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id)
      if (touches(view_.column_mention(id))) return true;
    for (TableId id = 0; id < static_cast<TableId>(view_.domain().tables().size()); ++id)
      if (touches(view_.table_mention(id))) return true;
    return false;
  }

  std::string not_found_text(const std::vector<std::size_t>& positions) const {
    std::vector<std::string> words;
    for (const auto position : positions) words.push_back(quote_for_message(view_.question().words[position].text, 60));
    return "nothing in this database was found for " + join(words, ", ");
  }

  const QuestionView& view_;
  const ReadingEvidence& reading_;
  bool names_something_ = false;
  bool chooses_join_ = false;       // "arrive in": which of two ways to the same table
  std::vector<TableId> named_{};    // tables whose names the question writes out
  std::vector<TableId> anchors_{};  // these, and tables with values that it names
};

}  // namespace

std::string_view feasibility_name(Feasibility type) {
  switch (type) {
    case Feasibility::feasible: return "feasible";
    case Feasibility::column_surface: return "column-surface";
    case Feasibility::column_related: return "column-related";
    case Feasibility::column_unrelated: return "column-unrelated";
    case Feasibility::non_sql: return "non-sql";
    case Feasibility::ext_know: return "ext-know";
    case Feasibility::ambiguous: return "ambiguous";
    case Feasibility::small_talk: return "small-talk";
  }
  return "feasible";
}

Triage triage_of_intent(const QuestionView& view) {
  std::vector<bool> named;
  for (std::size_t i = 0; i < view.question().words.size(); ++i) {
    const auto kind = view.kind(i);
    named.push_back(kind == Symbol::column || kind == Symbol::table || kind == Symbol::value);
  }
  const auto intent = intent_of(view.question(), named);
  const std::string what(intent.what);
  switch (intent.kind) {
    case IntentKind::data: break;
    case IntentKind::task:
    case IntentKind::statement: return {Feasibility::non_sql, what + " is not a query", {}, {}};
    case IntentKind::knowledge: return {Feasibility::ext_know, what + " is not in the data", {}, {}};
    case IntentKind::small_talk: return {Feasibility::small_talk, what + " is not a question about the data", {}, {}};
  }
  return {};
}

Triage triage_of(const QuestionView& view, const ReadingEvidence& reading) {
  auto triage = triage_of_intent(view);
  const TriageReader reader(view, reading);
  if (triage.feasible()) return reader.read();
  triage.suggestion = reader.suggestion();
  return triage;
}

}  // namespace trustsql::semparse
