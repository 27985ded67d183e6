#include "nl2sql/stages/hallucinate.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "unit/nl2sql/fake_chat_model.hpp"

namespace trustsql::nl2sql {
namespace {

std::size_t occurrences(const std::string& text, std::string_view word) {
  std::size_t count = 0;
  for (auto position = text.find(word); position != std::string::npos; position = text.find(word, position + 1))
    ++count;
  return count;
}

TEST(Hallucinate, EachKindWithItsShots) {
  const PromptLibrary prompts;
  for (const auto& [kind, label] :
       {std::pair(HallucinationKind::schema, "\nSchema: "), std::pair(HallucinationKind::variables, "\nVariables: "),
        std::pair(HallucinationKind::relations, "\nRelations: ")}) {
    for (const std::size_t shots : {0U, 2U, 4U, 6U}) {
      FakeChatModel chat({"Club(name, id)"});
      const auto relations =
          hallucinate("Who sings?", {.kind = kind, .shots = shots, .model = {"m", {}, {}}}, prompts, chat, {});
      ASSERT_TRUE(relations.ok());
      EXPECT_EQ(join(*relations, ";"), "Club(name, id)");
      EXPECT_EQ(occurrences(chat.text(0), label), shots);
      EXPECT_EQ(occurrences(chat.text(0), "Question: Who sings?"), 1U);
      EXPECT_EQ(chat.requests()[0].model, "m");
      EXPECT_EQ(chat.requests()[0].temperature, 0);
    }
  }
}

TEST(Hallucinate, OtherExamples) {
  const PromptLibrary prompts;
  HallucinationOptions options{.shots = 2, .examples = {{"q1", "a(b)"}, {"q2", "c(d)"}, {"q3", "e(f)"}}};
  const auto prompt = [&] { return hallucination_request("q", options, prompts)->messages.back().text; };
  EXPECT_NE(prompt().find("Question: q1\nSchema: a(b)"), std::string::npos);
  EXPECT_NE(prompt().find("Question: q2\nSchema: c(d)"), std::string::npos);
  EXPECT_EQ(prompt().find("q3"), std::string::npos);
  EXPECT_EQ(prompt().find("Riverside"), std::string::npos);
  options.shots = hallucination_examples;  // more than there are: all
  EXPECT_NE(prompt().find("Question: q3\nSchema: e(f)"), std::string::npos);
}

TEST(Hallucinate, TheOrderOfExamplesIsSeeded) {
  const PromptLibrary prompts;
  const auto prompt = [&](std::optional<std::uint64_t> seed) {
    return hallucination_request("q", {.order_seed = seed}, prompts)->messages.back().text;
  };
  EXPECT_EQ(prompt(1), prompt(1));
  EXPECT_NE(prompt(1), prompt(2));
  EXPECT_NE(prompt(1), prompt(std::nullopt));
}

TEST(Hallucinate, FailuresAndEmptyReplies) {
  const PromptLibrary prompts;
  FakeChatModel chat({""});
  EXPECT_TRUE(hallucinate("q", {}, prompts, chat, {})->empty());
  chat.add_error(io_error("unreachable"));
  EXPECT_EQ(hallucinate("q", {}, prompts, chat, {}).error().message, "unreachable");
}

}  // namespace
}  // namespace trustsql::nl2sql
