#include "nl2sql/training_source.hpp"

#include <cmath>
#include <functional>

#include "base/json_writer.hpp"
#include "base/text.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr std::size_t shown_unused = 20;
constexpr double strict_threshold = 10.0 / 11;  // above it an answer gains RS(10) on average
constexpr double even_threshold = 0.5;

double percent_of(double part, double whole) { return whole == 0 ? 0 : std::round(1000 * part / whole) / 10; }

// How a method would have answered the questions that were left out.
void write_method(JsonWriter& json, const char* name, const std::vector<semparse::LeftOutAnswer>& answers,
                  const std::function<bool(const semparse::LeftOutAnswer&)>& answers_it,
                  bool semparse::LeftOutAnswer::*right) {
  double feasible = 0;
  double answered = 0;
  double right_ones = 0;
  double leaked = 0;
  for (const auto& each : answers) {
    feasible += each.feasible ? 1 : 0;
    if (!answers_it(each)) continue;
    (each.feasible ? answered : leaked) += 1;
    right_ones += each.*right ? 1 : 0;
  }
  const auto all = static_cast<double>(answers.size());
  const double infeasible = all - feasible;
  const double gained = right_ones + infeasible - leaked - 10 * (answered - right_ones + leaked);
  json.key(name).begin_object();
  json.key("answered").value(percent_of(answered, feasible));
  json.key("right").value(answered == 0 ? 100.0 : percent_of(right_ones, answered));
  json.key("leaked").value(percent_of(leaked, infeasible));
  json.key("rs_10").value(percent_of(gained, all)).end_object();
}

}  // namespace

Result<std::vector<TrainingRow>> read_training_rows(RowSource source) {
  TRUSTSQL_ASSIGN_OR_RETURN(const int question_column, source.require("question"));
  TRUSTSQL_ASSIGN_OR_RETURN(const int sql_column, source.require("sql"));
  auto database_column = source.find("database");
  if (!database_column) database_column = source.find("db");
  const auto written_column = source.find("pred");
  std::vector<TrainingRow> rows;
  for (;;) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, source.next());
    if (!more) break;
    if (rows.size() == max_training_rows)
      return limit_exceeded("the source has more than " + std::to_string(max_training_rows) + " rows");
    const std::string place = "row " + std::to_string(rows.size() + 1);
    if (source.at(question_column).is_null()) return invalid_argument(place + " of the source has no question");
    const auto read_row = [&]() -> Result<TrainingRow> {
      TrainingRow row;
      TRUSTSQL_ASSIGN_OR_RETURN(auto question, source.text_at(question_column, "question"));
      row.question = *std::move(question);
      TRUSTSQL_ASSIGN_OR_RETURN(row.sql, source.text_at(sql_column, "sql"));
      TRUSTSQL_ASSIGN_OR_RETURN(row.database, source.text_at(database_column, "database"));
      TRUSTSQL_ASSIGN_OR_RETURN(row.written, source.text_at(written_column, "pred"));
      return row;
    };
    auto row = read_row();
    if (!row.ok()) return std::move(row).error().with_prefix(place);
    rows.push_back(*std::move(row));
  }
  if (rows.empty()) return invalid_argument("the source has no rows");
  return rows;
}

std::string training_report(const semparse::Adaptation& adaptation, const std::vector<TrainingRow>& rows,
                            const std::string& path, std::size_t bytes) {
  using Answer = semparse::LeftOutAnswer;
  JsonWriter json;
  json.begin_object().key("path").value(path).key("bytes").value(bytes);
  json.key("feasible").value(adaptation.feasible).key("infeasible").value(adaptation.infeasible);
  json.key("unused").value(adaptation.unused.size()).key("unused_rows").begin_array();
  for (std::size_t i = 0; i < adaptation.unused.size() && i < shown_unused; ++i) {
    const auto& unused = adaptation.unused[i];
    json.begin_object().key("row").value(unused.number + 1).key("question").value(rows[unused.number].question);
    json.key("reason").value(unused.reason).end_object();
  }
  json.end_array().key("folds").value(adaptation.folds);
  json.key("left_out").value(adaptation.by_database ? "databases" : "queries");
  json.key("adapted").begin_array();
  if (adaptation.adapted_choice) json.value("ranking");
  if (adaptation.adapted_confidence) json.value("confidence");
  json.end_array();
  double kept = 0;
  double stopped = 0;
  for (const auto& each : adaptation.left_out) {
    if (each.answerable >= even_threshold)
      kept += each.feasible ? 1 : 0;
    else
      stopped += each.feasible ? 0 : 1;
  }
  json.key("cls_m").begin_object();
  json.key("kept").value(percent_of(kept, static_cast<double>(adaptation.feasible)));
  json.key("stopped").value(percent_of(stopped, static_cast<double>(adaptation.infeasible))).end_object();
  json.key("methods").begin_object();
  const auto& answers = adaptation.left_out;
  const auto classified = [](const Answer& each) { return each.answerable >= even_threshold; };
  const auto detected = [](const Answer& each) { return each.detected && each.correct >= strict_threshold; };
  write_method(
      json, "EMBEDDED before training", answers,
      [](const Answer& each) { return each.confidence_before >= strict_threshold; }, &Answer::right_before);
  write_method(
      json, "EMBEDDED", answers, [](const Answer& each) { return each.confidence >= strict_threshold; },
      &Answer::right);
  const std::string system = adaptation.detects_written ? "pred" : "EMBEDDED";
  write_method(json, (system + "->ERROR_M").c_str(), answers, detected, &Answer::answer_right);
  write_method(
      json, ("CLS_M->" + system + "->ERROR_M").c_str(), answers,
      [&](const Answer& each) { return classified(each) && detected(each); }, &Answer::answer_right);
  json.end_object().end_object();
  return std::move(json).text();
}

}  // namespace trustsql::nl2sql
