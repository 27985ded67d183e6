#include "semparse/parser.hpp"

#include "semparse/knowledge_cache.hpp"
#include "semparse/model/model_file.hpp"
#include "semparse/training/fitting.hpp"
#include "tests/unit/semparse/parser_ground.hpp"
#include "unit/test_run.hpp"

namespace trustsql::semparse {
namespace {

TEST(ParserTest, ReadsQuestions) {
  ParserGround ground;
  const std::pair<const char*, const char*> questions[] = {
      {"How many customers are there?", "SELECT count(*) FROM customer"},
      {"What is the average age of all customers?", "SELECT avg(age) FROM customer"},
      {"Show the title of the product with the highest price.",
       "SELECT title FROM product ORDER BY price DESC LIMIT 1"},
      {"What are the names of customers from Paris?", "SELECT name FROM customer WHERE city = 'Paris'"},
  };
  for (const auto& [question, sql] : questions) {
    const auto parse = parsed(ground, question);
    ASSERT_FALSE(parse.readings.empty()) << question;
    EXPECT_EQ(parse.readings.front().sql, sql);
    EXPECT_GT(parse.confidence, 0.5) << question;
  }
}

TEST(ParserTest, DoesNotTrustWhatItDoesNotUnderstand) {
  ParserGround ground;
  for (const auto* question : {"What is the blood pressure of each customer?", "Will sales rise next year?", "hello",
                               "?", "Quelle est la capitale de la France ?"})
    EXPECT_LT(parsed(ground, question).confidence, 0.9) << question;
  EXPECT_EQ(parsed(ground, "").confidence, 0);
}

// A row that is related to the one that the question names is another row, also where no key says so.
TEST(ParserTest, RelationsBetweenRowsAreNotLeftOut) {
  ParserGround ground(R"(
CREATE TABLE worker(id INTEGER PRIMARY KEY, name TEXT, email TEXT, pay INTEGER);
INSERT INTO worker VALUES (1, 'Ada', 'a@x', 90), (2, 'Ben', 'b@x', 50), (3, 'Cleo', 'c@x', 40);
)");
  const std::pair<const char*, const char*> questions[] = {
      {"What is the email of the boss of Ben?", "boss"},
      {"What is Ben's sister's email?", "sister"},
      {"How many workers are supervised by Ada?", "supervised"},
      {"What is the email of Ben?", ""},
      {"What is the email of the worker Ben?", ""},
      {"Show the details of Ben.", ""},
      {"What is Ben's pay?", ""},
  };
  for (const auto& [question, word] : questions)
    EXPECT_EQ(parsed(ground, question).objections.lost_word, word) << question;
}

// "Available" is idle in many questions, and says which rows are meant where it stands beside what they are called.
TEST(ParserTest, WordsThatSayWhichRowsAreNotLeftOut) {
  ParserGround ground(R"(
CREATE TABLE truck(id INTEGER PRIMARY KEY, plate TEXT, mileage INTEGER);
INSERT INTO truck VALUES (1, 'AB 1', 90), (2, 'CD 2', 50), (3, 'EF 3', 40);
)");
  const std::pair<const char*, const char*> questions[] = {
      {"How many trucks are available?", "available"},
      {"How many available trucks are there?", "available"},
      {"What is the average mileage of the used trucks?", "used"},
      {"How many trucks are in use?", "use"},
      {"How many popular trucks are there?", "popular"},
      {"How many trucks are there?", ""},
      {"How many different trucks are there?", ""},
      {"Sort trucks by mileage.", ""},
      {"Show the mileage of everybody that use trucks.", ""},
      {"List the plates of all trucks.", ""},
  };
  for (const auto& [question, word] : questions)
    EXPECT_EQ(parsed(ground, question).objections.lost_word, word) << question;
}

// "Only" says something of all rows of another table, and "the books of the earliest year" may be several.
TEST(ParserTest, WordsThatSayOfHowManyRowsAreNotLeftOut) {
  ParserGround ground(R"(
CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, year INTEGER);
CREATE TABLE copy(id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES book, branch TEXT);
INSERT INTO book VALUES (1, 'Ash', 1990), (2, 'Elm', 1990), (3, 'Oak', 2001);
INSERT INTO copy VALUES (1, 1, 'Central'), (2, 1, 'Harbour'), (3, 2, 'Central'), (4, 3, 'Harbour');
)");
  const std::pair<const char*, const char*> questions[] = {
      {"How many books have copies only at the Central branch?", "only"},
      {"How many books have copies at the Central branch?", ""},
      {"Show the titles of books of the year 1990 only.", ""},
      {"Show the titles of the books in the earliest year.", "earliest"},
      {"Show the title of the book with the highest year.", ""},
      {"Show the titles of books that are out of print.", "out"},
  };
  for (const auto& [question, word] : questions)
    EXPECT_EQ(parsed(ground, question).objections.lost_word, word) << question;
}

// Of two books of the highest year, LIMIT returns either.
TEST(ParserTest, TiesAreSeen) {
  ParserGround ground(R"(
CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, pages INTEGER);
INSERT INTO book VALUES (1, 'Ash', 100), (2, 'Elm', 300), (3, 'Oak', 300);
)");
  EXPECT_TRUE(parsed(ground, "Show the title of the book with the most pages.").tied);
  EXPECT_FALSE(parsed(ground, "Show the title of the book with the fewest pages.").tied);
  EXPECT_FALSE(parsed(ground, "How many books are there?").tied);
}

TEST(ParserTest, AnswersInTwoWordingsAreSurer) {
  ParserGround ground(
      "CREATE TABLE film(id INTEGER PRIMARY KEY, title TEXT, genre TEXT, budget REAL, runtime INTEGER);"
      "INSERT INTO film VALUES (1, 'Ash', 'drama', 10, 90), (2, 'Sea', 'comedy', 20, 100), (3, 'Elm', 'drama', 30, 80),"
      "(4, 'Oak', 'comedy', 25, 95)");
  const auto short_form = parsed(ground, "What is the average budget of the dramas?");
  EXPECT_EQ(short_form.reworded, "What is the average budget of the films whose genre is 'drama'?");
  EXPECT_EQ(short_form.readings.front().sql, "SELECT avg(budget) FROM film WHERE genre = 'drama'");
  const auto rows = parsed(ground, "Which films are dramas?");
  EXPECT_EQ(rows.reworded, "show the titles of the films whose genre is 'drama'");
  EXPECT_EQ(rows.readings.front().sql, "SELECT title FROM film WHERE genre = 'drama'");
  const auto plain = parsed(ground, "Show the titles of the films whose genre is 'drama'.");
  EXPECT_EQ(plain.reworded, "");
  EXPECT_NEAR(rows.confidence, plain.confidence, 0.05);
  // Here is a word without a place, so that the rows' names are not put in.
  EXPECT_EQ(parsed(ground, "Which films are dramas about miners?").reworded.find("show the titles"), std::string::npos);
}

TEST(ParserTest, QuestionsMayBeginWithNumbers) {
  ParserGround ground;
  for (const auto* question : {"70 or older", "70 or older at the time?", "5 or more purchases", "2024", "3", "20 ?"})
    EXPECT_LT(parsed(ground, question).confidence, 0.9) << question;
}

TEST(ParserTest, ADatabaseWithoutTablesHasNoReadings) {
  ParserGround ground("CREATE TABLE t(x); DROP TABLE t");
  EXPECT_TRUE(parsed(ground, "How many customers are there?").readings.empty());
}

// Views that never end: what they hold is not known, and nobody waits for each of them.
TEST(ParserTest, ReadingADatabaseEnds) {
  std::string ddl = "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO city VALUES (1, 'Rome');";
  for (int i = 0; i < 30; ++i)
    ddl +=
        "CREATE VIEW endless" + std::to_string(i) +
        " AS WITH RECURSIVE n(x, y) AS (SELECT 1, 'a' UNION ALL SELECT x + 1, 'a' FROM n) SELECT max(x) AS x, max(y) "
        "AS y FROM n;";
  const auto source = open_ddl(ddl, test::default_settings());
  ASSERT_TRUE(source.ok()) << source.error().message;
  auto sandbox = std::move((*source)->lease()).value();
  auto catalog = std::move((*source)->catalog()).value();
  const auto begun = std::chrono::steady_clock::now();
  const auto knowledge = Knowledge::build(*catalog, *sandbox, std::chrono::milliseconds(300));
  ASSERT_TRUE(knowledge.ok());
  const ParserOptions options{.run_time = std::chrono::milliseconds(300)};
  EXPECT_TRUE(Parser(shipped_model()).parse("How many cities are there?", **knowledge, *sandbox, options).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(8));  // one view alone would take ten
  EXPECT_TRUE(sandbox->run("SELECT name FROM city").ok());
}

TEST(ParserTest, KnowledgeIsReadOnceForAState) {
  ParserGround ground;
  KnowledgeCache cache;
  const auto first = cache.knowledge(ground.source(), ground.catalog(), ground.sandbox());
  const auto second = cache.knowledge(ground.source(), ground.catalog(), ground.sandbox());
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->get(), second->get());
}

TEST(ModelFile, DamagedModelsAreRefused) {
  ASSERT_NE(shipped_model(), nullptr);
  // The skeletons and words of the model, and few weights, so that it is read quickly.
  constexpr std::size_t size = 1024;
  ParserModel small = *shipped_model();
  small.weights = small.ranking = LinearModel(size);
  small.forms = LinearModel(size);
  for (std::size_t i = 0; i < size; ++i) small.weights.weights()[i] = static_cast<float>(i % 7) - 3;
  const auto bytes = write_model(small, size);
  constexpr std::size_t checksum_size = 8;
  const auto body = bytes.substr(0, bytes.size() - checksum_size);
  ASSERT_EQ(sealed_model(body), bytes);
  ASSERT_TRUE(read_model(bytes).ok());
  EXPECT_FALSE(read_model("").ok());
  EXPECT_FALSE(read_model("trustsql\x7f").ok());
  EXPECT_FALSE(read_model(bytes + "x").ok());
  // A thousand places of each kind; more in a slow run.
  const std::size_t step = is_slow_run() ? 61 : bytes.size() / 1000 | 1U;
  for (std::size_t length = 0; length < body.size(); length += step) {
    EXPECT_FALSE(read_model(std::string_view(bytes).substr(0, length)).ok()) << length;
    // With a right checksum, a file that ends after one of its parts is whole.
    const auto cut = read_model(sealed_model(body.substr(0, length)));
    EXPECT_TRUE(!cut.ok() || write_model(*cut, size) == sealed_model(body.substr(0, length))) << length;
  }
  for (std::size_t i = 0; i < body.size(); i += step) {
    auto changed = body;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_FALSE(read_model(changed + bytes.substr(body.size())).ok()) << i;
    (void)read_model(sealed_model(changed));  // an error or another model, but no crash
  }
}

// Three databases of one kind are too few to learn much, but the whole way from pairs to a model is taken, twice alike.
TEST(Fitting, IsReproducible) {
  std::vector<std::shared_ptr<SandboxSource>> databases;
  std::vector<LabelledQuestion> questions;
  const char* const things[] = {"singer", "city", "plane"};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string thing = things[i];
    databases.push_back(std::move(open_ddl("CREATE TABLE " + thing +
                                               "(id INTEGER PRIMARY KEY, name TEXT, size INT);"
                                               "INSERT INTO " +
                                               thing + " VALUES (1, 'x', 10), (2, 'y', 20)",
                                           test::default_settings()))
                            .value());
    questions.push_back({i, "How many " + thing + "s are there?", "SELECT count(*) FROM " + thing});
    questions.push_back({i, "Show the names of all " + thing + "s.", "SELECT name FROM " + thing});
    questions.push_back({i, "What is the average size?", "SELECT avg(size) FROM " + thing});
    questions.push_back(
        {i, "List the name of the " + thing + " with size 10.", "SELECT name FROM " + thing + " WHERE size = 10"});
  }
  FittingOptions options;
  options.folds = 3;
  options.training.min_databases = 2;
  options.training.min_feature_databases = 1;
  const auto first = fit_model(databases, questions, options);
  options.threads = 1;
  const auto second = fit_model(databases, questions, options);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(write_model(first->model, 100'000), write_model(second->model, 100'000));
  EXPECT_EQ(first->held_out.size(), second->held_out.size());
  EXPECT_GE(first->held_out.size(), questions.size());
  EXPECT_FALSE(fit_model({databases.front()}, questions, options).ok());
}

}  // namespace
}  // namespace trustsql::semparse
