// ScratchDatabase: the schema of a database without its rows, in memory, to be filled and emptied again and again.
//
// Queries are run on it as in the sandbox (sandbox.hpp): prepared once under the authorizer, then run many times within
// the limits. Tables are filled with prepared statements inside one transaction that is never committed, unless
// write_to() is called. Tables, views and unique indexes are present, in all schemas; triggers and virtual tables are
// not, and other indexes are created only once a query names one. Foreign keys are not enforced, all other constraints
// are.
//
// An empty one is used to replay a script of CREATE and INSERT statements.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/catalog/catalog.hpp"
#include "db/results/result_set.hpp"
#include "db/sandbox/bounded_functions.hpp"
#include "db/sandbox/query_use.hpp"
#include "db/sandbox/sandbox.hpp"

namespace trustsql {

// A CREATE statement of a schema.
struct SchemaObject {
  enum class Kind { table, view, index };
  Kind kind = Kind::table;
  std::string schema;  // "main", "temp" or the name of an attached database
  std::string name;
  std::string table;  // for an index: the table that it is on
  std::string sql;    // names the schema if it is not main
};

// The definition of a database.
struct SchemaDefinition {
  std::shared_ptr<const Catalog> catalog;
  // In the order of creation; without the objects that SQLite creates itself, triggers and virtual tables.
  std::vector<SchemaObject> objects;

  // Errors: those of reading the schema.
  static Result<SchemaDefinition> read(SandboxSource& source);
};

class ScratchDatabase {
 public:
  ~ScratchDatabase();
  ScratchDatabase(const ScratchDatabase&) = delete;
  ScratchDatabase& operator=(const ScratchDatabase&) = delete;

  enum class Keys {
    kept,
    dropped,  // columns keep their affinities and collations alone, so that rows may come in any order; no indexes, no
              // generated columns
  };

  // Errors: as sqlite_error(). A table or view that cannot be created (because it uses functions or collations of the
  // host, or its text was tampered with) is listed in missing().
  static Result<std::unique_ptr<ScratchDatabase>> create(const SchemaDefinition& definition,
                                                         const SandboxLimits& limits, Keys keys = Keys::kept);
  // Creates a database without any table; `schemas` are attached in addition to main and temp. `like`: SQLite's own
  // LIKE cannot be interrupted, so limits.max_length should be low with it.
  static Result<std::unique_ptr<ScratchDatabase>> create_empty(std::span<const std::string> schemas,
                                                               const SandboxLimits& limits,
                                                               LikeFunction like = LikeFunction::bounded);

  // Runs the CREATE and INSERT statements of `script`, under Authorizer::Mode::schema (authorizer.hpp); ATTACH
  // statements are skipped. Errors: that of the first statement that fails.
  Status replay(std::string_view script);

  // Writes the main database to the new file `path`, which appears when it is complete. Errors (io): the file already
  // exists or cannot be written.
  Status write_to(const std::string& path);

  // A query that has passed all checks. Must not outlive the database that prepared it.
  class Query {
   public:
    Query();
    Query(Query&&) noexcept;
    Query& operator=(Query&&) noexcept;
    ~Query();

   private:
    friend class ScratchDatabase;
    struct Prepared;
    std::unique_ptr<Prepared> prepared_;
  };

  // Errors: as Sandbox::run(). `use`, if given, receives what the query reads.
  Result<Query> prepare(std::string_view sql, QueryUse* use = nullptr);
  // Errors: as Sandbox::run().
  Result<ResultSet> run(const Query& query);

  using Row = std::vector<Value>;
  // Replaces the rows of `table`, a table of the definition. `columns`: positions of the columns that the values of a
  // row are for; the other columns get their defaults. A row that violates a constraint is omitted. Errors:
  // limit_exceeded (the deadline), interrupted, io (full), out_of_memory; after an error the database must not be used
  // any more, since SQLite rolls back the transaction of an interrupted INSERT
  // (https://sqlite.org/c3ref/interrupt.html).
  Status fill(const Table& table, const std::vector<int>& columns, std::span<const Row> rows);
  // Empties all tables that have been filled. Errors: as fill().
  Status clear();
  // The rows of `table`, in the order of its scan.
  Result<std::vector<Row>> rows(const Table& table, const std::vector<int>& columns);

  // Sets whether tables are read backwards if no ORDER BY specifies an order (PRAGMA reverse_unordered_selects). SQLite
  // automatically prepares queries again after a change.
  Status set_reversed(bool reversed);

  void set_limits(const SandboxLimits& limits);
  // As Sandbox::set_stop().
  void set_stop(std::function<bool()> stop);
  // No query runs past this moment, whatever its timeout.
  void set_deadline(std::chrono::steady_clock::time_point deadline);
  // Whether the limit of time or of steps, rather than `stop`, ended the query that ran last.
  bool reached_limit() const;
  // Whether an error such as exhausted memory has occurred, so that the database should not be used again.
  bool broken() const;

  // The tables and views that are missing: from the name in lower case to the reason.
  const std::map<std::string, std::string>& missing() const;

 private:
  struct Impl;
  struct TableStatements;

  explicit ScratchDatabase(std::unique_ptr<Impl> impl);
  static Result<std::unique_ptr<ScratchDatabase>> open(std::span<const std::string> schemas,
                                                       const SandboxLimits& limits, LikeFunction like);
  Status begin_if_needed();
  Status run_definition(std::string_view sql);
  Result<TableStatements*> statements(const Table& table, const std::vector<int>& columns);

  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql
