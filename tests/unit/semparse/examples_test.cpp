#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "semparse/examples/example_groups.hpp"
#include "semparse/examples/example_model.hpp"

namespace trustsql::semparse {
namespace {

std::vector<std::string> texts_of(std::string_view question) {
  std::vector<std::string> texts;
  for (const auto& word : pattern_words(question)) texts.push_back(word.text);
  return texts;
}

std::vector<std::string> times_of(std::string_view question) {
  std::vector<std::string> times;
  for (const auto& phrase : find_time_phrases(question, pattern_words(question))) {
    auto text = phrase.shape;
    for (const auto& number : phrase.numbers) text += " " + std::to_string(number.value);
    times.push_back(text);
  }
  return times;
}

using Texts = std::vector<std::string>;

TEST(PatternWords, NumbersMarksAndOwners) {
  EXPECT_EQ(texts_of("Patient's 1,234.5 mg, (max) 3-day"), (Texts{"patient", "'s", "1234.5", "mg", "max", "3", "day"}));
  EXPECT_EQ(texts_of("1,23 and 12.x"), (Texts{"1", "23", "and", "12", "x"}));
  EXPECT_EQ(texts_of(""), Texts{});
  EXPECT_EQ(pattern_words("twelve").front().number, 12);
}

TEST(PatternWords, AreBounded) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "w ";
  EXPECT_EQ(pattern_words(text).size(), max_pattern_words);
}

TEST(TimePhrases, RulesOfEnglish) {
  EXPECT_EQ(times_of("since 8 months ago"), Texts{"since ago month 8"});
  EXPECT_EQ(times_of("a year ago"), Texts{"in ago year 1"});
  EXPECT_EQ(times_of("in the year 2021"), Texts{"in year 2021"});
  EXPECT_EQ(times_of("until March 2021"), Texts{"until year month 2021 3"});
  EXPECT_EQ(times_of("on March 5, 2021"), Texts{"in year month day 2021 3 5"});
  EXPECT_EQ(times_of("on 2021-03-05 and on 3/5/2021"),
            (Texts{"in year month day 2021 3 5", "in year month day 2021 3 5"}));
  EXPECT_EQ(times_of("07/this year"), Texts{"in month this year 7"});
  EXPECT_EQ(times_of("this month/25"), Texts{"in day this month 25"});
  EXPECT_EQ(times_of("during the last 3 weeks"), Texts{"in last count week 3"});
  EXPECT_EQ(times_of("today and yesterday"), (Texts{"in this day", "in last day"}));
  EXPECT_EQ(times_of("at 2021-03-05 10:30:00"), Texts{"in year month day hour minute second 2021 3 5 10 30 0"});
}

TEST(TimePhrases, AMereNumberIsNoYear) {
  EXPECT_EQ(times_of("show 2021 rows"), Texts{});
  EXPECT_EQ(times_of("patient 1001 may leave"), Texts{});
  EXPECT_EQ(times_of("within 2 months"), Texts{});
  EXPECT_EQ(times_of("in 13/2021"), Texts{});
}

TEST(QueryTemplate, HasSlotsForWhatTheQuestionNames) {
  const auto parts = take_apart("Which three drugs did patient 7 get since 2021?",
                                "SELECT p.drug FROM prescriptions AS p WHERE p.patient = 7 AND p.kind = 'x' AND "
                                "strftime('%Y', p.day) >= '2021' LIMIT 3",
                                {});
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->query.slots.size(), 2U);
  EXPECT_EQ(parts->query.slots[0].column, "prescriptions.patient");
  EXPECT_TRUE(parts->query.slots[0].equality);
  EXPECT_EQ(parts->query.slots[1].column, "limit");
  EXPECT_EQ(parts->query.times, 1);
  ASSERT_EQ(parts->forms.size(), 1U);
  EXPECT_EQ(parts->forms[0].first, "since year");
  EXPECT_EQ(parts->forms[0].second, "strftime('%Y', {C}) >= '{0}'");
  ASSERT_EQ(parts->unnamed.size(), 1U);
  EXPECT_EQ(parts->unnamed[0].second, "x");
  Filler filler{{"9", "5"}, {{&parts->phrases[0], parts->forms[0].second}}};
  EXPECT_EQ(fill_template(parts->query, filler),
            "SELECT p.drug FROM prescriptions AS p WHERE p.patient = 9 AND p.kind = 'x' AND strftime('%Y', p.day) >= "
            "'2021' LIMIT 5");
}

TEST(QueryTemplate, ThisAndLastAreToldApart) {
  const std::string sql =
      "SELECT a FROM t WHERE date(d, 'start of day') = date('now', 'start of day', '-0 day') EXCEPT SELECT a FROM t "
      "WHERE date(d, 'start of day') = date('now', 'start of day', '-1 day')";
  const auto parts = take_apart("Which a are there today and not yesterday?", sql, {});
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->query.times, 2);
  Filler filler;
  filler.times.resize(2);
  for (std::size_t i = 0; i < 2; ++i)
    filler.times[static_cast<std::size_t>(parts->phrase_times[i])] = {&parts->phrases[i], parts->forms[i].second};
  EXPECT_EQ(token_text(fill_template(parts->query, filler)), token_text(sql));
}

TEST(QueryTemplate, QuotesInValuesAreWrittenTwice) {
  const auto parts = take_apart("Who wrote O'Hara?", "SELECT w FROM b WHERE t = 'O''Hara'", {});
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->query.slots.size(), 1U);
  EXPECT_EQ(fill_template(parts->query, {{"x' OR '1'='1"}, {}}), "SELECT w FROM b WHERE t = 'x'' OR ''1''=''1'");
}

TEST(QueryTemplate, WhatIsNoQueryIsRefused) {
  for (const auto* sql : {"", "DROP TABLE t", "SELECT 1; SELECT 2", "SELECT ?1", "SELECT 'open", ";"})
    EXPECT_FALSE(take_apart("a question", sql, {})) << sql;
}

TEST(QueryTemplate, AnOffsetOfZeroSaysNothing) {
  EXPECT_EQ(token_text("SELECT a FROM t ORDER BY a LIMIT 1 OFFSET 0"),
            token_text("SELECT a FROM t ORDER BY a LIMIT 1"));
  EXPECT_NE(token_text("SELECT a FROM t ORDER BY a LIMIT 1 OFFSET 1"),
            token_text("SELECT a FROM t ORDER BY a LIMIT 1"));
}

TEST(QueryTemplate, TimesAreLeftOut) {
  const auto stripped = [](std::string_view where) {
    const auto parts = take_apart("Which a since 2021?", "SELECT a FROM t" + std::string(where), {});
    const auto without = without_times(parts->query);
    return without ? fill_template(*without, {}) : "-";
  };
  EXPECT_EQ(stripped(" WHERE strftime('%Y', d) >= '2021'"), "SELECT a FROM t");
  EXPECT_EQ(stripped(" WHERE strftime('%Y', d) >= '2021' AND b = 1"), "SELECT a FROM t WHERE b = 1");
  EXPECT_EQ(stripped(" WHERE b = 1 AND strftime('%Y', d) >= '2021' ORDER BY a"),
            "SELECT a FROM t WHERE b = 1 ORDER BY a");
}

std::vector<LearnedExample> clinic() {
  std::vector<LearnedExample> examples;
  const auto add = [&](std::string question, std::string sql) {
    examples.push_back({std::move(question), std::move(sql)});
  };
  for (const std::string drug : {"aspirin", "insulin", "folic acid"}) {
    add("How many patients got " + drug + "?", "SELECT count(*) FROM drugs WHERE drugs.name = '" + drug + "'");
    add("When did somebody first get " + drug + "?",
        "SELECT min(drugs.day) FROM drugs WHERE drugs.name = '" + drug + "'");
    add("How much does the drug " + drug + " cost?", "SELECT drugs.cost FROM drugs WHERE drugs.name = '" + drug + "'");
  }
  for (const std::string test : {"glucose", "sodium", "red cells"}) {
    add("How many patients had the test " + test + "?", "SELECT count(*) FROM tests WHERE tests.name = '" + test + "'");
    add("How much does the test " + test + " cost?", "SELECT tests.cost FROM tests WHERE tests.name = '" + test + "'");
  }
  add("How many women are there?", "SELECT count(*) FROM people WHERE people.sex = 'f'");
  add("List all women", "SELECT people.name FROM people WHERE people.sex = 'f'");
  add("How many men are there?", "SELECT count(*) FROM people WHERE people.sex = 'm'");
  add("List all men", "SELECT people.name FROM people WHERE people.sex = 'm'");
  examples.push_back({"Will it rain tomorrow?", std::nullopt, "non-sql"});
  return examples;
}

std::shared_ptr<const ExampleModel> model_of(std::vector<LearnedExample> examples) {
  return *ExampleModel::learn(std::move(examples), {}, {});
}

TEST(ExampleModel, AnswersWhatWasLearned) {
  const auto model = model_of(clinic());
  for (const auto& example : clinic()) {
    const auto answer = model->answer(example.question, nullptr);
    EXPECT_TRUE(answer.learned);
    EXPECT_EQ(answer.sql, example.sql);
    EXPECT_EQ(answer.infeasible, !example.sql);
    EXPECT_EQ(answer.infeasible_type, example.type);
  }
}

TEST(ExampleModel, FillsInOtherValues) {
  const auto model = model_of(clinic());
  const auto answer = model->answer("how much does the test red cells cost", nullptr);
  EXPECT_EQ(answer.sql, "SELECT tests.cost FROM tests WHERE tests.name = 'red cells'");
  // A value of the other column's: the words of the question decide, and the value is known there.
  const auto other = model->answer("How many patients had the test glucose or so?", nullptr);
  EXPECT_LT(other.confidence, 0.97);
}

TEST(ExampleModel, KnowsOtherWordsForValues) {
  const auto model = model_of(clinic());
  EXPECT_EQ(model->answer("How many men are there now?", nullptr).sql,
            "SELECT count(*) FROM people WHERE people.sex = 'm'");
}

TEST(ExampleModel, TransfersByAnalogy) {
  const auto model = model_of(clinic());
  const auto answer = model->answer("When did somebody first have the test sodium?", nullptr);
  ASSERT_TRUE(answer.sql);
  EXPECT_LT(answer.confidence, 0.97);
}

TEST(ExampleModel, TheLatestExampleCounts) {
  auto examples = clinic();
  examples.push_back({"How many women are there?", "SELECT 7"});
  EXPECT_EQ(model_of(examples)->answer("How many women are there?", nullptr).sql, "SELECT 7");
}

TEST(ExampleModel, TheSameExamplesGiveTheSameModel) {
  const auto a = model_of(clinic());
  const auto b = model_of(clinic());
  for (const auto* question : {"How many patients got sodium?", "List women", "cost of glucose", "?", ""}) {
    EXPECT_EQ(a->answer(question, nullptr).sql, b->answer(question, nullptr).sql);
    EXPECT_EQ(a->answer(question, nullptr).confidence, b->answer(question, nullptr).confidence);
  }
}

TEST(ExampleModel, NoExamplesNoAnswer) {
  EXPECT_FALSE(model_of({})->answer("How many?", nullptr).sql);
  EXPECT_FALSE(model_of({{"", std::nullopt}})->answer("How many?", nullptr).sql);
}

TEST(ExampleModel, StopsWhenItIsTold) {
  const auto model = ExampleModel::learn(clinic(), {}, [] { return true; });
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, ErrorCode::interrupted);
}

// A part of a compound, or what stands before a bracket or beside another word of values, is no value by itself.
TEST(ExampleModel, ValuesEndWhereTheirNamesDo) {
  const auto model = model_of(clinic());
  EXPECT_EQ(model->answer("How much does the drug beta-insulin cost?", nullptr).sql,
            "SELECT drugs.cost FROM drugs WHERE drugs.name = 'beta-insulin'");
  EXPECT_EQ(model->answer("How much does the drug aspirin (buffered) cost?", nullptr).sql,
            "SELECT drugs.cost FROM drugs WHERE drugs.name = 'aspirin (buffered)'");
  EXPECT_EQ(model->answer("How much does the drug aspirin cost?", nullptr).sql,
            "SELECT drugs.cost FROM drugs WHERE drugs.name = 'aspirin'");
}

TEST(ExampleModel, EachSpellingOfAValueIsKept) {
  auto examples = clinic();
  for (const std::string drug : {"beta-blocker", "beta blocker"})
    examples.push_back({"How many patients got the drug " + drug + " so far?",
                        "SELECT count(*) FROM drugs WHERE drugs.name = '" + drug + "'"});
  const auto model = model_of(std::move(examples));
  for (const std::string drug : {"beta-blocker", "beta blocker"})
    EXPECT_EQ(model->answer("How much does the drug " + drug + " cost?", nullptr).sql,
              "SELECT drugs.cost FROM drugs WHERE drugs.name = '" + drug + "'");
  EXPECT_EQ(model->answer("How much does the drug Beta (blocker) cost?", nullptr).sql,
            "SELECT drugs.cost FROM drugs WHERE drugs.name = 'beta blocker'");
}

// One example that names them the other way round does not decide, although its words are those of the question.
TEST(ExampleModel, ValuesOfOneColumnKeepTheirUsualOrder) {
  const auto query = [](const std::string& first, const std::string& then) {
    return "SELECT a.day FROM drugs AS a JOIN drugs AS b ON a.patient = b.patient WHERE a.name = '" + first +
           "' AND b.name = '" + then + "'";
  };
  auto examples = clinic();
  const std::vector<std::string> drugs = {"aspirin", "insulin", "folic acid", "heparin"};
  for (std::size_t i = 0; i + 1 < drugs.size(); ++i)
    examples.push_back(
        {"When was " + drugs[i] + " given together with " + drugs[i + 1] + "?", query(drugs[i], drugs[i + 1])});
  examples.push_back({"When was now aspirin given together with heparin?", query("heparin", "aspirin")});
  EXPECT_EQ(model_of(std::move(examples))->answer("When was now insulin given together with aspirin?", nullptr).sql,
            query("insulin", "aspirin"));
}

TEST(ExampleModel, TimesKeepTheirPlaces) {
  const auto query = [](const std::string& name) {
    const auto half = [&name](const std::string& days) {
      return "SELECT drugs.name FROM drugs WHERE drugs.patient = '" + name +
             "' AND datetime(drugs.day, 'start of day') = datetime('now', 'start of day', '-" + days + " day')";
    };
    return half("0") + " EXCEPT " + half("1");
  };
  std::vector<LearnedExample> examples;
  for (const std::string name : {"ann", "bob", "eve"})
    examples.push_back({"Which new drugs has " + name + " today, compared to yesterday?", query(name)});
  const auto model = model_of(std::move(examples));
  EXPECT_EQ(token_text(*model->answer("Compared to yesterday, which new drugs has bob today?", nullptr).sql),
            token_text(query("bob")));
}

class FactorsOfQueries : public testing::Test {
 protected:
  FactorsOfQueries() {
    for (std::size_t i = 0; i < examples.size(); ++i) kept.push_back(i);
    bank.emplace(ExampleBank::build(examples, kept));
    factors.emplace(*bank);
    factors->learn({});
  }

  // The fit of the likeliest candidate whose query begins so.
  FactorFit fit(std::string_view question, std::string_view sql) const {
    const QuestionForm form(question, *bank, nullptr);
    for (const auto& candidate : find_template_candidates(form))
      if (candidate.sql.starts_with(sql)) return factors->fit(form, candidate);
    ADD_FAILURE() << sql;
    return {};
  }

  std::vector<LearnedExample> examples = clinic();
  std::vector<std::size_t> kept{};
  std::optional<ExampleBank> bank{};
  std::optional<QueryFactors> factors{};
};

TEST_F(FactorsOfQueries, AreForetoldFromWords) {
  const auto* const question = "How much does the drug insulin cost?";
  const auto right = fit(question, "SELECT drugs.cost");
  const auto wrong = fit(question, "SELECT count(*) FROM drugs");
  EXPECT_GT(right.all, wrong.all);
  EXPECT_GT(right.absent, wrong.absent);
  EXPECT_LE(right.present, 0);
  EXPECT_GE(right.ideal, right.all);
  EXPECT_EQ(right.ideal, wrong.ideal);
}

// What a rule makes of a template is left out with it, if the template is left out as a whole.
TEST_F(FactorsOfQueries, TemplatesAreLeftOutWithTheirKin) {
  for (const bool other_half : {false, true}) {
    std::map<std::size_t, ExampleGroup> groups;
    for (const auto& group : group_examples(*bank, 4, other_half)) groups[group.example] = group;
    ASSERT_EQ(groups.size(), examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      EXPECT_LT(groups[i].fold, 4U);
      const bool drug = examples[i].question.starts_with("How much does the drug");
      const bool test = examples[i].question.starts_with("How much does the test");
      if (!groups[i].template_left_out || !(drug || test)) continue;
      EXPECT_EQ(groups[i].group, groups[2].group) << i;
    }
  }
}

}  // namespace
}  // namespace trustsql::semparse
