// Sandbox::version(), read transactions, and the pool of connections behind a source.
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "unit/db/support.hpp"

namespace trustsql {
namespace {

using test::Host;
using test::show;
using test::TempDir;
using test::TestConnection;

class VersionTest : public testing::TestWithParam<const char*> {
 protected:
  VersionTest() : path_(dir_.file("a.db")), writer_(path_) {
    writer_.exec(std::string("PRAGMA journal_mode = ") + GetParam());
    writer_.exec("CREATE TABLE t(a); INSERT INTO t VALUES (1)");
    source_ = host_.databases().open(path_, host_.settings(), &scope_).value();
  }

  TempDir dir_;
  std::string path_;
  TestConnection writer_;
  Host host_;
  StatementScope scope_;
  std::shared_ptr<SandboxSource> source_;
};

INSTANTIATE_TEST_SUITE_P(JournalModes, VersionTest, testing::Values("DELETE", "WAL"),
                         [](const auto& mode) { return std::string(mode.param); });

TEST_P(VersionTest, ChangesWithEachCommitOnly) {
  auto lease = source_->lease().value();
  const std::uint64_t first = lease->version().value();
  EXPECT_EQ(lease->version().value(), first);
  EXPECT_EQ(show(lease->run("SELECT a FROM t")), "1");
  EXPECT_EQ(lease->version().value(), first);
  writer_.exec("BEGIN; UPDATE t SET a = 2");
  EXPECT_EQ(lease->version().value(), first);
  writer_.exec("ROLLBACK");
  EXPECT_EQ(lease->version().value(), first);
  writer_.exec("UPDATE t SET a = 3");
  const std::uint64_t second = lease->version().value();
  EXPECT_GT(second, first);
  EXPECT_EQ(lease->version().value(), second);
  writer_.exec("CREATE TABLE u(x)");
  EXPECT_GT(lease->version().value(), second);
}

TEST_P(VersionTest, VersionsOfTwoConnectionsCanBeCompared) {
  auto a = source_->lease().value();
  auto b = source_->lease().value();
  std::uint64_t largest = 0;
  for (int round = 0; round < 5; ++round) {
    // Both agree, and keep agreeing.
    const std::uint64_t agreed = a->version().value();
    EXPECT_GT(agreed, largest);
    EXPECT_EQ(b->version().value(), agreed);
    EXPECT_EQ(a->version().value(), agreed);
    largest = agreed;
    writer_.exec("UPDATE t SET a = a + 1");
  }
}

// The ledger's own connection holds a lock in WAL mode as well, which must be released with the leases and the scope.
TEST_P(VersionTest, ComparingLeavesNoLock) {
  for (const bool in_scope : {true, false}) {
    if (!in_scope) scope_ = StatementScope();
    {
      auto a = source_->lease().value();
      auto b = source_->lease().value();
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(a->version().ok() && b->version().ok());
    }
    if (in_scope) continue;
    EXPECT_EQ(writer_.ask("PRAGMA journal_mode = DELETE"), "delete");
    writer_.exec("PRAGMA locking_mode = EXCLUSIVE; UPDATE t SET a = 2");
  }
}

TEST_P(VersionTest, AReadTransactionSeesOneState) {
  auto lease = source_->lease().value();
  {
    auto reading = ReadTransaction::begin(*lease);
    ASSERT_TRUE(reading.ok()) << reading.error().message;
    EXPECT_EQ(show(lease->run("SELECT a FROM t")), "1");
    EXPECT_EQ(lease->version().value(), reading->version());
    if (std::string_view(GetParam()) == "WAL") {
      writer_.exec("UPDATE t SET a = 2");
    } else {
      EXPECT_EQ(writer_.ask("UPDATE t SET a = 2"), "error: database is locked");
    }
    EXPECT_EQ(show(lease->run("SELECT a FROM t")), "1");
    EXPECT_FALSE(lease->run("SELECT nope FROM t").ok());
    EXPECT_EQ(show(lease->run("SELECT a FROM t")), "1");
    EXPECT_EQ(lease->version().value(), reading->version());
  }
  writer_.exec("UPDATE t SET a = 3");  // the lock is released
  EXPECT_EQ(show(lease->run("SELECT a FROM t")), "3");
}

TEST_P(VersionTest, ALeaseThatEndsEndsItsReadTransaction) {
  {
    auto lease = source_->lease().value();
    ASSERT_TRUE(lease->begin_read().ok());
  }
  writer_.exec("UPDATE t SET a = 3");
  EXPECT_EQ(show(source_->lease().value()->run("SELECT a FROM t")), "3");
}

// Under one version, every connection reads the same content, whoever writes in the meantime.
TEST_P(VersionTest, OneVersionIsOneContentAcrossThreads) {
  std::atomic<bool> stop = false;
  std::thread writing([&] {
    sqlite3_busy_timeout(writer_, 10'000);
    while (!stop) writer_.exec("UPDATE t SET a = a + 1");
  });
  // On a busy machine the readers could be done before the writer has begun.
  std::atomic<std::size_t> states = 0;
  const auto enough = [&](int round) { return round >= 60 && (states > 1 || round >= 100'000); };
  std::mutex mutex;
  std::map<std::uint64_t, std::string> contents;
  std::string failure;  // the last one
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      for (int round = 0; !enough(round); ++round) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));  // the writer has to get its turn
        auto lease = source_->lease();
        if (!lease.ok()) {
          const std::lock_guard guard(mutex);
          failure = lease.error().message;
          continue;
        }
        auto reading = ReadTransaction::begin(**lease);
        if (!reading.ok()) {  // locked
          const std::lock_guard guard(mutex);
          failure = reading.error().message;
          continue;
        }
        const std::string content = show((*lease)->run("SELECT a FROM t"));
        const std::lock_guard guard(mutex);
        const auto entry = contents.emplace(reading->version(), content).first;
        EXPECT_EQ(entry->second, content);
        states = contents.size();
      }
    });
  }
  for (auto& reader : readers) reader.join();
  stop = true;
  writing.join();
  EXPECT_GT(contents.size(), 1U) << failure;
}

TEST(Source, ALockedDatabaseHasNoVersion) {
  TempDir dir;
  const TestConnection writer(dir.file("a.db"));
  writer.exec("CREATE TABLE t(a)");
  Host host;
  auto lease = host.databases().open(dir.file("a.db"), host.settings()).value()->lease().value();
  writer.exec("BEGIN EXCLUSIVE");
  auto version = lease->version();
  ASSERT_FALSE(version.ok());
  EXPECT_EQ(version.error().code, ErrorCode::io);
  EXPECT_FALSE(ReadTransaction::begin(*lease).ok());
  writer.exec("COMMIT");
  EXPECT_TRUE(lease->version().ok());
}

TEST(Source, IdentitiesDiffer) {
  TempDir dir;
  for (const char* name : {"a.db", "b.db"}) TestConnection(dir.file(name)).exec("CREATE TABLE t(a)");
  Host host;
  const auto a = host.databases().open(dir.file("a.db"), host.settings()).value();
  const auto b = host.databases().open(dir.file("b.db"), host.settings()).value();
  const auto own = host.databases().open(std::nullopt, host.settings()).value();
  EXPECT_NE(a->identity(), b->identity());
  EXPECT_NE(a->identity(), own->identity());
  EXPECT_EQ(host.databases().open(dir.file("a.db"), host.settings()).value()->identity(), a->identity());
  EXPECT_EQ(host.databases().open(std::nullopt, host.settings()).value()->identity(), own->identity());
  host.exec("CREATE TABLE made(x)");
  EXPECT_NE(host.databases().open(std::nullopt, host.settings()).value()->identity(), own->identity());
}

TEST(Source, OutlivesTheHostDatabaseAndTheLeaseOutlivesTheSource) {
  TempDir dir;
  TestConnection(dir.file("a.db")).exec("CREATE TABLE t(a); INSERT INTO t VALUES (5)");
  TestConnection host;
  auto databases = std::make_unique<HostDatabase>(host);
  auto source = databases->open(dir.file("a.db"), test::default_settings()).value();
  databases.reset();
  auto lease = source->lease().value();
  source.reset();
  EXPECT_EQ(show(lease->run("SELECT a FROM t")), "5");
}

TEST(Source, ManyLeasesAtOnce) {
  TempDir dir;
  TestConnection writer(dir.file("a.db"));
  writer.exec("CREATE TABLE t(a); INSERT INTO t VALUES (5)");
  Host host;
  const auto source = host.databases().open(dir.file("a.db"), host.settings()).value();
  std::vector<SandboxLease> leases;
  for (int i = 0; i < 20; ++i) leases.push_back(source->lease().value());
  for (auto& lease : leases) EXPECT_EQ(show(lease->run("SELECT a FROM t")), "5");
  leases.clear();
  writer.exec("BEGIN EXCLUSIVE; INSERT INTO t VALUES (6); COMMIT");
  EXPECT_EQ(show(source->lease().value()->run("SELECT count(*) FROM t")), "2");
}

}  // namespace
}  // namespace trustsql
