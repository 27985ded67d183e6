// Attempt: what is known of one question on its way through the pipeline. Each stage takes one and leaves it richer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/result_set.hpp"
#include "llm/chat.hpp"
#include "nl2sql/schema_subset.hpp"

namespace trustsql::nl2sql {

// Why there is no SQL; a closed list, which documentation and trace share.
enum class Abstention {
  none,
  infeasible,      // triage said that the database cannot answer it
  no_sql,          // the model's replies held no query
  not_allowed,     // the sandbox refused every candidate
  query_failed,    // the query still fails after refinement
  no_agreement,    // the samples of a vote did not agree
  error_detected,  // error detection held it back
  low_confidence,  // below the threshold
  endpoint,        // the endpoint failed where the method goes on without it
};
std::string_view abstention_name(Abstention reason);  // "infeasible", ...

// One query that a model wrote, once for each sample.
struct Candidate {
  std::string reply;       // as it came
  std::string sql;         // what was extracted; empty: none
  std::string error = {};  // why it is out: no SQL, refused by the sandbox, SQLite's message; empty: none
  bool refused = false;    // `error` is that the sandbox did not let it run
  double confidence = 1;
};

// What speaks for or against the answer; each where the method has it.
struct Signals {
  std::optional<double> votes;            // share of the samples that agree with the answer, 0..1
  std::optional<double> max_entropy;      // MaxEnt of its tokens, an uncertainty in nats
  std::optional<double> max_probability;  // MaxProb of its tokens, 0..1
  std::optional<double> verification;     // error detection's probability that it is right, 0..1
};

// A row of nl2sql_trace().
struct TraceRow {
  std::string stage;     // "triage", "link", "rewrite", ...
  std::string input;     // the prompt, or what the stage looked at
  std::string output;    // the reply, or what came of it
  std::string decision;  // one line: what the stage concluded
  std::optional<double> confidence = {};
  double ms = 0;
  std::int64_t requests = 0;  // that reached the network
  std::int64_t cached = 0;    // that the cache answered
  std::int64_t tokens = 0;    // of prompts and replies, cached ones included
};

struct Attempt {
  std::string question;   // as it was asked
  std::string evidence;   // external knowledge that came with it; often empty
  std::string rewritten;  // by RW; empty while there is none

  SchemaSubset schema;
  std::vector<llm::Message> prompt;      // the conversation that SQL is the answer to
  std::vector<Candidate> candidates;     // of the latest generation
  std::optional<std::string> sql;        // the answer so far
  std::optional<std::string> held_back;  // where it abstained: the SQL that there was
  Signals signals;
  double confidence = 1;                    // 0..1, that `sql` is right
  std::shared_ptr<const ResultSet> result;  // the rows of `sql`, where it was run for the decision and succeeded
  std::string error;                        // why `sql` gave none then: SQLite's message, or the sandbox's

  Abstention abstention = Abstention::none;
  std::string infeasible_type;  // where triage gave one: "column-surface", "non-sql", ...
  std::string suggestion;       // what the person who asked could do instead
  std::vector<TraceRow> trace;
  double ms = 0;  // that the pipeline took

  // The question that the stages after rewriting work with.
  const std::string& current_question() const { return rewritten.empty() ? question : rewritten; }
  bool abstained() const { return abstention != Abstention::none; }
};

}  // namespace trustsql::nl2sql
