#include "gmn/trainer.hpp"

#include <gtest/gtest.h>

#include "gmn/losses.hpp"
#include "gmn/weights_file.hpp"
#include "unit/gmn/example_graphs.hpp"

namespace trustsql::gmn {
namespace {

// 32 pairs: the same where both have the filter on the same literal, with the edges of one graph in another order.
LabelledGraphs example_pairs() {
  LabelledGraphs labelled;
  for (int i = 0; i < 16; ++i) {
    const auto table = "t" + std::to_string(i);
    const auto graph = filter_graph(table, std::to_string(i));
    auto same = graph;
    std::swap(same.nodes[4], same.nodes[5]);  // the operands of =
    same.edges.back() = {plan::PlanGraph::EdgeKind::data, 5, 7};
    const auto different = i % 2 == 0 ? filter_graph(table, std::to_string(i + 1)) : scan_graph(table);
    const auto first = labelled.graphs.size();
    labelled.graphs.insert(labelled.graphs.end(), {graph, same, different});
    labelled.pairs.push_back({first, first + 1, true});
    labelled.pairs.push_back({first, first + 2, false});
  }
  return labelled;
}

std::vector<std::size_t> groups_of(const LabelledGraphs& labelled) {
  std::vector<std::size_t> groups;
  for (const auto& pair : labelled.pairs) groups.push_back(pair.first);
  return groups;
}

TrainingOptions quick_options() {
  TrainingOptions options;
  options.epochs = 3;
  options.pretraining_epochs = 1;
  options.pretraining_batch = 16;
  options.batch = 8;
  options.rate = options.pretraining_rate = 5e-3;
  options.held_out = 0.2;
  return options;
}

std::unique_ptr<Trainer> trainer_for(const TrainingOptions& options, std::size_t threads = 1) {
  const auto labelled = example_pairs();
  auto trainer = Trainer::create(labelled, groups_of(labelled), small_sizes(), options, threads);
  EXPECT_TRUE(trainer.ok());
  return *std::move(trainer);
}

bool never() { return false; }

std::vector<EpochReport> run(Trainer& trainer) {
  std::vector<EpochReport> reports;
  while (true) {
    auto report = trainer.next(never);
    EXPECT_TRUE(report.ok());
    if (!report.ok() || !*report) return reports;
    reports.push_back(**report);
  }
}

std::vector<float> values_of(const Trainer& trainer) {
  const auto network = trainer.best();
  return {network.parameters().values().begin(), network.parameters().values().end()};
}

TEST(GmnTrainer, LearnsThirtyTwoPairsByHeart) {
  auto options = quick_options();
  options.epochs = 60;
  options.patience = 0;
  options.held_out = 0;
  options.renamed = 0;
  auto trainer = trainer_for(options);
  const auto reports = run(*trainer);
  const auto labelled = example_pairs();
  const auto network = trainer->best();
  const auto set = encode(labelled, network.vocabulary(), true);
  BatchPass pass(network, set.texts, 1);
  float farthest_same = 0;
  float nearest_different = 1e9F;
  for (const auto& pair : set.pairs) {
    const BatchPass::Item item{&set.graphs[pair.first], &set.graphs[pair.second]};
    const float distance = pass.distances({&item, 1})[0];
    if (pair.same) farthest_same = std::max(farthest_same, distance);
    if (!pair.same) nearest_different = std::min(nearest_different, distance);
  }
  EXPECT_LT(farthest_same, nearest_different);  // AUC 1
  EXPECT_LT(reports.back().loss, 0.1);
}

TEST(GmnTrainer, PretrainingComesFirstAndLowersItsLoss) {
  auto options = quick_options();
  options.pretraining_epochs = 8;
  auto trainer = trainer_for(options);
  const auto reports = run(*trainer);
  ASSERT_EQ(reports.size(), 11U);
  EXPECT_TRUE(reports[7].pretraining);
  EXPECT_FALSE(reports[8].pretraining);
  EXPECT_LT(reports[7].loss, reports[0].loss);
}

TEST(GmnTrainer, TheNumberOfThreadsChangesNothing) {
  auto one = trainer_for(quick_options(), 1);
  auto three = trainer_for(quick_options(), 3);
  run(*one);
  run(*three);
  EXPECT_EQ(values_of(*one), values_of(*three));
}

TEST(GmnTrainer, AsksWithinABatchWhetherToStop) {
  auto options = quick_options();
  options.pretraining_epochs = 0;
  options.batch = 1'000;  // all pairs
  options.epochs = 1;
  auto whole = trainer_for(options);
  int asked = 0;
  ASSERT_TRUE(whole->next([&] { return ++asked < 0; }).ok());
  EXPECT_GT(asked, 100);
  auto stopped = trainer_for(options);
  for (int last = 1; last < asked; last += 25) {
    int left = last;
    const auto report = stopped->next([&] { return --left <= 0; });
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, ErrorCode::interrupted);
    EXPECT_EQ(left, 0);
  }
  run(*stopped);
  EXPECT_EQ(values_of(*stopped), values_of(*whole));
}

TEST(GmnTrainer, ABatchGoesThroughInPartsThatFitTheMemory) {
  const auto trainer = trainer_for(quick_options());
  const auto network = trainer->best();
  const auto set = encode(example_pairs(), network.vocabulary(), true);
  std::vector<BatchPass::Item> items;
  for (std::size_t i = 0; i < set.pairs.size(); ++i)
    items.push_back({&set.graphs[set.pairs[i].first], &set.graphs[set.pairs[i].second], i});
  std::size_t largest = 0;
  const auto loss = [&](Tape& tape, Value vectors, std::span<const std::size_t> pairs) {
    largest = std::max(largest, pairs.size());
    return mean_square(tape, vectors);
  };
  const auto gradient_of = [&](std::size_t max_numbers) {
    BatchPass pass(network, set.texts, 1, max_numbers);
    std::vector<float> gradient(network.parameters().values().size());
    largest = 0;
    pass.add_gradient(items, loss, gradient);
    return gradient;
  };
  const auto whole = gradient_of(BatchPass::default_max_numbers);
  EXPECT_EQ(largest, 4U);  // of 8 slots
  const auto in_parts = gradient_of(1);
  EXPECT_EQ(largest, 1U);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], in_parts[i], 1e-5);
}

TEST(GmnTrainer, AnotherSeedIsAnotherNetwork) {
  auto options = quick_options();
  auto one = trainer_for(options);
  options.seed = 2;
  auto two = trainer_for(options);
  run(*one);
  run(*two);
  EXPECT_NE(values_of(*one), values_of(*two));
  EXPECT_NE(one->fingerprint(), two->fingerprint());
}

TEST(GmnTrainer, GoesOnFromACheckpointAsIfNothingHadHappened) {
  auto whole = trainer_for(quick_options());
  const auto expected = run(*whole);
  for (int batches = 0; batches < 12; batches += 3) {
    auto first = trainer_for(quick_options());
    int left = batches;
    while (true) {
      const auto report = first->next([&] { return left-- == 0; });
      if (!report.ok()) {
        EXPECT_EQ(report.error().code, ErrorCode::interrupted);
        break;
      }
      ASSERT_TRUE(report->has_value());
    }
    const auto bytes = write_checkpoint(first->state(), first->fingerprint());
    auto second = trainer_for(quick_options());
    auto state = read_checkpoint(bytes, second->fingerprint(), values_of(*second).size());
    ASSERT_TRUE(state.ok()) << state.error().message;
    second->restore(*std::move(state));
    const auto reports = run(*second);
    EXPECT_EQ(values_of(*second), values_of(*whole)) << batches;
    EXPECT_DOUBLE_EQ(reports.back().loss, expected.back().loss);
  }
}

TEST(GmnTrainer, HoldsOutWholeGroups) {
  const auto trainer = trainer_for(quick_options());
  EXPECT_EQ(trainer->training_pairs(), 26U);
  EXPECT_EQ(trainer->held_out_pairs(), 6U);  // three of sixteen groups, two pairs each
}

TEST(GmnTrainer, NeedsPairsOfBothLabels) {
  auto labelled = example_pairs();
  for (auto& pair : labelled.pairs) pair.same = true;
  const auto one_label = Trainer::create(labelled, groups_of(labelled), small_sizes(), {}, 1);
  ASSERT_FALSE(one_label.ok());
  EXPECT_EQ(one_label.error().message,
            "training needs pairs with the label 1 and pairs with the label 0; all 32 have the label 1");
  const auto none = Trainer::create({}, {}, small_sizes(), {}, 1);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message, "there are no pairs to train on");
}

}  // namespace
}  // namespace trustsql::gmn
