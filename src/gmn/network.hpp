// FuncEvalGMN's graph matching network (section 4 and Appendix C, after Li et al. 2019): two graphs in, the vector of
// each out; their Euclidean distance says how far the queries are from meaning the same.
//
//   nodes      computing nodes have an embedding, content nodes the vector of their text (4.1)
//   positions  p_v: a linear function of the random walks (4.2); in each step p_v = tanh(linear(p_v, mean of p_u over
//   the
//              neighbours)), which is how the text's "the node's positional encoding is updated" is read here
//   inner      m_v: the sum over the edges, in both directions with weights of their own, of an MLP of h_v, h_u and the
//              embedding of the edge's type (4.3)
//   cross      mu_v: attention over the other graph with r = MLP(h, p) (4.3)
//   update     h_v = GRU((m_v, mu_v), h_v) (C.1)
//   graph      h_G = MLP(sum over v of sigmoid(linear(h_v)) * linear(h_v)) (C.2)
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gmn/batch.hpp"
#include "gmn/hyperparameters.hpp"
#include "gmn/layers.hpp"
#include "gmn/parameters.hpp"
#include "gmn/string_encoder.hpp"

namespace trustsql::gmn {

class Network {
 public:
  // With all parameters 0. `vocabulary`: the values of computing nodes that have embeddings.
  Network(const Hyperparameters& hyperparameters, std::vector<std::string> vocabulary);

  // Draws the parameters as training begins with them.
  void initialise(std::uint64_t seed);

  const Hyperparameters& hyperparameters() const { return hyperparameters_; }
  const Texts& vocabulary() const { return vocabulary_; }
  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }
  const StringEncoder& strings() const { return strings_; }

  // The vectors of the graphs of `batch`, two rows for each pair. `string_vectors`: a row for each text that the batch
  // refers to. `attention` (may be null) receives for each step the weights of each pair in both directions.
  Value graph_vectors(Tape& tape, const Batch& batch, Value string_vectors,
                      std::vector<std::vector<Matrix>>* attention = nullptr) const;

 private:
  // One direction of the edges: the first layer of the MLP in its three parts, then the second.
  struct Messages {
    Messages(Parameters& parameters, const std::string& name, const Hyperparameters& h);
    void initialise(Parameters& parameters, Random& random) const;
    Value apply(Tape& tape, const Parameters& parameters, Value h, Value edge_types, const EdgeList& edges,
                Value edge_counts) const;

    Linear receivers;
    ParameterId senders;
    ParameterId types;
    Linear second;
  };

  Value cross_messages(Tape& tape, const Batch& batch, Value h, Value p, std::vector<Matrix>* attention) const;
  bool has_positions() const { return hyperparameters_.positions != Positions::none; }

  Hyperparameters hyperparameters_;
  Texts vocabulary_;
  Parameters parameters_;
  StringEncoder strings_;
  ParameterId computing_nodes_;
  ParameterId edge_types_;
  Linear first_position_;
  Linear next_position_;
  Messages forward_;
  Messages backward_;
  Mlp attention_;
  GruCell update_;
  Linear gate_;
  Linear content_;
  Mlp graph_;
};

}  // namespace trustsql::gmn
