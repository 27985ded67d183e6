// CHECK constraints, and what they ask of the databases that tell queries apart.
#include "equiv/refuter/row_checks.hpp"

#include "equiv/refuter/random_instance.hpp"
#include "equiv/refuter/trial.hpp"
#include "unit/equiv/refuter_ground.hpp"

namespace trustsql::equiv {
namespace {

using test::RefuterGround;

constexpr const char* schema_with_checks = R"(
CREATE TABLE station(id INTEGER PRIMARY KEY, zone TEXT NOT NULL CHECK (zone IN ('inner', 'outer')), opened TEXT CHECK (opened = date(opened)), next_id INTEGER REFERENCES station(id), tracks INTEGER CHECK (tracks > 10));
CREATE TABLE trip(id INTEGER PRIMARY KEY, from_id INTEGER NOT NULL REFERENCES station(id), to_id INTEGER NOT NULL REFERENCES station(id), day TEXT NOT NULL CHECK (day = date(day)), minutes INTEGER NOT NULL CHECK (minutes BETWEEN 1 AND 600), CHECK (from_id <> to_id));
CREATE TABLE delay(trip_id INTEGER NOT NULL REFERENCES trip(id), reason TEXT NOT NULL, minutes INTEGER, PRIMARY KEY (trip_id, reason));
)";

RefuteOptions obeying_the_schema() {
  RefuteOptions options;
  options.allowed = Deviations::all() - Deviations{Deviation::foreign_key, Deviation::type};
  return options;
}

TEST(RowChecks, SayWhatSqliteWouldReject) {
  const RefuterGround ground(schema_with_checks);
  const auto model = DataModel::for_whole_schema(ground.catalog());
  const RowChecks checks(model);
  const auto table = [&](const char* name) {
    return static_cast<std::size_t>(model.place_of(ground.catalog().find(name)));
  };
  const auto station = table("station");
  const auto trip = table("trip");
  const std::pair<std::pair<std::size_t, Value>, bool> cases[] = {
      {{1, std::string("inner")}, true},
      {{1, std::string("Inner")}, false},
      {{2, std::string("2021-06-15")}, true},
      {{2, Value()}, true},
      {{2, std::string("2021-06-15 12:00:00")}, false},
      {{4, std::string("11")}, true},
      {{4, std::string("9")}, false},
      {{4, std::string("many")}, true},
  };
  for (const auto& [given, allowed] : cases)
    EXPECT_EQ(checks.allow(station, given.first, given.second), allowed) << given.first;
  const auto trip_between = [&](std::int64_t from, std::int64_t to) {
    return checks.allow(trip, {std::int64_t{1}, from, to, std::string("2021-06-15"), std::int64_t{5}});
  };
  EXPECT_TRUE(trip_between(1, 2));
  EXPECT_FALSE(trip_between(2, 2));
  EXPECT_TRUE(checks.allow(trip, 1, std::int64_t{2})) << "that of two columns is not about one";
}

// SQLite keeps the rows, so their children keep their parents.
TEST(RowChecks, RandomDatabasesKeepThem) {
  const RefuterGround ground(schema_with_checks);
  const auto definition = *SchemaDefinition::read(const_cast<RefuterGround&>(ground).source());
  const auto scratch = *ScratchDatabase::create(definition, SandboxLimits{});
  const char* sql =
      "SELECT * FROM station, trip, delay WHERE delay.minutes > 5 AND zone = 'inner' AND day > '2020-01-01'";
  QueryUse use;
  const auto query = *scratch->prepare(sql, &use);
  const auto model = DataModel::for_reads(*definition.catalog, use.columns);
  ValuePools pools(model);
  pools.learn(*ground.plan(sql));
  pools.learn_declarations(*definition.catalog);
  pools.finish();
  Trial trial(*scratch, model, query, query, {});
  Random random(11);
  int obeying = 0;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(trial.fill(random_instance(model, pools, {}, random)).ok());
    const auto stored = *trial.stored();
    if (!has_orphan(model, stored) &&
        stored.tables[static_cast<std::size_t>(model.place_of(definition.catalog->find("trip")))].size() > 0)
      ++obeying;
    EXPECT_FALSE(has_orphan(model, without_orphans(model, stored)));
  }
  EXPECT_GE(obeying, 90);
}

TEST(RowChecks, PairsAreToldApartByDatabasesThatObeyTheSchema) {
  RefuterGround ground(schema_with_checks);
  const std::pair<const char*, const char*> pairs[] = {
      {"SELECT id FROM trip WHERE minutes BETWEEN 30 AND 60",
       "SELECT id FROM trip WHERE minutes >= 30 AND minutes < 60"},
      {"SELECT s.zone FROM station s JOIN trip t ON t.from_id = s.id",
       "SELECT s.zone FROM station s WHERE s.id IN (SELECT from_id FROM trip)"},
      {"SELECT t.id FROM trip t JOIN delay d ON d.trip_id = t.id GROUP BY t.id HAVING max(d.minutes) > 9",
       "SELECT t.id FROM trip t JOIN delay d ON d.trip_id = t.id WHERE d.minutes > 9"},
      {"SELECT a.id FROM station a JOIN station b ON a.next_id = b.id WHERE a.zone = b.zone",
       "SELECT a.id FROM station a JOIN station b ON a.next_id = b.id WHERE a.zone <> b.zone"},
      {"SELECT from_id, count(*) FROM trip GROUP BY from_id", "SELECT to_id, count(*) FROM trip GROUP BY to_id"},
      {"SELECT zone FROM station WHERE tracks >= 12", "SELECT zone FROM station WHERE tracks > 12"},
      {"SELECT minutes FROM delay WHERE reason = 'fog' EXCEPT SELECT minutes FROM delay WHERE reason = 'ice'",
       "SELECT DISTINCT a.minutes FROM delay a WHERE a.reason = 'fog' AND NOT EXISTS (SELECT 1 FROM delay b WHERE "
       "b.reason = 'ice' AND b.minutes = a.minutes)"},
      {"SELECT day FROM trip WHERE day >= '2022-03-01'", "SELECT day FROM trip WHERE day > '2022-03-01'"},
  };
  for (const auto& [a, b] : pairs) {
    const auto counterexample = ground.counterexample(a, b, obeying_the_schema());
    EXPECT_FALSE(counterexample.deviations.has(Deviation::foreign_key)) << a;
  }
}

TEST(RowChecks, NullPassesWhereNothingElseDoes) {
  RefuterGround ground(
      "CREATE TABLE span(id INTEGER PRIMARY KEY, low INTEGER CHECK (low > 8), high INTEGER CHECK (high < 3), CHECK "
      "(low < "
      "high));"
      "CREATE TABLE mark(id INTEGER PRIMARY KEY, span_id INTEGER NOT NULL REFERENCES span(id), word TEXT);");
  const auto counterexample =
      ground.counterexample("SELECT word FROM mark WHERE id > 4", "SELECT word FROM mark", obeying_the_schema());
  EXPECT_EQ(counterexample.deviations.text(), "null");
}

// A counterexample without an orphan says more than one with: it sets the grade.
TEST(RowChecks, GradesDoNotBlameForeignKeys) {
  RefuterGround ground(schema_with_checks);
  const std::pair<std::pair<const char*, const char*>, const char*> cases[] = {
      {{"SELECT id FROM trip WHERE minutes < 60", "SELECT id FROM trip WHERE minutes <= 60"}, "outright"},
      {{"SELECT s.zone FROM station s JOIN trip t ON t.from_id = s.id",
        "SELECT s.zone FROM station s WHERE s.id IN (SELECT from_id FROM trip)"},
       "duplicates"},
      {{"SELECT zone FROM station WHERE next_id IS NULL", "SELECT zone FROM station WHERE next_id <> next_id"}, "null"},
  };
  for (const auto& [pair, grade] : cases) EXPECT_EQ(ground.grade(pair.first, pair.second), grade) << pair.first;
}

}  // namespace
}  // namespace trustsql::equiv
