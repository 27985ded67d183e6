// Distilled test suites: the few small databases that tell a query from its neighbours (Zhong, Yu and Klein 2020,
// "Semantic Evaluation for Text-to-SQL with Distilled Test Suites", section 3).
//
// A neighbour differs from the gold query in one thing, as a mistake would (mutants.hpp). Databases are made by the
// hundred, at random and directed at the query (refuter/), and each is asked which neighbours give another result on it
// than the gold query. Of these a suite is put together greedily: always the database that tells most of those apart
// which none has told apart yet. What no database tells apart most likely means the same.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "db/scratch_database.hpp"
#include "equiv/deviation.hpp"
#include "sql/resolver.hpp"

namespace trustsql::equiv {

struct SuiteOptions {
  // What may occur in the databases. Foreign keys and types are kept by default: gold queries are written with them in
  // mind.
  Deviations deviations{Deviation::null, Deviation::letter_case};
  std::size_t neighbours = 200;  // of each gold query, at most
  int databases = 300;           // random ones to choose from, at most; directed ones come on top
  std::size_t largest = 100;     // databases in the suite, at most
  std::uint64_t seed = 1;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<bool()> stop{};
};

struct Suite {
  std::vector<std::string> scripts;    // a database each: CREATE statements of the whole main schema, INSERT statements
  std::size_t neighbours = 0;          // that SQLite prepares
  std::size_t told_apart = 0;          // by the suite
  int candidates = 0;                  // databases that were tried
  std::vector<std::string> survivors;  // neighbours that no database told apart, as text
  bool complete = true;                // false: the deadline ended the search
};

// A suite for all of `gold` together. Errors: invalid_argument (a gold query that does not parse or resolve, with its
// message), query_failed (does not prepare), interrupted, out_of_memory.
Result<Suite> distil_suite(const SchemaDefinition& definition, std::span<const std::string> gold,
                           const SuiteOptions& options, const ResolveOptions& dialect, const SandboxLimits& limits);

}  // namespace trustsql::equiv
