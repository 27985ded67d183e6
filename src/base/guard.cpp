#include "base/guard.hpp"

#include <exception>
#include <new>
#include <string>

namespace trustsql {

Error current_exception_error() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::out_of_memory, {}};
  } catch (const std::exception& exception) {
    try {
      return internal_error(std::string("internal error: ") + exception.what());
    } catch (...) {
      return {ErrorCode::out_of_memory, {}};
    }
  } catch (...) {
    return {ErrorCode::internal, {}};
  }
}

}  // namespace trustsql
