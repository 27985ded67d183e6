#include "nl2sql/content/content_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/json_writer.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "link/vector_math.hpp"
#include "nl2sql/prompts/prompt_text.hpp"

namespace trustsql::nl2sql {

namespace {

SelectedRows select(const ContentReader& reader, std::size_t table, const std::set<std::size_t>& columns,
                    TableRows rows) {
  SelectedRows selected;
  selected.table = table;
  const auto read = reader.columns(table);
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (columns.count(read[i]) == 0) continue;
    selected.columns.push_back(read[i]);
    selected.cells.push_back(i);
  }
  selected.rows = std::move(rows.rows);
  selected.error = std::move(rows.error);
  return selected;
}

void write_cell(ValueView value, JsonWriter& json) {
  switch (value.type) {
    case ValueType::integer: json.value(value.integer); return;
    case ValueType::real:
      if (std::isfinite(value.real)) {
        json.value(value.real);
      } else {
        json.value(format_value(value));
      }
      return;
    case ValueType::text: json.value(visible_text(value.bytes, default_cell_characters)); return;
    case ValueType::null:
    case ValueType::blob: json.null(); return;
  }
}

// All cells of a row, whatever the subset shows: the relevance of a row depends on its entire content.
SelectedRows all_cells(const ContentReader& reader, std::size_t table, const std::shared_ptr<const ResultSet>& rows) {
  SelectedRows selected;
  selected.table = table;
  selected.columns = reader.columns(table);
  selected.cells.resize(selected.columns.size());
  std::iota(selected.cells.begin(), selected.cells.end(), std::size_t{0});
  selected.rows = rows;
  return selected;
}

// Row numbers [0, relevance.size()) in descending order of relevance.
std::vector<std::size_t> by_relevance(const std::vector<float>& relevance) {
  std::vector<std::size_t> order(relevance.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return relevance[a] > relevance[b]; });
  return order;
}

// Samples `count` of `from` without replacement, keeping their order.
std::vector<std::size_t> sample(std::vector<std::size_t> from, std::size_t count, Random& random) {
  count = std::min(count, from.size());
  for (std::size_t i = 0; i < count; ++i)
    std::swap(from[i], from[i + static_cast<std::size_t>(random.below(from.size() - i))]);
  from.resize(count);
  std::sort(from.begin(), from.end());
  return from;
}

}  // namespace

Result<std::vector<SelectedRows>> first_rows(ContentReader& reader, const SchemaSubset& subset, std::size_t count) {
  std::vector<SelectedRows> tables;
  for (const auto& [table, columns] : subset.columns) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto rows, reader.first_rows(table, count));
    auto& selected = tables.emplace_back(select(reader, table, columns, std::move(rows)));
    selected.chosen.resize(selected.rows->row_count());
    std::iota(selected.chosen.begin(), selected.chosen.end(), std::size_t{0});
  }
  return tables;
}

Result<std::vector<SelectedRows>> relevant_rows(ContentReader& reader, const SchemaSubset& subset,
                                                const std::string& question, const RowSelection& selection,
                                                link::Embedder& words, const llm::RequestContext& call) {
  std::vector<SelectedRows> tables;
  link::Vector asked;
  for (const auto& [table, columns] : subset.columns) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto read, reader.candidates(table));
    const auto total = read.total;
    const bool exact = read.total_is_exact;
    auto& selected = tables.emplace_back(select(reader, table, columns, std::move(read)));
    const std::size_t available = selected.rows->row_count();
    if (available <= selection.count) {
      selected.chosen.resize(available);
      std::iota(selected.chosen.begin(), selected.chosen.end(), std::size_t{0});
      continue;
    }
    if (asked.empty()) {
      TRUSTSQL_ASSIGN_OR_RETURN(auto vectors, words.embed(std::span(&question, 1), call));
      asked = std::move(vectors.front());
    }
    const auto embed_rows =
        [&, &table = table]() -> Result<ContentCache::Vectors> {  // clang 14 cannot capture structured bindings
      const auto cells = all_cells(reader, table, selected.rows);
      std::vector<std::string> texts;
      for (std::size_t row = 0; row < available; ++row) texts.push_back(row_json(reader.catalog(), cells, row));
      return words.embed(texts, call);
    };
    TRUSTSQL_ASSIGN_OR_RETURN(
        const auto vectors,
        reader.cache().vectors({reader.source_identity(), reader.version(), table, words.name()}, embed_rows));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto probe, link::with_dimensions({asked}, vectors->front().size(), words.name()));
    std::vector<float> relevance;
    for (const auto& vector : *vectors) relevance.push_back(link::dot(vector, probe.front()));
    const auto order = by_relevance(relevance);
    const auto relevant = static_cast<std::ptrdiff_t>((selection.count + 1) / 2);
    selected.chosen.assign(order.begin(), order.begin() + relevant);
    Random random(selection.seed, table);
    const auto sampled = sample({order.begin() + relevant, order.end()}, selection.count / 2, random);
    selected.chosen.insert(selected.chosen.end(), sampled.begin(), sampled.end());
    selected.omitted = total - static_cast<std::int64_t>(selected.chosen.size());
    selected.omitted_is_exact = exact;
  }
  return tables;
}

std::string row_json(const Catalog& catalog, const SelectedRows& rows, std::size_t row) {
  const auto& table = catalog.tables()[rows.table];
  JsonWriter json;
  json.begin_object();
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    const auto value = rows.rows->at(row, rows.cells[i]);
    if (value.type == ValueType::blob) continue;
    json.key(visible_text(table.columns[rows.columns[i]].name));
    write_cell(value, json);
  }
  return std::move(json.end_object()).text();
}

std::string row_tuples(const SelectedRows& rows, std::string_view separator) {
  std::string text;
  for (const auto row : rows.chosen) {
    if (!text.empty()) text += separator;
    text += "(";
    for (std::size_t i = 0; i < rows.cells.size(); ++i)
      text += (i == 0 ? "" : ", ") + cell_literal(rows.rows->at(row, rows.cells[i]));
    text += ")";
  }
  return text;
}

std::string insert_text(const Catalog& catalog, const SelectedRows& rows) {
  const auto& table = catalog.tables()[rows.table];
  const auto name = table_in_sql(catalog, table);
  if (rows.chosen.empty()) {
    const std::string why =
        rows.error.empty() ? " has no rows" : " could not be read: " + visible_text(rows.error, 200);
    return "/* " + in_comment(name + why) + " */";
  }
  std::vector<std::string> names;
  for (const auto column : rows.columns) names.push_back(name_in_sql(table.columns[column].name));
  std::string text = "INSERT INTO " + name + " (" + join(names, ", ") + ") VALUES";
  if (rows.omitted > 0) {
    text += std::string(" /* ") + (rows.omitted_is_exact ? "" : "more than ") + std::to_string(rows.omitted) +
            (rows.omitted == 1 ? " row" : " rows") + " omitted */";
  }
  return text + "\n" + row_tuples(rows, ",\n") + ";";
}

}  // namespace trustsql::nl2sql
