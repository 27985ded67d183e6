#include "semparse/database/people.hpp"

#include "link/lexicon/lexicon.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

TEST(People, AreKnownByTheirNames) {
  if (link::lexicon::is_empty()) GTEST_SKIP() << "built without WordNet";
  for (const char* noun : {"customer", "employee", "member", "artist", "staff", "people", "student", "pilot"})
    EXPECT_TRUE(is_word_for_people(noun)) << noun;
  for (const char* noun : {"order", "room", "team", "course", "price", "xyzzy", ""})
    EXPECT_FALSE(is_word_for_people(noun)) << noun;
}

TEST(People, OnlyOneTableIsMeant) {
  if (link::lexicon::is_empty()) GTEST_SKIP() << "built without WordNet";
  const ParserGround one;
  EXPECT_EQ(people_of(one.domain()), one.table("customer"));
  const ParserGround two(
      "CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE seller(id INTEGER PRIMARY KEY, name "
      "TEXT)");
  EXPECT_EQ(people_of(two.domain()), nothing);
  const ParserGround none("CREATE TABLE room(id INTEGER PRIMARY KEY, name TEXT)");
  EXPECT_EQ(people_of(none.domain()), nothing);
}

}  // namespace
}  // namespace trustsql::semparse
