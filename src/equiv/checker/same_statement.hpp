// The checker of the claim that two texts are the same statement, whose result is the same in every run.
//
// The prover compares syntax trees, with standard names if the names differ. The checker compares the tokens of both
// statements as the printer writes them, and goes through everything that they call and read. A result may change
// between two runs on one state of a database if the statement uses
//   - a function that is not built in, or whose result is not fixed: random(), changes(), last_insert_rowid() ...;
//   - the clock or the time zone: CURRENT_DATE, date('now'), a date function without a time, 'localtime';
//   - a virtual table or a table-valued function other than json_each and json_tree: their modules may return anything;
//   - any of these in a view.
// A date function over a column is taken to be given a time, not the word "now".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/catalog/catalog.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"

namespace trustsql::equiv::checker {

// Why the claim is rejected; nullopt if it is accepted. `grammar`: how the texts are read.
std::optional<std::string> reject_same_statement(std::string_view a, std::string_view b, const Catalog& catalog,
                                                 const ParseOptions& grammar = {});

// The same for the claim that two texts are the same statement but for names: what is left without names must be equal,
// and so must the plans that are built of the statements, in which every name is what it stands for.
std::optional<std::string> reject_renamed_statement(std::string_view a, std::string_view b, const Catalog& catalog,
                                                    const ResolveOptions& dialect = {});

}  // namespace trustsql::equiv::checker
