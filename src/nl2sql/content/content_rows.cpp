#include "nl2sql/content/content_rows.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>

#include "base/json_writer.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "link/vector_math.hpp"
#include "nl2sql/content/row_ranking.hpp"
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

std::shared_ptr<const ResultSet> rows_of(const std::vector<std::vector<Value>>& values,
                                         const std::vector<std::string>& column_names) {
  auto rows = std::make_shared<ResultSet>(column_names);
  for (const auto& row : values)
    for (const auto& value : row) rows->append(view(value));
  return rows;
}

// How near the rows of a page are to a question.
class Relevance {
 public:
  Relevance(ContentReader& reader, const std::string& question, link::Embedder& words, const llm::RequestContext& call)
      : reader_(reader), question_(question), words_(words), call_(call) {}

  Result<std::vector<float>> of(const RowPage& page, std::size_t table) {
    const auto begun = std::chrono::steady_clock::now();
    if (asked_.empty()) {
      TRUSTSQL_ASSIGN_OR_RETURN(auto embedded, words_.embed(std::span(&question_, 1), call_));
      asked_ = std::move(embedded.front());
    }
    const auto embed_rows = [&]() -> Result<ContentCache::Vectors> {
      const auto cells = all_cells(reader_, table, page.rows);
      std::vector<std::string> texts;
      for (std::size_t row = 0; row < page.rows->row_count(); ++row)
        texts.push_back(row_json(reader_.catalog(), cells, row));
      return words_.embed(texts, call_);
    };
    TRUSTSQL_ASSIGN_OR_RETURN(
        const auto vectors,
        reader_.cache().vectors({reader_.source_identity(), reader_.version(), page.query, words_.name()}, embed_rows));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto probe,
                              link::with_dimensions({asked_}, vectors->front().size(), words_.name()));
    std::vector<float> relevance;
    for (const auto& vector : *vectors) relevance.push_back(link::dot(vector, probe.front()));
    reader_.add_time(std::chrono::steady_clock::now() - begun);
    return relevance;
  }

 private:
  ContentReader& reader_;
  const std::string& question_;
  link::Embedder& words_;
  const llm::RequestContext& call_;
  link::Vector asked_;
};

// The rows of one table that are shown; `selected` knows the columns.
Status choose_rows(ContentReader& reader, const RowSelection& selection, Relevance& relevance,
                   const llm::RequestContext& call, SelectedRows& selected) {
  auto pages = reader.pages(selected.table);
  TRUSTSQL_ASSIGN_OR_RETURN(auto page, reader.next_page(pages));
  const bool is_ranked = !pages.total_is_exact || pages.total > static_cast<std::int64_t>(selection.count);
  const std::size_t best = is_ranked ? (selection.count + 1) / 2 : selection.count;
  RowRanking ranking(best, is_ranked ? selection.count / 2 : 0, Random(selection.seed, selected.table));
  const auto column_names = page.rows->column_names();
  while (!page.rows->empty()) {
    if (call.stop && call.stop()) return Error{ErrorCode::interrupted, "interrupted"};
    std::vector<float> near(page.rows->row_count());
    if (is_ranked) {
      TRUSTSQL_ASSIGN_OR_RETURN(near, relevance.of(page, selected.table));
    }
    for (std::size_t row = 0; row < near.size(); ++row) ranking.add(near[row], *page.rows, row);
    TRUSTSQL_ASSIGN_OR_RETURN(page, reader.next_page(pages));
  }
  const auto ranked = static_cast<std::int64_t>(ranking.size());
  selected.rows = rows_of(ranking.take(), column_names);
  selected.chosen.resize(selected.rows->row_count());
  std::iota(selected.chosen.begin(), selected.chosen.end(), std::size_t{0});
  selected.error = pages.error;
  selected.ranked = is_ranked ? ranked : 0;
  selected.ranked_all = pages.has_all;
  selected.omitted = std::max(pages.total, ranked) - static_cast<std::int64_t>(selected.chosen.size());
  selected.omitted_is_exact = pages.total_is_exact && pages.error.empty();
  return ok_status();
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
  Relevance relevance(reader, question, words, call);
  for (const auto& [table, columns] : subset.columns) {
    auto& selected = tables.emplace_back(select(reader, table, columns, {}));
    TRUSTSQL_RETURN_IF_ERROR(choose_rows(reader, selection, relevance, call, selected));
  }
  return tables;
}

std::string ranking_warning(const Catalog& catalog, const SelectedRows& rows) {
  if (rows.ranked_all || rows.ranked == 0) return {};
  const auto total = static_cast<std::int64_t>(rows.chosen.size()) + rows.omitted;
  return "rows were chosen from " + std::to_string(rows.ranked) + " of " + (rows.omitted_is_exact ? "" : "more than ") +
         std::to_string(total) + " rows of " + table_in_sql(catalog, catalog.tables()[rows.table]) + " (" +
         (rows.error.empty() ? "the option ranked_rows allows more" : visible_text(rows.error, 200)) + ")";
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
