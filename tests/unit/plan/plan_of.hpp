// Plans of queries over a schema given as DDL.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "db/catalog/catalog_reader.hpp"
#include "plan/builder.hpp"
#include "sql/parser.hpp"

namespace trustsql::testing_support {

class PlanMaker {
 public:
  explicit PlanMaker(const char* ddl) {
    sqlite3_open(":memory:", &db_);
    EXPECT_EQ(sqlite3_exec(db_, ddl, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db_);
    catalog_ = *read_catalog(db_);
  }
  PlanMaker(const PlanMaker&) = delete;
  PlanMaker& operator=(const PlanMaker&) = delete;
  ~PlanMaker() { sqlite3_close(db_); }

  // The plan as it is built, with the functions of the linked SQLite and the types of `version`. Precondition: the
  // query is right.
  plan::Plan plan(const std::string& sql, int version = latest_grammar) const {
    const auto query = parse_query(sql, {.version = version});
    if (!query.ok()) throw std::runtime_error(query.error().message);
    static const auto functions = FunctionTable::built_in(sqlite3_libversion_number());
    const auto resolution = resolve(*query, catalog_, {.functions = &functions, .version = version});
    if (!resolution.ok()) throw std::runtime_error(resolution.error().message);
    auto plan = plan::build_plan(*resolution);
    if (!plan.ok()) throw std::runtime_error(plan.error().message);
    return *std::move(plan);
  }
  sqlite3* db() const { return db_; }

 private:
  sqlite3* db_ = nullptr;
  Catalog catalog_;
};

}  // namespace trustsql::testing_support
