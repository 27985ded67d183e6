#include "score/reliability/system_diff.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "unit/test_run.hpp"

namespace trustsql {
namespace {

using enum ReliabilityCase;

struct Pair {
  ReliabilityCase a, b;
  std::string kind_a, kind_b;
};

OutcomeTable table_of(const std::vector<Pair>& pairs) {
  OutcomeTable table;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string question = std::to_string(i);
    const std::string cluster = std::to_string(i % 3);
    EXPECT_TRUE(table
                    .add({.system = "old",
                          .question = question,
                          .cluster = cluster,
                          .reliability_case = pairs[i].a,
                          .error_kind = pairs[i].kind_a})
                    .ok());
    EXPECT_TRUE(table
                    .add({.system = "new",
                          .question = question,
                          .cluster = cluster,
                          .reliability_case = pairs[i].b,
                          .error_kind = pairs[i].kind_b})
                    .ok());
  }
  return table;
}

TEST(SystemDiff, CountsWhatIsFixedAndIntroducedByKind) {
  const auto table = table_of({{III, I, "values", ""},
                               {III, I, "values", ""},
                               {I, III, "", "values"},
                               {III, III, "values", "conditions"},
                               {III, II, "conditions", ""},
                               {II, III, "", ""},
                               {IV, V, "", ""},
                               {I, I, "", ""},
                               {V, IV, "", ""},
                               {II, I, "", ""}});
  const auto diff = compare_systems(table, 0, 1, {}, never_stop).value();
  EXPECT_EQ(diff.n, 10);
  EXPECT_EQ(diff.total.errors_a, 5);
  EXPECT_EQ(diff.total.errors_b, 4);
  EXPECT_EQ(diff.total.fixed, 3);
  EXPECT_EQ(diff.total.introduced, 2);
  EXPECT_EQ(diff.total.withheld, 1);
  EXPECT_EQ(diff.total.exposed, 1);
  EXPECT_EQ(diff.gained, 4);
  EXPECT_EQ(diff.lost, 2);
  EXPECT_EQ(diff.test.exact, mcnemar(2, 4).exact);
  ASSERT_EQ(diff.kinds.size(), 4U);
  EXPECT_EQ(diff.kinds[0].kind, "values");
  EXPECT_EQ(diff.kinds[0].fixed, 2);
  EXPECT_EQ(diff.kinds[0].introduced, 1);
  EXPECT_EQ(diff.kinds[0].errors_a, 3);
  EXPECT_EQ(diff.kinds[0].errors_b, 1);
  EXPECT_EQ(diff.kinds[1].kind, "infeasible");
  EXPECT_EQ(diff.kinds[1].fixed, 1);
  EXPECT_EQ(diff.kinds[1].introduced, 1);
  EXPECT_EQ(diff.kinds[2].kind, "conditions");
  EXPECT_EQ(diff.kinds[2].withheld, 1);
  EXPECT_EQ(diff.kinds[2].errors_b, 1);
  EXPECT_EQ(diff.kinds[3].kind, "unclassified");
  EXPECT_EQ(diff.kinds[3].exposed, 1);
  EXPECT_EQ(diff.rs_10.a, 100.0 * (3 - 50) / 10);
  EXPECT_EQ(diff.rs_10.b, 100.0 * (5 - 40) / 10);
  EXPECT_EQ(diff.rs_n.a, diff.rs_10.a);
}

TEST(SystemDiff, PairedIntervalsAreNarrowerThanTheSystemsOwn) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 500; ++i) pairs.push_back({i % 4 == 0 ? III : I, i % 4 == 0 && i % 8 != 0 ? III : I, "", ""});
  const auto table = table_of(pairs);
  const auto diff = compare_systems(table, 0, 1, {.bootstrap = {.replicates = 2000}}, never_stop).value();
  ASSERT_TRUE(diff.rs_0.interval);
  const double gain = diff.rs_0.b - diff.rs_0.a;
  EXPECT_NEAR(gain, 12.6, 1e-9);
  // The difference is 1 in a share p of the questions: p (1 - p) / n.
  const double half = 100 * 1.96 * std::sqrt(0.126 * 0.874 / 500);
  EXPECT_NEAR(diff.rs_0.interval->low, gain - half, 0.5);
  EXPECT_NEAR(diff.rs_0.interval->high, gain + half, 0.5);
  EXPECT_NEAR(diff.rs_10.interval->low, 11 * diff.rs_0.interval->low, 1e-9);  // each error fixed is worth 1 + c
  const auto clustered = compare_systems(table, 0, 1, {.clustered = true}, never_stop).value();
  ASSERT_TRUE(clustered.rs_0.interval);
  EXPECT_NE(clustered.rs_0.interval, diff.rs_0.interval);
  const auto same = compare_systems(table, 1, 1, {}, never_stop).value();
  EXPECT_EQ(same.rs_n.interval, (Interval{0, 0}));
  EXPECT_EQ(same.test.exact, 1);
}

TEST(SystemDiff, CanBeInterrupted) {
  const auto diff =
      compare_systems(table_of({{I, I, "", ""}}), 0, 1, {.bootstrap = {.replicates = 1'000'000}}, [] { return true; });
  ASSERT_FALSE(diff.ok());
  EXPECT_EQ(diff.error().code, ErrorCode::interrupted);
}

TEST(SystemDiff, QuestionsOfOneSystemAloneAreLeftOutOrAnError) {
  auto table = table_of({{I, I, "", ""}, {III, I, "", ""}});
  ASSERT_TRUE(table.add({.system = "old", .question = "9", .reliability_case = I}).ok());
  EXPECT_FALSE(compare_systems(table, 0, 1, {}, never_stop).ok());
  EXPECT_EQ(compare_systems(table, 0, 1, {.missing = MissingRows::count}, never_stop).value().n, 2);
  OutcomeTable apart;
  ASSERT_TRUE(apart.add({.system = "a", .question = "1", .reliability_case = I}).ok());
  ASSERT_TRUE(apart.add({.system = "b", .question = "2", .reliability_case = I}).ok());
  EXPECT_FALSE(compare_systems(apart, 0, 1, {.missing = MissingRows::count}, never_stop).ok());
  OutcomeTable anonymous;
  ASSERT_TRUE(anonymous.add({.system = "a", .question = std::nullopt, .reliability_case = I}).ok());
  EXPECT_EQ(compare_systems(anonymous, 0, 0, {}, never_stop).error().message,
            "the rows of the two systems cannot be paired without a column 'id' or 'question'");
}

TEST(SystemDiff, FindsTheSystemsToCompare) {
  using Numbers = std::pair<std::uint32_t, std::uint32_t>;
  const auto message = [](const auto& numbers) { return numbers.ok() ? "" : numbers.error().message; };
  auto table = table_of({{I, I, "", ""}});  // of old and new
  EXPECT_EQ(systems_to_compare(table, std::nullopt, std::nullopt).value(), Numbers(0, 1));
  EXPECT_EQ(systems_to_compare(table, "new", "old").value(), Numbers(1, 0));
  EXPECT_EQ(systems_to_compare(table, "new", "new").value(), Numbers(1, 1));
  EXPECT_EQ(message(systems_to_compare(table, "new", std::nullopt)),
            "give both of the options 'a' and 'b', or neither");
  EXPECT_EQ(message(systems_to_compare(table, "new", "newer")),
            "the source has no system 'newer'; it has: 'old', 'new'");
  ASSERT_TRUE(table.add({.system = "other", .question = "0", .reliability_case = I}).ok());
  EXPECT_EQ(message(systems_to_compare(table, std::nullopt, std::nullopt)),
            "the source has 3 systems ('old', 'new', 'other'); name two of its column 'system' as {\"a\":..., "
            "\"b\":...}");
}

}  // namespace
}  // namespace trustsql
