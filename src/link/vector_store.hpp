// VectorStore: where the vectors of elements are kept between connections, in the user's choice of place.
//
// A vector's key is the embedder that made it and the text that it is of; so a schema that changes costs only what
// changed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "link/embedder.hpp"

namespace trustsql::link {

class VectorStore {
 public:
  virtual ~VectorStore() = default;

  // The vectors of `texts` by the embedder of that name; empty where there is none. Errors: io.
  virtual Result<std::vector<std::optional<Vector>>> get(std::string_view embedder,
                                                         std::span<const std::string> texts) = 0;

  // Keeps vectors[i] for texts[i]. Errors: io.
  virtual Status put(std::string_view embedder, std::span<const std::string> texts,
                     std::span<const Vector> vectors) = 0;
};

// A vector as bytes: its elements as little-endian IEEE 754 binary32, one after the other (the form of sqlite-vec).
std::string vector_to_bytes(std::span<const float> vector);
// nullopt if the length is no multiple of 4.
std::optional<Vector> vector_from_bytes(std::string_view bytes);

}  // namespace trustsql::link
