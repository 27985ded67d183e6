#include "allocation/trial.hpp"

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "allocation/failing_allocator.hpp"
#include "trustsql/trustsql.h"

namespace allocation_test {

namespace {

struct Answer {
  int code = SQLITE_OK;
  std::string text;  // the rows, or the message
};

// Runs all statements of `sql`.
Answer run(sqlite3* db, const std::string& sql) {
  Answer answer;
  const char* unread = sql.c_str();
  while (*unread != '\0') {
    sqlite3_stmt* statement = nullptr;
    answer.code = sqlite3_prepare_v2(db, unread, -1, &statement, &unread);
    while (answer.code == SQLITE_OK && statement != nullptr) {
      const int code = sqlite3_step(statement);
      if (code == SQLITE_DONE) break;
      if (code != SQLITE_ROW) {
        answer.code = code;
        break;
      }
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const auto type = sqlite3_column_type(statement, i);
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
        if (text == nullptr && type != SQLITE_NULL) answer.code = SQLITE_NOMEM;
        const Uncounted uncounted;
        answer.text +=
            (text == nullptr ? "NULL" : text) + std::string(i + 1 < sqlite3_column_count(statement) ? "|" : "\n");
      }
    }
    if (answer.code != SQLITE_OK) {
      const Uncounted uncounted;
      answer.text = sqlite3_errmsg(db);
    }
    sqlite3_finalize(statement);
    if (answer.code != SQLITE_OK) return answer;
  }
  return answer;
}

int load(sqlite3* db, std::string& message) {
  char* text = nullptr;
  const int code = sqlite3_trustsql_init(db, &text, nullptr);
  const Uncounted uncounted;
  if (text != nullptr) message = text;
  sqlite3_free(text);
  return code;
}

bool tells_of_memory(const Answer& answer) {
  return (answer.code & 0xff) == SQLITE_NOMEM || answer.text.find("memory") != std::string::npos;
}

// In the folders `first` and `second`, for the files that calls write.
void make_trial(const Call& call, long n, const Outcome* right, Outcome& outcome) {
  const auto problem = [&](const std::string& step, const std::string& text) {
    outcome.problem += step + ": " + text + "\n";
  };
  const auto place = std::filesystem::current_path();
  std::filesystem::current_path(place / "first");
  sqlite3* db = nullptr;
  if (sqlite3_open(call.file.empty() ? ":memory:" : call.file.c_str(), &db) != SQLITE_OK)
    return problem("open", sqlite3_errmsg(db));
  std::string message;
  if (!call.loads && load(db, message) != SQLITE_OK) return problem("load", message);
  for (const auto& sql : {call.setup, call.before})
    if (const auto setup = run(db, sql); setup.code != SQLITE_OK) return problem("setup", setup.text);

  fail_at(n);
  Answer answer;
  if (call.loads) {
    answer.code = load(db, answer.text);
  } else {
    answer = run(db, call.sql);
  }
  const auto counted = stop_counting();
  outcome.allocations = counted.allocations;
  outcome.failed = counted.failed;
  outcome.is_error = answer.code != SQLITE_OK;
  outcome.rows = answer.text;
  if (outcome.is_error && !counted.failed) problem("the call fails by itself", answer.text);
  if (outcome.is_error && counted.failed && !tells_of_memory(answer))
    problem("the error is not of memory", answer.text);
  if (!outcome.is_error && right != nullptr && answer.text != right->rows) problem("a wrong result", answer.text);

  if (const auto answer_now = run(db, "SELECT 1"); answer_now.text != "1\n") problem("SELECT 1", answer_now.text);
  std::filesystem::current_path(place / "second");
  if (call.loads) {
    if (load(db, message) != SQLITE_OK) problem("loading again", message);
  } else {
    if (const auto setup = run(db, call.before); setup.code != SQLITE_OK) problem("setup", setup.text);
    const auto again = run(db, call.sql);
    if (right != nullptr && again.text != right->rows) problem("the next call", again.text);
  }
  if (sqlite3_close(db) != SQLITE_OK) problem("close", sqlite3_errmsg(db));
  std::filesystem::current_path(place);
}

void write_all(int file, const std::string& text) {
  for (std::size_t offset = 0; offset < text.size();) {
    const auto written = write(file, text.data() + offset, text.size() - offset);
    if (written <= 0) return;
    offset += static_cast<std::size_t>(written);
  }
}

std::string read_all(int file) {
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  return text;
}

[[noreturn]] void be_child(const Call& call, long n, const Outcome* right, int result) {
  constexpr unsigned longest_seconds = 120;
  alarm(longest_seconds);
  const long live_before = live_blocks();
  Outcome outcome;
  // One block each, whatever their contents.
  outcome.rows.reserve(100);
  outcome.problem.reserve(100);
  char folder[] = "/tmp/trustsql_allocation_XXXXXX";
  if (mkdtemp(folder) == nullptr) _exit(2);
  std::filesystem::create_directory(std::filesystem::path(folder) / "first");
  std::filesystem::create_directory(std::filesystem::path(folder) / "second");
  std::filesystem::current_path(folder);
  make_trial(call, n, right, outcome);
  outcome.sqlite_bytes = sqlite3_memory_used();
  std::filesystem::remove_all(folder);
  const long live = live_blocks() - live_before;
  const nlohmann::json json = {outcome.allocations, outcome.failed,  outcome.is_error,
                               outcome.rows,        outcome.problem, outcome.sqlite_bytes};
  write_all(result, std::to_string(live) + "\n" + json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
#ifdef __SANITIZE_ADDRESS__
  std::exit(0);  // for the leak check
#else
  _exit(0);
#endif
}

}  // namespace

Outcome try_call(const Call& call, long n, const Outcome* right) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(call, n, right, ends[1]);
  }
  close(ends[1]);
  const auto text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  const auto line = text.find('\n');
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || line == std::string::npos) {
    outcome.crashed = true;
    outcome.problem = WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status))
                                          : "ended with " + std::to_string(WEXITSTATUS(status));
    return outcome;
  }
  outcome.live_blocks = std::stol(text.substr(0, line));
  const auto json = nlohmann::json::parse(text.substr(line + 1));
  outcome.allocations = json[0];
  outcome.failed = json[1];
  outcome.is_error = json[2];
  outcome.rows = json[3];
  outcome.problem = json[4];
  outcome.sqlite_bytes = json[5];
  if (right != nullptr && outcome.problem.empty() && outcome.live_blocks != right->live_blocks)
    outcome.problem = "blocks in use: " + std::to_string(outcome.live_blocks) + " instead of " +
                      std::to_string(right->live_blocks) + "\n";
  if (right != nullptr && outcome.problem.empty() && outcome.sqlite_bytes != right->sqlite_bytes)
    outcome.problem = "bytes of SQLite's in use: " + std::to_string(outcome.sqlite_bytes) + " instead of " +
                      std::to_string(right->sqlite_bytes) + "\n";
  return outcome;
}

}  // namespace allocation_test
