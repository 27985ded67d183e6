// Rows of tables in prompts: DART-SQL's question rewriting shows the first K rows of each table (section 3.1, K = 5),
// its context-aware prompt N rows that are chosen for the question (section 3.2, N = 15, Listing 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "link/embedder.hpp"
#include "llm/chat.hpp"
#include "nl2sql/content/content_reader.hpp"
#include "nl2sql/method_numbers.hpp"
#include "nl2sql/prompts/schema_subset.hpp"

namespace trustsql::nl2sql {

// Some rows of one table, with the columns that a subset shows.
struct SelectedRows {
  std::size_t table = 0;                  // index in Catalog::tables()
  std::vector<std::size_t> columns;       // indexes in Table::columns
  std::vector<std::size_t> cells;         // position of each of them in `rows`
  std::shared_ptr<const ResultSet> rows;  // never null
  std::vector<std::size_t> chosen;        // indexes of rows, in the order in which they are shown
  std::int64_t omitted = 0;               // rows of the table that are not shown
  bool omitted_is_exact = true;           // false: `omitted` is a lower bound
  std::int64_t ranked = 0;                // rows from which these were chosen by relevance; 0 if all are shown
  bool ranked_all = true;                 // whether those are all rows of the table
  std::string error;                      // why the rows could not be read; else empty
};

// The first `count` rows of each table of `subset`; `omitted` is not determined. Error: interrupted.
Result<std::vector<SelectedRows>> first_rows(ContentReader& reader, const SchemaSubset& subset, std::size_t count);

struct RowSelection {
  std::size_t count = MethodNumbers{}.content_rows;  // N
  std::uint64_t seed = 0;                            // for sampling rows
};

// At most `count` rows of each table of `subset`: all rows of a table that has no more. From another table, half of
// `count`, rounded up, are the most relevant rows, most relevant first; the rest are sampled from the other rows, in
// the order of the table. The relevance of a row is the cosine of the vectors that `words` gives for the row as a JSON
// object and for the question; ties are broken by the order of the table. All rows that ContentReader::pages() reads
// are ranked; beside what the cache keeps, a page and `count` of them are held in memory at a time. Errors:
// interrupted, those of `words`.
Result<std::vector<SelectedRows>> relevant_rows(ContentReader& reader, const SchemaSubset& subset,
                                                const std::string& question, const RowSelection& selection,
                                                link::Embedder& words, const llm::RequestContext& call);

// What to tell the user where not all rows of a table were ranked; empty if all were, or none had to be.
std::string ranking_warning(const Catalog& catalog, const SelectedRows& rows);

// A row as a JSON object: column names as keys, cells as values (without blobs; long texts are cut).
std::string row_json(const Catalog& catalog, const SelectedRows& rows, std::size_t row);

// The chosen rows as tuples of SQL literals, with `separator` between them; empty if there are none.
std::string row_tuples(const SelectedRows& rows, std::string_view separator);

// The chosen rows in the layout of Listing 2, "INSERT INTO t (a, b) VALUES /* 7 rows omitted */" and a tuple on each
// line; for a table without rows a comment that says so.
std::string insert_text(const Catalog& catalog, const SelectedRows& rows);

}  // namespace trustsql::nl2sql
