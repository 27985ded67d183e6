// The files of networks and of training that is not complete (safetensors.hpp). The metadata of a file holds
//
//   format           "trustsql-gmn" or "trustsql-gmn-checkpoint"
//   hash             a checksum of the file around these 16 hexadecimal digits, against damage, not tampering
//   version          of this format
//   hyperparameters  JSON: the sizes, what graphs contain
//   vocabulary       JSON: the values of computing nodes, in the order of their embeddings
//   training         JSON: how the network was trained
//
// and its matrices are the parameters under their names; those of a checkpoint are the vectors of TrainingState.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "gmn/network.hpp"
#include "gmn/trainer.hpp"

namespace trustsql::gmn {

inline constexpr int weights_version = 2;
inline constexpr std::size_t max_weights_file = std::size_t{1} << 30;

// A network and how it was trained, as a JSON object.
struct TrainedNetwork {
  Network network;
  std::string training;
};

// A file of weights or a checkpoint of any version begins so: the predicate wants its first `own_start` bytes.
inline constexpr std::size_t own_start = 256;
bool is_own_file(std::string_view start);

// `bytes`, those of a file of weights or a checkpoint, with the hash that they should have in place of the one that
// they have; unchanged if they have none.
std::string sealed(std::string bytes);

std::string write_weights(const TrainedNetwork& trained);
// Errors (invalid_argument): not a file of weights, of another version, damaged, or of sizes that are not allowed.
Result<TrainedNetwork> read_weights(std::string_view bytes);

// {"node_state":32,...,"representation":"relnode","flows":true,"positions":"merged"}
std::string hyperparameters_json(const Hyperparameters& hyperparameters);

std::string write_checkpoint(const TrainingState& state, std::uint64_t fingerprint);
// `parameters`: how many the network of this training has. Errors (invalid_argument): as read_weights(), and a
// checkpoint of another training (other data, options or sizes).
Result<TrainingState> read_checkpoint(std::string_view bytes, std::uint64_t fingerprint, std::size_t parameters);

}  // namespace trustsql::gmn
