// SlotOrders: in which order questions name two values of one column. Words seldom tell which is which in "when did Ann
// get aspirin together with insulin?"; the order does.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "semparse/examples/query_template.hpp"

namespace trustsql::semparse {

class SlotOrders {
 public:
  // Counts a pattern: `items` as in BankPattern.
  void add(const std::vector<int>& items, const std::vector<TemplateSlot>& slots);

  // Of the patterns, the share that name two slots of one column in the order in which `spans`, the words that fill
  // them, lie in a question; the least of all pairs. Below 1 the examples do not tell which value goes where. 1 if
  // there is no such pair.
  float share(const std::vector<TemplateSlot>& slots, const std::vector<WordSpan>& spans) const;

 private:
  struct Count {
    float all = 0;
    float first = 0;  // the slot with the lower number is named first
  };
  std::map<std::pair<std::size_t, std::size_t>, Count> counts_{};
};

}  // namespace trustsql::semparse
