#include "equiv/refuter/order_probe.hpp"

#include <algorithm>
#include <numeric>

#include "db/results/row_match.hpp"

namespace trustsql::equiv {

namespace {

// The maximum number of different results of one query that are kept. With more, results are no longer compared.
constexpr std::size_t max_results = 48;

class Results {
 public:
  Results(const ResultComparison& how, bool fixed) : how_(how), fixed_(fixed) {}

  // Adds the results of both queries; false if they are now known to have one in common, or if only fixed results
  // count and one of them is not.
  bool add(Observation seen) { return add(std::move(seen.a), a_, b_, true) && add(std::move(seen.b), b_, a_, false); }
  std::optional<Deviations> mildest() const { return mildest_; }
  // Whether each query always returned the same number of rows, and the two numbers differ.
  bool differ_in_size() const { return size_a_ >= 0 && size_b_ >= 0 && size_a_ != size_b_; }

 private:
  bool add(ResultSet result, std::vector<ResultSet>& own_results, const std::vector<ResultSet>& others, bool is_a) {
    for (const auto& known : own_results) {
      if (known.column_count() == result.column_count() &&
          rows_match(known, result, identity_permutation(known.column_count()), RowOrder::list))
        return true;
    }
    if (fixed_ && std::ranges::any_of(own_results, [&](const ResultSet& known) {
          return result_difference(known, result, how_).has_value();
        }))
      return false;
    for (const auto& other : others) {
      const auto difference = is_a ? result_difference(result, other, how_) : result_difference(other, result, how_);
      if (!difference) return false;
      if (!mildest_ || is_milder(*difference, *mildest_)) mildest_ = difference;
    }
    if (own_results.size() < max_results) own_results.push_back(std::move(result));
    return true;
  }

  static void note_size(std::size_t rows, std::int64_t& size) {
    const auto now = static_cast<std::int64_t>(rows);
    size = size == unknown_size || size == now ? now : varying_size;
  }

  // Deviations weaken a difference.
  static bool is_milder(Deviations a, Deviations b) { return cost(a) > cost(b); }

  ResultComparison how_;
  bool fixed_;
  std::vector<ResultSet> a_;
  std::vector<ResultSet> b_;
  std::optional<Deviations> mildest_;

  static constexpr std::int64_t unknown_size = -1;
  static constexpr std::int64_t varying_size = -2;
  std::int64_t size_a_ = unknown_size;  // rows, if the number is always the same
  std::int64_t size_b_ = unknown_size;
};

// For each row, the first row that is identical: identical rows may be exchanged without effect.
std::vector<std::size_t> ranks_of(const std::vector<DataRow>& rows) {
  std::vector<std::size_t> ranks(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    ranks[i] = static_cast<std::size_t>(std::ranges::find(rows, rows[i]) - rows.begin());
  std::ranges::sort(ranks);
  return ranks;
}

// The number of orders of the rows of `instance`, or `most` if there are at least as many.
double count_orders(const Instance& instance, double most) {
  double count = 1;
  for (const auto& rows : instance.tables) {
    const auto ranks = ranks_of(rows);
    std::size_t alike = 0;
    for (std::size_t i = 0; i < ranks.size() && count < most * 1e6; ++i) {
      alike = i > 0 && ranks[i] == ranks[i - 1] ? alike + 1 : 1;
      count *= static_cast<double>(i + 1) / static_cast<double>(alike);
    }
  }
  return std::min(count, most);
}

// The orders of the rows of an instance, one after another. If there are few, all of them; otherwise forwards and
// backwards, then with every row once first and once last, then by the values of every column ascending and
// descending, then at random.
class Orders {
 public:
  Orders(const Instance& instance, bool all, Random& random) : instance_(instance), all_(all), random_(random) {
    for (const auto& rows : instance.tables) {
      first_.emplace_back(rows.size());
      std::iota(first_.back().begin(), first_.back().end(), std::size_t{0});
      if (all) first_.back() = ranks_of(rows);
    }
    orders_ = first_;
    if (!all) plan();
  }

  // The rows in the current order.
  Instance current() const {
    Instance ordered;
    for (std::size_t t = 0; t < orders_.size(); ++t) {
      auto& rows = ordered.tables.emplace_back();
      for (const std::size_t row : orders_[t]) rows.push_back(instance_.tables[t][row]);
    }
    return ordered;
  }

  // Advances to the next order; false after the last.
  bool next() {
    if (all_)
      return std::ranges::any_of(orders_,
                                 [](auto& order) { return std::next_permutation(order.begin(), order.end()); });
    orders_ = first_;
    if (next_ < planned_.size()) {
      apply(planned_[next_++]);
    } else {
      for (auto& order : orders_) {
        for (std::size_t k = order.size(); k > 1; --k)
          std::swap(order[k - 1], order[static_cast<std::size_t>(random_.below(k))]);
      }
    }
    return true;
  }

 private:
  struct Step {
    enum class Kind { reverse, first, last, up, down } kind = Kind::reverse;
    std::size_t table = 0;
    std::size_t place = 0;  // a row or a column
  };

  void plan() {
    planned_.push_back({});
    for (std::size_t t = 0; t < instance_.tables.size(); ++t) {
      const auto& rows = instance_.tables[t];
      if (rows.size() < 2) continue;
      for (std::size_t c = 0; c < rows.front().size(); ++c) {
        planned_.push_back({Step::Kind::up, t, c});
        planned_.push_back({Step::Kind::down, t, c});
      }
      for (std::size_t r = 0; r < rows.size(); ++r) {
        planned_.push_back({Step::Kind::first, t, r});
        planned_.push_back({Step::Kind::last, t, r});
      }
    }
  }

  void apply(const Step& step) {
    auto& order = orders_[step.table];
    const auto& rows = instance_.tables[step.table];
    switch (step.kind) {
      case Step::Kind::reverse:
        for (auto& each : orders_) std::ranges::reverse(each);
        break;
      case Step::Kind::first:
        std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(step.place), order.end());
        break;
      case Step::Kind::last:
        std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(step.place) + 1, order.end());
        break;
      case Step::Kind::up:
      case Step::Kind::down:
        std::ranges::stable_sort(order, [&](std::size_t x, std::size_t y) {
          const auto by = compare(view(rows[x][step.place]), view(rows[y][step.place]));
          return step.kind == Step::Kind::up ? by < 0 : by > 0;
        });
        break;
    }
  }

  const Instance& instance_;
  bool all_;
  Random& random_;
  std::vector<std::vector<std::size_t>> first_;
  std::vector<std::vector<std::size_t>> orders_;
  std::vector<Step> planned_;
  std::size_t next_ = 0;
};

}  // namespace

Result<std::optional<Deviations>> OrderProbe::mildest_difference(const Instance& instance, int max_orders,
                                                                 bool thorough, bool fixed, Random& random) {
  using Answer = std::optional<Deviations>;
  Results results(keyed_.how(), fixed);
  TRUSTSQL_ASSIGN_OR_RETURN(auto first, keyed_.observe(instance));
  if (!first.ran || !results.add(std::move(first))) return Answer();
  bool all_tried = unkeyed_ != nullptr;
  if (unkeyed_ != nullptr) {
    all_tried = count_orders(instance, max_orders + 1) <= max_orders;
    Orders orders(instance, all_tried, random);
    for (int i = 0; i < max_orders; ++i) {
      TRUSTSQL_ASSIGN_OR_RETURN(auto seen, unkeyed_->observe(orders.current()));
      if (!seen.ran || !results.add(std::move(seen))) return Answer();
      if (!orders.next()) break;
    }
  }
  if (thorough) {
    TRUSTSQL_RETURN_IF_ERROR(keyed_.scratch().set_reversed(true));
    auto seen = keyed_.observe(instance);
    TRUSTSQL_RETURN_IF_ERROR(keyed_.scratch().set_reversed(false));
    if (!seen.ok()) return std::move(seen).error();
    if (!seen->ran || !results.add(*std::move(seen))) return Answer();
    if (!all_tried && !results.differ_in_size()) return Answer();
  }
  return results.mildest();
}

}  // namespace trustsql::equiv
