// The sizes of a network and what its graphs contain. They are part of a weights file.
#pragma once

#include <cstdint>
#include <string_view>

namespace trustsql::gmn {

// What a query becomes a graph of (rows 0 and 1 of Table 3).
enum class Representation : std::uint8_t {
  rel_node,  // the normalised plan
  ast,       // the syntax tree
};

// How the positions of nodes are encoded (rows 3 and 4 of Table 3).
enum class Positions : std::uint8_t {
  none,
  separate,  // random walks on each graph
  merged,    // random walks on both graphs, joined at their Rels nodes and at subtrees that both have
};

// The defaults are the settings of the paper and its public code.
struct Hyperparameters {
  int node_state = 32;
  int edge_state = 16;
  int message = 64;  // of the inner-graph messages and of their hidden layer
  int graph_vector = 128;
  int steps = 5;        // of propagation, with the same weights
  int walk_steps = 32;  // of the random walks
  int position_state = 16;
  int string_length = 64;
  int string_channels = 64;  // of the first layer of the string encoder; twice as many in each of the next three
  Representation representation = Representation::rel_node;
  bool flows = true;  // logic and data edges (row 2 of Table 3)
  Positions positions = Positions::merged;

  friend bool operator==(const Hyperparameters&, const Hyperparameters&) = default;
};

// Those of the shipped network, with a smaller string encoder: it has 1/16 of the parameters, and learns from the pairs
// at hand as well.
inline constexpr Hyperparameters shipped_hyperparameters = {.string_channels = 8};

// "relnode" and "ast"; "none", "separate" and "merged".
std::string_view name(Representation representation);
std::string_view name(Positions positions);

// One number of the hyper-parameters by name, with the values that are allowed.
struct HyperparameterSpec {
  std::string_view name;
  int Hyperparameters::*member;
  int least;
  int most;
  std::string_view summary;
};
inline constexpr HyperparameterSpec hyperparameter_specs[] = {
    {"node_state", &Hyperparameters::node_state, 1, 256, "size of a node's state"},
    {"edge_state", &Hyperparameters::edge_state, 1, 64, "size of the embedding of an edge's type"},
    {"message", &Hyperparameters::message, 1, 256, "size of the messages between nodes"},
    {"graph_vector", &Hyperparameters::graph_vector, 1, 1024, "size of the vector of a graph"},
    {"steps", &Hyperparameters::steps, 1, 20, "number of propagation steps"},
    {"walk_steps", &Hyperparameters::walk_steps, 1, 128, "length of the random walks of the positional encoding"},
    {"position_state", &Hyperparameters::position_state, 1, 128, "size of a node's position"},
    {"string_length", &Hyperparameters::string_length, 8, 128,
     "number of characters of a name or literal that are read"},
    {"string_channels", &Hyperparameters::string_channels, 1, 64, "channels of the first layer of the string encoder"},
};

}  // namespace trustsql::gmn
