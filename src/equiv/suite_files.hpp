// Test suites as SQLite files.
//
// <folder>/<name>_001.sqlite, <name>_002.sqlite ... The public evaluator (Zhong et al. 2020) judges on all files
// *.sqlite next to the one that it is given, so such a folder can be used with it as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "equiv/suite.hpp"

namespace trustsql::equiv {

// Whether files of a suite can have this name. Errors: io (a NUL in the path), invalid_argument (a name that is
// empty, begins with a dot, or contains a slash or a NUL).
Status check_suite_place(std::string_view folder, std::string_view name);

// Writes the databases of `suite` into `folder`, which is created if it does not exist; returns their paths. Nothing
// is overwritten: existing files <name>_*.sqlite are an error. Errors: as check_suite_place(), io.
Result<std::vector<std::string>> write_suite(const Suite& suite, const std::string& folder, const std::string& name,
                                             const SandboxLimits& limits);

// The paths of all files *.sqlite in `folder`, sorted; `folder` itself if it is a file. Errors: io (there is no such
// file or folder, or it contains no such files).
Result<std::vector<std::string>> suite_files(const std::string& folder);

}  // namespace trustsql::equiv
