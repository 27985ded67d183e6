// InterruptProbe: whether the host wants the statement that it runs to end, asked while the extension works for it.
//
// A host says so by sqlite3_interrupt(), or by a progress handler on its own connection, which SQLite calls between the
// instructions of the host's statements only: while a function of the extension runs queries on private connections or
// waits for a server, no instruction of the host is executed. So the probe runs a query without tables on the host's
// connection, inside its statement, from time to time: SQLite then calls the handler, and ends the query if the handler
// says so or if the connection was interrupted.
//
// What this does not achieve: a handler that is to be called every N instructions is called only if the probe has as
// many instructions. Most probes have some 50,000, one in a second about a million. A host whose authorizer refuses
// recursive queries is asked for interrupts alone.
// (https://sqlite.org/c3ref/progress_handler.html, https://sqlite.org/c3ref/interrupt.html)
#pragma once

#include <chrono>

struct sqlite3;

namespace trustsql {

class InterruptProbe {
 public:
  // Whether the statement that `host` runs is to end. Probes at most 20 times a second, and returns false in between.
  // Takes 1 ms, once a second 20 ms, plus the time of the host's handler. To be called in the host's thread, while a
  // statement of the host runs: without one, SQLite would forget the interrupt.
  bool is_interrupted(sqlite3* host);

 private:
  using Clock = std::chrono::steady_clock;

  bool was_interrupted_ = false;
  Clock::time_point last_probe_;
  Clock::time_point next_long_probe_;
};

}  // namespace trustsql
