// Labelled pairs of queries, made without a language model: what a similarity that learns is trained on.
//
// FuncEvalGMN (section 5.1, Appendix E) collects pairs of a gold query and a model's answer, and labels them by a test
// suite, a language model and people. Here the second query is a chain of paraphrases (paraphrases.hpp) of the first,
// with or without a mutant (mutants.hpp) in between, and the label comes from the verdict on the pair: 1 only with a
// proof, 0 only with a counterexample. A pair whose verdict is unknown is left out. So the label never depends on what
// a rewrite was meant to do: a paraphrase that a counterexample refutes is a hard negative pair, and a mutant that is
// proved to be the same is a positive one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equiv/mutants.hpp"
#include "equiv/verdict.hpp"

namespace trustsql::equiv {

// The literals that columns are compared with in a set of queries, as values for mutants.
class LiteralPool {
 public:
  // Adds those of a query.
  void add(const ast::Query& query, const Resolution& resolution);
  // The literals for a column, in the order in which they were added.
  std::vector<ast::Literal> values(const ::trustsql::Table& table, std::size_t column) const;

 private:
  static constexpr std::size_t most_of_column = 50;
  std::map<std::pair<std::string, std::size_t>, std::vector<ast::Literal>> literals_;  // by schema.table, column
};

struct LabelledPair {
  enum class Confirmation : std::uint8_t {
    same_plan,       // the same: the normalised plans are the same tree
    proof,           // the same: the prover relates them
    counterexample,  // different
  };

  std::size_t query = 0;  // the index of the query that both were made from
  std::string a{};
  std::string b{};
  bool same = false;
  std::string kind{};  // the rewrites of a, ":" if there are any, those of b; mutants as "mutant column"; joined by "+"
  Confirmation confirmation = Confirmation::proof;
  Deviations deviations{};  // of the counterexample: `none()` if the two differ outright
};
// "same_plan", "proof", "counterexample".
std::string_view name(LabelledPair::Confirmation confirmation);

struct LabelledPairsOptions {
  // Only the verdict and its grade, and no long search.
  static ComparisonOptions quick_comparison();

  std::size_t pairs_of_query = 10;
  double share_of_same = 0.5;     // of the pairs of each query, as far as there are enough of both
  std::size_t longest_chain = 3;  // paraphrases of one query
  std::uint64_t seed = 1;
  ComparisonOptions comparison = quick_comparison();
};

// Calls receive(pair) for pairs made from `queries`, which are over the comparer's schema; those of one query come one
// after the other. A query that does not parse or resolve has none. The pairs depend on the options and the queries
// alone, as long as no comparison runs out of time. Errors: interrupted (options.comparison.stop), out_of_memory.
Status labelled_pairs(QueryComparer& comparer, std::span<const std::string> queries,
                      const LabelledPairsOptions& options, const ResolveOptions& dialect,
                      const std::function<void(const LabelledPair&)>& receive);

// How a verdict that is not unknown was reached, for a pair of its own. `proved` is true for a proof.
// `stop` is called now and then; once it returns true, a plan may remain that is not normalised.
LabelledPair::Confirmation confirmation_of(std::string_view a, std::string_view b, bool proved, const Catalog& catalog,
                                           const ResolveOptions& dialect, const std::function<bool()>& stop);

}  // namespace trustsql::equiv
