#include "nl2sql/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "nl2sql/generators/generate.hpp"
#include "nl2sql/stages/classify.hpp"
#include "nl2sql/stages/decide.hpp"
#include "nl2sql/stages/detect.hpp"
#include "nl2sql/stages/examples_stage.hpp"
#include "nl2sql/stages/ground.hpp"
#include "nl2sql/stages/link_stage.hpp"
#include "nl2sql/stages/parse_stage.hpp"
#include "nl2sql/stages/refine.hpp"
#include "nl2sql/stages/rewrite.hpp"
#include "nl2sql/stages/second_reading.hpp"
#include "nl2sql/stages/triage.hpp"
#include "nl2sql/stages/verify.hpp"

namespace trustsql::nl2sql {

namespace {

bool uses(const Method& method, Signal signal) {
  return std::find(method.signals.begin(), method.signals.end(), signal) != method.signals.end();
}

SqlOptions sql_options(const Method& method, const ModelOptions& model) {
  return {.model = model,
          .samples = method.samples,
          .temperature = method.temperature,
          .rule = method.rule,
          .forbid = method.forbid,
          .asks_again = method.asks_again,
          .token_confidence = uses(method, Signal::max_entropy) || uses(method, Signal::max_probability)};
}

// The stages of EMBEDDED. With a detector, the parser answers whatever it reads, and the detector judges that.
void add_parser_stages(std::vector<std::shared_ptr<const Stage>>& stages, const Method& method) {
  const ParseStageOptions own{
      .threshold = method.threshold, .risk = method.risk, .penalty = method.penalty, .score = method.score};
  const ParseStageOptions everything{.threshold = 0, .score = method.score};
  stages.push_back(std::make_shared<ExamplesStage>(
      ExamplesStageOptions{.threshold = method.threshold.value_or(default_parse_threshold)},
      std::make_shared<ParseStage>(method.detect ? everything : own)));
  if (method.ground) stages.push_back(std::make_shared<GroundStage>());
  DecideOptions decide{.signals = method.signals, .threshold = method.threshold, .must_run = method.must_run};
  if (method.detect) {
    stages.push_back(std::make_shared<DetectStage>(
        DetectOptions{.threshold = method.threshold, .risk = method.risk, .penalty = method.penalty}));
    decide.signals = {Signal::verification};
  }
  stages.push_back(std::make_shared<DecideStage>(decide));
}

}  // namespace

RefineOptions refine_options(const Method& method, const PipelineModels& models) {
  return {.sql = sql_options(method, models.refine),
          .judge = models.refine,
          .rounds = method.rounds,
          .rows = static_cast<std::size_t>(method.result_rows)};
}

Pipeline::Pipeline(const Method& method, const PipelineModels& models) : method_(method) {
  if (!method.answers()) return;
  if (method.classify) stages_.push_back(std::make_shared<ClassifyStage>(ClassifyOptions{}));
  if (!method.asks_model()) {
    add_parser_stages(stages_, method);
    return;
  }
  if (method.triage)
    stages_.push_back(std::make_shared<TriageStage>(TriageOptions{.model = models.triage, .type = method.triage_type}));
  if (method.link)
    stages_.push_back(std::make_shared<LinkStage>(
        LinkStageOptions{.model = models.schema, .budget = static_cast<std::size_t>(method.link_budget)}));
  if (method.rewrite)
    stages_.push_back(std::make_shared<RewriteStage>(
        RewriteOptions{.model = models.rewrite, .rows = static_cast<std::size_t>(method.rewrite_rows)}));
  const std::shared_ptr<const Generator> generator = make_generator(method, models.generate);
  stages_.push_back(std::make_shared<PromptStage>(generator));
  stages_.push_back(std::make_shared<GenerateStage>(generator, sql_options(method, models.generate)));
  if (method.refine) stages_.push_back(std::make_shared<RefineStage>(refine_options(method, models)));
  if (method.second_reading)
    stages_.push_back(
        std::make_shared<SecondReadingStage>(SecondReadingOptions{.samples = method.samples, .rule = method.rule}));
  if (method.ground) stages_.push_back(std::make_shared<GroundStage>());
  if (method.verify) stages_.push_back(std::make_shared<VerifyStage>(VerifyOptions{.model = models.verify}));
  if (method.detect) stages_.push_back(std::make_shared<DetectStage>(DetectOptions{}));
  DecideOptions decide{
      .threshold = method.threshold, .must_run = method.must_run, .unknown_functions = method.unknown_functions};
  if (!method.signals.empty()) decide.signals = method.signals;
  stages_.push_back(std::make_shared<DecideStage>(decide));
}

Status Pipeline::run(Attempt& attempt, StageContext& context) const {
  if (!method_.answers()) {
    abstain_from(attempt);
    return ok_status();
  }
  context.dataset = method_.dataset;
  const auto begun = std::chrono::steady_clock::now();
  if (attempt.schema.columns.empty()) attempt.schema = SchemaSubset::all(context.catalog);
  for (const auto& stage : stages_) {
    if (attempt.abstained()) break;
    if (context.call.stop && context.call.stop()) return Error{ErrorCode::interrupted, "interrupted"};
    auto status = stage->run(attempt, context);
    if (!status.ok()) return std::move(status).error().with_prefix("stage " + std::string(stage->name()));
  }
  attempt.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
  if (attempt.abstained()) {
    if (attempt.suggestion.empty()) attempt.suggestion = suggestion_for(attempt.abstention);
    attempt.held_back = std::exchange(attempt.sql, std::nullopt);
    attempt.result.reset();
  }
  return ok_status();
}

void abstain_from(Attempt& attempt) {
  attempt.abstention = Abstention::infeasible;
  attempt.trace.push_back({.stage = "abstain",
                           .input = attempt.question,
                           .output = {},
                           .decision = "every question is treated as one that cannot be answered"});
}

std::string_view suggestion_for(Abstention reason) {
  switch (reason) {
    case Abstention::none:
    case Abstention::endpoint: return "";
    case Abstention::infeasible: return "ask for what the tables hold: schema_elements() lists it";
    case Abstention::no_sql: return "say which table or which values you mean";
    case Abstention::not_allowed: return "ask for something that can be read from the tables";
    case Abstention::query_failed: return "name the tables and columns that you mean";
    case Abstention::no_agreement: return "the question can be read in several ways: say more precisely what is wanted";
    case Abstention::error_detected: return "say more precisely what is wanted, or break the question up";
    case Abstention::not_understood: return "use the names of tables, columns and values: schema_elements() lists them";
    case Abstention::ambiguous: return "name the table as well";
    case Abstention::not_grounded:
      return "say what the answer shall contain, or use the names of the tables and columns";
    case Abstention::low_confidence: return "say more precisely what is wanted, or lower the threshold";
  }
  return "";
}

}  // namespace trustsql::nl2sql
