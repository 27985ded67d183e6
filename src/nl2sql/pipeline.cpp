#include "nl2sql/pipeline.hpp"

#include "nl2sql/decide.hpp"
#include "nl2sql/generate.hpp"
#include "nl2sql/refine.hpp"
#include "nl2sql/rewrite.hpp"
#include "nl2sql/triage.hpp"
#include "nl2sql/verify.hpp"

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

}  // namespace

Pipeline::Pipeline(const Method& method, const PipelineModels& models) : method_(method) {
  const auto add = [&](auto stage) { stages_.push_back(std::move(stage)); };
  if (!method.asks_model()) {
    add(std::make_shared<AbstainAllStage>());
    return;
  }
}

}  // namespace trustsql::nl2sql
