// Authorizer: what a statement on a private connection may do.
// (https://sqlite.org/c3ref/set_authorizer.html)
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/sandbox/query_use.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

class Authorizer {
 public:
  Authorizer() = default;
  Authorizer(const Authorizer&) = delete;
  Authorizer& operator=(const Authorizer&) = delete;

  // Registers this authorizer, which must outlive `db`, with `db`. Until set_mode() is called everything is allowed.
  void install(sqlite3* db);

  enum class Mode {
    trusted,    // everything
    no_select,  // everything but SELECT: PRAGMA table_list prepares a SELECT from each view, and does without it
    schema,     // statements that build a schema: CREATE, DROP, ALTER and INSERT, with the functions of the sandbox
    query,      // the queries that the sandbox runs
  };
  void set_mode(Mode mode) { mode_ = mode; }

  // Built-in functions of SQLite that have been replaced on this connection; none of them may be called.
  void set_replaced_functions(std::vector<std::string> names) { replaced_ = std::move(names); }

  // Forgets what was recorded for the last statement. Call it before preparing a statement; preparing may take until
  // `deadline`. SQLite may copy one expression into it `copies` times at once (expansion.hpp).
  void begin(std::chrono::steady_clock::time_point deadline, std::uint64_t copies) {
    deadline_ = deadline;
    copies_ = copies;
    selects_ = 0;
    bulk_calls_ = 0;
    denial_.reset();
  }
  // Why the first denial since begin() happened: not_allowed; limit_exceeded if preparing took too long or too much
  // memory; or an error in the authorizer itself. Empty if nothing was denied.
  const std::optional<Error>& denial() const { return denial_; }
  // How often the statement calls functions whose cost grows with the length of a text; more expensive functions count
  // more.
  int bulk_calls() const { return bulk_calls_; }

  // Records in `use` what the next statements read, until it is called with nullptr.
  void note_use(QueryUse* use) { use_ = use; }

  // Another mode while this object lives.
  class Within {
   public:
    Within(Authorizer& authorizer, Mode mode) : authorizer_(authorizer), before_(authorizer.mode_) {
      authorizer_.mode_ = mode;
    }
    ~Within() { authorizer_.mode_ = before_; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    Authorizer& authorizer_;
    Mode before_;
  };

  // Lets the extension's own SQL through while this object lives.
  class Trusted : Within {
   public:
    explicit Trusted(Authorizer& authorizer) : Within(authorizer, Mode::trusted) {}
  };

 private:
  static int callback(void* self, int action, const char* first, const char* second, const char* schema,
                      const char* trigger) noexcept;
  int check(int action, const char* first, const char* second);
  void note(int action, const char* first, const char* second, const char* schema);
  int check_select();
  int check_function(std::string_view name);
  int deny(Error why);

  Mode mode_ = Mode::trusted;
  int selects_ = 0;
  int bulk_calls_ = 0;
  std::uint64_t copies_ = 0;
  std::int64_t memory_before_ = 0;
  std::chrono::steady_clock::time_point deadline_;
  QueryUse* use_ = nullptr;
  std::vector<std::string> replaced_;
  std::optional<Error> denial_;
};

}  // namespace trustsql
