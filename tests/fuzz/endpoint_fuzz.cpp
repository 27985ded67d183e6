// What a server may send, and what a user may write as its address: any bytes are an error with a printable message, or
// an answer that keeps what it promises; a secret in them comes out of neither.

#include <cstdint>

#include "base/text.hpp"
#include "fuzz/check.hpp"
#include "llm/chat_codec.hpp"
#include "llm/embedding_codec.hpp"
#include "llm/endpoint.hpp"

namespace {

using namespace trustsql::llm;

constexpr std::string_view secret = "sk-fuzz-secret";

void check_error(const trustsql::Error& error) {
  FUZZ_CHECK(!error.message.empty() && error.message.size() < 2000);
  FUZZ_CHECK(trustsql::is_valid_utf8(error.message));
  FUZZ_CHECK(error.message.find(secret) == std::string::npos);
}

void check_chat(std::string_view body, const Secrets& secrets) {
  const auto reply = decode_chat(body, secrets);
  if (!reply.ok()) return check_error(reply.error());
  FUZZ_CHECK(!reply->choices.empty());
  for (const auto& choice : reply->choices) {
    FUZZ_CHECK(trustsql::is_valid_utf8(choice.text));
    FUZZ_CHECK(choice.text.find(secret) == std::string::npos);
    for (const auto& token : choice.logprobs) FUZZ_CHECK(token.logprob <= 0);
  }
  const auto kept = encode_reply(*reply);
  const auto again = decode_chat(kept, secrets);
  FUZZ_CHECK(again.ok());
  FUZZ_CHECK(encode_reply(*again) == kept);
}

void check_embeddings(std::string_view body, const Secrets& secrets) {
  const auto reply = decode_embeddings(body, 2, secrets);
  if (!reply.ok()) return check_error(reply.error());
  FUZZ_CHECK(reply->vectors.size() == 2 && !reply->vectors[0].empty() &&
             reply->vectors[0].size() == reply->vectors[1].size());
}

void check_url(std::string_view text) {
  const auto endpoint = parse_endpoint(text, Service::chat);
  if (!endpoint.ok()) return check_error(endpoint.error());
  // The encoded form is read back the same.
  const auto again = parse_endpoint(endpoint->url, Service::chat);
  FUZZ_CHECK(again.ok());
  FUZZ_CHECK(again->url == endpoint->url && again->origin == endpoint->origin && again->loopback == endpoint->loopback);
  FUZZ_CHECK(endpoint->public_url.find('?') == std::string::npos);
  for (const char c : endpoint->url) FUZZ_CHECK(c > 0x20 && c < 0x7f);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Secrets secrets;
  secrets.add(secret);
  check_chat(text, secrets);
  check_embeddings(text, secrets);
  if (text.find(secret) == std::string_view::npos) check_url(text);
  return 0;
}
