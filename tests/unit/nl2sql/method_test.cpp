#include "nl2sql/method.hpp"

#include <gtest/gtest.h>

#include "unit/nl2sql/published_methods.hpp"

namespace trustsql::nl2sql {
namespace {

Method parsed(std::string_view name) {
  auto method = parse_method(name);
  EXPECT_TRUE(method.ok()) << name << ": " << method.error().message;
  return method.ok() ? *method : Method();
}

TEST(Method, EveryRowOfTheTablesIsAName) {
  for (const auto name : published_methods) parsed(name);
}

TEST(Method, UnknownFunctionsAreWrongAnswersInThePapers) {
  for (const auto name : published_methods) EXPECT_EQ(parsed(name).unknown_functions, UnknownFunctions::answer) << name;
  EXPECT_EQ(parsed("DART->RUNS").unknown_functions, UnknownFunctions::abstain);
}

TEST(Method, TrustSql) {
  const auto plain = parsed("SQLPROMPT");
  EXPECT_EQ(plain.generator, GeneratorKind::sqlprompt);
  EXPECT_EQ(plain.samples, 1);
  EXPECT_EQ(plain.temperature, 0);
  EXPECT_FALSE(plain.triage || plain.verify || plain.refine || plain.rewrite || plain.forbid || plain.must_run);
  EXPECT_EQ(plain.demonstrations, 8);
  EXPECT_EQ(plain.other_databases, 5);

  const auto voting = parsed("SQLPROMPT[VOTING]");
  EXPECT_EQ(voting.samples, 5);
  EXPECT_EQ(voting.rule, (VoteRule{.by = VoteBy::text, .quorum = Quorum::unanimous, .raw = true}));

  const auto all = parsed("CLS->SQLPROMPT->ERROR");
  EXPECT_TRUE(all.triage && all.verify);
  EXPECT_TRUE(parsed("SQLPROMPT[DEMO]").infeasible_examples);
  EXPECT_EQ(parsed("CLS->DIN-SQL").generator, GeneratorKind::din_sql);
  EXPECT_EQ(parsed("cls_p -> mac-sql -> error_p").generator, GeneratorKind::mac_sql);
  EXPECT_FALSE(parsed("ABSTAIN-ALL").asks_model());
}

TEST(Method, Dart) {
  const auto dart = parsed("DART");
  EXPECT_EQ(dart.generator, GeneratorKind::dail);
  EXPECT_TRUE(dart.rewrite && dart.context_rows && dart.refine && dart.forbid);
  EXPECT_EQ(dart.rewrite_rows, 5);
  EXPECT_EQ(dart.content_rows, 15);
  EXPECT_EQ(dart.rounds, 3);
  EXPECT_EQ(dart.result_rows, 15);
  EXPECT_EQ(dart.samples, 1);

  const auto consistent = parsed("DART+SC");
  EXPECT_EQ(consistent.samples, 5);
  EXPECT_EQ(consistent.temperature, 1);
  EXPECT_EQ(consistent.rule, (VoteRule{.by = VoteBy::execution, .quorum = Quorum::majority}));

  const auto parts = parsed("DAIL+RW+CAP+ER");
  EXPECT_TRUE(parts.rewrite && parts.context_rows && parts.refine && parts.forbid);
  EXPECT_FALSE(parsed("DAIL+CAP").forbid);
  EXPECT_EQ(parsed("DART[C3]").generator, GeneratorKind::c3);
  EXPECT_TRUE(parsed("DART[C3]").refine);
  EXPECT_EQ(parsed("C3").rule.by, VoteBy::execution);
  EXPECT_GT(parsed("C3").samples, 1);
  EXPECT_TRUE(parsed("DART->RUNS").must_run);
}

TEST(Method, Numbers) {
  const auto method = parsed("DART+SC(S=0,K=2,N=1,M=7,R=1,n=3,T=0.5)");
  EXPECT_EQ(method.demonstrations, 0);
  EXPECT_EQ(method.rewrite_rows, 2);
  EXPECT_EQ(method.content_rows, 1);
  EXPECT_EQ(method.result_rows, 7);
  EXPECT_EQ(method.rounds, 1);
  EXPECT_EQ(method.samples, 3);
  EXPECT_EQ(method.temperature, 0.5);
  EXPECT_EQ(parsed("SQLPROMPT(S=0)").other_databases, 0);
  EXPECT_TRUE(parsed("CLS->DART(S=0)->ERROR").verify);
}

TEST(Method, PartsOfTheEmbeddedParser) {
  const auto method = parsed("DART+EMBEDDED->GROUND->RUNS");
  EXPECT_TRUE(method.second_reading && method.ground && method.must_run && method.refine);
  EXPECT_TRUE(parsed("EMBEDDED->GROUND").ground);
  EXPECT_FALSE(parsed("EMBEDDED").ground);
}

TEST(Method, TrainedModules) {
  const auto method = parsed("cls_m->EMBEDDED->error_m");
  EXPECT_TRUE(method.classify && method.detect);
  EXPECT_FALSE(method.triage || method.verify || method.asks_model());
  EXPECT_TRUE(parsed("CLS_M->DART->RUNS").classify);
  EXPECT_TRUE(parsed("SQLPROMPT->ERROR_M").detect);
  EXPECT_TRUE(parsed("CLS->SQLPROMPT->ERROR_M").triage);
  EXPECT_TRUE(parsed("SQLPROMPT->ERROR").verify);
  EXPECT_FALSE(parsed("SQLPROMPT->ERROR").detect);
}

TEST(Method, WhatIsNoName) {
  for (const auto* name : {"",
                           "SQL",
                           "SQLPROMPT[",
                           "SQLPROMPT+",
                           "SQLPROMPT[DEMO",
                           "DAIL+XX",
                           "DAIL->",
                           "->ERROR",
                           "CLS->",
                           "CLS->CLS->DAIL",
                           "DART(S)",
                           "DART(S=-1)",
                           "DART(S=1.5)",
                           "DART(n=0)",
                           "DART(T=3)",
                           "DART(x=1)",
                           "DART(S=1",
                           "DART(S=99999999999)",
                           "DARTS",
                           "ABSTAIN-ALL+RW",
                           "CLS->ABSTAIN-ALL",
                           "ABSTAIN-ALL->GROUND",
                           "ABSTAIN-ALL+EMBEDDED",
                           "EMBEDDED+EMBEDDED",
                           "CLS_M->CLS->DAIL",
                           "CLS_M->ABSTAIN-ALL",
                           "ABSTAIN-ALL->ERROR_M",
                           "DAIL->ERROR->ERROR_M",
                           "EMBEDDED->ERROR",
                           "DAIL[DEMO]",
                           "DART(S=nan)"}) {
    const auto method = parse_method(name);
    ASSERT_FALSE(method.ok()) << name;
    EXPECT_EQ(method.error().code, ErrorCode::invalid_argument);
  }
  EXPECT_NE(parse_method("DAIL+XX").error().message.find("SQLPROMPT[VOTING]"), std::string::npos);
}

}  // namespace
}  // namespace trustsql::nl2sql
