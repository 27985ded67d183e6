// Embeddings as JSON (https://platform.openai.com/docs/api-reference/embeddings).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llm/chat.hpp"
#include "llm/secrets.hpp"

namespace trustsql::llm {

// The body that requests the vectors of `texts`. It requests base64, a quarter of the size; servers that do not support
// that send numbers.
std::string encode_embedding_request(std::string_view model, std::span<const std::string> texts);

struct EmbeddingReply {
  std::vector<std::vector<float>> vectors;  // of one dimension, in the order of the texts
  std::int64_t tokens = 0;
};

// The vectors of `count` texts. Errors (io): not JSON, another number of vectors, empty vectors or vectors of different
// dimensions, an element that is not a finite number.
Result<EmbeddingReply> decode_embeddings(std::string_view body, std::size_t count, const Secrets& secrets);

// A vector as bytes (little-endian float32) and back. Errors (io): not a whole number of floats, no floats at all, a
// float that is not finite.
std::string vector_bytes(std::span<const float> vector);
Result<std::vector<float>> vector_of(std::string_view bytes);

}  // namespace trustsql::llm
