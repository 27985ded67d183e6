// The error detector: the probability that SQL answers a question, learned from answers to questions of a user's own
// and whether they were right: TrustSQL's trained module ERROR_M (section 4.1.1, Appendix C.1).
//
// There it is a fine-tuned language model that was shown the SQL which the generator wrote for the validation
// questions, and infeasible questions, for which any SQL is wrong. Here boosted trees learn from the same: they read
// what the parser makes of the question (question_classifier.hpp), how the SQL stands among the parser's readings,
// which rules of grounding it breaks (grounding.hpp), what it consists of and what it returns. Whatever wrote the SQL,
// a language model or the parser.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "db/sandbox/sandbox.hpp"
#include "semparse/abstention/calibration.hpp"
#include "semparse/learning/outcome_model.hpp"
#include "sql/resolver.hpp"

namespace trustsql::semparse {

struct Knowledge;
struct Parse;

// What the detector reads; always detector_input_count() numbers. `parse` is of `question`, `sandbox` and `catalog` are
// of the database of `knowledge`. The query is run in the sandbox; one that fails, or that cannot be resolved, is
// described as that. Errors: interrupted, out_of_memory, io.
Result<std::vector<float>> detector_inputs(std::string_view question, std::string_view sql, const Parse& parse,
                                           const Knowledge& knowledge, const Catalog& catalog, Sandbox& sandbox,
                                           const ResolveOptions& dialect = {});
std::size_t detector_input_count();

// What the parser's confidence says about an answer, whose detector_inputs() with the same parse are `inputs`: that of
// its own, or that its own is wrong, where the answer is another one.
float known_log_odds(std::span<const float> inputs, const Parse& parse);

struct ErrorDetector {
  OutcomeModel outcome{};
  bool of_parser = false;  // it judges answers of the parser: what the parser knows of them is where it begins
  // How sure it was of answers to questions of training that it had not seen: thresholds for a risk or a penalty follow
  // from it.
  Calibration calibration{};

  // The probability that an answer is right. `inputs`: detector_inputs() with the same parse.
  double probability(std::span<const float> inputs, const Parse& parse) const {
    return outcome.probability(inputs, of_parser ? known_log_odds(inputs, parse) : 0);
  }
};

}  // namespace trustsql::semparse
