// The options of the similarity metrics.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace trustsql {

// Groups of operators that relpm can weight.
enum class OperatorGroup : std::uint8_t { scan, filter, project, join, aggregate, window, distinct, sort, limit, set };
inline constexpr std::array<std::string_view, 10> clause_names = {"scan",   "filter",   "project", "join",  "aggregate",
                                                                  "window", "distinct", "sort",    "limit", "set"};

// >= 0, not all 0.
struct ClauseWeights {
  std::array<double, clause_names.size()> weights = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  double of(OperatorGroup clause) const { return weights[static_cast<std::size_t>(clause)]; }
};

// How the matches of a tree's nodes become one score (FuncEvalGMN, Appendix A).
enum class TreeScoring : std::uint8_t {
  mean,       // A.3: the mean over all nodes
  recursive,  // A.2: from the root down, each node shares with its children
};

struct SimilarityOptions {
  // Partial matching of trees (relpm, astpm).
  double alpha = 0.5;  // the weight of a node itself; its children have 1 - alpha; in (0, 1)
  double beta = 1.0;   // > 1 weighs recall, < 1 precision
  TreeScoring scoring = TreeScoring::mean;
  double omega = 0.5;                 // recursive: a node's own share of its score; in (0, 1)
  ClauseWeights clause_weights = {};  // relpm

  // n-grams (bleu, crystalbleu, codebleu, codebleu-rot).
  int max_n = 4;  // 1 .. max_ngram
  // crystalbleu: the n-grams to ignore, as written by ngram_key(). Without them: those of SQL's grammar alone.
  // They must outlive the call.
  const std::unordered_set<std::string>* shared_ngrams = nullptr;

  // codebleu, codebleu-rot: weights of their four parts, >= 0, not all 0.
  double ngram_weight = 0.25;
  double keyword_weight = 0.25;
  double syntax_weight = 0.25;
  double dataflow_weight = 0.25;

  // Called now and then, unless null; true ends the work. It must outlive the call.
  const std::function<bool()>* stop = nullptr;
};

inline std::function<bool()> stop_of(const SimilarityOptions& options) {
  return options.stop == nullptr ? std::function<bool()>() : *options.stop;
}

inline constexpr int max_ngram = 8;

}  // namespace trustsql
