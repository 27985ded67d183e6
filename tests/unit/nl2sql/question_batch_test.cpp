#include "nl2sql/question_batch.hpp"

#include <map>

#include "unit/nl2sql/question_ground.hpp"

namespace trustsql::nl2sql {
namespace {

class QuestionBatchTest : public QuestionGround {
 protected:
  QuestionBatchTest()
      : QuestionGround("CREATE TABLE singer(name TEXT, age INTEGER); INSERT INTO singer VALUES ('A', 1)") {}

  std::vector<AskedQuestion> read(std::string_view query, const std::string& evidence = {}) {
    auto questions = read_questions(*RowSource::open(host_, query), evidence);
    EXPECT_TRUE(questions.ok()) << questions.error().message;
    return questions.ok() ? *std::move(questions) : std::vector<AskedQuestion>();
  }
  std::string read_error(std::string_view query) {
    const auto questions = read_questions(*RowSource::open(host_, query), {});
    return questions.ok() ? "" : questions.error().message;
  }

  // The model answers a question with the SQL that it contains.
  static Result<llm::ChatReply> reply(const llm::ChatRequest& request) {
    const auto& text = request.messages.back().text;
    if (text.find("away") != std::string::npos) return io_error("the server is away");
    if (text.find("broken") != std::string::npos) return internal_error("a bug");
    return FakeChatModel::reply({text.find("Which age") != std::string::npos ? "SELECT age FROM singer" : "no idea"},
                                request.samples);
  }

  // The rows of all questions by their ids, cells as text; or the error.
  Result<std::map<std::string, std::vector<std::string>>> run(const std::vector<AskedQuestion>& questions,
                                                              const QuestionBatch::Options& options,
                                                              const std::string& method = "SQLPROMPT") {
    FakeChatModel model(reply);
    const auto context_of = [&](std::size_t) {
      return StageContext{.catalog = *catalog_,
                          .source = *source_,
                          .chat = model,
                          .prompts = prompts_,
                          .embedder = embedder_,
                          .example_embedder = embedder_,
                          .word_embedder = embedder_,
                          .content = content_,
                          .call = {}};
    };
    QuestionBatch batch(questions, *parse_method(method), {}, context_of, options);
    std::map<std::string, std::vector<std::string>> rows;
    while (true) {
      TRUSTSQL_ASSIGN_OR_RETURN(const auto row, batch.next([] { return false; }));
      if (row.empty()) return rows;
      std::vector<std::string> cells;
      for (std::size_t i = 0; i < row.column_count(); ++i) cells.push_back(format_value(row.at(0, i)));
      rows.emplace(cells[0], std::move(cells));
    }
  }
};

constexpr std::size_t sql_column = 2;
constexpr std::size_t reason_column = 4;

TEST_F(QuestionBatchTest, ReadsItsColumns) {
  const auto questions = read(
      "SELECT column1 AS question, column2 AS id, column3 AS database, column4 AS evidence FROM (VALUES ('one', 'a', "
      "NULL, 'one is 1'), (2, NULL, 'x.db', NULL))",
      "by default");
  ASSERT_EQ(questions.size(), 2U);
  EXPECT_EQ(format_value(view(questions[0].id)), "a");
  EXPECT_EQ(questions[0].evidence, "one is 1");
  EXPECT_EQ(questions[0].database, std::nullopt);
  EXPECT_TRUE(view(questions[1].id).is_null());
  EXPECT_EQ(questions[1].question, "2");
  EXPECT_EQ(questions[1].evidence, "by default");
  EXPECT_EQ(questions[1].database, "x.db");
}

TEST_F(QuestionBatchTest, WithoutIdsRowsAreNumbered) {
  const auto questions = read("SELECT column1 AS question FROM (VALUES ('one'), ('two'))");
  ASSERT_EQ(questions.size(), 2U);
  EXPECT_EQ(format_value(view(questions[1].id)), "2");
}

TEST_F(QuestionBatchTest, AQuestionIsNeeded) {
  EXPECT_EQ(read_error("SELECT 1 AS id"), "the source has no column 'question'; it has: id");
  EXPECT_EQ(read_error("SELECT column1 AS question FROM (VALUES ('one'), (NULL))"),
            "row 2 of the source has no question");
}

TEST_F(QuestionBatchTest, EachQuestionHasItsRow) {
  for (const std::size_t concurrency : {1U, 3U}) {
    const auto rows = run(read("SELECT column1 AS id, column2 AS question FROM (VALUES ('a', 'Which age?'), ('b', "
                               "'Which colour?'), ('c', 'Which age again?'))"),
                          {.concurrency = concurrency});
    ASSERT_TRUE(rows.ok()) << rows.error().message;
    ASSERT_EQ(rows->size(), 3U);
    EXPECT_EQ(rows->at("a")[sql_column], "SELECT age FROM singer");
    EXPECT_EQ(rows->at("a")[reason_column], "NULL");
    EXPECT_EQ(rows->at("b")[sql_column], "NULL");
    EXPECT_EQ(rows->at("b")[reason_column], "no_sql");
  }
}

TEST_F(QuestionBatchTest, AMethodWithoutAModelAsksNone) {
  const auto rows = run(read("SELECT 'away' AS question"), {}, "ABSTAIN-ALL");
  ASSERT_TRUE(rows.ok()) << rows.error().message;
  EXPECT_EQ(rows->at("1")[reason_column], "infeasible");
}

TEST_F(QuestionBatchTest, AFailedRequestEndsTheBatchOrIsAReason) {
  const auto questions = read("SELECT column1 AS question FROM (VALUES ('Which age?'), ('away'))");
  const auto ended = run(questions, {});
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::io);
  EXPECT_TRUE(ended.error().message.starts_with("row 2: ")) << ended.error().message;
  const auto rows = run(questions, {.on_error = OnRequestError::abstain});
  ASSERT_TRUE(rows.ok()) << rows.error().message;
  EXPECT_EQ(rows->at("1")[sql_column], "SELECT age FROM singer");
  EXPECT_TRUE(rows->at("2")[reason_column].starts_with("endpoint (")) << rows->at("2")[reason_column];
}

TEST_F(QuestionBatchTest, ABugIsNeverAReason) {
  const auto ended = run(read("SELECT 'broken' AS question"), {.on_error = OnRequestError::abstain});
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::internal);
}

TEST(ReasonOf, NamesTheKindOfAbstention) {
  Attempt attempt;
  EXPECT_EQ(reason_of(attempt), "");
  attempt.abstention = Abstention::infeasible;
  EXPECT_EQ(reason_of(attempt), "infeasible");
  attempt.infeasible_type = "column-related";
  EXPECT_EQ(reason_of(attempt), "infeasible (column-related)");
}

}  // namespace
}  // namespace trustsql::nl2sql
