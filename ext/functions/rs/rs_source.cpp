#include "ext/functions/rs/rs_source.hpp"

#include "base/parallel_for.hpp"
#include "base/text.hpp"

namespace trustsql::ext {

std::size_t threads_of(const Session& session) {
  return sqlite3_threadsafe() == 0 ? 1 : thread_count(session.settings().integer(Setting::threads));
}

Result<OutcomeTable> read_source(Session& session, const SharedScope& scope, std::string_view source,
                                 const Options& options, OutcomeReaderOptions reader) {
  TRUSTSQL_ASSIGN_OR_RETURN(reader.exec, exec_options(options));
  reader.database = options.text("database");
  reader.on_gold_error = options.text("on_gold_error") == "skip" ? OnGoldError::skip : OnGoldError::error;
  TRUSTSQL_ASSIGN_OR_RETURN(auto opened, Source::open(session.host(), source));
  auto& cache = scope->shared<ExecutionCache>(session.settings().integer(Setting::execution_cache_bytes));
  return read_outcomes(std::move(opened), reader,
                       {session.database(), session.settings(), scope.get(), cache, threads_of(session)});
}

MissingRows missing_rows_of(const Options& options) {
  return options.text("missing") == "count" ? MissingRows::count : MissingRows::error;
}

BootstrapOptions bootstrap_of(const Options& options) {
  BootstrapOptions bootstrap;
  bootstrap.replicates = options.integer("bootstrap").value_or(bootstrap.replicates);
  bootstrap.level = options.real("confidence_level").value_or(bootstrap.level);
  bootstrap.seed = static_cast<std::uint64_t>(options.integer("seed").value_or(0));
  return bootstrap;
}

RowWriter::RowWriter(std::string_view columns) {
  std::vector<std::string> names;
  for (const auto column : split(columns, ',')) names.emplace_back(split(trim(column), ' ').front());
  rows_ = ResultSet(std::move(names));
}

}  // namespace trustsql::ext
