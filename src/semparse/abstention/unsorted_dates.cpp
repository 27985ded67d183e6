#include "semparse/abstention/unsorted_dates.hpp"

namespace trustsql::semparse {

namespace {

bool compares_by_order(Comparison comparison) {
  return comparison == Comparison::less || comparison == Comparison::less_equal || comparison == Comparison::greater ||
         comparison == Comparison::greater_equal || comparison == Comparison::between;
}

class UnsortedDates {
 public:
  explicit UnsortedDates(const Domain& domain) : domain_(domain) {}

  void look_at(const Block& block) {
    for (const auto& term : block.select)
      if (term.aggregate == Aggregate::min || term.aggregate == Aggregate::max) look_at(term);
    for (const auto& order : block.order)
      if (order.term.aggregate != Aggregate::count) look_at(order.term);
    for (const auto* conditions : {&block.where, &block.having})
      for (const auto& condition : *conditions) {
        if (compares_by_order(condition.comparison) && condition.term.aggregate != Aggregate::count)
          look_at(condition.term);
        for (const auto& subquery : condition.subquery) look_at(subquery);
      }
  }

  std::optional<ColumnId> found{};

 private:
  void look_at(const Term& term) {
    if (term.column != nothing && domain_.column(term.column).has_unsorted_dates) found = term.column;
  }

  const Domain& domain_;
};

}  // namespace

std::optional<ColumnId> unsorted_dates(const Domain& domain, const Tree& tree) {
  UnsortedDates dates(domain);
  dates.look_at(tree.block);
  for (const auto& block : tree.other) dates.look_at(block);
  return dates.found;
}

}  // namespace trustsql::semparse
