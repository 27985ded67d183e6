#include "db/stores/side_store.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "db/stores/files.hpp"
#include "link/glove_embedder.hpp"
#include "semparse/model/model_store.hpp"

namespace trustsql {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;
using Mode = SideStore::Mode;

class SideStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "trustsql-store-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char* name = "store.db") const { return (folder_ / name).string(); }
  static std::unique_ptr<SideStore> open(const std::string& path, Mode mode = Mode::read_write) {
    auto store = SideStore::open(path, mode);
    EXPECT_TRUE(store.ok()) << (store.ok() ? "" : store.error().message);
    return store.ok() ? std::move(store).value() : nullptr;
  }
  static std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  static std::optional<std::string> get(SideStore& store, std::string_view space, const std::string& key) {
    auto values = store.get(space, Texts{key});
    EXPECT_TRUE(values.ok()) << (values.ok() ? "" : values.error().message);
    return values.ok() ? values->front() : std::nullopt;
  }

  fs::path folder_;
};

TEST_F(SideStoreTest, KeepsValuesBySpaceAndKeyAcrossOpenings) {
  const std::string binary("a\0\xff'", 4);
  {
    const auto store = open(path());
    ASSERT_TRUE(store->put("a", Texts{"k", "l"}, Texts{"1", binary}).ok());
    ASSERT_TRUE(store->put("b", Texts{"k"}, Texts{"2"}).ok());
    ASSERT_TRUE(store->put("a", Texts{"k"}, Texts{"3"}).ok());
  }
  const auto store = open(path(), Mode::read_only);
  EXPECT_EQ(get(*store, "a", "k"), "3");
  EXPECT_EQ(get(*store, "a", "l"), binary);
  EXPECT_EQ(get(*store, "b", "k"), "2");
  EXPECT_EQ(get(*store, "b", "l"), std::nullopt);
  EXPECT_FALSE(store->put("a", Texts{"k"}, Texts{"4"}).ok());
}

TEST_F(SideStoreTest, ClearRemovesOneSpace) {
  const auto store = open(path());
  ASSERT_TRUE(store->put("a", Texts{"k"}, Texts{"1"}).ok());
  ASSERT_TRUE(store->put("b", Texts{"k"}, Texts{"2"}).ok());
  ASSERT_TRUE(store->clear("a").ok());
  EXPECT_EQ(get(*store, "a", "k"), std::nullopt);
  EXPECT_EQ(get(*store, "b", "k"), "2");
}

TEST_F(SideStoreTest, ThreadsAndSeveralConnectionsShareAFile) {
  constexpr int writers = 8;
  constexpr int each = 50;
  std::vector<std::thread> threads;
  threads.reserve(writers);
  const auto shared = open(path());
  for (int t = 0; t < writers; ++t) {
    threads.emplace_back([&, t] {
      const auto own = t % 2 == 0 ? nullptr : open(path());
      SideStore& store = own ? *own : *shared;
      for (int i = 0; i < each; ++i) {
        const auto key = std::to_string(t) + "-" + std::to_string(i);
        const auto put = store.put("s", Texts{key, "common"}, Texts{key, key});
        EXPECT_TRUE(put.ok()) << put.error().message;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (int t = 0; t < writers; ++t) EXPECT_EQ(get(*shared, "s", std::to_string(t) + "-49"), std::to_string(t) + "-49");
  EXPECT_TRUE(get(*shared, "s", "common").has_value());
}

TEST_F(SideStoreTest, AForeignFileIsAnErrorAndStaysAsItIs) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path("user.db").c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "CREATE TABLE entry(hash, space, key, value)", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
  std::ofstream(path("text.txt")) << "hello";
  std::ofstream(path("long.txt")) << std::string(5000, 'x');
  for (const char* name : {"user.db", "text.txt", "long.txt"}) {
    const std::string before = content(path(name));
    for (const auto mode : {Mode::read_write, Mode::read_only}) {
      const auto store = SideStore::open(path(name), mode);
      ASSERT_FALSE(store.ok());
      EXPECT_EQ(store.error().code, ErrorCode::io);
      EXPECT_NE(store.error().message.find("not created by trustsql"), std::string::npos) << store.error().message;
      EXPECT_NE(store.error().message.find(name), std::string::npos);
    }
    EXPECT_EQ(content(path(name)), before);
  }
}

TEST_F(SideStoreTest, ACorruptFileIsAnError) {
  { ASSERT_TRUE(open(path())->put("s", Texts{"k"}, Texts{std::string(20000, 'v')}).ok()); }
  const auto size = fs::file_size(path());
  {
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(100);
    file << std::string(size - 100, '\xee');
  }
  const std::string before = content(path());
  const auto store = SideStore::open(path(), Mode::read_write);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, ErrorCode::io);
  EXPECT_EQ(content(path()), before);
}

TEST_F(SideStoreTest, OtherThingsThatAreNoFile) {
  const auto message = [](const std::string& path, Mode mode) {
    const auto store = SideStore::open(path, mode);
    return store.ok() ? std::string("opened") : store.error().message;
  };
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  for (const auto mode : {Mode::read_write, Mode::read_only}) {
    EXPECT_NE(message(path("fifo"), mode).find("not a regular file"), std::string::npos);
    EXPECT_NE(message(folder_.string(), mode).find("not a regular file"), std::string::npos);
    EXPECT_NE(message("", mode).find("file name is required"), std::string::npos);
    EXPECT_NE(message(":memory:", mode).find("file name is required"), std::string::npos);
  }
  EXPECT_NE(message(path("absent.db"), Mode::read_only).find("no such file"), std::string::npos);
  EXPECT_NE(message(path("no/such/folder.db"), Mode::read_write).find("folder.db"), std::string::npos);
  // A name that SQLite would take for a URI or for parameters of one.
  EXPECT_NE(open(path("a?mode=memory#%41.db")), nullptr);
  EXPECT_TRUE(fs::exists(path("a?mode=memory#%41.db")));
}

TEST_F(SideStoreTest, AnEmptyFileIsTakenOver) {
  std::ofstream(path()).flush();
  const auto store = open(path());
  ASSERT_TRUE(store->put("s", Texts{"k"}, Texts{"v"}).ok());
  EXPECT_EQ(get(*store, "s", "k"), "v");
}

// Whether a process that holds no lock would find byte `at` of the file locked for writing.
bool is_locked(const std::string& path, off_t at) {
  const pid_t child = fork();
  if (child == 0) {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = at;
    lock.l_len = 1;
    const int file = ::open(path.c_str(), O_RDWR);
    _exit(fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

// https://sqlite.org/howtocorrupt.html section 2.2
TEST_F(SideStoreTest, TheLocksOfAnOpenDatabaseStay) {
  constexpr off_t reserved_byte = 0x40000001;
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path("open.db").c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "CREATE TABLE t(a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_TRUE(is_locked(path("open.db"), reserved_byte));
  for (const auto mode : {Mode::read_write, Mode::read_only})
    EXPECT_EQ(SideStore::open(path("open.db"), mode).error().message,
              "file '" + path("open.db") + "': it was not created by trustsql, and so it is left unchanged");
  EXPECT_FALSE(semparse::load_model(path("open.db")).ok());
  EXPECT_FALSE(semparse::check_model_path(path("open.db")).ok());
  EXPECT_FALSE(read_file(path("open.db"), 10).ok());
  EXPECT_FALSE(link::GloveEmbedder::open(path("open.db")).ok());
  EXPECT_TRUE(is_locked(path("open.db"), reserved_byte));
  EXPECT_EQ(sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
}

}  // namespace
}  // namespace trustsql
