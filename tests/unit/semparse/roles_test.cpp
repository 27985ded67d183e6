#include "semparse/question/roles.hpp"

#include "semparse/question/linked_question.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* office = R"(
CREATE TABLE worker(id INTEGER PRIMARY KEY, name TEXT, job TEXT, pay INTEGER, reports_to INTEGER REFERENCES worker(id));
INSERT INTO worker VALUES (1, 'Ada', 'Director', 90, NULL), (2, 'Ben', 'Cook', 50, 1), (3, 'Cleo', 'Waiter', 40, 2);
)";

constexpr const char* lines = R"(
CREATE TABLE port(port_id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE voyage(voyage_id INTEGER PRIMARY KEY, ship TEXT, origin_id INTEGER REFERENCES port(port_id),
                    destination_id INTEGER REFERENCES port(port_id), length INTEGER);
INSERT INTO port VALUES (1, 'Bergen', 'Norway'), (2, 'Leith', 'Scotland'), (3, 'Emden', 'Germany');
INSERT INTO voyage VALUES (1, 'Gull', 1, 2, 600), (2, 'Tern', 2, 1, 600), (3, 'Gull', 1, 3, 700);
)";

constexpr const char* notes = R"(
CREATE TABLE note(note_id INTEGER PRIMARY KEY, body TEXT, parent_note_id INTEGER REFERENCES note(note_id));
INSERT INTO note VALUES (1, 'Fine', NULL), (2, 'Thanks', 1), (3, 'Not so', 1);
)";

constexpr const char* family = R"(
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, mother_id INTEGER REFERENCES person(id),
                    father_id INTEGER REFERENCES person(id));
INSERT INTO person VALUES (1, 'Rosa', NULL, NULL), (2, 'Otto', NULL, NULL), (3, 'Ina', 1, 2);
)";

// Each value of the question, with the first word of the name of the table that it is placed in.
std::string places(ParserGround& ground, const char* text) {
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const LinkedQuestion linked(text, linker, shipped_model()->vocabulary);
  const auto& domain = linked.view().domain();
  std::string said;
  for (const auto& value : linked.view().linking().values) {
    for (const auto& cell : value.cells) {
      EXPECT_EQ(domain.column(domain.stored_column(cell.column)).name, domain.column(cell.column).name);
      EXPECT_TRUE(value.owner == nothing || domain.column(cell.column).table == value.owner);
    }
    std::string table = "none";
    if (value.owner != nothing) {
      const auto& words = domain.table(value.owner).words;
      table = words.empty() ? "" : words.front();
    }
    said += (said.empty() ? "" : " ") + value.text + ":" + table;
  }
  return said;
}

TEST(Roles, ATableThatRefersToItself) {
  ParserGround ground(office);
  const std::pair<const char*, const char*> questions[] = {
      {"Who does Ben report to?", "Ben:worker"},
      {"Which workers report to Ben?", "Ben:report"},
      {"Which workers report directly to Ben?", "Ben:report"},
      {"Who is the manager of Cleo?", "Cleo:worker"},
      {"What is the pay of Cleo's boss?", "Cleo:worker"},
      {"Who manages Cleo?", "Cleo:worker"},
      {"How many workers does Ben manage?", "Ben:report"},
      {"Which workers are managed by Ben?", "Ben:report"},
      {"List the workers whose manager is Ada.", "Ada:report"},
      {"Who are the subordinates of Ada?", "Ada:report"},
      {"How many workers have Ada as their boss?", "Ada:report"},
      // One row, and no second one.
      {"What is the pay of Ben?", "Ben:none"},
      {"Which worker is called Ben?", "Ben:none"},
      // Left open: the pay may be Cleo's or her manager's.
      {"List the manager and Cleo.", "Cleo:none"},
  };
  for (const auto& [question, expected] : questions) EXPECT_EQ(places(ground, question), expected) << question;
}

TEST(Roles, ChildrenHaveTheOnlyParent) {
  ParserGround ground(
      "CREATE TABLE animal(id INTEGER PRIMARY KEY, name TEXT, mother INTEGER REFERENCES animal(id));"
      "INSERT INTO animal VALUES (1, 'Pip', NULL), (2, 'Rex', 1), (3, 'Kit', 1)");
  EXPECT_EQ(places(ground, "Which animals are children of Pip?"), "Pip:mother");
  ParserGround both(family);
  EXPECT_EQ(places(both, "Who are the children of Rosa?"), "Rosa:none");
}

TEST(Roles, WhetherThereIsOneIsSaidOfTheRow) {
  ParserGround ground(
      "CREATE TABLE nurse(id INTEGER PRIMARY KEY, name TEXT, supervisor_id INTEGER REFERENCES nurse(id));"
      "INSERT INTO nurse VALUES (1, 'Ada', NULL), (2, 'Ben', 1), (3, 'Cleo', 2)");
  EXPECT_EQ(places(ground, "For each nurse who has a supervisor, show the nurse's name and the supervisor's name."),
            ":nurse");
}

TEST(Roles, ATableThatAnotherRefersToTwice) {
  ParserGround ground(lines);
  const std::pair<const char*, const char*> questions[] = {
      {"How many voyages go from Bergen to Leith?", "Bergen:origin Leith:destination"},
      {"How many voyages to Leith depart from Bergen?", "Leith:destination Bergen:origin"},
      {"List ships with origin Bergen and destination Emden.", "Bergen:origin Emden:destination"},
      {"Which voyages go from Norway to Scotland?", "Norway:origin Scotland:destination"},
      {"Ships whose origin is from Norway and whose destination is from Germany", "Norway:origin Germany:destination"},
      // One of the columns is enough.
      {"How many voyages go to Leith?", "Leith:none"},
      {"Which ports are in Norway?", "Norway:none"},
      // Nothing says which is which.
      {"Which voyages are between Bergen and Leith?", "Bergen:none Leith:none"},
  };
  for (const auto& [question, expected] : questions) EXPECT_EQ(places(ground, question), expected) << question;
}

TEST(Roles, SeveralRolesOfOneTable) {
  ParserGround ground(family);
  EXPECT_EQ(places(ground, "Show the names of the mother and the father of Ina."), "Ina:person");
  EXPECT_EQ(places(ground, "Whose mother is Rosa?"), "Rosa:mother");
  EXPECT_EQ(places(ground, "Whose father is Otto?"), "Otto:father");
  EXPECT_EQ(places(ground, "List people whose mother is Rosa and whose father is Otto."), "Rosa:mother Otto:father");
}

TEST(Roles, AreJoinedAsTheTablesTheyAre) {
  const std::tuple<const char*, const char*, const char*> questions[] = {
      {office, "What is the job of the manager of Cleo?",
       "SELECT T2.job FROM worker AS T1 JOIN worker AS T2 ON T1.reports_to = T2.id WHERE T1.name = 'Cleo'"},
      {office, "Show the pay of the workers whose manager is Ada.",
       "SELECT T1.pay FROM worker AS T1 JOIN worker AS T2 ON T1.reports_to = T2.id WHERE T2.name = 'Ada'"},
      {office, "Show the name of each worker and the name of their manager.",
       "SELECT T1.name, T2.name FROM worker AS T1 JOIN worker AS T2 ON T1.reports_to = T2.id"},
      {lines, "How many voyages go from Bergen to Leith?",
       "SELECT count(*) FROM voyage AS T1 JOIN port AS T2 ON T1.origin_id = T2.port_id JOIN port AS T3 ON "
       "T1.destination_id = T3.port_id WHERE T2.name = 'Bergen' AND T3.name = 'Leith'"},
      // What no role is needed for is read as before.
      {notes, "How many notes have no parent?", "SELECT count(*) FROM note WHERE parent_note_id IS NULL"},
      {office, "Which workers have no manager?", "SELECT name FROM worker WHERE reports_to IS NULL"},
      {lines, "How many voyages go to Leith?",
       "SELECT count(*) FROM port AS T1 JOIN voyage AS T2 ON T2.destination_id = T1.port_id WHERE T1.name = 'Leith'"},
  };
  for (const auto& [schema, question, sql] : questions) {
    ParserGround ground(schema);
    const auto parse = Parser(shipped_model()).parse(question, ground.knowledge(), ground.sandbox());
    ASSERT_TRUE(parse.ok() && !parse->readings.empty()) << question;
    EXPECT_EQ(parse->readings.front().sql, sql) << question;
  }
}

// Without a declaration, by a name and a range.
TEST(Roles, OfKeysThatAreNotDeclared) {
  const ParserGround ground(R"(
CREATE TABLE worker(id INTEGER PRIMARY KEY, name TEXT, boss_id INTEGER, size INTEGER, parent INTEGER, mentor_id INTEGER);
INSERT INTO worker VALUES (1, 'Ada', NULL, 1, 2, 7), (2, 'Ben', 1, 2, 1, 1), (3, 'Cleo', 2, 3, 2, 1);
CREATE TABLE manager(id INTEGER PRIMARY KEY, name TEXT, manager_id INTEGER);
INSERT INTO manager VALUES (1, 'Dan', 1);
)");
  const auto& domain = ground.domain();
  // Not a number of another kind, not one that is no key, not a table's own name.
  ASSERT_EQ(domain.edges().size(), 1U);
  EXPECT_EQ(domain.edges().front().child, ground.column("worker", "boss_id"));
  EXPECT_EQ(domain.edges().front().parent, ground.column("worker", "id"));
  EXPECT_FALSE(domain.edges().front().declared);
}

// Hundreds of columns that one word names are no roles: there would be a table for each.
// The manager of what is no person is one of the staff, where it is clear who they are.
TEST(Roles, OfThingsArePlayedByPeople) {
  const std::string_view campaigns =
      "CREATE TABLE campaign(id INTEGER PRIMARY KEY, title TEXT, manager_id INTEGER);"
      "INSERT INTO campaign VALUES (1, 'Flood', 2), (2, 'Winter', 1);";
  const std::string_view staff =
      "CREATE TABLE staff(id INTEGER PRIMARY KEY, name TEXT);"
      "INSERT INTO staff VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');";
  const std::string_view donors =
      "CREATE TABLE donor(id INTEGER PRIMARY KEY, name TEXT);"
      "INSERT INTO donor VALUES (1, 'Di'), (2, 'Ed');";
  const std::string_view members =
      "CREATE TABLE member(id INTEGER PRIMARY KEY, name TEXT);"
      "INSERT INTO member VALUES (1, 'Flo'), (2, 'Gus');";
  const auto referred = [campaigns](std::string_view first, std::string_view second) {
    const ParserGround ground(std::string(campaigns).append(first).append(second).c_str());
    std::vector<std::string> names;
    for (const auto& edge : ground.domain().edges())
      names.push_back(ground.domain().table(ground.domain().column(edge.parent).table).name);
    return join(names, " ");
  };
  EXPECT_EQ(referred("", staff), "staff");
  EXPECT_EQ(referred(donors, staff), "staff");
  EXPECT_EQ(referred(donors, members), "");
  EXPECT_EQ(referred("", ""), "campaign");
}

TEST(Roles, AreFew) {
  std::string itself = "CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT";
  std::string other = "CREATE TABLE match(id INTEGER PRIMARY KEY";
  for (int i = 1; i <= 500; ++i) {
    itself += ", parent" + std::string(static_cast<std::size_t>(i), '_') + " INTEGER REFERENCES note(id)";
    other += ", home_" + std::to_string(i) + " INTEGER REFERENCES team(id)";
  }
  ParserGround ground((itself + "); INSERT INTO note(id, body) VALUES (1, 'Fine');" +
                       "CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO team VALUES (1, 'Rovers');" +
                       other + ");")
                          .c_str());
  ASSERT_GE(ground.domain().edges().size(), 1000U);
  EXPECT_EQ(places(ground, "Which notes have the parent Fine?"), "Fine:none");
  EXPECT_EQ(places(ground, "Which matches had the home team Rovers?"), "Rovers:none");
}

TEST(Roles, OfADomain) {
  const ParserGround ground(lines);
  const auto& domain = ground.domain();
  ASSERT_EQ(domain.edges().size(), 2U);
  const auto roles = domain.with_roles({1, 0});
  const auto first = static_cast<TableId>(domain.tables().size());
  ASSERT_EQ(roles.tables().size(), domain.tables().size() + 2);
  EXPECT_EQ(roles.table(first).words, domain.role_words(1));
  EXPECT_EQ(roles.stored_table(first), ground.table("port"));
  EXPECT_EQ(roles.stored_table(ground.table("port")), ground.table("port"));
  EXPECT_EQ(roles.column(roles.edges()[1].parent).table, first);
  EXPECT_EQ(roles.column(roles.edges()[0].parent).table, first + 1);
  EXPECT_TRUE(roles.edges_of(ground.table("port")).empty());
  EXPECT_EQ(roles.find_table("port"), ground.table("port"));
  for (auto id = roles.table(first).first_column; id < roles.table(first).last_column; ++id)
    EXPECT_EQ(roles.column(roles.stored_column(id)).name, roles.column(id).name);
  EXPECT_EQ(roles.stored_column(roles.table(first).display), domain.table(ground.table("port")).display);
}

}  // namespace
}  // namespace trustsql::semparse
