// VectorStore: keeps the vectors of elements between connections, in a location that the user chooses.
//
// A vector's key consists of its embedder and its text, so after a schema change only the changed elements are embedded
// again.
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

  // The vectors of `texts` by the embedder of that name; nullopt for a text without one. Errors: io.
  virtual Result<std::vector<std::optional<Vector>>> get(std::string_view embedder,
                                                         std::span<const std::string> texts) = 0;

  // Stores vectors[i] for texts[i]. Errors: io.
  virtual Status put(std::string_view embedder, std::span<const std::string> texts,
                     std::span<const Vector> vectors) = 0;
};

// A vector as bytes: its elements as little-endian IEEE 754 binary32, one after the other (the form of sqlite-vec).
std::string vector_to_bytes(std::span<const float> vector);
// nullopt if the length is not a multiple of 4.
std::optional<Vector> vector_from_bytes(std::string_view bytes);

}  // namespace trustsql::link
