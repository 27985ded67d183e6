#include "semparse/words/intent.hpp"

#include <algorithm>

#include "semparse/words/task_lexicon.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

IntentKind kind_of(std::string_view text) { return intent_of(read_question(text)).kind; }

TEST(Intent, Data) {
  for (const auto* text :
       {"How many customers are there?", "Name the titles of all products.", "latest papers on parsing",
        "For each city, find the number of customers who have an age over 30.", "Could you please list the products?",
        "I want to know the age of Ann.", "I'm looking for products that are cheaper than 10.",
        "Do you have products cheaper than 10?", "Write a SQL query that counts the products.",
        "How long is the longest song?", "Hi, show me all products", "customers", "", "?",
        "Show titles such as \"why do fools fall in love\""})
    EXPECT_EQ(kind_of(text), IntentKind::data) << text;
}

TEST(Intent, Tasks) {
  for (const auto* text :
       {"Predict the sales of each product.", "Please plot the ages of all customers.", "draw me a bar chart of prices",
        "Find the customers from Paris and e-mail them.", "Can you summarize the purchases?",
        "Delete all customers older than 30.", "Which product would you recommend?", "Will sales rise?",
        "Is there a correlation between age and price?", "Update the price of the lamp to 20.",
        "Translate the titles into French", "Book me a flight to Boston", "Show a histogram of ages"})
    EXPECT_EQ(kind_of(text), IntentKind::task) << text;
}

TEST(Intent, Knowledge) {
  for (const auto* text :
       {"Why did sales drop?", "How do I cook rice?", "What should we sell next?", "What are the advantages of a lamp?",
        "What is the best way to sell lamps?", "Explain the price of the lamp", "What does it mean to be a customer?"})
    EXPECT_EQ(kind_of(text), IntentKind::knowledge) << text;
}

TEST(Intent, SmallTalkAndStatements) {
  for (const auto* text : {"hello", "Hi!", "How are you?", "Thanks a lot", "Yeah, right", "I love it here.",
                           "Do you like films?", "Tell me a joke"})
    EXPECT_EQ(kind_of(text), IntentKind::small_talk) << text;
  for (const auto* text : {"The lamp was the best product in 2020.", "there are more customers in Paris than in Rome"})
    EXPECT_EQ(kind_of(text), IntentKind::statement) << text;
}

// A name of the database is no task, unless it is the command itself.
TEST(Intent, NamesOfTheDatabase) {
  const auto question = read_question("Show the forecast of each day");
  EXPECT_EQ(intent_of(question).kind, IntentKind::task);
  EXPECT_EQ(intent_of(question, {false, false, true, false, false, false}).kind, IntentKind::data);
  const auto command = read_question("Plot the ages");
  EXPECT_EQ(intent_of(command, {true, false, true}).kind, IntentKind::task);
  const auto noun = read_question("Plot sizes of farms");
  EXPECT_EQ(intent_of(noun, {true, true, false, true}).kind, IntentKind::data);
}

TEST(Intent, NamesOfWhatIsAskedForAreNoSubject) {
  const auto intent = [](const char* text, std::vector<bool> named) {
    const auto question = read_question(text);
    named.resize(question.words.size());
    return intent_of(question, named).kind;
  };
  EXPECT_EQ(intent("addresses of houses nobody has viewed yet", {true}), IntentKind::data);
  EXPECT_EQ(intent("nobody has viewed it", {}), IntentKind::statement);
}

TEST(Intent, TheLexiconIsInOrder) {
  const auto verbs = request_verbs();
  EXPECT_TRUE(std::is_sorted(verbs.begin(), verbs.end()));
  for (const auto phrases : {task_phrases(), knowledge_phrases(), small_talk_phrases()})
    for (const auto& entry : phrases) {
      EXPECT_FALSE(entry.phrase.empty());
      EXPECT_FALSE(entry.what.empty()) << entry.phrase;
      EXPECT_EQ(entry.phrase.find("  "), std::string_view::npos) << entry.phrase;
    }
}

Triage triage_for(ParserGround& ground, std::string_view question) {
  return std::move(Parser(shipped_model()).parse(question, ground.knowledge(), ground.sandbox())).value().triage;
}

TEST(TriageTest, Types) {
  ParserGround ground;
  const std::pair<const char*, Feasibility> questions[] = {
      {"How many customers are there?", Feasibility::feasible},
      {"What is the price of the product called 'Sofa'?", Feasibility::feasible},
      {"Which customers from London ordered in June?", Feasibility::feasible},
      {"What is the weight of each product?", Feasibility::column_related},
      {"What is the capital of Mongolia?", Feasibility::column_unrelated},
      {"Plot the price of each product", Feasibility::non_sql},
      {"Why is the lamp so cheap?", Feasibility::ext_know},
      {"How many are there?", Feasibility::ambiguous},
      {"Good morning", Feasibility::small_talk},
  };
  for (const auto& [question, type] : questions)
    EXPECT_EQ(feasibility_name(triage_for(ground, question).type), feasibility_name(type)) << question;
}

TEST(TriageTest, ReasonAndSuggestion) {
  ParserGround ground;
  const auto triage = triage_for(ground, "What is the weight of each product?");
  EXPECT_EQ(triage.detail, "nothing in this database was found for 'weight'");
  EXPECT_NE(triage.suggestion.find("'price'"), std::string::npos) << triage.suggestion;
}

// A column of a table that neither is named nor is joined to one that is.
TEST(TriageTest, Surface) {
  ParserGround ground(R"(
CREATE TABLE a(a_id INTEGER PRIMARY KEY, title TEXT);
CREATE TABLE singer(singer_id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
CREATE TABLE stadium(stadium_id INTEGER PRIMARY KEY, place TEXT, capacity INTEGER);
INSERT INTO singer VALUES (1, 'Ann', 30);
INSERT INTO stadium VALUES (1, 'Oslo', 900);
)");
  const auto triage = triage_for(ground, "What is the capacity of each singer?");
  EXPECT_EQ(triage.type, Feasibility::column_surface) << triage.detail;
  EXPECT_EQ(triage.detail, "'capacity' belongs to 'stadium', which the question does not name");
  EXPECT_EQ(triage_for(ground, "What is the capacity of each stadium?").type, Feasibility::feasible);
}

TEST(TriageTest, RivalNames) {
  ParserGround ground(R"(
CREATE TABLE team(team_id INTEGER PRIMARY KEY, label TEXT);
CREATE TABLE coach(coach_id INTEGER PRIMARY KEY, surname TEXT, team_id INTEGER REFERENCES team);
CREATE TABLE player(player_id INTEGER PRIMARY KEY, surname TEXT, team_id INTEGER REFERENCES team);
INSERT INTO team VALUES (1, 'Reds'); INSERT INTO coach VALUES (1, 'Fox', 1); INSERT INTO player VALUES (1, 'Day', 1);
)");
  const auto triage = triage_for(ground, "List the surname for each team");
  EXPECT_EQ(triage.type, Feasibility::ambiguous) << triage.detail;
  EXPECT_EQ(triage.detail, "'surname' could be coach.surname or player.surname");
  EXPECT_EQ(triage_for(ground, "List the surname of each player and the team").type, Feasibility::feasible);
}

}  // namespace
}  // namespace trustsql::semparse
