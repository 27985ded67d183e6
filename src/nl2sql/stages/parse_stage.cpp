#include "nl2sql/stages/parse_stage.hpp"

#include <algorithm>
#include <cstdio>

#include "base/text.hpp"
#include "nl2sql/stages/parsing.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

namespace {

std::string percent(double probability) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f%%", 100 * probability);
  return text;
}

std::string links_text(const semparse::Parse& parse) {
  auto text = parse.restated.empty() ? std::string() : "read as: " + parse.restated;
  if (!parse.reworded.empty()) text += (text.empty() ? "" : "\n") + ("in other words: " + parse.reworded);
  for (const auto& link : parse.links) text += (text.empty() ? "" : "\n") + link.words + ": " + link.meaning;
  return text;
}

std::string readings_text(const semparse::Parse& parse) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t i = 0; i < parse.readings.size() && i < shown; ++i)
    text += (text.empty() ? "" : "\n") + percent(static_cast<double>(parse.readings[i].probability)) + "  " +
            parse.readings[i].sql;
  return text;
}

std::string words_text(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + quote_for_message(word, 60);
  return text;
}

// Whether the words of the question alone say that no query answers it.
bool wants_no_data(const semparse::Triage& triage) {
  using semparse::Feasibility;
  return triage.type == Feasibility::non_sql || triage.type == Feasibility::ext_know ||
         triage.type == Feasibility::small_talk;
}

// What the first reading does not explain; empty if it explains all. That no column holds a quotation is a reason by
// itself.
std::string unexplained_text(const semparse::Parse& parse) {
  if (!parse.impossible_date.empty()) return quote_for_message(parse.impossible_date, 60) + " is no date";
  if (!parse.missing_quotations.empty())
    return semparse::unknown_text(parse.missing_quotations, parse.corrections, "no column holds");
  if (!parse.unknown.empty()) return semparse::unknown_text(parse.unknown, parse.corrections);
  if (!parse.objections.lost_word.empty())
    return "the likeliest reading leaves out " + words_text({parse.objections.lost_word});
  if (!parse.objections.unclear_columns.empty())
    return "the question does not say whether it means " + parse.objections.unclear_columns;
  if (!parse.objections.unclear_person.empty())
    return "several people are called " + quote_for_message(parse.objections.unclear_person, 60);
  if (!parse.objections.unclear_denial.empty())
    return parse.objections.unclear_denial +
           " is not known of some rows, and the question does not say whether it means them";
  if (!parse.objections.shared_names.empty())
    return "several rows have the same " + parse.objections.shared_names +
           ", which the likeliest reading takes for one";
  if (!parse.objections.mixed_amounts.empty())
    return "the values of " + parse.objections.mixed_amounts +
           " are texts, or amounts in other units than the question's";
  if (!parse.objections.unsorted_dates.empty())
    return "the dates of " + parse.objections.unsorted_dates + " are written so that they do not sort by time";
  if (!parse.objections.far_word.empty())
    return "the likeliest reading takes " + quote_for_message(parse.objections.far_word, 60) + " for " +
           quote_for_message(parse.objections.far_name, 60);
  return parse.left_out.empty() ? "" : "the likeliest reading leaves out " + words_text(parse.left_out);
}

// What the question may mean, for a user who can say it more precisely then.
std::string doubt_text(const semparse::Parse& parse, double confidence) {
  constexpr std::size_t max_bytes = 200;  // of a reading
  auto text =
      "the likeliest reading is " + quote_for_message(parse.reading, max_bytes) + ", " + percent(confidence) + " sure";
  if (!parse.rival.empty()) text += "; another is " + quote_for_message(parse.rival, max_bytes);
  return text;
}

// Why there is no answer, and what the user could do. `confidence`: of the first reading.
void abstain(const semparse::Parse& parse, double confidence, Attempt& attempt) {
  auto corrected = semparse::suggestion_for(parse.missing_quotations.empty() ? parse.unknown : parse.missing_quotations,
                                            parse.corrections);
  attempt.suggestion = parse.triage.suggestion;
  if (wants_no_data(parse.triage)) {
    attempt.abstention = Abstention::infeasible;
    attempt.infeasible_type = semparse::feasibility_name(parse.triage.type);
    attempt.detail = parse.triage.detail;
  } else if (parse.readings.empty() && corrected.empty()) {
    attempt.abstention = Abstention::not_understood;
    attempt.detail = "nothing in the question names something in this database";
    attempt.suggestion = "ask in English for what the tables hold: schema_elements() lists it";
  } else if (auto unexplained = unexplained_text(parse); !unexplained.empty()) {
    attempt.abstention = Abstention::not_understood;
    attempt.detail = std::move(unexplained);
    if (!corrected.empty()) attempt.suggestion = std::move(corrected);
    if (!parse.impossible_date.empty()) attempt.suggestion = "ask for a date that the calendar has";
  } else if (!parse.ambiguous_words.empty()) {
    attempt.abstention = Abstention::ambiguous;
    attempt.detail = quote_for_message(parse.ambiguous_words, 60) + " could be " + parse.ambiguous_names;
  } else {
    attempt.abstention = Abstention::low_confidence;
    attempt.detail = doubt_text(parse, confidence);
  }
}

// How sure the first reading is, and from where on it is answered.
struct Standing {
  double confidence = 0;
  std::optional<double> threshold{};  // none: nothing is answered
};

Result<Standing> standing_of(const semparse::Parse& parse, const semparse::ParserModel& model,
                             const ParseStageOptions& options) {
  Standing standing{parse.confidence, options.threshold};
  if (options.score) {
    const auto* fits = model.unified ? &*model.unified : nullptr;
    if (fits == nullptr && !options.threshold)
      return invalid_argument("the embedded parser's model was trained without thresholds for " +
                              std::string(semparse::unified_name(*options.score)) + "; option 'threshold' gives one");
    TRUSTSQL_ASSIGN_OR_RETURN(const auto score, semparse::unified_confidence(*options.score, parse.unified, fits));
    standing.confidence = score ? semparse::unified_share(*options.score, *score) : 0;
    if (options.threshold) return standing;
    if (const auto own = fits->thresholds[static_cast<std::size_t>(*options.score)])
      standing.threshold = semparse::unified_share(*options.score, *own);
    return standing;
  }
  if (options.threshold) return standing;
  if (!options.risk && !options.penalty) {
    standing.threshold = 0;
    return standing;
  }
  if (!model.calibration)
    return invalid_argument("the embedded parser's model was trained without a calibration, which the settings " +
                            std::string("nl2sql_risk and nl2sql_penalty need"));
  standing.threshold = options.risk ? model.calibration->risk_threshold(*options.risk)
                                    : model.calibration->penalty_threshold(*options.penalty);
  return standing;
}

}  // namespace

Status ParseStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep linking(attempt, context, "link");
  linking.set_input(attempt.question);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto parsed, parse_question(attempt.question, context));
  const auto& parse = parsed->parse;
  const auto unexplained = unexplained_text(parse);
  linking.finish(links_text(parse), unexplained.empty() ? "every word has a place" : unexplained);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto model, model_of(context));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto standing, standing_of(parse, *model, options_));
  TracedStep step(attempt, context, name());
  step.set_input(attempt.question);
  if (!parse.readings.empty()) {
    attempt.sql = parse.readings.front().sql;
    attempt.signals.reading = standing.confidence;
    attempt.confidence = standing.confidence;
    attempt.reading = parse.reading;
  }
  std::string decision = "the first reading, " + percent(standing.confidence) + " sure";
  if (parse.readings.empty() || !standing.threshold || standing.confidence < *standing.threshold ||
      !parse.impossible_date.empty() || !parse.objections.none() || wants_no_data(parse.triage)) {
    abstain(parse, standing.confidence, attempt);
    const bool only_doubts = attempt.abstention == Abstention::low_confidence;
    decision = "abstains: " + (only_doubts ? "" : attempt.detail + "; ") + percent(standing.confidence) +
               " sure, and " +
               (standing.threshold ? "the threshold is " + percent(*standing.threshold)
                                   : std::string("no threshold is safe enough"));
  }
  if (!parse.reading.empty()) decision += ": " + parse.reading;
  step.finish(readings_text(parse), std::move(decision), standing.confidence);
  return ok_status();
}

}  // namespace trustsql::nl2sql
