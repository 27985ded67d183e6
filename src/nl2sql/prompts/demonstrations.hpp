// Demonstrations: which examples of a pool appear in a prompt, in which order (TrustSQL's Appendix D, DAIL-SQL).
//
//   in one domain    The pool has feasible examples of the database in question: those whose questions are nearest to
//                    this one.
//   across domains   It has feasible examples of other databases only: some of these databases are drawn at random, and
//                    some feasible examples of each; the same ones for every question (determined by a seed).
//                    Infeasible examples are the nearest to the question: for each drawn database its own, and where it
//                    has too few, those that belong to no database (TrustSQL's come from TriageSQL, without one).
//
// Which of the two applies depends on the feasible examples only. A pool without any is one domain if it has an example
// of the database in question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "nl2sql/content/example_pool.hpp"
#include "nl2sql/prompts/prompt_template.hpp"

namespace trustsql::nl2sql {

// How many examples are chosen. In one domain, if the database has too few infeasible examples of its own, those of
// other databases are used as well, as TrustSQL took its infeasible examples from TriageSQL.
struct DemonstrationCounts {
  std::size_t feasible = 8;  // in one domain, like the next
  std::size_t infeasible = 0;
  std::size_t databases = 5;      // across domains, like the next two
  std::size_t feasible_each = 8;  // from each database
  std::size_t infeasible_each = 0;
  std::uint64_t seed = 0;
};

// The papers' numbers: for SQLPROMPT 8, or 8 from each of 5 databases; with [DEMO] as many infeasible ones in addition;
// for CLS_P 16 feasible and 16 infeasible ones, or 2 and 2 from each of 8 databases.
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

// Retrieved examples in one domain; fixed feasible ones and retrieved infeasible ones across domains. In one domain the
// most similar examples come last, next to the question; where there are both feasible and infeasible ones, they are
// shuffled with the seed. Errors: those of `embedder`.
Result<Demonstrations> choose_demonstrations(const ExamplePool& pool, const std::string& question,
                                             const DemonstrationCounts& counts, link::Embedder& embedder,
                                             const llm::RequestContext& call);

// DAIL-SQL's choice: the `count` feasible examples, of any database, whose masked questions are nearest to the question
// masked by `preliminary_sql` (which may be empty). Examples whose query's words have a similarity of at least
// `threshold` with it come first. The best example is the first one. Errors: those of `embedder`.
inline constexpr double dail_threshold = 0.85;
Result<std::vector<const Example*>> choose_dail_examples(const ExamplePool& pool, const std::string& question,
                                                         const std::string& preliminary_sql, std::size_t count,
                                                         link::Embedder& embedder, const llm::RequestContext& call,
                                                         double threshold = dail_threshold);

// Adds the demonstrations to the values of a prompt: the lists "databases[schema, examples[question, answer]]" and
// "examples[question, answer]". The answer of a feasible example is `feasible_answer`, or its SQL if that is empty; the
// answer of an infeasible one is `infeasible_answer`.
Status add_demonstrations(PromptValues& values, const Demonstrations& demonstrations, const ExamplePool& pool,
                          SchemaStyle style, bool with_values, std::string_view feasible_answer,
                          std::string_view infeasible_answer, const llm::RequestContext& call);

}  // namespace trustsql::nl2sql
