// How this binary was built; the values come from CMake (build_info.cpp.in).
#pragma once

namespace trustsql::ext {

const char* build_commit();  // short hash, followed by "+" if the tree had changes; "unknown" outside a checkout
const char* build_type();    // Release, Debug ...
constexpr bool build_is_static() {
#ifdef SQLITE_CORE
  return true;
#else
  return false;
#endif
}

}  // namespace trustsql::ext
