// One call with one failing allocation, in a process of its own: a crash is a result, and what the library sets up once
// per process is set up again.
#pragma once

#include <string>

#include "allocation/calls.hpp"

namespace allocation_test {

struct Outcome {
  bool crashed = false;
  long allocations = 0;  // that the call has made
  bool failed = false;   // whether one of them was made to fail
  bool is_error = false;
  std::string rows;      // of the call, or its error
  std::string problem;   // what is wrong; empty if nothing is
  long live_blocks = 0;  // after the connection has been closed
  long long sqlite_bytes = 0;
};

// Makes `call` with its `n`-th allocation failing (0: none), then checks that the connection works, that the same call
// gives what `right` has (unless that is null), and that the connection closes.
Outcome try_call(const Call& call, long n, const Outcome* right);

}  // namespace allocation_test
