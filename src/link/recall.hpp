// Recall of schema elements, by which CRUSH4SQL measures retrieval (r@B in its tables).
#pragma once

#include <optional>
#include <span>
#include <string>

namespace trustsql::link {

// The share of the different names in `gold` that `retrieved` has, 0..1; nullopt if there is none in `gold`. White
// space around a name and the case of ASCII letters do not count.
std::optional<double> element_recall(std::span<const std::string> gold, std::span<const std::string> retrieved);

}  // namespace trustsql::link
