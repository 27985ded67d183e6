// nl2sql_answer: the answer to a question as a virtual table.
//
//   CREATE VIRTUAL TABLE temp.t USING nl2sql_answer('Which singers are French?');
//   SELECT * FROM t;
//
// The model is asked once, when the table is created; the SQL is kept with the connection, and each scan of the table
// runs it again in the sandbox.

#include "base/text.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/functions/nl2sql/nl2sql_pipeline.hpp"
#include "ext/registry.hpp"

namespace trustsql::ext {

namespace {

class Answer final : public CreatedTable {
 public:
  Answer(std::string sql, std::vector<std::string> columns, Options options)
      : sql_(std::move(sql)), columns_(std::move(columns)), options_(std::move(options)) {}

  const std::vector<std::string>& columns() const override { return columns_; }

  Result<ResultSet> rows(Session& session) const override {
    const auto scope = std::make_shared<StatementScope>();
    TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, options_));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, source->lease());
    sandbox->set_stop([&] { return session.database().interrupted(); });
    TRUSTSQL_ASSIGN_OR_RETURN(auto rows, sandbox->run(sql_));
    if (rows.column_count() != columns_.size())
      return query_failed("the query now has other columns; create the table again");
    return rows;
  }

 private:
  std::string sql_;
  std::vector<std::string> columns_;
  Options options_;  // these name the database
};

// The answer's SQL as the pipeline ran it.
std::string as_run(const std::string& sql, const Options& options) {
  const auto dataset = options.get(method_dataset_option);
  return dataset ? trustsql_gold(sql, *dataset) : sql;
}

// `arguments`: the question and, optionally, the options.
Result<std::shared_ptr<CreatedTable>> answer_to(Session& session, std::span<const std::string> arguments) {
  Options options(nl2sql_options);
  if (arguments.size() > 1 && !arguments[1].empty()) {
    TRUSTSQL_ASSIGN_OR_RETURN(options, Options::parse(arguments[1], nl2sql_options));
  }
  const auto scope = std::make_shared<StatementScope>();
  TRUSTSQL_ASSIGN_OR_RETURN(const auto attempt, ask_question(session, scope, arguments[0], options));
  if (!attempt.sql) {
    std::string message = "there is no answer: " + reason_of(attempt);
    if (!attempt.suggestion.empty()) message += "; " + attempt.suggestion;
    return query_failed(std::move(message));
  }
  if (!attempt.result)
    return query_failed("the query fails: " + attempt.error + ": " + quote_for_message(*attempt.sql));
  return std::shared_ptr<CreatedTable>(
      std::make_shared<Answer>(as_run(*attempt.sql, options), attempt.result->column_names(), std::move(options)));
}

}  // namespace

std::span<const FunctionSpec> nl2sql_answer_functions() {
  static constexpr FunctionDoc doc = {
      .name = "nl2sql_answer",
      .signature = "nl2sql_answer(question [, opts])",
      .summary =
          "A virtual table with the columns and rows of the answer: CREATE VIRTUAL TABLE temp.t USING "
          "nl2sql_answer('...'). The model is asked once, when the table is created; if it abstains, creating the "
          "table fails. The query is run again, in the sandbox, whenever the table is read. The table must be in temp.",
      .example = "SELECT count(*) FROM pragma_module_list WHERE name = 'nl2sql_answer'; -- 1",
      .columns = "the answer's own",
      .options = nl2sql_options,
      .entry_point = EntryPoint::full,
      .effect = Effect::state};
  static constexpr FunctionSpec functions[] = {created_table<answer_to>(doc, 1, 2)};
  return functions;
}

}  // namespace trustsql::ext
