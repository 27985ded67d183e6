// All functions of the extension: the registration tables of the families, in the order of the documentation. To add a
// family, add a file with a table, declare it here and list it in registry.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ext/adaptor/function.hpp"

namespace trustsql::ext {

struct Family {
  std::string_view title;
  std::string_view introduction;  // Markdown; what the functions have in common
  std::span<const FunctionSpec> functions;
};

std::span<const FunctionSpec> trustsql_functions();
std::span<const FunctionSpec> sql_plan_functions();
std::span<const FunctionSpec> rs_score_functions();
std::span<const FunctionSpec> rs_report_functions();
std::span<const FunctionSpec> rs_html_functions();
std::span<const FunctionSpec> uncertainty_functions();
std::span<const FunctionSpec> statistics_functions();
std::span<const FunctionSpec> execution_functions();
std::span<const FunctionSpec> sql_syntax_functions();
std::span<const FunctionSpec> sql_em_functions();
std::span<const FunctionSpec> sql_similarity_functions();
std::span<const FunctionSpec> gmn_functions();
std::span<const FunctionSpec> gmn_train_functions();
std::span<const FunctionSpec> sql_schema_functions();
std::span<const FunctionSpec> sql_equivalence_functions();
std::string_view equivalence_introduction();
std::span<const FunctionSpec> sql_variants_functions();
std::string_view variants_introduction();
std::span<const FunctionSpec> sql_suite_functions();
std::span<const FunctionSpec> schema_elements_functions();
std::span<const FunctionSpec> schema_retrieval_functions();

std::span<const FunctionSpec> prompt_functions();
std::span<const FunctionSpec> nl2sql_functions();
std::span<const FunctionSpec> nl2sql_batch_functions();
std::span<const FunctionSpec> nl2sql_answer_functions();
std::span<const FunctionSpec> nl2sql_stage_functions();
std::span<const FunctionSpec> nl2sql_train_functions();

std::span<const Family> families();

// Every function that `entry_point` registers.
std::vector<const FunctionSpec*> functions_of(EntryPoint entry_point);

// Registers on `db` the functions of `session->entry_point()`, except those that the entry point `loaded`, if given,
// has already registered. Errors: as sqlite_error(); functions that this call registered are removed again.
Status register_all(sqlite3* db, const std::shared_ptr<Session>& session, std::optional<EntryPoint> loaded);

// The text of docs/api.md, generated from the registration tables and the table of settings.
std::string api_markdown();

}  // namespace trustsql::ext
