// The calls whose allocations are made to fail.
#pragma once

#include <string>
#include <vector>

namespace allocation_test {

struct Call {
  std::string name;  // of the function
  std::string sql;
  std::string setup;     // SQL, run after the extension has been loaded
  std::string file{};    // of the host's database; empty: in memory
  std::string before{};  // SQL, run before each call of `sql`, in the same folder
  bool loads = false;    // loading the extension is tried, not `sql`
};

// The example of every function that is registered, some calls that go deeper, and loading the extension. `folder` is
// where files for them are made.
std::vector<Call> all_calls(const std::string& folder);

}  // namespace allocation_test
