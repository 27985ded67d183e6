// StoredVectors: a VectorStore in any key-value store: a side file (db/stores/side_store.hpp), or a table of the user's
// database (db/stores/host_table.hpp). The embedder's name is the space, the text is the key, and the vector's bytes
// are the value.
#pragma once

#include <utility>

#include "link/vector_store.hpp"

namespace trustsql::link {

template <class Store>
class StoredVectors final : public VectorStore {
 public:
  explicit StoredVectors(Store store) : store_(std::move(store)) {}

  Result<std::vector<std::optional<Vector>>> get(std::string_view embedder,
                                                 std::span<const std::string> texts) override {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto values, store_->get(embedder, texts));
    std::vector<std::optional<Vector>> vectors;
    vectors.reserve(values.size());
    for (const auto& value : values) vectors.push_back(value ? vector_from_bytes(*value) : std::nullopt);
    return vectors;
  }

  Status put(std::string_view embedder, std::span<const std::string> texts, std::span<const Vector> vectors) override {
    std::vector<std::string> values;
    values.reserve(vectors.size());
    for (const auto& vector : vectors) values.push_back(vector_to_bytes(vector));
    return store_->put(embedder, texts, values);
  }

 private:
  Store store_;  // a pointer
};

}  // namespace trustsql::link
