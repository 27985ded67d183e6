#include "semparse/evidence.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

// The evidence for the first reading of a question whose SQL is accepted.
template <class Accept>
std::map<std::string, float> evidence_for(const ParserGround& ground, const char* text, const Accept& accept) {
  const auto model = shipped_model();
  const auto question = read_question(text);
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
  EXPECT_EQ(evidence.count("selected columns whose words name a table"), 1U);  // the last one
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
  const auto* const question = "What are the names of customers who are not from Paris?";
  const auto contains = [](std::string_view part) {
    return [part](std::string_view sql) { return sql.find(part) != std::string_view::npos; };
  };
  auto without = evidence_for(ground, question, contains("city = 'Paris'"));
  ASSERT_FALSE(without.empty());
  EXPECT_EQ(without["cue: negation"], 1);
  EXPECT_EQ(without["negation"], 0);
  auto with = evidence_for(ground, question, contains("city <> 'Paris'"));
  ASSERT_FALSE(with.empty());
  EXPECT_EQ(with["negation"], 1);
  EXPECT_EQ(with["operators missing"] + 1, without["operators missing"]);
}

}  // namespace
}  // namespace trustsql::semparse
