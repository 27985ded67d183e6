// The verdicts of the classifiers of a pipeline: CLS on a question, ERROR on a query (TrustSQL, section 4.1.1).
#pragma once

#include <optional>

#include "base/result.hpp"
#include "base/value.hpp"

namespace trustsql {

// CLS: whether the question is let through. True: `answerable`, `feasible`, 1. False: `not_answerable`, `unanswerable`,
// `infeasible`, 0, the kinds of infeasible questions of TrustSQL's section 2.2 (`column-surface`, `column-related`,
// `column-unrelated`, `non-sql`, `ext-know`) and the labels of TriageSQL (`small talk`, `ambiguous`, `lack of data`,
// `unanswerable by SQL`). Letter case does not matter, nor whether words are joined by a space, `_` or `-`. nullopt for
// NULL: CLS was not asked. Error (invalid_argument): anything else.
Result<std::optional<bool>> parse_cls_verdict(ValueView value);

// ERROR: whether an error was found, so that the query is held back. False: `correct`, 0. True: `incorrect`, 1. nullopt
// for NULL: ERROR was not asked. Error (invalid_argument): anything else.
Result<std::optional<bool>> parse_error_verdict(ValueView value);

}  // namespace trustsql
