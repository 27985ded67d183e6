#include "nl2sql/generators/generate_c3.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"
#include "nl2sql/prompts/schema_keys.hpp"
#include "nl2sql/replies/reply_json.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr std::size_t tables_recalled = 4;
constexpr std::size_t columns_recalled = 5;

// The table of `subset` with this name, qualified by its schema or not.
std::optional<std::size_t> find_table(const Catalog& catalog, const SchemaSubset& subset, std::string_view name) {
  for (const auto& [index, columns] : subset.columns) {
    const auto& table = catalog.tables()[index];
    if (equals_ignore_case(table.name, name) || equals_ignore_case(table.schema + "." + table.name, name)) return index;
  }
  return std::nullopt;
}

std::string names_of(const Catalog& catalog, const SchemaSubset& subset) {
  std::vector<std::string> names;
  for (const auto& [index, columns] : subset.columns) names.push_back(catalog.tables()[index].name);
  return join(names, ", ");
}

}  // namespace

Status C3Generator::recall_tables(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, "c3.tables");
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::columns_fk, attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto replies, ask_text(step, "c3.tables", values, model_, samples_, context));
  // Each sample votes for the set of its first tables; among equally frequent sets the first one wins.
  std::vector<std::pair<std::set<std::size_t>, int>> sets;
  for (const auto& reply : replies) {
    std::set<std::size_t> tables;
    for (const auto& name : text_list_in(reply).value_or(std::vector<std::string>())) {
      const auto table = find_table(context.catalog, attempt.schema, name);
      if (table && tables.size() < tables_recalled) tables.insert(*table);
    }
    if (tables.empty()) continue;
    const auto place = std::find_if(sets.begin(), sets.end(), [&](const auto& entry) { return entry.first == tables; });
    if (place == sets.end()) {
      sets.emplace_back(std::move(tables), 1);
    } else {
      ++place->second;
    }
  }
  const auto best =
      std::max_element(sets.begin(), sets.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (best != sets.end())
    std::erase_if(attempt.schema.columns, [&](const auto& entry) { return best->first.count(entry.first) == 0; });
  step.finish(join(replies, "\n"), best == sets.end() ? "no list of tables; all are kept"
                                                      : "kept " + names_of(context.catalog, attempt.schema));
  return ok_status();
}

Status C3Generator::recall_columns(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, "c3.columns");
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::columns_fk, attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto replies, ask_text(step, "c3.columns", values, model_, samples_, context));
  // The number of samples that have a column among their first ones, and the position of its first occurrence, which
  // breaks ties.
  struct Count {
    int samples = 0;
    std::size_t first_seen = 0;
  };
  std::map<std::size_t, std::map<std::size_t, Count>> counts;
  std::size_t columns_seen = 0;
  for (const auto& reply : replies) {
    for (const auto& [name, columns] : text_lists_in(reply).value_or(TextLists())) {
      const auto table = find_table(context.catalog, attempt.schema, name);
      if (!table) continue;
      std::set<std::size_t> named;
      for (const auto& column_name : columns) {
        const auto column = context.catalog.tables()[*table].find_column(column_name);
        if (!column || named.size() == columns_recalled || attempt.schema.columns.at(*table).count(*column) == 0)
          continue;
        if (!named.insert(*column).second) continue;
        auto& count = counts[*table][*column];
        if (count.samples++ == 0) count.first_seen = columns_seen++;
      }
    }
  }
  const SchemaSubset before = attempt.schema;
  for (auto& [table, columns] : counts) {
    std::vector<std::pair<std::size_t, Count>> ranked(columns.begin(), columns.end());
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.second.samples != b.second.samples ? a.second.samples > b.second.samples
                                                  : a.second.first_seen < b.second.first_seen;
    });
    ranked.resize(std::min(ranked.size(), columns_recalled));
    auto& kept = attempt.schema.columns[table];
    kept.clear();
    for (const auto& [column, count] : ranked) kept.insert(column);
  }
  if (!counts.empty()) add_keys(context.catalog, before, attempt.schema);
  std::size_t kept = 0;
  for (const auto& [table, columns] : attempt.schema.columns) kept += columns.size();
  step.finish(join(replies, "\n"),
              counts.empty() ? "no columns are named; all are kept" : std::to_string(kept) + " columns are kept");
  return ok_status();
}

Result<std::vector<llm::Message>> C3Generator::prompt(Attempt& attempt, StageContext& context) const {
  TRUSTSQL_RETURN_IF_ERROR(recall_tables(attempt, context));
  TRUSTSQL_RETURN_IF_ERROR(recall_columns(attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::columns_fk, attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(values.texts["content"], content_text(rows_, attempt, context));
  return context.prompts.render("generate.c3", values);
}

}  // namespace trustsql::nl2sql
