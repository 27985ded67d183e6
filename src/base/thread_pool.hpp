// parallel_for: the one way in which work is spread over threads here.
//
// SQLite hands rows to a function one by one on one thread, so threads live only inside a single call: an
// aggregate's last step or a table-valued function's first row. Threads are joined before the call returns; none
// outlives it, hence none can be alive when the host closes its connection or unloads the library.
#pragma once

#include <cstddef>
#include <functional>

namespace trustsql {

// Calls work(index) once for every index in [0, count), on up to `threads` threads.
// Each thread takes the indices of a range of its own, in order and one at a time, then what is left of the others', so
// that neighbours, which may share what they work on, are seldom in two threads at once. While workers run, the
// caller's thread calls poll() at least every 50 ms; once poll() returns true no further index is handed out, and
// parallel_for returns false after those under way have ended. Returns true if every index was worked on. `work` must
// be safe to call from several threads; poll is called on the caller's thread only. What either throws ends the work
// likewise and is thrown to the caller; of several exceptions the first.
bool parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& poll);

// The number of threads that the setting `threads` asks for: itself, or the number of processors where it is 0.
std::size_t thread_count(long long setting);

}  // namespace trustsql
