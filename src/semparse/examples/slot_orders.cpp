#include "semparse/examples/slot_orders.hpp"

#include <algorithm>

namespace trustsql::semparse {

void SlotOrders::add(const std::vector<int>& items, const std::vector<TemplateSlot>& slots) {
  const auto place = [&items](std::size_t slot) {
    return std::find(items.begin(), items.end(), -1 - static_cast<int>(slot));
  };
  for (std::size_t a = 0; a < slots.size(); ++a) {
    for (std::size_t b = a + 1; b < slots.size(); ++b) {
      if (slots[a].number || slots[b].number || slots[a].column != slots[b].column) continue;
      auto& count = counts_[{a, b}];
      count.all += 1;
      if (place(a) < place(b)) count.first += 1;
    }
  }
}

float SlotOrders::share(const std::vector<TemplateSlot>& slots, const std::vector<WordSpan>& spans) const {
  float least = 1;
  for (const auto& [pair, count] : counts_) {
    const auto& [a, b] = pair;
    if (b >= slots.size() || slots[a].column != slots[b].column) continue;
    const float first = count.first / count.all;
    least = std::min(least, spans[a].first < spans[b].first ? first : 1 - first);
  }
  return least;
}

}  // namespace trustsql::semparse
