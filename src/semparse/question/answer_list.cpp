#include "semparse/question/answer_list.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view separators[] = {",", "and", "&", "+", "/", "plus"};
constexpr std::string_view item_openings[] = {"the",  "a",         "an",       "their",  "its",  "his",  "her",
                                              "each", "all",       "both",     "also",   "just", "only", "our",
                                              "with", "different", "distinct", "unique", "every"};
constexpr std::string_view aggregate_nouns[] = {"total", "number", "sum", "count", "average", "mean", "avg"};
constexpr std::string_view lone_aggregate_nouns[] = {"total", "totals", "count", "counts", "average"};
constexpr std::string_view extreme_nouns[] = {"maximum", "minimum", "max", "min", "highest", "lowest"};
constexpr std::string_view verbs_of_requests[] = {"show", "list", "return", "give", "find", "tell", "display"};
constexpr std::string_view generic_nouns[] = {"name", "names", "id", "ids"};
constexpr std::size_t max_item_words = 8;
constexpr std::size_t max_items = 10;

// Whether one of the mentions begins within `words`, and has word `at`.
bool names(const std::vector<Mention>& mentions, WordSpan words, std::size_t at) {
  constexpr float least_coverage = 0.25F;
  return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
    return mention.coverage > least_coverage && words.first <= mention.span.first && mention.span.first <= at &&
           at < mention.span.last;
  });
}

// Whether word `at` is a word of a column's name.
bool names_by_own_word(const QuestionView& view, std::size_t at) {
  const auto& columns = view.linking().columns;
  return std::any_of(columns.begin(), columns.end(), [at](const std::vector<Mention>& mentions) {
    return std::any_of(mentions.begin(), mentions.end(), [at](const Mention& mention) {
      return mention.span.first <= at && at < mention.span.last && mention.weakest >= WordMatch::abbreviation;
    });
  });
}

bool carries_content(const QuestionView& view, std::size_t at) {
  const auto& word = view.question().words[at];
  return !is_function_word(word) && !is_listed(item_openings, word.lower);
}

// Whether something of the database, or a value, is named by word `at` of `words`.
bool is_named(const QuestionView& view, WordSpan words, std::size_t at) {
  const auto any = [&](const std::vector<std::vector<Mention>>& lists) {
    return std::any_of(lists.begin(), lists.end(),
                       [&](const std::vector<Mention>& mentions) { return names(mentions, words, at); });
  };
  return any(view.linking().columns) || any(view.linking().tables);
}

// "Page count", "opening date": a word for what a column holds, behind its name.
bool says_kind(const DomainColumn& column, std::string_view word) {
  constexpr std::string_view of_numbers[] = {"count", "counts", "amount", "amounts", "value", "values", "figure"};
  constexpr std::string_view of_dates[] = {"date", "dates", "time", "times", "day", "year"};
  return (column.kind == DataKind::number && is_listed(of_numbers, word)) ||
         (column.kind == DataKind::date && is_listed(of_dates, word));
}

// How well the column's name fits the words of the item, if all that are not in it are its table's.
struct NameFit {
  int words = 0;         // of the item that are the column's; 0 if it does not fit
  float coverage = 0;    // of the column's name
  bool spelled = false;  // all of the name is there, and in its own words
  float sum() const { return static_cast<float>(words) + coverage; }
};
NameFit fit_of_column(const QuestionView& view, WordSpan words, ColumnId id) {
  const auto& mentions = view.linking().columns[static_cast<std::size_t>(id)];
  const auto& owner = view.linking().tables[static_cast<std::size_t>(view.domain().column(id).table)];
  NameFit fit;
  for (auto i = words.first; i < words.last; ++i) {
    if (!carries_content(view, i)) continue;
    const bool is_own = names(mentions, words, i);
    fit.words += is_own ? 1 : 0;
    const bool is_kind = i > words.first && says_kind(view.domain().column(id), view.question().words[i].lower);
    if (!is_own && !is_kind && !names(owner, words, i)) return {};
  }
  for (const auto& mention : mentions)
    if (words.first <= mention.span.first && mention.span.first < words.last) {
      fit.coverage = std::max(fit.coverage, mention.coverage);
      fit.spelled |= mention.spelled_out();
    }
  return fit;
}

// The columns that the item may name: of each table those whose names fit best, and none that fits much worse than
// another table's, or in other words than one that is spelled out.
std::vector<ColumnId> columns_of_item(const QuestionView& view, WordSpan words, bool ids) {
  constexpr float tolerance = 0.2F;
  constexpr float tolerance_of_tables = 0.55F;
  struct Fitting {
    ColumnId column;
    NameFit fit;
  };
  std::vector<Fitting> fitting;
  bool spelled = false;
  for (ColumnId id = 0; id < static_cast<ColumnId>(view.domain().columns().size()); ++id) {
    const auto fit = fit_of_column(view, words, id);
    if (fit.words == 0 || (!ids && view.domain().column(id).is_id)) continue;
    fitting.push_back({id, fit});
    spelled |= fit.spelled;
  }
  if (spelled && words.size() > 1) std::erase_if(fitting, [](const Fitting& each) { return !each.fit.spelled; });
  const auto table_of = [&view](const Fitting& each) {
    return static_cast<std::size_t>(view.domain().column(each.column).table);
  };
  float most = 0;
  std::vector<float> best(view.domain().tables().size(), 0);
  for (const auto& each : fitting) {
    most = std::max(most, each.fit.coverage);
    best[table_of(each)] = std::max(best[table_of(each)], each.fit.sum());
  }
  std::vector<ColumnId> kept;
  for (const auto& each : fitting)
    if (each.fit.sum() >= best[table_of(each)] - tolerance && each.fit.coverage >= most - tolerance_of_tables)
      kept.push_back(each.column);
  return kept;
}

// "The number of pages", where a column called pages holds numbers.
bool names_stored_number(const QuestionView& view, const AnswerItem& item) {
  return std::any_of(item.columns.begin(), item.columns.end(), [&](ColumnId id) {
    const auto& mentions = view.linking().columns[static_cast<std::size_t>(id)];
    return view.domain().column(id).kind == DataKind::number &&
           std::any_of(mentions.begin(), mentions.end(),
                       [&item](const Mention& mention) { return mention.whole() && item.span.contains(mention.span); });
  });
}

// Of the first words of an item: "number of", "total number", "total cost", "average".
Aggregate aggregate_of(std::string_view first, std::string_view second) {
  if (first == "number" || first.starts_with("count") || second == "number") return Aggregate::count;
  return first.starts_with("total") || first == "sum" ? Aggregate::sum : Aggregate::avg;
}

// "Show", and not the list of "list price".
bool says_request(const QuestionView& view, WordSpan words, std::size_t at) {
  return is_listed(verbs_of_requests, view.question().words[at].lower) && !is_named(view, words, at);
}

bool is_superlative(std::string_view word) { return word.ends_with("est") || word == "most" || word == "least"; }

// The column that names the rows of the table whose name the words are; `nothing` if they are no such name.
ColumnId display_of(const QuestionView& view, WordSpan words) {
  const auto& tables = view.linking().tables;
  for (TableId id = 0; id < static_cast<TableId>(tables.size()); ++id)
    for (const auto& mention : tables[static_cast<std::size_t>(id)])
      if (mention.span == words && mention.spelled_out()) return view.domain().table(id).display;
  return nothing;
}

std::optional<AnswerItem> read_item(const QuestionView& view, WordSpan words, bool rows_by_name) {
  const auto& all = view.question().words;
  while (words.size() > 0 && is_listed(item_openings, all[words.first].lower)) ++words.first;
  if (words.size() == 0 || words.size() > max_item_words) return std::nullopt;
  for (auto i = words.first; i < words.last; ++i)
    if (all[i].quoted || is_superlative(all[i].lower) || says_request(view, words, i) ||
        view.kind(i) == Symbol::value || view.kind(i) == Symbol::number)
      return std::nullopt;
  AnswerItem item{words};
  const auto& first = all[words.first].lower;
  if (is_listed(extreme_nouns, first)) return std::nullopt;
  const bool how_many = first == "how" && words.size() > 2 && all[words.first + 1].lower == "many";
  const bool of = words.size() > 2 && is_listed(aggregate_nouns, first) &&
                  (all[words.first + 1].lower == "of" || all[words.first + 1].lower == "number");
  if (how_many || of) {
    // "The number of pages" is a column of numbers, or the sum of these.
    auto what = words.first + 2;
    while (what < words.last && all[what - 1].lower != "of" && !how_many) ++what;
    item.columns = what < words.last ? columns_of_item(view, {what, words.last}, false) : std::vector<ColumnId>();
    const bool stored = names_stored_number(view, item);
    item.aggregate = stored     ? Aggregate::sum
                     : how_many ? Aggregate::count
                                : aggregate_of(first, all[words.first + 1].lower);
    if (!stored) item.columns.clear();
    return item;
  }
  if (const auto display = rows_by_name ? display_of(view, words) : nothing; display != nothing) {
    item.columns = {display};
    item.is_table = true;
    return item;
  }
  item.columns = columns_of_item(view, words, true);
  const bool says_amount = words.size() == 1 && is_listed(lone_aggregate_nouns, first);
  if (says_amount && !names_by_own_word(view, words.first)) item.columns.clear();
  if (!item.columns.empty()) return item;
  if (words.size() > 1 ? is_listed(aggregate_nouns, first) : is_listed(lone_aggregate_nouns, first)) {
    item.aggregate = aggregate_of(first, words.size() > 1 ? std::string_view(all[words.first + 1].lower) : "");
    return item;
  }
  const bool counts_behind =
      words.size() > 1 && (all[words.last - 1].lower == "count" || all[words.last - 1].lower == "counts");
  if (counts_behind && view.kind(words.first) == Symbol::table) {
    item.aggregate = Aggregate::count;
    return item;
  }
  // "The name of its home station": a name whose owner another name says.
  for (auto i = words.first; i < words.last; ++i)
    if (carries_content(view, i) && !is_named(view, words, i) && !is_listed(generic_nouns, all[i].lower))
      return std::nullopt;
  const bool names_something = is_listed(generic_nouns, first) || view.kind(words.first) == Symbol::column ||
                               view.kind(words.first) == Symbol::part;
  return names_something ? std::optional(item) : std::nullopt;
}

// Whether word `at` ends the list that a question begins with. "Of" does not behind "number", nor inside of a name.
bool is_border(const QuestionView& view, std::size_t at) {
  constexpr std::string_view borders[] = {
      "of", "for",  "from", "in",     "that",    "who",    "whose",    "where",   "which",  "with",  "by",    "on",
      "at", "when", "to",   "are",    "is",      "was",    "were",     "have",    "having", "under", "among", "?",
      ".",  ":",    ";",    "sorted", "ordered", "ranked", "arranged", "grouped", "sort",   "order"};
  const auto& words = view.question().words;
  if (!is_listed(borders, words[at].lower)) return false;
  if (words[at].lower == "of" && at > 0 && is_listed(aggregate_nouns, words[at - 1].lower)) return false;
  return std::none_of(view.linking().columns.begin(), view.linking().columns.end(), [at](const auto& mentions) {
    return std::any_of(mentions.begin(), mentions.end(), [at](const Mention& mention) {
      return mention.coverage > 0.6F && mention.span.first < at && at + 1 < mention.span.last;
    });
  });
}

// Whether "and their teacher", "with the year" and the like stand behind the list.
bool asks_for_more(const QuestionView& view, std::size_t behind) {
  constexpr std::string_view additions[] = {"and", ",", "with", "also", "plus", "&", "+", "along", "as"};
  const auto& words = view.question().words;
  for (auto i = behind; i < words.size(); ++i) {
    if (!is_listed(additions, words[i].lower)) continue;
    auto next = i + 1;
    while (next < words.size() && (is_function_word(words[next]) || is_listed(item_openings, words[next].lower)))
      ++next;
    if (next < words.size() && (view.kind(next) == Symbol::column || view.kind(next) == Symbol::part ||
                                view.kind(next) == Symbol::table || is_listed(aggregate_nouns, words[next].lower)))
      return true;
  }
  return false;
}

}  // namespace

std::vector<ColumnId> names_of_part(const QuestionView& view, WordSpan name, std::size_t last) {
  const auto& words = view.question().words;
  if (name.size() != 1 || words[name.first].lemma() != "name") return {};
  const auto is_of = [&words](std::size_t i) {
    return i < words.size() && (words[i].lower == "of" || words[i].lower == "for");
  };
  auto at = name.last;
  while (at < last && !is_of(at)) ++at;
  if (!is_of(at)) return {};
  for (++at; at < words.size() && !carries_content(view, at);) ++at;
  const auto is_table = [at](const std::vector<Mention>& mentions) {
    return std::any_of(mentions.begin(), mentions.end(), [at](const Mention& mention) {
      return mention.spelled_out() && mention.span.first <= at && at < mention.span.last;
    });
  };
  const auto& tables = view.linking().tables;
  if (at >= words.size() || std::any_of(tables.begin(), tables.end(), is_table)) return {};
  std::vector<ColumnId> columns;
  for (ColumnId id = 0; id < static_cast<ColumnId>(view.domain().columns().size()); ++id)
    if (const auto& own = view.domain().column(id).words;
        own.size() == 2 && is_listed(words[at].lemmas, own.front()) && own.back() == words[name.first].lemma())
      columns.push_back(id);
  return columns;
}

std::optional<std::vector<AnswerItem>> read_answer_items(const QuestionView& view, WordSpan words, bool rows_by_name) {
  const auto& all = view.question().words;
  std::vector<AnswerItem> items;
  auto first = words.first;
  for (auto i = words.first; i <= words.last; ++i) {
    if (i < words.last && !is_listed(separators, all[i].lower)) continue;
    if (i > first) {
      auto item = items.size() < max_items ? read_item(view, {first, i}, rows_by_name) : std::nullopt;
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
    }
    first = i + 1;
  }
  for (auto& item : items)
    if (auto columns = names_of_part(view, item.span, words.last); !columns.empty()) item.columns = std::move(columns);
  // "The average height and weight" may be two averages.
  const auto amount = std::find_if(items.begin(), items.end(), [](const AnswerItem& item) {
    return item.aggregate != Aggregate::none && item.aggregate != Aggregate::count && item.columns.empty();
  });
  if (items.empty() || (amount != items.end() && amount + 1 != items.end())) return std::nullopt;
  return items;
}

std::optional<AnswerList> opening_list(const QuestionView& view) {
  const auto& words = view.question().words;
  std::size_t first = 0;
  while (first < words.size() && words[first].lower != "for" && is_request_word(view, first)) ++first;
  auto last = first;
  while (last < words.size() && !is_border(view, last)) ++last;
  if (last == words.size() || last == first) return std::nullopt;
  auto items = read_answer_items(view, {first, last});
  if (!items) return std::nullopt;
  return AnswerList{{first, last}, std::move(*items), !asks_for_more(view, last)};
}

bool is_listed_column(const AnswerItem& item, ColumnId column) {
  return std::find(item.columns.begin(), item.columns.end(), column) != item.columns.end();
}

bool is_request_word(const QuestionView& view, std::size_t at) {
  const auto& word = view.question().words[at];
  if (view.kind(at) == Symbol::column || view.kind(at) == Symbol::part || view.kind(at) == Symbol::table) return false;

  constexpr std::string_view requests[] = {
      "show",   "list", "give",   "me",    "us",    "find",  "get",    "tell",   "please",  "pls",     "can",
      "could",  "you",  "i",      "need",  "want",  "would", "like",   "d",      "to",      "see",     "display",
      "return", "what", "are",    "is",    "'s",    "the",   "report", "output", "provide", "print",   "retrieve",
      "know",   "just", "only",   "we",    "have",  "all",   "'",      "let",    "help",    "include", "'d",
      "a",      "for",  "select", "fetch", "state", "also",  "were",   "was"};
  return !word.quoted && is_listed(requests, word.lower);
}

}  // namespace trustsql::semparse
