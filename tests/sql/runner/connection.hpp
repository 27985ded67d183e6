// A host connection as an application would have it: the extension loaded, and handlers, limits and settings of its
// own. The runner checks after every record that the extension left all of this unchanged.
#pragma once

#include <sqlite3.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// SQLite may have been compiled without it (scripts/test_hosts.sh).
#pragma weak sqlite3_progress_handler

namespace test_runner {

// How connections get the extension: from the module at `module_path`, or (in the runner that links the static
// library) by sqlite3_auto_extension().
struct ExtensionSource {
  std::string module_path;
};

struct SqliteError : std::runtime_error {
  SqliteError(int result_code, const std::string& message) : std::runtime_error(message), code(result_code) {}
  int code;
};

// What must be as before after a statement that only reads.
struct HostState {
  int changes = 0;
  int total_changes = 0;
  sqlite3_int64 last_rowid = 0;
  bool autocommit = true;
  bool writing = false;
};

class Connection {
 public:
  // `entry`: full, offline, pure, or none (no extension). Throws SqliteError.
  Connection(const std::string& file, bool read_only, const std::string& entry, const ExtensionSource& source);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  sqlite3* handle() const { return db_; }

  struct Outcome {
    std::vector<std::string> names;
    std::vector<std::vector<std::string>> rows;  // as literal() or raw_text() has them
  };
  // Runs all statements of `sql`; the rows of all of them. Throws SqliteError.
  Outcome run(const std::string& sql, bool raw);

  // Whether the statements of the last run(), as far as they were run, only read.
  bool last_only_read() const { return last_only_read_; }

  HostState state() const;
  // What the extension disturbed; empty if nothing. `before` is compared only if given. Host thread only.
  std::string disturbed(const HostState* before);

  // Closes the connection. Returns what the extension left behind if it cannot be closed, else an empty text.
  std::string close();

 private:
  static constexpr int limit_count = SQLITE_LIMIT_WORKER_THREADS + 1;
  static constexpr std::array db_config_flags = {SQLITE_DBCONFIG_ENABLE_FKEY,
                                                 SQLITE_DBCONFIG_ENABLE_TRIGGER,
                                                 SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER,
                                                 SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                                                 SQLITE_DBCONFIG_DEFENSIVE,
                                                 SQLITE_DBCONFIG_WRITABLE_SCHEMA,
                                                 SQLITE_DBCONFIG_LEGACY_ALTER_TABLE,
                                                 SQLITE_DBCONFIG_DQS_DML,
                                                 SQLITE_DBCONFIG_DQS_DDL,
                                                 SQLITE_DBCONFIG_ENABLE_VIEW,
                                                 SQLITE_DBCONFIG_LEGACY_FILE_FORMAT,
                                                 SQLITE_DBCONFIG_TRUSTED_SCHEMA,
                                                 SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE,
                                                 SQLITE_DBCONFIG_ENABLE_QPSG};

  void load(const std::string& entry, const ExtensionSource& source);
  void install_handlers();
  std::array<int, limit_count> limits() const;
  std::array<int, db_config_flags.size()> flags() const;

  sqlite3* db_ = nullptr;
  std::array<int, limit_count> limits_{};
  std::array<int, db_config_flags.size()> flags_{};
  bool last_only_read_ = false;
  int authorizer_calls_ = 0;
  int progress_calls_ = 0;
};

}  // namespace test_runner
