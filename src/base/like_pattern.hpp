// SQLite's LIKE and GLOB (https://sqlite.org/lang_expr.html#like), interruptible: a pattern with several wildcards
// takes time up to the product of the lengths of text and pattern.
#pragma once

#include <cstdint>
#include <functional>

namespace trustsql {

// The characters with a special meaning in a pattern, as code points; 0: there is none.
struct PatternSyntax {
  std::uint32_t any_text = 0;       // % or *
  std::uint32_t any_character = 0;  // _ or ?
  std::uint32_t other = 0;          // the escape character of LIKE, the [ of GLOB
  bool has_sets = false;            // `other` begins a set of characters
  bool ignores_case = false;        // for ASCII letters only
};

// LIKE with this escape character; 0 if it has none.
PatternSyntax like_syntax(std::uint32_t escape);
PatternSyntax glob_syntax();

enum class PatternMatch { match, no_match, stopped };

// Whether `text` matches `pattern`. Both end with a NUL and need not be valid UTF-8; invalid UTF-8 is read as SQLite
// reads it. `stop` is called every few hundred microseconds, and the result is `stopped` once it returns true; it may
// be empty.
PatternMatch match_pattern(const char* pattern, const char* text, const PatternSyntax& syntax,
                           const std::function<bool()>& stop);

// Reads the character at `*text` as SQLite reads UTF-8, and advances `*text` behind it, but never past a NUL.
std::uint32_t read_character(const unsigned char** text);

}  // namespace trustsql
