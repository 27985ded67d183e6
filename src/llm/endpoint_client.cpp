#include "llm/endpoint_client.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "base/json_release.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "llm/json_text.hpp"

namespace trustsql::llm {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

constexpr std::size_t longest_server_message = 500;

bool is_transient(long status) { return status == 408 || status == 429 || status >= 500; }

// Only waiting times depend on it.
double chance() {
  static const std::uint64_t seed = std::random_device{}();
  static std::atomic<std::uint64_t> calls = 0;
  return Random(seed, calls++).uniform();
}

std::string text_of(const Json& object, const char* key) {
  const auto value = object.find(key);
  return value != object.end() && value->is_string() ? value->get<std::string>() : std::string();
}

// Extracts a server's error message: {"error":{"message":..., "param":...}} from OpenAI, {"error":"..."} from Ollama,
// {"message":...} or {"detail":...} from others, or any text.
void read_error(ServerAnswer& answer) {
  std::string scratch;
  const auto text = parsable_json(answer.body, scratch);
  Json json = text.ok() ? Json::parse(*text, nullptr, /*allow_exceptions=*/false) : Json();
  const JsonRelease release(json);
  if (!json.is_object()) {
    answer.message = trim(answer.body);
    return;
  }
  const auto error = json.find("error");
  if (error != json.end() && error->is_object()) {
    answer.message = text_of(*error, "message");
    answer.field = text_of(*error, "param");
  } else if (error != json.end() && error->is_string()) {
    answer.message = error->get<std::string>();
  }
  for (const char* key : {"message", "detail", "error_description"})
    if (answer.message.empty()) answer.message = text_of(json, key);
  if (answer.message.empty()) answer.message = trim(answer.body);
}

}  // namespace

std::chrono::milliseconds backoff(const RetryLimits& limits, int attempt, double chance) {
  const double full = static_cast<double>(limits.first_wait.count()) * std::pow(2.0, attempt - 1);
  const double bounded = std::min(full, static_cast<double>(limits.longest_wait.count()));
  return std::chrono::milliseconds(static_cast<std::int64_t>(bounded * (0.5 + 0.5 * chance)));
}

EndpointClient::EndpointClient(EndpointSettings settings, std::shared_ptr<HttpTransport> transport)
    : settings_(std::move(settings)), transport_(std::move(transport)) {}

std::string EndpointClient::describe(long status, const std::string& message) const {
  std::string text = settings_.endpoint.public_url + " answered " + std::to_string(status);
  if (!message.empty()) text += ": " + quote_for_message(settings_.secrets.scrub(message), longest_server_message);
  return text;
}

Error EndpointClient::refusal(const ServerAnswer& answer) const {
  return invalid_argument(describe(answer.status, answer.message));
}

// Waits in the caller's thread, which also checks whether it should stop.
Status EndpointClient::sleep(std::chrono::milliseconds duration, const RequestContext& context) const {
  constexpr auto interval = std::chrono::milliseconds(50);
  const auto end = Clock::now() + duration;
  for (auto now = Clock::now(); now < end; now = Clock::now()) {
    if (context.stop && context.stop()) return Error{ErrorCode::interrupted, "interrupted"};
    std::this_thread::sleep_for(std::min<Clock::duration>(interval, end - now));
  }
  return ok_status();
}

Result<ServerAnswer> EndpointClient::post(const std::string& body, FunctionRef<Status(const std::string&)> read,
                                          const RequestContext& context, Usage& usage) {
  const HttpRequest request = {settings_.endpoint.url, settings_.headers, body,
                               settings_.proxy,        settings_.ca_file, settings_.limits};
  const auto& limits = settings_.retry;
  for (int attempt = 1;; ++attempt) {
    for (Budget* budget : {context.call_budget, context.connection_budget})
      if (budget != nullptr) TRUSTSQL_RETURN_IF_ERROR(budget->take_request());
    ++usage.requests;
    const auto begin = Clock::now();
    HttpFailure failure;
    auto response = transport_->post(request, context.stop, failure);
    usage.waited_ms += std::chrono::duration<double, std::milli>(Clock::now() - begin).count();

    std::optional<std::chrono::seconds> retry_after;
    if (response) {
      has_answered_ = true;
      ServerAnswer answer{response->status, std::move(response->body), {}, {}};
      if (answer.ok()) {
        Status understood = read(answer.body);
        if (understood.ok()) return answer;
        if (understood.error().code != ErrorCode::io) return understood.error();
        failure = {
            true, io_error(settings_.endpoint.public_url + ": " + settings_.secrets.scrub(understood.error().message))};
      } else if (answer.status < 400) {
        // The full target is not shown: it may contain the key.
        const auto target = parse_endpoint(response->redirect_url, Service::chat);
        return io_error(describe(answer.status, "") + ", a redirect" + (target.ok() ? " to " + target->origin : "") +
                        ", which is not followed");
      } else {
        read_error(answer);
        if (!is_transient(answer.status)) return answer;
        retry_after = response->retry_after;
        failure = {true, io_error(describe(answer.status, answer.message))};
      }
    } else {
      if (failure.error.code == ErrorCode::interrupted) return failure.error;
      if (failure.is_refusal && !has_answered_)
        return io_error(settings_.endpoint.public_url + ": the connection is refused: is the " +
                        (settings_.proxy.empty() ? "server running, and is the URL right?"
                                                 : "proxy running, and is the setting llm_proxy right?"));
      failure.error.message = settings_.secrets.scrub(settings_.endpoint.public_url + ": " + failure.error.message);
    }
    if (!failure.is_transient) return failure.error;
    const std::string attempts = attempt == 1 ? "" : " (after " + std::to_string(attempt) + " attempts)";
    if (attempt > limits.retries) return Error{failure.error.code, failure.error.message + attempts};
    auto wait = backoff(limits, attempt, chance());
    if (retry_after) {
      if (*retry_after > limits.longest_wait) {
        failure.error.message +=
            "; it asks to wait " + std::to_string(retry_after->count()) + " s, more than llm_retry_wait_ms allows";
        return failure.error;
      }
      wait = std::max<std::chrono::milliseconds>(wait, *retry_after);
    }
    TRUSTSQL_RETURN_IF_ERROR(sleep(wait, context));
  }
}

}  // namespace trustsql::llm
