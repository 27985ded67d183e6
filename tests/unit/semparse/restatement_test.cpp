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
    return on_view(text, [](const QuestionView& view) { return restate(view).value_or(""); });
  }

  // The columns of each item of the opening list, or its aggregate, separated by semicolons.
  std::string list(std::string_view text) const {
    return on_view(text, [](const QuestionView& view) {
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
  template <class Read>
  std::string on_view(std::string_view text, const Read& read) const {
    auto question = read_question(text);
    const auto linking = QuestionLinker(ground_.domain(), ground_.knowledge().values).link(question);
    const Vocabulary vocabulary;
    return read(QuestionView(ground_.domain(), question, linking, vocabulary));
  }

  ParserGround ground_;
};

TEST(Restatement, ListsThatStandBehind) {
  const Restated restated;
  EXPECT_EQ(restated("Which actors were born before 1980? Show first name and country."),
            "show the first name and country of the actors that were born before 1980");
  EXPECT_EQ(restated("plays with more than 10 scenes, title and runtime, longest first"),
            "show the title and runtime of the plays with more than 10 scenes, longest first");
  EXPECT_EQ(restated("Actors from Norway: first name, last name, birth year, oldest at the top"),
            "show the first name, last name and birth year of the Actors from Norway, oldest first");
  EXPECT_EQ(restated("Find the actors (first and last name) who played in Storm."),
            "show the first and last name of the actors who played in Storm");
  EXPECT_EQ(restated("What is the longest play? I'd like the title and genre please"),
            "show the title and genre of the longest play");
  EXPECT_EQ(restated("Which plays have the title \"Storm\"? Show the genre."),
            "show the genre of the plays that have the title \"Storm\"");
  EXPECT_EQ(restated("Which of our plays are dramas? titles only"), "show the titles of the plays that are dramas");
  EXPECT_EQ(restated("For each play, show the title and the number of parts."),
            "show the title and number of parts for each play");
}

TEST(Restatement, AmountsBesideAColumnAreThoseOfEachValue) {
  const Restated restated;
  EXPECT_EQ(restated("Genre and number of plays"), "Genre and number of plays for each Genre");
  EXPECT_EQ(restated("Show the genre and number of plays for each genre"), "");
  EXPECT_EQ(restated("Show the title and genre"), "");
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
  EXPECT_EQ(restated("avg fee by genre"), "average fee for each genre");
  EXPECT_EQ(restated("number of plays by genre"), "number of plays for each genre");
}

TEST(Restatement, EachRowOnce) {
  const Restated restated;
  EXPECT_EQ(restated("Which countries do our actors come from? No duplicates please."),
            "Which different countries do our actors come from");
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
