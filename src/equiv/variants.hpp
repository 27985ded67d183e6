// Variants of a query that are confirmed: paraphrases that the prover shows to mean the same, and mutants that a
// counterexample shows to mean something else.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equiv/mutants.hpp"
#include "equiv/paraphrases.hpp"
#include "equiv/verdict.hpp"

namespace trustsql::equiv {

struct VariantOptions {
  static constexpr std::size_t default_most = 20;
  static constexpr std::chrono::milliseconds default_budget{10'000};

  std::vector<std::string> kinds{};                  // names; empty: all
  std::size_t most = default_most;                   // variants
  bool unconfirmed = false;                          // also those with any other verdict
  std::optional<std::uint64_t> shuffled_by{};        // a seed; without it the kinds take turns, in their order
  ComparisonOptions comparison{};                    // of each with the query
  std::chrono::milliseconds budget{default_budget};  // for all; what has been found by then is the result
};

struct Variant {
  std::string_view kind;
  std::string sql;
  ComparisonResult comparison;  // a: the query, b: the variant
};

// Rewrites of `sql` that are proved to mean the same. Errors: those of paraphrases_of(); invalid_argument (a kind that
// does not exist, with the names of those that do); interrupted, out_of_memory.
Result<std::vector<Variant>> confirmed_paraphrases(QueryComparer& comparer, std::string_view sql,
                                                   const VariantOptions& options, const ResolveOptions& dialect);
// Mutants of `sql` that are refuted. `values`: see MutantContext. Errors: as above.
Result<std::vector<Variant>> confirmed_mutants(QueryComparer& comparer, std::string_view sql,
                                               const VariantOptions& options, const ResolveOptions& dialect,
                                               const MutantContext::Values& values = {});

// The first values of each column in the tables of `source`, for mutants; a column that cannot be read has none. They
// are read when they are asked for, and kept. `stop` ends a query. `source` must outlive the function.
MutantContext::Values values_in(SandboxSource& source, std::function<bool()> stop);

}  // namespace trustsql::equiv
