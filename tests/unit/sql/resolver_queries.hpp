// Queries about the rules by which names are resolved, right ones and wrong ones, over the schema of resolver_test.cpp.
#pragma once

#include <string>
#include <vector>

namespace trustsql::testing_support {

std::vector<std::string> resolver_queries();

}  // namespace trustsql::testing_support
