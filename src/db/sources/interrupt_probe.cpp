#include "db/sources/interrupt_probe.hpp"

#include "db/sqlite/connection.hpp"

namespace trustsql {

namespace {

constexpr std::chrono::milliseconds probe_interval{50};
constexpr std::chrono::milliseconds probe_time{1};
constexpr std::chrono::milliseconds long_probe_interval{1000};
constexpr std::chrono::milliseconds long_probe_time{20};

// Each row takes some 15 instructions.
constexpr const char* endless_query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT i FROM n";

bool is_interrupt(const Error& error) { return error.code == ErrorCode::interrupted; }

// Runs rows of `sql` on `host` until `end`, or all. Sets `could_run` to false if the host does not allow the query.
// Statements that start while another one runs are interrupted together with it. The statement is prepared each time,
// since one that stays prepared would make sqlite3_close() fail.
bool is_interrupted_in(sqlite3* host, const char* sql, std::chrono::steady_clock::time_point end, bool& could_run) {
  auto probe = prepare(host, sql);
  could_run = probe.ok();
  if (!probe.ok()) return is_interrupt(probe.error());
  do {
    const auto row = probe->step();
    if (!row.ok()) return is_interrupt(row.error());
    if (!*row) return false;
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

bool InterruptProbe::is_interrupted(sqlite3* host) {
  if (sqlite_shim::can_ask_interrupted() && sqlite_shim::is_interrupted(host)) return true;
  const auto now = Clock::now();
  if (now < last_probe_ + probe_interval && !was_interrupted_) return false;
  if (now > last_probe_ + long_probe_interval) next_long_probe_ = now + long_probe_interval;  // a call begins
  last_probe_ = now;
  const bool is_long = now >= next_long_probe_;
  if (is_long) next_long_probe_ = now + long_probe_interval;

  bool could_run = false;
  was_interrupted_ = is_interrupted_in(host, endless_query, now + (is_long ? long_probe_time : probe_time), could_run);
  if (!could_run && !was_interrupted_ && !sqlite_shim::can_ask_interrupted())
    was_interrupted_ = is_interrupted_in(host, "SELECT 1", now, could_run);
  return was_interrupted_;
}

}  // namespace trustsql
