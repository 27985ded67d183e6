// Roles: a table's rows as those that a certain column refers to.
#include <algorithm>

#include "semparse/database/domain.hpp"
#include "semparse/database/people.hpp"
#include "semparse/words/superiors.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// At the end of a column's name.
constexpr std::string_view silent_endings[] = {"id",  "code", "key", "no", "num", "number",
                                               "uid", "to",   "by",  "of", "for"};

// What another row of the same table is called, where no key is declared.
constexpr std::string_view relatives[] = {"manager", "supervisor", "boss",   "superior", "report",      "parent",
                                          "mother",  "father",     "mentor", "spouse",   "predecessor", "successor"};

// The words of a column's name, without those at its end that say only that it refers to something, and without the
// name of the table that it refers to.
std::vector<std::string> words_of_role(const DomainColumn& column, const std::vector<std::string>& table) {
  auto words = column.all_words;
  while (!words.empty() && is_listed(silent_endings, words.back())) words.pop_back();
  const auto named = table.empty() ? words.end() : std::search(words.begin(), words.end(), table.begin(), table.end());
  if (named != words.end()) words.erase(named, named + static_cast<std::ptrdiff_t>(table.size()));
  return words;
}

}  // namespace

std::vector<std::string> Domain::role_words(std::size_t edge) const {
  const auto& child = column(edges_[edge].child);
  const auto parent = column(edges_[edge].parent).table;
  return words_of_role(child, child.table == parent ? table(parent).words : std::vector<std::string>());
}

bool Domain::holds_keys_of(ColumnId column, TableId table) const {
  const auto& child = this->column(column);
  const auto key = this->table(table).key;
  if (key == nothing || key == column) return false;
  const auto& to = this->column(key);
  return to.kind == DataKind::number && child.min && to.min && *child.min >= *to.min && *child.max <= *to.max;
}

TableId Domain::table_of_superiors(ColumnId column) const {
  constexpr std::string_view staff[] = {"staff", "personnel", "employee", "worker"};
  const auto own = this->column(column).table;
  if (are_people(*this, own)) return own;
  std::vector<TableId> people;
  std::vector<TableId> employed;
  for (TableId id = 0; id < static_cast<TableId>(tables_.size()); ++id) {
    if (!are_people(*this, id)) continue;
    people.push_back(id);
    if (is_listed(staff, table(id).words.back())) employed.push_back(id);
  }
  if (people.empty()) return own;
  const auto& candidates = employed.empty() ? people : employed;
  return candidates.size() == 1 ? candidates.front() : nothing;
}

// A column of numbers that are keys of the same table as far as their range says, and that is called "manager_id",
// "reports_to" or the like, where no table has that name. The manager of what is no person is one of the staff.
void Domain::infer_roles() {
  for (ColumnId id = 0; id < static_cast<ColumnId>(columns_.size()); ++id) {
    auto& child = columns_[static_cast<std::size_t>(id)];
    if (child.is_foreign || child.is_key || child.kind != DataKind::number) continue;
    const auto words = words_of_role(child, table(child.table).words);
    if (words.size() != 1 || !is_listed(relatives, words.front()) || words == child.all_words) continue;
    if (std::any_of(tables_.begin(), tables_.end(),
                    [&words](const DomainTable& other) { return other.words == words; }))
      continue;
    const auto parent = is_superior_role(words.front()) ? table_of_superiors(id) : child.table;
    if (parent == nothing || !holds_keys_of(id, parent)) continue;
    edges_.push_back({id, table(parent).key, false});
    child.is_foreign = true;
    child.is_id = true;
  }
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
  if (const auto date = column(id).part_of.date; date != nothing) return stored_column(date);
  const auto& owner = table(column(id).table);
  return owner.role_of == nothing ? id : table(owner.role_of).first_column + id - owner.first_column;
}

}  // namespace trustsql::semparse
