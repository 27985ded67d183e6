#include "llm/endpoint_settings.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/json_release.hpp"
#include "base/text.hpp"

namespace trustsql::llm {

namespace {

using Json = nlohmann::json;

bool is_header_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}
// A line break would start another header.
bool is_header_value(std::string_view value) {
  return std::ranges::all_of(value,
                             [](char c) { return (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) || c == '\t'; });
}

// Whether every value of this header is a secret, even one as short as an ordinary word.
bool names_a_key(std::string_view name) {
  constexpr std::array<std::string_view, 5> words = {"auth", "key", "token", "secret", "cookie"};
  return std::ranges::any_of(words, [&](std::string_view word) { return contains_ignore_case(name, word); });
}

Status add_key(EndpointSettings& to, const std::string& key, std::string_view setting) {
  if (key.empty()) return ok_status();
  to.secrets.add(key);
  if (!is_header_value(key))
    return invalid_argument(std::string(setting) + " has control characters, which are not allowed in headers");
  to.headers.push_back((to.endpoint.key_in_api_key ? "api-key: " : "Authorization: Bearer ") + key);
  return ok_status();
}

Status add_headers(EndpointSettings& to, const std::string& text) {
  if (text.empty()) return ok_status();
  const auto wrong =
      invalid_argument("llm_headers must be a JSON object from header names to texts, such as {\"X-Team\":\"data\"}");
  Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const JsonRelease release(document);
  if (!document.is_object()) return wrong;
  for (const auto& item : document.items()) {
    const auto& name = item.key();
    const Json& value = item.value();
    if (!value.is_string()) return wrong;
    const auto& header = value.get_ref<const std::string&>();
    if (!is_header_name(name) || !is_header_value(header)) return wrong;
    if (equals_ignore_case(name, "content-type") || equals_ignore_case(name, "content-length") ||
        equals_ignore_case(name, "transfer-encoding") || equals_ignore_case(name, "host")) {
      return invalid_argument("llm_headers must not set " + name);
    }
    // "Bearer <key>": a server may repeat the key alone.
    const auto word = std::string_view(header).substr(header.rfind(' ') + 1);
    for (const auto part : {std::string_view(header), word})
      if (part.size() >= 8 || names_a_key(name)) to.secrets.add(part);
    // A header of the same name replaces a built-in one.
    std::erase_if(to.headers, [&](const std::string& ours) {
      return equals_ignore_case(std::string_view(ours).substr(0, ours.find(':')), name);
    });
    to.headers.push_back(header.empty() ? name + ";" : name + ": " + header);  // libcurl's notation for an empty value
  }
  return ok_status();
}

// Scheme, host and port of a URL; empty if it is invalid.
std::string origin_of(const std::string& url) {
  const auto endpoint = parse_endpoint(url, Service::chat);
  return endpoint.ok() ? endpoint->origin : std::string();
}

// The error for a key (or headers) that belongs to another server than `origin`. A URL's origin contains no secret,
// unlike the URL.
Error wrong_server_error(std::string_view key, const std::string& url, const std::string& origin) {
  const std::string name(key);
  const std::string set_again = "trustsql_config('" + name + "', ...)";
  const auto known_origin = origin_of(url);
  if (url.empty()) {
    return invalid_argument(
        name + " comes from the environment, which names no URL that it belongs to, so it is not sent to " + origin +
        "; " + set_again + " gives it to that server, '' gives none");
  }
  return invalid_argument(name + " was set for " + (known_origin.empty() ? "another URL" : known_origin) +
                          " and is not sent to " + origin + "; " + set_again +
                          " sets it for that server, '' sends none");
}

std::chrono::milliseconds milliseconds(const Settings& settings, Setting setting) {
  return std::chrono::milliseconds(settings.integer(setting));
}

}  // namespace

bool has_endpoint(const Settings& settings, Service service) {
  const bool has_llm = !settings.text(Setting::llm_url).empty();
  if (service == Service::chat) return has_llm;
  return !settings.text(Setting::embed_url).empty() || (has_llm && !settings.text(Setting::embed_model).empty());
}

Result<EndpointSettings> endpoint_settings(const Settings& settings, Service service,
                                           const std::optional<std::string>& openai_key) {
  const bool own_url = service == Service::embeddings && !settings.text(Setting::embed_url).empty();
  const std::string_view url_key = own_url ? "embed_url" : "llm_url";
  const auto& url = settings.text(own_url ? Setting::embed_url : Setting::llm_url);
  if (!has_endpoint(settings, service)) {
    return invalid_argument(service == Service::chat
                                ? "no language model is configured: set a server with trustsql_config('llm_url', ...), "
                                  "such as 'http://127.0.0.1:11434/v1'"
                                : "no server for embeddings is configured: set embed_url with "
                                  "trustsql_config('embed_url', ...), or embed_model in addition to llm_url");
  }
  EndpointSettings result;
  auto endpoint = parse_endpoint(url, service);
  if (!endpoint.ok()) return std::move(endpoint).error().with_prefix("setting '" + std::string(url_key) + "'");
  result.endpoint = std::move(endpoint).value();
  result.secrets.add_url(url);
  if (!result.endpoint.tls && !result.endpoint.loopback && settings.integer(Setting::llm_allow_http) == 0) {
    return invalid_argument(
        "setting '" + std::string(url_key) +
        "': http without TLS to another machine is not allowed; use https, or set llm_allow_http to 1");
  }

  // A key or header is sent only to the server that it was set for. If the embeddings have a separate server without a
  // key, the key of llm_url is used if it belongs to that server.
  const auto belongs = [&](Setting setting) { return origin_of(settings.url_of(setting)) == result.endpoint.origin; };
  const auto may_send = [&](Setting setting, std::string_view key) -> Result<bool> {
    if (settings.text(setting).empty()) return false;
    if (belongs(setting)) return true;
    if (own_url && setting != Setting::embed_api_key) return false;
    return wrong_server_error(key, settings.url_of(setting), result.endpoint.origin);
  };
  bool has_key = false;
  if (service == Service::embeddings) {
    TRUSTSQL_ASSIGN_OR_RETURN(has_key, may_send(Setting::embed_api_key, "embed_api_key"));
    if (has_key) TRUSTSQL_RETURN_IF_ERROR(add_key(result, settings.text(Setting::embed_api_key), "embed_api_key"));
  }
  if (!has_key) {
    TRUSTSQL_ASSIGN_OR_RETURN(has_key, may_send(Setting::llm_api_key, "llm_api_key"));
    if (has_key) TRUSTSQL_RETURN_IF_ERROR(add_key(result, settings.text(Setting::llm_api_key), "llm_api_key"));
  }
  if (!has_key && openai_key && result.endpoint.origin == "https://api.openai.com:443") {
    TRUSTSQL_RETURN_IF_ERROR(add_key(result, *openai_key, "OPENAI_API_KEY"));
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const bool has_headers, may_send(Setting::llm_headers, "llm_headers"));
  if (has_headers) TRUSTSQL_RETURN_IF_ERROR(add_headers(result, settings.text(Setting::llm_headers)));

  if (!result.endpoint.loopback) result.proxy = settings.text(Setting::llm_proxy);
  result.secrets.add_url(settings.text(Setting::llm_proxy));
  result.ca_file = settings.text(Setting::llm_ca_file);
  std::error_code ignored;  // a pipe or a device would be waited for
  if (result.endpoint.tls && !result.ca_file.empty() &&
      (!std::filesystem::is_regular_file(result.ca_file, ignored) || !std::ifstream(result.ca_file).good()))
    return io_error("the file of setting 'llm_ca_file' cannot be read: " + quote_for_message(result.ca_file));

  result.limits = {milliseconds(settings, Setting::llm_connect_timeout_ms),
                   milliseconds(settings, Setting::llm_timeout_ms),
                   milliseconds(settings, Setting::llm_stall_timeout_ms),
                   static_cast<std::size_t>(settings.integer(Setting::llm_max_response_bytes))};
  result.retry.retries = static_cast<int>(settings.integer(Setting::llm_retries));
  result.retry.longest_wait = milliseconds(settings, Setting::llm_retry_wait_ms);
  result.retry.first_wait = std::min(result.retry.first_wait, result.retry.longest_wait);
  return result;
}

}  // namespace trustsql::llm
