// The `database` argument: what may be a path, and the states that the file can be in.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <thread>

#include "unit/db/support.hpp"

namespace trustsql {
namespace {

using test::Host;
using test::TempDir;
using test::TestConnection;

class FileDatabaseTest : public testing::Test {
 protected:
  ~FileDatabaseTest() override { host_.expect_unharmed(); }

  std::string make_database(std::string_view name, const std::string& more = "") {
    const std::string path = dir_.file(name);
    const TestConnection writer(path);
    writer.exec("CREATE TABLE t(a); INSERT INTO t VALUES (1);" + more);
    return path;
  }
  // The error of a query that must fail as io.
  std::string io_error_of(std::string_view path) {
    auto result = test::run(host_.databases(), path, "SELECT count(*) FROM t");
    if (result.ok()) return "no error, but " + test::show(*result);
    EXPECT_EQ(result.error().code, ErrorCode::io) << result.error().message;
    return result.error().message;
  }

  TempDir dir_;
  Host host_;
};

TEST_F(FileDatabaseTest, ReadsAFile) {
  const std::string path = make_database("a.db");
  EXPECT_EQ(host_.ask("SELECT a FROM t", path), "1");
  auto source = host_.databases().open(path, host_.settings());
  ASSERT_TRUE(source.ok());
  EXPECT_EQ((*source)->name(), "'" + path + "'");
}

TEST_F(FileDatabaseTest, NamesWithSpecialCharacters) {
  for (const char* name : {"a?mode=memory", "a#b", "a%41", "a b", "\xc3\xa4", "a&vfs=x", "a'b", "a\"b", "a+b", "a\\b",
                           "..a", "\xff\xfe"}) {
    const std::string path = make_database("plain");
    const std::string odd = dir_.file(name);
    std::filesystem::rename(path, odd);
    EXPECT_EQ(host_.ask("SELECT a FROM t", odd), "1") << name;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir_.path()), {}), 1) << name;
    std::filesystem::remove(odd);
  }
}

TEST_F(FileDatabaseTest, FileColonHasNoSpecialMeaning) {
  make_database("target.db");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(dir_.path());
  EXPECT_NE(io_error_of("file:target.db").find("No such file"), std::string::npos);
  EXPECT_NE(io_error_of("file:target.db?mode=ro").find("No such file"), std::string::npos);
  std::filesystem::rename("target.db", "file:target.db");
  EXPECT_EQ(host_.ask("SELECT a FROM t", "file:target.db"), "1");
  std::filesystem::rename("file:target.db", "relative.db");
  EXPECT_EQ(host_.ask("SELECT a FROM t", "relative.db"), "1");
  EXPECT_EQ(host_.ask("SELECT a FROM t", "./relative.db"), "1");
  std::filesystem::current_path(before);
  EXPECT_EQ(host_.ask("SELECT a FROM t", "/" + dir_.file("relative.db")), "1");  // two slashes
}

TEST_F(FileDatabaseTest, RefusesWhatIsNoRegularFile) {
  EXPECT_NE(io_error_of("").find("NULL means"), std::string::npos);
  EXPECT_NE(io_error_of(":memory:").find("NULL means"), std::string::npos);
  EXPECT_NE(io_error_of(dir_.file("missing.db")).find("No such file"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir_.file("missing.db")));
  EXPECT_NE(io_error_of(dir_.path().string()).find("not a regular file"), std::string::npos);
  EXPECT_NE(io_error_of("/dev/null").find("not a regular file"), std::string::npos);
  ASSERT_EQ(mkfifo(dir_.file("fifo").c_str(), 0600), 0);
  EXPECT_NE(io_error_of(dir_.file("fifo")).find("not a regular file"), std::string::npos);
  std::filesystem::create_symlink(dir_.file("fifo"), dir_.file("link_to_fifo"));
  EXPECT_NE(io_error_of(dir_.file("link_to_fifo")).find("not a regular file"), std::string::npos);
  std::filesystem::create_symlink(dir_.file("nowhere"), dir_.file("dangling"));
  EXPECT_NE(io_error_of(dir_.file("dangling")).find("No such file"), std::string::npos);
  EXPECT_NE(io_error_of(std::string_view("a\0b", 3)).find("NUL"), std::string::npos);
  EXPECT_FALSE(host_.databases().open(std::string(100'000, 'x'), host_.settings()).ok());
}

TEST_F(FileDatabaseTest, FollowsSymbolicLinks) {
  const std::string path = make_database("a.db", "PRAGMA journal_mode = WAL");
  std::filesystem::create_symlink(path, dir_.file("link.db"));
  EXPECT_EQ(host_.ask("SELECT a FROM t", dir_.file("link.db")), "1");
}

TEST_F(FileDatabaseTest, AnEmptyFileIsAnEmptyDatabase) {
  std::ofstream(dir_.file("empty.db")).close();
  EXPECT_EQ(host_.ask("SELECT count(*) FROM sqlite_schema", dir_.file("empty.db")), "0");
}

TEST_F(FileDatabaseTest, CorruptFiles) {
  std::ofstream(dir_.file("text.db")) << "this is no database, however long it may be" << std::string(5000, '.');
  EXPECT_NE(io_error_of(dir_.file("text.db")).find("not a database"), std::string::npos);

  // An overwritten schema page is noticed when the file is opened, a page of a table when it is read.
  const std::string path = make_database(
      "pages.db",
      "CREATE TABLE filler(x); WITH RECURSIVE c(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM c WHERE i < 500) "
      "INSERT INTO filler SELECT randomblob(200) FROM c");
  const std::string schema_damaged = dir_.file("schema.db");
  std::filesystem::copy_file(path, schema_damaged);
  {
    std::fstream file(schema_damaged, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(100);
    file << std::string(3900, '\x55');
  }
  EXPECT_NE(io_error_of(schema_damaged).find("malformed"), std::string::npos);

  const std::string table_damaged = dir_.file("table.db");
  std::filesystem::copy_file(path, table_damaged);
  {
    std::fstream file(table_damaged, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    file << std::string(4096, '\x55');
  }
  auto damaged = test::run(host_.databases(), table_damaged, "SELECT * FROM t");
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.error().code, ErrorCode::io) << damaged.error().message;
  auto intact = test::run(host_.databases(), table_damaged, "SELECT count(*) FROM sqlite_schema");
  EXPECT_TRUE(intact.ok());

  std::filesystem::resize_file(path, 4096 + 100);
  EXPECT_FALSE(test::run(host_.databases(), path, "SELECT count(*) FROM filler").ok());
}

TEST_F(FileDatabaseTest, ALockedFileIsAnErrorUntilItIsUnlocked) {
  const std::string path = make_database("a.db");
  const TestConnection writer(path);
  writer.exec("BEGIN EXCLUSIVE; INSERT INTO t VALUES (2)");
  EXPECT_NE(io_error_of(path).find("locked"), std::string::npos);
  writer.exec("COMMIT");
  EXPECT_EQ(host_.ask("SELECT count(*) FROM t", path), "2");
  // The same with a connection in the pool: a lock is no failure of the query.
  writer.exec("BEGIN EXCLUSIVE");
  auto locked = test::run(host_.databases(), path, "SELECT count(*) FROM t");
  ASSERT_FALSE(locked.ok());
  EXPECT_EQ(locked.error().code, ErrorCode::io);
  writer.exec("ROLLBACK");
  EXPECT_EQ(host_.ask("SELECT count(*) FROM t", path), "2");
}

TEST_F(FileDatabaseTest, SeesCommitsAndLetsOthersCommit) {
  const std::string path = make_database("a.db");
  const TestConnection writer(path);
  for (int i = 2; i < 6; ++i) {
    writer.exec("INSERT INTO t VALUES (0)");
    EXPECT_EQ(host_.ask("SELECT count(*) FROM t", path), std::to_string(i));
  }
  writer.exec("BEGIN; INSERT INTO t VALUES (0)");
  EXPECT_EQ(host_.ask("SELECT count(*) FROM t", path), "5");  // uncommitted
  writer.exec("COMMIT; ALTER TABLE t ADD COLUMN z DEFAULT 9");
  EXPECT_EQ(host_.ask("SELECT max(z), count(*) FROM t", path), "9|6");
}

TEST_F(FileDatabaseTest, AFileThatIsReplacedIsOpenedAnew) {
  const std::string path = make_database("a.db");
  EXPECT_EQ(host_.ask("SELECT a FROM t", path), "1");
  const std::string other = make_database("b.db", "UPDATE t SET a = 2");
  std::filesystem::rename(other, path);
  EXPECT_EQ(host_.ask("SELECT a FROM t", path), "2");
  // Overwritten in place, as cp does: the inode stays.
  const std::string third = make_database("c.db", "UPDATE t SET a = 3");
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(host_.ask("SELECT a FROM t", path), "2");
  std::ofstream(path, std::ios::binary | std::ios::trunc) << std::ifstream(third, std::ios::binary).rdbuf();
  EXPECT_EQ(host_.ask("SELECT a FROM t", path), "3");
  std::filesystem::remove(path);
  EXPECT_NE(io_error_of(path).find("No such file"), std::string::npos);
}

TEST_F(FileDatabaseTest, MoreFilesThanAreKeptOpen) {
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 40; ++i) {
      const std::string name = std::to_string(i) + ".db";
      const std::string path =
          round == 0 ? make_database(name, "UPDATE t SET a = " + std::to_string(i)) : dir_.file(name);
      EXPECT_EQ(test::show(test::run(host_.databases(), path, "SELECT a FROM t")), std::to_string(i));
    }
  }
  std::size_t open_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    if (std::filesystem::read_symlink(entry.path(), error).string().starts_with(dir_.path().string())) ++open_files;
  }
  EXPECT_LE(open_files, 32U);
}

TEST_F(FileDatabaseTest, WalModeLeavesNoLockAndNoFile) {
  const std::string path = make_database("wal.db");
  {
    const TestConnection writer(path);
    writer.exec("PRAGMA journal_mode = WAL; INSERT INTO t VALUES (2)");  // in the -wal file
    EXPECT_EQ(host_.ask("SELECT count(*) FROM t", path), "2");
    writer.exec("INSERT INTO t VALUES (3)");
    EXPECT_EQ(host_.ask("SELECT count(*) FROM t", path), "3");
    EXPECT_EQ(writer.ask("PRAGMA journal_mode = DELETE"), "delete");  // needs to be the only connection
    EXPECT_EQ(writer.ask("PRAGMA journal_mode = WAL"), "wal");
    writer.exec("INSERT INTO t VALUES (4)");
    EXPECT_EQ(host_.ask("SELECT count(*) FROM t", path), "4");
  }
  EXPECT_FALSE(std::filesystem::exists(path + "-wal"));
  EXPECT_EQ(host_.ask("SELECT count(*) FROM t", path), "4");
}

TEST_F(FileDatabaseTest, WalConnectionsLiveAsLongAsTheStatement) {
  const std::string path = make_database("wal.db", "PRAGMA journal_mode = WAL");
  const TestConnection writer(path);
  writer.exec("INSERT INTO t VALUES (2)");
  StatementScope scope;
  EXPECT_EQ(test::show(test::run(host_.databases(), path, "SELECT count(*) FROM t", host_.settings(), &scope)), "2");
  EXPECT_EQ(writer.ask("PRAGMA journal_mode = DELETE"), "error: database is locked");  // one is kept
  scope = StatementScope();
  EXPECT_EQ(writer.ask("PRAGMA journal_mode = DELETE"), "delete");
}

TEST_F(FileDatabaseTest, AVirtualTableThatLacksItsShadowTablesHarmsNoOther) {
  const std::string path = make_database("fts.db",
                                         "CREATE VIRTUAL TABLE ft USING fts5(body); PRAGMA writable_schema = ON;"
                                         "DELETE FROM sqlite_schema WHERE name LIKE 'ft!_%' ESCAPE '!'");
  EXPECT_EQ(host_.ask("SELECT a FROM t", path), "1");
  const auto catalog = host_.databases().open(path, host_.settings()).value()->catalog();
  ASSERT_TRUE(catalog.ok()) << catalog.error().message;
  EXPECT_NE((*catalog)->find("t"), nullptr);
  const Table* fts = (*catalog)->find("ft");
  ASSERT_NE(fts, nullptr);
  EXPECT_EQ(fts->error, "vtable constructor failed: ft");
}

// Another connection that lets nobody read for as long as this object lives.
class Lock {
 public:
  explicit Lock(const std::string& path) : writer_(path) { writer_.exec("BEGIN EXCLUSIVE"); }
  void release() const { writer_.exec("COMMIT"); }

 private:
  TestConnection writer_;
};

TEST_F(FileDatabaseTest, WaitsForALockAsLongAsTheHost) {
  const std::string path = make_database("locked.db");
  EXPECT_EQ(host_.value("PRAGMA busy_timeout = 60000"), "60000");
  for (const bool is_open : {false, true}) {
    const Lock lock(path);
    std::thread releasing([&] {
      std::this_thread::sleep_for(least_lock_wait + std::chrono::milliseconds(200));
      lock.release();
    });
    EXPECT_EQ(host_.ask("SELECT a FROM t", path), "1") << is_open;
    releasing.join();
  }
}

TEST_F(FileDatabaseTest, WaitsForALockWithinTheTimeOfTheQuery) {
  const std::string path = make_database("locked.db");
  EXPECT_EQ(host_.value("PRAGMA busy_timeout = 60000"), "60000");
  EXPECT_EQ(host_.ask("SELECT a FROM t", path), "1");
  const Lock lock(path);
  ASSERT_TRUE(host_.settings().set("timeout_ms", ValueView::of_integer(50)).ok());
  EXPECT_NE(host_.ask("SELECT a FROM t", path).find("longer than the setting timeout_ms = 50"), std::string::npos);
  const auto source = host_.databases().open(path, host_.settings());
  ASSERT_TRUE(source.ok());
  const auto reading = (*source)->lease().value()->begin_read();
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.error().code, ErrorCode::limit_exceeded) << reading.error().message;
}

TEST_F(FileDatabaseTest, StopsWaitingForALock) {
  const std::string path = make_database("locked.db");
  EXPECT_EQ(host_.value("PRAGMA busy_timeout = 60000"), "60000");
  const auto source = host_.databases().open(path, host_.settings());
  ASSERT_TRUE(source.ok());
  const auto lease = (*source)->lease().value();
  lease->set_stop([] { return true; });
  const Lock lock(path);
  const auto reading = lease->begin_read();
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.error().code, ErrorCode::interrupted) << reading.error().message;
  const auto rows = lease->run("SELECT a FROM t");
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().code, ErrorCode::interrupted) << rows.error().message;
}

// Runs `body` as a user who is bound by file permissions, in a child process if this one is root's. Returns whether it
// holds.
bool as_ordinary_user(const std::function<bool()>& body) {
  if (geteuid() != 0) return body();
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    const bool changed = setresgid(nobody, nobody, nobody) == 0 && setresuid(nobody, nobody, nobody) == 0;
    _exit(changed && body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

class UnwritableFolderTest : public FileDatabaseTest {
 protected:
  UnwritableFolderTest() : path_(make_database("db/wal.db")) {
    std::filesystem::permissions(dir_.path(), std::filesystem::perms(0755));
  }
  std::string make_database(std::string_view name) {
    std::filesystem::create_directory(dir_.file("db"));
    return FileDatabaseTest::make_database(name, "PRAGMA journal_mode = WAL");
  }
  void protect() {
    for (const auto& entry : std::filesystem::directory_iterator(dir_.file("db")))
      std::filesystem::permissions(entry.path(), std::filesystem::perms(0444));
    std::filesystem::permissions(dir_.file("db"), std::filesystem::perms(0555));
  }
  ~UnwritableFolderTest() override { std::filesystem::permissions(dir_.file("db"), std::filesystem::perms(0755)); }

  // Asks as an ordinary user and says whether the answer contains `expected`.
  bool answers(const std::string& sql, const std::string& expected) {
    return as_ordinary_user([&] {
      const std::string answer = test::show(test::run(host_.databases(), path_, sql));
      if (answer.find(expected) == std::string::npos) fprintf(stderr, "answered: %s\n", answer.c_str());
      return answer.find(expected) != std::string::npos;
    });
  }

  std::string path_;
};

TEST_F(UnwritableFolderTest, WalModeWithoutPendingChangesIsRead) {
  protect();
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
  EXPECT_TRUE(answers("SELECT count(*) FROM t", "1"));
  EXPECT_TRUE(answers("SELECT count(*) FROM t", "1"));
}

TEST_F(UnwritableFolderTest, WalModeWithAnEmptyWalFileIsRead) {
  std::ofstream(path_ + "-wal").close();
  protect();
  EXPECT_TRUE(answers("SELECT count(*) FROM t", "1"));
}

TEST_F(UnwritableFolderTest, WalModeWithPendingChangesIsAnError) {
  {
    // What a killed program leaves behind: a -wal file with a committed row, and no -shm file.
    const TestConnection writer(path_);
    writer.exec("INSERT INTO t VALUES (2)");
    std::filesystem::copy_file(path_ + "-wal", dir_.file("saved"));
  }
  std::filesystem::copy_file(dir_.file("saved"), path_ + "-wal");
  std::filesystem::remove(path_ + "-shm");
  protect();
  EXPECT_TRUE(answers("SELECT count(*) FROM t", "-wal file"));
}

TEST_F(UnwritableFolderTest, WalModeOpenElsewhereIsRead) {
  const TestConnection writer(path_);
  writer.exec("INSERT INTO t VALUES (2)");
  EXPECT_TRUE(std::filesystem::exists(path_ + "-shm"));
  protect();
  EXPECT_TRUE(answers("SELECT count(*) FROM t", "2"));  // -wal and -shm can be read
}

TEST_F(UnwritableFolderTest, AFileThatMayNotBeReadIsAnError) {
  std::filesystem::permissions(path_, std::filesystem::perms(0));
  EXPECT_TRUE(answers("SELECT count(*) FROM t", "unable to open"));
}

TEST_F(FileDatabaseTest, AHotJournalIsAnErrorThatSaysSo) {
  const std::string path = make_database(
      "a.db",
      "CREATE TABLE big(x); WITH RECURSIVE c(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM c WHERE i < 100) INSERT "
      "INTO big SELECT randomblob(3000) FROM c");
  {
    const TestConnection writer(path);
    writer.exec(
        "PRAGMA cache_size = 1; PRAGMA synchronous = FULL; BEGIN; UPDATE big SET x = randomblob(100000); INSERT INTO "
        "big VALUES "
        "(randomblob(100000))");
    std::filesystem::copy_file(path, dir_.file("killed.db"));
    std::filesystem::copy_file(path + "-journal", dir_.file("killed.db-journal"));
  }
  EXPECT_NE(io_error_of(dir_.file("killed.db")).find("rolled back"), std::string::npos)
      << io_error_of(dir_.file("killed.db"));
}

}  // namespace
}  // namespace trustsql
