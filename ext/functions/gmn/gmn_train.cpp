// gmn_train: trains a graph matching network on a table of labelled pairs; a row as each epoch ends.

#include <chrono>
#include <filesystem>
#include <map>

#include "base/json_writer.hpp"
#include "base/parallel_for.hpp"
#include "db/sources/row_source.hpp"
#include "db/stores/files.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/options/gmn_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/gmn_service.hpp"
#include "ext/services/host_dialect.hpp"
#include "gmn/pair_graphs.hpp"

namespace trustsql::ext {

namespace {

constexpr std::string_view train_columns =
    "phase TEXT, epoch INTEGER, loss REAL, auc REAL, best INTEGER, pairs INTEGER, held_out INTEGER, skipped INTEGER, "
    "seconds REAL";

// The rows of a source as pairs of graphs.
class PairReader {
 public:
  PairReader(Session& session, const SharedScope& scope, const Options& options)
      : session_(session),
        scope_(scope),
        options_(options),
        pairs_(options.get(representation_option), options.get(variants_option), options.get(training_seed_option)) {}

  // Errors: those of the source and of the databases that it names; a label that is neither 0 nor 1; no pair is usable.
  Status read(std::string_view source) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto rows, RowSource::open(session_.host(), source));
    Columns columns;
    TRUSTSQL_ASSIGN_OR_RETURN(columns.a, rows.require("a"));
    TRUSTSQL_ASSIGN_OR_RETURN(columns.b, rows.require("b"));
    TRUSTSQL_ASSIGN_OR_RETURN(columns.label, rows.require("label"));
    columns.database = rows.find("database");
    columns.schema = rows.find("schema");
    if ((columns.database || columns.schema) && (options_.has(database_option) || options_.has(schema_option)))
      return invalid_argument("the source has a column 'database' or 'schema', so these options must not be given");
    for (std::size_t number = 1;; ++number) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool has_row, rows.next());
      if (!has_row) break;
      auto added = add_row(rows, columns);
      if (!added.ok() && added.error().code == ErrorCode::interrupted) return added;
      if (!added.ok()) return std::move(added).error().with_prefix("row " + std::to_string(number));
    }
    if (pairs_.graphs().pairs.empty() && skipped_ > 0)
      return invalid_argument("none of the " + std::to_string(skipped_) +
                              " pairs is usable; the first: " + first_skipped_);
    return ok_status();
  }

  const gmn::LabelledGraphs& graphs() const { return pairs_.graphs(); }
  // With one schema, pairs with the same first query form a group; otherwise those of a schema.
  const std::vector<std::size_t>& groups() const {
    return schemas_.size() > 1 ? pairs_.groups() : pairs_.first_queries();
  }
  std::size_t skipped() const { return skipped_; }

 private:
  struct Columns {
    int a = 0;
    int b = 0;
    int label = 0;
    std::optional<int> database{};
    std::optional<int> schema{};
  };
  struct Schema {
    std::size_t number = 0;
    std::optional<Catalog> catalog;
  };

  Status add_row(const RowSource& rows, const Columns& columns) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto a, rows.text_at(columns.a, "a"));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto b, rows.text_at(columns.b, "b"));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto database, rows.text_at(columns.database, "database"));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto schema, rows.text_at(columns.schema, "schema"));
    const auto truth = rows.at(columns.label);
    if (truth.is_null() || !a || !b) {
      skip("a, b or label is missing");
      return ok_status();
    }
    if (truth.type != ValueType::integer || (truth.integer != 0 && truth.integer != 1))
      return invalid_argument("the label must be 0, 1 or NULL, not " + format_value(truth));
    return add(*a, *b, truth.integer == 1, database, schema);
  }

  Result<const Schema*> schema_of(const std::optional<std::string>& database, const std::optional<std::string>& ddl) {
    auto& schema = schemas_[{database, ddl}];
    if (schema.catalog) return &schema;
    schema.number = schemas_.size();
    if (!database && !ddl) {
      TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, catalog_of(session_, scope_, options_));
      schema.catalog = gmn::graph_catalog(*catalog);
      return &schema;
    }
    if (database && ddl) return invalid_argument("give either database or schema, not both");
    TRUSTSQL_ASSIGN_OR_RETURN(const auto source,
                              ddl ? session_.database().open_schema(*ddl, session_.settings())
                                  : session_.database().open(database, session_.settings(), scope_.get()));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, source->catalog());
    schema.catalog = gmn::graph_catalog(*catalog);
    return &schema;
  }

  Status add(const std::string& a, const std::string& b, bool same, const std::optional<std::string>& database,
             const std::optional<std::string>& ddl) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto* const schema, schema_of(database, ddl));
    const auto added = with_dialect(session_.host(), [&](const ResolveOptions& dialect) -> Result<bool> {
      TRUSTSQL_RETURN_IF_ERROR(pairs_.add(a, b, same, schema->number, schema->number, *schema->catalog, dialect,
                                          [this] { return session_.database().interrupted(); }));
      return true;
    });
    if (!added.ok() && added.error().code == ErrorCode::interrupted)
      return Error{ErrorCode::interrupted, "interrupted"};
    if (!added.ok()) skip(added.error().message);
    return ok_status();
  }
  void skip(const std::string& why) {
    if (++skipped_ == 1) first_skipped_ = why;
  }

  Session& session_;
  const SharedScope& scope_;
  const Options& options_;
  gmn::PairGraphs pairs_;
  std::map<std::pair<std::optional<std::string>, std::optional<std::string>>, Schema> schemas_;
  std::size_t skipped_ = 0;
  std::string first_skipped_;
};

class TrainStream final : public RowStream {
 public:
  static Result<std::unique_ptr<RowStream>> open(Session& session, const SharedScope& scope, std::string_view source,
                                                 const Options& options) {
    PairReader reader(session, scope, options);
    TRUSTSQL_RETURN_IF_ERROR(reader.read(source));
    std::unique_ptr<TrainStream> stream(new TrainStream(session));
    const auto threads =
        session.database().may_use_threads() ? thread_count(session.settings().integer(Setting::threads)) : 1;
    TRUSTSQL_ASSIGN_OR_RETURN(stream->trainer_,
                              gmn::Trainer::create(reader.graphs(), reader.groups(), hyperparameters_of(options),
                                                   training_options_of(options), threads));
    stream->skipped_ = reader.skipped();
    stream->seed_ = options.get(training_seed_option);
    stream->checkpoint_ = options.get(checkpoint_option);
    TRUSTSQL_RETURN_IF_ERROR(stream->resume());
    return std::unique_ptr<RowStream>(std::move(stream));
  }

  Result<ResultSet> next() override {
    ResultSet rows({"phase", "epoch", "loss", "auc", "best", "pairs", "held_out", "skipped", "seconds"});
    auto report = trainer_->next([this] { return session_.database().interrupted(); });
    TRUSTSQL_RETURN_IF_ERROR(save_checkpoint());
    if (!report.ok()) return std::move(report).error();
    if (!*report) {
      if (!complete_) finish();
      return rows;
    }
    const auto& epoch = **report;
    rows.append(ValueView::of_text(epoch.pretraining ? "pretraining" : "training"));
    rows.append(ValueView::of_integer(epoch.epoch));
    rows.append(ValueView::of_real(epoch.loss));
    rows.append(epoch.auc ? ValueView::of_real(*epoch.auc) : ValueView::null());
    rows.append(epoch.pretraining ? ValueView::null() : ValueView::of_integer(epoch.is_best ? 1 : 0));
    rows.append(ValueView::of_integer(static_cast<std::int64_t>(trainer_->training_pairs())));
    rows.append(ValueView::of_integer(static_cast<std::int64_t>(trainer_->held_out_pairs())));
    rows.append(ValueView::of_integer(static_cast<std::int64_t>(skipped_)));
    rows.append(ValueView::of_real(std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count()));
    if (!epoch.pretraining) ++epochs_;
    return rows;
  }

 private:
  explicit TrainStream(Session& session) : session_(session) {}

  Status resume() {
    std::error_code error;
    if (!checkpoint_ || !std::filesystem::exists(*checkpoint_, error)) return ok_status();
    TRUSTSQL_ASSIGN_OR_RETURN(const auto bytes, read_file(*checkpoint_, gmn::max_weights_file));
    auto state = gmn::read_checkpoint(bytes, trainer_->fingerprint(), trainer_->best().parameters().values().size());
    if (!state.ok()) return std::move(state).error().with_prefix(quote_for_message(*checkpoint_));
    epochs_ = state->pretraining ? 0 : state->epoch;
    trainer_->restore(*std::move(state));
    return ok_status();
  }
  Status save_checkpoint() const {
    if (!checkpoint_) return ok_status();
    TRUSTSQL_RETURN_IF_ERROR(check_replaceable(*checkpoint_, gmn::own_start, gmn::is_own_file, "checkpoint"));
    return write_file(*checkpoint_, gmn::write_checkpoint(trainer_->state(), trainer_->fingerprint()));
  }

  // The connection uses the network from now on.
  void finish() {
    JsonWriter training;
    training.begin_object()
        .key("pairs")
        .value(trainer_->training_pairs())
        .key("held_out")
        .value(trainer_->held_out_pairs());
    training.key("epochs").value(epochs_).key("auc");
    trainer_->best_auc() >= 0 ? training.value(trainer_->best_auc()) : training.null();
    training.key("seed").value(seed_).end_object();
    GmnService::of(session_).replace(
        std::make_shared<const gmn::TrainedNetwork>(gmn::TrainedNetwork{trainer_->best(), std::move(training).text()}),
        "trained");
    complete_ = true;
  }

  Session& session_;
  std::unique_ptr<gmn::Trainer> trainer_;
  std::optional<std::string> checkpoint_;
  std::size_t skipped_ = 0;
  std::uint64_t seed_ = 0;
  int epochs_ = 0;
  bool complete_ = false;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

Result<std::unique_ptr<RowStream>> gmn_train(Session& session, const SharedScope& scope, std::string_view source,
                                             const Options& options) {
  return TrainStream::open(session, scope, source, options);
}

}  // namespace

std::span<const FunctionSpec> gmn_train_functions() {
  static constexpr FunctionSpec functions[] = {table<gmn_train>(
      {.name = "gmn_train",
       .signature = "gmn_train(source [, opts])",
       .summary =
           "Trains a graph matching network on labelled pairs of queries, and gives a row as each epoch ends: its "
           "loss, "
           "the AUC on the pairs held out, whether the network is the best one so far. When the last row has been "
           "read, "
           "this connection uses the best network; gmn_save() keeps it. The source's columns: a, b, label (1: the two "
           "mean the same, 0: they do not; rows without a label are skipped), and optionally database (a path) or "
           "schema (DDL). Pairs whose queries cannot be read are counted as skipped. Training uses the setting "
           "`threads`; the result does not depend on it.",
       .example = "SELECT phase, epoch FROM gmn_train('SELECT ''SELECT a FROM t'' AS a, ''SELECT a FROM t WHERE '' || "
                  "column1 AS b, column2 AS label FROM (VALUES (''1'', 1), (''a = 1'', 0), (''b = 1'', 0))', "
                  "'{\"schema\":\"CREATE TABLE t(a, b)\",\"epochs\":1,\"pretraining_epochs\":0}'); -- training | 1",
       .columns = train_columns,
       .options = gmn_train_options,
       .entry_point = EntryPoint::offline,
       .effect = Effect::state})};
  return functions;
}

}  // namespace trustsql::ext
