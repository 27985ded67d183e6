// The layers of the network: parameters under a common name, and how they are applied.
#pragma once

#include <string>
#include <vector>

#include "gmn/operations.hpp"
#include "gmn/parameters.hpp"

namespace trustsql::gmn {

// x w + b.
class Linear {
 public:
  Linear(Parameters& parameters, const std::string& name, Eigen::Index inputs, Eigen::Index outputs)
      : weights_(parameters.add(name + ".weight", inputs, outputs)),
        bias_(parameters.add(name + ".bias", 1, outputs)) {}

  void initialise(Parameters& parameters, Random& random, float factor = 1) const;
  Value apply(Tape& tape, const Parameters& parameters, Value x) const {
    return linear(tape, x, tape.parameter(parameters, weights_), tape.parameter(parameters, bias_));
  }
  ParameterId weights() const { return weights_; }
  ParameterId bias() const { return bias_; }

 private:
  ParameterId weights_;
  ParameterId bias_;
};

// linear -> relu -> linear.
class Mlp {
 public:
  Mlp(Parameters& parameters, const std::string& name, Eigen::Index inputs, Eigen::Index hidden, Eigen::Index outputs)
      : first_(parameters, name + ".0", inputs, hidden), second_(parameters, name + ".1", hidden, outputs) {}

  void initialise(Parameters& parameters, Random& random) const;
  Value apply(Tape& tape, const Parameters& parameters, Value x) const {
    return second_.apply(tape, parameters, relu(tape, first_.apply(tape, parameters, x)));
  }

 private:
  Linear first_;
  Linear second_;
};

// The gated recurrent unit of C.1: a new state from an input and the state.
class GruCell {
 public:
  GruCell(Parameters& parameters, const std::string& name, Eigen::Index inputs, Eigen::Index state)
      : from_input_(parameters, name + ".input", inputs, 3 * state),
        from_state_(parameters, name + ".state", state, 3 * state) {}

  void initialise(Parameters& parameters, Random& random) const;
  Value apply(Tape& tape, const Parameters& parameters, Value input, Value state) const {
    return gru(tape, from_input_.apply(tape, parameters, input), from_state_.apply(tape, parameters, state), state);
  }

 private:
  Linear from_input_;
  Linear from_state_;
};

class LayerNorm {
 public:
  LayerNorm(Parameters& parameters, const std::string& name, Eigen::Index size)
      : gain_(parameters.add(name + ".gain", 1, size)), shift_(parameters.add(name + ".shift", 1, size)) {}

  void initialise(Parameters& parameters) const { parameters.view(gain_).setOnes(); }
  Value apply(Tape& tape, const Parameters& parameters, Value x) const {
    return layer_norm(tape, x, tape.parameter(parameters, gain_), tape.parameter(parameters, shift_));
  }

 private:
  ParameterId gain_;
  ParameterId shift_;
};

}  // namespace trustsql::gmn
