#include "semparse/question/parallel_references.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "semparse/question/asked_joins.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

ParallelReferences::ParallelReferences(const QuestionView& view, std::vector<std::size_t> edges)
    : view_(view), domain_(view.domain()), words_(view.question().words), edges_(std::move(edges)) {
  for (const auto edge : edges_) role_words_.push_back(domain_.role_words(edge));
  const auto first = role_words_.front();
  for (const auto& word : first)
    if (std::all_of(role_words_.begin(), role_words_.end(),
                    [&word](const std::vector<std::string>& words) { return is_listed(words, word); }))
      for (auto& words : role_words_) std::erase(words, word);
}

void ParallelReferences::add_to(AskedRoles& roles) const {
  std::vector<std::optional<std::size_t>> value_edges;  // by literal; none: no value of the table
  std::vector<std::size_t> asked;
  for (const auto& literal : view_.literals()) {
    value_edges.emplace_back();
    if (literal.value == nullptr || !is_of_table(*literal.value)) continue;
    const auto edge = edge_of(literal.span);
    if (!edge) return;
    value_edges.back() = edge;
    asked.push_back(*edge);
  }
  for (std::size_t number = 0; number < edges_.size(); ++number)
    if (names_by_number(edges_[number]) && is_named(number)) asked.push_back(edges_[number]);
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  if (asked.size() < 2) return;
  const auto first_role = static_cast<TableId>(domain_.tables().size() + roles.edges.size());
  const auto role_of = [&](std::size_t edge) {
    return first_role + static_cast<TableId>(std::find(asked.begin(), asked.end(), edge) - asked.begin());
  };
  for (std::size_t i = 0; i < value_edges.size(); ++i)
    if (value_edges[i]) roles.literals.push_back({view_.literals()[i].span, role_of(*value_edges[i])});
  roles.edges.insert(roles.edges.end(), asked.begin(), asked.end());
}

bool ParallelReferences::is_of_table(const ValueMention& value) const {
  return !value.is_name && std::any_of(value.cells.begin(), value.cells.end(), [this](const ValueIndex::Cell& cell) {
    return domain_.column(cell.column).table == parent_table();
  });
}

bool ParallelReferences::names_by_number(std::size_t edge) const {
  const auto& [child, parent, declared] = domain_.edges()[edge];
  return domain_.column(child).kind == DataKind::number && !domain_.is_display(parent);
}

bool ParallelReferences::names_role(const Word& word, std::size_t number) const {
  return !word.quoted && std::any_of(role_words_[number].begin(), role_words_[number].end(), [&](const auto& part) {
    return is_listed(word.lemmas, part) || word.lower == part;
  });
}

std::optional<std::size_t> ParallelReferences::edge_at(std::size_t i) const {
  std::optional<std::size_t> chosen;
  for (std::size_t number = 0; number < edges_.size(); ++number) {
    if (!names_role(words_[i], number)) continue;
    if (chosen) return std::nullopt;
    chosen = edges_[number];
  }
  return chosen || says_origin(i) ? chosen : edge_of_direction(view_, edges_, i);
}

bool ParallelReferences::says_origin(std::size_t i) const {
  constexpr std::string_view verbs[] = {"is", "are", "was", "were", "be", "come", "comes", "came", "coming"};
  return i > 0 && words_[i].lower == "from" && is_listed(verbs, words_[i - 1].lower);
}

std::optional<std::size_t> ParallelReferences::edge_of(WordSpan value) const {
  constexpr std::size_t reach = 5;
  const auto is_value = [this](std::size_t i) {
    return std::any_of(view_.literals().begin(), view_.literals().end(), [i](const Literal& literal) {
      return literal.value != nullptr && literal.span.first <= i && i < literal.span.last;
    });
  };
  for (auto i = value.first; i > 0 && value.first - i < reach && !is_value(i - 1); --i)
    if (const auto edge = edge_at(i - 1)) return edge;
  for (auto i = value.last; i < words_.size() && i - value.last < reach && !is_value(i); ++i) {
    if (words_[i].lower == "and" || words_[i].lower == ",") break;
    if (const auto edge = edge_at(i)) return edge;
  }
  return std::nullopt;
}

bool ParallelReferences::is_named(std::size_t number) const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (!names_role(words_[i], number) || (i + 1 < words_.size() && is_identifier_word(words_[i + 1].lower))) continue;
    bool other = false;
    for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id)
      for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)])
        other |= mention.whole() && mention.span.first <= i && i < mention.span.last &&
                 id != domain_.edges()[edges_[number]].child;
    if (!other) return true;
  }
  return false;
}

}  // namespace trustsql::semparse
