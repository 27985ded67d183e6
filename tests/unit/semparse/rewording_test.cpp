// Questions in other words of the same meaning: named_values.hpp, with_named_rows(), with_named_groups().

#include <string>

#include "semparse/model/parser_model.hpp"
#include "semparse/question/named_measures.hpp"
#include "semparse/question/named_rows.hpp"
#include "semparse/question/named_values.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* festival = R"(
CREATE TABLE director(id INTEGER PRIMARY KEY, name TEXT, country TEXT, style TEXT);
CREATE TABLE film(id INTEGER PRIMARY KEY, title TEXT, director_id INTEGER REFERENCES director, genre TEXT, budget REAL,
                  origin TEXT, released TEXT);
CREATE TABLE venue(id INTEGER PRIMARY KEY, venue_name TEXT, district TEXT, seats INTEGER);
CREATE TABLE guest(id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, job TEXT);
INSERT INTO director VALUES (1, 'Ann Moe', 'Norway', 'noir'), (2, 'Bo Lie', 'Mexico', 'epic'),
                            (3, 'Cy Roe', 'France', 'noir');
INSERT INTO film VALUES (1, 'Ash', 1, 'drama', 10, 'Mexico', '2023-05-01'),
                        (2, 'Sea', 2, 'comedy', 20, 'noir', '2024-01-02'), (3, 'Elm', 2, 'drama', 30, 'Peru', NULL);
INSERT INTO venue VALUES (1, 'Roxy', 'Old Town', 90), (2, 'Lux', 'Harbour', 200);
INSERT INTO guest VALUES (1, 'Di', 'Fox', 'critic'), (2, 'Ed', 'Orr', 'writer');
)";

class Reworded {
 public:
  explicit Reworded(const char* ddl = festival) : ground_(ddl) {}

  std::string values(std::string_view text) const { return with_edits(text, value_edits); }
  std::string measures(std::string_view text) const { return with_edits(text, measure_edits); }
  std::string rows(std::string_view text) const {
    return on_view(ground_, text, [](const QuestionView& view) { return with_named_rows(view).value_or(""); });
  }
  std::string groups(std::string_view text) const {
    return on_view(ground_, text, [](const QuestionView& view) { return with_named_groups(view).value_or(""); });
  }

 private:
  std::string with_edits(std::string_view text, std::vector<Edit> (*edits_of)(const QuestionView&)) const {
    return on_view(ground_, text, [edits_of](const QuestionView& view) {
      const auto edits = edits_of(view);
      return edits.empty() ? std::string() : edited(view.question(), edits);
    });
  }

  ParserGround ground_;
};

TEST(Rewording, ValuesHaveTheNamesOfTheirColumns) {
  const Reworded reworded;
  EXPECT_EQ(reworded.values("What is the average budget of the dramas?"),
            "What is the average budget of the films whose genre is 'drama'?");
  EXPECT_EQ(reworded.values("Titles of drama films"), "Titles of films whose genre is 'drama'");
  EXPECT_EQ(reworded.values("Names of the French directors"), "Names of the directors whose country is 'France'");
  EXPECT_EQ(reworded.values("List the directors from Mexico."), "List the directors whose country is 'Mexico'.");
  EXPECT_EQ(reworded.values("Which guests are writers?"), "Which guests whose job is 'writer'?");
  EXPECT_EQ(reworded.values("total number of seats in the Old Town"),
            "total number of seats of the venues whose district is 'Old Town'");
  EXPECT_EQ(reworded.values("How many films in 2024?"), "How many films whose released is in 2024?");
}

TEST(Rewording, ValuesOfSeveralColumnsStayAsTheyAre) {
  const Reworded reworded;
  EXPECT_EQ(reworded.values("What is from Mexico?"), "");                        // directors or films
  EXPECT_EQ(reworded.values("Names of the noirs"), "");                          // a style or an origin
  EXPECT_EQ(reworded.values("films with the genre drama"), "");                  // it is named
  EXPECT_EQ(reworded.values("Titles of the films called 'drama'"), "");          // a quotation
  EXPECT_EQ(reworded.values("Which directors have made films in Norway?"), "");  // of another table
}

TEST(Rewording, ValuesHaveTheNamesOfTheirTables) {
  const Reworded reworded;
  EXPECT_EQ(reworded.values("Which films are by Bo Lie?"), "Which films are by the director 'Bo Lie'?");
  EXPECT_EQ(reworded.values("directors who live in Norway"), "directors whose country is 'Norway'");
}

TEST(Rewording, MeasuresHaveTheNamesOfTheirColumns) {
  const Reworded reworded;
  EXPECT_EQ(reworded.measures("Show the largest venue"), "Show the venue with the highest seat");
  EXPECT_EQ(reworded.measures("Which venue has the most seats?"), "Which venue has the highest seat?");
  EXPECT_EQ(reworded.measures("venues with more than 100 seats"), "venues whose seat is more than 100");
  EXPECT_EQ(reworded.measures("When was 'Sun' released?"), "What is 'Sun''s released?");
  EXPECT_EQ(reworded.measures("films released since 2020"), "films released in or after 2020");
  EXPECT_EQ(reworded.measures("How much does Sea cost?"), "");  // a budget is no price
  EXPECT_EQ(reworded.measures("films released in 2020 or earlier"), "films released in or before 2020");
  EXPECT_EQ(reworded.measures("How many venues are there per district level?"),
            "How many venues are there per district?");
}

TEST(Rewording, PaymentsHaveTheNameOfTheirAmount) {
  const Reworded gifts(
      "CREATE TABLE campaign(id INTEGER PRIMARY KEY, title TEXT);"
      "CREATE TABLE donation(id INTEGER PRIMARY KEY, campaign_id INTEGER REFERENCES campaign, day TEXT, amount REAL);"
      "INSERT INTO campaign VALUES (1, 'Food'), (2, 'Winter'); INSERT INTO donation VALUES (1, 1, '2024-01-05', 10)");
  EXPECT_EQ(gifts.measures("What is the average donation for each campaign?"),
            "What is the average amount of donations for each campaign?");
  EXPECT_EQ(gifts.measures("What is the total donation amount?"), "");
  const Reworded fees(
      "CREATE TABLE donation(id INTEGER PRIMARY KEY, amount REAL, fee REAL); INSERT INTO donation VALUES (1, 10, 1)");
  EXPECT_EQ(fees.measures("What is the average donation?"), "");
}

TEST(Rewording, MeasuresOfNoOneColumnStayAsTheyAre) {
  const Reworded reworded;
  EXPECT_EQ(reworded.measures("Show the oldest film"), "");                // it says when something was
  EXPECT_EQ(reworded.measures("Which director has the most films?"), "");  // rows are counted
  EXPECT_EQ(reworded.measures("films with at most 100 seats"), "");
  EXPECT_EQ(reworded.measures("When was the film released?"), "");
}

TEST(Rewording, RowsAreAskedForByName) {
  const Reworded reworded;
  EXPECT_EQ(reworded.rows("Which films have a budget over 15?"), "show the titles of the films with a budget over 15");
  EXPECT_EQ(reworded.rows("List the directors whose country is 'Mexico'."),
            "show the names of the directors whose country is 'Mexico'");
  EXPECT_EQ(reworded.rows("Who is the youngest director?"), "show the name of the youngest director");
  EXPECT_EQ(reworded.rows("Which film is the longest?"), "show the title of the longest film");
  EXPECT_EQ(reworded.rows("Which film is the most expensive?"), "show the title of the most expensive film");
  EXPECT_EQ(reworded.rows("Which guests whose job is 'writer'?"),
            "show the first names and last names of the guests whose job is 'writer'");
}

TEST(Rewording, ParticiplesAreNotPartOfTheName) {
  const Reworded reworded;
  EXPECT_EQ(reworded.rows("films released before 2024"), "show the titles of the films released before 2024");
  EXPECT_EQ(reworded.rows("the film released"), "");
}

TEST(Rewording, OtherThingsAreNotAskedForByName) {
  const Reworded reworded;
  EXPECT_EQ(reworded.rows("What is the weight of the youngest director?"), "");
  EXPECT_EQ(reworded.rows("How many films are there?"), "");
  EXPECT_EQ(reworded.rows("Which films are dramas? Give the budget."), "");
  EXPECT_EQ(reworded.rows("What is the budget of each film?"), "");
}

TEST(Rewording, GroupsAreNamedBesideTheirNumbers) {
  const Reworded reworded;
  EXPECT_EQ(reworded.groups("How many films do we have of each genre?"),
            "show the genre and the number of films for each genre");
  EXPECT_EQ(reworded.groups("What is the number of directors per country?"),
            "show the country and the number of directors for each country");
  EXPECT_EQ(reworded.groups("How many dramas are there for each director?"), "");
  EXPECT_EQ(reworded.groups("How many films are there?"), "");
}

}  // namespace
}  // namespace trustsql::semparse
