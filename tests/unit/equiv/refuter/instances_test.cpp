// What the generators of small databases promise, checked on what SQLite then contains.
#include "base/text.hpp"
#include "db/sandbox/scratch_database.hpp"
#include "equiv/refuter/directed_instances.hpp"
#include "equiv/refuter/random_instance.hpp"
#include "equiv/refuter/shrinking.hpp"
#include "equiv/refuter/trial.hpp"
#include "unit/equiv/refuter_ground.hpp"

namespace trustsql::equiv {
namespace {

using test::RefuterGround;

constexpr const char* schema = R"(
CREATE TABLE town(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INT CHECK(size > 0), note TEXT);
CREATE TABLE house(id INT PRIMARY KEY, town_id INT NOT NULL REFERENCES town(id), street TEXT, price REAL, built DATE, sold BOOLEAN, extra);
CREATE TABLE owner(house_id INT REFERENCES house(id), name TEXT COLLATE NOCASE, share DECIMAL(4, 2), since DATETIME, PRIMARY KEY(house_id, name));
CREATE TABLE road(a INT REFERENCES town(id), b INT REFERENCES town(id), length INT, main_road TEXT REFERENCES road(label), label TEXT UNIQUE);
)";
constexpr const char* query =
    "SELECT t.name, h.street, o.share, r.length, r.label FROM town t JOIN house h ON h.town_id = t.id LEFT JOIN owner "
    "o ON o.house_id = h.id "
    "JOIN road r ON r.a = t.id AND r.b <> t.id WHERE t.name LIKE 'New %' AND h.price > 1000 AND h.built >= "
    "'2001-05-03' AND h.sold = 1 "
    "AND (o.name = 'Smith' OR o.since IS NULL) AND t.size IN (3, 5) AND r.main_road IS NOT NULL AND h.extra = 7";

class InstancesTest : public ::testing::Test {
 protected:
  InstancesTest() : ground_(schema), definition_(*SchemaDefinition::read(ground_.source())) {
    scratch_ = *ScratchDatabase::create(definition_, SandboxLimits{});
    QueryUse use;
    query_ = *scratch_->prepare(query, &use);
    model_ = DataModel::for_reads(*definition_.catalog, use.columns);
    plan_ = *ground_.plan(query);
    pools_.emplace(model_);
    pools_->learn(plan_);
    pools_->finish();
    texts_ = query_texts(model_, query, query);
  }

  Instance stored(const Instance& instance) {
    Trial trial(*scratch_, model_, query_, query_, {});
    EXPECT_TRUE(trial.fill(instance).ok());
    return *trial.stored();
  }
  Deviations deviations(const Instance& instance) { return deviations_of(model_, stored(instance), texts_); }
  std::size_t results(const Instance& instance) {
    Trial trial(*scratch_, model_, query_, query_, {});
    const auto seen = trial.observe(instance);
    EXPECT_TRUE(seen.ok() && seen->ran);
    return seen->a.row_count();
  }

  RefuterGround ground_;
  SchemaDefinition definition_;
  std::unique_ptr<ScratchDatabase> scratch_;
  ScratchDatabase::Query query_;
  DataModel model_;
  plan::Plan plan_;
  std::optional<ValuePools> pools_;
  QueryTexts texts_;
};

TEST_F(InstancesTest, OnlyWhatIsNeededIsFilled) {
  ASSERT_EQ(model_.tables.size(), 4U);
  EXPECT_EQ(model_.tables.front().table->name, "town") << "parents first";
  QueryUse use;
  ASSERT_TRUE(scratch_->prepare("SELECT street FROM house", &use).ok());
  const auto model = DataModel::for_reads(*definition_.catalog, use.columns);
  ASSERT_EQ(model.tables.size(), 2U);
  EXPECT_FALSE(model.tables[0].used);
  EXPECT_EQ(model.tables[0].positions(), (std::vector<int>{0, 1, 2, 3})) << "a CHECK may look at any column";
  EXPECT_EQ(model.tables[1].positions(), (std::vector<int>{0, 1, 2})) << "the key, NOT NULL, and what is read";
  ASSERT_EQ(model.tables[1].parents.size(), 1U);
}

TEST_F(InstancesTest, RandomDatabasesHaveTheDeviationsTheyAreAllowed) {
  Deviations seen;
  int strays = 0;
  for (int i = 0; i < deviation_count + 1; ++i) {
    const auto deviation = static_cast<Deviation>(i);
    const Deviations allowed = i < deviation_count ? Deviations{deviation} : Deviations{};
    Random random(static_cast<std::uint64_t>(i));
    for (int k = 0; k < 200; ++k) {
      const auto actual = deviations(random_instance(model_, *pools_, {.deviations = allowed}, random));
      // A row that a constraint rejected may have been another row's parent; no other deviation may appear.
      EXPECT_TRUE(actual.within(allowed | Deviations{Deviation::foreign_key}))
          << actual.text() << " where " << allowed.text() << " is allowed";
      if (!actual.within(allowed)) ++strays;
      seen = seen | actual;
    }
  }
  EXPECT_LT(strays, 200 * (deviation_count + 1) / 20);
  EXPECT_EQ(seen, (Deviations{Deviation::null, Deviation::foreign_key, Deviation::type, Deviation::letter_case,
                              Deviation::empty}));
}

TEST_F(InstancesTest, ForeignKeysAreCheckedAsSqliteDoes) {
  Random random(7);
  int violated = 0;
  for (int k = 0; k < 100; ++k) {
    const auto instance =
        stored(random_instance(model_, *pools_, {.deviations = {Deviation::foreign_key, Deviation::type}}, random));
    // SQLite's own check, on the same rows.
    auto db = Connection::open_memory();
    ASSERT_EQ(sqlite3_exec(db->handle(), schema, nullptr, nullptr, nullptr), SQLITE_OK);
    for (std::size_t t = 0; t < model_.tables.size(); ++t) {
      std::string names, places;
      for (const int position : model_.tables[t].positions()) {
        names += (names.empty() ? "" : ",") + model_.tables[t].table->columns[static_cast<std::size_t>(position)].name;
        places += places.empty() ? "?" : ",?";
      }
      auto insert = prepare(db->handle(),
                            "INSERT INTO " + model_.tables[t].table->name + "(" + names + ") VALUES (" + places + ")");
      for (const auto& row : instance.tables[t]) {
        for (std::size_t i = 0; i < row.size(); ++i)
          ASSERT_TRUE(insert->bind(static_cast<int>(i) + 1, view(row[i])).ok());
        ASSERT_TRUE(insert->run().ok());
      }
    }
    const bool ours = deviations_of(model_, instance, texts_).has(Deviation::foreign_key);
    const bool theirs = *query_integer(db->handle(), "SELECT count(*) FROM pragma_foreign_key_check") > 0;
    EXPECT_EQ(ours, theirs);
    violated += theirs ? 1 : 0;
  }
  EXPECT_GT(violated, 10);
  EXPECT_LT(violated, 100);
}

TEST_F(InstancesTest, LetterCaseIsThatOfTheQueriesTextsToo) {
  Instance instance;
  instance.tables.resize(model_.tables.size());
  const auto town = static_cast<std::size_t>(model_.place_of(definition_.catalog->find("town")));
  const auto put = [&](const char* name) {
    instance.tables[town] = {{std::int64_t{1}, std::string(name), std::int64_t{3}, std::string("x")}};
  };
  ASSERT_EQ(model_.tables[town].columns.size(), 4U);
  put("New York");
  EXPECT_FALSE(deviations_of(model_, instance, texts_).has(Deviation::letter_case));
  put("new york");
  EXPECT_TRUE(deviations_of(model_, instance, texts_).has(Deviation::letter_case)) << "the pattern says New";
  put("smith");
  EXPECT_TRUE(deviations_of(model_, instance, texts_).has(Deviation::letter_case));
  put("Smith");
  EXPECT_FALSE(deviations_of(model_, instance, texts_).has(Deviation::letter_case));
  instance.tables[town].push_back({std::int64_t{2}, std::string("X"), std::int64_t{3}, std::string("x")});
  EXPECT_TRUE(deviations_of(model_, instance, texts_).has(Deviation::letter_case));
}

TEST_F(InstancesTest, DirectedDatabasesGiveTheQueryAResultAndTakeItAway) {
  const std::vector<Sketch> sketches = {sketch_of(plan_, model_)};
  Random random(1);
  const DirectedInstances directed(model_, *pools_, sketches, random);
  int databases = 0;
  int with_result = 0;
  int clean = 0;
  const auto done = directed.without_deviation([&](const Instance& instance) -> Result<bool> {
    ++databases;
    if (results(instance) > 0) ++with_result;
    if (deviations(instance).none()) ++clean;
    return true;
  });
  ASSERT_TRUE(done.ok());
  EXPECT_GT(databases, 30);
  EXPECT_GT(with_result, databases / 3) << "a join of four tables with ten conditions";
  EXPECT_LT(with_result, databases);
  EXPECT_GT(clean, databases * 9 / 10);
  const auto counted = [&](Deviation deviation, int& count) {
    return [&, deviation](const Instance& instance) -> Result<bool> {
      if (deviations(instance).has(deviation)) ++count;
      return true;
    };
  };
  int nulls = 0;
  ASSERT_TRUE(directed.with_null(counted(Deviation::null, nulls)).ok());
  EXPECT_GT(nulls, 10);
  int orphans = 0;
  ASSERT_TRUE(directed.with_orphans(counted(Deviation::foreign_key, orphans)).ok());
  EXPECT_GT(orphans, 0);
  int empties = 0;
  ASSERT_TRUE(directed.with_empty_tables(counted(Deviation::empty, empties)).ok());
  EXPECT_GT(empties, 3);
  // An offer that asks to stop ends it.
  int offered = 0;
  EXPECT_FALSE(*directed.without_deviation([&](const Instance&) -> Result<bool> { return ++offered < 3; }));
  EXPECT_EQ(offered, 3);
}

TEST_F(InstancesTest, EveryCountHasItsGroups) {
  const char* counting = "SELECT town_id FROM house GROUP BY town_id HAVING count(*) > 6";
  QueryUse use;
  ASSERT_TRUE(scratch_->prepare(counting, &use).ok());
  const auto model = DataModel::for_reads(*definition_.catalog, use.columns);
  ValuePools pools(model);
  const auto plan = *ground_.plan(counting);
  pools.learn(plan);
  pools.finish();
  const std::vector<Sketch> sketches = {sketch_of(plan, model)};
  Random random(1);
  const DirectedInstances directed(model, pools, sketches, random);
  std::set<std::size_t> sizes;
  ASSERT_TRUE(directed
                  .without_deviation([&](const Instance& instance) -> Result<bool> {
                    std::map<std::string, std::size_t> groups;
                    for (const auto& row : instance.tables[1]) ++groups[format_value(view(row[1]))];
                    for (const auto& [town, size] : groups) sizes.insert(size);
                    return true;
                  })
                  .ok());
  for (const std::size_t size : {1, 2, 3, 6, 7, 8}) EXPECT_TRUE(sizes.contains(size)) << size;
}

TEST_F(InstancesTest, ShrinkingLeavesWhatItTakes) {
  Random random(3);
  Instance instance;
  while (instance.tables.empty() || instance.tables[0].size() < 3 || instance.tables[1].size() < 3)
    instance = random_instance(model_, *pools_, {.max_rows = 9}, random);
  const auto enough = [&](const Instance& changed) {
    return changed.tables[0].size() >= 2 && !changed.tables[1].empty();
  };
  ASSERT_TRUE(enough(instance));
  ASSERT_TRUE(shrink(model_, *pools_, instance, 1000, [&](const Instance& changed) -> Result<bool> {
                return enough(changed);
              }).ok());
  EXPECT_EQ(instance.tables[0].size(), 2U);
  EXPECT_EQ(instance.tables[1].size(), 1U);
  EXPECT_EQ(instance.row_count(), 3U);
  int questions = 0;
  ASSERT_TRUE(
      shrink(model_, *pools_, instance, 5, [&](const Instance&) -> Result<bool> { return ++questions, false; }).ok());
  EXPECT_EQ(questions, 5);
}

}  // namespace
}  // namespace trustsql::equiv
