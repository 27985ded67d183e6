#include "llm/embedding_codec.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_release.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "llm/json_text.hpp"

namespace trustsql::llm {

namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "vectors are little-endian in caches and in SQL");

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

// RFC 4648, with or without padding.
std::optional<std::string> decode_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = base64_digit(c);
    if (digit < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>((bits >> count) & 0xff);
    }
  }
  return bytes;
}

Status check_vector(std::span<const float> vector) {
  if (vector.empty()) return io_error("a vector is empty");
  if (!std::ranges::all_of(vector, [](float number) { return std::isfinite(number); }))
    return io_error("a vector contains a number that is not finite");
  return ok_status();
}

Result<std::vector<float>> decode_vector(const Json& embedding) {
  std::vector<float> vector;
  if (embedding.is_string()) {
    const auto bytes = decode_base64(embedding.get_ref<const std::string&>());
    if (!bytes) return io_error("the answer has an embedding that is not base64");
    TRUSTSQL_ASSIGN_OR_RETURN(vector, vector_of(*bytes));
  } else if (embedding.is_array()) {
    vector.reserve(embedding.size());
    for (const auto& number : embedding) {
      if (!number.is_number()) return io_error("the answer has an embedding with an element that is not a number");
      vector.push_back(number.get<float>());
    }
  } else {
    return io_error("the answer has an embedding that is neither an array nor base64");
  }
  auto checked = check_vector(vector);
  if (!checked.ok()) return std::move(checked).error().with_prefix("the answer has an unusable embedding");
  return vector;
}

}  // namespace

std::string encode_embedding_request(std::string_view model, std::span<const std::string> texts) {
  JsonWriter json;
  json.begin_object();
  if (!model.empty()) json.key("model").value(model);
  json.key("input").value(texts).key("encoding_format").value("base64").end_object();
  return std::move(json).text();
}

Result<EmbeddingReply> decode_embeddings(std::string_view body, std::size_t count, const Secrets& secrets) {
  std::string scratch;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto text, parsable_json(body, scratch));
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const JsonRelease release(json);
  if (json.is_discarded()) return not_json(secrets.scrub(std::string(text)));
  const auto data = json.is_object() ? json.find("data") : json.end();
  if (!json.is_object() || data == json.end() || !data->is_array())
    return io_error("the answer has no embeddings: " + quote_for_message(secrets.scrub(std::string(text))));
  if (data->size() != count)
    return io_error("the answer has " + std::to_string(data->size()) + " embeddings for " + std::to_string(count) +
                    " texts");

  EmbeddingReply reply;
  reply.vectors.resize(count);
  std::size_t position = 0;
  for (const auto& item : *data) {
    const auto embedding = item.is_object() ? item.find("embedding") : item.end();
    if (!item.is_object() || embedding == item.end()) return io_error("the answer has an entry without an embedding");
    std::size_t index = position++;
    if (const auto given_index = item.find("index"); given_index != item.end() && given_index->is_number_unsigned())
      index = given_index->get<std::size_t>();
    if (index >= count || !reply.vectors[index].empty())
      return io_error("the answer has embeddings with wrong indexes");
    TRUSTSQL_ASSIGN_OR_RETURN(reply.vectors[index], decode_vector(*embedding));
  }
  for (const auto& vector : reply.vectors)
    if (vector.size() != reply.vectors.front().size()) return io_error("the answer has embeddings of different sizes");
  if (const auto usage = json.find("usage"); usage != json.end() && usage->is_object()) {
    const auto tokens = usage->find("prompt_tokens");
    if (tokens != usage->end() && tokens->is_number_unsigned())
      reply.tokens = static_cast<std::int64_t>(tokens->get<std::uint32_t>());
  }
  return reply;
}

std::string vector_bytes(std::span<const float> vector) {
  std::string bytes(vector.size_bytes(), '\0');
  if (!vector.empty()) std::memcpy(bytes.data(), vector.data(), bytes.size());
  return bytes;
}

Result<std::vector<float>> vector_of(std::string_view bytes) {
  if (bytes.size() % sizeof(float) != 0) return io_error("a vector is not a whole number of floats");
  std::vector<float> vector(bytes.size() / sizeof(float));
  if (!vector.empty()) std::memcpy(vector.data(), bytes.data(), bytes.size());
  TRUSTSQL_RETURN_IF_ERROR(check_vector(vector));
  return vector;
}

}  // namespace trustsql::llm
