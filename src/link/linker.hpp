// Linker: finds the columns that a question's SQL may need, the most likely first.
//
//   Linker linker(*corpus, embedder);
//   linker.link(question, relations, {.budget = 30}, call)
//
// `relations` is the hallucinated schema (hallucination.hpp); schema_of_question() derives one without a language
// model.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "link/corpus.hpp"
#include "link/crush.hpp"

namespace trustsql::link {

enum class LinkMethod {
  crush,   // collective retrieval
  cosine,  // C(x) itself
  dpr,     // the question's vector alone
  maxsim,  // word by word
};

// What stands in the paper and nothing else, or with our additions to it: elements are compared in their surroundings
// (element_index.hpp), abbreviations in the corpus's names are understood, keys are inferred, and each candidate has a
// worth by itself (relevance.hpp).
enum class LinkForm { paper, extended };

struct LinkOptions {
  LinkForm form = LinkForm::extended;
  LinkMethod method = LinkMethod::crush;
  std::size_t budget = 30;
  std::size_t candidates = 100;  // |C(x)|; at least the budget
  bool entropy = true;           // Eq. 1, 2
  bool coverage = true;          // Eq. 3, 4
  bool edges = true;             // Eq. 5
  bool context = true;           // probes are read with the question before them (3.2.1)
  bool evidence = true;          // relevance(); not in the paper's form
  bool take_turns = false;       // selection as in the paper's public code
  double lambda = 1;
  double gamma = 0.01;
  double sharpness = SelectionOptions().sharpness;
  double context_weight = 0.6;  // weight of the question in a probe's vector
  // How many times the question itself is used as a probe, in addition to the relations.
  std::size_t question_probes = 0;
};

// The defaults of a form: in the paper's, sharpness is 1 and there is no evidence.
LinkOptions default_link_options(LinkForm form);

// Adapts `options` of the extended form to relations from schema_of_question(): they contain less information than a
// model's, so the question itself gets more weight.
LinkOptions without_model(LinkOptions options);

struct LinkedElement {
  std::size_t element;  // its number in the corpus
  // Its similarity to what it covers: (1 + cosine) / 2; for dpr the cosine, for maxsim the sum of cosines.
  double score;
  // The probe "t.c" that it is most similar to; empty for the question itself, and for dpr and maxsim.
  std::string covers;
};

// Thread-safe: several threads may use one linker. The corpus and the embedder must outlive it.
class Linker {
 public:
  Linker(const Corpus& corpus, Embedder& embedder) : corpus_(corpus), embedder_(embedder) {}

  // At most `budget` elements. Errors: those of the embedder; io (its vectors have another dimension than those of the
  // corpus).
  Result<std::vector<LinkedElement>> link(const std::string& question, const std::vector<std::string>& relations,
                                          const LinkOptions& options, const llm::RequestContext& call) const;

 private:
  Result<std::vector<Vector>> probe_vectors(const std::string& question, const std::vector<std::string>& texts,
                                            const LinkOptions& options, const llm::RequestContext& call) const;
  Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::RequestContext& call) const;

  const Corpus& corpus_;
  Embedder& embedder_;
};

}  // namespace trustsql::link
