#include "score/exec_match.hpp"

#include <string>

#include "base/text.hpp"
#include "score/column_match.hpp"
#include "score/spider_match.hpp"
#include "score/trustsql_match.hpp"
#include "sql/query_shape.hpp"

namespace trustsql {

namespace {

constexpr std::size_t max_sql_bytes = std::size_t{1} << 30;  // SQLite's own greatest SQLITE_LIMIT_SQL_LENGTH, about

// Whether the comparison is that of the public test-suite evaluator.
bool is_spider(const ExecOptions& options) {
  return options.semantics == ExecSemantics::spider || (options.semantics == ExecSemantics::trustsql && options.dataset == TrustsqlDataset::spider);
}

SpiderDistinct spider_distinct(const ExecOptions& options) {
  return options.semantics == ExecSemantics::trustsql ? SpiderDistinct::drop : options.distinct;
}

std::string rewritten_gold(std::string_view gold, const ExecOptions& options) {
  if (is_spider(options)) return spider_gold(gold, spider_distinct(options)).sql;
  if (options.semantics == ExecSemantics::trustsql) return trustsql_gold(gold, options.dataset);
  return std::string(gold);
}

std::string rewritten_prediction(std::string_view prediction, std::string_view gold, const ExecOptions& options) {
  if (is_spider(options)) return spider_prediction(prediction, spider_distinct(options));
  if (options.semantics == ExecSemantics::trustsql) return trustsql_prediction(prediction, gold, options.dataset);
  return std::string(prediction);
}

bool has_parameters(std::string_view sql) {
  Tokenizer tokens(sql);
  for (Token token = tokens.next(); token.kind != TokenKind::end; token = tokens.next())
    if (token.is(TokenKind::variable)) return true;
  return false;
}

Execution run(std::string_view sql, Sandbox& sandbox, const ExecContext& context) {
  if (is_spider(context.options) && has_parameters(sql)) return query_failed("the query has parameters, for which there are no values");
  if (context.cache == nullptr || !is_repeatable(sql)) return execute(sandbox, sql);
  TRUSTSQL_ASSIGN_OR_RETURN(const std::uint64_t version, sandbox.version());
  return context.cache->run(sandbox, context.source, version, sql);
}

Error too_long(std::string_view sql) {
  return limit_exceeded("the query has " + std::to_string(sql.size()) + " bytes, more than " + std::to_string(max_sql_bytes));
}

ExecMatch gold_failure(Error error, std::string_view gold) {
  return {.gold_error = std::move(error).with_prefix("the gold query " + quote_for_message(gold) + " failed")};
}

}  // namespace

Result<ExecOptions> exec_options(const Options& options) {
  ExecOptions result;
  const std::string semantics = options.text("semantics").value_or("bag");
  if (semantics == "spider") result.semantics = ExecSemantics::spider;
  if (semantics == "trustsql") result.semantics = ExecSemantics::trustsql;
  if (semantics == "strict") result.semantics = ExecSemantics::strict;

  if (const auto distinct = options.text("distinct")) {
    if (result.semantics != ExecSemantics::spider) return invalid_argument("option 'distinct' goes with semantics 'spider', not '" + semantics + "'");
    result.distinct = *distinct == "keep" ? SpiderDistinct::keep : SpiderDistinct::drop;
  }
  if (const auto dataset = options.text("dataset")) {
    if (result.semantics != ExecSemantics::trustsql)
      return invalid_argument("option 'dataset' goes with semantics 'trustsql', not '" + semantics + "'");
    if (*dataset == "advising") result.dataset = TrustsqlDataset::advising;
    if (*dataset == "ehrsql") result.dataset = TrustsqlDataset::ehrsql;
    if (*dataset == "spider") result.dataset = TrustsqlDataset::spider;
  }
  if (const auto steps = options.texts("clean")) {
    TRUSTSQL_ASSIGN_OR_RETURN(result.cleaning, parse_cleaning(*steps));
  } else if (result.semantics == ExecSemantics::trustsql) {
    result.cleaning = PredictionCleaning::benchmark();
  }
  return result;
}

Result<bool> results_match(const ResultSet& gold, const ResultSet& prediction, std::string_view gold_sql, const ExecOptions& options,
                           std::int64_t max_steps) {
  if (is_spider(options)) {
    const bool order_matters = spider_gold(gold_sql, spider_distinct(options)).order_matters;
    const auto decoded_gold = spider_decoded(gold);
    const auto decoded_prediction = spider_decoded(prediction);
    return spider_match(decoded_gold ? *decoded_gold : gold, decoded_prediction ? *decoded_prediction : prediction, order_matters, max_steps);
  }
  if (options.semantics == ExecSemantics::trustsql) return trustsql_match(gold, prediction, gold_sql, options.dataset);

  const auto order = has_outermost_order_by(gold_sql) ? RowOrder::list : RowOrder::bag;
  if (options.semantics == ExecSemantics::strict)
    return gold.column_count() == prediction.column_count() && rows_match(gold, prediction, identity_permutation(gold.column_count()), order);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto permutation, match_columns(gold, prediction, order, max_steps));
  return permutation.has_value();
}

Result<ExecMatch> exec_match(std::string_view gold, std::string_view prediction, Sandbox& sandbox, const ExecContext& context) {
  if (gold.size() > max_sql_bytes) return gold_failure(too_long(gold), gold);
  if (prediction.size() > max_sql_bytes) return ExecMatch{.prediction_error = too_long(prediction)};
  const std::string gold_sql = rewritten_gold(gold, context.options);
  const std::string predicted_sql = rewritten_prediction(prediction, gold, context.options);

  auto gold_rows = run(gold_sql, sandbox, context);
  if (!gold_rows.ok()) {
    if (!is_fault_of_query(gold_rows.error())) return std::move(gold_rows).error();
    return gold_failure(std::move(gold_rows).error(), gold);
  }
  const bool shared = gold_sql == predicted_sql && is_repeatable(gold_sql);
  auto predicted_rows = shared ? gold_rows : run(predicted_sql, sandbox, context);
  if (!predicted_rows.ok()) {
    if (!is_fault_of_query(predicted_rows.error())) return std::move(predicted_rows).error();
    return ExecMatch{.prediction_error = std::move(predicted_rows).error()};
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const bool match, results_match(*gold_rows.value(), *predicted_rows.value(), gold, context.options, context.max_steps));
  return ExecMatch{.match = match};
}

}  // namespace trustsql
