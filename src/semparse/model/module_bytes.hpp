// The bytes of ensembles and of trained modules in a model file (model_file.hpp).
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "semparse/abstention/error_detector.hpp"
#include "semparse/abstention/question_classifier.hpp"
#include "semparse/learning/model_bytes.hpp"
#include "semparse/learning/tree_ensemble.hpp"

namespace trustsql::semparse {

void write_trees(PartWriter& out, const TreeEnsemble& ensemble);
// False unless every path ends in a leaf, and all inputs are among the first `inputs`.
bool read_trees(PartReader& in, std::size_t inputs, TreeEnsemble& ensemble);

std::string write_classifier(const QuestionClassifier& classifier);
// Error (invalid_argument): damaged.
Result<QuestionClassifier> read_classifier(std::string_view bytes);

std::string write_detector(const ErrorDetector& detector);
// Error (invalid_argument): damaged.
Result<ErrorDetector> read_detector(std::string_view bytes);

}  // namespace trustsql::semparse
