// Candidates from examples: templates whose slots the question fills.
//
// The patterns nearest to the question are aligned with it, each template keeps its cheapest alignment, and rules make
// further templates of the best ones. Each value fills one slot; what is left over is counted, and so is what the
// alignment leaves unexplained on both sides.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "semparse/examples/alignment.hpp"
#include "semparse/examples/question_form.hpp"

namespace trustsql::semparse {

struct TemplateCandidate {
  int pattern = -1;  // of the bank, by which it was found
  int variant = -1;  // of the bank, or that it was derived from; -1: the question cannot be answered
  int rule = -1;     // by which it was derived; -1: an example has it
  std::shared_ptr<const QueryTemplate> derived{};
  bool template_known = true;  // an example has the template, though it may be found by a rule
  std::size_t reading = 0;
  Alignment alignment{};
  float cost = 0;            // of the alignment, without words that the rule explains
  float nearness = 0;        // of the nearest pattern of its family
  float other_nearness = 0;  // and of the nearest of all others
  // Of the cheapest alignment with another pattern of the template that fills the slots with other words.
  float rival_cost = 1e6F;
  std::vector<SlotValue> values{};
  std::vector<WordSpan> left_values{};      // of the question, that no slot takes
  std::vector<std::size_t> left_numbers{};  // words
  std::string sql{};                        // empty: the question cannot be answered

  bool infeasible() const { return variant == -1; }
  const QueryTemplate& query(const ExampleBank& bank) const { return derived ? *derived : bank.variant(variant).query; }
};

struct TemplateLimits {
  std::size_t patterns = 80;  // that are aligned
  std::size_t per_family = 4;
  std::size_t variants = 16;  // that are kept, beside the nearest infeasible question
  std::size_t sources = 10;   // that rules are applied to
  std::size_t derived = 10;   // templates made by rules that are kept
};

// What is left out while the bank is learned from: the pattern of the question itself and others with the same words,
// and a variant that is to be found by analogy alone.
struct Exclusion {
  int pattern = -1;
  int variant = -1;
};

// The cheapest alignment first, then those made by rules, then the nearest infeasible question. No SQL twice.
std::vector<TemplateCandidate> find_template_candidates(const QuestionForm& question, const TemplateLimits& limits = {},
                                                        const Exclusion& exclusion = {});

}  // namespace trustsql::semparse
