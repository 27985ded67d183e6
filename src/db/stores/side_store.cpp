#include "db/stores/side_store.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "base/text.hpp"
#include "db/sources/layout.hpp"
#include "db/sqlite/connection.hpp"
#include "db/stores/files.hpp"

namespace trustsql {

namespace {

constexpr std::int32_t application_id = 0x74735131;  // "tsQ1"
constexpr int lock_timeout_ms = 10'000;

// Rows are looked up by the hash of their space and key, since keys (whole prompts) are long, and then compared for
// equality.
constexpr std::string_view schema =
    "CREATE TABLE entry(hash INTEGER NOT NULL, space TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL);"
    "CREATE INDEX entry_hash ON entry(hash)";

// FNV-1a, 64 bits. It is part of the file format: with another hash function no entry would be found.
std::int64_t hash_of(std::string_view space, std::string_view key) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto text : {space, std::string_view("\n"), key})
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<std::int64_t>(hash);
}

enum class FileKind { absent, empty, ours };

// Reads the file's header before SQLite does (https://sqlite.org/fileformat.html, "The Database Header").
Result<FileKind> inspect(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return FileKind::absent;
    return io_error(std::strerror(errno));  // NOLINT(concurrency-mt-unsafe): for messages known to the C library
  }
  if (!S_ISREG(status.st_mode)) return io_error("it is not a regular file");
  if (status.st_size == 0) return FileKind::empty;
  constexpr std::string_view magic("SQLite format 3\0", 16);
  constexpr std::size_t id_offset = 68;
  constexpr std::size_t header_size = 100;
  const auto read = read_file_start(path, header_size);
  if (!read.ok()) return io_error("it cannot be read");
  const auto& header = *read;
  std::uint32_t id = 0;
  for (std::size_t i = id_offset; i < std::min(id_offset + 4, header.size()); ++i)
    id = (id << 8) | static_cast<unsigned char>(header[i]);
  if (header.size() < header_size || !header.starts_with(magic) || id != static_cast<std::uint32_t>(application_id))
    return io_error("it was not created by trustsql, and so it is left unchanged");
  return FileKind::ours;
}

// Creates the tables, unless another process has just done so.
Status create(sqlite3* db) {
  TRUSTSQL_RETURN_IF_ERROR(execute(db, "BEGIN IMMEDIATE"));
  const auto fill = [&]() -> Status {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto objects, query_integer(db, "SELECT count(*) FROM sqlite_schema"));
    if (objects > 0) return ok_status();
    for (const auto statement : split(schema, ';')) TRUSTSQL_RETURN_IF_ERROR(execute(db, statement));
    return execute(db, "PRAGMA application_id=" + std::to_string(application_id));
  };
  if (auto filled = fill(); !filled.ok()) {
    (void)execute(db, "ROLLBACK");
    return filled;
  }
  return execute(db, "COMMIT");
}

}  // namespace

struct SideStore::Impl {
  std::string path;
  Mode mode = Mode::read_write;
  std::mutex mutex;  // guards what follows
  Connection connection;
  Statement begin, begin_write, commit, rollback, select, update, insert, remove;

  Error describe(Error error) const {
    error.code = error.code == ErrorCode::out_of_memory ? error.code : ErrorCode::io;
    return std::move(error).with_prefix("file " + quote_for_message(path));
  }

  Status prepare_all() {
    sqlite3* db = connection.handle();
    const auto make = [db](Statement& statement, std::string_view sql) -> Status {
      TRUSTSQL_ASSIGN_OR_RETURN(statement, prepare(db, sql));
      return ok_status();
    };
    TRUSTSQL_RETURN_IF_ERROR(make(begin, "BEGIN"));
    TRUSTSQL_RETURN_IF_ERROR(make(begin_write, "BEGIN IMMEDIATE"));
    TRUSTSQL_RETURN_IF_ERROR(make(commit, "COMMIT"));
    TRUSTSQL_RETURN_IF_ERROR(make(rollback, "ROLLBACK"));
    TRUSTSQL_RETURN_IF_ERROR(make(select, "SELECT value FROM entry WHERE hash = ?1 AND space = ?2 AND key = ?3"));
    TRUSTSQL_RETURN_IF_ERROR(make(update, "UPDATE entry SET value = ?4 WHERE hash = ?1 AND space = ?2 AND key = ?3"));
    TRUSTSQL_RETURN_IF_ERROR(make(insert, "INSERT INTO entry(hash, space, key, value) VALUES (?1, ?2, ?3, ?4)"));
    return make(remove, "DELETE FROM entry WHERE space = ?1");
  }

  // Runs `work` inside a transaction that `begin_statement` begins. No other thread of this process runs one meanwhile.
  template <class Work>
  Status transaction(Statement& begin_statement, Work&& work) {
    const std::lock_guard lock(mutex);
    auto begun = begin_statement.run();
    if (!begun.ok()) return describe(std::move(begun).error());
    Status result = work();
    if (result.ok()) result = commit.run();
    for (Statement* statement : {&select, &update, &insert, &remove}) statement->reset();
    if (result.ok()) return result;
    if (sqlite3_get_autocommit(connection.handle()) == 0) (void)rollback.run();
    return describe(std::move(result).error());
  }

  static Status bind_key(Statement& statement, std::string_view space, std::string_view key) {
    TRUSTSQL_RETURN_IF_ERROR(statement.bind(1, ValueView::of_integer(hash_of(space, key))));
    TRUSTSQL_RETURN_IF_ERROR(statement.bind(2, ValueView::of_text(space)));
    return statement.bind(3, ValueView::of_text(key));
  }

  Status put_one(std::string_view space, std::string_view key, std::string_view value) {
    for (Statement* statement : {&update, &insert}) {
      TRUSTSQL_RETURN_IF_ERROR(bind_key(*statement, space, key));
      TRUSTSQL_RETURN_IF_ERROR(statement->bind(4, ValueView::of_blob(value)));
      TRUSTSQL_RETURN_IF_ERROR(statement->run());
      if (sqlite3_changes(connection.handle()) > 0) break;
    }
    return ok_status();
  }
};

SideStore::SideStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SideStore::~SideStore() = default;

Result<std::unique_ptr<SideStore>> SideStore::open(const std::string& path, Mode mode) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->mode = mode;
  const auto do_open = [&]() -> Status {
    if (path.empty() || path == ":memory:") return io_error("a file name is required");
    TRUSTSQL_ASSIGN_OR_RETURN(const FileKind kind, inspect(path));
    if (mode == Mode::read_only && kind != FileKind::ours)
      return io_error(kind == FileKind::absent ? "there is no such file" : "it is empty");
    // The file is opened by URI, so that no name has a special meaning.
    std::string uri = file_uri(path);
    const auto mode_position = uri.find("?mode=ro");
    const auto try_open = [&](std::string_view parameters, int flags) -> Status {
      TRUSTSQL_ASSIGN_OR_RETURN(impl->connection,
                                Connection::open(uri.substr(0, mode_position) + std::string(parameters),
                                                 flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX));
      sqlite3* db = impl->connection.handle();
      sqlite3_busy_timeout(db, lock_timeout_ms);
      if (mode == Mode::read_write) {
        if (kind != FileKind::ours) TRUSTSQL_RETURN_IF_ERROR(create(db));
        TRUSTSQL_ASSIGN_OR_RETURN(const auto id, query_integer(db, "PRAGMA application_id"));
        if (id != application_id) return io_error("another program has just created it");
        // Fails if another process is reading or is switching the mode as well; either journal mode works.
        (void)execute(db, "PRAGMA journal_mode=WAL");
        TRUSTSQL_RETURN_IF_ERROR(execute(db, "PRAGMA synchronous=NORMAL"));
      }
      return impl->prepare_all();
    };
    if (mode == Mode::read_write) return try_open("?mode=rwc", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    auto opened = try_open("?mode=ro", SQLITE_OPEN_READONLY);
    struct stat log {};
    const bool has_log = stat((path + "-wal").c_str(), &log) == 0 && log.st_size > 0;
    // If the folder is not writable, a file in WAL mode can be read as an immutable one.
    if (!opened.ok() && !has_log) return try_open("?mode=ro&immutable=1", SQLITE_OPEN_READONLY);
    return opened;
  };
  if (auto opened = do_open(); !opened.ok()) return impl->describe(std::move(opened).error());
  return std::unique_ptr<SideStore>(new SideStore(std::move(impl)));
}

Result<std::vector<std::optional<std::string>>> SideStore::get(std::string_view space,
                                                               std::span<const std::string> keys) {
  std::vector<std::optional<std::string>> values(keys.size());
  Impl& impl = *impl_;
  TRUSTSQL_RETURN_IF_ERROR(impl.transaction(impl.begin, [&]() -> Status {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      impl.select.reset();
      TRUSTSQL_RETURN_IF_ERROR(Impl::bind_key(impl.select, space, keys[i]));
      TRUSTSQL_ASSIGN_OR_RETURN(const bool row, impl.select.step());
      if (row) values[i] = std::string(impl.select.column(0).bytes);
    }
    impl.select.reset();
    return ok_status();
  }));
  return values;
}

Status SideStore::put(std::string_view space, std::span<const std::string> keys, std::span<const std::string> values) {
  assert(keys.size() == values.size());
  Impl& impl = *impl_;
  return impl.transaction(impl.begin_write, [&]() -> Status {
    for (std::size_t i = 0; i < keys.size(); ++i) TRUSTSQL_RETURN_IF_ERROR(impl.put_one(space, keys[i], values[i]));
    return ok_status();
  });
}

Status SideStore::clear(std::string_view space) {
  Impl& impl = *impl_;
  return impl.transaction(impl.begin_write, [&]() -> Status {
    TRUSTSQL_RETURN_IF_ERROR(impl.remove.bind(1, ValueView::of_text(space)));
    return impl.remove.run();
  });
}

}  // namespace trustsql
