#include "semparse/question/restatement.hpp"

#include <string>

#include "semparse/model/parser_model.hpp"
#include "semparse/question/answer_list.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* theatre = R"(
CREATE TABLE actor(actor_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, birth_year INTEGER, country TEXT);
CREATE TABLE play(play_id INTEGER PRIMARY KEY, title TEXT, genre TEXT, runtime_minutes INTEGER, scenes INTEGER);
CREATE TABLE part(part_id INTEGER PRIMARY KEY, actor_id INTEGER REFERENCES actor, play_id INTEGER REFERENCES play,
                  fee REAL);
INSERT INTO actor VALUES (1, 'Ida', 'Moe', 1980, 'Norway'), (2, 'Per', 'Lie', 1975, 'Norway'),
                         (3, 'Eva', 'Holm', 1990, 'Denmark');
INSERT INTO play VALUES (1, 'Storm', 'drama', 120, 14), (2, 'Lark', 'comedy', 90, 9), (3, 'Ash', 'drama', 100, 12);
INSERT INTO part VALUES (1, 1, 1, 100), (2, 2, 1, 120), (3, 3, 2, 80);
)";

class Restated {
 public:
  explicit Restated(const char* ddl = theatre) : ground_(ddl) {}

  // The restated question; empty if it stays as it is.
  std::string operator()(std::string_view text) const {
    return on_view(ground_, text, [](const QuestionView& view) { return restate(view).value_or(""); });
  }

  // The columns of each item of the opening list, or its aggregate, separated by semicolons.
  std::string list(std::string_view text) const {
    return on_view(ground_, text, [](const QuestionView& view) {
      const auto list = opening_list(view);
      if (!list) return std::string("none");
      std::string items;
      for (const auto& item : list->items) {
        std::string columns = item.aggregate == Aggregate::count ? "count"
                              : item.aggregate == Aggregate::sum ? "sum"
                              : item.aggregate == Aggregate::avg ? "avg"
                                                                 : "";
        for (const auto column : item.columns)
          columns += (columns.empty() ? "" : " ") + view.domain().column(column).name;
        items += (items.empty() ? "" : "; ") + columns;
      }
      return items + (list->complete ? "" : " ...");
    });
  }

 private:
  ParserGround ground_;
};

TEST(Restatement, ListsThatStandBehind) {
  const Restated restated;
  EXPECT_EQ(restated("Which actors were born before 1980? Show first name and country."),
            "show the first name and country of the actors that were born before 1980");
  EXPECT_EQ(restated("plays with more than 10 scenes, title and runtime, longest first"),
            "plays with more than 10 scenes, title and runtime in descending order of runtime");
  EXPECT_EQ(restated("plays with more than 10 scenes, title and runtime in descending order of runtime"),
            "show the title and runtime of the plays with more than 10 scenes, in descending order of runtime");
  EXPECT_EQ(restated("Actors from Norway: first name, last name, birth year, oldest at the top"),
            "show the first name, last name and birth year of the Actors from Norway, oldest first");
  EXPECT_EQ(restated("Find the actors (first and last name) who played in Storm."),
            "show the first and last name of the actors who played in Storm");
  EXPECT_EQ(restated("What is the longest play? I'd like the title and genre please"),
            "show the title and genre of the longest play");
  EXPECT_EQ(restated("Which plays have the title \"Storm\"? Show the genre."),
            "show the genre of the plays that have the title \"Storm\"");
  EXPECT_EQ(restated("Which of the plays are dramas? titles only"), "show the titles of the plays that are dramas");
  EXPECT_EQ(restated("For each play, show the title and the number of parts."),
            "show the title and number of parts for each play");
}

TEST(Restatement, AmountsBesideAColumnAreThoseOfEachValue) {
  const Restated restated;
  EXPECT_EQ(restated("Genre and number of plays"), "Genre and number of plays for each Genre");
  EXPECT_EQ(restated("Show the genre and number of plays for each genre"), "");
  EXPECT_EQ(restated("Show the title and genre of the plays"), "");
}

TEST(Restatement, WhatComesWithTheRows) {
  const Restated restated;
  EXPECT_EQ(restated("all dramas and plays with their genre"), "show the title and genre of the dramas and plays");
  EXPECT_EQ(restated("plays under 100 minutes, with their genre"),
            "show the title and genre of the plays under 100 minutes");
  EXPECT_EQ(restated("List the plays with their title and genre"), "show the title and genre of the plays");
}

TEST(Restatement, GroupsInFewWords) {
  const Restated restated;
  EXPECT_EQ(restated("actors per country"), "the number of actors for each country");
  EXPECT_EQ(restated("average fee by genre"), "average fee for each genre");
  EXPECT_EQ(restated("number of plays by genre"), "number of plays for each genre");
}

TEST(Restatement, OrdersAreSaidOfAColumn) {
  const Restated restated;
  EXPECT_EQ(restated("Show the title of all plays, longest first."),
            "Show the title of all plays in descending order of run time minute.");
  EXPECT_EQ(restated("Show the title and runtime of all plays, shortest first"),
            "Show the title and runtime of all plays, sorted by runtime");
  EXPECT_EQ(restated("the title of all plays by runtime, highest first"),
            "the title of all plays in descending order of runtime");
  EXPECT_EQ(restated("titles of plays sorted by runtime from highest to lowest"),
            "titles of plays in descending order of runtime");
  EXPECT_EQ(restated("titles of plays sorted by runtime desc"), "titles of plays in descending order of runtime");
  EXPECT_EQ(restated("Show the birth year of all actors, youngest last"),
            "Show the birth year of all actors, sorted by birth year");
  EXPECT_EQ(restated("average fee for each play, highest average first"),
            "average fee for each play in descending order of the average fee");
  // Of which column this is said is not known, or the words say it already.
  for (const char* text : {"Show the fee and the part id of all parts, best first",
                           "titles of plays in ascending order", "plays sorted by runtime in descending order",
                           "Which play was performed first?", "the first three plays from Oslo to Rome"})
    EXPECT_EQ(restated(text), "") << text;
}

TEST(Restatement, PlainWords) {
  const Restated restated;
  EXPECT_EQ(restated("I'd like to see the mean runtime of the plays"), "show the average runtime of the plays");
  EXPECT_EQ(restated("We want to know how many actors are from Norway"), "how many actors are from Norway");
  EXPECT_EQ(restated("What is the avg. fee of the parts?"), "What is the average fee of the parts?");
  EXPECT_EQ(restated("Count the actors."), "how many actors are there?");
  EXPECT_EQ(restated("What is the number of plays?"), "how many plays are there?");
  EXPECT_EQ(restated("Count the actors from Norway."), "");
  EXPECT_EQ(restated("Which genres do we have?"), "show the different genres");
  EXPECT_EQ(restated("What genres are there for the play Storm?"), "");
  EXPECT_EQ(restated("I need"), "");
  // A word of a name is left alone.
  const Restated weather("CREATE TABLE reading(id INTEGER PRIMARY KEY, mean_wind REAL, per REAL)");
  EXPECT_EQ(weather("Show the mean wind of the readings"), "");
  const Restated wards("CREATE TABLE ward(id INTEGER PRIMARY KEY, beds INT, floor INT)");
  EXPECT_EQ(wards("the number of wards per floor"), "the number of wards for each floor");
}

TEST(Restatement, SetPhrases) {
  const Restated restated;
  EXPECT_EQ(restated("Hi there, which actors are from Norway?"), "which actors are from Norway?");
  EXPECT_EQ(restated("Who is our youngest actor?"), "Who is the youngest actor?");
  EXPECT_EQ(restated("Which is the longest play that we've got?"), "Which is the longest play?");
  EXPECT_EQ(restated("Which actors are from either Norway or Denmark?"), "Which actors are from Norway or Denmark?");
  EXPECT_EQ(restated("Which actors are without a single part?"), "Which actors are without parts?");
  EXPECT_EQ(restated("How many actors in the festival are from Norway?"), "");
  EXPECT_EQ(restated("How many countries have more than two actors in the festival?"),
            "How many countries have more than two actors?");
  EXPECT_EQ(restated("How many actors are in the festival?"), "");
  const Restated hotel(
      "CREATE TABLE room(number TEXT PRIMARY KEY, floor INT, season INT); INSERT INTO room VALUES ('a', 1, 2019), "
      "('b', "
      "2, 2020), ('c', 2, 2020)");
  EXPECT_EQ(hotel("Which rooms are on the second floor?"), "Which rooms are on floor 2?");
  EXPECT_EQ(hotel("Which rooms are on the third floor?"), "");
  EXPECT_EQ(hotel("Which rooms were open in the first season?"), "");
}

TEST(Restatement, WhatWasPaidIsASum) {
  const Restated gifts(
      "CREATE TABLE donor(id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE donation(id INTEGER PRIMARY KEY, day TEXT, "
      "amount REAL); INSERT INTO donation VALUES (1, '2024-01-05', 10)");
  EXPECT_EQ(gifts("How much money has been donated in total?"), "What is the total amount of the donations?");
  EXPECT_EQ(gifts("How much was donated in 2024?"), "What is the total amount of the donations in 2024?");
  EXPECT_EQ(gifts("How much has Ada donated?"), "");
  EXPECT_EQ(gifts("How much was donated by Ada?"), "");
}

TEST(Restatement, UnitsOfTheColumns) {
  const Restated restated;
  EXPECT_EQ(restated("How many plays are longer than two hours?"), "How many plays are longer than 120 minutes?");
  EXPECT_EQ(restated("Which plays run over an hour and a half?"), "Which plays run over 90 minutes?");
  EXPECT_EQ(restated("Which plays are shorter than half an hour?"), "Which plays are shorter than 30 minutes?");
  EXPECT_EQ(restated("Which plays were shown in the last two hours?"), "");
  EXPECT_EQ(restated("Which plays are longer than 90 minutes?"), "");
  EXPECT_EQ(restated("Which actors earn more than 30 an hour?"), "");
  const Restated both("CREATE TABLE job(id INTEGER PRIMARY KEY, travel_min INT, work_hours REAL)");
  EXPECT_EQ(both("Which jobs took more than two hours?"), "");
}

TEST(Restatement, RowsThatTheColumnsBelongTo) {
  const Restated restated;
  EXPECT_EQ(restated("Show the title and genre."), "Show the title and genre of plays.");
  EXPECT_EQ(restated("average scenes for each genre"), "average scenes of plays for each genre");
  // Words that nobody knows, columns of two tables, and those that are said to be of something.
  for (const char* text : {"the fee of conductors", "Show the genre for make 'Book'", "Show the fee and the genre",
                           "Show the title and salary"})
    EXPECT_EQ(restated(text), "") << text;
}

TEST(Restatement, EachRowOnce) {
  const Restated restated;
  EXPECT_EQ(restated("Which countries do the actors come from? No duplicates please."),
            "Which different countries do the actors come from");
  EXPECT_EQ(restated("Which actors played in Storm? List each country once."),
            "show the different country of the actors that played in Storm");
}

TEST(Restatement, DifferentRowsStayDifferent) {
  const Restated restated;
  EXPECT_EQ(restated("Which plays have more than 10 scenes? List the distinct genres."),
            "show the different genres of the plays that have more than 10 scenes");
}

TEST(Restatement, NamesAsARequest) {
  const Restated restated;
  EXPECT_EQ(restated("Name the actors who were born in 1980."), "list the actors who were born in 1980");
  EXPECT_EQ(restated("Name the countries."), "");
}

TEST(Restatement, UsualQuestionsStayAsTheyAre) {
  const Restated restated;
  for (const char* text : {
           "What are the title and genre of all plays?",
           "Show the title, genre, and runtime.",
           "How many actors are there? Show the country.",
           "List the actors' first name, last name",
           "Which plays have the genre drama, comedy or farce?",
           "What is the average runtime of plays, and their genre?",
           "Plays written by Holm",
           "titles of plays sorted by genre",
           "'title: genre'",
           "",
           "?",
       })
    EXPECT_EQ(restated(text), "") << text;
}

TEST(AnswerList, Items) {
  const Restated restated;
  EXPECT_EQ(restated.list("Show the first name and last name of the actors from Norway"), "first_name; last_name");
  EXPECT_EQ(restated.list("What are the title, genre and runtime of all plays?"), "title; genre; runtime_minutes");
  EXPECT_EQ(restated.list("Show the title and the number of parts of each play"), "title; count");
  EXPECT_EQ(restated.list("Show the title and the total fee of each play"), "title; sum");
  EXPECT_EQ(restated.list("Show the title and number of scenes of each play"), "title; sum scenes");
  EXPECT_EQ(restated.list("Show the title of the play and the country of its actors"), "title ...");
  EXPECT_EQ(restated.list("How many plays are there?"), "count");
  EXPECT_EQ(restated.list("Which actors are from Norway?"), "none");
}

}  // namespace
}  // namespace trustsql::semparse
