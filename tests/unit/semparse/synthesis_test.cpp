#include "semparse/synthesis/synthesis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

// Enough rows for averages, groups and thresholds.
constexpr const char* library = R"(
CREATE TABLE author(author_id INTEGER PRIMARY KEY, name TEXT, country TEXT, birth_year INTEGER);
CREATE TABLE book(book_id INTEGER PRIMARY KEY, author_id INTEGER REFERENCES author, title TEXT, genre TEXT,
                  pages INTEGER, price REAL);
CREATE TABLE branch(branch_id INTEGER PRIMARY KEY, district TEXT, shelves INTEGER);
INSERT INTO author VALUES (1, 'Ann Lee', 'France', 1950), (2, 'Bo Chen', 'Spain', 1961), (3, 'Cara Diaz', 'France', 1972),
                          (4, 'Dan Eck', 'Italy', 1983), (5, 'Eva Falk', 'Spain', 1990);
INSERT INTO book VALUES (1, 1, 'Rain', 'novel', 210, 10.5), (2, 1, 'Snow', 'poetry', 90, 7), (3, 2, 'Wind', 'novel', 320, 12),
                        (4, 2, 'Fire', 'essay', 150, 9), (5, 3, 'Sand', 'novel', 410, 15), (6, 1, 'Dust', 'essay', 180, 8),
                        (7, 3, 'Salt', 'poetry', 75, 6), (8, 4, 'Iron', 'novel', 500, 20);
INSERT INTO branch VALUES (1, 'North', 40), (2, 'South', 25), (3, 'West', 60);
)";

bool is_named(const Linking& linking, std::size_t word) {
  const auto touches = [word](const auto& mentions) {
    return std::any_of(mentions.begin(), mentions.end(),
                       [word](const auto& mention) { return mention.span.first <= word && word < mention.span.last; });
  };
  return touches(linking.values) || std::any_of(linking.tables.begin(), linking.tables.end(), touches) ||
         std::any_of(linking.columns.begin(), linking.columns.end(), touches);
}

std::vector<SyntheticQuestion> made(const ParserGround& ground, Sandbox& sandbox, const SynthesisOptions& options) {
  auto questions = synthesize(ground.knowledge(), sandbox, options);
  EXPECT_TRUE(questions.ok());
  return questions.ok() ? *std::move(questions) : std::vector<SyntheticQuestion>();
}

TEST(Synthesis, QueriesReturnWhatTheirQuestionsTakeForGranted) {
  ParserGround ground(library);
  const auto questions = made(ground, ground.sandbox(), {.count = 150, .infeasible = 0});
  EXPECT_GE(questions.size(), 120U);
  std::set<std::string> texts;
  for (const auto& each : questions) {
    EXPECT_TRUE(texts.insert(each.question).second) << each.question;
    ASSERT_TRUE(each.sql);
    EXPECT_EQ(each.type, Feasibility::feasible);
    const auto rows = ground.sandbox().run(*each.sql);
    ASSERT_TRUE(rows.ok()) << *each.sql;
    ASSERT_GT(rows->row_count(), 0U) << *each.sql;
    if (each.question.starts_with("How many") && rows->column_count() == 1) {
      EXPECT_GT(rows->at(0, 0).integer, 0) << *each.sql;
    }
    if (const auto limit = each.sql->find(" LIMIT "); limit != std::string::npos) {
      EXPECT_EQ(rows->row_count(), std::stoul(each.sql->substr(limit + 7))) << *each.sql;
    }
    EXPECT_TRUE(each.question.ends_with('?') || each.question.ends_with('.')) << each.question;
  }
}

TEST(Synthesis, InfeasibleQuestionsAreOfAllTypes) {
  ParserGround ground(library);
  const auto questions = made(ground, ground.sandbox(), {.count = 100, .infeasible = 0.5});
  std::map<Feasibility, int> counts;
  for (const auto& each : questions) {
    ++counts[each.type];
    EXPECT_EQ(each.sql.has_value(), each.type == Feasibility::feasible);
  }
  EXPECT_EQ(counts[Feasibility::feasible], 50);
  for (const auto type : {Feasibility::column_surface, Feasibility::column_related, Feasibility::column_unrelated,
                          Feasibility::non_sql, Feasibility::ext_know})
    EXPECT_GE(counts[type], 5) << feasibility_name(type);
}

// What is new in a question about a column that is not there is linked to nothing near.
TEST(Synthesis, AMissingColumnIsLinkedToNothing) {
  ParserGround ground(library);
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  int seen = 0;
  for (const auto& each : made(ground, ground.sandbox(), {.count = 120, .infeasible = 1, .seed = 5})) {
    if (each.type != Feasibility::column_related && each.type != Feasibility::column_unrelated) continue;
    auto question = read_question(each.question);
    const auto linking = linker.link(question);
    int unlinked = 0;
    for (std::size_t i = 0; i < question.words.size(); ++i)
      if (!is_function_word(question.words[i]) && !is_named(linking, i)) ++unlinked;
    EXPECT_GT(unlinked, 0) << each.question;
    ++seen;
  }
  EXPECT_GT(seen, 20);
}

TEST(Synthesis, IsReproducible) {
  ParserGround ground(library);
  const auto texts = [&](std::uint64_t seed) {
    std::vector<std::string> list;
    for (const auto& each : made(ground, ground.sandbox(), {.count = 40, .seed = seed})) list.push_back(each.question);
    return list;
  };
  EXPECT_EQ(texts(1), texts(1));
  EXPECT_NE(texts(1), texts(2));
}

TEST(Synthesis, NeedsRows) {
  ParserGround ground("CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)");
  EXPECT_FALSE(synthesize(ground.knowledge(), ground.sandbox(), {}).ok());
  ParserGround empty("");
  EXPECT_FALSE(synthesize(empty.knowledge(), empty.sandbox(), {}).ok());
}

}  // namespace
}  // namespace trustsql::semparse
