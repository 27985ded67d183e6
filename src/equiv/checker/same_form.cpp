// Whether forms are equal (form.hpp).
#include <algorithm>

#include "equiv/checker/agreement.hpp"
#include "equiv/checker/form.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool same_leaf(const Leaf& a, const Leaf& b, const Given& given) {
  if (a.inputs.size() != b.inputs.size() || !(a.head == b.head) || !(a.shown == b.shown)) return false;
  const auto* aggregate = a.head.as<Aggregate>();
  const bool ordered =
      a.head.is<Limit>() || a.head.is<Window>() || (aggregate != nullptr && looks_at_order(*aggregate));
  for (std::size_t i = 0; i < a.inputs.size(); ++i) {
    if (!same_form(a.inputs[i], b.inputs[i], ordered, given)) return false;
  }
  return true;
}

// Whether the lists are the same in some order.
template <class T, class Same>
bool same_bag(const std::vector<T>& a, const std::vector<T>& b, const Same& same) {
  if (a.size() != b.size()) return false;
  std::vector<bool> used(b.size(), false);
  return std::all_of(a.begin(), a.end(), [&](const T& each) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (used[i] || !same(each, b[i])) continue;
      used[i] = true;
      return true;
    }
    return false;
  });
}

}  // namespace

bool same_form(const Form& a, const Form& b, bool ordered, const Given& given) {
  return (!ordered || a.order == b.order) &&
         same_bag(a.leaves, b.leaves, [&](const Leaf& x, const Leaf& y) { return same_leaf(x, y, given); }) &&
         same_bag(a.lookups, b.lookups,
                  [&](const Lookup& x, const Lookup& y) {
                    return x.kind == y.kind && same_form(x.matches, y.matches, false, given);
                  }) &&
         agree(a.conditions, b.conditions, {}, given);
}

bool same_rows(const Rel& a, const Rel& b, const std::vector<AttributeId>& outputs, bool ordered, const Given& given) {
  const auto of_a = form_of(a, given);
  const auto of_b = form_of(b, given);
  return same_form(of_a, of_b, ordered, given) && std::all_of(outputs.begin(), outputs.end(), [&](AttributeId id) {
           return agree(of_a.resolved(column(id)), of_b.resolved(column(id)), false, {}, given);
         });
}

}  // namespace trustsql::equiv::checker
