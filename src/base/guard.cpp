#include "base/guard.hpp"

#include <exception>
#include <new>
#include <string>

namespace trustsql {

namespace {

// Neither text is long enough for std::string to allocate memory.
Error out_of_memory() noexcept { return {ErrorCode::out_of_memory, "out of memory"}; }
Error unknown_exception() noexcept { return {ErrorCode::internal, "internal error"}; }

}  // namespace

Error current_exception_error() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& exception) {
    try {
      return internal_error(std::string("internal error: ") + exception.what());
    } catch (...) {
      return out_of_memory();
    }
  } catch (...) {
    return unknown_exception();
  }
}

}  // namespace trustsql
