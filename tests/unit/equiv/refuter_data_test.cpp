// The refuter on pairs of real queries that people have judged.
#include <fstream>

#include "db/sources/host_database.hpp"
#include "unit/equiv/refuter_ground.hpp"
#include "unit/score/development_data.hpp"

namespace trustsql::test {
namespace {

TEST(RefuterDataTest, MostPairsLabelledDifferentAreRefuted) {
  TRUSTSQL_NEEDS_DEVELOPMENT_DATA(data);
  auto host = Connection::open_memory();
  HostDatabase database(host->handle());
  std::map<std::string, std::unique_ptr<RefuterGround>> grounds;
  std::map<int, int> pairs;
  std::map<int, int> refuted;
  for (const auto& line : read_jsonl(*data / "pairs" / "spider_pair_validation.jsonl")) {
    const std::string db = line["db_id"];
    auto& ground = grounds[db];
    if (!ground) {
      const auto path = (*data / "spider" / "databases" / (db + ".sqlite")).string();
      ground = std::make_unique<RefuterGround>(*database.open_file(path, RefuterGround::settings()));
    }
    const std::string a = line["a"];
    const std::string b = line["b"];
    const auto refutation = ground->refute(a, b);
    ASSERT_TRUE(refutation.ok()) << refutation.error().message << "\n" << a << "\n" << b;
    ++pairs[line["label"]];
    if (!refutation->counterexample) continue;
    ++refuted[line["label"]];
    EXPECT_TRUE(RefuterGround::holds(refutation->counterexample->script, a, b)) << a << "\n"
                                                                                << b << "\n"
                                                                                << refutation->counterexample->script;
  }
  EXPECT_GE(refuted[0], pairs[0] * 98 / 100) << refuted[0] << " of " << pairs[0];
  // Those that people labelled the same differ where something is NULL or in the order of columns.
  EXPECT_LE(refuted[1], pairs[1] * 30 / 100) << refuted[1] << " of " << pairs[1];
}

}  // namespace
}  // namespace trustsql::test
