// Method: which stages answer a question, and how, by the names that the papers give them.
//
//   name     = ["CLS->" | "CLS_M->"] base {"[DEMO]" | "[VOTING]" | "+" part | numbers} ["->GROUND"]
//              ["->ERROR" | "->ERROR_M"] ["->RUNS"]
//   base     = "EMBEDDED" ["[MAXENT]" | "[MAXPROB]" | "[FEATMD]" | "[FEATRMD]"] | "SQLPROMPT" | "DIN-SQL" | "MAC-SQL" |
//              "DAIL" | "C3" | "DART" | "DART[C3]" | "ABSTAIN-ALL"
//   part     = "RW" | "CAP" | "ER" | "SC" | "CRUSH" | "EMBEDDED"
//   numbers  = "(" key "=" number {"," key "=" number} ")"
//   key      = "S" | "K" | "N" | "M" | "R" | "n" | "T"
//
// Every row of TrustSQL's tables of API models (Tables 3 and 4) and of DART-SQL's Tables 1 to 3 and Figure 2 is such a
// name: "CLS->SQLPROMPT->ERROR", "DAIL+CAP+ER+SC", "DART+SC", "DART(S=0)". DART is DAIL+RW+CAP+ER. Names are not
// case-sensitive; "DAIL-SQL", "DART-SQL", "CLS_P" and "ERROR_P" are accepted as well.
//
//   EMBEDDED  the semantic parser in this library (src/semparse), without a language model
//             [MAXENT] ... with one of TrustSQL's unified approaches instead of its own confidence
//   CLS       triage before everything else
//   CLS_M     the same by a classifier that nl2sql_train has trained, without a language model
//   ERROR     error detection at the end
//   ERROR_M   the same by a detector that nl2sql_train has trained; EMBEDDED then answers whatever it reads, and the
//             detector's probability is the confidence
//   [DEMO]    as many infeasible examples as feasible ones
//   [VOTING]  five samples, unanimous as texts
//   RW        rewriting of the question, with K rows
//   CAP       context-aware prompt, with N rows
//   ER        execution-guided refinement, R rounds of M rows
//   SC        self-consistency: n samples at temperature T, majority by execution
//   CRUSH     the prompt shows only the linked part of the schema
//   EMBEDDED  (as a part) the embedded parser's answer is one more vote on the SQL
//   GROUND    SQL that the question does not license is held back (src/semparse/grounding/grounding.hpp)
//   RUNS      a query that still fails after refinement is not an answer
//
// RUNS comes from no paper: there, a query that fails is a wrong answer like any other, and so is one that calls a
// function that does not exist (UnknownFunctions::answer). A query that the sandbox refuses is never an answer, nor is
// one whose function the host's connection has: the caller would run untrusted SQL.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "nl2sql/method_numbers.hpp"
#include "nl2sql/stages/vote.hpp"
#include "score/execution/trustsql_text.hpp"
#include "score/reliability/reliability.hpp"
#include "semparse/abstention/unified.hpp"

namespace trustsql::nl2sql {

enum class GeneratorKind { abstain_all, embedded, sqlprompt, dail, c3, din_sql, mac_sql };

// The signals that the confidence is computed from; see decide.hpp.
enum class Signal { votes, max_entropy, max_probability, verification, reading };

// What becomes of a query that calls a function unknown to SQLite and to the host's connection.
enum class UnknownFunctions {
  answer,   // it is an answer, which is wrong: as in the papers
  abstain,  // it is no answer
};

struct Method : MethodNumbers {
  std::string name;

  bool triage = false;
  bool classify = false;     // CLS_M
  bool triage_type = false;  // triage also asks for the type of an infeasible question
  bool link = false;
  bool rewrite = false;
  GeneratorKind generator = GeneratorKind::dail;
  bool infeasible_examples = false;
  bool context_rows = false;
  bool refine = false;
  bool second_reading = false;  // the embedded parser votes as well
  bool ground = false;
  bool verify = false;
  bool detect = false;  // ERROR_M
  bool must_run = false;
  UnknownFunctions unknown_functions = UnknownFunctions::answer;  // with must_run, no query that fails is an answer

  // The data set of the TrustSQL benchmark whose rules apply wherever a query is tried (NOW() and the like, for
  // EHRSQL).
  std::optional<TrustsqlDataset> dataset;

  int demonstrations = 0;   // S: examples of the question's own database
  int other_databases = 0;  // if there are none: the number of other databases,
  int other_examples = 0;   // and of examples of each

  int samples = 1;         // n
  double temperature = 0;  // T, for generating SQL only
  VoteRule rule;
  bool forbid = false;  // forbids LEFT JOIN and SELECT *

  std::optional<double> threshold;  // for the confidence
  // Of EMBEDDED, where no threshold is given: it follows from the share of wrong answers that is tolerated, from the
  // penalty for one, or belongs to a score of TrustSQL's unified approaches.
  std::optional<double> risk;
  std::optional<Penalty> penalty;
  std::optional<semparse::UnifiedScore> score;
  std::vector<Signal> signals;  // factors of the confidence; empty: votes and verification, if available

  // Whether it answers questions at all, and whether it asks a language model for that.
  bool answers() const { return generator != GeneratorKind::abstain_all; }
  bool asks_model() const { return answers() && generator != GeneratorKind::embedded; }
};

// The method with this name. Error (invalid_argument): there is none; the message gives the grammar of names, and the
// part of this one that was not understood.
Result<Method> parse_method(std::string_view name);

// Whether the parts and numbers of a method go together. Error (invalid_argument): they do not.
Status check_method(const Method& method);
// Sets the number of samples. If there was one and there are several now, the temperature becomes 1.
void set_samples(Method& method, int samples);

}  // namespace trustsql::nl2sql
