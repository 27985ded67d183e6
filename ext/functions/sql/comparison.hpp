// What the functions that compare queries share.
#pragma once

#include <string>
#include <vector>

#include "ext/options/equivalence_options.hpp"

namespace trustsql::ext {

// The comparer for the schema that the options name; valid until the next call. Errors: those of source_of() and
// QueryComparer::create().
Result<equiv::QueryComparer*> comparer_of(Session& session, const SharedScope& scope, const Options& options);

// The same for a schema that is open already.
Result<equiv::QueryComparer*> comparer_of(Session& session, SandboxSource& source);

// JSON arrays for columns: of texts, and of the steps of a proof.
std::string assumptions_json(const std::vector<plan::Assumption>& assumptions);
std::string proof_json(const equiv::Proof& proof);

}  // namespace trustsql::ext
