// Makes the n-th allocation fail, for every n, over a call of each function.
//
//   trustsql_allocation_test [function [n]]
//
// After each failure: no crash; the result is correct or an out-of-memory error; the connection works; the next call
// gives the right result; nothing is left in use. The environment variable TRUSTSQL_TEST_SLOW=1 tries every n; by
// default those after the first few are tried in strides.

#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>

#include "allocation/calls.hpp"
#include "allocation/failing_allocator.hpp"
#include "allocation/trial.hpp"

namespace {

using allocation_test::Call;

struct Totals {
  long points = 0;
  long absorbed = 0;
  long problems = 0;
};

void try_all(const Call& call, bool every, long only, Totals& totals) {
  const auto right = allocation_test::try_call(call, 0, nullptr);
  if (!right.problem.empty()) {
    ++totals.problems;
    std::cout << call.name << ": " << call.sql << "\n  without a failure: " << right.problem << "\n";
    return;
  }
  // A call that allocates so often takes a second or more.
  const bool is_long = right.allocations > 500'000;
  const long first_points = is_long ? 5 : 20;
  const long further_points = is_long ? 5 : 25;
  const long stride = every ? 1 : std::max(1L, (right.allocations - first_points) / further_points);
  std::map<std::string, std::pair<long, long>> problems;  // how often, and the first n
  for (long n = 1;; n += n < first_points ? 1 : stride) {
    if (only > 0) n = only;
    const auto outcome = allocation_test::try_call(call, n, &right);
    if (!outcome.failed && !outcome.crashed) break;
    ++totals.points;
    if (!outcome.is_error && outcome.problem.empty()) ++totals.absorbed;
    if (!outcome.problem.empty()) {
      auto& [count, first] = problems[outcome.problem.substr(0, 400)];
      if (count++ == 0) first = n;
    }
    if (only > 0) break;
  }
  std::cout << call.name << (call.file.empty() ? "" : " (file)") << ": " << right.allocations << " allocations\n";
  for (const auto& [problem, occurrences] : problems) {
    ++totals.problems;
    std::cout << "  " << call.sql << "\n  n = " << occurrences.first << " times, first " << occurrences.second << ": "
              << problem << "\n";
  }
  std::cout.flush();
}

}  // namespace

int main(int count, char** arguments) {
  allocation_test::install_allocator();
  const char* slow = std::getenv("TRUSTSQL_TEST_SLOW");
  const bool every = slow != nullptr && std::string_view(slow) == "1";
  const std::string only = count > 1 ? arguments[1] : "";
  char folder[] = "/tmp/trustsql_allocation_XXXXXX";
  if (mkdtemp(folder) == nullptr) return 2;
  Totals totals;
  long calls = 0;
  for (const auto& call : allocation_test::all_calls(folder)) {
    if (!only.empty() && call.name != only) continue;
    ++calls;
    try_all(call, every, count > 2 ? std::atol(arguments[2]) : 0, totals);
  }
  std::filesystem::remove_all(folder);
  std::cout << calls << " calls, " << totals.points << " failures, " << totals.absorbed << " without consequence, "
            << totals.problems << " problems\n";
  return totals.problems == 0 && totals.points > 0 ? 0 : 1;
}
