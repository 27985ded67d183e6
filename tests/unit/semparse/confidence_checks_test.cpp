#include "semparse/abstention/confidence_checks.hpp"

#include <algorithm>
#include <string>

#include "semparse/abstention/confidence.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

// A question about a database, with its candidates.
class CheckedQuestion {
 public:
  CheckedQuestion(const ParserGround& ground, std::string_view text)
      : ground_(ground),
        question_(read_question(text)),
        linking_(QuestionLinker(ground.domain(), ground.knowledge().values).link(question_)),
        model_(shipped_model()),
        view_(ground.domain(), question_, linking_, model_->vocabulary),
        candidates_(find_candidates(*model_, view_)) {}

  const std::vector<Candidate>& candidates() const { return candidates_; }
  std::vector<float> checks(std::string_view sql) const {
    for (const auto& candidate : candidates_)
      if (candidate.sql == sql) return confidence_checks(view_, ground_.knowledge().values, candidate);
    ADD_FAILURE() << "no candidate " << sql;
    return std::vector<float>(confidence_check_count, 0.0F);
  }

 private:
  const ParserGround& ground_;
  Question question_;
  Linking linking_;
  std::shared_ptr<const ParserModel> model_;
  QuestionView view_;
  std::vector<Candidate> candidates_;
};

std::size_t place_of(GroundingRule rule) { return 1 + static_cast<std::size_t>(rule); }

TEST(ConfidenceChecks, CountBrokenRules) {
  const ParserGround ground;
  const CheckedQuestion cities(ground, "How many customers live in Paris?");
  const auto right = cities.checks("SELECT count(*) FROM customer WHERE city = 'Paris'");
  ASSERT_EQ(right.size(), confidence_check_count);
  EXPECT_EQ(right.front(), 1);  // customers: a plural
  EXPECT_EQ(right[place_of(GroundingRule::value)], 0);
  EXPECT_EQ(right[1 + grounding_rules], 0);
  const auto broken = [&cities](const Candidate& candidate) {
    return cities.checks(candidate.sql)[place_of(GroundingRule::value)] > 0;
  };
  // Some other reading leaves out the value.
  EXPECT_EQ(std::any_of(cities.candidates().begin(), cities.candidates().end(), broken),
            std::any_of(cities.candidates().begin(), cities.candidates().end(),
                        [](const Candidate& candidate) { return candidate.sql.find("Paris") == std::string::npos; }));
}

TEST(ConfidenceChecks, SeeWhereUnexplainedWordsStand) {
  const ParserGround ground;
  const CheckedQuestion customer(ground, "What is the age of the customer called Zyx Wvu?");
  const auto checks = customer.checks("SELECT age FROM customer");
  const auto* words = checks.data() + 1 + grounding_rules + 3;
  EXPECT_EQ(words[0], 2);  // with a capital letter
  EXPECT_GE(words[5], 2);  // in a run
  EXPECT_GE(words[7], 2);  // at the end
  EXPECT_EQ(checks.front(), 0);
}

// A tree and its SQL have the same leaves.
TEST(ConfidenceChecks, LeavesOfTrees) {
  const ParserGround ground;
  for (const auto* text :
       {"How many customers live in Paris?", "Which customers have no purchase?", "Which product is the cheapest?",
        "What are the titles of the products that cost between 10 and 30?",
        "How many purchases did each customer make?", "customers who are older than the average age",
        "Which categories have more than 1 product?", "Show all information about the products.",
        "List the names of the customers in alphabetical order.", "purchases after 2024-05-01",
        "customers from Paris or New York"}) {
    const CheckedQuestion checked(ground, text);
    for (const auto& candidate : checked.candidates()) {
      auto parsed = parse_query(candidate.sql);
      ASSERT_TRUE(parsed.ok()) << candidate.sql;
      const auto query = std::move(parsed).value();
      const auto resolution = std::move(resolve(query, ground.catalog())).value();
      const auto expected = leaves_of(query, resolution, ground.domain());
      const auto leaves = leaves_of(candidate.tree, ground.domain());
      EXPECT_EQ(leaves.columns, expected.columns) << candidate.sql;
      EXPECT_EQ(leaves.joined, expected.joined) << candidate.sql;
      EXPECT_EQ(leaves.tables, expected.tables) << candidate.sql;
      EXPECT_TRUE(std::equal(leaves.aggregates, leaves.aggregates + 6, expected.aggregates)) << candidate.sql;
      EXPECT_EQ(leaves.select.size(), expected.select.size()) << candidate.sql;
      const auto flags = [](const QueryLeaves& of) {
        return std::vector<bool>{of.star,       of.ordered, of.ascending, of.descending, of.limited, of.grouped,
                                 of.intersects, of.unites,  of.excludes,  of.null_test,  of.between, of.like,
                                 of.any,        of.all,     of.inner,     of.unusual};
      };
      EXPECT_EQ(flags(leaves), flags(expected)) << candidate.sql;
      const auto literals = [](const QueryLeaves& of) {
        std::vector<std::string> all;
        for (const auto& leaf : of.literals)
          all.push_back(leaf.text + " " + std::to_string(leaf.column) + " " +
                        std::to_string(static_cast<int>(leaf.comparison)) + (leaf.number ? " number" : "") +
                        (leaf.limit ? " limit" : ""));
        std::sort(all.begin(), all.end());
        return all;
      };
      EXPECT_EQ(literals(leaves), literals(expected)) << candidate.sql;
    }
  }
}

TEST(Outcomes, DistinctRows) {
  ParserGround ground;
  const auto outcome = [&ground](const char* sql) { return outcome_of(*ground.sandbox().run(sql)); };
  const auto cities = outcome("SELECT city FROM customer");
  EXPECT_NEAR(cities.repeated, 1.0 / 3, 1e-6);
  EXPECT_NEAR(cities.first_distinct, 2.0 / 3, 1e-6);
  const auto distinct = outcome("SELECT DISTINCT city FROM customer");
  EXPECT_EQ(distinct.repeated, 0);
  EXPECT_EQ(distinct.distinct_rows, cities.distinct_rows);
  EXPECT_NE(distinct.fingerprint, cities.fingerprint);
  EXPECT_EQ(outcome("SELECT city, age FROM customer").distinct_firsts, cities.distinct_firsts);
  EXPECT_EQ(outcome("SELECT city FROM customer WHERE 0").first_type, 0);
}

TEST(Outcomes, InputsOfTheConfidence) {
  std::vector<Contender> contenders(2);
  contenders[0].evidence.assign(3, 1.0F);
  contenders[1].evidence.assign(3, 2.0F);
  contenders[0].checks = {1, 0};
  const auto inputs = choice_inputs(contenders);
  EXPECT_EQ(confidence_inputs(contenders, inputs, {0, {0.75F, 0.25F}}).size(), confidence_input_count());
}

}  // namespace
}  // namespace trustsql::semparse
