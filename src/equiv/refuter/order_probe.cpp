#include "equiv/refuter/order_probe.hpp"

#include <algorithm>
#include <numeric>

#include "db/row_match.hpp"

namespace trustsql::equiv {

namespace {

// Different results of one query that are kept. More of them than that are not compared with each other any more.
constexpr std::size_t most_results = 48;

class Results {
 public:
  explicit Results(const ResultComparison& how) : how_(how) {}

  // Adds what the queries gave; false if a result of one is now known to be one of the other as well.
  bool add(Observation seen) { return add(std::move(seen.a), a_, b_, true) && add(std::move(seen.b), b_, a_, false); }
  std::optional<Deviations> mildest() const { return mildest_; }

 private:
  bool add(ResultSet result, std::vector<ResultSet>& own, const std::vector<ResultSet>& others, bool is_a) {
    for (const auto& known : own) {
      if (known.column_count() == result.column_count() && rows_match(known, result, identity_permutation(known.column_count()), RowOrder::list))
        return true;
    }
    for (const auto& other : others) {
      const auto difference = is_a ? result_difference(result, other, how_) : result_difference(other, result, how_);
      if (!difference) return false;
      if (!mildest_ || is_milder(*difference, *mildest_)) mildest_ = difference;
    }
    if (own.size() < most_results) own.push_back(std::move(result));
    return true;
  }

  // Deviations make a difference milder.
  static bool is_milder(Deviations a, Deviations b) { return cost(a) > cost(b); }

  ResultComparison how_;
  std::vector<ResultSet> a_;
  std::vector<ResultSet> b_;
  std::optional<Deviations> mildest_;
};

// How many orders of its rows `instance` has, as far as that is less than `most`.
int count_orders(const Instance& instance, int most) {
  int count = 1;
  for (const auto& rows : instance.tables) {
    for (std::size_t i = 2; i <= rows.size(); ++i) {
      count *= static_cast<int>(std::min<std::size_t>(i, 1000));
      if (count > most) return most;
    }
  }
  return count;
}

// The next of all orders, given by the places of the rows; false after the last.
bool next_order(std::vector<std::vector<std::size_t>>& orders) {
  return std::ranges::any_of(orders, [](auto& order) { return std::ranges::next_permutation(order).found; });
}

}  // namespace

Result<std::optional<Deviations>> OrderProbe::mildest_difference(const Instance& instance, int most_orders, bool thorough, Random& random) {
  using Answer = std::optional<Deviations>;
  Results results(keyed_.how());
  TRUSTSQL_ASSIGN_OR_RETURN(auto first, keyed_.observe(instance));
  if (!first.ran || !results.add(std::move(first))) return Answer();
  if (unkeyed_ != nullptr) {
    const bool all = count_orders(instance, most_orders + 1) <= most_orders;
    std::vector<std::vector<std::size_t>> orders;
    for (const auto& rows : instance.tables) {
      orders.emplace_back(rows.size());
      std::iota(orders.back().begin(), orders.back().end(), std::size_t{0});
    }
    for (int i = 0; i < most_orders; ++i) {
      Instance ordered;
      for (std::size_t t = 0; t < instance.tables.size(); ++t) {
        ordered.tables.emplace_back();
        for (const std::size_t row : orders[t]) ordered.tables.back().push_back(instance.tables[t][row]);
      }
      TRUSTSQL_ASSIGN_OR_RETURN(auto seen, unkeyed_->observe(ordered));
      if (!seen.ran || !results.add(std::move(seen))) return Answer();
      if (all) {
        if (!next_order(orders)) break;
      } else if (i == 0) {  // at first forwards and backwards
        for (auto& order : orders) std::ranges::reverse(order);
      } else {
        for (auto& order : orders) {
          for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[static_cast<std::size_t>(random.below(k))]);
        }
      }
    }
  }
  if (thorough) {
    TRUSTSQL_RETURN_IF_ERROR(keyed_.scratch().set_reversed(true));
    auto seen = keyed_.observe(instance);
    TRUSTSQL_RETURN_IF_ERROR(keyed_.scratch().set_reversed(false));
    if (!seen.ok()) return std::move(seen).error();
    if (!seen->ran || !results.add(*std::move(seen))) return Answer();
  }
  return results.mildest();
}

}  // namespace trustsql::equiv
