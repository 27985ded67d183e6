// docs/api.md matches the registration tables. `scripts/api_docs.sh` (TRUSTSQL_UPDATE_DOCS=1) regenerates it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "ext/registry.hpp"

namespace trustsql::ext {
namespace {

TEST(ApiDocs, AreWhatTheRegistrationTablesSay) {
  const std::string path = TRUSTSQL_SOURCE_DIR "/docs/api.md";
  if (std::getenv("TRUSTSQL_UPDATE_DOCS") != nullptr) std::ofstream(path) << api_markdown();
  std::ostringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), api_markdown()) << "docs/api.md is out of date: run scripts/api_docs.sh";
}

}  // namespace
}  // namespace trustsql::ext
