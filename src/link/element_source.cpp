#include "link/element_source.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace trustsql::link {

namespace {

std::string cell_text(ValueView value) { return value.is_null() ? std::string() : format_value(value); }

}  // namespace

Result<ElementSet> elements_of(RowSource source) {
  TRUSTSQL_ASSIGN_OR_RETURN(const int table, source.require("tbl"));
  TRUSTSQL_ASSIGN_OR_RETURN(const int column, source.require("col"));
  const auto database = source.find("db");
  const auto refs = source.find("refs");
  std::vector<Element> elements;
  std::set<std::string> seen;
  std::map<std::string, std::size_t> numbers;                   // from "db.table.column" in lower case
  std::vector<std::pair<std::size_t, std::string>> references;  // an element, and the name that it refers to
  for (;;) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool row, source.next());
    if (!row) break;
    Element element{database ? cell_text(source.at(*database)) : "", cell_text(source.at(table)),
                    cell_text(source.at(column))};
    if (element.database == "main" || element.database == "temp") element.database.clear();
    const std::string prefix = element.database.empty() ? "" : element.database + ".";
    if (!seen.insert(element.database + '\n' + element.table + '\n' + element.column).second) continue;
    const std::string name = to_lower_ascii(element.text());
    const std::size_t number = elements.size();
    elements.push_back(std::move(element));
    numbers.emplace(name, number);
    if (refs && !source.at(*refs).is_null())
      references.emplace_back(number, to_lower_ascii(prefix + cell_text(source.at(*refs))));
  }
  split_databases(elements);
  ElementSet set;
  for (auto& element : elements) set.add(std::move(element));
  for (const auto& [number, target] : references)
    if (const auto referenced = numbers.find(target); referenced != numbers.end())
      set.connect(number, referenced->second);
  if (!refs) set.infer_links();
  return set;
}

}  // namespace trustsql::link
