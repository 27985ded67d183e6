#include "link/element.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "link/word_split.hpp"

namespace trustsql::link {

namespace {

// "race id" for "raceId", "race_id" and "RACEID". Empty if the name does not end in "id".
std::string identifier_words(std::string_view name) {
  const auto words = split_words(name);
  if (words.empty() || words.back() != "id") return {};
  return join(words, " ");
}

std::string singular(std::string_view table) {
  auto words = split_words(table);
  if (words.empty()) return {};
  std::string& last = words.back();
  if (last.size() > 3 && last.ends_with("ies")) {
    last.replace(last.size() - 3, 3, "y");
  } else if (last.size() > 2 && last.back() == 's' && !last.ends_with("ss")) {
    last.pop_back();
  }
  return join(words, " ");
}

}  // namespace

std::size_t ElementSet::add(Element element) {
  const auto [table, is_new] = table_numbers_.try_emplace({element.database, element.table}, table_numbers_.size());
  if (is_new)
    databases_.push_back(database_numbers_.try_emplace(element.database, database_numbers_.size()).first->second);
  tables_.push_back(table->second);
  links_.emplace_back();
  elements_.push_back(std::move(element));
  return elements_.size() - 1;
}

void ElementSet::connect(std::size_t from, std::size_t to) {
  if (from == to) return;
  for (const auto& [a, b] : {std::pair(from, to), std::pair(to, from)}) {
    auto& links = links_[a];
    const auto number = static_cast<std::uint32_t>(b);
    if (std::find(links.begin(), links.end(), number) == links.end()) links.push_back(number);
  }
}

void ElementSet::infer_links() {
  // For each database and identifier ("race id"), the element that identifies the rows of the table after whose
  // singular it is named.
  std::map<std::pair<std::size_t, std::string>, std::size_t> owners;
  std::vector<std::string> names(size());
  for (std::size_t i = 0; i < size(); ++i) {
    names[i] = identifier_words(elements_[i].column);
    if (names[i].empty()) continue;
    const std::string table = singular(elements_[i].table);
    const std::size_t database = databases_[tables_[i]];
    if (names[i] == "id" || names[i] == table + " id") owners.try_emplace({database, table + " id"}, i);
  }
  for (std::size_t i = 0; i < size(); ++i) {
    if (names[i].empty()) continue;
    if (const auto owner = owners.find({databases_[tables_[i]], names[i]}); owner != owners.end())
      connect(i, owner->second);
  }
}

bool is_user_table(const Table& table) {
  return !table.is_internal() && table.kind != Table::Kind::shadow_table &&
         !to_lower_ascii(table.name).starts_with("trustsql_");
}

std::string database_of(const Table& table) {
  return table.schema == "main" || table.schema == "temp" ? std::string() : table.schema;
}

ElementSet elements_of(const Catalog& catalog, std::vector<std::pair<std::size_t, std::size_t>>* places) {
  ElementSet set;
  std::map<const Table*, std::vector<std::size_t>> numbers;  // numbers of the elements of the table's columns
  for (std::size_t t = 0; t < catalog.tables().size(); ++t) {
    const Table& table = catalog.tables()[t];
    if (!is_user_table(table)) continue;
    auto& columns = numbers[&table];
    columns.resize(table.columns.size(), table.columns.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].hidden) continue;
      columns[c] = set.add({database_of(table), table.name, table.columns[c].name});
      if (places != nullptr) places->emplace_back(t, c);
    }
  }
  for (const auto& [table, columns] : numbers) {
    for (const auto& key : table->foreign_keys) {
      const Table* parent = catalog.parent(*table, key);
      const auto parent_numbers = numbers.find(parent);
      if (parent_numbers == numbers.end()) continue;
      for (std::size_t i = 0; i < key.columns.size() && i < key.parent_columns.size(); ++i) {
        const auto target = parent->find_column(key.parent_columns[i]);
        const auto column = static_cast<std::size_t>(key.columns[i]);
        if (!target || parent->columns[*target].hidden || table->columns[column].hidden) continue;
        set.connect(columns[column], parent_numbers->second[*target]);
      }
    }
  }
  return set;
}

}  // namespace trustsql::link
