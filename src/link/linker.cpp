#include "link/linker.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "link/hallucination.hpp"

namespace trustsql::link {

namespace {

std::vector<LinkedElement> without_probes(const std::vector<Ranked>& ranked) {
  std::vector<LinkedElement> linked;
  for (const auto& [element, score] : ranked) linked.push_back({element, score, ""});
  return linked;
}

}  // namespace

LinkOptions without_model(LinkOptions options) {
  options.question_probes = 2;
  options.context_weight = 1;
  return options;
}

// The context is extended by the abbreviations in the corpus's names that it may mean, since an embedder that only
// knows words does not understand them.
Result<std::vector<Vector>> Linker::probe_vectors(const std::string& question, const std::vector<std::string>& texts,
                                                  const LinkOptions& options, const llm::RequestContext& call) const {
  const auto embed = [&] {
    if (!options.context) return embedder_.embed(texts, call);
    return embedder_.embed_in_context(corpus_.abbreviations().add_to(question), texts,
                                      static_cast<float>(options.context_weight), call);
  };
  TRUSTSQL_ASSIGN_OR_RETURN(auto vectors, embed());
  return with_dimensions(std::move(vectors), corpus_.index().dimensions(), embedder_.name());
}

Result<std::vector<LinkedElement>> Linker::link(const std::string& question, const std::vector<std::string>& relations,
                                                const LinkOptions& options, const llm::RequestContext& call) const {
  if (corpus_.elements().size() == 0) return std::vector<LinkedElement>();
  if (options.method == LinkMethod::maxsim) return without_probes(corpus_.word_index().rank(question, options.budget));
  if (options.method == LinkMethod::dpr) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto question_vectors, embedder_.embed(std::span(&question, 1), call));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto vectors, with_dimensions(std::move(question_vectors),
                                                                  corpus_.index().dimensions(), embedder_.name()));
    return without_probes(rank_by_question(corpus_.index(), vectors[0], options.budget));
  }
  const auto probes = probes_of(relations);
  std::vector<std::string> texts;
  for (const auto& [table, column] : probes)
    texts.push_back(Probe{table, corpus_.abbreviations().add_to(column)}.text());
  texts.insert(texts.end(), options.question_probes, question);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto vectors, probe_vectors(question, texts, options, call));
  auto cosines = corpus_.index().cosines(vectors);
  if (options.evidence) add_evidence(corpus_.elements(), vectors.size(), {}, cosines);
  auto candidates = candidate_set(cosines, vectors.size(), std::max(options.candidates, options.budget));
  CandidateSet plain = candidates;
  entropy_guided(plain, false);
  const auto linked_at = [&](std::size_t candidate) {
    std::size_t best = 0;
    for (std::size_t p = 1; p < texts.size(); ++p)
      if (plain.at(p, candidate) > plain.at(best, candidate)) best = p;
    return LinkedElement{plain.elements[candidate], plain.at(best, candidate),
                         best < probes.size() ? probes[best].text() : std::string()};
  };
  std::vector<LinkedElement> linked;
  if (options.method == LinkMethod::cosine) {
    for (std::size_t c = 0; c < std::min(options.budget, candidates.elements.size()); ++c)
      linked.push_back(linked_at(c));
    return linked;
  }
  entropy_guided(candidates, options.entropy);
  const SelectionOptions selection{.budget = options.budget,
                                   .coverage = options.coverage,
                                   .edges = options.edges,
                                   .take_turns = options.take_turns,
                                   .lambda = options.lambda,
                                   .gamma = options.gamma,
                                   .sharpness = options.sharpness};
  for (const auto& chosen : select_collectively(candidates, corpus_.elements(), selection))
    linked.push_back(linked_at(chosen.candidate));
  return linked;
}

}  // namespace trustsql::link
