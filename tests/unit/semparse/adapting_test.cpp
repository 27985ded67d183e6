#include "semparse/training/adapting.hpp"

#include <gtest/gtest.h>

#include "semparse/model/model_file.hpp"
#include "semparse/synthesis/synthesis.hpp"
#include "semparse/training/infeasible.hpp"
#include "semparse/training/judging.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

// Questions about one database, which is the source of the ground.
struct Training {
  ParserGround ground{};
  std::vector<std::shared_ptr<SandboxSource>> databases{};
  std::vector<UserQuestion> questions{};

  explicit Training(std::size_t count = 80) {
    databases.push_back(std::shared_ptr<SandboxSource>(&ground.source(), [](SandboxSource*) {}));
    const auto made = synthesize(ground.knowledge(), ground.sandbox(), {.count = count});
    EXPECT_TRUE(made.ok());
    for (const auto& each : *made) questions.push_back({0, each.question, each.sql, {}});
  }

  Result<Adaptation> adapt(const AdaptingOptions& options) const {
    return adapt_model(shipped_model(), databases, questions, options);
  }
};

TEST(Adapting, TrainsModulesAndSaysHowTheyDo) {
  const Training training;
  const auto adaptation = training.adapt({});
  ASSERT_TRUE(adaptation.ok()) << adaptation.error().message;
  EXPECT_EQ(adaptation->feasible + adaptation->infeasible, training.questions.size());
  EXPECT_EQ(adaptation->left_out.size(), training.questions.size());
  EXPECT_TRUE(adaptation->unused.empty());
  EXPECT_FALSE(adaptation->by_database);
  ASSERT_TRUE(adaptation->model.classifier && adaptation->model.detector);
  // Most questions that were left out are told apart.
  std::size_t told = 0;
  for (const auto& each : adaptation->left_out) told += (each.answerable >= 0.5) == each.feasible ? 1U : 0U;
  EXPECT_GT(told * 10, adaptation->left_out.size() * 7);
  // The detector's calibration has a row for every question.
  EXPECT_EQ(adaptation->model.detector->calibration.rows().size(), training.questions.size());
}

TEST(Adapting, GivesTheSameBytesWithAnyNumberOfThreads) {
  const Training training(60);
  AdaptingOptions options{.folds = 3};
  const auto first = training.adapt(options);
  options.threads = 3;
  const auto second = training.adapt(options);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(write_model(first->model, max_model_weights), write_model(second->model, max_model_weights));
}

TEST(Adapting, AModelFileKeepsItsModules) {
  const Training training(60);
  const auto adaptation = training.adapt({.folds = 2});
  ASSERT_TRUE(adaptation.ok());
  const auto bytes = write_model(adaptation->model, max_model_weights);
  const auto read = read_model(bytes);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_TRUE(read->classifier && read->detector);
  EXPECT_EQ(write_model(*read, max_model_weights), bytes);
  const auto& knowledge = training.ground.knowledge();
  const auto sandbox = *training.databases.front()->lease();
  const Parser parser(shipped_model());
  for (const auto* text : {"How many customers are there?", "What is the blood type of each customer?"}) {
    const auto parse = parser.parse(text, knowledge, *sandbox);
    ASSERT_TRUE(parse.ok());
    ASSERT_EQ(parse->question_inputs.size(), classifier_input_count());
    const auto question = read_question(text);
    EXPECT_EQ(read->classifier->probability(question, parse->question_inputs),
              adaptation->model.classifier->probability(question, parse->question_inputs));
    const auto inputs = detector_inputs(text, "SELECT count(*) FROM customer", *parse, knowledge,
                                        training.ground.catalog(), *sandbox, {});
    ASSERT_TRUE(inputs.ok());
    ASSERT_EQ(inputs->size(), detector_input_count());
    EXPECT_EQ(read->detector->probability(*inputs, *parse), adaptation->model.detector->probability(*inputs, *parse));
  }
  for (std::size_t length = bytes.size() - 4000; length < bytes.size(); length += 97)
    EXPECT_FALSE(read_model(std::string_view(bytes).substr(0, length)).ok()) << length;
}

// Of two systems the detector must trust the one that is right.
TEST(Adapting, LearnsFromAnswersOfAnotherSystem) {
  Training training(100);
  std::size_t number = 0;
  for (auto& each : training.questions)
    each.written = each.sql && ++number % 2 == 0 ? *each.sql : "SELECT title FROM product WHERE price < 0";
  const auto adaptation = training.adapt({});
  ASSERT_TRUE(adaptation.ok()) << adaptation.error().message;
  EXPECT_TRUE(adaptation->detects_written);
  EXPECT_FALSE(adaptation->model.detector->of_parser);
  double right = 0;
  double wrong = 0;
  for (const auto& each : adaptation->left_out) {
    ASSERT_TRUE(each.detected);
    if (each.answer_right)
      right = std::max(right, each.correct);
    else
      wrong = std::max(wrong, each.correct);
  }
  EXPECT_GT(right, 0.7);
  EXPECT_LT(wrong, right);
}

TEST(Adapting, SaysWhichQuestionsItCannotUse) {
  Training training(80);
  training.questions.insert(training.questions.begin(), {0, "How many?", "SELEC 1", {}});
  training.questions.push_back({0, " ", "SELECT 1", {}});
  training.questions.push_back({0, "Which planets?", "SELECT name FROM planet", {}});
  const auto adaptation = training.adapt({.folds = 2});
  ASSERT_TRUE(adaptation.ok()) << adaptation.error().message;
  ASSERT_EQ(adaptation->unused.size(), 3U);
  EXPECT_EQ(adaptation->unused[0].number, 0U);
  EXPECT_NE(adaptation->unused[0].reason.find("does not parse"), std::string::npos);
  EXPECT_EQ(adaptation->unused[1].reason, "the question is empty");
  EXPECT_NE(adaptation->unused[2].reason.find("no such table: planet"), std::string::npos);
}

TEST(Adapting, NeedsQuestionsOfBothKinds) {
  Training training(80);
  const auto all = training.questions;
  std::erase_if(training.questions, [](const UserQuestion& each) { return !each.sql; });
  auto adaptation = training.adapt({});
  ASSERT_FALSE(adaptation.ok());
  EXPECT_NE(adaptation.error().message.find("there are 0 infeasible questions"), std::string::npos);
  training.questions = all;
  std::erase_if(training.questions, [](const UserQuestion& each) { return each.sql.has_value(); });
  adaptation = training.adapt({});
  ASSERT_FALSE(adaptation.ok());
  EXPECT_NE(adaptation.error().message.find("there are 0 feasible questions"), std::string::npos);
}

TEST(Adapting, EndsWhenItIsToldTo) {
  const Training training(60);
  AdaptingOptions options;
  options.stop = [] { return true; };
  auto adaptation = training.adapt(options);
  ASSERT_FALSE(adaptation.ok());
  EXPECT_EQ(adaptation.error().code, ErrorCode::interrupted);
  options.stop = {};
  options.deadline = std::chrono::steady_clock::now();
  adaptation = training.adapt(options);
  ASSERT_FALSE(adaptation.ok());
  EXPECT_EQ(adaptation.error().code, ErrorCode::limit_exceeded);
}

TEST(WordOdds, SpeakForTheKindThatHasTheWord) {
  WordOdds odds;
  for (int i = 0; i < 10; ++i) {
    odds.add(read_question("How many singers are there?"), true);
    odds.add(read_question("What is the weather in Paris?"), false);
  }
  const auto feasible = odds.inputs(read_question("How many singers?"));
  const auto infeasible = odds.inputs(read_question("What is the weather?"));
  ASSERT_EQ(feasible.size(), WordOdds::input_count);
  EXPECT_GT(feasible[0], 1);
  EXPECT_LT(infeasible[0], -1);
  EXPECT_EQ(feasible[2], 0);
  EXPECT_GT(infeasible[2], 0.5F);
}

TEST(Judging, ComparesResults) {
  ParserGround ground;
  EXPECT_TRUE(returns_the_same(ground.sandbox(), "SELECT name FROM customer", "SELECT customer.name FROM customer"));
  EXPECT_FALSE(returns_the_same(ground.sandbox(), "SELECT name FROM customer", "SELECT city FROM customer"));
  EXPECT_FALSE(returns_the_same(ground.sandbox(), "SELECT name FROM nothing", "SELECT name FROM nothing"));
  EXPECT_FALSE(returns_the_same(ground.sandbox(), "SELECT name FROM customer ORDER BY age",
                                "SELECT name FROM customer ORDER BY age DESC"));
}

}  // namespace
}  // namespace trustsql::semparse
