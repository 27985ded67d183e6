// parallel_for: the only way in which this library spreads work over threads.
//
// SQLite hands rows to a function one by one on one thread, so threads live only inside a single call: an aggregate's
// last step or a table-valued function's first row. Threads are joined before the call returns; none outlives it, so
// none can be running when the host closes its connection or unloads the library.
#pragma once

#include <cstddef>
#include <functional>

namespace trustsql {

// Calls work(index) once for every index in [0, count), on up to `threads` threads.
// Each thread takes the indices of its own range, in order and one at a time, then those left in the other ranges.
// Adjacent indices, which may share data, are therefore rarely in two threads at once. While workers run, the caller's
// thread calls poll() at least every 50 ms; once poll() returns true, no further index is handed out, and parallel_for
// returns false after the calls in progress have ended. Returns true if every index was processed. `work` must be safe
// to call from several threads; poll is called on the caller's thread only. An exception from either also ends the work
// and is rethrown to the caller; if there are several, the first.
bool parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& poll);

// The number of threads that the setting `threads` asks for: its value, or the number of processors if it is 0.
std::size_t thread_count(long long setting);

}  // namespace trustsql
