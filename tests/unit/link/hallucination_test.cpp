#include "link/hallucination.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "link/question_schema.hpp"

namespace trustsql::link {
namespace {

std::string probes(const std::vector<std::string>& relations) {
  std::vector<std::string> texts;
  for (const auto& probe : probes_of(relations)) texts.push_back(probe.text());
  return join(texts, " | ");
}

TEST(Hallucination, Probes) {
  EXPECT_EQ(probes({"Club(name, id)", "Student(id, age)"}), "Club.name | Club.id | Student.id | Student.age");
  EXPECT_EQ(probes({"Club(name, name)", "Club(name)"}), "Club.name");
  EXPECT_EQ(probes({"Age of club members", "Club"}), "Age of club members | Club");
  EXPECT_EQ(probes({"Club()"}), "Club");
  EXPECT_EQ(probes({"`Club`(\"name\", 'id')"}), "Club.name | Club.id");
  EXPECT_EQ(probes({"club(id INTEGER, birth date, name: text, height REAL)"}),
            "club.id | club.birth date | club.name | club.height");
  EXPECT_EQ(probes({"club(rate (percent), id"}), "club.rate (percent) | club.id");
  EXPECT_EQ(probes({}), "");
  EXPECT_EQ(probes({"", "()", "(,)", ")("}), "");
  EXPECT_EQ(probes({"(name)"}), "name");
}

TEST(Hallucination, ProbesAreLimited) {
  std::string relation = "t(";
  for (int i = 0; i < 5000; ++i) relation += "c" + std::to_string(i) + ",";
  EXPECT_EQ(probes_of({relation + ")"}).size(), max_probes);
  EXPECT_TRUE(probes_of({std::string(100'000, 'x')}).empty());
}

TEST(Hallucination, Replies) {
  const auto relations = [](std::string_view reply) { return join(relations_in_reply(reply), " | "); };
  EXPECT_EQ(relations("Club(name, id), Student(id, age)"), "Club(name, id) | Student(id, age)");
  EXPECT_EQ(relations("[\"Club(name, id)\", \"Student(id)\"]"), "Club(name, id) | Student(id)");
  EXPECT_EQ(relations("```json\n[\"Club(name, id)\"]\n```"), "Club(name, id)");
  EXPECT_EQ(relations("Here is a schema:\n- Club(name, id)\n- Student(id, age)\n"),
            "Club(name, id) | Student(id, age)");
  EXPECT_EQ(relations("1. Club(name, id);\n2. Student(id, age);"), "1. Club(name, id) | 2. Student(id, age)");
  EXPECT_EQ(relations("Age, Club"), "Age | Club");
  EXPECT_EQ(relations("Club(name,\nStudent(id)"), "Club(name, | Student(id)");
  EXPECT_EQ(relations(""), "");
  EXPECT_EQ(relations("[]"), "");
  EXPECT_LE(relations_in_reply(std::string(100'000, ',') + std::string(100'000, '(')).size(), 64U);
}

TEST(Hallucination, Json) {
  const std::vector<std::string> relations = {"Club(name, id)", "a \"b\""};
  EXPECT_EQ(*relations_from_json(relations_to_json(relations)), relations);
  for (const std::string_view bad : {"", "{}", "[1]", "[\"a\"", "null", "\"a\""})
    EXPECT_FALSE(relations_from_json(bad)) << bad;
}

TEST(QuestionSchema, Phrases) {
  const auto schema = [](std::string_view question) { return relations_to_json(schema_of_question(question)); };
  EXPECT_EQ(schema("What are the names of all stations with a latitude smaller than 37.5?"),
            R"json(["stations(name, latitude)"])json");
  EXPECT_EQ(schema("Who directed the films of 2010?"), R"json(["films(directed, name, year)"])json");
  EXPECT_EQ(schema(""), "[]");
  EXPECT_EQ(schema("?? ... !!"), "[]");
  EXPECT_EQ(schema("the of and"), "[]");
  EXPECT_FALSE(schema_of_question("\xff\xfe \xc3").empty());
}

TEST(QuestionSchema, LongQuestionsAreCut) {
  std::string question;
  for (int i = 0; i < 100'000; ++i) question += "names of stations, ";
  EXPECT_LE(schema_of_question(question).size(), 64U);
}

}  // namespace
}  // namespace trustsql::link
