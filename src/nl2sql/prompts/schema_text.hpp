// A schema as shown in prompts, in the three styles of the papers (with the names of Chang and Fosler-Lussier 2023,
// TrustSQL's reference [1]).
//
//   Columns=[]+FK             Table singer, columns = [*, singer_id, name]            SQLPROMPT, DIN-SQL, ERROR_P
//                             Foreign_keys = [song.singer_id = singer.singer_id]
//   CreateTable               CREATE TABLE singer ( ... );                            DAIL-SQL and so DART-SQL
//   CreateTable+SelectCol3    the same, each followed by three values of each column  CLS_P
//
// The text is generated from the catalog, not copied from CREATE TABLE, so comments and expressions are not shown.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/catalog/catalog.hpp"
#include "nl2sql/content/content_reader.hpp"
#include "nl2sql/prompts/schema_subset.hpp"

namespace trustsql::nl2sql {

enum class SchemaStyle { columns_fk, create_table, create_table_select_col3 };

// Parses one of the names above, ignoring case. Error (invalid_argument): none of them.
Result<SchemaStyle> parse_schema_style(std::string_view name);

inline constexpr std::size_t values_of_select_col = 3;

// Values as SQL literals, by table and column (indexes as in SchemaSubset).
using ColumnValues = std::map<std::size_t, std::map<std::size_t, std::vector<std::string>>>;

// Up to three different values of each column of `subset`. Error: interrupted.
Result<ColumnValues> read_column_values(ContentReader& reader, const SchemaSubset& subset,
                                        std::size_t count = values_of_select_col);

// The tables and columns of `subset`, including the foreign keys between them. `values` are shown only in the style
// with values, and may be null if rows must not be sent. Linear in the size of the subset.
std::string schema_text(const Catalog& catalog, const SchemaSubset& subset, SchemaStyle style,
                        const ColumnValues* values = nullptr);

}  // namespace trustsql::nl2sql
