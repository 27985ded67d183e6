#include "link/element.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "link/inferred_keys.hpp"

namespace trustsql::link {

namespace {

void add_link(std::vector<std::vector<std::uint32_t>>& links, std::size_t a, std::size_t b) {
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    const auto number = static_cast<std::uint32_t>(to);
    if (std::ranges::find(links[from], number) == links[from].end()) links[from].push_back(number);
  }
}

// The position of the dot behind the database in a table's name; npos if there is none.
std::size_t database_end(std::string_view table) {
  const auto dot = table.find('.');
  return dot == 0 || dot + 1 == table.size() ? std::string_view::npos : dot;
}

}  // namespace

std::size_t ElementSet::add(Element element) {
  const auto [table, is_new] = table_numbers_.try_emplace({element.database, element.table}, table_numbers_.size());
  if (is_new)
    databases_.push_back(database_numbers_.try_emplace(element.database, database_numbers_.size()).first->second);
  tables_.push_back(table->second);
  links_.emplace_back();
  declared_.emplace_back();
  elements_.push_back(std::move(element));
  return elements_.size() - 1;
}

void ElementSet::connect(std::size_t from, std::size_t to) {
  if (from == to) return;
  add_link(links_, from, to);
  add_link(declared_, from, to);
}

void ElementSet::connect_inferred(std::size_t from, std::size_t to) {
  if (from != to) add_link(links_, from, to);
}

void ElementSet::infer_links() { infer_keys(*this); }

void split_databases(std::vector<Element>& elements) {
  std::set<std::string_view> tables;
  for (const auto& element : elements) {
    if (!element.database.empty()) return;
    tables.insert(element.table);
  }
  const auto carriers =
      std::ranges::count_if(tables, [](std::string_view table) { return database_end(table) != table.npos; });
  if (2 * static_cast<std::size_t>(carriers) <= tables.size()) return;
  for (auto& element : elements) {
    const auto dot = database_end(element.table);
    if (dot == std::string::npos) continue;
    element.database = element.table.substr(0, dot);
    element.table.erase(0, dot + 1);
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
  std::vector<Element> elements;
  std::map<const Table*, std::vector<std::size_t>> numbers;  // numbers of the elements of the table's columns
  for (std::size_t t = 0; t < catalog.tables().size(); ++t) {
    const Table& table = catalog.tables()[t];
    if (!is_user_table(table)) continue;
    auto& columns = numbers[&table];
    columns.resize(table.columns.size(), table.columns.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].hidden) continue;
      columns[c] = elements.size();
      elements.push_back({database_of(table), table.name, table.columns[c].name});
      if (places != nullptr) places->emplace_back(t, c);
    }
  }
  split_databases(elements);
  ElementSet set;
  for (auto& element : elements) set.add(std::move(element));
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
  set.infer_links();
  return set;
}

}  // namespace trustsql::link
