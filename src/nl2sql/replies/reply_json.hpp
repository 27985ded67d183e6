// JSON in replies: models wrap it in prose and code fences, and write lists instead of the requested object.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trustsql::nl2sql {

// The text elements of the first JSON array in `reply`; other elements are left out. nullopt if there is no array.
std::optional<std::vector<std::string>> text_list_in(std::string_view reply);

// The members of the first JSON object in `reply`, in order, each as a list of texts (a single text counts as a list of
// one; other values are left out). nullopt if there is no object.
using TextLists = std::vector<std::pair<std::string, std::vector<std::string>>>;
std::optional<TextLists> text_lists_in(std::string_view reply);

}  // namespace trustsql::nl2sql
