#include "semparse/database/value_store.hpp"

#include <chrono>
#include <fstream>
#include <thread>

#include "base/value.hpp"
#include "semparse/parser.hpp"
#include "unit/db/support.hpp"

namespace trustsql::semparse {
namespace {

using StoredTexts = std::optional<std::vector<std::string>>;

class ValueStoreTest : public testing::Test {
 protected:
  std::shared_ptr<ValueStore> open() {
    auto store = ValueStore::open(path_);
    EXPECT_TRUE(store.ok()) << store.error().message;
    return std::move(store).value();
  }
  static StoredTexts get(ValueStore& store, const FileState& state, const ValueStore::Column& column) {
    auto texts = store.get(state, column);
    EXPECT_TRUE(texts.ok()) << texts.error().message;
    return std::move(texts).value();
  }

  const FileState state_{"/folder/a.db", "1 2 3"};
  const ValueStore::Column column_{"singer", "country", 100, 20};
  const std::vector<std::string> texts_ = {"France", "", "New York", std::string("a\0b", 3), "\xff"};
  test::TempDir dir_;
  std::string path_ = dir_.file("values.db");
};

TEST_F(ValueStoreTest, KeepsTextsForOneState) {
  {
    const auto store = open();
    EXPECT_EQ(get(*store, state_, column_), std::nullopt);
    ASSERT_TRUE(store->begin(state_).ok());
    ASSERT_TRUE(store->put(state_, column_, texts_).ok());
    ASSERT_TRUE(store->put(state_, {"singer", "name", 100, 20}, {}).ok());
  }
  const auto store = open();
  EXPECT_EQ(get(*store, state_, column_), texts_);
  EXPECT_EQ(get(*store, state_, {"singer", "name", 100, 20}), std::vector<std::string>());
  EXPECT_EQ(get(*store, {"/folder/a.db", "1 2 4"}, column_), std::nullopt);
  EXPECT_EQ(get(*store, {"/folder/b.db", "1 2 3"}, column_), std::nullopt);
  EXPECT_EQ(get(*store, state_, {"singer", "country", 99, 20}), std::nullopt);
  EXPECT_EQ(get(*store, state_, {"singer", "country", 100, 21}), std::nullopt);
  EXPECT_EQ(get(*store, state_, {"singerc", "ountry", 100, 20}), std::nullopt);
  // The same state keeps what there is, another one removes it, and only of its database.
  ASSERT_TRUE(store->put({"/folder/b.db", "7"}, column_, texts_).ok());
  ASSERT_TRUE(store->begin(state_).ok());
  EXPECT_EQ(get(*store, state_, column_), texts_);
  ASSERT_TRUE(store->begin({"/folder/a.db", "1 2 4"}).ok());
  EXPECT_EQ(get(*store, state_, column_), std::nullopt);
  EXPECT_EQ(get(*store, {"/folder/b.db", "7"}, column_), texts_);
}

// Whatever stands in an entry, it is read as it was put there or not at all.
TEST_F(ValueStoreTest, DamagedEntries) {
  ASSERT_TRUE(open()->put(state_, column_, texts_).ok());
  const test::TestConnection file(path_);
  const auto entry = std::stoul(file.ask("SELECT length(value) FROM entry"));
  file.exec("CREATE TABLE good AS SELECT value FROM entry");
  const auto expect_none = [&](const std::string& value) {
    file.exec("UPDATE entry SET value = (" + value + ")");
    EXPECT_EQ(get(*open(), state_, column_), std::nullopt) << value;
  };
  for (std::size_t i = 1; i <= entry; i += 3) {
    const auto at = std::to_string(i);
    expect_none("SELECT substr(value, 1, " + at + " - 1) FROM good");
    expect_none("SELECT CAST(substr(value, 1, " + at + " - 1) || x'81' || substr(value, " + at +
                " + 1) AS BLOB) FROM good WHERE substr(value, " + at + ", 1) <> x'81'" +
                " UNION ALL SELECT x'' LIMIT 1");
  }
  expect_none("x''");
  expect_none("x'ffffffffffffffffffffffffffffffff'");
  expect_none("zeroblob(1000000)");
  expect_none("'a text'");
  expect_none("17");
}

// An entry with a right check sum, but more or longer texts than a column can have.
TEST_F(ValueStoreTest, EntriesBeyondTheLimits) {
  const auto store = open();
  ASSERT_TRUE(store->put(state_, column_, {std::string(81, 'x')}).ok());
  EXPECT_EQ(get(*store, state_, column_), std::nullopt);
  ASSERT_TRUE(store->put(state_, column_, std::vector<std::string>(101, "x")).ok());
  EXPECT_EQ(get(*store, state_, column_), std::nullopt);
}

TEST_F(ValueStoreTest, OtherFilesAreRefused) {
  std::ofstream(path_)
      << "Dear diary, this is no database, and it is long enough to look like the header of one, isn't it?";
  const auto letter = ValueStore::open(path_);
  ASSERT_FALSE(letter.ok());
  EXPECT_TRUE(letter.error().message.starts_with("setting 'nl2sql_value_index': file '")) << letter.error().message;
  const auto database = dir_.file("other.db");
  test::TestConnection(database).exec("CREATE TABLE t(a)");
  EXPECT_FALSE(ValueStore::open(database).ok());
  EXPECT_FALSE(ValueStore::open("").ok());
  EXPECT_FALSE(ValueStore::open(dir_.file("no folder/values.db")).ok());
}

// The index is read from the store for as long as the database is in the state that it was read in.
TEST_F(ValueStoreTest, TheIndexIsReadFromIt) {
  const auto database = dir_.file("a.db");
  test::TestConnection(database).exec(
      "CREATE TABLE singer(name TEXT, country TEXT); INSERT INTO singer VALUES ('Ann', 'France')");
  test::Host host;
  const auto store = open();
  const auto knows = [&](std::string_view text) {
    const auto source = host.databases().open(database, host.settings());
    EXPECT_TRUE(source.ok());
    auto sandbox = std::move((*source)->lease()).value();
    const auto catalog = std::move((*source)->catalog()).value();
    const auto read = std::move(ReadTransaction::begin(*sandbox)).value();
    const auto knowledge = Knowledge::build(*catalog, *sandbox, Knowledge::max_reading_time, store.get());
    EXPECT_TRUE(knowledge.ok());
    return !(*knowledge)->values.find(text).empty();
  };
  const auto entries = [this] { return test::TestConnection(path_).ask("SELECT count(*) FROM entry"); };
  EXPECT_TRUE(knows("France"));
  EXPECT_EQ(entries(), "0");  // it was changed just now
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  EXPECT_TRUE(knows("France"));
  EXPECT_EQ(entries(), "3");  // the state, and two columns
  {
    const auto source = host.databases().open(database, host.settings());
    auto sandbox = std::move((*source)->lease()).value();
    const auto read = std::move(ReadTransaction::begin(*sandbox)).value();
    const ValueIndexOptions options;
    ASSERT_TRUE(store
                    ->put(*sandbox->file_state(), {"singer", "country", options.max_values, options.max_value_bytes},
                          {"Planted"})
                    .ok());
  }
  EXPECT_TRUE(knows("Planted"));
  EXPECT_FALSE(knows("France"));
  EXPECT_TRUE(knows("Ann"));
  test::TestConnection(database).exec("UPDATE singer SET country = 'Norway'");
  EXPECT_TRUE(knows("Norway"));
  EXPECT_FALSE(knows("Planted"));
}

}  // namespace
}  // namespace trustsql::semparse
