#include "link/endpoint_embedder.hpp"

#include <cmath>

#include "base/text.hpp"

namespace trustsql::link {

namespace {

void to_unit_length(Vector& vector) {
  double squares = 0;
  for (const float x : vector) squares += static_cast<double>(x) * static_cast<double>(x);
  if (squares == 0) return;
  const double factor = 1 / std::sqrt(squares);
  for (float& x : vector) x = static_cast<float>(static_cast<double>(x) * factor);
}

}  // namespace

Result<std::vector<Vector>> EndpointEmbedder::embed(std::span<const std::string> texts,
                                                    const llm::RequestContext& context) {
  std::vector<std::string> nonblank_texts;
  for (const auto& text : texts)
    if (!trim(text).empty()) nonblank_texts.push_back(text);
  TRUSTSQL_ASSIGN_OR_RETURN(auto embedded, client_->embed(nonblank_texts, context));
  for (auto& vector : embedded) to_unit_length(vector);

  std::vector<Vector> vectors;
  vectors.reserve(texts.size());
  const std::size_t size = embedded.empty() ? client_->dimensions() : embedded.front().size();
  auto next = embedded.begin();
  for (const auto& text : texts) vectors.push_back(trim(text).empty() ? Vector(size, 0.0F) : std::move(*next++));
  return vectors;
}

}  // namespace trustsql::link
