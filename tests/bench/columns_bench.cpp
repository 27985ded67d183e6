// How long the search for a permutation of columns takes.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "db/results/column_match.hpp"

namespace {

using namespace trustsql;

constexpr std::int64_t max_steps = 1'000'000;

std::vector<std::size_t> shuffled(std::size_t n, std::mt19937& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

template <class Cell>
ResultSet filled(std::size_t columns, std::size_t rows, Cell cell) {
  ResultSet result(std::vector<std::string>(columns, "c"));
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < columns; ++j) result.append(cell(r, j));
  return result;
}

ResultSet rearranged(const ResultSet& result, std::mt19937& random, bool rows_too = true) {
  const auto columns = shuffled(result.column_count(), random);
  auto rows = shuffled(result.row_count(), random);
  if (!rows_too) std::sort(rows.begin(), rows.end());
  return filled(result.column_count(), result.row_count(),
                [&](std::size_t r, std::size_t j) { return result.at(rows[r], columns[j]); });
}

void match(benchmark::State& state, const ResultSet& a, const ResultSet& b, RowOrder order, bool expected) {
  for (auto _ : state) {
    const auto permutation = match_columns(a, b, order, max_steps);
    if (!permutation.ok() || permutation->has_value() != expected) state.SkipWithError("wrong verdict");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(a.row_count() * a.column_count()));
}

// Columns of random numbers below `values`, rows and columns rearranged.
void random_columns(benchmark::State& state, RowOrder order, std::uint32_t values) {
  std::mt19937 random(1);
  const auto a = filled(30, static_cast<std::size_t>(state.range(0)), [&](std::size_t, std::size_t) {
    return ValueView::of_integer(static_cast<std::int64_t>(random() % values));
  });
  match(state, a, rearranged(a, random, order == RowOrder::bag), order, true);
}
BENCHMARK_CAPTURE(random_columns, thirty_bag, RowOrder::bag, 1'000'000'000U)
    ->Arg(1000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(random_columns, thirty_list, RowOrder::list, 1'000'000'000U)
    ->Arg(1000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
// Two values only: signatures are often equal.
BENCHMARK_CAPTURE(random_columns, thirty_binary_bag, RowOrder::bag, 2U)
    ->Arg(1000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

void identical_columns(benchmark::State& state, bool equal) {
  std::mt19937 random(2);
  const auto cell = [](std::size_t r, std::size_t) {
    return ValueView::of_integer(static_cast<std::int64_t>(r * 2654435761U % 5000));
  };
  const auto a = filled(12, 100'000, cell);
  // The other result has the same columns except for two values that are swapped in one of them.
  const auto other =
      filled(12, 100'000, [&](std::size_t r, std::size_t j) { return cell(!equal && j == 5 && r < 2 ? 1 - r : r, j); });
  match(state, a, rearranged(other, random), RowOrder::bag, equal);
}
BENCHMARK_CAPTURE(identical_columns, twelve_equal, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(identical_columns, twelve_different, false)->Unit(benchmark::kMillisecond);

// 0/1 columns with the same number of ones: only refinement and search help.
void balanced_columns(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  std::mt19937 random(3);
  std::vector<std::vector<bool>> ones(30, std::vector<bool>(rows));
  for (auto& column : ones) {
    const auto order = shuffled(rows, random);
    for (std::size_t k = 0; k < rows / 2; ++k) column[order[k]] = true;
  }
  const auto a =
      filled(30, rows, [&](std::size_t r, std::size_t j) { return ValueView::of_integer(ones[j][r] ? 1 : 0); });
  match(state, a, rearranged(a, random), RowOrder::bag, true);
}
BENCHMARK(balanced_columns)->Arg(100)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
