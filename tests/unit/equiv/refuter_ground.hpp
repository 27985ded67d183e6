// A schema with a refuter, for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/settings.hpp"
#include "db/catalog/catalog.hpp"
#include "db/sources/ddl_source.hpp"
#include "db/sqlite/connection.hpp"
#include "equiv/refuter.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "sql/query_shape.hpp"

namespace trustsql::test {

class RefuterGround {
 public:
  explicit RefuterGround(const std::string& ddl) {
    auto source = open_ddl(ddl, settings());
    if (!source.ok()) throw std::runtime_error(source.error().message);
    source_ = *std::move(source);
    init();
  }
  explicit RefuterGround(std::shared_ptr<SandboxSource> source) : source_(std::move(source)) { init(); }

  static const Settings& settings() {
    static const Settings defaults = *Settings::create([](std::string_view) { return std::nullopt; });
    return defaults;
  }

  // `with_plans`: the queries are planned, as far as they can be.
  Result<equiv::Refutation> refute(const std::string& a, const std::string& b, const equiv::RefuteOptions& options = {},
                                   bool with_plans = true) {
    const auto plan_a = with_plans ? plan(a) : std::nullopt;
    const auto plan_b = with_plans ? plan(b) : std::nullopt;
    return refuter_->refute({a, plan_a ? &*plan_a : nullptr, has_outermost_order_by(a)},
                            {b, plan_b ? &*plan_b : nullptr, has_outermost_order_by(b)}, options);
  }

  // The counterexample of a pair that must have one; it is checked in a separate connection.
  equiv::Counterexample counterexample(const std::string& a, const std::string& b,
                                       const equiv::RefuteOptions& options = {}) {
    auto refutation = refute(a, b, options);
    EXPECT_TRUE(refutation.ok()) << refutation.error().message;
    if (!refutation.ok() || !refutation->counterexample) {
      ADD_FAILURE() << "not refuted: " << a << "\n" << b;
      return {};
    }
    EXPECT_TRUE(holds(refutation->counterexample->script, a, b)) << a << "\n"
                                                                 << b << "\n"
                                                                 << refutation->counterexample->script;
    return *std::move(refutation->counterexample);
  }

  // "outright", "null", ..., or "none" if there is no counterexample.
  std::string grade(const std::string& a, const std::string& b, equiv::RefuteOptions options = {}) {
    options.best_grade = true;
    const auto refutation = refute(a, b, options);
    if (!refutation.ok()) return refutation.error().message;
    return refutation->counterexample ? refutation->counterexample->deviations.text() : "none";
  }

  // Whether the queries give different rows, or the same in another order, after `script`.
  static bool holds(const std::string& script, const std::string& a, const std::string& b) {
    auto connection = Connection::open_memory();
    char* message = nullptr;
    if (sqlite3_exec(connection->handle(), script.c_str(), nullptr, nullptr, &message) != SQLITE_OK) {
      ADD_FAILURE() << message << " in " << script;
      sqlite3_free(message);
      return false;
    }
    return rows(connection->handle(), a) != rows(connection->handle(), b);
  }

  std::optional<plan::Plan> plan(const std::string& sql) const {
    auto planned = plan::plan_query(sql, *catalog_);
    if (!planned.ok()) return std::nullopt;
    return plan::normalise(*std::move(planned), {.assume = plan::Assume::nothing(), .verify = true}).plan;
  }
  const Catalog& catalog() const { return *catalog_; }
  equiv::Refuter& refuter() { return *refuter_; }
  SandboxSource& source() { return *source_; }

 private:
  void init() {
    catalog_ = *source_->catalog();
    refuter_ = *equiv::Refuter::create(*source_, SandboxLimits{});
  }

  static std::vector<std::string> rows(sqlite3* db, const std::string& sql) {
    std::vector<std::string> all;
    auto statement = prepare(db, sql);
    if (!statement.ok()) return {statement.error().message};
    while (*statement->step()) {
      std::string row;
      for (int i = 0; i < statement->column_count(); ++i)
        row += std::string(type_name(statement->column(i).type)) + ":" + std::string(statement->column_text(i)) + "|";
      all.push_back(row);
    }
    return all;
  }

  std::shared_ptr<SandboxSource> source_;
  std::shared_ptr<const Catalog> catalog_;
  std::unique_ptr<equiv::Refuter> refuter_;
};

}  // namespace trustsql::test
