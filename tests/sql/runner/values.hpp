// How results are written in .test files.
#pragma once

#include <sqlite3.h>

#include <string>

namespace test_runner {

// A value of the current row as a SQL literal that shows its type: 1, 1.0, 'it''s', X'00ff', NULL. Reals in the fewest
// digits that read back as the same number. Texts with control characters are unistr('a\u000ab'), texts that are not
// UTF-8 CAST(X'ff' AS TEXT).
std::string literal(sqlite3_stmt* statement, int column);

// As text; nothing for NULL.
std::string raw_text(sqlite3_stmt* statement, int column);

// Whether the two literals are equal, or are numbers that differ by at most tolerance * max(1, |expected|).
bool nearly_equal(const std::string& expected, const std::string& actual, double tolerance);

}  // namespace test_runner
