#include "runner.hpp"

#include <dlfcn.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <regex>
#include <thread>

#include "memory.hpp"
#include "values.hpp"

namespace test_runner {

namespace {

std::ptrdiff_t entries_of(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

// 3.40.1 as SQLite numbers it: 3040001.
int version_number(const std::string& text) {
  int parts[3] = {0, 0, 0};
  if (std::sscanf(text.c_str(), "%d.%d.%d", &parts[0], &parts[1], &parts[2]) < 2)
    throw SyntaxError("'" + text + "' is not a version of SQLite");
  return parts[0] * 1'000'000 + parts[1] * 1'000 + parts[2];
}

std::string join(const std::vector<std::string>& lines, const char* indent = "    ") {
  std::string text;
  for (const auto& line : lines) text += indent + line + "\n";
  return text;
}

bool message_contains(const std::string& message, const std::string& pattern) {
  if (pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/') {
    return std::regex_search(message, std::regex(pattern.substr(1, pattern.size() - 2)));
  }
  return message.find(pattern) != std::string::npos;
}

// Calls sqlite3_interrupt() once, `ms` after its construction, unless it is destroyed before.
class Interrupter {
 public:
  Interrupter(sqlite3* db, int ms) {
    if (ms == 0) return;
    thread_ = std::thread([this, db, ms] {
      std::unique_lock lock(mutex_);
      if (!stop_.wait_for(lock, std::chrono::milliseconds(ms), [this] { return stopped_; })) sqlite3_interrupt(db);
    });
  }
  ~Interrupter() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    stop_.notify_one();
    thread_.join();
  }
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread thread_;
};

// Whether SQLite was compiled with WITHIN GROUP and with an aggregate that it may follow.
bool has_within_group() {
  sqlite3* db = nullptr;
  sqlite3_stmt* statement = nullptr;
  const bool prepared =
      sqlite3_open(":memory:", &db) == SQLITE_OK &&
      sqlite3_prepare_v2(db, "SELECT median() WITHIN GROUP (ORDER BY 1)", -1, &statement, nullptr) == SQLITE_OK;
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return prepared;
}

}  // namespace

Runner::Runner(Paths paths, ExtensionSource source) : paths_(std::move(paths)), source_(std::move(source)) {
  open_files_ = static_cast<std::size_t>(entries_of("/proc/self/fd"));
}

bool Runner::holds(const std::string& condition) const {
  if (condition == "data") return std::filesystem::is_directory(paths_.data);
  if (condition == "progress_handler") return sqlite3_progress_handler != nullptr;
  if (condition == "within_group") return has_within_group();
  if (condition == "root") return geteuid() == 0;
  if (condition == "fast") return std::getenv("TRUSTSQL_TEST_SLOW") == nullptr;
#ifdef TRUSTSQL_STATIC
  constexpr bool is_static = true;
#else
  constexpr bool is_static = false;
#endif
  if (condition == "static") return is_static;
  if (condition == "module") return !is_static;
  if (condition.starts_with("sqlite>=")) return sqlite3_libversion_number() >= version_number(condition.substr(8));
  if (condition.starts_with("sqlite<")) return sqlite3_libversion_number() < version_number(condition.substr(7));
  throw SyntaxError("unknown condition '" + condition + "'");
}

std::string Runner::substitute(std::string text) const {
  const std::pair<std::string, std::string> names[] = {
      {"${DIR}", paths_.folder.string()},
      {"${DATA}", paths_.data.string()},
      {"${SOURCE}", paths_.source.string()},
      {"${VERSION}", TRUSTSQL_VERSION},
      {"${URL}", server_ ? server_->url() : "${URL}"},
  };
  for (const auto& [name, value] : names) {
    for (auto position = text.find(name); position != std::string::npos;
         position = text.find(name, position + value.size()))
      text.replace(position, name.size(), value);
  }
  return text;
}

void Runner::fail(const Record& record, const std::string& message) {
  record_failed_ = true;
  std::printf("%s:%d: %s\n", paths_.script.c_str(), record.line, message.c_str());
  if (!record.body.empty()) std::printf("  in\n%s", record.body.c_str());
  std::printf("\n");
}

void Runner::run(const std::vector<Record>& records) {
  for (const auto& record : records) {
    if (!std::all_of(record.conditions.begin(), record.conditions.end(),
                     [&](const auto& c) { return holds(c.text) != c.negated; }))
      continue;
    record_failed_ = false;
    try {
      run_record(record);
    } catch (const SyntaxError& error) {
      fail(record, error.what());
    } catch (const std::regex_error& error) {
      fail(record, std::string("bad regular expression: ") + error.what());
    } catch (const std::filesystem::filesystem_error& error) {
      fail(record, error.what());
    }
    ++(record_failed_ ? failed_ : passed_);
  }
}

void Runner::run_record(const Record& record) {
  const auto argument = [&](std::size_t i) { return substitute(record.arguments.at(i)); };
  switch (record.kind) {
    case Kind::require:
      if (!holds(argument(0))) throw Skip{"needs " + argument(0)};
      break;
    case Kind::env: {
      const std::string setting = argument(0);
      const auto equals = setting.find('=');
      const std::string name = setting.substr(0, equals);
      equals == std::string::npos ? unsetenv(name.c_str()) : setenv(name.c_str(), setting.c_str() + equals + 1, 1);
      break;
    }
    case Kind::user: run_user(record); break;
    case Kind::entry:
      entry_ = argument(0);
      if (entry_ != "full" && entry_ != "offline" && entry_ != "pure" && entry_ != "none")
        throw SyntaxError("unknown entry point '" + entry_ + "'");
      break;
    case Kind::open:
    case Kind::open_error: run_open(record); break;
    case Kind::close: run_close(record, record.arguments.empty() ? current_ : argument(0)); break;
    case Kind::connection:
      current_ = argument(0);
      if (current_ != "main" && connections_.count(current_) == 0)
        throw SyntaxError("no connection '" + current_ + "' is open");
      break;
    case Kind::exec: run_exec(record); break;
    case Kind::server: run_server(record); break;
    case Kind::statement_ok:
    case Kind::statement_error:
    case Kind::query: run_statement(record); break;
  }
}

void Runner::run_user(const Record& record) {
  if (!connections_.empty() || !std::filesystem::is_empty(paths_.folder))
    throw SyntaxError("user comes before whatever opens a connection or makes a file");
  if (geteuid() != 0) return;
  const passwd* user = getpwnam(record.arguments.front().c_str());
  if (user == nullptr) throw SyntaxError("no user '" + record.arguments.front() + "'");
  // The user may not be able to read the module file; once mapped, it need not be readable.
  if (!source_.module_path.empty()) dlopen(source_.module_path.c_str(), RTLD_NOW);
  if (chown(paths_.folder.c_str(), user->pw_uid, user->pw_gid) != 0 || setgroups(0, nullptr) != 0 ||
      setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0) {
    throw SyntaxError("cannot become user '" + record.arguments.front() + "'");
  }
  prctl(PR_SET_DUMPABLE, 1);  // /proc/self and the leak checker stay usable
}

void Runner::run_exec(const Record& record) {
  std::fflush(stdout);
  const std::string script = "set -e\nunset LD_LIBRARY_PATH LD_PRELOAD\n" + substitute(record.body);
  if (std::system(script.c_str()) != 0) fail(record, "the script failed");
}

// A new server replaces the one before.
void Runner::run_server(const Record& record) {
  server_.reset();
  const auto script = paths_.folder / "server.json";
  std::ofstream(script, std::ios::binary) << substitute(record.body);
  try {
    server_ = std::make_unique<ServerProcess>(script.string(), (paths_.folder / "requests.jsonl").string());
  } catch (const std::runtime_error& error) {
    fail(record, error.what());
    return;
  }
  setenv("TRUSTSQL_LLM_URL", server_->url().c_str(), 1);
}

void Runner::run_open(const Record& record) {
  const std::string name = record.arguments.front();
  const std::string file = record.arguments.size() > 1 ? substitute(record.arguments[1]) : ":memory:";
  const bool read_only = record.arguments.size() > 2 && record.arguments[2] == "readonly";
  if (record.arguments.size() > 2 && !read_only)
    throw SyntaxError("open: unknown option '" + record.arguments[2] + "'");
  if (connections_.count(name) != 0) throw SyntaxError("connection '" + name + "' is open already");
  try {
    connections_[name] = std::make_unique<Connection>(file, read_only, entry_, source_);
    current_ = name;
    if (record.kind == Kind::open_error) fail(record, "opened, although an error was expected");
  } catch (const SqliteError& error) {
    connections_.erase(name);
    if (record.kind == Kind::open_error) {
      compare_message(record, error.what());
    } else {
      fail(record, "cannot open " + file + ": " + error.what());
    }
  }
}

void Runner::run_close(const Record& record, const std::string& name) {
  const auto connection = connections_.find(name);
  if (connection == connections_.end()) throw SyntaxError("no connection '" + name + "' is open");
  if (const std::string left = connection->second->close(); !left.empty()) fail(record, "sqlite3_close: " + left);
  connections_.erase(connection);
}

Connection& Runner::current() {
  auto connection = connections_.find(current_);
  if (connection == connections_.end()) {
    if (current_ != "main") throw SyntaxError("connection '" + current_ + "' is closed");
    connection = connections_.emplace(current_, std::make_unique<Connection>(":memory:", false, entry_, source_)).first;
  }
  return *connection->second;
}

std::vector<std::string> Runner::execute(const Record& record, const std::string& sql) {
  auto& connection = current();
  const Interrupter interrupter(connection.handle(), record.interrupt_ms);
  const auto outcome = connection.run(sql, record.raw);
  std::vector<std::string> lines;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : "|") + cells[i];
    for (std::size_t start = 0; start != std::string::npos;) {  // a raw text may have several lines
      const auto end = line.find('\n', start);
      lines.push_back(line.substr(start, end == std::string::npos ? end : end - start));
      start = end == std::string::npos ? end : end + 1;
    }
  };
  if (record.header) add_line(outcome.names);
  for (const auto& row : outcome.rows) add_line(row);
  return lines;
}

void Runner::run_statement(const Record& record) {
  const std::string sql = substitute(record.body);
  auto& connection = current();
  const HostState before = connection.state();
  try {
    auto lines = execute(record, sql);
    if (record.kind == Kind::statement_error) {
      fail(record, "succeeded, although an error was expected; rows:\n" + join(lines));
    } else if (record.kind == Kind::query) {
      compare_rows(record, lines);
      if (record.out_of_memory && !record_failed_) run_out_of_memory(record, sql, lines);
    }
  } catch (const SqliteError& error) {
    if (record.kind != Kind::statement_error) {
      fail(record, std::string("error: ") + error.what());
    } else {
      if (record.result_code && (error.code & 0xff) != *record.result_code)
        fail(record, std::string("the error is ") + sqlite3_errstr(error.code));
      compare_message(record, error.what());
    }
  }
  if (const std::string changes = connection.disturbed(connection.last_only_read() ? &before : nullptr);
      !changes.empty()) {
    fail(record, "the host connection was disturbed: " + changes);
  }
}

void Runner::run_out_of_memory(const Record& record, const std::string& sql, const std::vector<std::string>& rows) {
  for (int n = 1; !record_failed_; ++n) {
    std::string message;
    std::vector<std::string> lines;
    fail_allocation(n);
    try {
      lines = execute(record, sql);
    } catch (const SqliteError& error) {
      message = error.what();
    }
    const bool failed = fail_allocation(0);
    if (message.empty() && lines != rows)
      fail(record, "allocation " + std::to_string(n) + " failed, and the rows were\n" + join(lines));
    if (!failed && !message.empty()) fail(record, "failed after an earlier failure of an allocation: " + message);
    if (const std::string changes = current().disturbed(nullptr); !changes.empty())
      fail(record, "allocation " + std::to_string(n) + ": disturbed " + changes);
    if (!failed) return;
  }
}

void Runner::compare_rows(const Record& record, std::vector<std::string> actual) {
  std::vector<std::string> expected;
  for (const auto& line : record.expected) expected.push_back(substitute(line));
  if (record.unordered) {
    std::sort(expected.begin(), expected.end());
    std::sort(actual.begin(), actual.end());
  }
  const auto equal_lines = [&](const std::string& a, const std::string& b) {
    if (a == b || record.tolerance == 0) return a == b;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i <= a.size() && j <= b.size()) {
      const auto i_end = std::min(a.find('|', i), a.size());
      const auto j_end = std::min(b.find('|', j), b.size());
      if (!nearly_equal(a.substr(i, i_end - i), b.substr(j, j_end - j), record.tolerance)) return false;
      i = i_end + 1;
      j = j_end + 1;
    }
    return i > a.size() && j > b.size();
  };
  if (std::equal(expected.begin(), expected.end(), actual.begin(), actual.end(), equal_lines)) return;
  fail(record, "expected\n" + join(expected) + "  got\n" + join(actual));
}

void Runner::compare_message(const Record& record, const std::string& message) {
  for (const auto& line : record.expected) {
    if (!message_contains(message, substitute(line)))
      fail(record, "the message should contain\n    " + substitute(line) + "\n  but is\n    " + message);
  }
}

void Runner::finish() {
  Record end;
  end.kind = Kind::close;
  record_failed_ = false;
  while (!connections_.empty()) run_close(end, std::string(connections_.begin()->first));
  server_.reset();
#ifdef TRUSTSQL_STATIC
  sqlite3_reset_auto_extension();
#endif
  // A thread that was joined may still be listed for a moment.
  for (int i = 0; i < 100 && entries_of("/proc/self/task") > 1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (const auto n = entries_of("/proc/self/task"); n > 1)
    fail(end, std::to_string(n - 1) + " threads were left running");
  if (const auto n = static_cast<std::size_t>(entries_of("/proc/self/fd")); n > open_files_) {
    std::string names;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code ignored;
      names += "\n    " + std::filesystem::read_symlink(entry.path(), ignored).string();
    }
    fail(end, "files were left open, of these:" + names);
  }
  if (const auto bytes = sqlite3_memory_used(); bytes != 0)
    fail(end, std::to_string(bytes) + " bytes of SQLite's memory were not freed");
  if (record_failed_) ++failed_;
}

}  // namespace test_runner
