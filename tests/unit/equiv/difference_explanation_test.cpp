#include "equiv/difference_explanation.hpp"

#include <gtest/gtest.h>

#include "equiv/explanation/clause_differences.hpp"
#include "equiv/explanation/result_words.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "sql/printer.hpp"
#include "unit/equiv/refuter_ground.hpp"

namespace trustsql::equiv {
namespace {

using test::RefuterGround;

constexpr const char* stage =
    "CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT, country TEXT);"
    "CREATE TABLE concert(id INTEGER PRIMARY KEY, singer INT NOT NULL REFERENCES singer(id), year INT NOT NULL,"
    " place TEXT);";

std::string phrases(const RefuterGround& ground, const std::string& a, const std::string& b) {
  const auto clauses = [&](const std::string& sql) {
    auto plan = plan::plan_query(sql, ground.catalog());
    EXPECT_TRUE(plan.ok()) << sql;
    return explanation::clauses_of(
        plan::normalise(*std::move(plan), {.assume = plan::Assume::nothing()}).plan);
  };
  std::string all;
  for (const auto& phrase : explanation::clause_differences(clauses(a), clauses(b), "a"))
    all += (all.empty() ? "" : "; ") + phrase;
  return all;
}
