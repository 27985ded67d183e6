// Roles: a table's rows as those that a certain column refers to.
#include <algorithm>
#include <iterator>

#include "semparse/database/domain.hpp"

namespace trustsql::semparse {

namespace {

// At the end of a column's name.
constexpr std::string_view silent_endings[] = {"id",  "code", "key", "no", "num", "number",
                                               "uid", "to",   "by",  "of", "for"};

bool is_silent(std::string_view word) {
  return std::find(std::begin(silent_endings), std::end(silent_endings), word) != std::end(silent_endings);
}

}  // namespace

std::vector<std::string> Domain::role_words(std::size_t edge) const {
  const auto& child = column(edges_[edge].child);
  const auto& parent = table(column(edges_[edge].parent).table);
  auto words = child.all_words;
  while (!words.empty() && is_silent(words.back())) words.pop_back();
  const bool refers_to_itself = child.table == column(edges_[edge].parent).table;
  if (!refers_to_itself || parent.words.empty()) return words;
  const auto named = std::search(words.begin(), words.end(), parent.words.begin(), parent.words.end());
  if (named != words.end()) words.erase(named, named + static_cast<std::ptrdiff_t>(parent.words.size()));
  return words;
}

Domain Domain::with_roles(const std::vector<std::size_t>& edges) const {
  Domain domain = *this;
  for (const auto edge : edges) {
    const auto parent = edges_[edge].parent;
    const auto base = column(parent).table;
    const auto id = static_cast<TableId>(domain.tables_.size());
    DomainTable role = table(base);
    const auto moved = [&](ColumnId column) {
      return column == nothing ? nothing
                               : static_cast<ColumnId>(domain.columns_.size()) + column - table(base).first_column;
    };
    role.role_of = base;
    role.words = role_words(edge);
    role.key = moved(role.key);
    role.display = moved(role.display);
    role.surname = moved(role.surname);
    domain.edges_[edge].parent = moved(parent);
    role.first_column = moved(table(base).first_column);
    role.last_column = moved(table(base).last_column);
    for (auto from = table(base).first_column; from < table(base).last_column; ++from) {
      domain.columns_.push_back(column(from));
      domain.columns_.back().table = id;
    }
    domain.tables_.push_back(std::move(role));
  }
  domain.edges_of_.clear();
  domain.index_edges();
  return domain;
}

ColumnId Domain::stored_column(ColumnId id) const {
  const auto& owner = table(column(id).table);
  return owner.role_of == nothing ? id : table(owner.role_of).first_column + id - owner.first_column;
}

}  // namespace trustsql::semparse
