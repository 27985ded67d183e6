#include "ext/functions/nl2sql/nl2sql_pipeline.hpp"

#include <charconv>

#include "base/text.hpp"
#include "ext/services/link_service.hpp"

namespace trustsql::ext {

namespace {

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The thresholds of EMBEDDED that settings ask for.
Status apply_settings(const Settings& settings, const Options& options, nl2sql::Method& method) {
  if (method.generator != nl2sql::GeneratorKind::embedded || method.score || options.get(threshold_option))
    return ok_status();
  const auto& risk = settings.text(Setting::nl2sql_risk);
  const auto& penalty = settings.text(Setting::nl2sql_penalty);
  if (risk.empty() && penalty.empty()) return ok_status();
  if (!risk.empty() && !penalty.empty())
    return invalid_argument("the settings nl2sql_risk and nl2sql_penalty exclude each other");
  const auto number = number_in(risk.empty() ? penalty : risk);
  if (!risk.empty()) {
    if (!number || !(*number > 0 && *number < 1))
      return invalid_argument("setting 'nl2sql_risk': must be a number between 0 and 1, not " +
                              quote_for_message(risk));
    method.risk = number;
  } else {
    auto parsed = parse_penalty(number ? ValueView::of_real(*number) : ValueView::of_text(penalty));
    if (!parsed.ok()) return std::move(parsed).error().with_prefix("setting 'nl2sql_penalty'");
    method.penalty = *parsed;
  }
  method.threshold.reset();
  return ok_status();
}

}  // namespace

Result<nl2sql::Method> method_of(const Session& session, const Options& options) {
  const auto named = options.get(method_option);
  auto method = nl2sql::parse_method(named ? *named : session.settings().text(Setting::nl2sql_method));
  if (!method.ok()) return std::move(method).error().with_prefix(named ? "option 'method'" : "setting 'nl2sql_method'");
  TRUSTSQL_RETURN_IF_ERROR(apply_options(options, *method));
  TRUSTSQL_RETURN_IF_ERROR(apply_settings(session.settings(), options, *method));
  return method;
}

Result<nl2sql::Method> answering_method_of(Session& session, const Options& options) {
  constexpr auto setting = static_cast<std::size_t>(Setting::nl2sql_method);
  const bool by_default =
      !options.get(method_option) && session.settings().source(setting) == Settings::Source::default_value;
  if (!by_default || LlmService::of(session).has_chat()) return method_of(session, options);
  TRUSTSQL_ASSIGN_OR_RETURN(auto method, nl2sql::parse_method("EMBEDDED"));
  TRUSTSQL_RETURN_IF_ERROR(apply_options(options, method));
  TRUSTSQL_RETURN_IF_ERROR(apply_settings(session.settings(), options, method));
  return method;
}

nl2sql::PipelineModels models_of(const QuestionCall& call) {
  return {.triage = call.model(Setting::llm_model_triage),
          .rewrite = call.model(Setting::llm_model_rewrite),
          .schema = call.model(Setting::llm_model_schema),
          .generate = call.model(Setting::llm_model_generate),
          .refine = call.model(Setting::llm_model_refine),
          .verify = call.model(Setting::llm_model_verify)};
}

Result<std::shared_ptr<const link::Corpus>> corpus_for(const nl2sql::Method& method, Session& session,
                                                       QuestionCall& call,
                                                       const std::shared_ptr<const Catalog>& catalog) {
  if (!method.link) return std::shared_ptr<const link::Corpus>();
  return LinkService::of(session).corpus(catalog, call.embedder(), call.llm().context());
}

Result<nl2sql::Attempt> ask_question(Session& session, const SharedScope& scope, std::string_view question,
                                     const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto method, answering_method_of(session, options));
  if (!method.answers()) {
    nl2sql::Attempt attempt;
    attempt.question = question;
    nl2sql::abstain_from(attempt);
    return attempt;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const auto call, QuestionCall::open(session, scope, options, false, method.asks_model()));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto corpus, corpus_for(method, session, *call, call->catalog()));
  auto context = call->context();
  context.corpus = corpus.get();
  auto attempt = call->attempt(question);
  TRUSTSQL_RETURN_IF_ERROR(nl2sql::Pipeline(method, models_of(*call)).run(attempt, context));
  return attempt;
}

}  // namespace trustsql::ext
