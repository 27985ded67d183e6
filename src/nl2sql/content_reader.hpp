// What stands in the tables: a bounded look at their rows, for prompts.
//
// Everything is read through the sandbox, so a database that is made to be hostile meets its limits; and every look is
// bounded: the first rows, probes at random places of a big table, a count up to a limit. A table that cannot be read
// (a view that fails or takes too long, a virtual table whose module is not there) does not fail the question: it has
// no rows, and says why.
//
// The queries are ordinary texts whose results an ExecutionCache keeps, by database and version: for a batch of
// questions on one database they are run once.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/catalog.hpp"
#include "db/sandbox.hpp"
#include "nl2sql/content_cache.hpp"

namespace trustsql::nl2sql {

struct ContentLimits {
  std::size_t candidates = 1000;          // rows of a table among which rows are chosen
  std::int64_t counted = 100'000;         // rows of a table that are counted
  std::size_t distinct_scanned = 10'000;  // rows in which distinct values are looked for
  std::size_t text_length = 512;          // characters of a text, bytes of a blob that are read of it
  std::chrono::milliseconds time{2000};   // for all that one reader reads
};

// Rows of one table, all its visible columns, in the order of ContentReader::columns().
struct TableRows {
  std::shared_ptr<const ResultSet> rows;  // never null
  std::int64_t total = 0;                 // rows that the table has
  bool total_is_exact = true;             // else it has that many at least
  std::string error;                      // why there are no rows although there might be; else empty
};

// Reads one state of a database; holds a connection and its read transaction while it lives. For one thread.
class ContentReader {
 public:
  // `stop` as CallContext::stop; may be empty. `cache` outlives the reader. Errors: of SandboxSource::lease(),
  // Sandbox::version().
  static Result<ContentReader> open(SandboxSource& source, const Catalog& catalog, ContentCache& cache,
                                    std::function<bool()> stop, const ContentLimits& limits = {});

  // The columns of a table (an index in Catalog::tables()) that its rows have: those that "*" has.
  std::vector<std::size_t> columns(std::size_t table) const;

  // The first `count` rows: in the order of their rowids where there are any, else as they come. `total` is not looked
  // for. Error: interrupted.
  Result<TableRows> first_rows(std::size_t table, std::size_t count);

  // Rows among which some can be chosen: all of a table of at most `candidates` rows; of a bigger one the first half of
  // that many, and rows at random places (where it has rowids; else the first rows). Error: interrupted.
  Result<TableRows> candidates(std::size_t table);

  // Up to `count` different values of each of columns() that are not NULL, in the order in which they are met. A column
  // of a table that cannot be read has none. Error: interrupted.
  Result<std::vector<std::vector<Value>>> distinct_values(std::size_t table, std::size_t count);

  // What identifies the state that is read, for caches of what is computed from it.
  std::uint64_t source_identity() const { return source_identity_; }
  std::uint64_t version() const { return transaction_.version(); }
  ContentCache& cache() { return cache_; }
  const Catalog& catalog() const { return catalog_; }

 private:
  ContentReader(SandboxLease lease, ReadTransaction transaction, std::uint64_t source_identity, const Catalog& catalog,
                ContentCache& cache, std::shared_ptr<bool> stopped, const ContentLimits& limits)
      : lease_(std::move(lease)),
        transaction_(std::move(transaction)),
        source_identity_(source_identity),
        catalog_(catalog),
        cache_(cache),
        stopped_(std::move(stopped)),
        limits_(limits),
        deadline_(std::chrono::steady_clock::now() + limits.time) {}

  Result<TableRows> read(const std::string& sql);
  std::string select_list(const Table& table) const;
  Status add_probes(const Table& table, TableRows& rows);

  SandboxLease lease_;
  ReadTransaction transaction_;  // ends before the lease does
  std::uint64_t source_identity_;
  const Catalog& catalog_;
  ContentCache& cache_;
  std::shared_ptr<bool> stopped_;  // the caller's stop said so, not the deadline
  ContentLimits limits_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace trustsql::nl2sql
