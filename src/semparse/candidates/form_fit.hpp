// How well the form of a query fits its question: each part of the form judged by itself.
//
// The probabilities of skeletons (parser_model.hpp) compare forms: the best may be certain because all others are
// worse. Here every part (an aggregate, the order, a set operation) has a probability of its own, from logistic
// regression on what the question says. A form with a part that the question does not speak of, or without one that it
// does, is found out although it is the best there is. The fits are pieces of evidence (evidence.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "semparse/model/parser_model.hpp"

namespace trustsql::semparse {

// Logarithms of probabilities, 0 at best.
struct FormFit {
  float all = 0;      // of all parts together, those that the form has and those that it lacks
  float present = 0;  // the least of a part that it has
  float absent = 0;   // and of one that it lacks
};

// The fit of each skeleton that `model` knows; all 0 if it has no weights for this.
std::vector<FormFit> form_fits(const ParserModel& model, const QuestionView& view);

struct FormExample {
  const Domain* domain = nullptr;
  const std::vector<std::uint64_t>* keys = nullptr;  // QuestionView::question_features()
  const Skeleton* skeleton = nullptr;
};

// The weights for form_fits(). Keys of fewer than `min_databases` domains are not learned. The result depends on
// nothing but the arguments, and not on addresses.
LinearModel learn_forms(std::vector<FormExample> examples, const std::vector<KnownSkeleton>& skeletons,
                        std::size_t min_databases, std::uint64_t seed);

}  // namespace trustsql::semparse
