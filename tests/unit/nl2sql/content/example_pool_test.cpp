#include "nl2sql/content/example_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "db/sources/ddl_source.hpp"
#include "nl2sql/prompts/demonstrations.hpp"
#include "unit/db/support.hpp"
#include "unit/nl2sql/question_ground.hpp"

namespace trustsql::nl2sql {
namespace {

Example feasible(std::string question, std::string sql, std::string database = {}, std::string schema = {}) {
  return {.question = std::move(question),
          .sql = std::move(sql),
          .database = std::move(database),
          .schema = std::move(schema),
          .type = {}};
}
Example infeasible(std::string question, std::string database = {}) {
  return {.question = std::move(question), .sql = {}, .database = std::move(database), .schema = {}, .type = "non-sql"};
}

std::vector<std::string> questions(const std::vector<const Example*>& examples) {
  std::vector<std::string> texts;
  for (const auto* example : examples) texts.push_back(example->question);
  return texts;
}

TEST(MaskedQuestions, HideValuesAndNames) {
  EXPECT_EQ(mask_question("How many singers are from \"France\" or 'New York' since 1990?", std::nullopt),
            "How many singers are from _ or _ since _?");
  EXPECT_EQ(mask_question("What's the singer's age, 3.5?", std::nullopt), "What's the singer's age, _?");
  EXPECT_EQ(mask_question("How many singers are from France?", "SELECT count(*) FROM singer WHERE country = 'France'"),
            "How many _ are from _?");
  EXPECT_EQ(mask_question("names of New York shops", "SELECT shop_name FROM shops WHERE city = 'New York'"), "_ of _")
      << "names and values that stand side by side are one mark";
}

TEST(QueryWords, AreTheSkeletonOfAQuery) {
  EXPECT_EQ(join(query_words("SELECT COUNT(*), t.a FROM t AS x WHERE x.b = 'y' LIMIT 3;"), " "),
            "select count ( * ) , _ from _ as _ where _ = _ limit _");
  const auto similarity = [](const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return word_similarity(word_bag(a), word_bag(b));
  };
  EXPECT_DOUBLE_EQ(similarity(query_words("SELECT a FROM t"), query_words("SELECT bb FROM uu")), 1);
  EXPECT_DOUBLE_EQ(similarity({"a", "b", "b"}, {"b", "b", "c"}), 0.5);
  EXPECT_DOUBLE_EQ(similarity({"a"}, {"b"}), 0);
  EXPECT_DOUBLE_EQ(similarity({}, {}), 1);
}

TEST(ExamplePool, ReadsATable) {
  test::TestConnection host;
  host.exec(R"(CREATE TABLE trustsql_examples (question, sql, type, db, schema, more);
               INSERT INTO trustsql_examples VALUES ('q1', 'SELECT 1', NULL, NULL, NULL, 1), ('q2', NULL, 'non-sql', NULL, NULL, 2),
                 (NULL, 'SELECT 2', NULL, NULL, NULL, 3), ('q3', 'SELECT 3', NULL, 'shop', 'CREATE TABLE t (a)', 4))");
  auto source = RowSource::open(host, "trustsql_examples");
  ASSERT_TRUE(source.ok());
  const auto read = ExamplePool::read(*source);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->size(), 3U);
  EXPECT_TRUE(read->at(0).feasible());
  EXPECT_FALSE(read->at(1).feasible());
  EXPECT_EQ(read->at(1).type, "non-sql");
  EXPECT_EQ(read->at(2).database, "shop");
  EXPECT_EQ(read->at(2).schema, "CREATE TABLE t (a)");

  auto gold = RowSource::open(host, "SELECT question, sql AS gold FROM trustsql_examples");
  EXPECT_EQ(ExamplePool::read(*gold)->size(), 3U);
  auto wrong = RowSource::open(host, "SELECT question FROM trustsql_examples");
  const auto missing = ExamplePool::read(*wrong);
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message.find("sql"), std::string::npos);
}

TEST(Demonstrations, OfOneDomainAreTheNearest) {
  const ExamplePool pool({feasible("how many dogs are there", "SELECT 1"), feasible("name the oldest cat", "SELECT 2"),
                          feasible("how many cats are there", "SELECT 3"),
                          feasible("how many cats bark", "SELECT 4", "other"), infeasible("draw the cats")});
  WordEmbedder words;
  auto chosen = choose_demonstrations(pool, "how many cats are there in all", {.feasible = 2}, words, {});
  ASSERT_TRUE(chosen.ok());
  EXPECT_TRUE(chosen->others.empty());
  EXPECT_EQ(questions(chosen->own), (std::vector<std::string>{"how many dogs are there", "how many cats are there"}))
      << "the nearest last";
}

TEST(Demonstrations, BalanceFeasibleAndInfeasibleOnes) {
  std::vector<Example> examples;
  for (int i = 0; i < 30; ++i) {
    examples.push_back(feasible("count the number " + std::to_string(i), "SELECT " + std::to_string(i)));
    examples.push_back(infeasible("draw the number " + std::to_string(i), i % 2 == 0 ? "" : "elsewhere"));
  }
  const ExamplePool pool(std::move(examples));
  WordEmbedder words;
  const auto counts = triage_counts();
  const auto chosen = *choose_demonstrations(pool, "count the number 3", counts, words, {});
  ASSERT_EQ(chosen.own.size(), 32U);
  EXPECT_EQ(std::count_if(chosen.own.begin(), chosen.own.end(), [](const auto* e) { return e->feasible(); }), 16);
  EXPECT_EQ(std::count_if(chosen.own.begin(), chosen.own.end(),
                          [](const auto* e) { return !e->feasible() && e->database.empty(); }),
            15)
      << "one more from elsewhere, since there are no more here";
  EXPECT_FALSE(std::is_partitioned(chosen.own.begin(), chosen.own.end(), [](const auto* e) { return e->feasible(); }))
      << "shuffled";
  auto other = counts;
  EXPECT_EQ(questions(choose_demonstrations(pool, "count the number 3", other, words, {})->own), questions(chosen.own));
  other.seed = 1;
  EXPECT_NE(questions(choose_demonstrations(pool, "count the number 3", other, words, {})->own), questions(chosen.own));
}

TEST(Demonstrations, AcrossDomainsAreFixed) {
  std::vector<Example> examples;
  for (int d = 0; d < 12; ++d) {
    for (int i = 0; i < 10; ++i) {
      const auto database = "db" + std::to_string(d);
      examples.push_back(
          feasible("count " + database + " " + std::to_string(i), "SELECT " + std::to_string(i), database));
      if (d > 0) examples.push_back(infeasible("draw " + database + " " + std::to_string(i), database));
    }
  }
  const ExamplePool pool(std::move(examples));
  WordEmbedder words;
  const auto chosen = *choose_demonstrations(pool, "count all", sqlprompt_counts(), words, {});
  EXPECT_TRUE(chosen.own.empty());
  ASSERT_EQ(chosen.others.size(), 5U);
  std::set<std::string> names;
  for (const auto& other : chosen.others) {
    names.insert(other.name);
    EXPECT_EQ(other.examples.size(), 8U);
    for (const auto* example : other.examples) EXPECT_TRUE(example->feasible() && example->database == other.name);
  }
  EXPECT_EQ(names.size(), 5U);

  const auto again = *choose_demonstrations(pool, "something else", sqlprompt_counts(), words, {});
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(questions(again.others[i].examples), questions(chosen.others[i].examples)) << "whatever is asked";

  const auto triage = *choose_demonstrations(pool, "count all", triage_counts(), words, {});
  ASSERT_EQ(triage.others.size(), 8U);
  for (const auto& other : triage.others) {
    EXPECT_EQ(other.examples.size(), 4U);
    EXPECT_NE(other.name, "db0") << "which has nothing infeasible";
    EXPECT_EQ(std::count_if(other.examples.begin(), other.examples.end(), [](const auto* e) { return e->feasible(); }),
              2);
  }
  const auto demo = *choose_demonstrations(pool, "count all", sqlprompt_counts(true), words, {});
  for (const auto& other : demo.others) EXPECT_EQ(other.examples.size(), 16U);
}

bool is_feasible(const Example* example) { return example->feasible(); }

std::size_t count_feasible(const std::vector<const Example*>& examples) {
  return static_cast<std::size_t>(std::count_if(examples.begin(), examples.end(), is_feasible));
}

// Nine databases with nine feasible examples each; nothing infeasible.
std::vector<Example> nine_databases() {
  std::vector<Example> examples;
  for (int d = 0; d < 9; ++d)
    for (int i = 0; i < 9; ++i)
      examples.push_back(
          feasible("count " + std::to_string(i), "SELECT " + std::to_string(i), "db" + std::to_string(d)));
  return examples;
}

// TrustSQL's D.1: feasible questions of several databases, infeasible ones of TriageSQL, which have no database.
TEST(Demonstrations, InfeasibleOnesWithoutADatabaseDoNotMakeOneDomain) {
  for (const std::string database : {"", "triagesql"}) {
    auto examples = nine_databases();
    for (const std::string animal : {"cat", "dog"})
      for (int i = 0; i < 20; ++i)
        examples.push_back(infeasible("draw the " + animal + ' ' + std::to_string(i), database));
    const ExamplePool pool(std::move(examples));
    WordEmbedder words;
    const auto cats = *choose_demonstrations(pool, "which cat", triage_counts(), words, {});
    const auto dogs = *choose_demonstrations(pool, "which dog", triage_counts(), words, {});
    EXPECT_TRUE(cats.own.empty());
    ASSERT_EQ(cats.others.size(), 8U);
    ASSERT_EQ(dogs.others.size(), 8U);
    std::set<const Example*> all_infeasible;
    for (std::size_t d = 0; d < 8; ++d) {
      EXPECT_EQ(cats.others[d].examples.size(), 4U);
      EXPECT_EQ(count_feasible(cats.others[d].examples), 2U);
      EXPECT_EQ(cats.others[d].name, dogs.others[d].name);
      for (const auto* example : cats.others[d].examples) {
        const auto& others = dogs.others[d].examples;
        if (example->feasible()) {
          EXPECT_EQ(std::count(others.begin(), others.end(), example), 1) << "whatever is asked";
        } else {
          EXPECT_EQ(example->question.substr(0, 12), "draw the cat") << "retrieved";
          all_infeasible.insert(example);
        }
      }
    }
    EXPECT_EQ(all_infeasible.size(), 16U) << "each in one place";
    const auto prompt = *choose_demonstrations(pool, "which cat", sqlprompt_counts(), words, {});
    EXPECT_EQ(prompt.others.size(), 5U);
  }
}

TEST(Demonstrations, InfeasibleOnesOfADatabaseAreRetrieved) {
  auto examples = nine_databases();
  for (int d = 0; d < 9; ++d)
    for (const std::string animal : {"cat", "cat", "dog", "dog", "cow", "cow"})
      examples.push_back(infeasible("draw a " + animal, "db" + std::to_string(d)));
  examples.push_back(infeasible("draw a dog"));
  const ExamplePool pool(std::move(examples));
  WordEmbedder words;
  const auto chosen = *choose_demonstrations(pool, "is there a dog", triage_counts(), words, {});
  ASSERT_EQ(chosen.others.size(), 8U);
  for (const auto& other : chosen.others) {
    EXPECT_EQ(other.examples.size(), 4U);
    for (const auto* example : other.examples) {
      EXPECT_EQ(example->database, other.name) << "a database's own come first";
      EXPECT_TRUE(example->feasible() || example->question == "draw a dog") << example->question;
    }
  }
}

TEST(Demonstrations, WithoutFeasibleOnes) {
  WordEmbedder words;
  const ExamplePool own({infeasible("draw a cat"), infeasible("draw a dog", "other")});
  EXPECT_EQ(choose_demonstrations(own, "which dog", triage_counts(), words, {})->own.size(), 2U);
  const ExamplePool others({infeasible("draw a cat", "zoo"), infeasible("draw a dog", "farm")});
  EXPECT_EQ(choose_demonstrations(others, "which dog", triage_counts(), words, {})->others.size(), 2U);
  EXPECT_TRUE(choose_demonstrations(others, "which dog", sqlprompt_counts(), words, {})->empty());
  EXPECT_TRUE(choose_demonstrations(ExamplePool({}), "which dog", triage_counts(), words, {})->empty());
}

TEST(Demonstrations, OfDailAreNearInQuestionAndQuery) {
  const ExamplePool pool({feasible("how many cats are in 'Rome'", "SELECT count(*) FROM cat WHERE city = 'Rome'"),
                          feasible("how many ships are in 'Oslo'", "SELECT n FROM harbour ORDER BY n DESC LIMIT 1"),
                          feasible("which city is the biggest", "SELECT count(*) FROM x WHERE y = 1", "other"),
                          infeasible("how many dogs are in 'Bern'")});
  WordEmbedder words;
  const std::string question = "how many dogs are in 'Bern'";
  const auto near = *choose_dail_examples(pool, question, "", 2, words, {});
  EXPECT_EQ(questions(near), (std::vector<std::string>{"how many cats are in 'Rome'", "how many ships are in 'Oslo'"}))
      << "infeasible ones are none";
  const auto alike =
      *choose_dail_examples(pool, question, "SELECT count(*) FROM dog WHERE town = 'Bern'", 2, words, {});
  EXPECT_EQ(questions(alike), (std::vector<std::string>{"how many cats are in 'Rome'", "which city is the biggest"}))
      << "a query that is alike comes before a question that is nearer";
  EXPECT_TRUE(choose_dail_examples(pool, question, "", 0, words, {})->empty());
}

TEST(Demonstrations, BecomeValuesWithTheSchemasOfOtherDatabases) {
  const auto settings = test::default_settings();
  const ExamplePool pool(
      {feasible("q1", "SELECT 1", "shop",
                "CREATE TABLE item (id INTEGER PRIMARY KEY, name); INSERT INTO item VALUES (1, 'pen')"),
       infeasible("q2", "shop"), feasible("q3", "SELECT 3", "broken", "CREATE TABEL x")},
      [&](std::string_view ddl) { return open_ddl(ddl, settings); });
  EXPECT_EQ(*pool.schema("shop", SchemaStyle::columns_fk, true, {}),
            "Table item, columns = [*, id, name]\nForeign_keys = []");
  EXPECT_NE(pool.schema("shop", SchemaStyle::create_table_select_col3, true, {})->find("name: 'pen'"),
            std::string::npos);
  EXPECT_EQ(pool.schema("shop", SchemaStyle::create_table_select_col3, false, {})->find("pen"), std::string::npos);
  EXPECT_EQ(*pool.schema("broken", SchemaStyle::columns_fk, true, {}), "CREATE TABEL x");

  Demonstrations demonstrations;
  demonstrations.others.push_back({.name = "shop", .examples = {&pool.examples()[0], &pool.examples()[1]}});
  demonstrations.own = {&pool.examples()[2]};
  PromptValues values;
  ASSERT_TRUE(
      add_demonstrations(values, demonstrations, pool, SchemaStyle::columns_fk, true, "", "not_answerable", {}).ok());
  const auto& shop = values.lists["databases"].at(0);
  EXPECT_EQ(shop.texts.at("schema").substr(0, 10), "Table item");
  EXPECT_EQ(shop.lists.at("examples").at(0).texts.at("answer"), "SELECT 1");
  EXPECT_EQ(shop.lists.at("examples").at(1).texts.at("answer"), "not_answerable");
  EXPECT_EQ(values.lists["examples"].at(0).texts.at("question"), "q3");
}

}  // namespace
}  // namespace trustsql::nl2sql
