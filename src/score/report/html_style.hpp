// The style sheet of the HTML report.
#pragma once

#include <string_view>

namespace trustsql {

// Rules for screens of any width, light and dark, and for paper. Refers to no external resources.
std::string_view html_style();

}  // namespace trustsql
