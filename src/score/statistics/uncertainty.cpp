#include "score/statistics/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/function_ref.hpp"
#include "base/json_release.hpp"
#include "base/text.hpp"

namespace trustsql {

namespace {

using Json = nlohmann::json;

// Endpoints round their numbers: a sum of probabilities may exceed 1, and a log-probability 0, by this much.
constexpr double tolerance = 1e-3;

struct TokenDistribution {
  std::vector<double> log_probabilities;  // of the known candidates
  bool chosen_only = false;               // only that of the chosen token is known
};

Error at_token(std::size_t index, std::string message) {
  return invalid_argument("token " + std::to_string(index + 1) + ": " + std::move(message));
}

Result<double> log_probability(const Json& json, std::size_t index) {
  if (!json.is_number())
    return at_token(index, std::string("a log-probability must be a number, not ") + json.type_name());
  const double value = json.get<double>();
  if (value > tolerance)
    return at_token(
        index, "a log-probability is at most 0, but this one is " + format_real(value) + "; are these probabilities?");
  return std::min(value, 0.0);
}

Result<TokenDistribution> read_candidates(const Json& list, std::size_t index) {
  TokenDistribution token;
  for (const auto& candidate : list) {
    TRUSTSQL_ASSIGN_OR_RETURN(const double value, log_probability(candidate, index));
    token.log_probabilities.push_back(value);
  }
  if (token.log_probabilities.empty()) return at_token(index, "it has no log-probabilities");
  return token;
}

Result<TokenDistribution> read_token(const Json& json, std::size_t index) {
  TokenDistribution token;
  const auto chosen = json.find("logprob");
  const auto top = json.find("top_logprobs");
  const bool has_top = top != json.end() && !top->is_null();
  if (chosen == json.end() && !has_top) return at_token(index, "it has neither 'logprob' nor 'top_logprobs'");
  bool chosen_is_listed = false;
  if (has_top) {
    if (!top->is_array())
      return at_token(index, std::string("'top_logprobs' must be an array, not ") + top->type_name());
    const auto name = json.find("token");
    for (const auto& candidate : *top) {
      if (!candidate.is_object() || !candidate.contains("logprob"))
        return at_token(index, "an entry of 'top_logprobs' has no 'logprob'");
      TRUSTSQL_ASSIGN_OR_RETURN(const double value, log_probability(candidate["logprob"], index));
      token.log_probabilities.push_back(value);
      const auto candidate_name = candidate.find("token");
      chosen_is_listed =
          chosen_is_listed || name == json.end() || (candidate_name != candidate.end() && *candidate_name == *name);
    }
  }
  token.chosen_only = token.log_probabilities.empty();
  if (chosen != json.end() && !chosen_is_listed) {
    TRUSTSQL_ASSIGN_OR_RETURN(const double value, log_probability(*chosen, index));
    token.log_probabilities.push_back(value);
  }
  if (token.log_probabilities.empty()) return at_token(index, "it has no log-probabilities");
  return token;
}

Result<TokenDistribution> read_element(const Json& json, std::size_t index) {
  if (json.is_object()) return read_token(json, index);
  if (json.is_array()) return read_candidates(json, index);
  TRUSTSQL_ASSIGN_OR_RETURN(const double value, log_probability(json, index));
  return TokenDistribution{{value}, true};
}

// Calls visit(token, index) for each token while the text is parsed, so that a long list is never in memory as a whole;
// destroying such a JSON document would need as much memory again.
Status for_each_token(std::string_view text, FunctionRef<Status(const TokenDistribution&, std::size_t)> visit) {
  using Event = Json::parse_event_t;
  Status visited = ok_status();
  std::size_t count = 0;
  int depth_of_elements = -1;  // inside the list; -1 outside
  bool in_content = false;
  const auto on_event = [&](int depth, Event event, Json& parsed) {
    if (event == Event::key && depth == 1) in_content = parsed == "content";
    if (event == Event::array_start && depth_of_elements < 0 && (depth == 0 || (depth == 1 && in_content))) {
      depth_of_elements = depth + 1;
      return true;
    }
    if (event == Event::array_end && depth + 1 == depth_of_elements) depth_of_elements = -1;
    const bool ends = event == Event::value || event == Event::array_end || event == Event::object_end;
    if (!ends || depth != depth_of_elements) return true;
    const JsonRelease release(parsed);
    if (visited.ok()) {
      auto token = read_element(parsed, count);
      visited = token.ok() ? visit(*token, count) : Status(std::move(token).error());
    }
    ++count;
    return false;  // discards the element
  };
  Json document = Json::parse(text, on_event, /*allow_exceptions=*/false);
  const JsonRelease release(document);
  if (document.is_discarded())
    return invalid_argument("the log-probabilities are not valid JSON: " + quote_for_message(text, 60));
  const Json* list = &document;
  if (document.is_object()) {
    const auto content = document.find("content");
    if (content == document.end())
      return invalid_argument("the JSON object has no 'content'; expected what an endpoint returns as 'logprobs'");
    list = &*content;
  }
  if (!list->is_array())
    return invalid_argument(std::string("the log-probabilities must be a JSON array of tokens, not ") +
                            list->type_name());
  return visited;
}

Result<double> entropy(const TokenDistribution& token, std::size_t index) {
  if (token.chosen_only) {
    return at_token(index,
                    "only the chosen token's log-probability is known; an entropy needs the candidates' (ask the "
                    "endpoint for top_logprobs)");
  }
  double sum = 0;
  double nats = 0;
  for (const double log_p : token.log_probabilities) {
    const double p = std::exp(log_p);
    sum += p;
    if (p > 0) nats -= p * log_p;
  }
  if (sum > 1 + tolerance) return at_token(index, "the probabilities add up to " + format_real(sum) + ", more than 1");
  const double unlisted = 1 - sum;
  if (unlisted > 0) nats -= unlisted * std::log(unlisted);
  return nats;
}

}  // namespace

Result<std::optional<double>> max_entropy(std::string_view json) {
  std::optional<double> largest;
  TRUSTSQL_RETURN_IF_ERROR(for_each_token(json, [&](const TokenDistribution& token, std::size_t index) -> Status {
    TRUSTSQL_ASSIGN_OR_RETURN(const double nats, entropy(token, index));
    largest = std::max(largest.value_or(nats), nats);
    return ok_status();
  }));
  return largest;
}

Result<std::optional<double>> max_probability(std::string_view json) {
  std::optional<double> smallest;
  TRUSTSQL_RETURN_IF_ERROR(for_each_token(json, [&](const TokenDistribution& token, std::size_t index) -> Status {
    if (!token.chosen_only) TRUSTSQL_RETURN_IF_ERROR(entropy(token, index));  // the same checks
    const double highest = std::exp(*std::max_element(token.log_probabilities.begin(), token.log_probabilities.end()));
    smallest = std::min(smallest.value_or(highest), highest);
    return ok_status();
  }));
  return smallest;
}

}  // namespace trustsql
