#include "link/embedder.hpp"

#include "link/vector_math.hpp"

namespace trustsql::link {

Result<std::vector<Vector>> Embedder::embed_in_context(const std::string& context, std::span<const std::string> texts,
                                                       float weight, const llm::RequestContext& call) {
  std::vector<std::string> texts_and_context(texts.begin(), texts.end());
  texts_and_context.push_back(context);
  TRUSTSQL_ASSIGN_OR_RETURN(auto vectors, embed(texts_and_context, call));
  const Vector whole = std::move(vectors.back());
  vectors.pop_back();
  for (auto& vector : vectors) {
    add_scaled(vector, whole, weight);
    normalise(vector);
  }
  return vectors;
}

Result<std::vector<Vector>> with_dimensions(std::vector<Vector> vectors, std::size_t dimensions,
                                            std::string_view embedder) {
  for (auto& vector : vectors) {
    if (vector.empty()) vector.resize(dimensions);
    if (vector.size() == dimensions) continue;
    return io_error(std::string(embedder) + ": a vector of " + std::to_string(vector.size()) +
                    " numbers cannot be compared with those of " + std::to_string(dimensions) +
                    " from an earlier answer; the next call requests them again");
  }
  return vectors;
}

}  // namespace trustsql::link
