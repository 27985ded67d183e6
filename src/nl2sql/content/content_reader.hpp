// The contents of tables: bounded reads of their rows, for prompts.
//
// Everything is read through the sandbox, so a hostile database is stopped by its limits; and every read is bounded:
// the first rows, probes at random positions of a big table, a count up to a limit. A table that cannot be read (a view
// that fails or takes too long, a virtual table whose module is missing) does not make the question fail: it has no
// rows, and `error` says why.
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
#include "db/catalog/catalog.hpp"
#include "db/sandbox/sandbox.hpp"
#include "nl2sql/content/content_cache.hpp"

namespace trustsql::nl2sql {

struct ContentLimits {
  std::size_t candidates = 1000;          // rows of a table from which rows are chosen
  std::int64_t counted = 100'000;         // rows of a table that are counted at most
  std::size_t distinct_scanned = 10'000;  // rows searched for distinct values
  std::size_t text_length = 512;          // characters read of a text, bytes of a blob
  std::chrono::milliseconds time{2000};   // in total for one reader
};

// Rows of one table, with all its visible columns in the order of ContentReader::columns().
struct TableRows {
  std::shared_ptr<const ResultSet> rows;  // never null
  std::int64_t total = 0;                 // number of rows in the table
  bool total_is_exact = true;             // false: `total` is a lower bound
  std::string error;                      // why the rows could not be read; else empty
};

// Reads one state of a database; holds a connection and a read transaction for its lifetime. For use in one thread.
class ContentReader {
 public:
  // `stop`: as RequestContext::stop; may be empty. `cache` must outlive the reader. Errors: those of
  // SandboxSource::lease() and Sandbox::version().
  static Result<ContentReader> open(SandboxSource& source, const Catalog& catalog, ContentCache& cache,
                                    std::function<bool()> stop, const ContentLimits& limits = {});

  // The columns in the rows of a table (an index into Catalog::tables()): those that "*" selects.
  std::vector<std::size_t> columns(std::size_t table) const;

  // The first `count` rows: in the order of their rowids if the table has any, otherwise in any order. `total` is not
  // determined. Error: interrupted.
  Result<TableRows> first_rows(std::size_t table, std::size_t count);

  // Rows to choose from: all rows of a table that has at most `candidates`. For a bigger table, half of them are its
  // first rows and half are rows at random positions (if it has no rowids, all are its first rows). Error: interrupted.
  Result<TableRows> candidates(std::size_t table);

  // Up to `count` distinct non-NULL values of each of columns(), in the order of their first occurrence. If the table
  // cannot be read, its columns have none. Error: interrupted.
  Result<std::vector<std::vector<Value>>> distinct_values(std::size_t table, std::size_t count);

  // These identify the state being read, as cache keys for data computed from it.
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
  std::shared_ptr<bool> stopped_;  // true: stopped by the caller, not by the deadline
  ContentLimits limits_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace trustsql::nl2sql
