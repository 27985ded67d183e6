// The comparison of results on any two small results, against its definition: every permutation of columns is tried,
// rows are compared as sorted lists.
//
// The input is read as: a byte with the numbers of columns (low half) and rows (high half); a byte whose bits choose
// the order of rows and whether the second result is a permutation of the first; then a byte for each value.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "db/results/column_match.hpp"
#include "fuzz/check.hpp"
#include "score/execution/spider_match.hpp"

namespace {

using trustsql::ResultSet;
using trustsql::RowOrder;
using trustsql::ValueView;
using Rows = std::vector<std::vector<ValueView>>;

constexpr std::int64_t plenty = 10'000'000;

// Few values, so that columns and rows are often equal; among them numbers that are equal and differ in type.
const std::array values = {
    ValueView::null(),          ValueView::of_integer(0), ValueView::of_real(0.0),  ValueView::of_real(-0.0),
    ValueView::of_integer(1),   ValueView::of_real(1.0),  ValueView::of_text("1"),  ValueView::of_blob("1"),
    ValueView::of_integer(2),   ValueView::of_text(""),   ValueView::of_text("ab"), ValueView::of_integer(INT64_MAX),
    ValueView::of_real(9.2e18), ValueView::of_blob(""),   ValueView::of_text("AB"), ValueView::of_text("1.0"),
};

class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::size_t next() {
    if (bytes_.empty()) return 0;
    const std::size_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

Rows read_rows(Input& input, std::size_t columns, std::size_t rows) {
  Rows result(rows);
  for (auto& row : result)
    for (std::size_t j = 0; j < columns; ++j) row.push_back(values[input.next() % values.size()]);
  return result;
}

ResultSet to_result(const Rows& rows, std::size_t columns) {
  ResultSet result(std::vector<std::string>(columns, "c"));
  for (const auto& row : rows)
    for (const auto& value : row) result.append(value);
  return result;
}

Rows permuted(const Rows& rows, std::span<const std::size_t> permutation) {
  Rows result;
  for (const auto& row : rows) {
    auto& copy = result.emplace_back();
    for (const std::size_t j : permutation) copy.push_back(row[j]);
  }
  return result;
}

bool same_rows(Rows a, Rows b, RowOrder order) {
  const auto less = [](const auto& x, const auto& y) {
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(),
                                        [](ValueView v, ValueView w) { return compare(v, w) < 0; });
  };
  if (order == RowOrder::bag) {
    std::sort(a.begin(), a.end(), less);
    std::sort(b.begin(), b.end(), less);
  }
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), trustsql::equal);
  });
}

bool matches_by_definition(const Rows& a, const Rows& b, std::size_t columns, RowOrder order) {
  std::vector<std::size_t> permutation(columns);
  std::iota(permutation.begin(), permutation.end(), std::size_t{0});
  do {
    if (same_rows(a, permuted(b, permutation), order)) return true;
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return false;
}

// A permutation of 0 .. count - 1 that the input chooses.
std::vector<std::size_t> read_permutation(Input& input, std::size_t count) {
  std::vector<std::size_t> permutation(count);
  std::iota(permutation.begin(), permutation.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(permutation[i - 1], permutation[input.next() % i]);
  return permutation;
}

void check(const Rows& a, const Rows& b, std::size_t columns, RowOrder order) {
  const bool expected = matches_by_definition(a, b, columns, order);
  const ResultSet first = to_result(a, columns);
  const ResultSet second = to_result(b, columns);
  for (const bool swapped : {false, true}) {
    const ResultSet& x = swapped ? second : first;
    const ResultSet& y = swapped ? first : second;
    const auto permutation = match_columns(x, y, order, plenty);
    FUZZ_CHECK(permutation.ok());
    FUZZ_CHECK(permutation.value().has_value() == expected);
    if (*permutation) FUZZ_CHECK(rows_match(x, y, **permutation, order));

    // The public evaluator rejects more, never less; without rows everything is equal to it.
    const auto spider = spider_match(x, y, order, plenty);
    FUZZ_CHECK(spider.ok());
    if (!a.empty()) FUZZ_CHECK(*spider == (expected && spider_quick_check(x, y, order)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input({data, size});
  const std::size_t shape = input.next();
  const std::size_t flags = input.next();
  const std::size_t columns = 1 + (shape & 15) % 4;
  const std::size_t rows = (shape >> 4) % 8;
  const RowOrder order = (flags & 1) != 0 ? RowOrder::list : RowOrder::bag;
  const Rows a = read_rows(input, columns, rows);
  if ((flags & 2) == 0) {
    check(a, read_rows(input, columns, rows), columns, order);
    return 0;
  }
  // The same result with its columns, and for bags its rows, in another order; one value may be another one.
  Rows b = permuted(a, read_permutation(input, columns));
  if (order == RowOrder::bag) {
    const auto places = read_permutation(input, rows);
    Rows moved;
    for (const std::size_t i : places) moved.push_back(b[i]);
    b = std::move(moved);
  }
  if ((flags & 4) != 0 && rows > 0)
    b[input.next() % rows][input.next() % columns] = values[input.next() % values.size()];
  check(a, b, columns, order);
  return 0;
}
