#include "db/sources/host_database.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <list>
#include <string>
#include <system_error>
#include <utility>

#include "base/parallel_for.hpp"
#include "base/text.hpp"
#include "db/sources/ddl_source.hpp"
#include "db/sources/host_view.hpp"
#include "db/sources/interrupt_probe.hpp"
#include "db/sources/pooled_source.hpp"
#include "db/sqlite/routines.hpp"

namespace trustsql {

namespace {

constexpr std::size_t max_files = 32;  // file databases that are kept open
constexpr std::size_t max_schemas = 8;

// Detects a change of the file at a path without opening it.
struct FileSignature {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t modified_s = 0;
  std::int64_t modified_ns = 0;

  friend bool operator==(const FileSignature&, const FileSignature&) = default;
};

FileSignature signature_of(const struct stat& status) {
  FileSignature signature;
  signature.device = status.st_dev;
  signature.inode = status.st_ino;
  signature.size = status.st_size;
#ifdef __APPLE__
  signature.modified_s = status.st_mtimespec.tv_sec;
  signature.modified_ns = status.st_mtimespec.tv_nsec;
#else
  signature.modified_s = status.st_mtim.tv_sec;
  signature.modified_ns = status.st_mtim.tv_nsec;
#endif
  return signature;
}

struct FileEntry {
  std::string path;
  FileSignature signature;
  std::string immutable_wal;  // for a file opened as immutable: the path at which no -wal may appear
  std::shared_ptr<PooledSource> source;
};

struct SchemaEntry {
  std::string ddl;
  std::uint64_t settings = 0;  // generation of the settings
  std::shared_ptr<SandboxSource> source;
};

// Whether the file `path` exists and is not empty; true if that cannot be determined.
bool has_content(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return errno != ENOENT;
  return status.st_size > 0;
}

// The path next to which SQLite keeps the -wal and -journal files: `path` with symbolic links resolved.
std::string real_path(const std::string& path) {
  std::error_code failed;
  const auto real = std::filesystem::canonical(path, failed);
  return failed ? path : real.string();
}

struct OpenedFile {
  Layout layout;
  Connection connection;
  std::string immutable_wal;
};

Result<OpenedFile> open_regular_file(const std::string& path, std::chrono::milliseconds lock_wait) {
  OpenedFile file;
  file.layout.name = quote_for_message(path);
  file.layout.databases.push_back({"main", file_uri(path), nullptr, false});
  OpenFailure failure;
  auto connection = open_layout(file.layout, lock_wait, &failure);
  if (connection.ok()) {
    file.connection = std::move(connection).value();
    return file;
  }
  // This may be a database in WAL mode in a read-only folder without the -shm file that a reader needs. If no -wal file
  // contains changes, it can be read as an immutable database (https://sqlite.org/wal.html#read_only_databases).
  const bool needs_shm = (failure.code & 0xff) == SQLITE_CANTOPEN || failure.code == SQLITE_READONLY_CANTINIT ||
                         failure.code == SQLITE_READONLY_RECOVERY || failure.code == SQLITE_READONLY_DIRECTORY;
  const std::string real = real_path(path);
  if (!needs_shm || has_content(real + "-journal")) return std::move(connection).error();
  file.immutable_wal = real + "-wal";
  if (has_content(file.immutable_wal)) {
    Error error = std::move(connection).error();
    error.message +=
        "; it is in WAL mode with changes in its -wal file, which only a program with write access to its folder can "
        "read";
    return error;
  }
  file.layout.databases.front() = {"main", file_uri(path, "&immutable=1"), nullptr, true};
  TRUSTSQL_ASSIGN_OR_RETURN(file.connection, open_layout(file.layout, lock_wait));
  return file;
}

// Lets `source` keep connections to files in WAL mode open for as long as `kept` lives; if `kept` is null it keeps
// none.
void keep_open(std::vector<std::shared_ptr<void>>* kept, const std::shared_ptr<PooledSource>& source) {
  if (kept != nullptr &&
      std::ranges::find(*kept, static_cast<void*>(source.get()), &std::shared_ptr<void>::get) != kept->end())
    return;
  if (kept != nullptr) kept->reserve(kept->size() + 1);
  source->retain();
  // Releases the source even if this allocation fails.
  const std::shared_ptr<void> retention(source.get(), [source](void*) { source->release(); });
  if (kept != nullptr) kept->push_back(retention);
}

}  // namespace

struct HostDatabase::Impl {
  sqlite3* host;
  std::list<FileEntry> files;      // the most recently used one first
  std::list<SchemaEntry> schemas;  // the same
  std::shared_ptr<PooledSource> host_source;
  HostView host_view;  // the state that host_source shows
  std::int64_t threads_setting = -1;
  std::size_t kept_connections = 0;
  InterruptProbe interrupt_probe;
  std::optional<bool> threads_allowed;  // once it was asked

  bool may_use_threads() {
    if (!threads_allowed) threads_allowed = allows_threads(host);
    return *threads_allowed;
  }

  // Whether the time of a query can be limited, by a progress handler or by a Watchdog. Errors: not_allowed.
  Status check_deadlines() {
    if (has_progress_handler() || may_use_threads()) return ok_status();
    return not_allowed(
        "this SQLite has neither sqlite3_progress_handler() (SQLITE_OMIT_PROGRESS_CALLBACK) nor mutexes "
        "(SQLITE_CONFIG_SINGLETHREAD), so the time of a query cannot be limited and none is run");
  }

  // The limits of queries on a database that other connections may write to.
  SandboxLimits limits(const Settings& settings, StatementScope* scope) const {
    std::optional<std::chrono::milliseconds> unshared;
    auto& lock_wait = scope != nullptr ? scope->lock_wait_ : unshared;
    if (!lock_wait) lock_wait = lock_wait_of(host);
    auto limits = SandboxLimits::from(settings);
    limits.lock_wait = *lock_wait;
    return limits;
  }

  // The number of idle connections that a source keeps: one for each thread. It is cached, since counting processors
  // takes longer than a query.
  std::size_t keep(const Settings& settings) {
    if (const std::int64_t setting = settings.integer(Setting::threads); setting != threads_setting) {
      threads_setting = setting;
      kept_connections = may_use_threads() ? thread_count(setting) : 1;
    }
    return kept_connections;
  }
};

HostDatabase::HostDatabase(sqlite3* host) : impl_(std::make_unique<Impl>()) { impl_->host = host; }
HostDatabase::~HostDatabase() = default;

bool HostDatabase::may_use_threads() const { return impl_->may_use_threads(); }

Result<std::shared_ptr<SandboxSource>> HostDatabase::open(std::optional<std::string_view> database,
                                                          const Settings& settings, StatementScope* scope) {
  if (database) return open_file(*database, settings, scope);
  return open_host(settings, scope);
}

Result<std::shared_ptr<SandboxSource>> HostDatabase::open_host(const Settings& settings, StatementScope* scope) {
  TRUSTSQL_RETURN_IF_ERROR(impl_->check_deadlines());
  const SandboxLimits limits = impl_->limits(settings, scope);
  const std::size_t keep = impl_->keep(settings);
  auto* const kept = scope != nullptr ? &scope->kept_open_ : nullptr;
  Impl& impl = *impl_;
  if (impl.host_source && impl.host_view.still_holds(impl.host)) {
    impl.host_source->configure(limits, keep);
    keep_open(kept, impl.host_source);
    return std::shared_ptr<SandboxSource>(impl.host_source);
  }
  impl.host_source.reset();
  const bool writing = sqlite3_txn_state(impl.host, nullptr) == SQLITE_TXN_WRITE;
  if (writing && scope != nullptr && scope->snapshot_) return scope->snapshot_;
  TRUSTSQL_ASSIGN_OR_RETURN(HostOpening opening,
                            HostView::open(impl.host, settings.integer(Setting::snapshot_max_bytes), limits.lock_wait));
  TRUSTSQL_ASSIGN_OR_RETURN(
      auto source, PooledSource::create(std::move(opening.layout), std::move(opening.connection), limits, keep));
  impl.host_view = std::move(opening.view);
  impl.host_source = source;
  if (writing && scope != nullptr) scope->snapshot_ = source;
  keep_open(kept, source);
  return std::shared_ptr<SandboxSource>(std::move(source));
}

Result<std::shared_ptr<SandboxSource>> HostDatabase::open_file(std::string_view path, const Settings& settings,
                                                               StatementScope* scope) {
  if (path.empty()) return io_error("'' is not the path of a database; NULL means the database of this connection");
  if (path == ":memory:")
    return io_error("':memory:' is not the path of a database; NULL means the database of this connection");
  if (path.find('\0') != std::string_view::npos)
    return io_error("the path " + quote_for_message(path) + " contains a NUL character");
  const std::string name(path);
  struct stat status {};
  if (::stat(name.c_str(), &status) != 0)
    return io_error("cannot open " + quote_for_message(path) + ": " + std::strerror(errno));
  // Opening a FIFO would block forever, and a folder or a device is not a database.
  if (!S_ISREG(status.st_mode))
    return io_error("cannot open " + quote_for_message(path) + ": it is not a regular file");

  TRUSTSQL_RETURN_IF_ERROR(impl_->check_deadlines());
  const SandboxLimits limits = impl_->limits(settings, scope);
  const std::size_t keep = impl_->keep(settings);
  auto* const kept = scope != nullptr ? &scope->kept_open_ : nullptr;
  const FileSignature signature = signature_of(status);
  auto& files = impl_->files;
  const auto cached = std::ranges::find(files, path, &FileEntry::path);
  if (cached != files.end()) {
    if (cached->signature == signature && (cached->immutable_wal.empty() || !has_content(cached->immutable_wal))) {
      files.splice(files.begin(), files, cached);
      cached->source->configure(limits, keep);
      keep_open(kept, cached->source);
      return std::shared_ptr<SandboxSource>(cached->source);
    }
    files.erase(cached);
  }
  TRUSTSQL_ASSIGN_OR_RETURN(OpenedFile opened, open_regular_file(name, limits.lock_wait));
  TRUSTSQL_ASSIGN_OR_RETURN(auto source,
                            PooledSource::create(std::move(opened.layout), std::move(opened.connection), limits, keep));
  keep_open(kept, source);
  files.push_front({name, signature, std::move(opened.immutable_wal), source});
  if (files.size() > max_files) files.pop_back();
  return std::shared_ptr<SandboxSource>(std::move(source));
}

Result<std::shared_ptr<SandboxSource>> HostDatabase::open_schema(std::string_view ddl, const Settings& settings) {
  TRUSTSQL_RETURN_IF_ERROR(impl_->check_deadlines());
  auto& schemas = impl_->schemas;
  const auto cached = std::ranges::find_if(
      schemas, [&](const SchemaEntry& entry) { return entry.settings == settings.generation() && entry.ddl == ddl; });
  if (cached != schemas.end()) {
    schemas.splice(schemas.begin(), schemas, cached);
    return cached->source;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto source, open_ddl(ddl, settings, impl_->keep(settings)));
  schemas.push_front({std::string(ddl), settings.generation(), source});
  if (schemas.size() > max_schemas) schemas.pop_back();
  return source;
}

bool HostDatabase::interrupted() { return impl_->interrupt_probe.is_interrupted(impl_->host); }

}  // namespace trustsql
