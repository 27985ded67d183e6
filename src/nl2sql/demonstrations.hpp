// Demonstrations: which examples of a pool stand in a prompt, in which order (TrustSQL's Appendix D, DAIL-SQL).
//
//   in one domain    the pool has examples of the database that is asked about: those whose questions are nearest to
//   the question across domains   it has examples of other databases only: some of them at random, of each some
//   examples at random, the same ones
//                    for every question (a seed fixes them)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "nl2sql/example_pool.hpp"
#include "nl2sql/prompt_template.hpp"

namespace trustsql::nl2sql {

// How many are drawn. Of examples that cannot be answered those of other databases serve as well where its own do not
// suffice, as TrustSQL's came from TriageSQL.
struct DemonstrationCounts {
  std::size_t feasible = 8;  // in one domain
  std::size_t infeasible = 0;
  std::size_t databases = 5;      // across domains
  std::size_t feasible_each = 8;  // of each of them
  std::size_t infeasible_each = 0;
  std::uint64_t seed = 0;
};

// The papers' numbers: SQLPROMPT (8; 8 of each of 5), the same with [DEMO] (as many infeasible ones), CLS_P (16 and 16;
// 2 and 2 of each of 8).
DemonstrationCounts sqlprompt_counts(bool infeasible_too = false);
DemonstrationCounts triage_counts();

struct Demonstrations {
  struct Database {
    std::string name;
    std::vector<const Example*> examples;
  };
  std::vector<Database> others;
  std::vector<const Example*> own;

  bool empty() const { return others.empty() && own.empty(); }
};

// Retrieved ones in one domain, fixed ones across domains. In one domain the most similar stand last, nearest to the
// question; where there are feasible and infeasible ones they are shuffled, with the seed. Errors: those of `embedder`.
Result<Demonstrations> choose_demonstrations(const ExamplePool& pool, const std::string& question,
                                             const DemonstrationCounts& counts, link::Embedder& embedder,
                                             const llm::CallContext& call);

// DAIL-SQL's: the `count` feasible examples, of whatever database, whose masked questions are nearest to the question
// masked by `preliminary_sql` (may be empty); first come those whose query has words as similar to it as `threshold` or
// more. The best stands first. Errors: those of `embedder`.
inline constexpr double dail_threshold = 0.85;
Result<std::vector<const Example*>> choose_dail_examples(const ExamplePool& pool, const std::string& question,
                                                         const std::string& preliminary_sql, std::size_t count,
                                                         link::Embedder& embedder, const llm::CallContext& call,
                                                         double threshold = dail_threshold);

// As values of a prompt: the lists "databases[schema, examples[question, answer]]" and "examples[question, answer]". A
// feasible one's answer is its SQL where `feasible_answer` is empty; an infeasible one's is `infeasible_answer`.
Status add_demonstrations(PromptValues& values, const Demonstrations& demonstrations, const ExamplePool& pool,
                          SchemaStyle style, bool with_values, std::string_view feasible_answer,
                          std::string_view infeasible_answer, const llm::CallContext& call);

}  // namespace trustsql::nl2sql
