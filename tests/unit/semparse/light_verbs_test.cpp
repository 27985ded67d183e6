// Questions in other words: light_verbs.hpp, named_people.hpp, other_requests.hpp.

#include "semparse/question/light_verbs.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "semparse/model/parser_model.hpp"
#include "semparse/question/named_people.hpp"
#include "semparse/question/named_values.hpp"
#include "semparse/question/other_requests.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* farm_shop = R"(
CREATE TABLE farm(id INTEGER PRIMARY KEY, name TEXT, animal TEXT, village TEXT);
CREATE TABLE tester(id INTEGER PRIMARY KEY, name TEXT, hourly_rate REAL, hired_on TEXT);
CREATE TABLE teacher(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE course(id INTEGER PRIMARY KEY, title TEXT, teacher_id INTEGER REFERENCES teacher);
CREATE TABLE cheese(id INTEGER PRIMARY KEY, title TEXT, farm_id INTEGER REFERENCES farm, price REAL, is_organic INTEGER);
CREATE TABLE award(id INTEGER PRIMARY KEY, cheese_id INTEGER REFERENCES cheese, year INTEGER);
CREATE TABLE purchase(id INTEGER PRIMARY KEY, cheese_id INTEGER REFERENCES cheese, day TEXT);
CREATE TABLE check_up(id INTEGER PRIMARY KEY, farm_id INTEGER REFERENCES farm, tester_id INTEGER REFERENCES tester);
CREATE TABLE visit(id INTEGER PRIMARY KEY, handled_by INTEGER REFERENCES tester, guide_id INTEGER REFERENCES tester,
                   status TEXT);
INSERT INTO farm VALUES (1, 'Hill', 'goat', 'Wick'), (2, 'Mill', 'cow', 'Stow'), (3, 'Moor', 'sheep', 'Ware');
INSERT INTO tester VALUES (1, 'Ada Moe', 30, '2015-01-02'), (2, 'Bo Lie', 40, '2019-03-04');
INSERT INTO teacher VALUES (1, 'Cy Roe'), (2, 'Di Fox');
INSERT INTO course VALUES (1, 'Ripening', 1), (2, 'Milking', 2);
INSERT INTO cheese VALUES (1, 'Brie', 1, 10, 1), (2, 'Feta', 2, 12, 0);
INSERT INTO visit VALUES (1, 1, 2, 'open'), (2, 2, 1, 'closed');
)";

class LightVerbsTest : public testing::Test {
 protected:
  std::string verbs(std::string_view text) const { return with_edits(text, light_verb_edits); }
  std::string people(std::string_view text) const { return with_edits(text, people_edits); }
  std::string values(std::string_view text) const { return with_edits(text, value_edits); }
  std::vector<std::string> requests(std::string_view text) const {
    std::vector<std::string> found;
    on_view(ground_, text, [&found](const QuestionView& view) {
      found = other_requests(view);
      return std::string();
    });
    return found;
  }

 private:
  std::string with_edits(std::string_view text, std::vector<Edit> (*edits_of)(const QuestionView&)) const {
    return on_view(ground_, text, [edits_of](const QuestionView& view) {
      const auto edits = edits_of(view);
      return edits.empty() ? std::string() : edited(view.question(), edits);
    });
  }

  ParserGround ground_{farm_shop};
};

TEST_F(LightVerbsTest, RelatedRowsAreHad) {
  const std::pair<const char*, const char*> questions[] = {
      {"Which cheeses won at least two awards?", "Which cheeses have at least two awards?"},
      {"cheeses that never won an award", "cheeses that have no awards"},
      {"Which testers have not made a single check up yet?", "Which testers have no check ups?"},
      {"Which testers carried out more than 3 check ups?", "Which testers have more than 3 check ups?"},
      {"How many check ups did Ada Moe carry out?", "How many check ups does Ada Moe have?"},
      {"How many farms keep goats?", "How many farms have goats?"},
      {"how many cheeses do we have", "how many cheeses are there"},
      {"Which cheeses were purchased more than once?", "Which cheeses have more than one purchase?"},
      {"Which cheeses were purchased at least 3 times?", "Which cheeses have at least 3 purchases?"},
      {"Which farms are based in Wick?", "Which farms are in Wick?"},
      {"Which visits are still open?", "Which visits are open?"},
      {"Which visits have not been paid yet?", "Which visits have not been paid?"},
      {"How many visits were there so far?", "How many visits were there?"},
      {"Which visits are closed at the moment?", "Which visits are closed?"},
  };
  for (const auto& [question, expected] : questions) EXPECT_EQ(verbs(question), expected) << question;
}

TEST_F(LightVerbsTest, VerbsThatSayMoreStay) {
  for (const auto* question : {
           "Which farms lost more than one cheese?",  // what became of it
           "Which farms cancelled at least two check ups?",
           "Which testers put off at least two check ups?",  // a particle
           "How many check ups did Ada Moe give up?",        //
           "How many cheeses have we given up?",             //
           "Which farms made more than two check ups?",      // no people
           "How many cheeses have we made?",                 // more than there are  //
           "Which testers have completed more than 2 check ups?",
           "Which cheeses won at least two purchases?",  // no prizes
           "Which testers gave at least two visits?",    // two references
           "How many check ups did Ada Moe fail?",       //
           "Which farms have more than two cheeses?",    // is said so
           "How many cheeses do we have to pay for?",    //
           "Which cheeses were purchased in 2024?",      // no amount
           "How many check ups have no Ada Moe",         // a value at the end
           "How many check ups did Ada Moe",             //
           "How many cheeses do we",
           "How many",
           "cheeses that",
           "cheeses have not",
           "Who is still here?",  // no value
       })
    EXPECT_EQ(verbs(question), "") << question;
}

TEST_F(LightVerbsTest, PeopleAreNamed) {
  EXPECT_EQ(people("Who has the highest hourly rate?"), "which tester has the highest hourly rate?");
  EXPECT_EQ(people("Who was hired before 2016?"), "which testers were hired before 2016?");
  EXPECT_EQ(people("Who teaches Ripening?"), "which teacher teaches Ripening?");
  EXPECT_EQ(people("Who has the most cheeses?"), "");  // a table is named
  EXPECT_EQ(people("Who is it?"), "");
}

TEST_F(LightVerbsTest, RowsThatAValueNames) {
  EXPECT_EQ(values("Who teaches Ripening?"), "Who teaches the course Ripening?");
  EXPECT_EQ(values("Who is the Ripening teacher?"), "");
  EXPECT_EQ(values("How many organic cheeses are there?"), "how many cheeses are organic?");
  EXPECT_EQ(values("number of organic cheeses"), "how many cheeses are organic");
}

TEST_F(LightVerbsTest, OtherRequests) {
  const auto has = [](const std::vector<std::string>& texts, std::string_view text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  };
  EXPECT_TRUE(has(requests("Show the names of all farms."), "find the names of all farms"));
  EXPECT_TRUE(has(requests("Show the names of all farms."), "what are the names of all farms"));
  EXPECT_TRUE(has(requests("What is the average price?"), "give the average price"));
  EXPECT_TRUE(has(requests("number of cheeses"), "what is the number of cheeses"));
  EXPECT_TRUE(has(requests("How many cheeses have no award?"), "find the number of cheeses that have no award"));
  EXPECT_TRUE(has(requests("Which cheeses have no awards?"), "Which cheeses do not have any awards?"));
  EXPECT_TRUE(has(requests("cheeses with more than one award"), "cheeses that have more than one award"));
  EXPECT_TRUE(requests("Who teaches Ripening?").empty());
}

}  // namespace
}  // namespace trustsql::semparse
