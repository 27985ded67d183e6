// trustsql_prompts: the prompts and their texts. schema_prompt: how prompts show a schema.

#include <algorithm>

#include "base/text.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/functions/nl2sql/nl2sql_call.hpp"
#include "ext/options/method_options.hpp"
#include "ext/options/schema_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/llm_service.hpp"
#include "nl2sql/content/content_rows.hpp"
#include "nl2sql/prompts/prompt_library.hpp"
#include "nl2sql/prompts/schema_text.hpp"

namespace trustsql::ext {

namespace {

// --- trustsql_prompts -----------------------------------------------------------------------------------------------

enum PromptColumn : std::size_t { name_column, text_column };

nl2sql::PromptLibrary& library_of(Session& session) { return session.objects().shared<nl2sql::PromptLibrary>(); }

Result<ResultSet> list_prompts(Session& session) {
  const auto& library = library_of(session);
  ResultSet rows({"name", "text", "replaced", "placeholders", "description"});
  for (const auto& spec : nl2sql::prompt_specs()) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto text, library.text(spec.name));
    rows.append(ValueView::of_text(spec.name));
    rows.append(ValueView::of_text(text));
    rows.append(ValueView::of_integer(library.is_replaced(spec.name) ? 1 : 0));
    rows.append(ValueView::of_text(spec.values));
    rows.append(ValueView::of_text(spec.description));
  }
  return rows;
}

// INSERT and UPDATE replace the text of the prompt `name`; a NULL text, or DELETE, restores the built-in one.
Status write_prompt(Session& session, const RowChange& change) {
  auto& library = library_of(session);
  if (!change.after) return library.restore(std::get<std::string>((*change.before)[name_column]));
  const auto name = (*change.after)[name_column];
  const auto text = (*change.after)[text_column];
  if (name.type != ValueType::text) return invalid_argument("column name must be the name of a prompt");
  if (change.before && std::get<std::string>((*change.before)[name_column]) != name.bytes)
    return invalid_argument("a prompt cannot be renamed");
  if (text.is_null()) return library.restore(name.bytes);
  if (text.type != ValueType::text) return invalid_argument("column text must be a text");
  return library.replace(name.bytes, text.bytes);
}

// --- schema_prompt --------------------------------------------------------------------------------------------------

constexpr Option<std::optional<std::vector<std::string>>> tables_option = {
    .key = "tables",
    .description = "The tables to show, with all their columns; by default all except trustsql's own."};
constexpr Option<std::size_t> prompt_rows_option = {
    .key = "rows",
    .description =
        "How many rows of each table follow the schema, as INSERT statements: the first ones, or with the "
        "option question those selected for it.",
    .default_value = 0,
    .min = 0,
    .max = 1'000};
constexpr Option<std::optional<std::string>> prompt_question_option = {
    .key = "question",
    .description =
        "If a table has more rows, half of the rows shown are those most relevant to this question, and the "
        "others are sampled (DART-SQL's CAP)."};
constexpr Option<std::uint64_t> prompt_seed_option = {
    .key = "seed", .description = "The seed of the sampled rows.", .default_value = 0, .min = 0};
constexpr auto schema_prompt_options = option_table(schema_options, tables_option, prompt_rows_option,
                                                    prompt_question_option, ranked_rows_option, prompt_seed_option);

Result<nl2sql::SchemaSubset> subset_of(const Catalog& catalog, const Options& options) {
  const auto all = nl2sql::SchemaSubset::all(catalog);
  const auto names = options.get(tables_option);
  if (!names) return all;
  nl2sql::SchemaSubset subset;
  for (const auto& name : *names) {
    const auto* table = catalog.find(name);
    const auto table_columns = table == nullptr
                                   ? all.columns.end()
                                   : all.columns.find(static_cast<std::size_t>(table - catalog.tables().data()));
    if (table_columns == all.columns.end())
      return invalid_argument("option 'tables': no such table: " + quote_for_message(name));
    subset.columns.insert(*table_columns);
  }
  return subset;
}

Result<std::string> schema_prompt(Session& session, const SharedScope& scope,
                                  const OptionalArg<std::string_view>& style, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto shown, nl2sql::parse_schema_style(style.has_value() ? *style : "CreateTable"));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, source->catalog());
  TRUSTSQL_ASSIGN_OR_RETURN(const auto subset, subset_of(*catalog, options));
  const auto count = options.get(prompt_rows_option);
  const bool with_values = shown == nl2sql::SchemaStyle::create_table_select_col3;
  if ((count == 0 && !with_values) || session.settings().text(Setting::llm_send_rows) == "never")
    return schema_text(*catalog, subset, shown);

  LlmCall call(session);
  const auto ranked = std::max(static_cast<std::size_t>(options.get(ranked_rows_option)), count);
  TRUSTSQL_ASSIGN_OR_RETURN(
      auto reader, nl2sql::ContentReader::open(*source, *catalog, session.objects().shared<nl2sql::ContentCache>(),
                                               call.context().stop, nl2sql::ContentLimits::of(ranked)));
  nl2sql::ColumnValues values;
  if (with_values) {
    TRUSTSQL_ASSIGN_OR_RETURN(values, read_column_values(reader, subset));
  }
  auto text = schema_text(*catalog, subset, shown, with_values ? &values : nullptr);
  if (count == 0) return text;

  std::vector<nl2sql::SelectedRows> rows;
  if (const auto question = options.get(prompt_question_option)) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto words, word_embedder_of(session));
    const nl2sql::RowSelection selection{.count = count, .seed = options.get(prompt_seed_option)};
    TRUSTSQL_ASSIGN_OR_RETURN(rows, relevant_rows(reader, subset, *question, selection, *words, call.context()));
  } else {
    TRUSTSQL_ASSIGN_OR_RETURN(rows, first_rows(reader, subset, count));
  }
  text += "\n";
  for (const auto& table : rows) text += "\n" + insert_text(*catalog, table);
  return text;
}

}  // namespace

std::span<const FunctionSpec> prompt_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<schema_prompt>(
          {.name = "schema_prompt",
           .signature = "schema_prompt([style] [, opts])",
           .summary =
               "A schema as prompts show it: 'CreateTable' (the default), 'Columns=[]+FK', or "
               "'CreateTable+SelectCol3', with three values of each column. If llm_send_rows is never, it has no "
               "values and no rows. Names and values are escaped so that they cannot hide text or end a comment.",
           .example = "SELECT replace(schema_prompt('Columns=[]+FK', '{\"schema\":\"CREATE TABLE "
                      "t(id, name)\"}'), char(10), ' '); "
                      "-- Table t, columns = [*, id, name] Foreign_keys = []",
           .options = schema_prompt_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      table<list_prompts, write_prompt>(
          {.name = "trustsql_prompts",
           .signature = "trustsql_prompts",
           .summary =
               "Every prompt by its name, with its text. UPDATE trustsql_prompts SET text = ... WHERE name = ... (or "
               "INSERT) replaces a text for this connection; NULL or DELETE restores the built-in one. ROLLBACK does "
               "not undo these changes. [system], [user] and [assistant] on separate lines begin messages; {name} is "
               "replaced by a value, {#list}...{/list} is repeated for each element, {?name}...{/name} is included "
               "only if there is a value, {!name}...{/name} only if there is none, {{ and }} are braces.",
           .example = "SELECT count(*) FROM trustsql_prompts WHERE name IN ('triage', 'rewrite', 'verify') AND NOT "
                      "replaced; -- 3",
           .columns = "name TEXT, text TEXT, replaced INTEGER, placeholders TEXT, description TEXT",
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
