#include "semparse/database/domain.hpp"

#include "semparse/tree/joins.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

TEST(DomainTest, NamesBecomeWords) {
  EXPECT_EQ(name_words("StudentIDs"), (std::vector<std::string>{"student", "id"}));
  EXPECT_EQ(name_words("average_rating"), (std::vector<std::string>{"average", "rating"}));
}

// Of what all tables are called by, unless it is a word.
TEST(DomainTest, PrefixesOfAllTablesAreNoWords) {
  const ParserGround prefixed("CREATE TABLE dn_patient(id); CREATE TABLE dn_visit(id); CREATE TABLE dn_dentist(id)");
  EXPECT_EQ(prefixed.domain().table(prefixed.table("dn_visit")).words, std::vector<std::string>{"visit"});
  const ParserGround named("CREATE TABLE car_maker(id); CREATE TABLE car_name(id); CREATE TABLE car_model(id)");
  EXPECT_EQ(named.domain().table(named.table("car_maker")).words, (std::vector<std::string>{"car", "maker"}));
  const ParserGround some("CREATE TABLE dn_patient(id); CREATE TABLE dn_visit(id); CREATE TABLE price(id)");
  EXPECT_EQ(some.domain().table(some.table("dn_visit")).words.size(), 2U);
}

TEST(DomainTest, KindsKeysAndDisplayColumns) {
  const ParserGround ground;
  const auto& domain = ground.domain();
  EXPECT_EQ(domain.column(ground.column("customer", "age")).kind, DataKind::number);
  EXPECT_EQ(domain.column(ground.column("purchase", "day")).kind, DataKind::date);
  EXPECT_EQ(domain.column(ground.column("customer", "city")).kind, DataKind::text);
  EXPECT_TRUE(domain.column(ground.column("purchase", "product_id")).is_foreign);
  EXPECT_EQ(domain.table(ground.table("customer")).display, ground.column("customer", "name"));
  EXPECT_EQ(domain.table(ground.table("product")).display, ground.column("product", "title"));
  EXPECT_EQ(domain.column(ground.column("customer", "age")).max, 47.0);
}

TEST(DomainTest, KeysThatAreNotDeclaredAreInferred) {
  const ParserGround ground(
      "CREATE TABLE author(author_id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE book(book_id INTEGER PRIMARY KEY, author_id INTEGER, title TEXT)");
  ASSERT_EQ(ground.domain().edges().size(), 1U);
  EXPECT_FALSE(ground.domain().edges().front().declared);
  EXPECT_EQ(ground.domain().edges().front().parent, ground.column("author", "author_id"));
}

// As the shell's .import makes them.
TEST(DomainTest, KeysOfImportedTablesAreInferred) {
  const ParserGround ground(
      "CREATE TABLE author(author_id, name, rank_id); CREATE TABLE book(book_id, author_id, title);"
      "INSERT INTO author VALUES (1, 'Ann', 7), (2, 'Bob', 7), (3, 'Cy', 8);"
      "INSERT INTO book VALUES (1, 1, 'Emma'), (2, 1, 'Persuasion'), (3, 2, 'Ulysses')");
  const auto& domain = ground.domain();
  EXPECT_EQ(domain.table(ground.table("author")).key, ground.column("author", "author_id"));
  EXPECT_EQ(domain.table(ground.table("book")).key, ground.column("book", "book_id"));
  ASSERT_EQ(domain.edges().size(), 1U);
  EXPECT_EQ(domain.edges().front().child, ground.column("book", "author_id"));
  EXPECT_EQ(domain.edges().front().parent, ground.column("author", "author_id"));
  // Values that are shared, or missing, are no keys.
  const ParserGround shared(
      "CREATE TABLE author(author_id, name); INSERT INTO author VALUES (1, 'Ann'), (1, 'Bob'), (2, 'Cy')");
  EXPECT_EQ(shared.domain().table(shared.table("author")).key, nothing);
}

TEST(Joins, TheSmallestTreeConnectsAllTables) {
  const ParserGround ground;
  const auto trees = join_trees(ground.domain(), {ground.table("customer"), ground.table("product")});
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees.front().tables.size(), 3U);
  EXPECT_EQ(trees.front().edges.size(), 2U);
}

TEST(Joins, TablesWithoutAPathHaveNone) {
  const ParserGround ground("CREATE TABLE a(x); CREATE TABLE b(y)");
  EXPECT_TRUE(join_trees(ground.domain(), {0, 1}).empty());
}

TEST(Joins, EachKeyBetweenTwoTablesIsATree) {
  const ParserGround ground(
      "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE flight(origin INTEGER REFERENCES city, target INTEGER REFERENCES city)");
  EXPECT_EQ(join_trees(ground.domain(), {0, 1}).size(), 2U);
}

// A member and a book have to do with each other by what was borrowed, and not because both are in the same branch.
TEST(Joins, RowsThatReferToBothComeFirst) {
  const ParserGround ground(
      "CREATE TABLE branch(branch_id INTEGER PRIMARY KEY, city TEXT);"
      "CREATE TABLE member(member_id INTEGER PRIMARY KEY, name TEXT, branch_id INTEGER REFERENCES branch);"
      "CREATE TABLE book(book_id INTEGER PRIMARY KEY, title TEXT, branch_id INTEGER REFERENCES branch);"
      "CREATE TABLE loan(member_id INTEGER REFERENCES member, book_id INTEGER REFERENCES book, day TEXT)");
  for (const auto& terminals : {std::vector{ground.table("member"), ground.table("book")},
                                std::vector{ground.table("book"), ground.table("member")}}) {
    const auto trees = join_trees(ground.domain(), terminals, 1, {});
    ASSERT_EQ(trees.size(), 1U);
    ASSERT_EQ(trees.front().tables.size(), 3U);
    EXPECT_EQ(trees.front().tables[1], ground.table("loan"));
  }
}

// "Wname" of a table whse: initials of the table in front of a word.
TEST(DomainTest, InitialsOfTheTable) {
  const ParserGround ground(
      "CREATE TABLE whse(wid INTEGER PRIMARY KEY, wname TEXT, wood TEXT);"
      "CREATE TABLE supp(sid INTEGER PRIMARY KEY, sname TEXT, fname TEXT);"
      "CREATE TABLE stk(wid INTEGER REFERENCES whse, sid INTEGER REFERENCES supp)");
  const auto words = [&](const char* table, const char* column) {
    std::string joined;
    for (const auto& word : ground.domain().column(ground.column(table, column)).words) joined += word + " ";
    return joined;
  };
  EXPECT_EQ(words("whse", "wname"), "name ");
  EXPECT_EQ(words("supp", "sname"), "name ");
  EXPECT_EQ(words("supp", "fname"), "first name ");
  EXPECT_EQ(words("whse", "wood"), "wood ");
  EXPECT_TRUE(ground.domain().column(ground.column("whse", "wid")).is_id);
  EXPECT_EQ(ground.domain().table(ground.table("whse")).display, ground.column("whse", "wname"));
}

TEST(DomainTest, DatesThatSortAsTexts) {
  const ParserGround ground(
      "CREATE TABLE t(day TEXT, moment TEXT, german TEXT);"
      "INSERT INTO t VALUES ('2024-05-01', '2024-05-01 10:00', '01.05.2024'), ('2025-01-31', '2025-01-31T08:30', "
      "'31.01.2025')");
  const auto& domain = ground.domain();
  EXPECT_TRUE(domain.column(ground.column("t", "day")).has_iso_dates);
  EXPECT_FALSE(domain.column(ground.column("t", "day")).has_times);
  EXPECT_TRUE(domain.column(ground.column("t", "moment")).has_times);
  EXPECT_EQ(domain.column(ground.column("t", "german")).kind, DataKind::date);
  EXPECT_FALSE(domain.column(ground.column("t", "german")).has_iso_dates);
}

TEST(DomainTest, PeopleHaveFirstAndLastNames) {
  const ParserGround ground(
      "CREATE TABLE tblPupil(id INTEGER PRIMARY KEY, LastName TEXT, FirstName TEXT, age INTEGER);"
      "CREATE TABLE pet(id INTEGER PRIMARY KEY, name TEXT, last_name TEXT)");
  const auto& pupil = ground.domain().table(ground.table("tblPupil"));
  EXPECT_EQ(pupil.words, std::vector<std::string>{"pupil"});
  EXPECT_EQ(pupil.display, ground.column("tblPupil", "FirstName"));
  EXPECT_EQ(pupil.surname, ground.column("tblPupil", "LastName"));
  EXPECT_EQ(ground.domain().table(ground.table("pet")).surname, nothing);
}

// A kind that many rows share names none of them.
TEST(DomainTest, WhatRepeatsNamesNoRow) {
  const ParserGround ground(
      "CREATE TABLE item(id INTEGER PRIMARY KEY, class TEXT, item_desc TEXT);"
      "INSERT INTO item VALUES (1, 'red', 'cup'), (2, 'blue', 'pan'), (3, 'red', 'jar'), (4, 'blue', 'pot'),"
      "(5, 'red', 'mug'), (6, 'blue', 'lid'), (7, 'red', 'fork'), (8, 'blue', 'dish'), (9, 'red', 'bowl')");
  const auto& domain = ground.domain();
  EXPECT_TRUE(domain.column(ground.column("item", "class")).repeats);
  EXPECT_FALSE(domain.column(ground.column("item", "item_desc")).repeats);
  EXPECT_EQ(domain.table(ground.table("item")).display, ground.column("item", "item_desc"));
}

// Nor does a text that only some rows share, or one that says something about a row.
TEST(DomainTest, WhatIsSharedNamesNoRow) {
  const ParserGround ground(
      "CREATE TABLE device(serial TEXT PRIMARY KEY, brand TEXT, remark TEXT);"
      "INSERT INTO device VALUES ('A1', 'Dell', 'old'), ('A2', 'Dell', 'new'), ('A3', 'HP', 'lost')");
  const auto& domain = ground.domain();
  EXPECT_TRUE(domain.column(ground.column("device", "brand")).shared);
  EXPECT_FALSE(domain.column(ground.column("device", "remark")).shared);
  EXPECT_EQ(domain.table(ground.table("device")).display, ground.column("device", "serial"));
}

TEST(DomainTest, MissingValues) {
  const ParserGround ground(
      "CREATE TABLE reader(id INTEGER PRIMARY KEY, name TEXT, phone TEXT, email TEXT);"
      "INSERT INTO reader VALUES (1, 'Ann', NULL, ''), (2, 'Bob', '555', 'b@x.org')");
  const auto& domain = ground.domain();
  EXPECT_TRUE(domain.column(ground.column("reader", "phone")).has_nulls);
  EXPECT_FALSE(domain.column(ground.column("reader", "phone")).has_blanks);
  EXPECT_FALSE(domain.column(ground.column("reader", "email")).has_nulls);
  EXPECT_TRUE(domain.column(ground.column("reader", "email")).has_blanks);
  EXPECT_FALSE(domain.column(ground.column("reader", "name")).has_nulls);
}

TEST(DomainTest, NumbersReferToKeysOfTheirName) {
  const ParserGround ground(
      "CREATE TABLE cust(cust_no INTEGER PRIMARY KEY, name TEXT, order_no INTEGER);"
      "CREATE TABLE hire(hire_no INTEGER PRIMARY KEY, cust_no INTEGER, passenger_no INTEGER)");
  const auto edges = ground.domain().edges();
  ASSERT_EQ(edges.size(), 1U);
  EXPECT_EQ(edges.front().child, ground.column("hire", "cust_no"));
  EXPECT_EQ(edges.front().parent, ground.column("cust", "cust_no"));
}

TEST(DomainTest, AFullNameIsOneItem) {
  const ParserGround ground("CREATE TABLE pupil(id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, age INTEGER)");
  const auto first = ground.column("pupil", "first_name");
  const auto last = ground.column("pupil", "last_name");
  const auto age = ground.column("pupil", "age");
  EXPECT_EQ(ground.domain().full_names({first, last, age}), 1U);
  EXPECT_EQ(ground.domain().full_names({last, age}), 0U);
  EXPECT_TRUE(ground.domain().is_display(last));
  EXPECT_FALSE(ground.domain().is_display(age));
}

TEST(Joins, PreferredEdgesComeFirstAmongTreesOfTheSameSize) {
  const ParserGround ground(
      "CREATE TABLE airport(code TEXT PRIMARY KEY, city TEXT);"
      "CREATE TABLE flight(id INTEGER PRIMARY KEY, origin TEXT REFERENCES airport, target TEXT REFERENCES airport)");
  const std::vector<TableId> both = {ground.table("airport"), ground.table("flight")};
  for (const std::size_t edge : {0U, 1U}) {
    const auto trees = join_trees(ground.domain(), both, 1, {edge});
    ASSERT_EQ(trees.size(), 1U);
    EXPECT_EQ(trees.front().edges, std::vector<std::size_t>{edge});
  }
}

}  // namespace
}  // namespace trustsql::semparse
