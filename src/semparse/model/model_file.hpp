// The file of a trained model: how weights travel from training to the parser.
//
// Little-endian: the magic "trustsql", a version, the vocabulary, the skeletons; for each set of weights its size and
// its largest weights as pairs of a varint (the distance to the index before) and a byte (the weight, as a share of the
// largest one); for each ensemble its trees, a node as a varint (0 for a leaf, otherwise the input and 1), a float, and
// the children of a node that is no leaf. Then parts that a model may lack, each a tag, its length and its bytes: the
// calibration (calibration.hpp), the fits of the unified approaches (unified.hpp), the modules that are trained on a
// user's questions (module_bytes.hpp). At the end a checksum of all bytes before it, against damage, not tampering.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "semparse/model/parser_model.hpp"

namespace trustsql::semparse {

inline constexpr std::string_view model_file_magic = "trustsql";  // what a model file begins with
// Of the format, and of the evidence that trees name by its number (evidence.hpp): a change of either needs a new one.
inline constexpr std::uint32_t model_file_version = 9;
// Of each set of weights; more of them bring nothing.
inline constexpr std::size_t max_model_weights = 600'000;

// `max_weights`: of each set, the largest are kept.
std::string write_model(const ParserModel& model, std::size_t max_weights);

// `bytes`, those of a model without its checksum, and the checksum.
std::string sealed_model(std::string bytes);

// Error (invalid_argument): not a model, of another version, or damaged.
Result<ParserModel> read_model(std::string_view bytes);

}  // namespace trustsql::semparse
