#include "ext/functions/rs/rs_source.hpp"

#include "base/text.hpp"
#include "ext/services/execution_resources.hpp"

namespace trustsql::ext {

Result<OutcomeTable> read_source(Session& session, const SharedScope& scope, std::string_view source,
                                 const Options& options, OutcomeReaderOptions reader, WrongAnswers* wrong_answers) {
  TRUSTSQL_ASSIGN_OR_RETURN(reader.exec, exec_options(options));
  if (options.has(dataset_option)) reader.dataset = reader.exec.dataset;
  reader.database = options.get(source_database_option);
  reader.on_gold_error = options.get(source_on_gold_error_option);
  TRUSTSQL_ASSIGN_OR_RETURN(auto opened, RowSource::open(session.host(), source));
  return read_outcomes(std::move(opened), reader,
                       {session.database(), session.settings(), scope.get(), execution_cache_of(session, scope),
                        threads_of(session), wrong_answers});
}

Result<OutcomeTable> read_report_source(Session& session, const SharedScope& scope, std::string_view source,
                                        const Options& options, std::vector<std::string> by,
                                        WrongAnswers* wrong_answers) {
  const auto questions = options.get(questions_option);
  TRUSTSQL_ASSIGN_OR_RETURN(
      auto table,
      read_source(session, scope, source, options,
                  {.by = std::move(by), .cluster = options.get(cluster_option), .needs_id = questions.has_value()},
                  wrong_answers));
  if (questions) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto listed, RowSource::open(session.host(), *questions));
    TRUSTSQL_RETURN_IF_ERROR(expect_questions(std::move(listed), table));
  }
  return table;
}

RowWriter::RowWriter(std::string_view columns) {
  std::vector<std::string> names;
  for (const auto column : split(columns, ',')) names.emplace_back(split(trim(column), ' ').front());
  rows_ = ResultSet(std::move(names));
}

}  // namespace trustsql::ext
