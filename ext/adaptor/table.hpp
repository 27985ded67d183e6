// table<function>: turns a function that returns rows into a row of a registration table.
//
//   Result<ResultSet> rs_curve(Session& session, std::string_view source, const Options& options);
//
// becomes an eponymous-only virtual table (https://sqlite.org/vtab.html#epovtab). Its arguments are hidden columns,
// named as in the signature with the prefix arg_, so `SELECT * FROM rs_curve('predictions')` and `... FROM rs_curve
// WHERE arg_source = ...` are equivalent, and in `FROM pairs, sql_compare(a, b)` the arguments are columns of pairs.
// The function is called when the first row is read, once for each set of arguments. Its result must have the columns
// that FunctionDoc::columns declares. A table without arguments is a function without parameters.
//
// A function whose rows take long to compute returns a RowStream instead, which computes more as the rows are read:
//
//   Result<std::unique_ptr<RowStream>> nl2sql_batch(Session& session, const SharedScope& scope,
//                                                   std::string_view source, const Options& options);
//
// table<function, write> is also writable: INSERT, UPDATE and DELETE call
//
//   Status write(Session& session, const RowChange& change);
//
// for each row. Only a table without arguments can be writable, and the changes are not part of any transaction.
//
// created_table<create> is a table that CREATE VIRTUAL TABLE makes, with columns of its own:
//
//   Result<std::shared_ptr<CreatedTable>> answer(Session& session, std::span<const std::string> arguments);
//
// is called once, by CREATE VIRTUAL TABLE, and its result is kept with the connection: SQLite may connect to a table
// again at any time (after a ROLLBACK, VACUUM, another connection's DDL), which must not create it again. Therefore the
// table must be in temp, where no other and no later connection sees it.
// (https://sqlite.org/vtab.html#the_xconnect_method)
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/results/result_set.hpp"
#include "ext/adaptor/call.hpp"

namespace trustsql::ext {

// Rows that are computed while they are read. Used in the host's thread; destroyed when the statement is reset.
class RowStream {
 public:
  virtual ~RowStream() = default;

  // The next rows, at least one; an empty result after the last.
  virtual Result<ResultSet> next() = 0;
};

// The result of a function: all its rows, or the first rows of a stream.
struct TableRows {
  ResultSet rows;
  std::unique_ptr<RowStream> stream;  // null if `rows` are all
};

// What INSERT, UPDATE or DELETE does to one row.
struct RowChange {
  // The row before the change, with the function's columns; nullopt for INSERT.
  std::optional<std::vector<Value>> before;
  // The row after the change, likewise; nullopt for DELETE. Columns that an INSERT does not name are NULL. Valid during
  // the call.
  std::optional<std::vector<ValueView>> after;
};

// A table that CREATE VIRTUAL TABLE has made. Used in the host's thread.
class CreatedTable {
 public:
  virtual ~CreatedTable() = default;

  // The names of its columns as they are to be declared; empty and duplicate ones are replaced.
  virtual const std::vector<std::string>& columns() const = 0;

  // The rows, with these columns. Called for each scan.
  virtual Result<ResultSet> rows(Session& session) const = 0;
};

// The part that does not depend on the function's type (table.cpp).
class TableModule {
 public:
  // Runs the typed function with `count` arguments. An omitted argument is a null pointer; the last one is never
  // omitted.
  using Run = Result<TableRows> (*)(const FunctionSpec& spec, Session& session, int count, sqlite3_value** values);

  using Write = Status (*)(Session& session, const RowChange& change);

  // Makes a table of the arguments of CREATE VIRTUAL TABLE, without their quotes.
  using Create = Result<std::shared_ptr<CreatedTable>> (*)(Session& session, std::span<const std::string> arguments);

  // What a module calls: `run`, and `write` if it is writable; or `create`.
  struct Calls {
    Run run = nullptr;
    Write write = nullptr;
    Create create = nullptr;
  };
  static int register_function(sqlite3* db, const FunctionSpec& spec, const std::shared_ptr<Session>& session,
                               const Calls& calls);
};

template <auto function, TableModule::Write write>
struct TableAdaptor {
  using Params = typename SignatureOf<decltype(function)>::Params;
  static_assert(write == nullptr || Params::max_arguments == 0);

  static Result<TableRows> run(const FunctionSpec& spec, Session& session, int count, sqlite3_value** values) {
    Error error;
    OptionsMemo memo;
    const auto scope = std::make_shared<StatementScope>();
    const CallContext call{spec, session, memo, scope};
    Result<TableRows> rows = TableRows();
    const auto outcome = call_with(Params{}, call, count, values, error,
                                   [&](auto&... arguments) { rows = to_table_rows(function(arguments...)); });
    if (outcome == CallOutcome::failed) return error;
    return rows;  // no rows if a required argument is NULL
  }

  static Result<TableRows> to_table_rows(Result<ResultSet> rows) {
    if (!rows.ok()) return std::move(rows).error();
    return TableRows{*std::move(rows), nullptr};
  }
  static Result<TableRows> to_table_rows(Result<std::unique_ptr<RowStream>> stream) {
    if (!stream.ok()) return std::move(stream).error();
    TRUSTSQL_ASSIGN_OR_RETURN(auto rows, (*stream)->next());
    return TableRows{std::move(rows), *std::move(stream)};
  }

  static int register_function(sqlite3* db, const FunctionSpec& spec, const std::shared_ptr<Session>& session) {
    return TableModule::register_function(db, spec, session, {.run = run, .write = write});
  }
};

template <auto function, TableModule::Write write = nullptr>
constexpr FunctionSpec table(const FunctionDoc& doc) {
  using Adaptor = TableAdaptor<function, write>;
  return {doc, FunctionKind::table, Adaptor::Params::min_arguments, Adaptor::Params::max_arguments,
          Adaptor::register_function};
}

template <TableModule::Create create>
int register_created_table(sqlite3* db, const FunctionSpec& spec, const std::shared_ptr<Session>& session) {
  return TableModule::register_function(db, spec, session, {.create = create});
}

// A table whose CREATE VIRTUAL TABLE takes from `min_arguments` to `max_arguments` arguments.
template <TableModule::Create create>
constexpr FunctionSpec created_table(const FunctionDoc& doc, int min_arguments, int max_arguments) {
  return {doc, FunctionKind::table, min_arguments, max_arguments, register_created_table<create>, true};
}

}  // namespace trustsql::ext
