// Method: which stages answer a question, and how, by the names that the papers give them.
//
//   name     = ["CLS->"] base {"[DEMO]" | "[VOTING]" | "+" part | numbers} ["->ERROR"] ["->RUNS"]
//   base     = "SQLPROMPT" | "DIN-SQL" | "MAC-SQL" | "DAIL" | "C3" | "DART" | "DART[C3]" | "ABSTAIN-ALL"
//   part     = "RW" | "CAP" | "ER" | "SC" | "CRUSH"
//   numbers  = "(" key "=" number {"," key "=" number} ")"
//   key      = "S" | "K" | "N" | "M" | "R" | "n" | "T"
//
// Every row of TrustSQL's tables of API models (Tables 3 and 4) and of DART-SQL's Tables 1 to 3 and Figure 2 is such a
// name: "CLS->SQLPROMPT->ERROR", "DAIL+CAP+ER+SC", "DART+SC", "DART(S=0)". DART is DAIL+RW+CAP+ER. Names are not
// case-sensitive; "DAIL-SQL", "DART-SQL", "CLS_P" and "ERROR_P" are accepted as well.
//
//   CLS       triage before everything else
//   ERROR     error detection at the end
//   [DEMO]    as many infeasible examples as feasible ones
//   [VOTING]  five samples, unanimous as texts
//   RW        rewriting of the question, with K rows
//   CAP       context-aware prompt, with N rows
//   ER        execution-guided refinement, R rounds of M rows
//   SC        self-consistency: n samples at temperature T, majority by execution
//   CRUSH     the prompt shows only the linked part of the schema
//   RUNS      a query that still fails after refinement is not an answer
//
// RUNS comes from no paper: there, a query that fails is a wrong answer like any other. A query that the sandbox
// refuses, or that calls a function unknown to SQLite, is never an answer: on a connection with more functions, the
// caller would run untrusted SQL.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.hpp"
#include "base/result.hpp"
#include "nl2sql/stages/vote.hpp"

namespace trustsql::nl2sql {

enum class GeneratorKind { abstain_all, sqlprompt, dail, c3, din_sql, mac_sql };

// The signals that the confidence is computed from; see decide.hpp.
enum class Signal { votes, max_entropy, max_probability, verification };

struct Method {
  std::string name;

  bool triage = false;
  bool triage_type = false;  // triage also asks for the type of an infeasible question
  bool link = false;
  bool rewrite = false;
  GeneratorKind generator = GeneratorKind::dail;
  bool infeasible_examples = false;
  bool context_rows = false;
  bool refine = false;
  bool verify = false;
  bool must_run = false;

  int demonstrations = 0;   // S: examples of the question's own database
  int other_databases = 0;  // if there are none: the number of other databases,
  int other_examples = 0;   // and of examples of each
  int rewrite_rows = 5;     // K
  int content_rows = 15;    // N
  int rounds = 3;           // R
  int result_rows = 15;     // M

  int samples = 1;         // n
  double temperature = 0;  // T, for generating SQL only
  VoteRule rule;
  int recall_samples = 10;  // for C3's recall of tables and columns
  bool forbid = false;      // forbids LEFT JOIN and SELECT *
  int asks_again = 2;

  int link_budget = 100;            // columns that a linked schema keeps
  std::optional<double> threshold;  // for the confidence
  std::vector<Signal> signals;      // factors of the confidence; empty: votes and verification, if available

  // Whether it asks a language model at all.
  bool asks_model() const { return generator != GeneratorKind::abstain_all; }
};

// The method with this name. Error (invalid_argument): there is none; the message gives the grammar of names, and the
// part of this one that was not understood.
Result<Method> parse_method(std::string_view name);

// Options that select the method, and options that override parts of it.
inline constexpr auto method_options = std::to_array<OptionSpec>({
    {.key = "method",
     .type = OptionType::text,
     .description = "The method, by the papers' names; by default the setting nl2sql_method."},
    {.key = "type",
     .type = OptionType::boolean,
     .description = "true: in a second request, CLS asks for the type of a question that cannot be answered; the "
                    "reason names it."},
    {.key = "demonstrations",
     .type = OptionType::integer,
     .description = "S: examples of the question's database in the prompt; by default 8 for SQLPROMPT, 9 for DAIL.",
     .min = 0,
     .max = 1'000},
    {.key = "rewrite_rows",
     .type = OptionType::integer,
     .description = "K: rows of each table that RW sees; 5.",
     .min = 0,
     .max = 1'000},
    {.key = "content_rows",
     .type = OptionType::integer,
     .description = "N: rows of each table that CAP puts into the prompt; 15.",
     .min = 0,
     .max = 1'000},
    {.key = "rounds", .type = OptionType::integer, .description = "R: rounds of ER; 3.", .min = 0, .max = 100},
    {.key = "result_rows",
     .type = OptionType::integer,
     .description = "M: rows of a result that ER shows; 15.",
     .min = 0,
     .max = 1'000},
    {.key = "samples",
     .type = OptionType::integer,
     .description = "n: samples of each generation of SQL; by default 1, with SC and VOTING 5, with C3 20.",
     .min = 1,
     .max = 128},
    {.key = "temperature",
     .type = OptionType::real,
     .description = "T: the temperature of each generation of SQL; by default 0, or 1 if there are several samples.",
     .min = 0,
     .max = 2},
    {.key = "vote",
     .type = OptionType::text,
     .description = "What samples must share to agree: `reply` (the texts as they came), `text` (the SQL, cleaned), "
                    "`execution` (the result), "
                    "`equivalence` (proved).",
     .choices = "reply|text|execution|equivalence"},
    {.key = "quorum",
     .type = OptionType::text,
     .description = "How many of them must agree: `majority` (the largest group wins), `unanimous` (all).",
     .choices = "majority|unanimous"},
    {.key = "asks_again",
     .type = OptionType::integer,
     .description = "How often a query with LEFT JOIN or SELECT * is requested again if ER forbids them; by default 2.",
     .min = 0,
     .max = 100},
    {.key = "recall_samples",
     .type = OptionType::integer,
     .description = "Samples of C3's recall of tables and of columns; 10.",
     .min = 1,
     .max = 128},
    {.key = "budget",
     .type = OptionType::integer,
     .description = "Columns that CRUSH leaves in the schema; 100.",
     .min = 1,
     .max = 100'000},
    {.key = "threshold",
     .type = OptionType::real,
     .description = "The confidence below which it abstains; by default none.",
     .min = 0,
     .max = 1},
    {.key = "confidence",
     .type = OptionType::list,
     .description = "What the confidence is the product of, any of votes (share of the samples that agree), maxprob, "
                    "maxent (as exp(-MaxEnt)), verification "
                    "(of ERROR); by default votes and verification as far as the method has them.",
     .choices = "votes|maxprob|maxent|verification"},
});

// Errors (invalid_argument): options that do not go together.
Status apply_options(const Options& options, Method& method);

}  // namespace trustsql::nl2sql
