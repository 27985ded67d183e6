#include "semparse/infeasible.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "semparse/question_view.hpp"

namespace trustsql::semparse {

namespace {

constexpr int tries = 20;
constexpr int near = 2;  // joins

// The columns of `tree` that the question names in full, at one place each.
struct NamedColumn {
  ColumnId column;
  WordSpan span;
};

std::vector<NamedColumn> named_columns(const Linking& linking, const Tree& tree) {
  std::vector<NamedColumn> named;
  const auto add = [&](ColumnId column) {
    if (column == nothing) return;
    const auto& mentions = linking.columns[static_cast<std::size_t>(column)];
    if (mentions.empty() || !mentions.front().whole() || mentions.front().weakest != WordMatch::form) return;
    if (mentions.size() > 1 && mentions[1].whole()) return;
    named.push_back({column, mentions.front().span});
  };
  for (const auto& term : tree.block.select) add(term.column);
  for (const auto& condition : tree.block.where) add(condition.term.column);
  for (const auto& order : tree.block.order) add(order.term.column);
  for (const auto column : tree.block.group) add(column);
  return named;
}

std::optional<std::string> replace_column(const Domain& domain, QuestionLinker& linker, const Domain& other,
                                          bool surface, const std::string& text, const Tree& tree, Random& random) {
  const auto question = read_question(text);
  const auto linking = linker.link(question);
  const auto named = named_columns(linking, tree);
  if (named.empty() || other.columns().empty()) return std::nullopt;
  const Vocabulary vocabulary;
  const QuestionView view(domain, question, linking, vocabulary);
  for (int i = 0; i < tries; ++i) {
    const auto& place = named[random.below(named.size())];
    const auto home = domain.column(place.column).table;
    const auto& replacement = other.column(static_cast<ColumnId>(random.below(other.columns().size())));
    const bool says_nothing = replacement.words.empty() || replacement.words == std::vector<std::string>{"name"};
    if (replacement.is_id || says_nothing) continue;
    if (surface && view.distance(replacement.table, home) < near) continue;
    const auto changed = text.substr(0, question.words[place.span.first].begin) + join(replacement.words, " ") +
                         text.substr(question.words[place.span.last - 1].end);
    const auto linked = linker.link(read_question(changed));
    const WordSpan span{place.span.first, place.span.first + replacement.words.size()};
    const auto touches = [&span](const auto& mentions) {
      return std::any_of(mentions.begin(), mentions.end(),
                         [&](const auto& mention) { return mention.span.overlaps(span); });
    };
    bool rejected = touches(linked.values) || std::any_of(linked.tables.begin(), linked.tables.end(), touches);
    for (ColumnId id = 0; id < static_cast<ColumnId>(domain.columns().size()) && !rejected; ++id)
      rejected = touches(linked.columns[static_cast<std::size_t>(id)]) &&
                 (!surface || view.distance(domain.column(id).table, home) < near);
    if (!rejected) return changed;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> surface_question(const Domain& domain, QuestionLinker& linker, const std::string& question,
                                            const Tree& tree, Random& random) {
  return replace_column(domain, linker, domain, true, question, tree, random);
}

std::optional<std::string> unrelated_question(const Domain& domain, QuestionLinker& linker, const Domain& other,
                                              const std::string& question, const Tree& tree, Random& random) {
  return replace_column(domain, linker, other, false, question, tree, random);
}

}  // namespace trustsql::semparse
