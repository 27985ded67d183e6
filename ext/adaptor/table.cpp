#include "ext/adaptor/table.hpp"

#include <array>
#include <vector>

#include "db/sqlite/connection.hpp"

namespace trustsql::ext {

namespace {

constexpr int max_table_arguments = 16;

struct TableBinding : Binding {
  TableFunction::Run run;
  TableFunction::Write write;
};

struct Table : sqlite3_vtab {
  TableBinding* binding = nullptr;
  int columns = 0;  // columns that the function returns; the arguments' hidden columns follow them
};

struct Cursor : sqlite3_vtab_cursor {
  TableRows result;
  std::size_t row = 0;            // index in result.rows
  sqlite3_int64 rows_before = 0;  // rows of the stream that were read before result.rows

  const ResultSet& rows() const { return result.rows; }
};

std::string declaration(const FunctionSpec& spec) {
  std::string sql = "CREATE TABLE x(" + std::string(spec.columns);
  for (int i = 0; i < spec.max_arguments; ++i)
    sql += ", " + quote_identifier("arg_" + argument_name(spec, i)) + " HIDDEN";
  return sql + ")";
}

int connect(sqlite3* db, void* pointer, int, const char* const*, sqlite3_vtab** table_slot, char** message) noexcept {
  auto* binding = static_cast<TableBinding*>(pointer);
  return guarded_code(message, *binding, [&]() -> Status {
    TRUSTSQL_RETURN_IF_ERROR(declare_table(db, declaration(binding->spec)));
    sqlite3_vtab_config(db, binding->spec.effect == Effect::none ? SQLITE_VTAB_INNOCUOUS : SQLITE_VTAB_DIRECTONLY);
    auto table = std::make_unique<Table>();
    table->binding = binding;
    table->columns = static_cast<int>(split(binding->spec.columns, ',').size());
    *table_slot = table.release();
    return ok_status();
  });
}

int disconnect(sqlite3_vtab* table) noexcept {
  std::unique_ptr<Table>(static_cast<Table*>(table)).reset();
  return SQLITE_OK;
}

// Requests every argument that has a value, in order; bit i of idxNum is set if argument i is among them.
int best_index(sqlite3_vtab* base, sqlite3_index_info* info) noexcept {
  const auto& table = *static_cast<Table*>(base);
  std::array<int, max_table_arguments> constraint_of{};
  constraint_of.fill(-1);
  unsigned unusable = 0;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    const int argument = constraint.iColumn - table.columns;
    if (argument < 0 || argument >= max_table_arguments || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.usable == 0) {
      unusable |= 1U << static_cast<unsigned>(argument);
    } else {
      constraint_of[static_cast<std::size_t>(argument)] = i;
    }
  }
  int given_arguments = 0;
  int slot = 0;
  for (int argument = 0; argument < table.binding->spec.max_arguments; ++argument) {
    const int constraint = constraint_of[static_cast<std::size_t>(argument)];
    if (constraint < 0) {
      if ((unusable >> static_cast<unsigned>(argument)) & 1U) return SQLITE_CONSTRAINT;
      continue;
    }
    given_arguments |= 1 << argument;
    info->aConstraintUsage[constraint].argvIndex = ++slot;
    info->aConstraintUsage[constraint].omit = 1;
  }
  info->idxNum = given_arguments;
  info->estimatedCost = 1e6;
  info->estimatedRows = 1000;
  return SQLITE_OK;
}

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) noexcept {
  return guarded_code(&table->zErrMsg, *static_cast<Table*>(table)->binding,
                      [&] { *cursor = std::make_unique<Cursor>().release(); });
}

int close(sqlite3_vtab_cursor* cursor) noexcept {
  std::unique_ptr<Cursor>(static_cast<Cursor*>(cursor)).reset();
  return SQLITE_OK;
}

Status check_columns(const Table& table, const Cursor& cursor) {
  if (cursor.rows().empty() || cursor.rows().column_count() == static_cast<std::size_t>(table.columns))
    return ok_status();
  return internal_error("internal error: " + std::to_string(cursor.rows().column_count()) + " columns returned, " +
                        std::to_string(table.columns) + " declared");
}

Status run_function(Table& table, Cursor& cursor, int given_arguments, sqlite3_value** values) {
  const FunctionSpec& spec = table.binding->spec;
  std::array<sqlite3_value*, max_table_arguments> arguments{};
  int slot = 0;
  int count = 0;
  for (int argument = 0; argument < spec.max_arguments; ++argument) {
    if (((given_arguments >> argument) & 1) == 0) {
      if (argument < spec.min_arguments) {
        return invalid_argument("argument " + std::to_string(argument + 1) + " (" + argument_name(spec, argument) +
                                ") is missing; use it as " + std::string(spec.signature));
      }
      continue;
    }
    arguments[static_cast<std::size_t>(argument)] = values[slot++];
    count = argument + 1;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(cursor.result, table.binding->run(spec, *table.binding->session, count, arguments.data()));
  return check_columns(table, cursor);
}

int filter(sqlite3_vtab_cursor* base, int given_arguments, const char*, int, sqlite3_value** values) noexcept {
  auto& cursor = *static_cast<Cursor*>(base);
  auto& table = *static_cast<Table*>(base->pVtab);
  cursor.row = 0;
  cursor.rows_before = 0;
  return guarded_code(&table.zErrMsg, *table.binding, [&] {
    cursor.result = TableRows();
    return run_function(table, cursor, given_arguments, values);
  });
}

int next(sqlite3_vtab_cursor* base) noexcept {
  auto& cursor = *static_cast<Cursor*>(base);
  auto& table = *static_cast<Table*>(base->pVtab);
  if (++cursor.row < cursor.rows().row_count() || cursor.result.stream == nullptr) return SQLITE_OK;
  cursor.rows_before += static_cast<sqlite3_int64>(cursor.row);
  cursor.row = 0;
  return guarded_code(&table.zErrMsg, *table.binding, [&]() -> Status {
    cursor.result.rows = ResultSet();
    TRUSTSQL_ASSIGN_OR_RETURN(cursor.result.rows, cursor.result.stream->next());
    return check_columns(table, cursor);
  });
}

int eof(sqlite3_vtab_cursor* base) noexcept {
  const auto& cursor = *static_cast<Cursor*>(base);
  return cursor.row >= cursor.rows().row_count() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int index) noexcept {
  const auto& cursor = *static_cast<Cursor*>(base);
  const auto& spec = static_cast<Table*>(base->pVtab)->binding->spec;
  if (static_cast<std::size_t>(index) < cursor.rows().column_count())
    set_result(context, spec, cursor.rows().at(cursor.row, static_cast<std::size_t>(index)));
  return SQLITE_OK;  // an argument's hidden column reads as NULL
}

int rowid(sqlite3_vtab_cursor* base, sqlite3_int64* rowid) noexcept {
  const auto& cursor = *static_cast<Cursor*>(base);
  *rowid = cursor.rows_before + static_cast<sqlite3_int64>(cursor.row) + 1;
  return SQLITE_OK;
}

// https://sqlite.org/vtab.html#xupdate: one value is a DELETE of that rowid; else the old rowid (NULL: INSERT), the new
// one, and the columns. A rowid is the position of a row in the function's result, which does not change while rows are
// written.
int update(sqlite3_vtab* base, int count, sqlite3_value** values, sqlite3_int64*) noexcept {
  auto& table = *static_cast<Table*>(base);
  const auto& binding = *table.binding;
  return guarded_code(&table.zErrMsg, binding, [&]() -> Status {
    RowChange change;
    if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
      TRUSTSQL_ASSIGN_OR_RETURN(const auto result, binding.run(binding.spec, *binding.session, 0, nullptr));
      const auto& rows = result.rows;
      const auto row = static_cast<std::uint64_t>(sqlite3_value_int64(values[0])) - 1;
      if (row >= rows.row_count()) return invalid_argument("the row to change no longer exists");
      auto& before = change.before.emplace();
      for (std::size_t i = 0; i < rows.column_count(); ++i) before.push_back(to_value(rows.at(row, i)));
    }
    if (count > 1) {
      auto& after = change.after.emplace();
      for (int i = 0; i < table.columns; ++i) after.push_back(view(values[2 + i]));
    }
    return binding.write(*binding.session, change);
  });
}

// xCreate is absent: the table is eponymous-only, and CREATE VIRTUAL TABLE is rejected.
constexpr sqlite3_module make_module(bool writable) {
  sqlite3_module m{};
  m.xConnect = connect;
  m.xBestIndex = best_index;
  m.xDisconnect = disconnect;
  m.xOpen = open;
  m.xClose = close;
  m.xFilter = filter;
  m.xNext = next;
  m.xEof = eof;
  m.xColumn = column;
  m.xRowid = rowid;
  if (writable) m.xUpdate = update;
  return m;
}
constexpr sqlite3_module read_only_module = make_module(false);
constexpr sqlite3_module writable_module = make_module(true);

}  // namespace

int TableFunction::register_function(sqlite3* db, const FunctionSpec& spec, const std::shared_ptr<Session>& session,
                                     Run run, Write write) {
  auto binding = std::make_unique<TableBinding>(TableBinding{{spec, session}, run, write});
  const auto* module = write == nullptr ? &read_only_module : &writable_module;
  const std::string name(spec.name);
  return sqlite3_create_module_v2(db, name.c_str(), module, binding.release(), [](void* pointer) {
    std::unique_ptr<TableBinding>(static_cast<TableBinding*>(pointer)).reset();
  });
}

}  // namespace trustsql::ext
