#include "link/linker.hpp"

#include <algorithm>
#include <utility>

#include "link/hallucination.hpp"
#include "link/relevance.hpp"

namespace trustsql::link {

namespace {

// What a point of relevance's score is worth in similarity.
constexpr float worth_of_score = 0.1F;

std::vector<LinkedElement> without_probes(const std::vector<Ranked>& ranked) {
  std::vector<LinkedElement> linked;
  for (const auto& [element, score] : ranked) linked.push_back({element, score, ""});
  return linked;
}

}  // namespace

LinkOptions default_link_options(LinkForm form) {
  LinkOptions options{.form = form};
  if (form == LinkForm::paper) {
    options.evidence = false;
    options.sharpness = 1;
  }
  return options;
}

LinkOptions without_model(LinkOptions options) {
  if (options.form == LinkForm::paper) return options;
  options.question_probes = 2;
  options.context_weight = 1;
  return options;
}

Result<std::vector<Vector>> Linker::embed(std::span<const std::string> texts, const llm::RequestContext& call) const {
  TRUSTSQL_ASSIGN_OR_RETURN(auto vectors, embedder_.embed(texts, call));
  return with_dimensions(std::move(vectors), corpus_.index().dimensions(), embedder_.name());
}

Result<std::vector<Vector>> Linker::probe_vectors(const std::string& question, const std::vector<std::string>& texts,
                                                  const LinkOptions& options, const llm::RequestContext& call) const {
  if (!options.context) return embed(texts, call);
  TRUSTSQL_ASSIGN_OR_RETURN(
      auto vectors, embedder_.embed_in_context(question, texts, static_cast<float>(options.context_weight), call));
  return with_dimensions(std::move(vectors), corpus_.index().dimensions(), embedder_.name());
}

Result<std::vector<LinkedElement>> Linker::link(const std::string& question, const std::vector<std::string>& relations,
                                                const LinkOptions& options, const llm::RequestContext& call) const {
  if (corpus_.elements().size() == 0) return std::vector<LinkedElement>();
  if (options.method == LinkMethod::maxsim) return without_probes(corpus_.word_index().rank(question, options.budget));
  const bool is_extended = options.form == LinkForm::extended;
  const auto surroundings = is_extended ? Surroundings::included : Surroundings::ignored;
  if (options.method == LinkMethod::dpr) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto vectors, embed(std::span(&question, 1), call));
    return without_probes(rank_by_question(corpus_.index(), vectors[0], surroundings, options.budget));
  }
  // Texts are extended by the abbreviations in the corpus's names that they may mean, since an embedder that only knows
  // words does not understand them.
  const auto extended = [&](const std::string& text) {
    return is_extended ? corpus_.abbreviations().add_to(text) : text;
  };
  const std::string context = extended(question);
  const auto probes = probes_of(relations);
  std::vector<std::string> columns;
  std::vector<std::string> texts;
  for (const auto& [table, column] : probes) {
    columns.push_back(extended(column));
    texts.push_back(Probe{table, columns.back()}.text());
  }
  texts.insert(texts.end(), options.question_probes, question);
  if (texts.empty()) return std::vector<LinkedElement>();
  const std::size_t count = texts.size();
  TRUSTSQL_ASSIGN_OR_RETURN(auto vectors, probe_vectors(context, texts, options, call));
  const bool with_evidence = is_extended && options.evidence;
  if (with_evidence) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto of_question, embed(std::span(&context, 1), call));
    vectors.push_back(std::move(of_question[0]));
    if (columns.empty()) columns.push_back(context);
  }
  const std::size_t stride = vectors.size();
  const auto cosines = corpus_.index().cosines(vectors, surroundings);
  const std::size_t limit = std::max(options.candidates, options.budget);
  CandidateSet candidates;
  if (with_evidence) {
    auto worth = relevance({corpus_.elements(), corpus_.name_index(), cosines, count, columns});
    for (float& score : worth) score *= worth_of_score;
    candidates = candidates_by_worth(cosines, count, stride, worth, limit);
  } else {
    candidates = candidate_set(cosines, count, stride, limit);
  }
  CandidateSet plain = candidates;
  entropy_guided(plain, false);
  const auto linked_at = [&](std::size_t candidate) {
    std::size_t best = 0;
    for (std::size_t p = 1; p < count; ++p)
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
                                   .declared_keys = !is_extended,
                                   .take_turns = options.take_turns,
                                   .lambda = options.lambda,
                                   .gamma = options.gamma,
                                   .sharpness = options.sharpness};
  for (const auto& chosen : select_collectively(candidates, corpus_.elements(), selection))
    linked.push_back(linked_at(chosen.candidate));
  return linked;
}

}  // namespace trustsql::link
