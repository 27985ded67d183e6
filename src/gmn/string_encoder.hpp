// The string encoder (section 4.1, Appendix B): the vector of a name or a literal from its characters, so that names
// that mean similar things and are written differently have different vectors.
//
// A text is `string_length` characters, each a one-hot row of 128; a convolution, four layers of two residual blocks
// (He et al. 2016) with c, 2 c, 4 c and 8 c channels, stride 2 from the second layer on; the mean over positions; a
// linear layer to 128 and one to the node's state. The paper does not say how the layers are normalised: here rows are
// (layer_norm), so that a vector does not depend on the other strings of a batch. Nor does it say what becomes of
// longer texts: here the first half and the last half of the characters that fit are read. A byte that is no ASCII
// character counts as its lower seven bits.
#pragma once

#include <string_view>
#include <vector>

#include "gmn/hyperparameters.hpp"
#include "gmn/layers.hpp"

namespace trustsql::gmn {

class StringEncoder {
 public:
  StringEncoder(Parameters& parameters, const Hyperparameters& hyperparameters);

  void initialise(Parameters& parameters, Random& random) const;

  // The indexes that apply() reads for one text are added to `codes`.
  void append_codes(std::string_view text, std::vector<Index>& codes) const;
  // The vectors of the texts whose codes these are, one row for each. `codes` must outlive the pass.
  Value apply(Tape& tape, const Parameters& parameters, std::span<const Index> codes) const;

 private:
  static constexpr int characters = 128;
  static constexpr int taps = 3;
  static constexpr int layers = 4;
  static constexpr int blocks_of_layer = 2;
  static constexpr int pooled_size = 128;

  // relu(norm(conv(relu(norm(conv(x)))) + x); where the shape changes, a convolution of one tap stands for x.
  struct Block {
    Linear first;
    LayerNorm first_norm;
    Linear second;
    LayerNorm second_norm;
    std::vector<Linear> shortcut;  // one or none
    int stride;
  };

  int length_;
  ParameterId table_;  // of characters in each place of the first convolution's window
  LayerNorm norm_;
  std::vector<Block> blocks_;
  Linear pooled_;
  Linear output_;
};

}  // namespace trustsql::gmn
