#include "db/sandbox/guarded_connection.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "base/stack_space.hpp"
#include "base/text.hpp"
#include "db/sandbox/hardening.hpp"
#include "db/sandbox/nesting.hpp"
#include "db/sandbox/query_text.hpp"
#include "db/sqlite/failure_cause.hpp"
#include "db/sqlite/routines.hpp"

namespace trustsql {

namespace {

// Instructions between two calls of the progress handler. A call takes 5 ns, reading the clock 30 ns, and an
// instruction some 10 ns, but one that produces a text of max_length some 10 ms. So each call reads the clock at first,
// then less and less often while instructions are fast, and again each call when they are slow.
constexpr int progress_interval = 16;
constexpr int max_calls_skipped = 31;
constexpr std::chrono::microseconds fast{50};

// The time between two calls of the function that may stop a query.
constexpr std::chrono::milliseconds stop_interval{50};

// The progress handler runs only at jumps, so it cannot interrupt a long sequence of expressions. This is the number of
// bytes that such a sequence may produce or read: the length limit is lowered for a statement with many calls whose
// time or memory is proportional to the length of a text.
constexpr int straight_line_bytes = 256 << 20;
constexpr int smallest_length_limit = 64 << 10;

// Maximum bytes of SQL text. SQLite takes some 75 bytes of memory to prepare one byte.
constexpr int longest_query = 1 << 20;

// Before 3.41 the progress handler does not interrupt preparing, which normally takes microseconds.
constexpr std::chrono::milliseconds longest_prepare{2000};

int count_concatenations(std::string_view sql) {
  int count = 0;
  for (std::size_t position = sql.find("||"); position != std::string_view::npos;
       position = sql.find("||", position + 2))
    ++count;
  return count;
}

// Whether there is memory for a program of `count` instructions of 24 bytes. SQLite doubles the program's memory as it
// grows.
bool has_memory_for_instructions(int count) {
  constexpr sqlite3_uint64 bytes_of_two = 3 * 24;
  void* memory = sqlite3_malloc64(static_cast<sqlite3_uint64>(count) * bytes_of_two);
  sqlite3_free(memory);
  return memory != nullptr;
}

// Behind SQLite's message about something unknown that the host's connection may have.
constexpr std::string_view only_built_in = " (the sandbox provides only those built into SQLite)";

}  // namespace

std::string unknown_function_name(const Error& error) {
  if (error.code != ErrorCode::unknown_function) return "";
  std::string_view message = error.message;
  if (message.ends_with(only_built_in)) message.remove_suffix(only_built_in.size());
  return failure_cause(message).name;
}

SandboxLimits SandboxLimits::from(const Settings& settings) {
  SandboxLimits limits;
  limits.timeout = std::chrono::milliseconds(settings.integer(Setting::timeout_ms));
  limits.max_rows = settings.integer(Setting::max_rows);
  limits.max_bytes = settings.integer(Setting::max_bytes);
  limits.max_length = static_cast<int>(settings.integer(Setting::max_length));
  limits.max_expression_depth = static_cast<int>(settings.integer(Setting::max_expression_depth));
  limits.max_compound_select = static_cast<int>(settings.integer(Setting::max_compound_select));
  limits.max_vdbe_ops = static_cast<int>(settings.integer(Setting::max_vdbe_ops));
  limits.max_steps = settings.integer(Setting::max_steps);
  return limits;
}

Status GuardedConnection::guard(Authorizer::Mode mode, LikeFunction like) {
  TRUSTSQL_RETURN_IF_ERROR(harden(connection_, authorizer_, mode, like, [this] { return look_at_clock(); }));
  set_limits(SandboxLimits{});
  if (has_progress_handler()) sqlite3_progress_handler(connection_.handle(), progress_interval, on_progress, this);
  return ok_status();
}

void GuardedConnection::set_limits(const SandboxLimits& limits) {
  if (limits == limits_ && length_limit_ != 0) return;
  limits_ = limits;
  lock_wait_.set_longest(limits.lock_wait);
  sqlite3* db = connection_.handle();
  set_length_limit(limits.max_length);
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, std::min(limits.max_length, longest_query));
  sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, limits.max_compound_select);
  sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, limits.max_vdbe_ops);
}

// Each query is prepared by the thread that runs it, whose stack SQLite does not look at.
int GuardedConnection::expression_depth() const {
  constexpr std::size_t bytes_of_level = 1024;  // some 600 are used
  return levels_of_stack(bytes_of_level, limits_.max_expression_depth);
}

void GuardedConnection::set_length_limit(int bytes) {
  if (bytes == length_limit_) return;
  length_limit_ = bytes;
  sqlite3_limit(connection_.handle(), SQLITE_LIMIT_LENGTH, bytes);
}

void GuardedConnection::set_stop(std::function<bool()> stop) {
  stop_ = std::move(stop);
  if (stop_) next_stop_ = std::chrono::steady_clock::now() + stop_interval;
}

GuardedConnection::Clock GuardedConnection::start_clock() {
  stopped_by_ = Stop::nothing;
  stop_failure_.reset();
  watchdog_fired_ = false;
  calls_skipped_ = calls_to_skip_ = 0;
  steps_ = 0;
  last_look_ = std::chrono::steady_clock::now();
  deadline_ = std::min(last_look_ + limits_.timeout, last_moment_);
  set_length_limit(limits_.max_length);
  return has_progress_handler() ? nullptr
                                : std::make_unique<Watchdog>(connection_.handle(), deadline_, watchdog_fired_);
}

int GuardedConnection::on_progress(void* self) noexcept {
  auto& connection = *static_cast<GuardedConnection*>(self);
  auto stop = guarded([&] { return connection.must_stop(); });
  if (stop.ok()) return *stop ? 1 : 0;
  connection.stopped_by_ = Stop::requested;
  connection.stop_failure_ = std::move(stop).error();
  return 1;
}

bool GuardedConnection::must_stop() {
  steps_ += progress_interval;
  if (limits_.max_steps > 0 && steps_ > limits_.max_steps) {
    stopped_by_ = Stop::steps;
    return true;
  }
  if (calls_skipped_ < calls_to_skip_) {
    ++calls_skipped_;
    return false;
  }
  calls_skipped_ = 0;
  const auto before = last_look_;
  const bool stops = look_at_clock();
  calls_to_skip_ = last_look_ - before < fast ? std::min(2 * calls_to_skip_ + 1, max_calls_skipped) : 0;
  return stops;
}

bool GuardedConnection::look_at_clock() {
  const auto now = std::chrono::steady_clock::now();
  last_look_ = now;
  if (now >= deadline_) {
    stopped_by_ = Stop::deadline;
  } else if (stop_ && now >= next_stop_) {
    next_stop_ = now + stop_interval;
    if (stop_()) stopped_by_ = Stop::requested;
  }
  return stopped_by_ != Stop::nothing;
}

Result<GuardedConnection::Query> GuardedConnection::prepare_query(std::string_view sql) {
  TRUSTSQL_RETURN_IF_ERROR(check_query_text(sql));
  const auto longest = static_cast<std::size_t>(std::min(limits_.max_length, longest_query));
  if (sql.size() > longest)
    return limit_exceeded("the query has " + std::to_string(sql.size()) + " bytes; at most " + std::to_string(longest) +
                          " are allowed");
  TRUSTSQL_RETURN_IF_ERROR(check_query_nesting(sql));
  TRUSTSQL_RETURN_IF_ERROR(check_unlimited_depth(connection_.handle(), sql));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto copies, views_.copies_in(sql));
  authorizer_.begin(std::min(last_look_ + longest_prepare, deadline_), copies);
  sqlite3_limit(connection_.handle(), SQLITE_LIMIT_EXPR_DEPTH, expression_depth());
  const std::string_view query = skip_blanks(sql);
  sqlite3_stmt* handle = nullptr;
  const char* tail = nullptr;
  int code = sqlite3_prepare_v3(connection_.handle(), query.data(), static_cast<int>(query.size()), 0, &handle, &tail);
  // A query with too many instructions fails in the same way again; if memory was short, there may be enough now.
  if (code == SQLITE_NOMEM && !authorizer_.denial() && !look_at_clock())
    code = sqlite3_prepare_v3(connection_.handle(), query.data(), static_cast<int>(query.size()), 0, &handle, &tail);
  if (code == SQLITE_NOMEM && !authorizer_.denial() && !has_memory_for_instructions(limits_.max_vdbe_ops))
    return sqlite_error(nullptr, code);
  Statement statement(handle);
  if (code != SQLITE_OK) return failure(code, true);
  if (!statement) return not_allowed("the query is empty");
  if (!skip_blanks(query.substr(static_cast<std::size_t>(tail - query.data()))).empty())
    return not_allowed("the query has more than one statement");
  // An unbound parameter would be NULL, and the query would silently mean something else.
  if (sqlite3_bind_parameter_count(handle) > 0)
    return query_failed("the query has parameters, for which there are no values; write the values into the query");
  // The first word and the authorizer rule these out already; this is a second line of defence.
  if (sqlite3_stmt_readonly(handle) == 0 || sqlite3_stmt_isexplain(handle) != 0 || sqlite3_column_count(handle) == 0)
    return not_allowed("the sandbox runs SELECT statements only");
  const int bulk = authorizer_.bulk_calls() + count_concatenations(sql);
  return Query{std::move(statement),
               std::min(limits_.max_length, std::max(smallest_length_limit, straight_line_bytes / std::max(1, bulk)))};
}

Result<ResultSet> GuardedConnection::fetch(const Query& query) {
  set_length_limit(query.length_limit);
  struct Reset {
    sqlite3_stmt* statement;
    ~Reset() { sqlite3_reset(statement); }
  };
  const Reset reset{query.statement.handle()};
  return fetch_rows(query);
}

std::vector<std::string> GuardedConnection::Query::column_names() const {
  return trustsql::column_names(statement.handle());
}

Result<ResultSet> GuardedConnection::fetch_rows(const Query& query) {
  sqlite3_stmt* statement = query.statement.handle();
  ResultSet result(query.column_names());
  const auto columns = static_cast<int>(result.column_count());
  std::int64_t rows = 0;
  while (true) {
    const int code = sqlite3_step(statement);
    if (code == SQLITE_DONE) return result;
    if (code != SQLITE_ROW) return failure(code, false);
    if (++rows > limits_.max_rows)
      return limit_exceeded(
          "the query returns more rows than the setting max_rows = " + std::to_string(limits_.max_rows) + " allows");
    for (int i = 0; i < columns; ++i) result.append(column_value(statement, i));
    if (result.byte_size() > static_cast<std::size_t>(limits_.max_bytes))
      return limit_exceeded("the rows of the query take more bytes than the setting max_bytes = " +
                            std::to_string(limits_.max_bytes) + " allows");
  }
}

Error GuardedConnection::failure(int code, bool preparing) {
  if (authorizer_.denial()) return *authorizer_.denial();
  Error error = sqlite_error(connection_.handle(), code);
  switch (code & 0xff) {
    case SQLITE_INTERRUPT: return stop_failure_ ? *stop_failure_ : reached_limit() ? limit_error() : error;
    case SQLITE_TOOBIG:
      error.message = "the query produces a text or blob longer than " + std::to_string(length_limit_) + " bytes";
      error.message += length_limit_ < limits_.max_length
                           ? " (setting max_length, reduced because the query has many functions and concatenations)"
                           : " (setting max_length)";
      return error;
    case SQLITE_NOMEM:
      // Exceeding SQLITE_LIMIT_VDBE_OP has the same result code as exhausted memory.
      if (preparing)
        return limit_exceeded("the query is too complex: it takes more instructions than the setting max_vdbe_ops = " +
                              std::to_string(limits_.max_vdbe_ops) + " allows, or more memory than is available");
      broken_ = true;
      return error;
    case SQLITE_ERROR: return rejection(std::move(error));
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return read_error(std::move(error));
    default: broken_ = broken_ || error.code == ErrorCode::io; return error;
  }
}

Error GuardedConnection::read_error(Error error) const {
  if (error.code != ErrorCode::io || stopped_by_ == Stop::nothing) return error;
  return stop_failure_ ? *stop_failure_ : reached_limit() ? limit_error() : sqlite_error(nullptr, SQLITE_INTERRUPT);
}

Error GuardedConnection::rejection(Error error) const {
  const auto cause = failure_cause(error.message);
  switch (cause.kind) {
    case FailureCause::Kind::limit:
      if (cause.limit == SQLITE_LIMIT_EXPR_DEPTH) {
        error.code = ErrorCode::limit_exceeded;
        error.message += expression_depth() < limits_.max_expression_depth ? " (for the stack of this thread)"
                                                                           : " (setting max_expression_depth)";
      } else if (cause.limit == SQLITE_LIMIT_COMPOUND_SELECT) {
        error.code = ErrorCode::limit_exceeded;
        error.message += " (setting max_compound_select = " + std::to_string(limits_.max_compound_select) + ")";
      }
      return error;
    case FailureCause::Kind::unknown_function: error.code = ErrorCode::unknown_function; [[fallthrough]];
    case FailureCause::Kind::unknown_collation:
    case FailureCause::Kind::unknown_module: error.message += only_built_in; return error;
    case FailureCause::Kind::unknown_index:
    case FailureCause::Kind::other: return error;
  }
  return error;
}

Error GuardedConnection::limit_error() const {
  if (stopped_by_ == Stop::steps)
    return limit_exceeded(
        "the query took more steps than the setting max_steps = " + std::to_string(limits_.max_steps) + " allows");
  return limit_exceeded(
      "the query ran longer than the setting timeout_ms = " + std::to_string(limits_.timeout.count()) + " allows");
}

}  // namespace trustsql
