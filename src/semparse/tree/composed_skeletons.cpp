#include "semparse/tree/composed_skeletons.hpp"

#include <algorithm>
#include <array>

namespace trustsql::semparse {

namespace {

constexpr SelectPart plain_columns{};
constexpr SelectPart counted_rows{Aggregate::count, false, true};
constexpr std::array<SelectPart, 5> amounts = {counted_rows, SelectPart{Aggregate::sum}, SelectPart{Aggregate::avg},
                                               SelectPart{Aggregate::max}, SelectPart{Aggregate::min}};

class Composer {
 public:
  std::vector<Skeleton> compose() {
    for (const auto& amount : amounts) {
      add(grouped({plain_columns, amount}));
      for (const auto& select : {std::vector{plain_columns}, std::vector{plain_columns, amount}}) {
        add_having(select, amount);
        add_sorted(grouped(select), amount);
      }
      auto by_column = grouped({plain_columns, amount});
      by_column.order = plain_columns;
      add_directions(by_column);
      if (amount != counted_rows) add_having({plain_columns, amount}, counted_rows);
      for (const auto& other : amounts)
        if (other != amount) add_pair(amount, other);
    }
    std::sort(composed_.begin(), composed_.end());
    composed_.erase(std::unique(composed_.begin(), composed_.end()), composed_.end());
    return std::move(composed_);
  }

 private:
  static Skeleton grouped(std::vector<SelectPart> select) {
    Skeleton skeleton;
    skeleton.select = std::move(select);
    skeleton.group = true;
    return skeleton;
  }

  // With and without conditions.
  void add(Skeleton skeleton) {
    composed_.push_back(skeleton);
    skeleton.literals = true;
    composed_.push_back(std::move(skeleton));
  }

  void add_directions(Skeleton skeleton) {
    for (const bool descending : {false, true}) {
      skeleton.descending = descending;
      add(skeleton);
    }
  }

  // In the order of the amount: all, the first, the first few.
  void add_sorted(Skeleton skeleton, const SelectPart& amount) {
    skeleton.order = amount;
    for (const auto limit : {LimitKind::none, LimitKind::one, LimitKind::number}) {
      skeleton.limit = limit;
      add_directions(skeleton);
    }
  }

  void add_having(const std::vector<SelectPart>& select, const SelectPart& amount) {
    auto skeleton = grouped(select);
    skeleton.having = amount;
    add(skeleton);
    skeleton.order = select.back().aggregate == Aggregate::none ? amount : select.back();
    add_directions(skeleton);
  }

  void add_pair(const SelectPart& first, const SelectPart& second) {
    add(grouped({plain_columns, first, second}));
    Skeleton of_all_rows;
    of_all_rows.select = {first, second};
    add(of_all_rows);
  }

  std::vector<Skeleton> composed_{};
};

}  // namespace

std::vector<Skeleton> composed_skeletons() { return Composer().compose(); }

}  // namespace trustsql::semparse
