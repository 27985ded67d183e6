#include "ext/adaptor/table.hpp"

#include <array>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql::ext {

namespace {

constexpr int max_table_arguments = 16;

struct TableBinding : Binding {
  TableModule::Calls calls;
};

// What identifies a created table: its name in lower case, and its arguments as they were written.
struct CreatedKey {
  std::string name{};
  std::vector<std::string> arguments{};
  friend auto operator<=>(const CreatedKey&, const CreatedKey&) = default;
};

struct VirtualTable : sqlite3_vtab {
  TableBinding* binding = nullptr;
  int columns = 0;  // columns that the function returns; the arguments' hidden columns follow them
  // For a table that was created:
  sqlite3* db = nullptr;
  CreatedKey key{};
  std::shared_ptr<const CreatedTable> created;  // nullptr: its content is not known
};

// The created tables of a connection. One that was dropped in a transaction is kept for a while, since ROLLBACK brings
// it back without asking the module.
class CreatedTables {
 public:
  void put(const CreatedKey& key, std::shared_ptr<const CreatedTable> table) {
    std::erase(dropped_, key);
    tables_.insert_or_assign(key, std::move(table));
  }
  std::shared_ptr<const CreatedTable> find(const CreatedKey& key) const {
    const auto found = tables_.find(key);
    return found != tables_.end() ? found->second : nullptr;
  }
  void drop(const CreatedKey& key, bool for_good) {
    std::erase(dropped_, key);
    dropped_.push_back(key);
    const std::size_t most = for_good ? 0 : max_dropped;
    for (; dropped_.size() > most; dropped_.pop_front()) tables_.erase(dropped_.front());
  }

 private:
  static constexpr std::size_t max_dropped = 100;
  std::map<CreatedKey, std::shared_ptr<const CreatedTable>> tables_;
  std::deque<CreatedKey> dropped_;
};
CreatedTables& created_tables(const Binding& binding) { return binding.session->objects().shared<CreatedTables>(); }

struct Cursor : sqlite3_vtab_cursor {
  TableRows result;
  std::vector<Value> arguments{};  // NULL: not given
  std::size_t row = 0;             // index in result.rows
  sqlite3_int64 rows_before = 0;   // rows of the stream that were read before result.rows

  const ResultSet& rows() const { return result.rows; }
};

std::string declaration(const FunctionSpec& spec) {
  std::string sql = "CREATE TABLE x(" + std::string(spec.columns);
  for (int i = 0; i < spec.max_arguments; ++i)
    sql += ", " + quote_identifier("arg_" + argument_name(spec, i)) + " HIDDEN";
  return sql + ")";
}

// The same for a created table. One of unknown content can still be dropped.
std::string declaration(const CreatedTable* created) {
  if (created == nullptr) return "CREATE TABLE x(unknown)";
  std::set<std::string> used;
  std::vector<std::string> names;
  for (const std::string& column : created->columns()) {
    const std::string base = column.empty() ? "column" + std::to_string(names.size() + 1) : column;
    std::string name = base;
    for (int number = 1; !used.insert(to_lower_ascii(name)).second; ++number)
      name = base + ":" + std::to_string(number);
    names.push_back(quote_identifier(name));
  }
  return "CREATE TABLE x(" + join(names, ", ") + ")";
}

// Declares the table `sql` of `binding`, whose function returns `columns` columns.
Result<std::unique_ptr<VirtualTable>> declare(sqlite3* db, TableBinding& binding, const std::string& sql,
                                              std::size_t columns) {
  TRUSTSQL_RETURN_IF_ERROR(declare_table(db, sql));
  sqlite3_vtab_config(db, binding.spec.effect == Effect::none ? SQLITE_VTAB_INNOCUOUS : SQLITE_VTAB_DIRECTONLY);
  auto table = std::make_unique<VirtualTable>();
  table->binding = &binding;
  table->columns = static_cast<int>(columns);
  return table;
}

int connect(sqlite3* db, void* pointer, int, const char* const*, sqlite3_vtab** table_slot, char** message) noexcept {
  auto& binding = *static_cast<TableBinding*>(pointer);
  return guarded_code(message, binding, [&]() -> Status {
    const auto columns = split(binding.spec.columns, ',').size();
    TRUSTSQL_ASSIGN_OR_RETURN(auto table, declare(db, binding, declaration(binding.spec), columns));
    *table_slot = table.release();
    return ok_status();
  });
}

Result<std::unique_ptr<VirtualTable>> declare_created(sqlite3* db, TableBinding& binding, CreatedKey key,
                                                      std::shared_ptr<const CreatedTable> created) {
  const std::size_t columns = created != nullptr ? created->columns().size() : 1;
  TRUSTSQL_ASSIGN_OR_RETURN(auto table, declare(db, binding, declaration(created.get()), columns));
  table->db = db;
  table->key = std::move(key);
  table->created = std::move(created);
  return table;
}

// The value of an argument of CREATE VIRTUAL TABLE, which SQLite passes as it was written.
std::string unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') || text.back() != text.front())
    return std::string(text);
  const char quote = text.front();
  std::string value;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    value += text[i];
    if (text[i] == quote) ++i;  // doubled
  }
  return value;
}

// https://sqlite.org/vtab.html#the_xcreate_method: the names of the module, the database and the table come before the
// arguments.
constexpr int names_before_arguments = 3;

CreatedKey key_of(int count, const char* const* texts) {
  return {to_lower_ascii(texts[2]), {texts + names_before_arguments, texts + count}};
}

int create(sqlite3* db, void* pointer, int count, const char* const* texts, sqlite3_vtab** table_slot,
           char** message) noexcept {
  auto& binding = *static_cast<TableBinding*>(pointer);
  return guarded_code(message, binding, [&]() -> Status {
    const std::string signature(binding.spec.signature);
    if (!equals_ignore_case(texts[1], "temp"))
      return invalid_argument("the table must be created in temp: CREATE VIRTUAL TABLE temp." + std::string(texts[2]) +
                              " USING " + signature);
    const int given = count - names_before_arguments;
    if (given < binding.spec.min_arguments || given > binding.spec.max_arguments)
      return invalid_argument("use it as " + signature);
    std::vector<std::string> arguments;
    for (int i = names_before_arguments; i < count; ++i) arguments.push_back(unquoted(texts[i]));
    TRUSTSQL_ASSIGN_OR_RETURN(std::shared_ptr<const CreatedTable> created,
                              binding.calls.create(*binding.session, arguments));
    TRUSTSQL_ASSIGN_OR_RETURN(auto table, declare_created(db, binding, key_of(count, texts), created));
    created_tables(binding).put(table->key, std::move(created));
    *table_slot = table.release();
    return ok_status();
  });
}

int connect_created(sqlite3* db, void* pointer, int count, const char* const* texts, sqlite3_vtab** table_slot,
                    char** message) noexcept {
  auto& binding = *static_cast<TableBinding*>(pointer);
  return guarded_code(message, binding, [&]() -> Status {
    auto key = key_of(count, texts);
    auto kept = created_tables(binding).find(key);
    TRUSTSQL_ASSIGN_OR_RETURN(auto table, declare_created(db, binding, std::move(key), std::move(kept)));
    *table_slot = table.release();
    return ok_status();
  });
}

int disconnect(sqlite3_vtab* table) noexcept {
  std::unique_ptr<VirtualTable>(static_cast<VirtualTable*>(table)).reset();
  return SQLITE_OK;
}

// xDestroy of a created table. SQLite keeps the table if this fails, so the object is destroyed last
// (https://sqlite.org/vtab.html#the_xdestroy_method).
int destroy(sqlite3_vtab* base) noexcept {
  auto* table = static_cast<VirtualTable*>(base);
  const int code = guarded_code(&table->zErrMsg, *table->binding, [&] {
    created_tables(*table->binding).drop(table->key, sqlite3_get_autocommit(table->db) != 0);
  });
  return code == SQLITE_OK ? disconnect(table) : code;
}

// https://sqlite.org/vtab.html#the_xrename_method: the content is known under both names, since ROLLBACK may bring the
// old one back.
int rename_created(sqlite3_vtab* base, const char* name) noexcept {
  auto* table = static_cast<VirtualTable*>(base);
  return guarded_code(&table->zErrMsg, *table->binding, [&] {
    auto& tables = created_tables(*table->binding);
    if (table->created != nullptr) tables.put({to_lower_ascii(name), table->key.arguments}, table->created);
    tables.drop(table->key, sqlite3_get_autocommit(table->db) != 0);
  });
}

int best_index_of_created(sqlite3_vtab*, sqlite3_index_info* info) noexcept {
  info->estimatedCost = 1e6;
  info->estimatedRows = 1000;
  return SQLITE_OK;
}

// Requests every argument that has a value, in order; bit i of idxNum is set if argument i is among them.
int best_index(sqlite3_vtab* base, sqlite3_index_info* info) noexcept {
  const auto& table = *static_cast<VirtualTable*>(base);
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
  return guarded_code(&table->zErrMsg, *static_cast<VirtualTable*>(table)->binding,
                      [&] { *cursor = std::make_unique<Cursor>().release(); });
}

int close(sqlite3_vtab_cursor* cursor) noexcept {
  std::unique_ptr<Cursor>(static_cast<Cursor*>(cursor)).reset();
  return SQLITE_OK;
}

Status check_columns(const VirtualTable& table, const Cursor& cursor) {
  if (cursor.rows().empty() || cursor.rows().column_count() == static_cast<std::size_t>(table.columns))
    return ok_status();
  return internal_error("internal error: " + std::to_string(cursor.rows().column_count()) + " columns returned, " +
                        std::to_string(table.columns) + " declared");
}

Status run_function(VirtualTable& table, Cursor& cursor, int given_arguments, sqlite3_value** values) {
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
    arguments[static_cast<std::size_t>(argument)] = values[slot];
    cursor.arguments.resize(static_cast<std::size_t>(argument) + 1);
    cursor.arguments.back() = to_value(view(values[slot++]));
    count = argument + 1;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(cursor.result,
                            table.binding->calls.run(spec, *table.binding->session, count, arguments.data()));
  return check_columns(table, cursor);
}

int filter(sqlite3_vtab_cursor* base, int given_arguments, const char*, int, sqlite3_value** values) noexcept {
  auto& cursor = *static_cast<Cursor*>(base);
  auto& table = *static_cast<VirtualTable*>(base->pVtab);
  cursor.row = 0;
  cursor.rows_before = 0;
  return guarded_code(&table.zErrMsg, *table.binding, [&] {
    cursor.result = TableRows();
    cursor.arguments.clear();
    return run_function(table, cursor, given_arguments, values);
  });
}

int filter_created(sqlite3_vtab_cursor* base, int, const char*, int, sqlite3_value**) noexcept {
  auto& cursor = *static_cast<Cursor*>(base);
  auto& table = *static_cast<VirtualTable*>(base->pVtab);
  cursor.row = 0;
  return guarded_code(&table.zErrMsg, *table.binding, [&]() -> Status {
    cursor.result = TableRows();
    if (table.created == nullptr) return query_failed("its content is no longer known; create the table again");
    TRUSTSQL_ASSIGN_OR_RETURN(cursor.result.rows, table.created->rows(*table.binding->session));
    return check_columns(table, cursor);
  });
}

int next(sqlite3_vtab_cursor* base) noexcept {
  auto& cursor = *static_cast<Cursor*>(base);
  auto& table = *static_cast<VirtualTable*>(base->pVtab);
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
  const auto& table = *static_cast<VirtualTable*>(base->pVtab);
  const auto& spec = table.binding->spec;
  guarded_result(context, spec, [&] {
    if (index >= table.columns) {
      const auto argument = static_cast<std::size_t>(index - table.columns);
      if (argument < cursor.arguments.size()) set_result(context, spec, view(cursor.arguments[argument]));
    } else if (static_cast<std::size_t>(index) < cursor.rows().column_count()) {
      set_result(context, spec, cursor.rows().at(cursor.row, static_cast<std::size_t>(index)));
    }
  });
  return SQLITE_OK;
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
  auto& table = *static_cast<VirtualTable*>(base);
  const auto& binding = *table.binding;
  return guarded_code(&table.zErrMsg, binding, [&]() -> Status {
    RowChange change;
    if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
      TRUSTSQL_ASSIGN_OR_RETURN(const auto result, binding.calls.run(binding.spec, *binding.session, 0, nullptr));
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
    return binding.calls.write(*binding.session, change);
  });
}

enum class ModuleKind { read_only, writable, created };

constexpr sqlite3_module make_module(ModuleKind kind) {
  sqlite3_module m{};
  if (kind == ModuleKind::created) {
    m.xCreate = create;
    m.xConnect = connect_created;
    m.xDestroy = destroy;
    m.xRename = rename_created;
    m.xBestIndex = best_index_of_created;
    m.xFilter = filter_created;
  } else {  // without xCreate the table is eponymous-only, and CREATE VIRTUAL TABLE is rejected
    m.xConnect = connect;
    m.xBestIndex = best_index;
    m.xFilter = filter;
  }
  m.xDisconnect = disconnect;
  m.xOpen = open;
  m.xClose = close;
  m.xNext = next;
  m.xEof = eof;
  m.xColumn = column;
  m.xRowid = rowid;
  if (kind == ModuleKind::writable) m.xUpdate = update;
  return m;
}
constexpr sqlite3_module read_only_module = make_module(ModuleKind::read_only);
constexpr sqlite3_module writable_module = make_module(ModuleKind::writable);
constexpr sqlite3_module created_module = make_module(ModuleKind::created);

}  // namespace

int TableModule::register_function(sqlite3* db, const FunctionSpec& spec, const std::shared_ptr<Session>& session,
                                   const Calls& calls) {
  auto binding = std::make_unique<TableBinding>(TableBinding{{spec, session}, calls});
  const auto* module = calls.create != nullptr  ? &created_module
                       : calls.write != nullptr ? &writable_module
                                                : &read_only_module;
  const std::string name(spec.name);
  return sqlite3_create_module_v2(db, name.c_str(), module, binding.release(), [](void* pointer) {
    std::unique_ptr<TableBinding>(static_cast<TableBinding*>(pointer)).reset();
  });
}

}  // namespace trustsql::ext
