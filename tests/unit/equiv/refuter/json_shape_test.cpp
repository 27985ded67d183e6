#include "equiv/refuter/json_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/json_tree.hpp"
#include "unit/equiv/refuter_ground.hpp"

namespace trustsql::equiv {
namespace {

JsonPath path(std::string_view text) {
  auto read = parse_json_path(text);
  EXPECT_TRUE(read) << text;
  return read.value_or(JsonPath());
}

TEST(JsonPathTest, StepsAreMembersAndElements) {
  EXPECT_EQ(path("$"), JsonPath());
  EXPECT_EQ(path("$.a.b[2]"), (JsonPath{JsonStep::to_member("a"), JsonStep::to_member("b"), JsonStep::to_element(2)}));
  EXPECT_EQ(path("$.\"a.b\"[0]"), (JsonPath{JsonStep::to_member("a.b"), JsonStep::to_element(0)}));
  // From the end: so many elements there must be.
  EXPECT_EQ(path("$[#-2]"), JsonPath{JsonStep::to_element(1)});
  EXPECT_EQ(path("$[#]"), JsonPath{JsonStep::to_element(0)});
  for (const char* wrong : {"", "a", "$a", "$.", "$[", "$[x]", "$[1", "$.\"a", "$[99999999999999999999]"})
    EXPECT_FALSE(parse_json_path(wrong)) << wrong;
}

TEST(JsonPathTest, OperandsOfArrows) {
  EXPECT_EQ(json_operand_path(std::string("a.b")), JsonPath{JsonStep::to_member("a.b")});
  EXPECT_EQ(json_operand_path(std::string("$.a")), JsonPath{JsonStep::to_member("a")});
  EXPECT_EQ(json_operand_path(std::int64_t{2}), JsonPath{JsonStep::to_element(2)});
  EXPECT_EQ(json_operand_path(std::int64_t{-2}), JsonPath{JsonStep::to_element(1)});
  EXPECT_FALSE(json_operand_path(1.5));
}

TEST(JsonShapeTest, DocumentsHoldWhatIsRead) {
  JsonShape shape;
  shape.read(path("$.name"));
  shape.hold(path("$.size.width"), std::int64_t{7});
  shape.list(path("$.tags"), 2);
  shape.hold(path("$.tags[0]"), std::string("red"));
  const auto documents = shape.documents(20);
  EXPECT_EQ(documents.size(), 20U);
  EXPECT_EQ(std::set<std::string>(documents.begin(), documents.end()).size(), documents.size());
  EXPECT_EQ(documents.front(), R"({"name":1,"size":{"width":7},"tags":["red","redx"]})");
  bool lacks_a_member = false;
  for (const auto& text : documents) {
    const auto document = parse_json(text, 10);
    ASSERT_TRUE(document) << text;
    lacks_a_member = lacks_a_member || (document->is(JsonTree::Kind::object) && document->find("name") == nullptr);
  }
  EXPECT_TRUE(lacks_a_member);
  EXPECT_EQ(shape.documents(20), documents);
  EXPECT_EQ(shape.other_case(), R"({"name":1,"size":{"width":7},"tags":["RED","REDX"]})");
}

TEST(JsonShapeTest, BothShapesAreInTheSum) {
  JsonShape shape;
  shape.hold(path("$.a[1]"), std::int64_t{5});
  JsonShape other;
  other.hold(path("$.a[2]"), std::int64_t{6});
  other.read(path("$.b"));
  shape.add(other);
  EXPECT_EQ(shape.documents(1).front(), R"({"a":[5,6,4],"b":1})");
}

TEST(JsonShapeTest, IsBounded) {
  JsonShape shape;
  JsonPath deep(1000, JsonStep::to_member("a"));
  shape.hold(deep, std::int64_t{1});
  shape.list(path("$.a"), 1'000'000);
  for (int i = 0; i < 1000; ++i) shape.read({JsonStep::to_member("m" + std::to_string(i))});
  for (const auto& text : shape.documents(20)) EXPECT_LT(text.size(), 1000U);
}

// Refuted with databases that hold the documents which the queries ask for.
TEST(JsonRefuterTest, QueriesOfDocuments) {
  test::RefuterGround ground(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, doc TEXT NOT NULL, k INT);"
      "CREATE TABLE j (id INTEGER PRIMARY KEY, doc JSON);");
  const std::pair<const char*, const char*> pairs[] = {
      {"SELECT json_extract(doc, '$.a') FROM t", "SELECT json_extract(doc, '$.b') FROM t"},
      {"SELECT doc -> 'a' FROM t", "SELECT doc ->> 'a' FROM t"},
      {"SELECT id FROM t WHERE doc ->> 'a' = 5", "SELECT id FROM t WHERE doc ->> 'a' >= 5"},
      {"SELECT id FROM t WHERE doc ->> 'a' = 5", "SELECT id FROM t WHERE doc ->> 'a' = '5'"},
      {"SELECT id FROM t WHERE doc ->> '$.a.b[2]' = 'x'", "SELECT id FROM t WHERE doc ->> '$.a.b[1]' = 'x'"},
      {"SELECT id FROM t WHERE lower(doc ->> 'name') = 'x'", "SELECT id FROM t WHERE doc ->> 'name' = 'x'"},
      {"SELECT id FROM t WHERE doc ->> 'name' LIKE 'ann%'", "SELECT id FROM t WHERE doc ->> 'name' LIKE '%ann%'"},
      {"SELECT t.id FROM t, json_each(doc) e WHERE e.value = 'red'",
       "SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM json_each(doc) e WHERE e.value = 'red')"},
      {"SELECT t.id FROM t, json_each(doc, '$.tags') e WHERE e.value = 'red'",
       "SELECT t.id FROM t, json_each(doc, '$.tags') e WHERE e.value = 'red' AND e.key = 1"},
      {"SELECT value FROM t, json_each(doc) WHERE key = 'price'", "SELECT doc ->> 'price' FROM t"},
      {"SELECT id FROM t WHERE json_array_length(doc) = 3", "SELECT id FROM t WHERE json_array_length(doc) > 2"},
      {"SELECT sum(doc ->> 'n') FROM t", "SELECT sum(abs(doc ->> 'n')) FROM t"},
      {"SELECT id FROM j WHERE doc ->> 'a' = 5", "SELECT id FROM j WHERE doc ->> 'b' = 5"},
      {"SELECT id FROM (SELECT id, doc -> 'a' AS a FROM t) WHERE a ->> 'b' = 'x'",
       "SELECT id FROM t WHERE doc ->> 'b' = 'x'"},
      {"SELECT json_set(doc, '$.a', 1) FROM t", "SELECT json_insert(doc, '$.a', 1) FROM t"},
  };
  for (const auto& [a, b] : pairs) ground.counterexample(a, b);
}

// Texts that are no JSON would violate the constraint, and the generated column.
TEST(JsonRefuterTest, ConstraintsAndGeneratedColumns) {
  test::RefuterGround ground(
      "CREATE TABLE c (id INTEGER PRIMARY KEY, doc TEXT NOT NULL CHECK (json_valid(doc)),"
      " kind TEXT AS (json_extract(doc, '$.kind')), n INT CHECK (n BETWEEN 500 AND 600));");
  ground.counterexample("SELECT id FROM c WHERE kind = 'owner'", "SELECT id FROM c WHERE kind <> 'owner'");
  ground.counterexample("SELECT id FROM c WHERE kind = 'owner'", "SELECT id FROM c WHERE doc ->> 'kind' = 'own'");
  ground.counterexample("SELECT n FROM c", "SELECT n + 1 FROM c");
}

TEST(JsonRefuterTest, LetterCaseInDocuments) {
  test::RefuterGround ground("CREATE TABLE t (id INTEGER PRIMARY KEY, doc TEXT NOT NULL);");
  const auto found = ground.counterexample("SELECT id FROM t WHERE doc ->> 'name' LIKE 'ann'",
                                           "SELECT id FROM t WHERE doc ->> 'name' = 'ann'");
  EXPECT_EQ(found.deviations, Deviations{Deviation::letter_case});
}

}  // namespace
}  // namespace trustsql::equiv
