#include "ext/options/link_options.hpp"

#include "base/text.hpp"
#include "db/sources/row_source.hpp"
#include "ext/services/llm_service.hpp"
#include "link/hallucination.hpp"

namespace trustsql::ext {

namespace {

// An answer, also if it is what schema_hallucinate() returns, a JSON array.
std::string answer_text(std::string answer) {
  if (!trim(answer).starts_with('[')) return answer;
  const auto relations = link::relations_from_json(answer);
  return relations ? join(*relations, ", ") : answer;
}

Result<std::vector<nl2sql::HallucinationExample>> read_examples(Session& session, const std::string& source) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto rows, RowSource::open(session.host(), source));
  TRUSTSQL_ASSIGN_OR_RETURN(const int question, rows.require("question"));
  TRUSTSQL_ASSIGN_OR_RETURN(const int answer, rows.require("answer"));
  std::vector<nl2sql::HallucinationExample> examples;
  for (;;) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool row, rows.next());
    if (!row) break;
    if (rows.at(question).is_null() || rows.at(answer).is_null()) {
      return invalid_argument("option 'examples': row " + std::to_string(examples.size() + 1) +
                              " has no question or no answer");
    }
    examples.push_back({format_value(rows.at(question)), answer_text(format_value(rows.at(answer)))});
    if (examples.size() > nl2sql::max_hallucination_examples) {
      return invalid_argument("option 'examples': more than " + std::to_string(nl2sql::max_hallucination_examples) +
                              " rows");
    }
  }
  if (examples.empty()) return invalid_argument("option 'examples': the source has no rows");
  return examples;
}

}  // namespace

Status apply_options(Session& session, const Options& options, nl2sql::HallucinationOptions& hallucination) {
  hallucination.kind = options.get(hallucination_kind_option);
  hallucination.order_seed = options.get(order_seed_option);
  hallucination.temperature = options.get(hallucination_temperature_option);
  if (const auto source = options.get(hallucination_examples_option)) {
    if (LlmService::of(session).has_chat()) TRUSTSQL_RETURN_IF_ERROR(LlmService::of(session).check_examples_may_go());
    TRUSTSQL_ASSIGN_OR_RETURN(hallucination.examples, read_examples(session, *source));
  }
  const auto shots = options.get(shots_option);
  const std::size_t available =
      hallucination.examples.empty() ? nl2sql::hallucination_examples : hallucination.examples.size();
  if (shots && *shots > available) {
    return invalid_argument("option 'shots' must be between 0 and " + std::to_string(available) +
                            ", the number of examples, not " + std::to_string(*shots));
  }
  if (shots) hallucination.shots = *shots;
  return ok_status();
}

Status check_link_options(const Options& options) {
  if (options.get(link_form_option) == link::LinkForm::paper && options.get(joint_evidence_option).value_or(false))
    return invalid_argument("option 'evidence' cannot be true in the paper's form, which has none");
  return ok_status();
}

link::LinkOptions link_options_of(const Options& options, std::size_t budget, bool by_model) {
  auto link = link::default_link_options(options.get(link_form_option));
  if (!by_model) link = link::without_model(link);
  link.budget = budget;
  link.method = options.get(link_method_option);
  link.candidates = options.get(candidates_option);
  link.entropy = options.get(entropy_option);
  link.coverage = options.get(coverage_option);
  link.edges = options.get(edges_option);
  link.context = options.get(context_option);
  link.take_turns = options.get(selection_option) == Selection::turns;
  link.lambda = options.get(lambda_option);
  link.gamma = options.get(gamma_option);
  if (const auto evidence = options.get(joint_evidence_option)) link.evidence = *evidence;
  if (const auto sharpness = options.get(sharpness_option)) link.sharpness = *sharpness;
  options.get_given(context_weight_option, link.context_weight);
  return link;
}

}  // namespace trustsql::ext
