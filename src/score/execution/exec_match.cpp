#include "score/execution/exec_match.hpp"

#include <string>

#include "base/text.hpp"
#include "db/results/column_match.hpp"
#include "score/execution/spider_match.hpp"
#include "score/execution/trustsql_match.hpp"
#include "sql/query_shape.hpp"

namespace trustsql {

namespace {

constexpr std::size_t max_sql_bytes = std::size_t{1} << 30;  // about the maximum of SQLITE_LIMIT_SQL_LENGTH

constexpr std::size_t quickly_compared = 64 << 10;  // bytes of a result that is compared in negligible time

// Whether the comparison is that of the public test-suite evaluator.
bool is_spider(const ExecOptions& options) {
  return options.semantics == ExecSemantics::spider ||
         (options.semantics == ExecSemantics::trustsql && options.dataset == TrustsqlDataset::spider);
}

SpiderDistinct spider_distinct(const ExecOptions& options) {
  return options.semantics == ExecSemantics::trustsql ? SpiderDistinct::drop : options.distinct;
}

// The prediction as the public evaluator runs it. Only that evaluator itself replaces the letters "value"; for the
// benchmark, a prediction is changed as the gold query is.
std::string spider_predicted(std::string_view prediction, const ExecOptions& options) {
  if (options.semantics == ExecSemantics::trustsql) return spider_gold(prediction, spider_distinct(options)).sql;
  return spider_prediction(prediction, spider_distinct(options));
}

// The two queries as they are run, and how their rows are compared.
struct Task {
  std::string gold;
  std::string prediction;
  RowOrder order = RowOrder::bag;  // not used by semantics trustsql
};

Task make_task(std::string_view gold, std::string_view prediction, const ExecOptions& options) {
  if (is_spider(options)) {
    auto rewritten = spider_gold(gold, spider_distinct(options));
    return {std::move(rewritten.sql), spider_predicted(prediction, options),
            rewritten.order_matters ? RowOrder::list : RowOrder::bag};
  }
  if (options.semantics == ExecSemantics::trustsql)
    return {trustsql_gold(gold, options.dataset), trustsql_prediction(prediction, gold, options.dataset)};
  return {std::string(gold), std::string(prediction), has_outermost_order_by(gold) ? RowOrder::list : RowOrder::bag};
}

// Runs one query of a task on the state of the database identified by `version`.
Execution run(std::string_view sql, Sandbox& sandbox, std::uint64_t version, const ExecContext& context) {
  if (is_spider(context.options) && has_parameters(sql))
    return query_failed("the query has parameters, for which there are no values; write the values into the query");
  if (context.cache == nullptr || !is_repeatable(sql)) return execute(sandbox, sql);
  return context.cache->run(sandbox, context.source, version, sql);
}

// The rows of both queries; no value for the prediction if the gold query failed.
struct Executions {
  Execution gold;
  std::optional<Execution> prediction;
};

Result<Executions> run_both(const Task& task, ReadWindow& window, const ExecContext& context) {
  TRUSTSQL_ASSIGN_OR_RETURN(const std::uint64_t version, window.open());
  Executions executions{run(task.gold, window.sandbox(), version, context), std::nullopt};
  if (!executions.gold.ok()) return executions;
  const bool shared = task.gold == task.prediction && is_repeatable(task.gold);
  executions.prediction = shared ? executions.gold : run(task.prediction, window.sandbox(), version, context);
  return executions;
}

Result<bool> rows_agree(const ResultSet& gold, const ResultSet& prediction, const Task& task, std::string_view gold_sql,
                        const ExecContext& context) {
  if (is_spider(context.options)) {
    const auto decoded_gold = spider_decoded(gold);
    const auto decoded_prediction = spider_decoded(prediction);
    return spider_match(decoded_gold ? *decoded_gold : gold, decoded_prediction ? *decoded_prediction : prediction,
                        task.order, context.max_steps);
  }
  switch (context.options.semantics) {
    case ExecSemantics::trustsql: return trustsql_match(gold, prediction, gold_sql, context.options.dataset);
    case ExecSemantics::strict:
      return gold.column_count() == prediction.column_count() &&
             rows_match(gold, prediction, identity_permutation(gold.column_count()), task.order);
    case ExecSemantics::bag:
    case ExecSemantics::spider: break;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const auto permutation, match_columns(gold, prediction, task.order, context.max_steps));
  return permutation.has_value();
}

Error too_long(std::string_view sql) {
  return limit_exceeded("the query has " + std::to_string(sql.size()) + " bytes; at most " +
                        std::to_string(max_sql_bytes) + " are allowed");
}

ExecMatch gold_failure(Error error, std::string_view gold) {
  return {.gold_error = std::move(error).with_prefix("the gold query " + quote_for_message(gold) + " failed")};
}

}  // namespace

Result<ExecMatch> exec_match(std::string_view gold, std::string_view prediction, ReadWindow& window,
                             const ExecContext& context) {
  if (gold.size() > max_sql_bytes) return gold_failure(too_long(gold), gold);
  if (prediction.size() > max_sql_bytes) return ExecMatch{.prediction_error = too_long(prediction)};
  const Task task = make_task(gold, prediction, context.options);
  TRUSTSQL_ASSIGN_OR_RETURN(Executions executions, run_both(task, window, context));
  if (!executions.gold.ok()) {
    if (!is_fault_of_query(executions.gold.error())) return std::move(executions.gold).error();
    return gold_failure(std::move(executions.gold).error(), gold);
  }
  Execution& predicted = *executions.prediction;
  if (!predicted.ok()) {
    if (!is_fault_of_query(predicted.error())) return std::move(predicted).error();
    return ExecMatch{.prediction_error = std::move(predicted).error()};
  }
  if (executions.gold.value()->byte_size() > quickly_compared) window.close();
  TRUSTSQL_ASSIGN_OR_RETURN(const bool match,
                            rows_agree(*executions.gold.value(), *predicted.value(), task, gold, context));
  return ExecMatch{.match = match};
}

}  // namespace trustsql
