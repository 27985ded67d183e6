// Linker: from a question to the columns that its SQL may need, the likeliest first.
//
//   Linker linker(*corpus, embedder);
//   linker.link(question, relations, {.budget = 30}, call)
//
// `relations` is the hallucinated schema (hallucination.hpp); schema_of_question() makes one without a language model.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "link/corpus.hpp"
#include "link/crush.hpp"
#include "link/evidence.hpp"

namespace trustsql::link {

enum class LinkMethod {
  crush,   // collective retrieval
  cosine,  // C(x) itself
  dpr,     // the question's vector alone
  maxsim,  // word by word
};
std::string_view method_name(LinkMethod method);
std::optional<LinkMethod> find_method(std::string_view name);

struct LinkOptions {
  LinkMethod method = LinkMethod::crush;
  std::size_t budget = 30;
  std::size_t candidates = 100;  // |C(x)|; at least the budget
  bool entropy = true;           // Eq. 1, 2
  bool coverage = true;          // Eq. 3, 4
  bool edges = true;             // Eq. 5
  bool context = true;           // probes are read with the question before them (3.2.1)
  bool evidence = true;          // add_evidence(); false is the paper's own form
  bool take_turns = false;       // the public code's selection
  double lambda = 1;
  double gamma = 0.01;
  double sharpness = SelectionOptions().sharpness;
  double context_weight = 0.6;  // of the question in a probe's vector
  // How many times the question itself is a probe beside the relations.
  std::size_t question_probes = 0;
};

// The same for relations that schema_of_question() made: they say less than a model's, so the question itself counts
// more.
LinkOptions without_model(LinkOptions options);

struct LinkedElement {
  std::size_t element;  // its number in the corpus
  double
      score;  // its similarity to what it covers: (1 + cosine) / 2; for dpr the cosine, for maxsim the sum of cosines
  std::string
      covers;  // the probe "t.c" that it is most similar to; empty for the question itself, and for dpr and maxsim
};

// Thread-safe: several threads may use one. What it refers to outlives it.
class Linker {
 public:
  Linker(const Corpus& corpus, Embedder& embedder) : corpus_(corpus), embedder_(embedder) {}

  // At most `budget` elements. Errors: those of the embedder; (io) its vectors have another length than those of the
  // corpus.
  Result<std::vector<LinkedElement>> link(const std::string& question, const std::vector<std::string>& relations,
                                          const LinkOptions& options, const llm::CallContext& call) const;

 private:
  Result<std::vector<Vector>> probe_vectors(const std::string& question, const std::vector<std::string>& texts,
                                            const LinkOptions& options, const llm::CallContext& call) const;

  const Corpus& corpus_;
  Embedder& embedder_;
};

}  // namespace trustsql::link
