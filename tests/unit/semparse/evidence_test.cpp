#include "semparse/evidence/evidence.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "semparse/model/model_file.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

// The evidence for the first reading of a question whose SQL is accepted.
template <class Accept>
std::map<std::string, float> evidence_for(const ParserGround& ground, const char* text, const Accept& accept) {
  const auto model = shipped_model();
  auto question = read_question(text);
  const auto linking = QuestionLinker(ground.domain(), ground.knowledge().values).link(question);
  const QuestionView view(ground.domain(), question, linking, model->vocabulary);
  const auto candidates = find_candidates(*model, view);
  std::map<std::string, float> named;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!accept(sql_of(ground.domain(), candidates[i].tree).value_or(""))) continue;
    for (const auto& each : evidence_of(view, question_evidence(*model, view), candidates, i))
      named[std::string(each.name)] = each.value;
    return named;
  }
  return named;
}

auto is(std::string_view expected) {
  return [expected](std::string_view sql) { return sql == expected; };
}

// The trees read the numbers by their places: as many as they were trained on, each with a name of its own.
TEST(EvidenceOfCandidates, HasEvidenceCountNames) {
  const ParserGround ground;
  const auto evidence = evidence_for(ground, "How many customers are there?", is("SELECT count(*) FROM customer"));
  EXPECT_EQ(evidence.size(), evidence_count);
  EXPECT_EQ(evidence.count(""), 0U);
  EXPECT_EQ(evidence.count("listed items of several tables"), 1U);  // the last one
}

TEST(EvidenceOfCandidates, CountsCuesAndOperators) {
  const ParserGround ground;
  auto evidence =
      evidence_for(ground, "What is the average age of all customers?", is("SELECT avg(age) FROM customer"));
  EXPECT_EQ(evidence["cue: average"], 1);
  EXPECT_EQ(evidence["avg"], 1);
  EXPECT_EQ(evidence["operators missing"], 0);
  EXPECT_EQ(evidence["operators extra"], 0);
  EXPECT_EQ(evidence["columns of the table that is said to own them"], 1);
}

TEST(EvidenceOfCandidates, SeesWhatIsMissing) {
  const ParserGround ground;
  const auto* const question = "Which customers have no purchase?";
  const auto contains = [](std::string_view part) {
    return [part](std::string_view sql) { return sql.find(part) != std::string_view::npos; };
  };
  auto without = evidence_for(ground, question, is("SELECT name FROM customer"));
  ASSERT_FALSE(without.empty());
  EXPECT_EQ(without["cue: negation"], 1);
  EXPECT_EQ(without["negation"], 0);
  auto with = evidence_for(ground, question, contains("NOT IN (SELECT customer_id FROM purchase)"));
  ASSERT_FALSE(with.empty());
  EXPECT_EQ(with["negation"], 1);
  EXPECT_EQ(with["operators missing"] + 1, without["operators missing"]);
}

TEST(EvidenceOfCandidates, SeesMeasuresAndRelations) {
  const ParserGround ground;
  auto price =
      evidence_for(ground, "Which product is the cheapest?", is("SELECT title FROM product ORDER BY price LIMIT 1"));
  EXPECT_EQ(price["adjectives that measure what is compared"], 1);
  EXPECT_EQ(price["unexplained: common words"], 0);
  auto joined = evidence_for(ground, "Which customers have not fetched any products?", [](std::string_view sql) {
    return sql.find("NOT IN (SELECT customer_id FROM purchase)") != std::string_view::npos;
  });
  ASSERT_FALSE(joined.empty());
  EXPECT_EQ(joined["verbs that only a join explains"], 1);
}

TEST(EvidenceOfCandidates, SeesDirections) {
  const ParserGround ground;
  const auto* const question = "What is the name of the customer with the minimum age?";
  auto right = evidence_for(ground, question, is("SELECT name FROM customer ORDER BY age LIMIT 1"));
  ASSERT_EQ(right.count("highest where the lowest is asked for"), 1U);
  EXPECT_EQ(right["highest where the lowest is asked for"], 0);
  EXPECT_EQ(right["lowest missing"], 0);
  auto wrong = evidence_for(ground, question, is("SELECT name FROM customer ORDER BY age DESC LIMIT 1"));
  ASSERT_EQ(wrong.count("highest where the lowest is asked for"), 1U);
  EXPECT_EQ(wrong["highest where the lowest is asked for"], 1);
  EXPECT_EQ(wrong["lowest missing"], 1);
  EXPECT_GT(right["fit of the form"], wrong["fit of the form"]);
}

// The parts of a form are judged by themselves: an average is asked for, a count is not.
TEST(EvidenceOfCandidates, JudgesTheFormByItself) {
  const ParserGround ground;
  const auto* const question = "What is the average age of all customers?";
  auto right = evidence_for(ground, question, is("SELECT avg(age) FROM customer"));
  EXPECT_LT(right["fit of the form"], 0);
  EXPECT_GT(right["fit of the form"], -3);
  EXPECT_GT(right["fit of the form, the worst part that it has"], -1);
  auto model = *shipped_model();
  ASSERT_TRUE(model.forms);
  const auto reread = read_model(write_model(model, max_model_weights));
  ASSERT_TRUE(reread.ok());
  EXPECT_EQ(reread->forms->weights(), model.forms->weights());
}

TEST(EvidenceOfCandidates, KnowsWhatNamesTheAskedRows) {
  const ParserGround ground;
  const auto* const question = "Which customers are older than 30?";
  auto evidence = evidence_for(ground, question, is("SELECT name FROM customer WHERE age > 30"));
  EXPECT_EQ(evidence["what names the asked rows is returned"], 2);
  EXPECT_EQ(evidence["selected columns that only an operator names"], 0);
  evidence = evidence_for(ground, "Show the names of the 2 oldest of the customers.",
                          [](std::string_view sql) { return sql.starts_with("SELECT age FROM customer"); });
  EXPECT_EQ(evidence["what names the asked rows is returned"], 0);
  EXPECT_EQ(evidence["selected columns that only an operator names"], 1);
}

}  // namespace
}  // namespace trustsql::semparse
