#include "ext/functions/sql/comparison.hpp"

#include "base/json_writer.hpp"

namespace trustsql::ext {

Result<equiv::QueryComparer*> comparer_of(Session& session, const SharedScope& scope, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, options));
  return comparer_of(session, *source);
}

Result<equiv::QueryComparer*> comparer_of(Session& session, SandboxSource& source) {
  return session.objects().shared<equiv::ComparerCache>().get(source, SandboxLimits::from(session.settings()));
}

std::string assumptions_json(const std::vector<plan::Assumption>& assumptions) {
  return std::move(JsonWriter().value(plan::descriptions(assumptions))).text();
}

std::string proof_json(const equiv::Proof& proof) {
  JsonWriter json;
  json.begin_array();
  for (const auto& step : proof.steps) {
    json.begin_object().key("step").value(step.what);
    if (!step.assumptions.empty()) json.key("assumes").value(plan::descriptions(step.assumptions));
    json.end_object();
  }
  return std::move(json.end_array()).text();
}

}  // namespace trustsql::ext
