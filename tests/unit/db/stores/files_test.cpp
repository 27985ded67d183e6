#include "db/stores/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "unit/db/support.hpp"

namespace trustsql {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

  test::TempDir folder_;
};

TEST_F(Files, AreReadAsTheyWereWritten) {
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(write_file(path("f"), bytes).ok());
  EXPECT_EQ(*read_file(path("f"), 10), bytes);
  ASSERT_TRUE(write_file(path("f"), "").ok());
  EXPECT_EQ(*read_file(path("f"), 10), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()),
            1);  // nothing else is left
}

TEST_F(Files, KeepTheirPermissionsAndTheLinksToThem) {
  ASSERT_TRUE(write_file(path("f"), "old").ok());
  ASSERT_EQ(chmod(path("f").c_str(), 0600), 0);
  fs::create_symlink(path("f"), path("link"));
  ASSERT_TRUE(write_file(path("link"), "new").ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(*read_file(path("f"), 10), "new");
  EXPECT_EQ(fs::status(path("f")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Files, HaveALimit) {
  ASSERT_TRUE(write_file(path("f"), "12345").ok());
  EXPECT_TRUE(read_file(path("f"), 5).ok());
  const auto longer = read_file(path("f"), 4);
  ASSERT_FALSE(longer.ok());
  EXPECT_EQ(longer.error().message, "'" + path("f") + "' cannot be read: it has more than 4 bytes");
}

TEST_F(Files, PipesAndFoldersAreNeitherReadNorReplaced) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  for (const auto& name : {path("pipe"), folder_.path().string()}) {
    EXPECT_EQ(read_file(name, 10).error().message, "'" + name + "' cannot be read: it is not a regular file");
    EXPECT_EQ(write_file(name, "x").error().message, "'" + name + "' cannot be written: it is not a regular file");
  }
}

TEST_F(Files, OnlyOwnFilesAreReplaceable) {
  const auto check = [&](const std::string& name) {
    return check_replaceable(
        path(name), 3, [](std::string_view start) { return start == "own"; }, "model");
  };
  ASSERT_TRUE(write_file(path("own"), "own file").ok());
  ASSERT_TRUE(write_file(path("other"), "other file").ok());
  ASSERT_TRUE(write_file(path("empty"), "").ok());
  EXPECT_TRUE(check("absent").ok());
  EXPECT_TRUE(check("own").ok());
  for (const std::string name : {"other", "empty"})
    EXPECT_EQ(check(name).error().message,
              "'" + path(name) + "' exists and is no model; other files are never overwritten");
  EXPECT_EQ(check("").error().message, "'" + path("") + "' cannot be written: it is not a regular file");
}

TEST_F(Files, OfLargeFilesTheStart) {
  ASSERT_TRUE(write_file(path("f"), "12345").ok());
  EXPECT_EQ(*read_file_start(path("f"), 3), "123");
  EXPECT_EQ(*read_file_start(path("f"), 9), "12345");
  fs::create_symlink(path("f"), path("link"));
  EXPECT_EQ(*read_file(path("link"), 9), "12345");
  EXPECT_FALSE(read_file_start(path("absent"), 3).ok());
}

TEST_F(Files, PathsThatNameNothing) {
  EXPECT_EQ(read_file("", 10).error().message, "the path of the file is empty");
  EXPECT_EQ(read_file(std::string_view("a\0b", 3), 10).error().code, ErrorCode::io);
  EXPECT_EQ(read_file(path("absent"), 10).error().code, ErrorCode::io);
  EXPECT_EQ(write_file(path("absent/f"), "x").error().code, ErrorCode::io);
}

}  // namespace
}  // namespace trustsql
