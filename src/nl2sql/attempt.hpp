// Attempt: the state of one question on its way through the pipeline. Each stage reads it and adds to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/results/result_set.hpp"
#include "llm/chat.hpp"
#include "nl2sql/prompts/schema_subset.hpp"

namespace trustsql::nl2sql {

// Why there is no SQL; a closed list, used by the documentation and the trace alike.
enum class Abstention {
  none,
  infeasible,      // triage decided that the database cannot answer the question
  no_sql,          // the model's replies contained no query
  not_allowed,     // the sandbox refused every candidate
  query_failed,    // the query still fails after refinement
  no_agreement,    // the samples of a vote did not agree
  error_detected,  // error detection rejected the SQL
  low_confidence,  // below the threshold
  not_understood,  // the embedded parser found nothing in the database for words of the question
  ambiguous,       // words of the question could name two columns
  not_grounded,    // the question does not license the SQL, or the SQL leaves out what it says
  endpoint,        // the endpoint failed, and the method continues without it
};
std::string_view abstention_name(Abstention reason);  // "infeasible", ...

// A query that a model wrote; one for each sample.
struct Candidate {
  std::string reply;       // the model's reply, verbatim
  std::string sql;         // extracted from the reply; empty: none
  std::string error = {};  // no SQL, refused by the sandbox, or SQLite's message; empty: none
  bool refused = false;    // `error` says that the sandbox refused to run it
  double confidence = 1;
};

// Evidence for or against the answer; each is present if the method provides it.
struct Signals {
  std::optional<double> votes;            // share of the samples that agree with the answer, 0..1
  std::optional<double> max_entropy;      // MaxEnt of the answer's tokens, an uncertainty in nats
  std::optional<double> max_probability;  // MaxProb of the answer's tokens, 0..1
  std::optional<double> reading = {};     // the embedded parser's probability that its first reading is right, 0..1
  std::optional<double> verification;     // error detection's probability that the answer is right, 0..1
};

// A row of nl2sql_trace().
struct TraceRow {
  std::string stage;     // "triage", "link", "rewrite", ...
  std::string input;     // the prompt, or other input of the stage
  std::string output;    // the reply, or other output of the stage
  std::string decision;  // one line: what the stage concluded
  std::optional<double> confidence = {};
  double ms = 0;
  std::int64_t requests = 0;  // sent over the network
  std::int64_t cached = 0;    // answered from the cache
  std::int64_t tokens = 0;    // in prompts and replies, including cached ones
};

struct Attempt {
  std::string question;   // as it was asked
  std::string evidence;   // external knowledge given with the question; often empty
  std::string rewritten;  // the question as rewritten by RW; empty if it was not

  SchemaSubset schema;
  std::vector<llm::Message> prompt;      // the conversation to which the model replies with SQL
  std::vector<Candidate> candidates;     // from the latest generation
  std::optional<std::string> sql;        // the answer so far
  std::optional<std::string> held_back;  // if it abstained: the SQL that was withheld
  Signals signals;
  double confidence = 1;                    // that `sql` is right, 0..1
  bool learned = false;                     // `sql` was learned for this very question
  std::shared_ptr<const ResultSet> result;  // the rows of `sql`, if the decision stage ran it successfully
  std::string error;                        // why it failed otherwise: the message of SQLite or the sandbox

  Abstention abstention = Abstention::none;
  std::string infeasible_type;  // if triage gave one: "column-surface", "non-sql", ...
  std::string detail;           // what was not understood, for people
  std::string reading;          // what `sql` returns, in words, where the embedded parser wrote it
  std::string suggestion;       // what the user could do instead
  // What the method could not do as it should, such as show rows that may not be sent; each once. A step's row in the
  // trace has those that came up in it.
  std::vector<std::string> warnings;
  std::size_t traced_warnings = 0;  // how many of them are in the trace
  std::vector<TraceRow> trace;
  double ms = 0;  // time taken by the pipeline

  // The question used by the stages after rewriting.
  const std::string& current_question() const { return rewritten.empty() ? question : rewritten; }
  bool abstained() const { return abstention != Abstention::none; }

  // Adds a warning, unless it is there already; does nothing if it is empty.
  void warn(std::string warning);
};

// Why there is no answer: "infeasible", "infeasible (column-related)", "not_understood (nothing in this database was
// found for 'capacity')" ...; empty if there is one.
std::string reason_of(const Attempt& attempt);

}  // namespace trustsql::nl2sql
