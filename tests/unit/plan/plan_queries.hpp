// Queries that together use every part of the SELECT language, over QueryGenerator::schema().
#pragma once

#include <string>
#include <vector>

namespace trustsql::testing_support {

std::vector<std::string> plan_queries();

}  // namespace trustsql::testing_support
