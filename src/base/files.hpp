// Whole files: read with a limit, and written so that a reader sees the old bytes or the new ones, never a part.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace trustsql {

// The bytes of a regular file. Errors (io): there is none, it is no regular file (a pipe or a device is not waited
// for), it cannot be read, or it has more than `limit` bytes.
Result<std::string> read_file(std::string_view path, std::size_t limit);

// Writes to a file beside `path`, which then takes its place; an existing file is replaced. Errors (io).
Status write_file(std::string_view path, std::string_view bytes);

}  // namespace trustsql
