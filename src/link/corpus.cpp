#include "link/corpus.hpp"

#include <cmath>

namespace trustsql::link {

namespace {

// Whether a stored vector may come from an embedder: it has `dimensions` numbers (if that is 0, any number, to which
// `dimensions` is then set), and has length 1 or is all zeros. The store is untrusted.
bool is_usable(const std::optional<Vector>& vector, std::size_t& dimensions) {
  if (!vector || vector->empty() || (dimensions != 0 && vector->size() != dimensions)) return false;
  double squares = 0;
  for (const float x : *vector) squares += static_cast<double>(x) * static_cast<double>(x);
  const bool is_unit = std::abs(squares - 1) < 1e-3;  // false for NaN, too
  if (!is_unit && squares != 0) return false;
  dimensions = vector->size();
  return true;
}

Result<std::vector<Vector>> vectors_of(const std::vector<std::string>& texts, Embedder& embedder, VectorStore* store,
                                       const llm::RequestContext& call) {
  if (store == nullptr) return embedder.embed(texts, call);
  const std::string name = embedder.name();
  TRUSTSQL_ASSIGN_OR_RETURN(auto stored, store->get(name, texts));
  std::vector<Vector> vectors(texts.size());
  std::vector<std::size_t> missing;
  std::vector<std::string> missing_texts;
  std::size_t dimensions = embedder.dimensions();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (is_usable(stored[i], dimensions)) {
      vectors[i] = std::move(*stored[i]);
    } else {
      missing.push_back(i);
      missing_texts.push_back(texts[i]);
    }
  }
  if (missing.empty()) return vectors;
  TRUSTSQL_ASSIGN_OR_RETURN(auto new_vectors, embedder.embed(missing_texts, call));
  // Stored vectors of another dimension than the embedder now returns are useless: embed all texts again.
  const bool must_restart = dimensions != 0 && new_vectors[0].size() != dimensions && new_vectors.size() < texts.size();
  if (must_restart) {
    TRUSTSQL_ASSIGN_OR_RETURN(new_vectors, embedder.embed(texts, call));
    TRUSTSQL_RETURN_IF_ERROR(store->put(name, texts, new_vectors));
    return new_vectors;
  }
  TRUSTSQL_RETURN_IF_ERROR(store->put(name, missing_texts, new_vectors));
  for (std::size_t i = 0; i < missing.size(); ++i) vectors[missing[i]] = std::move(new_vectors[i]);
  return vectors;
}

}  // namespace

Corpus::Corpus(ElementSet elements, ElementIndex index)
    : elements_(std::move(elements)), index_(std::move(index)), abbreviations_(elements_) {}

Result<std::shared_ptr<const Corpus>> Corpus::build(ElementSet elements, Embedder& embedder, VectorStore* store,
                                                    const llm::RequestContext& call) {
  if (elements.size() > max_elements) {
    return Error{ErrorCode::limit_exceeded, "there are " + std::to_string(elements.size()) +
                                                " elements, more than the " + std::to_string(max_elements) +
                                                " that are supported"};
  }
  std::vector<std::string> texts;
  texts.reserve(elements.size());
  for (const auto& element : elements.elements()) texts.push_back(element.text());
  TRUSTSQL_ASSIGN_OR_RETURN(auto text_vectors, vectors_of(texts, embedder, store, call));
  const std::size_t dimensions = text_vectors.empty() ? 0 : text_vectors.front().size();
  TRUSTSQL_ASSIGN_OR_RETURN(const auto vectors, with_dimensions(std::move(text_vectors), dimensions, embedder.name()));
  ElementIndex index(elements, vectors, {});
  return std::shared_ptr<const Corpus>(new Corpus(std::move(elements), std::move(index)));
}

bool Corpus::fits(const Embedder& embedder) const {
  return elements_.size() == 0 || embedder.dimensions() == 0 || embedder.dimensions() == index_.dimensions();
}

const MaxSim& Corpus::word_index() const {
  std::call_once(word_index_built_, [this] { word_index_.emplace(elements_); });
  return *word_index_;
}

const NameIndex& Corpus::name_index() const {
  std::call_once(name_index_built_, [this] { name_index_.emplace(elements_); });
  return *name_index_;
}

}  // namespace trustsql::link
