#include "llm/endpoint.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text.hpp"

namespace trustsql::llm {

namespace {

constexpr std::string_view chat_path = "/chat/completions";
constexpr std::string_view embeddings_path = "/embeddings";

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// Only characters that RFC 3986 allows in paths and queries, so that libcurl parses the URL in the same way as this
// code.
bool is_url_character(char c) {
  return is_alphanumeric(c) || std::string_view("-._~!$&'()*+,;=:@/%").find(c) != std::string_view::npos;
}
bool is_path(std::string_view text) { return std::ranges::all_of(text, is_url_character); }
bool is_query(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_url_character(c) || c == '?'; });
}

std::optional<int> to_port(std::string_view digits) {
  int port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size() || port < 1 || port > 65535) return std::nullopt;
  return port;
}

// 127.0.0.0/8 in its usual form. Other forms (127.1, 0x7f000001) do not count, even if a resolver accepts them.
bool is_loopback_address(std::string_view host) {
  const auto parts = split(host, '.');
  if (parts.size() != 4 || parts.front() != "127") return false;
  return std::ranges::all_of(parts, [](std::string_view part) {
    int number = -1;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    return error == std::errc() && end == part.data() + part.size() && part.size() <= 3 && number >= 0 && number <= 255;
  });
}

bool is_azure(std::string_view host, std::string_view path) {
  constexpr std::array<std::string_view, 3> domains = {".openai.azure.com", ".cognitiveservices.azure.com",
                                                       ".services.ai.azure.com"};
  return std::ranges::any_of(domains, [&](std::string_view domain) { return host.ends_with(domain); }) ||
         path.find("/openai/deployments/") != std::string_view::npos;
}

struct Authority {
  std::string host;  // as written in the URL, in lower case
  int port = 0;
};

std::optional<Authority> parse_authority(std::string_view text, int default_port) {
  Authority authority{{}, default_port};
  std::string_view port;
  bool has_port = false;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos || end < 3) return std::nullopt;
    const auto address = text.substr(1, end - 1);
    if (!std::ranges::all_of(address, [](char c) {
          return std::string_view("0123456789abcdefABCDEF:.").find(c) != std::string_view::npos;
        }))
      return std::nullopt;
    authority.host = to_lower_ascii(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
    if (!text.empty() && text.front() != ':') return std::nullopt;
    has_port = !text.empty();
    port = text.substr(has_port ? 1 : 0);
  } else {
    const auto colon = text.find(':');
    has_port = colon != std::string_view::npos;
    const auto name = text.substr(0, colon);
    if (name.empty() ||
        !std::ranges::all_of(name, [](char c) { return is_alphanumeric(c) || c == '-' || c == '.' || c == '_'; }))
      return std::nullopt;
    authority.host = to_lower_ascii(name);
    if (has_port) port = text.substr(colon + 1);
  }
  if (has_port) {
    const auto number = to_port(port);
    if (!number) return std::nullopt;
    authority.port = *number;
  }
  return authority;
}

// The common prefix of the paths of a server's services.
std::string service_root(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  for (const auto service : {chat_path, embeddings_path}) {
    if (path.ends_with(service)) return std::string(path.substr(0, path.size() - service.size()));
  }
  return path.empty() ? "/v1" : std::string(path);
}

}  // namespace

Result<Endpoint> parse_endpoint(std::string_view text, Service service) {
  text = trim(text);
  Endpoint endpoint;
  const auto scheme_end = text.find("://");
  const std::string scheme = to_lower_ascii(text.substr(0, scheme_end == std::string_view::npos ? 0 : scheme_end));
  if (scheme != "http" && scheme != "https") return invalid_argument("the URL must begin with https:// or http://");
  endpoint.tls = scheme == "https";
  text.remove_prefix(scheme_end + 3);
  if (text.find('#') != std::string_view::npos) return invalid_argument("the URL must not have a fragment ('#')");

  const auto question_mark = text.find('?');
  if (question_mark != std::string_view::npos) endpoint.query = text.substr(question_mark + 1);
  text = text.substr(0, question_mark);
  const auto slash = text.find('/');
  const auto authority_text = text.substr(0, slash);
  const auto path = slash == std::string_view::npos ? std::string_view() : text.substr(slash);
  if (authority_text.find('@') != std::string_view::npos)
    return invalid_argument("the URL must not have a user name or password; a key has its own setting");
  const auto authority = parse_authority(authority_text, endpoint.tls ? 443 : 80);
  if (!authority) return invalid_argument("the URL has no valid host and port");
  if (!is_path(path) || !is_query(endpoint.query))
    return invalid_argument("the URL has characters that must be written as %XX");

  endpoint.host =
      authority->host.starts_with('[') ? authority->host.substr(1, authority->host.size() - 2) : authority->host;
  endpoint.origin = scheme + "://" + authority->host + ":" + std::to_string(authority->port);
  endpoint.loopback = endpoint.host == "localhost" || endpoint.host == "::1" || is_loopback_address(endpoint.host);
  endpoint.key_in_api_key = is_azure(endpoint.host, path);
  const std::string root = service_root(path);
  if (root.find("/openai/deployments/") != std::string::npos && !endpoint.query.starts_with("api-version=") &&
      endpoint.query.find("&api-version=") == std::string::npos) {
    return invalid_argument("the URL of an Azure deployment must end with ?api-version= and a version");
  }
  const bool default_port = authority->port == (endpoint.tls ? 443 : 80);
  endpoint.public_url = scheme + "://" + authority->host + (default_port ? "" : ":" + std::to_string(authority->port)) +
                        root + std::string(service == Service::chat ? chat_path : embeddings_path);
  endpoint.url = endpoint.public_url + (endpoint.query.empty() ? "" : "?" + endpoint.query);
  return endpoint;
}

}  // namespace trustsql::llm
