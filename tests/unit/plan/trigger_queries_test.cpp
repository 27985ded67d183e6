// The format of trigger_queries.txt.
#include "unit/plan/trigger_queries.hpp"

#include <gtest/gtest.h>

namespace trustsql::testing_support {
namespace {

std::string error_of(std::string_view text) {
  const auto forms = parse_trigger_forms(text);
  return forms.ok() ? "" : forms.error().message;
}

TEST(TriggerQueries, FileFormat) {
  const auto forms = parse_trigger_forms(
      "# a comment\nschema\n  CREATE TABLE t(a);\n\nmacro n\n  1\n  2\nrule r\n  SELECT [a|{n}|[b|\\|]|]\n");
  ASSERT_TRUE(forms.ok()) << forms.error().message;
  EXPECT_EQ(forms->schema, "CREATE TABLE t(a);\n");
  EXPECT_EQ(forms->macros.at("n"), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(forms->rules.at("r"), (std::vector<std::string>{"SELECT [a|{n}|[b|\\|]|]"}));
}

TEST(TriggerQueries, MalformedFiles) {
  EXPECT_EQ(error_of("  SELECT 1\n"), "line 1: a text outside of a section");
  EXPECT_EQ(error_of("rules r\n  SELECT 1\n"), "line 1: neither schema nor macro NAME nor rule NAME: rules r");
  EXPECT_EQ(error_of("rule r\n\nrule q\n  SELECT 1\n"), "line 1: no text in the section rule r");
  EXPECT_EQ(error_of("rule q\n  SELECT 1\nrule r\n"), "line 3: no text in the section rule r");
  EXPECT_EQ(error_of("rule r\n  SELECT 1\nrule r\n  SELECT 2\n"), "line 3: a section twice: rule r");
  EXPECT_EQ(error_of("rule r\n  SELECT [1|2\n"), "line 2: [ is not closed: SELECT [1|2");
  EXPECT_EQ(error_of("rule r\n  SELECT 1]\n"), "line 2: ] closes nothing: SELECT 1]");
  EXPECT_EQ(error_of("rule r\n  SELECT [a|{none}]\n"), "line 2: no macro none: SELECT [a|{none}]");
  EXPECT_EQ(error_of("rule r\n  SELECT \\\n"), "line 2: a \\ at the end: SELECT \\");
}

}  // namespace
}  // namespace trustsql::testing_support
