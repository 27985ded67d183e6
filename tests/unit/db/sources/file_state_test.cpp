// Which state of a database file is read, told so that another process can compare it.
#include "db/sources/file_state.hpp"

#include <chrono>
#include <thread>

#include "unit/db/support.hpp"

namespace trustsql {
namespace {

// A file that was changed in the last two seconds has no state yet.
void let_settle() { std::this_thread::sleep_for(std::chrono::milliseconds(2100)); }

class FileStateTest : public testing::Test {
 protected:
  std::string make_database(std::string_view name, const std::string& sql = "") {
    const std::string path = dir_.file(name);
    test::TestConnection(path).exec("CREATE TABLE t(a); INSERT INTO t VALUES (1);" + sql);
    return path;
  }
  std::optional<FileState> state_of(std::optional<std::string_view> path) {
    const auto source = host_.databases().open(path, host_.settings());
    EXPECT_TRUE(source.ok());
    const auto sandbox = (*source)->lease();
    EXPECT_TRUE(sandbox.ok());
    const auto read = ReadTransaction::begin(**sandbox);
    EXPECT_TRUE(read.ok());
    return (*sandbox)->file_state();
  }

  test::TempDir dir_;
  test::Host host_;
};

TEST_F(FileStateTest, ChangesWithTheFile) {
  const auto path = make_database("a.db");
  const auto other = make_database("b.db");
  EXPECT_EQ(state_of(path), std::nullopt);
  let_settle();
  const auto state = state_of(path);
  ASSERT_TRUE(state.has_value());
  EXPECT_EQ(state->path, path);
  EXPECT_EQ(state_of(path), state);
  EXPECT_NE(state_of(other)->sign, state->sign);
  // The same number of bytes and rows.
  test::TestConnection(path).exec("UPDATE t SET a = 2");
  EXPECT_EQ(state_of(path), std::nullopt);
  // A copy in its place, with the times of the old file.
  std::filesystem::copy_file(other, dir_.file("c.db"));
  std::filesystem::last_write_time(dir_.file("c.db"), std::filesystem::last_write_time(path));
  std::filesystem::rename(dir_.file("c.db"), other);
  let_settle();
  const auto changed = state_of(path);
  ASSERT_TRUE(changed.has_value());
  EXPECT_NE(changed->sign, state->sign);
  const auto replaced = state_of(other);
  EXPECT_TRUE(!replaced || replaced->sign != state->sign);
}

TEST_F(FileStateTest, WhereNoSignIsSafe) {
  const auto log = make_database("wal.db", "PRAGMA journal_mode = WAL; INSERT INTO t VALUES (2)");
  const auto path = make_database("a.db");
  let_settle();
  EXPECT_EQ(state_of(log), std::nullopt);
  EXPECT_EQ(state_of(std::nullopt), std::nullopt);  // the host's, in memory
  const auto source = host_.databases().open(path, host_.settings());
  ASSERT_TRUE(source.ok());
  const auto sandbox = (*source)->lease();
  ASSERT_TRUE(sandbox.ok());
  EXPECT_EQ((*sandbox)->file_state(), std::nullopt);  // no read has begun
  {
    const auto read = ReadTransaction::begin(**sandbox);
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE((*sandbox)->file_state().has_value());
    std::filesystem::rename(path, path + ".old");
    EXPECT_EQ((*sandbox)->file_state(), std::nullopt);
  }
}

}  // namespace
}  // namespace trustsql
