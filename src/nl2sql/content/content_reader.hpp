// The contents of tables: bounded reads of their rows, for prompts.
//
// Everything is read through the sandbox, so a hostile database is stopped by its limits; and every read is bounded:
// the first rows, pages of rows up to a limit, a count up to a limit. A table that cannot be read (a view
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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/catalog/catalog.hpp"
#include "db/sandbox/sandbox.hpp"
#include "nl2sql/content/content_cache.hpp"
#include "nl2sql/method_numbers.hpp"

namespace trustsql::nl2sql {

struct ContentLimits {
  // Rows of a table from which rows are chosen, and rows of it that are read at once.
  std::size_t ranked_rows = MethodNumbers{}.ranked_rows;
  std::size_t page_rows = 1000;
  std::int64_t counted = 100'000;         // rows of a table that are counted at most
  std::size_t distinct_scanned = 10'000;  // rows searched for distinct values
  std::size_t text_length = 512;          // characters read of a text, bytes of a blob
  std::chrono::milliseconds time{2000};   // in total for one reader

  // The limits where so many rows are ranked; reading more of them may take more time.
  static ContentLimits of(std::size_t ranked_rows);
};

// Rows of one table, with all its visible columns in the order of ContentReader::columns().
struct TableRows {
  std::shared_ptr<const ResultSet> rows;  // never null
  std::int64_t total = 0;                 // number of rows in the table
  bool total_is_exact = true;             // false: `total` is a lower bound
  std::string error;                      // why the rows could not be read; else empty
};

// The rows of one table from which rows are chosen: all, or for a table with more than ContentLimits::ranked_rows, half
// as many from its start and the others at random positions (if it has no rowids, all from its start). They are read
// page by page.
class RowPages {
 public:
  std::int64_t total = 0;      // number of rows in the table
  bool total_is_exact = true;  // false: `total` is a lower bound
  bool has_all = true;         // false: the pages do not have all rows of the table
  std::string error;           // why the pages ended before that; empty if they did not, or ranked_rows are read

 private:
  friend class ContentReader;
  struct Range {
    std::int64_t from = 0;  // a rowid
    std::optional<std::int64_t> until;
    std::size_t rows = 0;
  };
  std::size_t table_ = 0;
  std::size_t read_ = 0;                    // rows of the pages so far
  std::size_t sequential_ = 0;              // rows that are read from the start of the table
  std::optional<std::int64_t> last_rowid_;  // of the page before
  std::vector<Range> places_;               // the pages at random positions
  std::size_t next_place_ = 0;
};

// Some rows with all visible columns, followed by columns of the reader's own, and the query that read them.
struct RowPage {
  std::shared_ptr<const ResultSet> rows;  // never null; empty: there are no more
  std::string query;
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

  // The pages of a table, from the first on; `total` and so on are known after the first page was read.
  RowPages pages(std::size_t table) const;
  // The next page. Error: interrupted.
  Result<RowPage> next_page(RowPages& pages);

  // Up to `count` distinct non-NULL values of each of columns(), in the order of their first occurrence. If the table
  // cannot be read, its columns have none. Error: interrupted.
  Result<std::vector<std::vector<Value>>> distinct_values(std::size_t table, std::size_t count);

  // Time that the caller spent between reads, which does not count against ContentLimits::time.
  void add_time(std::chrono::steady_clock::duration time) { clock_->deadline += time; }

  // These identify the state being read, as cache keys for data computed from it.
  std::uint64_t source_identity() const { return source_identity_; }
  std::uint64_t version() const { return transaction_.version(); }
  ContentCache& cache() { return cache_; }
  const Catalog& catalog() const { return catalog_; }

 private:
  struct Clock {
    std::chrono::steady_clock::time_point deadline;
    bool stopped = false;  // by the caller, not by the deadline
  };

  ContentReader(SandboxLease lease, ReadTransaction transaction, std::uint64_t source_identity, const Catalog& catalog,
                ContentCache& cache, std::shared_ptr<Clock> clock, const ContentLimits& limits)
      : lease_(std::move(lease)),
        transaction_(std::move(transaction)),
        source_identity_(source_identity),
        catalog_(catalog),
        cache_(cache),
        clock_(std::move(clock)),
        limits_(limits) {}

  Result<TableRows> read(const std::string& sql);
  std::string select_list(const Table& table) const;
  std::size_t page_size() const;
  Result<RowPage> read_page(RowPages& pages, const std::string& condition, const std::string& bounds);
  Status look_at_size(RowPages& pages, const RowPage& first);
  Status add_places(RowPages& pages);

  SandboxLease lease_;
  ReadTransaction transaction_;  // ends before the lease does
  std::uint64_t source_identity_;
  const Catalog& catalog_;
  ContentCache& cache_;
  std::shared_ptr<Clock> clock_;
  ContentLimits limits_;
};

}  // namespace trustsql::nl2sql
