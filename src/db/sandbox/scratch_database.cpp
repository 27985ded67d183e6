#include "db/sandbox/scratch_database.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "db/sandbox/guarded_connection.hpp"
#include "db/sandbox/query_text.hpp"
#include "db/sqlite/failure_cause.hpp"

namespace trustsql {

namespace {

// The number of table statements that are cached; a query that reads other columns of a table needs other statements.
constexpr std::size_t max_statements = 400;

// Bytes that the tables of one schema may take.
constexpr std::int64_t max_bytes = std::int64_t{64} << 20;

std::string qualified(const Table& table) {
  return quote_identifier(table.schema) + "." + quote_identifier(table.name);
}

// `sql`, a statement of sqlite_schema (which never names the schema), rewritten so that it creates the object in
// `schema`. Empty if it does not create an object of kind `kind`.
std::string definition_in(std::string_view sql, std::string_view schema, SchemaObject::Kind kind) {
  Tokenizer tokens(sql);
  if (!tokens.next_significant().is(Keyword::Create)) return {};
  Token token = tokens.next_significant();
  if (kind == SchemaObject::Kind::index && token.is(Keyword::Unique)) token = tokens.next_significant();
  constexpr Keyword keywords[] = {Keyword::Table, Keyword::View, Keyword::Index};
  if (!token.is(keywords[static_cast<std::size_t>(kind)])) return {};
  const Token name = tokens.next_significant();
  if (!name.is_name()) return {};
  if (equals_ignore_case(schema, "main")) return std::string(sql);
  return std::string(sql.substr(0, name.offset)) + quote_identifier(schema) + "." +
         std::string(sql.substr(name.offset));
}

// A CREATE TABLE statement with only what determines how the columns' values compare.
std::string definition_without_keys(const Table& table) {
  std::string sql;
  for (const auto& column : table.columns) {
    sql += (sql.empty() ? "" : ", ") + quote_identifier(column.name);
    switch (column.affinity) {
      case Affinity::text: sql += " TEXT"; break;
      case Affinity::integer: sql += " INT"; break;
      case Affinity::real: sql += " REAL"; break;
      case Affinity::numeric: sql += " NUMERIC"; break;
      case Affinity::none:
      case Affinity::blob: break;
    }
    if (!column.collation.empty()) sql += " COLLATE " + quote_identifier(column.collation);
  }
  return "CREATE TABLE " + qualified(table) + "(" + sql + ")";
}

}  // namespace

struct ScratchDatabase::TableStatements {
  Statement insert;
  Statement remove;
  Statement select;
};

struct ScratchDatabase::Impl {
  explicit Impl(Connection own) : connection(std::move(own)) {}

  // `result` of one of this class's own statements, or the error of the limit that ended it, as for queries.
  template <class T>
  Result<T> in_time(Result<T> result) const {
    if (!result.ok() && connection.reached_limit()) return connection.limit_error();
    return result;
  }

  GuardedConnection connection;
  std::vector<std::string> other_indexes;  // the CREATE statements of indexes that are not needed yet
  std::map<std::string, std::string> missing;
  std::map<std::pair<const Table*, std::vector<int>>, TableStatements> statements;
  std::map<const Table*, TableStatements*> filled;
};

struct ScratchDatabase::Query::Prepared {
  GuardedConnection::Query query;
};

ScratchDatabase::Query::Query() = default;
ScratchDatabase::Query::Query(Query&&) noexcept = default;
ScratchDatabase::Query& ScratchDatabase::Query::operator=(Query&&) noexcept = default;
ScratchDatabase::Query::~Query() = default;

ScratchDatabase::ScratchDatabase(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ScratchDatabase::~ScratchDatabase() = default;

void ScratchDatabase::set_limits(const SandboxLimits& limits) { impl_->connection.set_limits(limits); }
void ScratchDatabase::set_stop(std::function<bool()> stop) { impl_->connection.set_stop(std::move(stop)); }
void ScratchDatabase::set_deadline(std::chrono::steady_clock::time_point deadline) {
  impl_->connection.set_deadline(deadline);
}
bool ScratchDatabase::reached_limit() const { return impl_->connection.reached_limit(); }
bool ScratchDatabase::broken() const { return impl_->connection.broken(); }
const std::map<std::string, std::string>& ScratchDatabase::missing() const { return impl_->missing; }

Result<SchemaDefinition> SchemaDefinition::read(SandboxSource& source) {
  SchemaDefinition definition;
  TRUSTSQL_ASSIGN_OR_RETURN(definition.catalog, source.catalog());
  TRUSTSQL_ASSIGN_OR_RETURN(auto sandbox, source.lease());
  // The order of creation is main before temp, whose views may read tables of the other schemas.
  std::vector<std::string> schemas;
  for (const auto& schema : definition.catalog->schemas()) schemas.push_back(schema.name);
  std::stable_partition(schemas.begin(), schemas.end(),
                        [](const std::string& name) { return !equals_ignore_case(name, "temp"); });
  for (const auto& schema : schemas) {
    TRUSTSQL_ASSIGN_OR_RETURN(
        const ResultSet rows,
        sandbox->run("SELECT type, name, tbl_name, sql FROM " + quote_identifier(schema) +
                     ".sqlite_schema WHERE sql IS NOT NULL AND type IN ('table', 'view', 'index') ORDER BY rowid"));
    for (std::size_t i = 0; i < rows.row_count(); ++i) {
      SchemaObject object;
      const auto type = rows.at(i, 0).bytes;
      object.kind = type == "table"  ? SchemaObject::Kind::table
                    : type == "view" ? SchemaObject::Kind::view
                                     : SchemaObject::Kind::index;
      object.schema = schema;
      object.name = rows.at(i, 1).bytes;
      object.table = rows.at(i, 2).bytes;
      if (object.kind != SchemaObject::Kind::index) {
        const auto* table = definition.catalog->find(schema, object.name);
        if (table == nullptr || table->is_internal()) continue;
        if (table->kind != Table::Kind::table && table->kind != Table::Kind::view) continue;
      }
      object.sql = definition_in(rows.at(i, 3).bytes, schema, object.kind);
      if (!object.sql.empty()) definition.objects.push_back(std::move(object));
    }
  }
  return definition;
}

Result<std::unique_ptr<ScratchDatabase>> ScratchDatabase::open(std::span<const std::string> schemas,
                                                               const SandboxLimits& limits, LikeFunction like) {
  TRUSTSQL_ASSIGN_OR_RETURN(Connection connection, Connection::open_memory());
  std::unique_ptr<ScratchDatabase> scratch(
      new ScratchDatabase(std::make_unique<Impl>(std::move(connection))));  // the constructor is private
  sqlite3* db = scratch->impl_->connection.handle();
  TRUSTSQL_ASSIGN_OR_RETURN(const std::int64_t page_size, query_integer(db, "PRAGMA page_size"));
  const std::string pages = std::to_string(max_bytes / page_size);
  for (const auto& schema : schemas) {
    if (equals_ignore_case(schema, "main") || equals_ignore_case(schema, "temp")) continue;
    TRUSTSQL_RETURN_IF_ERROR(execute(db, "ATTACH ':memory:' AS " + quote_identifier(schema)));
    TRUSTSQL_RETURN_IF_ERROR(execute(db, "PRAGMA " + quote_identifier(schema) + ".max_page_count=" + pages));
  }
  for (const std::string& pragma : {std::string("PRAGMA temp_store=MEMORY"), std::string("PRAGMA foreign_keys=OFF"),
                                    "PRAGMA main.max_page_count=" + pages, "PRAGMA temp.max_page_count=" + pages})
    TRUSTSQL_RETURN_IF_ERROR(execute(db, pragma));
  TRUSTSQL_RETURN_IF_ERROR(scratch->impl_->connection.guard(Authorizer::Mode::schema, like));
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  scratch->impl_->connection.set_limits(limits);
  scratch->impl_->connection.authorizer().set_mode(Authorizer::Mode::query);
  return scratch;
}

Result<std::unique_ptr<ScratchDatabase>> ScratchDatabase::create_empty(std::span<const std::string> schemas,
                                                                       const SandboxLimits& limits, LikeFunction like) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto scratch, open(schemas, limits, like));
  TRUSTSQL_RETURN_IF_ERROR(scratch->begin_if_needed());
  return scratch;
}

Result<std::unique_ptr<ScratchDatabase>> ScratchDatabase::create(const SchemaDefinition& definition,
                                                                 const SandboxLimits& limits, Keys keys) {
  std::vector<std::string> schemas;
  for (const auto& schema : definition.catalog->schemas()) schemas.push_back(schema.name);
  TRUSTSQL_ASSIGN_OR_RETURN(auto scratch, open(schemas, limits, LikeFunction::bounded));
  TRUSTSQL_RETURN_IF_ERROR(scratch->begin_if_needed());
  ViewExpansions views;
  for (const auto& object : definition.objects)
    if (object.kind == SchemaObject::Kind::view) views.add(object.name, object.sql);
  TRUSTSQL_RETURN_IF_ERROR(views.expand());
  scratch->impl_->connection.set_views(std::move(views));
  for (const auto& object : definition.objects) {
    const auto clock = scratch->impl_->connection.start_clock();  // of thousands of tables, none takes long
    std::string sql = object.sql;
    if (object.kind == SchemaObject::Kind::table && keys == Keys::dropped)
      sql = definition_without_keys(*definition.catalog->find(object.schema, object.name));
    if (object.kind == SchemaObject::Kind::index) {
      if (keys == Keys::dropped) continue;
      const auto* table = definition.catalog->find(object.schema, object.table);
      if (table == nullptr) continue;
      const auto of_this_name = [&](const Key& key) { return equals_ignore_case(key.index, object.name); };
      if (std::ranges::none_of(table->keys, of_this_name)) {
        scratch->impl_->other_indexes.push_back(std::move(sql));
        continue;
      }
    }
    auto created = scratch->run_definition(sql);
    if (created.ok()) continue;
    if (created.error().code == ErrorCode::out_of_memory || created.error().code == ErrorCode::interrupted)
      return std::move(created).error();
    scratch->impl_->missing.emplace(to_lower_ascii(object.name), std::move(created).error().message);
  }
  for (const auto& table : definition.catalog->tables())
    if (table.kind == Table::Kind::virtual_table)
      scratch->impl_->missing.emplace(to_lower_ascii(table.name), "it is a virtual table");
  return scratch;
}

Status ScratchDatabase::run_definition(std::string_view sql) {
  auto& authorizer = impl_->connection.authorizer();
  authorizer.set_mode(Authorizer::Mode::schema);
  authorizer.begin(std::chrono::steady_clock::now() + impl_->connection.limits().timeout, 1);
  auto result = execute(impl_->connection.handle(), sql);
  authorizer.set_mode(Authorizer::Mode::query);
  if (!result.ok() && authorizer.denial() && authorizer.denial()->code == ErrorCode::out_of_memory)
    return *authorizer.denial();
  return result;
}

Status ScratchDatabase::begin_if_needed() {
  // An error that causes a rollback ends the transaction.
  if (sqlite3_get_autocommit(impl_->connection.handle()) == 0) return ok_status();
  const Authorizer::Trusted trusted(impl_->connection.authorizer());
  return execute(impl_->connection.handle(), "BEGIN");
}

Status ScratchDatabase::replay(std::string_view script) {
  TRUSTSQL_RETURN_IF_ERROR(begin_if_needed());
  const auto clock = impl_->connection.start_clock();
  for (std::string_view remaining = skip_blanks(script); !remaining.empty(); remaining = skip_blanks(remaining)) {
    const Token first = Tokenizer(remaining).next_significant();
    const std::size_t length = simple_statement_length(remaining);
    if (!first.is(Keyword::Attach)) TRUSTSQL_RETURN_IF_ERROR(run_definition(remaining.substr(0, length)));
    remaining.remove_prefix(length);
  }
  return ok_status();
}

Status ScratchDatabase::write_to(const std::string& path) {
  if (sqlite3_get_autocommit(impl_->connection.handle()) == 0) {
    const Authorizer::Trusted trusted(impl_->connection.authorizer());
    TRUSTSQL_RETURN_IF_ERROR(execute(impl_->connection.handle(), "COMMIT"));
  }
  if (std::error_code error; std::filesystem::exists(path, error))
    return io_error(quote_for_message(path) + " already exists");
  const std::string unfinished = path + ".unfinished";
  const auto write = [&]() -> Status {
    TRUSTSQL_ASSIGN_OR_RETURN(
        const Connection file,
        Connection::open(unfinished, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE));
    return copy_database(file.handle(), "main", impl_->connection.handle(), "main");
  };
  std::error_code error;
  auto written = write();
  if (written.ok()) std::filesystem::rename(unfinished, path, error);
  if (written.ok() && !error) return ok_status();
  const std::string why = error ? error.message() : std::move(written).error().message;
  std::filesystem::remove(unfinished, error);
  return io_error(quote_for_message(path) + " cannot be written: " + why);
}

Result<ScratchDatabase::Query> ScratchDatabase::prepare(std::string_view sql, QueryUse* use) {
  const auto clock = impl_->connection.start_clock();
  impl_->connection.authorizer().note_use(use);
  auto query = impl_->connection.prepare_query(sql);
  impl_->connection.authorizer().note_use(nullptr);
  if (query.ok()) {
    Query prepared;
    prepared.prepared_ = std::make_unique<Query::Prepared>(Query::Prepared{*std::move(query)});
    return prepared;
  }
  if (impl_->other_indexes.empty() || failure_cause(query.error().message).kind != FailureCause::Kind::unknown_index)
    return std::move(query).error();
  for (const auto& index : std::exchange(impl_->other_indexes, {})) static_cast<void>(run_definition(index));
  return prepare(sql, use);
}

Result<ResultSet> ScratchDatabase::run(const Query& query) {
  const auto clock = impl_->connection.start_clock();
  return impl_->connection.fetch(query.prepared_->query);
}

Result<ScratchDatabase::TableStatements*> ScratchDatabase::statements(const Table& table,
                                                                      const std::vector<int>& columns) {
  const auto cached = impl_->statements.find({&table, columns});
  if (cached != impl_->statements.end()) return &cached->second;
  if (impl_->statements.size() >= max_statements) {
    TRUSTSQL_RETURN_IF_ERROR(clear());
    impl_->statements.clear();
  }
  std::string names;
  std::string places;
  for (const int column : columns) {
    names += (names.empty() ? "" : ", ") + quote_identifier(table.columns[static_cast<std::size_t>(column)].name);
    places += places.empty() ? "?" : ", ?";
  }
  sqlite3* db = impl_->connection.handle();
  TableStatements new_statements;
  const std::string target = qualified(table);
  const std::string values = columns.empty() ? " DEFAULT VALUES" : "(" + names + ") VALUES (" + places + ")";
  TRUSTSQL_ASSIGN_OR_RETURN(new_statements.insert, trustsql::prepare(db, "INSERT OR IGNORE INTO " + target + values));
  TRUSTSQL_ASSIGN_OR_RETURN(new_statements.remove, trustsql::prepare(db, "DELETE FROM " + target));
  TRUSTSQL_ASSIGN_OR_RETURN(
      new_statements.select,
      trustsql::prepare(db, "SELECT " + (columns.empty() ? std::string("1") : names) + " FROM " + target));
  return &impl_->statements.emplace(std::pair(&table, columns), std::move(new_statements)).first->second;
}

Status ScratchDatabase::fill(const Table& table, const std::vector<int>& columns, std::span<const Row> rows) {
  const Authorizer::Trusted trusted(impl_->connection.authorizer());
  TRUSTSQL_RETURN_IF_ERROR(begin_if_needed());
  const auto clock = impl_->connection.start_clock();
  TRUSTSQL_ASSIGN_OR_RETURN(TableStatements * cached, statements(table, columns));
  const auto filled = impl_->filled.find(&table);
  if (filled != impl_->filled.end()) TRUSTSQL_RETURN_IF_ERROR(impl_->in_time(filled->second->remove.run()));
  if (rows.empty()) {
    if (filled != impl_->filled.end()) impl_->filled.erase(filled);
    return ok_status();
  }
  impl_->filled[&table] = cached;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      TRUSTSQL_RETURN_IF_ERROR(cached->insert.bind(static_cast<int>(i) + 1, view(row[i])));
    auto inserted = cached->insert.run();
    if (inserted.ok()) continue;
    if (impl_->connection.reached_limit()) return impl_->connection.limit_error();
    // All other errors are caused by the values: a text for a rowid, an overflow in a CHECK.
    const auto code = inserted.error().code;
    if (code == ErrorCode::io || code == ErrorCode::out_of_memory || code == ErrorCode::interrupted) return inserted;
  }
  return ok_status();
}

Status ScratchDatabase::clear() {
  const Authorizer::Trusted trusted(impl_->connection.authorizer());
  TRUSTSQL_RETURN_IF_ERROR(begin_if_needed());
  const auto clock = impl_->connection.start_clock();
  for (auto& [table, cached] : impl_->filled) TRUSTSQL_RETURN_IF_ERROR(impl_->in_time(cached->remove.run()));
  impl_->filled.clear();
  return ok_status();
}

Result<std::vector<ScratchDatabase::Row>> ScratchDatabase::rows(const Table& table, const std::vector<int>& columns) {
  const Authorizer::Trusted trusted(impl_->connection.authorizer());
  TRUSTSQL_RETURN_IF_ERROR(begin_if_needed());
  const auto clock = impl_->connection.start_clock();
  TRUSTSQL_ASSIGN_OR_RETURN(TableStatements * cached, statements(table, columns));
  std::vector<Row> rows;
  while (true) {
    auto more = impl_->in_time(cached->select.step());
    if (!more.ok() || !*more) {
      cached->select.reset();
      if (!more.ok()) return std::move(more).error();
      return rows;
    }
    Row row;
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) row.push_back(to_value(cached->select.column(i)));
    rows.push_back(std::move(row));
  }
}

Status ScratchDatabase::set_reversed(bool reversed) {
  const Authorizer::Trusted trusted(impl_->connection.authorizer());
  return execute(impl_->connection.handle(),
                 reversed ? "PRAGMA reverse_unordered_selects=1" : "PRAGMA reverse_unordered_selects=0");
}

}  // namespace trustsql
