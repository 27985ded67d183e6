// Synthesis: questions about a database with the queries that answer them, and questions that it cannot answer, made
// without a language model (Overnight, Wang et al. 2015; DBPal, Weir et al. 2020; TrustSQL, section 2.2).
//
//   1. A query is sampled: a form that people ask for, filled with columns, values and join edges of the database
//      (tree_sampler.hpp).
//   2. It is run. It must return rows, each condition must matter, and what is called the highest must be one.
//   3. It is worded (phrasing.hpp), and the words must be linked to every column that it uses.
//   4. An infeasible question is a worded one with another column in it (infeasible.hpp), or asks for a task or for
//      knowledge about something that the database holds (synthesis_lexicon.hpp). What is new in it must be linked to
//      nothing that could be meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "semparse/parser.hpp"

namespace trustsql::semparse {

struct SyntheticQuestion {
  std::string question{};
  std::optional<std::string> sql{};  // none: it cannot be answered
  Feasibility type = Feasibility::feasible;
};

struct SynthesisOptions {
  std::size_t count = 100;
  double infeasible = 0.5;  // the share of questions that cannot be answered
  std::uint64_t seed = 17;
};

// Up to `count` different questions about the database of `knowledge` and `sandbox`; fewer if no more are found in many
// tries. The result depends on the database and the options alone. Errors: invalid_argument (no table has rows that
// questions could be about), interrupted, out_of_memory.
Result<std::vector<SyntheticQuestion>> synthesize(const Knowledge& knowledge, Sandbox& sandbox,
                                                  const SynthesisOptions& options);

}  // namespace trustsql::semparse
