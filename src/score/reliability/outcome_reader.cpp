#include "score/reliability/outcome_reader.hpp"

#include <map>
#include <memory>
#include <unordered_set>

#include "base/text.hpp"
#include "score/reliability/pipeline_verdict.hpp"
#include "sql/reply_text.hpp"

namespace trustsql {

namespace {

// Separates the two parts of an identity.
constexpr char part_separator = '\x1e';

// The positions of the columns in the source.
struct Columns {
  std::optional<int> reliability_case, gold, pred, database, dataset, system, id, question, raw_case, raw, cls, error,
      confidence, error_kind, cluster;
  std::vector<int> by;

  static Result<Columns> find(const RowSource& source, const OutcomeReaderOptions& options) {
    Columns columns;
    columns.reliability_case = source.find("case");
    columns.gold = source.find("gold");
    columns.pred = source.find("pred");
    columns.database = source.find("database");
    columns.dataset = source.find("dataset");
    columns.system = source.find("system");
    columns.id = source.find("id");
    columns.question = source.find("question");
    columns.raw_case = source.find("raw_case");
    columns.raw = source.find("raw");
    columns.cls = source.find("cls");
    columns.error = source.find("error");
    columns.confidence = source.find("confidence");
    columns.error_kind = source.find("error_kind");
    if (!columns.reliability_case && !(columns.gold && columns.pred)) {
      return invalid_argument("the source has neither a column 'case' nor the columns 'gold' and 'pred'; it has: " +
                              join(source.column_names(), ", "));
    }
    if (columns.raw && !columns.raw_case && !columns.gold) {
      return invalid_argument(
          "the source's column 'raw' cannot be judged without a column 'gold' (or give its case as 'raw_case')");
    }
    if (options.needs_id) TRUSTSQL_RETURN_IF_ERROR(source.require("id"));
    if (options.needs_confidence) TRUSTSQL_RETURN_IF_ERROR(source.require("confidence"));
    if (options.by.size() > max_group_columns)
      return invalid_argument("rows can be grouped by at most " + std::to_string(max_group_columns) + " columns");
    for (const auto& name : options.by) {
      TRUSTSQL_ASSIGN_OR_RETURN(const int column, source.require(name));
      columns.by.push_back(column);
    }
    if (options.cluster) {
      TRUSTSQL_ASSIGN_OR_RETURN(columns.cluster, source.require(*options.cluster));
    }
    return columns;
  }
};

// A row of the source that waits for its queries to run.
struct PendingRow {
  std::string system;
  std::optional<std::string> question;
  std::vector<Value> groups;
  std::string cluster;
  std::string error_kind;
  std::optional<Number> confidence;
  std::optional<ReliabilityCase> reliability_case;
  PipelineParts parts;
  std::optional<Error> failure;          // why the prediction failed
  std::unique_ptr<AnswerTexts> texts{};  // only if the answer may be one to keep
  Obstacle obstacle = Obstacle::none;
};

Result<std::optional<ReliabilityCase>> case_of(ValueView value, std::string_view column) {
  if (value.is_null()) return std::optional<ReliabilityCase>();
  auto parsed = value.type == ValueType::text ? parse_case(value.bytes) : parse_case(format_value(value));
  if (!parsed.ok()) return std::move(parsed).error().with_prefix(column);
  return std::optional(*parsed);
}

Result<std::optional<Number>> confidence_of(ValueView value) {
  switch (value.type) {
    case ValueType::null: return std::optional<Number>();
    case ValueType::integer: return std::optional(Number(value.integer));
    case ValueType::real: return std::optional(Number(value.real));
    default: return invalid_argument("confidence must be a number, not " + type_and_value(value));
  }
}

// The data set of the benchmark that a cell names.
std::optional<TrustsqlDataset> named_dataset(ValueView value) {
  return value.type == ValueType::text ? find_dataset(value.bytes) : std::nullopt;
}

Error unknown_dataset(ValueView value) {
  return invalid_argument(
      (value.is_null() ? "dataset is NULL" : "dataset " + quote_for_message(format_value(value)) + " is unknown") +
      ": with semantics 'trustsql' it must be atis, advising, ehrsql or spider, or the option "
      "'dataset' must say by whose rules such rows are judged");
}

Error other_dataset(std::string_view column, TrustsqlDataset named, TrustsqlDataset used) {
  return invalid_argument("the row belongs to '" + std::string(dataset_name(named)) + "' by its column '" +
                          std::string(column) + "', but would be judged by the rules of '" +
                          std::string(dataset_name(used)) +
                          "'; with a column 'dataset', and without the option of that name, each row is judged by the "
                          "rules of its own data set");
}

class Reader {
 public:
  Reader(const OutcomeReaderOptions& options, const OutcomeReaderContext& context)
      : options_(options), context_(context) {}

  Result<OutcomeTable> read(RowSource source) {
    TRUSTSQL_ASSIGN_OR_RETURN(columns_, Columns::find(source, options_));
    OutcomeTable table(/*repeatable=*/!columns_.id);
    TRUSTSQL_RETURN_IF_ERROR(read_rows(std::move(source), table));
    TRUSTSQL_RETURN_IF_ERROR(judge());
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (auto& texts = pending_[i].texts; texts != nullptr && judges_pred()) {
        texts->gold = predictions_[i].gold;
        texts->prediction = predictions_[i].prediction;
      }
      TRUSTSQL_RETURN_IF_ERROR(at_row(i, add(table, pending_[i])));
    }
    return table;
  }

 private:
  static Status at_row(std::size_t index, Status status) {
    if (status.ok()) return status;
    return std::move(status).error().with_prefix("row " + std::to_string(index + 1));
  }

  // Consumes the source, so that its statement ends before queries are run. Rows with nothing to judge are added to the
  // table immediately.
  Status read_rows(RowSource source, OutcomeTable& table) {
    for (std::size_t i = 0;; ++i) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool more, source.next());
      if (!more) return ok_status();
      PendingRow row;
      TRUSTSQL_RETURN_IF_ERROR(at_row(i, read_row(source, row)));
      if (judges_pred() || judges_raw()) {
        pending_.push_back(std::move(row));
      } else {
        TRUSTSQL_RETURN_IF_ERROR(at_row(i, add(table, row)));
      }
    }
  }

  Status add(OutcomeTable& table, PendingRow& row) {
    TRUSTSQL_RETURN_IF_ERROR(table.add({.system = row.system,
                                        .question = row.question,
                                        .groups = row.groups,
                                        .cluster = row.cluster,
                                        .reliability_case = row.reliability_case,
                                        .parts = row.parts,
                                        .confidence = row.confidence,
                                        .error_kind = row.error_kind,
                                        .obstacle = row.obstacle}));
    if (row.texts != nullptr && row.reliability_case && is_harmful(*row.reliability_case)) {
      context_.wrong_answers->add(row.system, {table.rows().back().system, *row.reliability_case, std::move(*row.texts),
                                               std::move(row.failure), judges_pred()});
    }
    return ok_status();
  }

  // The value in a column that a row may lack.
  static std::optional<std::string> optional_text(const RowSource& source, const std::optional<int>& column) {
    if (!column || source.at(*column).is_null()) return std::nullopt;
    return format_value(source.at(*column));
  }

  // Keeps the texts of a row that is wrong, or that may turn out to be. The queries of a row that is judged here are
  // kept anyway.
  void keep_texts(const RowSource& source, PendingRow& row) const {
    if (context_.wrong_answers == nullptr || !context_.wrong_answers->wants(row.system)) return;
    if (!judges_pred() && !(row.reliability_case && is_harmful(*row.reliability_case))) return;
    row.texts = std::make_unique<AnswerTexts>();
    row.texts->id = optional_text(source, columns_.id);
    row.texts->question = optional_text(source, columns_.question);
    row.texts->error_kind = optional_text(source, columns_.error_kind);
    row.texts->database = optional_text(source, columns_.database);
    if (!row.texts->database) row.texts->database = options_.database;
    if (judges_pred()) return;
    row.texts->gold = optional_text(source, columns_.gold);
    row.texts->prediction = optional_text(source, columns_.pred);
  }

  std::string identity(const RowSource& source) const {
    if (columns_.id) return format_value(source.at(*columns_.id));
    std::string name = format_value(source.at(*columns_.question));
    if (columns_.database) name += part_separator + format_value(source.at(*columns_.database));
    return name;
  }

  Result<std::shared_ptr<SandboxSource>> database_of(const RowSource& source) {
    std::optional<std::string> path = options_.database;
    if (columns_.database) {
      const ValueView value = source.at(*columns_.database);
      if (value.type == ValueType::text) {
        path = std::string(value.bytes);
      } else if (!value.is_null()) {
        return invalid_argument("database must be a path or NULL, not " + type_and_value(value));
      }
    }
    auto& opened = databases_[path];
    if (opened == nullptr) {
      TRUSTSQL_ASSIGN_OR_RETURN(opened, context_.database.open(path, context_.settings, context_.scope));
    }
    return opened;
  }

  // With semantics trustsql: the data set whose rules apply to a row; nullopt: the row names one that is not known, or
  // none. Error: the row belongs to another data set than the one whose rules would apply.
  Result<std::optional<TrustsqlDataset>> dataset_of(const RowSource& source, const PendingRow& row) const {
    auto used = options_.dataset;
    if (columns_.dataset) {
      const auto own = named_dataset(source.at(*columns_.dataset));
      if (own && used && *own != *used) return other_dataset("dataset", *own, *used);
      if (own) used = own;
    } else if (!used) {
      used = ExecOptions{}.dataset;
    }
    for (std::size_t i = 0; used && i < row.groups.size(); ++i) {
      const auto grouped = named_dataset(view(row.groups[i]));
      if (grouped && *grouped != *used) return other_dataset(options_.by[i], *grouped, *used);
    }
    return used;
  }

  Result<BatchItem> item(const RowSource& source, const std::optional<std::string>& gold, int query_column,
                         std::string_view name, std::optional<TrustsqlDataset> dataset) {
    BatchItem item;
    item.dataset = dataset;
    item.gold = gold;
    TRUSTSQL_ASSIGN_OR_RETURN(item.prediction, source.text_at(query_column, name));
    if (item.gold && item.prediction) {
      if (by_dataset() && !item.dataset) return unknown_dataset(source.at(*columns_.dataset));
      TRUSTSQL_ASSIGN_OR_RETURN(item.source, database_of(source));
    }
    return item;
  }

  Status read_row(const RowSource& source, PendingRow& row) {
    if (columns_.system) {
      const ValueView system = source.at(*columns_.system);
      if (system.is_null()) return invalid_argument("system is NULL; each row must name its system");
      row.system = format_value(system);
    }
    if (const auto identifier = columns_.id ? columns_.id : columns_.question) {
      if (source.at(*identifier).is_null())
        return invalid_argument(std::string(columns_.id ? "id" : "question") + " is NULL; each row must have one");
      row.question = identity(source);
    }
    for (const int column : columns_.by) row.groups.push_back(to_value(source.at(column)));
    if (columns_.cluster) row.cluster = format_value(source.at(*columns_.cluster));
    if (columns_.error_kind && !source.at(*columns_.error_kind).is_null())
      row.error_kind = format_value(source.at(*columns_.error_kind));
    if (columns_.confidence) {
      TRUSTSQL_ASSIGN_OR_RETURN(row.confidence, confidence_of(source.at(*columns_.confidence)));
    }
    if (columns_.cls) {
      TRUSTSQL_ASSIGN_OR_RETURN(row.parts.cls_feasible, parse_cls_verdict(source.at(*columns_.cls)));
    }
    if (columns_.error) {
      TRUSTSQL_ASSIGN_OR_RETURN(row.parts.error_found, parse_error_verdict(source.at(*columns_.error)));
    }
    std::optional<std::string> gold;
    std::optional<TrustsqlDataset> dataset;
    if (judges_pred() || judges_raw()) {
      if (by_dataset()) {
        TRUSTSQL_ASSIGN_OR_RETURN(dataset, dataset_of(source, row));
      }
      TRUSTSQL_ASSIGN_OR_RETURN(gold, source.text_at(*columns_.gold, "gold"));
    }
    if (!judges_pred()) {
      TRUSTSQL_ASSIGN_OR_RETURN(row.reliability_case, case_of(source.at(*columns_.reliability_case), "case"));
    } else {
      TRUSTSQL_ASSIGN_OR_RETURN(auto prediction, item(source, gold, *columns_.pred, "pred", dataset));
      predictions_.push_back(std::move(prediction));
    }
    if (columns_.raw_case) {
      TRUSTSQL_ASSIGN_OR_RETURN(row.parts.raw, case_of(source.at(*columns_.raw_case), "raw_case"));
    } else if (columns_.raw) {
      TRUSTSQL_ASSIGN_OR_RETURN(auto raw, item(source, gold, *columns_.raw, "raw", dataset));
      if (raw.prediction) {
        generating_.insert(row.system);
        if (!row.parts.cls_feasible.value_or(true)) ignoring_cls_.insert(row.system);
      }
      raw_is_null_.push_back(!raw.prediction);
      raw_.push_back(std::move(raw));
    }
    keep_texts(source, row);
    return ok_status();
  }

  bool judges_pred() const { return !columns_.reliability_case; }
  bool by_dataset() const { return options_.exec.semantics == ExecSemantics::trustsql; }
  bool judges_raw() const { return columns_.raw && !columns_.raw_case; }

  Status judge() {
    BatchOptions batch;
    batch.exec = options_.exec;
    batch.on_gold_error = options_.on_gold_error;
    batch.threads = context_.threads;
    batch.max_steps = context_.settings.integer(Setting::match_max_steps);
    const auto interrupted = [&] { return context_.database.interrupted(); };
    if (!predictions_.empty()) {
      TRUSTSQL_ASSIGN_OR_RETURN(const auto scores, score_batch(predictions_, batch, context_.cache, interrupted));
      for (std::size_t i = 0; i < pending_.size(); ++i) {
        pending_[i].reliability_case = scores[i].reliability_case;
        if (pending_[i].texts != nullptr) pending_[i].failure = scores[i].error;
        pending_[i].obstacle = obstacle_of(predictions_[i], scores[i]);
      }
    }
    if (!raw_.empty()) {
      TRUSTSQL_ASSIGN_OR_RETURN(const auto scores, score_batch(raw_, batch, context_.cache, interrupted));
      for (std::size_t i = 0; i < pending_.size(); ++i)
        if (!raw_is_null_[i] || generation_failed(pending_[i])) pending_[i].parts.raw = scores[i].reliability_case;
    }
    return ok_status();
  }

  // What kept the prediction of `item` from being judged by what it means.
  Obstacle obstacle_of(const BatchItem& item, const ItemScore& score) const {
    if (!score.reliability_case || !score.error || !item.prediction) return Obstacle::none;
    if (score.error->code == ErrorCode::limit_exceeded) return Obstacle::limit;
    const bool fenced = !options_.exec.cleaning.fence && find_fenced_block(*item.prediction).has_value();
    return fenced ? Obstacle::fence : Obstacle::none;
  }

  // Whether a NULL in `raw` means that the generator was asked and gave no SQL. Precondition: all rows are read.
  bool generation_failed(const PendingRow& row) const {
    if (generating_.count(row.system) == 0) return false;
    if (row.parts.cls_feasible) return *row.parts.cls_feasible || ignoring_cls_.count(row.system) != 0;
    return row.reliability_case && !is_answered(*row.reliability_case);
  }

  const OutcomeReaderOptions& options_;
  const OutcomeReaderContext& context_;
  Columns columns_;
  std::vector<PendingRow> pending_;
  std::vector<BatchItem> predictions_;            // parallel to pending_, or empty
  std::vector<BatchItem> raw_;                    // likewise
  std::vector<bool> raw_is_null_;                 // likewise
  std::unordered_set<std::string> generating_;    // systems with SQL in `raw`
  std::unordered_set<std::string> ignoring_cls_;  // those of them with SQL for a question that CLS filtered out
  std::map<std::optional<std::string>, std::shared_ptr<SandboxSource>> databases_;
};

}  // namespace

Result<OutcomeTable> read_outcomes(RowSource source, const OutcomeReaderOptions& options,
                                   const OutcomeReaderContext& context) {
  return Reader(options, context).read(std::move(source));
}

Status expect_questions(RowSource source, OutcomeTable& table) {
  TRUSTSQL_ASSIGN_OR_RETURN(const int id, source.require("id"));
  while (true) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, source.next());
    if (!more) return ok_status();
    table.expect(format_value(source.at(id)));
  }
}

}  // namespace trustsql
