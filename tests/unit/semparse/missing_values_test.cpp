#include "semparse/question/missing_values.hpp"

#include <string>
#include <vector>

#include "semparse/candidates/candidates.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

constexpr const char* lending = R"(
CREATE TABLE borrower(borrower_id INTEGER PRIMARY KEY, name TEXT NOT NULL, phone_number TEXT, email_addr TEXT, fee REAL,
                      branch_id INTEGER REFERENCES branch);
CREATE TABLE branch(branch_id INTEGER PRIMARY KEY, branch_name TEXT, closed_on TEXT);
CREATE TABLE loan(loan_id INTEGER PRIMARY KEY, borrower_id INTEGER REFERENCES borrower, book TEXT, lent_on TEXT,
                  returned_on TEXT, status TEXT, remark TEXT);
INSERT INTO branch VALUES (1, 'Main', '2020-01-01'), (2, 'Harbour', '2021-05-05');
INSERT INTO borrower VALUES (1, 'Ann', '555-1', 'a@b.c', 0, 1), (2, 'Bob', NULL, '', 5, NULL), (3, 'Cy', '555-3', NULL, NULL, 2);
INSERT INTO loan VALUES (1, 1, 'Emma', '2024-01-02', '2024-02-01', 'done', NULL), (2, 2, 'Ulysses', '2024-03-02', NULL, 'out', NULL),
                        (3, 1, 'Persuasion', '2024-04-02', NULL, 'out', 'unknown');
)";

// "PHRASE: COLUMN missing" for each absence.
std::string absences(const ParserGround& ground, std::string_view text) {
  auto question = read_question(text);
  const auto linking = QuestionLinker(ground.domain(), ground.knowledge().values).link(question);
  std::string found;
  for (const auto& value : linking.values) {
    if (value.test == ColumnTest::none) continue;
    if (!found.empty()) found += "; ";
    found += std::string(question.text_of(value.span)) + ": " +
             ground.domain().column(value.cells.front().column).name +
             (value.test == ColumnTest::missing ? " missing" : " present");
  }
  return found;
}

TEST(MissingValues, WithoutAValue) {
  const ParserGround ground(lending);
  const std::string phone = ": phone_number missing";
  EXPECT_EQ(absences(ground, "Which borrowers have no phone number?"), "no phone number" + phone);
  EXPECT_EQ(absences(ground, "Which borrowers have no phone?"), "no phone" + phone);
  EXPECT_EQ(absences(ground, "List the borrowers without a phone number."), "without a phone number" + phone);
  EXPECT_EQ(absences(ground, "How many borrowers do not have a phone?"), "not have a phone" + phone);
  EXPECT_EQ(absences(ground, "borrowers who don't have any phone number"), "'t have any phone number" + phone);
  EXPECT_EQ(absences(ground, "borrowers lacking a phone number and older ones"), "lacking a phone number" + phone);
  EXPECT_EQ(absences(ground, "Which borrowers have no phone number on file?"), "no phone number on file" + phone);
  EXPECT_EQ(absences(ground, "borrowers with no phone recorded"), "no phone recorded" + phone);
  EXPECT_EQ(absences(ground, "borrowers that dont have a phone"), "t have a phone" + phone);
  EXPECT_EQ(absences(ground, "How many borrowers have no branch assigned to them?"),
            "no branch assigned: branch_id missing");
  EXPECT_EQ(absences(ground, "borrowers with no phone calls"), "");
}

TEST(MissingValues, UnknownValues) {
  const ParserGround ground(lending);
  EXPECT_EQ(absences(ground, "Which borrowers have an unknown fee?"), "unknown fee: fee missing");
  EXPECT_EQ(absences(ground, "List the borrowers whose phone number is missing."),
            "phone number is missing: phone_number missing");
  EXPECT_EQ(absences(ground, "List the borrowers whose email is not known."), "email is not known: email_addr missing");
  EXPECT_EQ(absences(ground, "List the borrowers whose phone number is not missing."),
            "phone number is not missing: phone_number present");
  EXPECT_EQ(absences(ground, "List the borrowers excluding phone number null."), "");
  // Here a text says that it is unknown.
  EXPECT_EQ(absences(ground, "List the loans whose remark is unknown."), "");
}

TEST(MissingValues, WhatHasNotHappened) {
  const ParserGround ground(lending);
  EXPECT_EQ(absences(ground, "Which loans have not been returned yet?"), "not been returned yet: returned_on missing");
  EXPECT_EQ(absences(ground, "How many loans were never returned?"), "never returned: returned_on missing");
  EXPECT_EQ(absences(ground, "How many loans were returned?"), "returned: returned_on present");
  EXPECT_EQ(absences(ground, "Which borrowers have a phone number?"), "have a phone number: phone_number present");
  EXPECT_EQ(absences(ground, "How many loans were returned by Ann?"), "returned: returned_on present");
  EXPECT_EQ(absences(ground, "How many loans were returned in the main branch?"), "");
  // When it happened is another question.
  EXPECT_EQ(absences(ground, "Which loans were not returned in 2024?"), "");
  EXPECT_EQ(absences(ground, "When was the loan returned?"), "");
  EXPECT_EQ(absences(ground, "Which loan was returned last?"), "");
}

TEST(MissingValues, WhatRefersToNothing) {
  const ParserGround ground(lending);
  EXPECT_EQ(absences(ground, "Which borrowers have no branch?"), "no branch: branch_id missing");
  EXPECT_EQ(absences(ground, "Which borrowers are not assigned to a branch?"),
            "not assigned to a branch: branch_id missing");
  // Rows of the other table are looked for.
  EXPECT_EQ(absences(ground, "Which branches have no borrowers?"), "");
  EXPECT_EQ(absences(ground, "Which borrowers have no loans?"), "");
}

TEST(MissingValues, OnlyWhereSomeAreMissing) {
  const ParserGround ground(lending);
  EXPECT_EQ(absences(ground, "Which borrowers have no name?"), "");
  EXPECT_EQ(absences(ground, "Which loans have no book?"), "");
  // A fee of 0 is no fee as well.
  EXPECT_EQ(absences(ground, "Which borrowers have no fee?"), "");
  // A compound names something else.
  EXPECT_EQ(absences(ground, "Which borrowers have no phone contracts?"), "");
}

TEST(MissingValues, AreConditions) {
  const ParserGround ground(lending);
  const auto first = [&ground](std::string_view text) {
    auto question = read_question(text);
    const auto linking = QuestionLinker(ground.domain(), ground.knowledge().values).link(question);
    const auto model = shipped_model();
    const QuestionView view(ground.domain(), question, linking, model->vocabulary);
    std::vector<std::string> all;
    for (const auto& candidate : find_candidates(*model, view)) all.push_back(candidate.sql);
    return all.empty() ? std::string() : all.front();
  };
  EXPECT_EQ(first("How many borrowers have no phone number?"),
            "SELECT count(*) FROM borrower WHERE phone_number IS NULL");
  EXPECT_EQ(first("How many borrowers have no email address?"),
            "SELECT count(*) FROM borrower WHERE (email_addr IS NULL OR email_addr = '')");
  EXPECT_EQ(first("How many borrowers have an email address?"), "SELECT count(*) FROM borrower WHERE email_addr <> ''");
  EXPECT_EQ(first("How many loans have not been returned yet?"), "SELECT count(*) FROM loan WHERE returned_on IS NULL");
}

}  // namespace
}  // namespace trustsql::semparse
