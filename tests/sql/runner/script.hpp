// The format of .test files (tests/sql/README.md) and its parser.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace test_runner {

enum class Kind {
  require,     // skip the file unless argument holds
  env,         // NAME=VALUE, or NAME alone to unset
  user,        // run the rest of the file as this user, if started by root
  entry,       // entry point of the connections opened from here on
  open,        // open a connection
  open_error,  // opening a connection must fail
  close,       // close a connection
  connection,  // switch to a connection
  exec,        // a shell script in the temporary folder
  server,      // start an endpoint that answers according to the body
  statement_ok,
  statement_error,
  query,
};

struct Condition {
  std::string text;
  bool negated = false;  // skipif
};

struct Record {
  Kind kind = Kind::query;
  int line = 0;                        // where it begins, from 1
  std::vector<std::string> arguments;  // words after the keyword
  std::vector<Condition> conditions;   // onlyif and skipif lines before it
  std::string body;                    // SQL, shell script or the server's script
  std::vector<std::string> expected;   // lines below ----

  // For statements and queries.
  bool raw = false;
  bool header = false;
  bool unordered = false;
  bool out_of_memory = false;
  double tolerance = 0;            // relative, of reals
  int interrupt_ms = 0;            // 0: never
  std::optional<int> result_code;  // SQLite's primary code
};

struct SyntaxError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws SyntaxError ("line N: ...").
std::vector<Record> parse_script(const std::string& text);

}  // namespace test_runner
