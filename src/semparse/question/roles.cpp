#include "semparse/question/roles.hpp"

#include <algorithm>

#include "semparse/question/asked_joins.hpp"
#include "semparse/question/parallel_references.hpp"
#include "semparse/question/self_reference.hpp"

namespace trustsql::semparse {

namespace {

// A question with more roles is one about a database whose columns nobody can tell apart by their names.
constexpr std::size_t max_roles = 8;

}  // namespace

std::optional<AskedRoles> asked_roles(const QuestionView& view) {
  const auto& domain = view.domain();
  AskedRoles roles;
  std::vector<SelfReference> selves;
  for (std::size_t edge = 0; edge < domain.edges().size(); ++edge) {
    const auto child = domain.column(domain.edges()[edge].child).table;
    const auto parent = domain.column(domain.edges()[edge].parent).table;
    if (child == parent) {
      selves.emplace_back(view, edge);
      continue;
    }
    const auto parallel = parallel_edges(domain, edge);
    if (parallel.size() > 1 && parallel.size() <= max_roles && parallel.front() == edge)
      ParallelReferences(view, parallel).add_to(roles);
  }
  for (auto& self : selves) {
    std::vector<RoleName> others;
    for (const auto& other : selves)
      if (&other != &self && other.own_table() == self.own_table())
        others.insert(others.end(), other.names().begin(), other.names().end());
    if (!self.add_to(roles, others) || roles.edges.size() > max_roles) return std::nullopt;
  }
  if (roles.edges.empty() || roles.edges.size() > max_roles) return std::nullopt;
  return roles;
}

void place_roles(const AskedRoles& roles, const Domain& domain, Linking& linking) {
  for (const auto& literal : roles.literals) {
    const auto& owner = domain.table(literal.table);
    const auto stored = domain.stored_table(literal.table);
    for (auto& value : linking.values) {
      if (!value.span.overlaps(literal.span)) continue;
      value.owner = literal.table;
      for (auto& cell : value.cells)
        if (domain.column(cell.column).table == stored)
          cell.column = owner.first_column + cell.column - domain.table(stored).first_column;
    }
    for (auto& number : linking.numbers)
      if (number.span.overlaps(literal.span)) number.owner = literal.table;
  }
  // The words that name a role do not name the column that refers to it. Where all that the question says of a table is
  // said of its roles, it does not name the table itself.
  for (const auto edge : roles.edges) {
    const auto child = domain.edges()[edge].child;
    const auto role = domain.column(domain.edges()[edge].parent).table;
    const auto stored = domain.stored_table(role);
    linking.columns[static_cast<std::size_t>(child)].clear();
    if (stored == domain.column(child).table) {
      const auto same = domain.table(role).first_column + child - domain.table(stored).first_column;
      linking.columns[static_cast<std::size_t>(same)].clear();
      continue;
    }
    linking.tables[static_cast<std::size_t>(stored)].clear();
    for (auto id = domain.table(stored).first_column; id < domain.table(stored).last_column; ++id)
      linking.columns[static_cast<std::size_t>(id)].clear();
  }
  for (const auto& name : roles.names) {
    for (auto& mentions : linking.tables)
      std::erase_if(mentions, [&name](const Mention& mention) { return mention.span.overlaps(name.span); });
    auto& mentions = linking.tables[static_cast<std::size_t>(name.table)];
    Mention mention{name.span, 1.0F, static_cast<int>(domain.table(name.table).words.size())};
    mention.complete = true;
    mentions.insert(mentions.begin(), mention);
  }
}

}  // namespace trustsql::semparse
