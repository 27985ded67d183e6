#pragma once

#include <algorithm>

#include "link/element.hpp"

namespace trustsql::link {

// Whether two elements belong to one table or are joined by a foreign key (CRUSH4SQL, 3.2.2).
inline bool connected(const ElementSet& elements, std::size_t a, std::size_t b) {
  return elements.table_of(a) == elements.table_of(b) || std::ranges::count(elements.linked(a), b) > 0;
}

}  // namespace trustsql::link
