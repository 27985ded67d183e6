#include "semparse/question/named_people.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "semparse/database/people.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/tree/description.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// The only table with a column of which the name begins first, or that is named by the word there; `nothing` if there
// are several.
TableId table_of_first_column(const QuestionView& view) {
  const auto& columns = view.linking().columns;
  TableId found = nothing;
  auto first = view.question().words.size();
  bool several = false;
  for (ColumnId id = 0; id < static_cast<ColumnId>(columns.size()); ++id)
    for (const auto& mention : columns[static_cast<std::size_t>(id)]) {
      if (mention.span.first > first) continue;
      const auto table = view.domain().column(id).table;
      several = mention.span.first == first && (several || (found != nothing && found != table));
      first = mention.span.first;
      found = table;
    }
  return several ? nothing : found;
}

bool names_table(const QuestionView& view) {
  return std::any_of(view.linking().tables.begin(), view.linking().tables.end(),
                     [](const auto& mentions) { return !mentions.empty(); });
}

// The only table that the verb behind "who" names: the teachers of "who teaches Spanish", the employees of "who reports
// to Ada" and "who was hired by Ada"; `nothing` if there is none.
TableId doers_of_verb(const QuestionView& view) {
  TableId found = nothing;
  const auto& tables = view.linking().tables;
  const auto& auxiliary = view.question().words[1].lower;
  const std::size_t verb = auxiliary == "was" || auxiliary == "were" ? 2 : 1;
  for (TableId id = 0; id < static_cast<TableId>(tables.size()); ++id)
    for (const auto& mention : tables[static_cast<std::size_t>(id)]) {
      const auto stored = view.domain().stored_table(id);
      if (mention.span != WordSpan{verb, verb + 1} || !are_people(view.domain(), stored)) continue;
      if (found != nothing && found != stored) return nothing;
      found = stored;
    }
  return found;
}

}  // namespace

std::vector<Edit> people_edits(const QuestionView& view) {
  constexpr std::string_view no_verbs[] = {"is", "are", "'s", "'", "else", "all", "of"};
  const auto& words = view.question().words;
  if (words.size() < 3 || words[0].lower != "who" || words[0].quoted || is_listed(no_verbs, words[1].lower)) return {};
  const auto doers = doers_of_verb(view);
  const auto people = doers != nothing ? doers : names_table(view) ? nothing : table_of_first_column(view);
  if (people == nothing) return {};
  const auto& table = view.domain().table(people);
  if (table.role_of != nothing || table.display == nothing || !are_people(view.domain(), people)) return {};
  bool one = doers != nothing;
  for (std::size_t i = 1; i < words.size(); ++i) one |= is_superlative_word(view.question(), i);
  const auto noun = noun_of(view.domain(), people);
  if (one) return {{{0, 1}, "which " + noun}};
  const auto& verb = words[1].lower;
  const bool third_person = verb.ends_with('s') && verb.size() > 3 && words[1].lemma() != verb;  // "reports"
  const std::string_view plural = verb == "was"   ? "were"
                                  : verb == "has" ? "have"
                                  : third_person  ? std::string_view(words[1].lemma())
                                                  : std::string_view(words[1].text);
  return {{{0, 2}, "which " + plural_of(noun) + " " + std::string(plural)}};
}

}  // namespace trustsql::semparse
