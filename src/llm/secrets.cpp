#include "llm/secrets.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace trustsql::llm {

namespace {

constexpr std::string_view mask = "********";
constexpr std::size_t shortest_real_secret = 8;

void replace_all(std::string& text, std::string_view secret) {
  for (auto position = text.find(secret); position != std::string::npos;
       position = text.find(secret, position + mask.size()))
    text.replace(position, secret.size(), mask);
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_unreserved(c)) {
      encoded += c;
    } else {
      encoded += {'%', hex[byte >> 4], hex[byte & 15]};
    }
  }
  return encoded;
}

// JSON escaping, including the solidus, which some encoders escape.
std::string json_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '/') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

void Secrets::add(std::string_view secret) {
  for (const auto& form : {std::string(secret), percent_encoded(secret), json_escaped(secret)}) {
    if (!form.empty() && std::ranges::find(secrets_, form) == secrets_.end()) secrets_.push_back(form);
  }
  std::ranges::stable_sort(secrets_, [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

void Secrets::add_url(std::string_view url) {
  const auto scheme_end = url.find("://");
  const auto without_scheme = scheme_end == std::string_view::npos ? url : url.substr(scheme_end + 3);
  const auto query_begin = without_scheme.find('?');
  if (query_begin != std::string_view::npos) {
    for (const auto parameter : split(without_scheme.substr(query_begin + 1), '&')) {
      const auto equals = parameter.find('=');
      if (!parameter.starts_with("api-version="))
        add(equals == std::string_view::npos ? parameter : parameter.substr(equals + 1));
    }
  }
  const auto authority = without_scheme.substr(0, without_scheme.find_first_of("/?"));
  if (const auto at_sign = authority.rfind('@'); at_sign != std::string_view::npos) {
    const auto user = authority.substr(0, at_sign);
    add(user);
    const auto colon = user.find(':');
    if (colon != std::string_view::npos) add(user.substr(colon + 1));
  }
}

std::string Secrets::scrub(std::string text) const {
  for (const auto& secret : secrets_) replace_all(text, secret);
  return text;
}

std::string Secrets::scrub_reply(std::string text) const {
  for (const auto& secret : secrets_)
    if (secret.size() >= shortest_real_secret) replace_all(text, secret);
  return text;
}

}  // namespace trustsql::llm
