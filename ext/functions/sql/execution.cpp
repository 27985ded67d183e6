// Functions that judge predictions by execution: sql_ex, rs_case, rs_score.

#include <deque>

#include "ext/adaptor/aggregate.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/options/execution_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/execution_resources.hpp"
#include "score/reliability/reliability.hpp"

namespace trustsql::ext {

namespace {

constexpr Option<std::optional<std::string>> judged_database_option = {
    .key = "database", .description = "The path of the database, as an alternative to the argument of that name."};
constexpr auto ex_options = option_table(execution_options, judged_database_option);
constexpr auto case_options = option_table(ex_options, on_gold_error_option);

using Text = std::string_view;
using NullableText = std::optional<Text>;

std::optional<std::string> owned(const NullableText& text) {
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

// One question from the arguments of a call. The database is opened only if a query has to be run.
Result<BatchItem> make_item(Session& session, const SharedScope& scope, const NullableText& gold,
                            const NullableText& prediction, const OptionalArg<Text>& database, const Options& options) {
  BatchItem item{owned(gold), owned(prediction), nullptr};
  const auto in_options = options.get(judged_database_option);
  if (in_options && database.has_value())
    return invalid_argument("the database is given twice; give it as an argument or as an option");
  if (!gold || !prediction) return item;
  std::optional<Text> path = database.value;
  if (in_options) path = *in_options;
  TRUSTSQL_ASSIGN_OR_RETURN(item.source, session.database().open(path, session.settings(), scope.get()));
  return item;
}

Result<ItemScore> judge(Session& session, const SharedScope& scope, const NullableText& gold,
                        const NullableText& prediction, const OptionalArg<Text>& database, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const BatchOptions batch, batch_options(session, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const BatchItem item, make_item(session, scope, gold, prediction, database, options));
  return score_item(item, batch, execution_cache_of(session, scope),
                    [&session] { return session.database().interrupted(); });
}

Result<std::optional<bool>> sql_ex(Session& session, const SharedScope& scope, Text gold, Text prediction,
                                   const OptionalArg<Text>& database, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const ItemScore score, judge(session, scope, gold, prediction, database, options));
  if (score.reliability_case == ReliabilityCase::II)
    return std::optional<bool>();  // cleaning the prediction turned it into an abstention
  return std::optional(score.reliability_case == ReliabilityCase::I);
}

Result<std::optional<Text>> rs_case(Session& session, const SharedScope& scope, NullableText gold,
                                    NullableText prediction, const OptionalArg<Text>& database,
                                    const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const ItemScore score, judge(session, scope, gold, prediction, database, options));
  if (!score.reliability_case) return std::optional<Text>();
  return std::optional(case_name(*score.reliability_case));
}

// RS(c) of questions, gold queries and predictions. Rows are queued and judged together, on several threads: when the
// value is requested, and whenever the queue is full. Rows leave a window in the order in which they entered it, so
// inverse() removes the first row.
class RsScore {
 public:
  explicit RsScore(Session& session) : session_(&session) {}

  Status step(const SharedScope& scope, NullableText gold, NullableText prediction, ValueView c,
              const OptionalArg<Text>& database, const Options& options) {
    scope_ = scope;
    TRUSTSQL_ASSIGN_OR_RETURN(BatchOptions batch, batch_options(*session_, options));
    TRUSTSQL_ASSIGN_OR_RETURN(const Penalty penalty, parse_penalty(c));
    TRUSTSQL_ASSIGN_OR_RETURN(BatchItem item, make_item(*session_, scope, gold, prediction, database, options));
    if (!queue_.empty() && !same_judgement(batch, batch_)) TRUSTSQL_RETURN_IF_ERROR(judge_queue());
    batch_ = std::move(batch);
    queued_bytes_ += (item.gold ? item.gold->size() : 0) + (item.prediction ? item.prediction->size() : 0);
    queue_.push_back(std::move(item));
    rows_.push_back({penalty, std::nullopt});
    ++rows_seen_;
    if (queue_.size() >= max_queue || queued_bytes_ >= max_queue_bytes) return judge_queue();
    return ok_status();
  }

  Status inverse(const SharedScope&, NullableText, NullableText, ValueView, const OptionalArg<Text>&, const Options&) {
    if (queue_.size() == rows_.size()) {
      queue_.pop_front();
    } else {
      mean_.remove(rows_.front().reliability_case, rows_.front().penalty);
    }
    rows_.pop_front();
    return ok_status();
  }

  Result<std::optional<double>> value() {
    TRUSTSQL_RETURN_IF_ERROR(judge_queue());
    return mean_.value();
  }

 private:
  static constexpr std::size_t max_queue = 4096;
  static constexpr std::size_t max_queue_bytes = std::size_t{16} << 20;

  struct Row {
    Penalty penalty;
    std::optional<ReliabilityCase> reliability_case;
  };

  static bool same_judgement(const BatchOptions& x, const BatchOptions& y) {
    return x.exec == y.exec && x.on_gold_error == y.on_gold_error;
  }

  // Determines the case of each row of the queue. The queue holds the last rows of rows_.
  Status judge_queue() {
    if (queue_.empty()) return ok_status();
    const std::vector<BatchItem> items(std::make_move_iterator(queue_.begin()), std::make_move_iterator(queue_.end()));
    queue_.clear();
    queued_bytes_ = 0;
    batch_.first_row = rows_seen_ - items.size() + 1;
    TRUSTSQL_ASSIGN_OR_RETURN(const auto scores, score_batch(items, batch_, execution_cache_of(*session_, scope_),
                                                             [this] { return session_->database().interrupted(); }));
    const std::size_t first = rows_.size() - items.size();
    for (std::size_t i = 0; i < scores.size(); ++i) {
      rows_[first + i].reliability_case = scores[i].reliability_case;
      mean_.add(scores[i].reliability_case, rows_[first + i].penalty);
    }
    return ok_status();
  }

  Session* session_;
  SharedScope scope_;
  BatchOptions batch_;
  std::deque<BatchItem> queue_;  // rows that have no case yet
  std::size_t queued_bytes_ = 0;
  std::deque<Row> rows_;  // all rows of the group or frame
  std::size_t rows_seen_ = 0;
  ReliabilityMean mean_;
};

}  // namespace

std::span<const FunctionSpec> execution_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<sql_ex>({.name = "sql_ex",
                      .signature = "sql_ex(gold, pred [, database] [, opts])",
                      .summary = "EX, execution accuracy: 1 if the predicted query returns the same result as the gold "
                                 "query, 0 if not or if it fails. NULL if either is NULL.",
                      .example = "SELECT sql_ex('VALUES (1, 2)', 'SELECT 2, 1'); -- 1",
                      .options = ex_options,
                      .entry_point = EntryPoint::offline,
                      .effect = Effect::state}),
      scalar<rs_case>(
          {.name = "rs_case",
           .signature = "rs_case(gold, pred [, database] [, opts])",
           .summary =
               "The case of a prediction, 'I' to 'V': gold NULL means an infeasible question, pred NULL an abstention.",
           .example = "SELECT rs_case('SELECT 1', 'SELECT 2'); -- III",
           .options = case_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      aggregate<RsScore>({.name = "rs_score",
                          .signature = "rs_score(gold, pred, c [, database] [, opts])",
                          .summary = "RS(c), in percent, of predictions that are judged by execution: "
                                     "rs_mean(rs_case(...), c), on several threads.",
                          .example = "SELECT rs_score(g, p, 10) FROM (SELECT 'SELECT 1' AS g, 'SELECT 1' AS p UNION "
                                     "ALL SELECT NULL, NULL); -- 100.0",
                          .options = case_options,
                          .entry_point = EntryPoint::offline,
                          .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
