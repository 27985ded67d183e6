// A small database as a SQL script.
#pragma once

#include <string>
#include <string_view>

#include "db/sandbox/scratch_database.hpp"
#include "equiv/refuter/instance.hpp"

namespace trustsql::equiv {

// CREATE statements for the tables of `model`, their indexes that are unique or named in `queries`, and the views
// among `reads`, followed by INSERT statements for the rows. Ends with a line break. ATTACH statements come first if
// schemas other than main and temp are used.
std::string data_script(const SchemaDefinition& definition, const DataModel& model,
                        const std::vector<std::array<std::string, 3>>& reads, const Instance& instance,
                        const std::vector<std::string_view>& queries = {});

// `sql` as comment lines after `label`.
std::string as_comment(std::string_view label, std::string_view sql);

// A value as a SQL literal.
std::string literal_text(const Value& value);

}  // namespace trustsql::equiv
