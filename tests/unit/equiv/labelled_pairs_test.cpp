#include "equiv/labelled_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "unit/equiv/refuter_ground.hpp"

namespace trustsql::equiv {
namespace {

using test::RefuterGround;

constexpr const char* schools =
    "CREATE TABLE student(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT, town TEXT);"
    "CREATE TABLE course(id INTEGER PRIMARY KEY, title TEXT NOT NULL);"
    "CREATE TABLE takes(student INT NOT NULL REFERENCES student(id), course INT NOT NULL REFERENCES course(id),"
    " grade INT);";

const std::vector<std::string> questions = {
    "SELECT name FROM student WHERE age > 20 AND town = 'Oslo'",
    "SELECT town, count(*) FROM student WHERE town <> 'Rome' GROUP BY town HAVING count(*) > 2",
    "SELECT s.name FROM student AS s JOIN takes AS t ON s.id = t.student WHERE t.grade = 1",
    "SELECT title FROM course WHERE id NOT IN (SELECT course FROM takes)",
    "this is no query",
};

class LabelledPairsTest : public testing::Test {
 protected:
  std::vector<LabelledPair> make(const LabelledPairsOptions& options) {
    std::vector<LabelledPair> pairs;
    EXPECT_TRUE(labelled_pairs(*comparer_, questions, options, {}, [&](const LabelledPair& pair) {
                  pairs.push_back(pair);
                }).ok());
    return pairs;
  }

  RefuterGround ground_{schools};
  std::unique_ptr<QueryComparer> comparer_ =
      *QueryComparer::create(ground_.source(), SandboxLimits::from(RefuterGround::settings()));
};

TEST_F(LabelledPairsTest, AreLabelledByTheVerdict) {
  LabelledPairsOptions options;
  options.pairs_of_query = 12;
  const auto pairs = make(options);
  std::map<std::size_t, std::array<int, 2>> counts;
  std::set<std::string> texts;
  for (const auto& pair : pairs) {
    ++counts[pair.query][pair.same ? 1 : 0];
    EXPECT_TRUE(texts.insert(pair.a + "\n" + pair.b).second) << pair.a << "\n" << pair.b;
    EXPECT_FALSE(pair.kind.empty());
    const auto comparison = comparer_->compare(pair.a, pair.b, {}, {});
    ASSERT_TRUE(comparison.ok());
    EXPECT_EQ(comparison->verdict, pair.same ? Verdict::proved : Verdict::refuted) << pair.a << "\n" << pair.b;
    EXPECT_EQ(pair.confirmation == LabelledPair::Confirmation::counterexample, !pair.same);
  }
  ASSERT_EQ(counts.size(), questions.size() - 1) << "the last has no pairs";
  for (const auto& [query, count] : counts) {
    EXPECT_EQ(count[0], 6) << questions[query];
    EXPECT_EQ(count[1], 6) << questions[query];
  }
}

TEST_F(LabelledPairsTest, DependOnTheSeedAlone) {
  LabelledPairsOptions options;
  options.pairs_of_query = 4;
  const auto text = [&](const std::vector<LabelledPair>& pairs) {
    std::string all;
    for (const auto& pair : pairs) all += pair.kind + ": " + pair.a + " / " + pair.b + "\n";
    return all;
  };
  const auto once = text(make(options));
  EXPECT_EQ(text(make(options)), once);
  options.seed = 2;
  EXPECT_NE(text(make(options)), once);
}

TEST_F(LabelledPairsTest, AsManyOfEachAsAskedFor) {
  LabelledPairsOptions options;
  options.pairs_of_query = 4;
  options.share_of_same = 1;
  for (const auto& pair : make(options)) EXPECT_TRUE(pair.same) << pair.a << "\n" << pair.b;
  options.share_of_same = 0;
  for (const auto& pair : make(options)) EXPECT_FALSE(pair.same) << pair.a << "\n" << pair.b;
}

TEST_F(LabelledPairsTest, EndWhenTheyAreStopped) {
  LabelledPairsOptions options;
  options.comparison.stop = [] { return true; };
  const auto status = labelled_pairs(*comparer_, questions, options, {}, [](const LabelledPair&) {});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::interrupted);
}

TEST_F(LabelledPairsTest, ValuesOfTheSameColumn) {
  LiteralPool pool;
  for (const char* sql : {"SELECT id FROM student WHERE town = 'Oslo'",
                          "SELECT id FROM student AS s WHERE s.town IN "
                          "('Rome', 'Oslo') AND 20 < s.age"}) {
    const auto query = *parse_query(sql);
    const auto names = resolve(query, *comparer_->catalog());
    ASSERT_TRUE(names.ok());
    pool.add(query, *names);
  }
  const auto& table = *comparer_->catalog()->find("student");
  const auto texts = [&](std::size_t column) {
    std::vector<std::string> all;
    for (const auto& literal : pool.values(table, column)) all.push_back(literal.text);
    return all;
  };
  EXPECT_EQ(texts(*table.find_column("town")), (std::vector<std::string>{"Oslo", "Rome"}));
  EXPECT_EQ(texts(*table.find_column("age")), std::vector<std::string>{"20"});
  EXPECT_TRUE(texts(*table.find_column("name")).empty());
}

// The mutants that need a catalog.
TEST_F(LabelledPairsTest, SchemaMutants) {
  const auto mutants = [&](const std::string& sql, MutantKind kind) {
    auto query = *parse_query(sql);
    const auto names = resolve(query, *comparer_->catalog());
    EXPECT_TRUE(names.ok()) << sql;
    MutantContext context{.resolution = &*names, .catalog = comparer_->catalog().get()};
    context.values = [](const trustsql::Table& table, std::size_t column) {
      std::vector<ast::Literal> values;
      if (table.columns[column].name == "town") values.push_back({ast::Literal::Kind::string, "Rome"});
      return values;
    };
    std::set<std::string> texts;
    for (const auto& mutant : mutants_of(query, context, 20)) {
      if (mutant.kind == kind) texts.insert(print_query(mutant.query));
    }
    EXPECT_EQ(print_query(query), print_query(*parse_query(sql))) << "the tree is as it was";
    return texts;
  };
  const std::string join = "SELECT s.name FROM student AS s JOIN takes AS t ON s.id = t.student";
  EXPECT_TRUE(mutants(join, MutantKind::other_table)
                  .contains("SELECT t.grade FROM student AS s JOIN takes AS t ON s.id = t.student") ||
              mutants(join, MutantKind::other_table)
                  .contains("SELECT t.student FROM student AS s JOIN takes AS t ON s.id = t.student"));
  EXPECT_EQ(mutants(join, MutantKind::missing_join), std::set<std::string>{"SELECT s.name FROM student AS s"});
  EXPECT_TRUE(mutants(join, MutantKind::redundant_join)
                  .contains("SELECT s.name FROM student AS s JOIN takes AS t ON s.id = t.student JOIN course ON "
                            "t.course = course.id"));
  EXPECT_TRUE(
      mutants("SELECT name, age FROM student", MutantKind::result_column).contains("SELECT age, name FROM student"));
  EXPECT_TRUE(mutants("SELECT name, age FROM student", MutantKind::result_column).contains("SELECT age FROM student"));
  EXPECT_EQ(mutants("SELECT name FROM student WHERE town = 'Oslo'", MutantKind::value),
            std::set<std::string>{"SELECT name FROM student WHERE town = 'Rome'"});
  EXPECT_TRUE(mutants("SELECT name FROM student", MutantKind::extra_condition)
                  .contains("SELECT name FROM student WHERE student.town = 'Rome'"));
  EXPECT_EQ(mutants("SELECT title FROM course WHERE id IN (SELECT course FROM takes)", MutantKind::scalar_subquery),
            std::set<std::string>{"SELECT title FROM course WHERE id = (SELECT course FROM takes)"});
}

}  // namespace
}  // namespace trustsql::equiv
