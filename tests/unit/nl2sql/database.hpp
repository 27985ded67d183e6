// A database for tests of what prompts show: in memory, created by a script.
#pragma once

#include <memory>
#include <string>

#include "db/sources/host_database.hpp"
#include "unit/db/support.hpp"

namespace trustsql::nl2sql {

class TestDatabase {
 public:
  explicit TestDatabase(const std::string& script) : host_(connection_) {
    connection_.exec(script);
    auto settings = Settings::create([](std::string_view) { return std::nullopt; });
    auto opened = host_.open_host(*settings);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    source_ = *opened;
    catalog_ = *source_->catalog();
  }

  SandboxSource& source() { return *source_; }
  const Catalog& catalog() const { return *catalog_; }

 private:
  test::TestConnection connection_;
  HostDatabase host_;
  std::shared_ptr<SandboxSource> source_;
  std::shared_ptr<const Catalog> catalog_;
};

}  // namespace trustsql::nl2sql
