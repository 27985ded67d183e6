// Allocation failures inside SQLite, as SQLite's own tests make them (https://sqlite.org/testing.html#oomtesting).
#pragma once

namespace test_runner {

// Puts the failing allocator between SQLite and its allocator; to be called before SQLite is initialised.
void install_failing_allocator();

// From here on the `n`th allocation of any thread fails, once; 0 for none. Returns whether one has failed since the
// last call.
bool fail_allocation(int n);

}  // namespace test_runner
