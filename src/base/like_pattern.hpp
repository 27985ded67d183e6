// SQLite's LIKE and GLOB (https://sqlite.org/lang_expr.html#like), with a look at the clock on the way: a pattern with
// several wildcards takes up to the product of the lengths of text and pattern.
#pragma once

#include <cstdint>
#include <functional>

namespace trustsql {

// The characters that mean something in a pattern, as code points; 0: there is none.
struct PatternSyntax {
  std::uint32_t any_text = 0;       // % or *
  std::uint32_t any_character = 0;  // _ or ?
  std::uint32_t other = 0;          // the escape character of LIKE, the [ of GLOB
  bool has_sets = false;            // `other` begins a set of characters
  bool ignores_case = false;        // of ASCII letters
};

// LIKE with that escape character, 0 where it has none.
PatternSyntax like_syntax(std::uint32_t escape);
PatternSyntax glob_syntax();

enum class PatternMatch { match, no_match, stopped };

// Whether `text` matches `pattern`; both end with a NUL and need not be valid UTF-8, of which this makes what SQLite
// makes of it. `stop` is asked now and then (each some hundred microseconds); `stopped` once it returns true. May be
// empty.
PatternMatch match_pattern(const char* pattern, const char* text, const PatternSyntax& syntax,
                           const std::function<bool()>& stop);

// The character at `*text`, which moves behind it, as SQLite reads UTF-8: never past a NUL.
std::uint32_t read_character(const unsigned char** text);

}  // namespace trustsql
