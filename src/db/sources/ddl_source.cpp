#include "db/sources/ddl_source.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "db/sandbox/expansion.hpp"
#include "db/sandbox/hardening.hpp"
#include "db/sandbox/nesting.hpp"
#include "db/sandbox/query_text.hpp"
#include "db/sandbox/watchdog.hpp"
#include "db/sources/pooled_source.hpp"
#include "db/sqlite/routines.hpp"

namespace trustsql {

namespace {

constexpr const char* source_name = "the schema";

class DdlRunner {
 public:
  DdlRunner(Connection connection, const SandboxLimits& limits) : connection_(std::move(connection)), limits_(limits) {}
  DdlRunner(const DdlRunner&) = delete;
  DdlRunner& operator=(const DdlRunner&) = delete;

  Status run(std::string_view ddl, std::int64_t max_bytes) {
    sqlite3* db = connection_.handle();
    TRUSTSQL_ASSIGN_OR_RETURN(const std::int64_t page_size, query_integer(db, "PRAGMA page_size"));
    TRUSTSQL_RETURN_IF_ERROR(execute(db, "PRAGMA max_page_count=" + std::to_string(max_bytes / page_size + 1)));
    TRUSTSQL_RETURN_IF_ERROR(harden(connection_, authorizer_, Authorizer::Mode::schema, LikeFunction::bounded,
                                    [this] { return on_progress(this) != 0; }));
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, limits_.max_length);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, limits_.max_length);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, limits_.max_expression_depth);
    sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, limits_.max_vdbe_ops);
    TRUSTSQL_RETURN_IF_ERROR(check_unlimited_depth(db, ddl));
    deadline_ = std::chrono::steady_clock::now() + limits_.timeout;
    constexpr int progress_interval = 100;
    std::atomic<bool> expired = false;
    std::optional<Watchdog> watchdog;
    if (has_progress_handler()) {
      sqlite3_progress_handler(db, progress_interval, on_progress, this);
    } else {
      watchdog.emplace(db, deadline_, expired);
    }
    for (std::string_view remaining = skip_blanks(ddl); !remaining.empty(); remaining = skip_blanks(remaining))
      TRUSTSQL_RETURN_IF_ERROR(run_statement(remaining));
    return ok_status();
  }

  // The finished databases.
  Result<Layout> layout(std::int64_t max_bytes) {
    const Authorizer::Trusted trusted(authorizer_);
    if (has_progress_handler()) sqlite3_progress_handler(connection_.handle(), 0, nullptr, nullptr);
    Layout layout;
    layout.name = source_name;
    if (sqlite3_db_filename(connection_.handle(), "temp") != nullptr) {
      TRUSTSQL_ASSIGN_OR_RETURN(layout.temp, DatabaseImage::take(connection_.handle(), "temp", max_bytes));
    }
    LayoutDatabase main;
    main.schema = "main";
    TRUSTSQL_ASSIGN_OR_RETURN(main.image, DatabaseImage::take(connection_.handle(), "main", max_bytes));
    layout.databases.push_back(std::move(main));
    return layout;
  }

 private:
  static int on_progress(void* self) noexcept {
    return std::chrono::steady_clock::now() >= static_cast<DdlRunner*>(self)->deadline_ ? 1 : 0;
  }

  // Runs the statement at the start of `remaining` and removes it from there.
  Status run_statement(std::string_view& remaining) {
    const Token word = Tokenizer(remaining).next_significant();
    switch (word.keyword) {
      case Keyword::Begin:
      case Keyword::Commit:
      case Keyword::End:
      case Keyword::Pragma:
      case Keyword::Analyze:
      case Keyword::Vacuum: remaining.remove_prefix(simple_statement_length(remaining)); return ok_status();
      case Keyword::Create:
      case Keyword::Drop:
      case Keyword::Alter:
      case Keyword::Insert:
      case Keyword::Replace: break;
      default: return not_allowed("a schema consists of CREATE statements, not of " + quote_for_message(remaining, 60));
    }

    const std::string_view first = remaining.substr(0, simple_statement_length(remaining));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto copies, ViewExpansions().copies_in(first));
    authorizer_.begin(deadline_, copies);
    sqlite3_stmt* handle = nullptr;
    const char* tail = nullptr;
    int code = sqlite3_prepare_v3(connection_.handle(), remaining.data(), static_cast<int>(remaining.size()), 0,
                                  &handle, &tail);
    const Statement statement(handle);
    if (code == SQLITE_OK && statement) {
      do {
        code = sqlite3_step(handle);
      } while (code == SQLITE_ROW);
    }
    if (code != SQLITE_OK && code != SQLITE_DONE) return failure(code, remaining);
    remaining.remove_prefix(static_cast<std::size_t>(tail - remaining.data()));
    return ok_status();
  }

  Error failure(int code, std::string_view statement) {
    if (authorizer_.denial()) return *authorizer_.denial();
    Error error = sqlite_error(connection_.handle(), code);
    if (error.code == ErrorCode::interrupted)
      return limit_exceeded("the schema takes longer than the setting timeout_ms = " +
                            std::to_string(limits_.timeout.count()) + " allows");
    if ((code & 0xff) == SQLITE_FULL)
      return limit_exceeded("the schema takes more bytes than the setting snapshot_max_bytes allows");
    if (error.code == ErrorCode::query_failed) error.code = ErrorCode::invalid_argument;
    error.message += " in " + quote_for_message(statement.substr(0, simple_statement_length(statement)), 100);
    return error;
  }

  Connection connection_;
  const SandboxLimits limits_;
  Authorizer authorizer_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace

Result<std::shared_ptr<SandboxSource>> open_ddl(std::string_view ddl, const Settings& settings, std::size_t keep) {
  if (ddl.find('\0') != std::string_view::npos) return invalid_argument("the schema contains a NUL character");
  if (!is_valid_utf8(ddl)) return invalid_argument("the schema is not valid UTF-8");
  const SandboxLimits limits = SandboxLimits::from(settings);
  const std::int64_t max_bytes = settings.integer(Setting::snapshot_max_bytes);
  TRUSTSQL_ASSIGN_OR_RETURN(Connection connection, Connection::open_memory());
  DdlRunner runner(std::move(connection), limits);
  TRUSTSQL_RETURN_IF_ERROR(runner.run(ddl, max_bytes));
  TRUSTSQL_ASSIGN_OR_RETURN(Layout layout, runner.layout(max_bytes));
  TRUSTSQL_ASSIGN_OR_RETURN(Connection first, open_layout(layout, least_lock_wait));
  TRUSTSQL_ASSIGN_OR_RETURN(auto source, PooledSource::create(std::move(layout), std::move(first), limits, keep));
  return std::shared_ptr<SandboxSource>(std::move(source));
}

}  // namespace trustsql
