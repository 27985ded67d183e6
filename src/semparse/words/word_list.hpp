// Lists of words, which are arrays of std::string_view or other ranges of texts.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace trustsql::semparse {

// Whether `word` is one of the texts of `list`.
template <class List>
bool is_listed(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

}  // namespace trustsql::semparse
