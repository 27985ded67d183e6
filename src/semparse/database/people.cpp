#include "semparse/database/people.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "link/lexicon/lexicon.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

namespace lexicon = link::lexicon;

// Whether `broad` is a broader concept than `narrow`, or the same.
bool is_kind_of(lexicon::ConceptId narrow, lexicon::ConceptId broad) {
  constexpr int most_levels = 12;
  std::vector<lexicon::ConceptId> level = {narrow};
  for (int i = 0; i < most_levels && !level.empty(); ++i) {
    std::vector<lexicon::ConceptId> next;
    for (const auto each : level) {
      if (each == broad) return true;
      for (std::size_t r = 0; r < lexicon::related_count(each); ++r)
        if (const auto related = lexicon::related(each, r); related.relation == link::Relation::broader)
          next.push_back(related.meaning);
    }
    level = std::move(next);
  }
  return false;
}

}  // namespace

bool is_word_for_people(const std::string& noun) {
  constexpr std::string_view groups[] = {"people", "staff", "personnel", "crew"};
  constexpr float least_probability = 0.5F;  // of the sense that is a person
  if (is_listed(groups, noun)) return true;
  const auto word = lexicon::find(noun);
  const auto person = lexicon::find("person");
  if (!word || !person) return false;
  const auto sense = lexicon::sense(*word, 0);
  return sense.probability >= least_probability && is_kind_of(sense.meaning, lexicon::sense(*person, 0).meaning);
}

bool are_people(const Domain& domain, TableId table) {
  const auto& words = domain.table(table).words;
  return !words.empty() && is_word_for_people(words.back());
}

bool are_only_people_of(const Domain& domain, TableId table, TableId other) {
  if (!are_people(domain, table)) return false;
  const auto& edges = domain.edges_of(other);
  return std::none_of(edges.begin(), edges.end(), [&](std::size_t edge) {
    const auto parent = domain.column(domain.edges()[edge].parent).table;
    return domain.column(domain.edges()[edge].child).table == other && parent != table && are_people(domain, parent);
  });
}

TableId people_of(const Domain& domain) {
  TableId found = nothing;
  for (TableId id = 0; id < static_cast<TableId>(domain.tables().size()); ++id) {
    const auto& table = domain.table(id);
    if (table.role_of != nothing || table.display == nothing || !are_people(domain, id)) continue;
    if (found != nothing) return nothing;
    found = id;
  }
  return found;
}

bool is_residence(const DomainColumn& column) {
  constexpr std::string_view places[] = {"city",   "town",     "village", "country", "state",  "address",
                                         "suburb", "district", "county",  "region",  "street", "location"};
  constexpr std::string_view others[] = {"birth", "born", "origin", "work", "office"};
  const auto has = [&column](const auto& list) {
    return std::any_of(column.all_words.begin(), column.all_words.end(),
                       [&list](const std::string& word) { return is_listed(list, word); });
  };
  return has(places) && !has(others);
}

}  // namespace trustsql::semparse
