#include "semparse/training/infeasible.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "semparse/question/question_view.hpp"
#include "semparse/tree/description.hpp"

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

template <class Mentions>
bool touches_any(const Mentions& mentions, WordSpan span) {
  return std::any_of(mentions.begin(), mentions.end(),
                     [span](const auto& mention) { return mention.span.overlaps(span); });
}

bool touches_table(const Linking& linking, WordSpan span) {
  return std::any_of(linking.tables.begin(), linking.tables.end(),
                     [span](const auto& mentions) { return touches_any(mentions, span); });
}

// Words that take the place of a column's, and the table that they belong to, if it is in the same database.
struct Replacement {
  std::vector<std::string> words{};
  TableId table = nothing;
  bool inflects = false;  // it is in the plural where the column's name is
};

// Puts what `propose` gives for a column in its place.
template <class Propose>
std::optional<std::string> replace_column(const Domain& domain, QuestionLinker& linker, const std::string& text,
                                          const Tree& tree, Random& random, const Propose& propose) {
  auto question = read_question(text);
  const auto linking = linker.link(question);
  const auto named = named_columns(linking, tree);
  if (named.empty()) return std::nullopt;
  const Vocabulary vocabulary;
  const QuestionView view(domain, question, linking, vocabulary);
  for (int i = 0; i < tries; ++i) {
    const auto& place = named[random.below(named.size())];
    const auto home = domain.column(place.column).table;
    const std::optional<Replacement> replacement = propose(place.column);
    if (!replacement) continue;
    const bool surface = replacement->table != nothing;
    if (surface && view.distance(replacement->table, home) < near) continue;
    const auto& last = question.words[place.span.last - 1];
    auto name = join(replacement->words, " ");
    if (replacement->inflects && last.lower.ends_with('s') && last.lower != domain.column(place.column).words.back())
      name = plural_of(std::move(name));
    const auto changed = text.substr(0, question.words[place.span.first].begin) + name + text.substr(last.end);
    const auto linked = linker.link(read_question(changed));
    const WordSpan span{place.span.first, place.span.first + replacement->words.size()};
    bool rejected = touches_any(linked.values, span) || touches_table(linked, span);
    for (ColumnId id = 0; id < static_cast<ColumnId>(domain.columns().size()) && !rejected; ++id)
      rejected = touches_any(linked.columns[static_cast<std::size_t>(id)], span) &&
                 (!surface || view.distance(domain.column(id).table, home) < near);
    if (!rejected) return changed;
  }
  return std::nullopt;
}

// A column of `other` that says something by its name.
std::optional<Replacement> draw_column(const Domain& other, Random& random) {
  const auto& column = other.column(static_cast<ColumnId>(random.below(other.columns().size())));
  const bool says_nothing = column.words.empty() || column.words == std::vector<std::string>{"name"};
  if (column.is_id || says_nothing) return std::nullopt;
  return Replacement{column.words, column.table, false};
}

}  // namespace

std::optional<std::string> surface_question(const Domain& domain, QuestionLinker& linker, const std::string& question,
                                            const Tree& tree, Random& random) {
  return replace_column(domain, linker, question, tree, random, [&](ColumnId) { return draw_column(domain, random); });
}

std::optional<std::string> unrelated_question(const Domain& domain, QuestionLinker& linker, const Domain& other,
                                              const std::string& question, const Tree& tree, Random& random) {
  if (other.columns().empty()) return std::nullopt;
  return replace_column(domain, linker, question, tree, random, [&](ColumnId) {
    auto drawn = draw_column(other, random);
    if (drawn) drawn->table = nothing;
    return drawn;
  });
}

std::optional<std::string> question_with_column(
    const Domain& domain, QuestionLinker& linker, const std::string& question, const Tree& tree, Random& random,
    const std::function<std::optional<std::vector<std::string>>(ColumnId column)>& propose) {
  return replace_column(domain, linker, question, tree, random, [&](ColumnId column) -> std::optional<Replacement> {
    auto words = propose(column);
    if (!words) return std::nullopt;
    return Replacement{std::move(*words), nothing, true};
  });
}

}  // namespace trustsql::semparse
