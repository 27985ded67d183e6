#include "nl2sql/generators/generate_mac_sql.hpp"

#include "base/text.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"
#include "nl2sql/prompts/prompt_text.hpp"
#include "nl2sql/replies/reply_json.hpp"
#include "nl2sql/stages/query_trial.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr int refiner_rounds = 3;

// The selector is skipped for schemas with at most this many columns in total and on average per table (limits from the
// public code).
constexpr std::size_t small_schema_columns = 30;
constexpr std::size_t small_table_columns = 6;

bool is_small(const SchemaSubset& schema) {
  std::size_t columns = 0;
  for (const auto& [table, shown] : schema.columns) columns += shown.size();
  return columns <= small_schema_columns && columns <= small_table_columns * schema.columns.size();
}

// Whether a result is as uninformative as an error: no rows, or a single NULL.
bool is_empty(const ResultSet& rows) {
  return rows.row_count() == 0 ||
         (rows.row_count() == 1 && rows.column_count() == 1 && rows.type_at(0, 0) == ValueType::null);
}

}  // namespace

Status MacSqlGenerator::select(Attempt& attempt, StageContext& context) const {
  if (is_small(attempt.schema)) return ok_status();
  TracedStep step(attempt, context, "mac.select");
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::create_table_select_col3, attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto replies, ask_text(step, "mac.select", values, model_, 1, context));
  const auto lists = text_lists_in(replies.front()).value_or(TextLists());
  // A table that the reply does not name is kept.
  SchemaSubset kept;
  for (const auto& [index, shown] : attempt.schema.columns) {
    const auto& table = context.catalog.tables()[index];
    auto columns = shown;
    for (const auto& [name, words] : lists) {
      if (!equals_ignore_case(name, table.name) || words.empty()) continue;
      if (words.size() == 1 && equals_ignore_case(words.front(), "keep_all")) continue;
      columns.clear();
      for (const auto& word : words) {
        const auto column = table.find_column(word);
        if (column && shown.count(*column) > 0) columns.insert(*column);
      }
    }
    if (!columns.empty()) kept.columns.emplace(index, std::move(columns));
  }
  const bool understood = !lists.empty() && !kept.columns.empty();
  if (understood) attempt.schema = std::move(kept);
  step.finish(replies.front(), understood ? std::to_string(attempt.schema.columns.size()) + " tables are kept"
                                          : "not understood; the whole schema is kept");
  return ok_status();
}

Result<PromptValues> MacSqlGenerator::values_for(Attempt& attempt, StageContext& context) const {
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::create_table_select_col3, attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(values.texts["content"], content_text(rows_, attempt, context));
  return values;
}

Result<std::vector<llm::Message>> MacSqlGenerator::prompt(Attempt& attempt, StageContext& context) const {
  TRUSTSQL_RETURN_IF_ERROR(select(attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto values, values_for(attempt, context));
  return context.prompts.render("generate.mac", values);
}

Result<Abstention> MacSqlGenerator::revise(const SqlOptions& sql, Attempt& attempt, StageContext& context) const {
  for (int round = 1; round <= refiner_rounds; ++round) {
    std::string error;
    {
      TracedStep step(attempt, context, "mac.run");
      step.set_input(*attempt.sql);
      TRUSTSQL_ASSIGN_OR_RETURN(const auto trial, try_for_model(*attempt.sql, context));
      if (trial.ok() && !trial.rows) attempt.warn(without_rows("MAC-SQL's refiner did not run the SQL"));
      error = !trial.ok() ? trial.error : trial.rows && is_empty(*trial.rows) ? "the query runs and finds nothing" : "";
      step.finish(error, error.empty()   ? (trial.rows ? "it runs" : "prepared but not run (llm_send_rows)")
                         : trial.refused ? "refused by the sandbox"
                                         : "to be fixed");
    }
    if (error.empty()) return Abstention::none;
    TRUSTSQL_ASSIGN_OR_RETURN(auto values, values_for(attempt, context));
    values.texts["sql"] = *attempt.sql;
    values.texts["error"] = visible_text(error, 1000);
    TRUSTSQL_ASSIGN_OR_RETURN(const auto conversation, context.prompts.render("generate.mac.refine", values));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto abstention, write_sql("mac.refine", conversation, sql, attempt, context));
    if (abstention == Abstention::no_agreement) return abstention;
  }
  return Abstention::none;
}

}  // namespace trustsql::nl2sql
