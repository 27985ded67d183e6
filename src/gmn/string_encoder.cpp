#include "gmn/string_encoder.hpp"

namespace trustsql::gmn {

StringEncoder::StringEncoder(Parameters& parameters, const Hyperparameters& h)
    : length_(h.string_length),
      table_(parameters.add("string.characters", characters * taps, h.string_channels)),
      norm_(parameters, "string.norm", h.string_channels),
      pooled_(parameters, "string.pooled", h.string_channels << (layers - 1), pooled_size),
      output_(parameters, "string.output", pooled_size, h.node_state) {
  Eigen::Index from = h.string_channels;
  for (int layer = 0; layer < layers; ++layer) {
    const Eigen::Index to = static_cast<Eigen::Index>(h.string_channels) << layer;
    for (int i = 0; i < blocks_of_layer; ++i) {
      const auto name = "string.layer" + std::to_string(layer) + "." + std::to_string(i);
      const int stride = layer > 0 && i == 0 ? 2 : 1;
      Block block{.first = {parameters, name + ".first", taps * from, to},
                  .first_norm = {parameters, name + ".first_norm", to},
                  .second = {parameters, name + ".second", taps * to, to},
                  .second_norm = {parameters, name + ".second_norm", to},
                  .shortcut = {},
                  .stride = stride};
      if (stride != 1) block.shortcut.emplace_back(parameters, name + ".shortcut", from, to);
      blocks_.push_back(std::move(block));
      from = to;
    }
  }
}

void StringEncoder::initialise(Parameters& parameters, Random& random) const {
  fill_uniform(parameters.view(table_), 0.5F, random);
  norm_.initialise(parameters);
  for (const auto& block : blocks_) {
    block.first.initialise(parameters, random);
    block.first_norm.initialise(parameters);
    block.second.initialise(parameters, random);
    block.second_norm.initialise(parameters);
    for (const auto& shortcut : block.shortcut) shortcut.initialise(parameters, random);
  }
  pooled_.initialise(parameters, random);
  output_.initialise(parameters, random);
}

void StringEncoder::append_codes(std::string_view text, std::vector<Index>& codes) const {
  const auto length = static_cast<std::size_t>(length_);
  std::vector<Index> characters_of(length, -1);
  const auto code = [](char c) { return static_cast<Index>(static_cast<unsigned char>(c) & 0x7f); };
  for (std::size_t i = 0; i < std::min(text.size(), length); ++i) {
    const bool from_end = text.size() > length && i >= length / 2;
    characters_of[i] = code(text[from_end ? text.size() - length + i : i]);
  }
  for (int position = 0; position < length_; ++position) {
    for (int tap = 0; tap < taps; ++tap) {
      const int from = position + tap - taps / 2;
      const auto c = from < 0 || from >= length_ ? -1 : characters_of[static_cast<std::size_t>(from)];
      codes.push_back(c < 0 ? -1 : c + tap * characters);
    }
  }
}

Value StringEncoder::apply(Tape& tape, const Parameters& parameters, std::span<const Index> codes) const {
  Value x = lookup(tape, tape.parameter(parameters, table_), codes, taps);
  x = relu(tape, norm_.apply(tape, parameters, x));
  Eigen::Index length = length_;
  for (const auto& block : blocks_) {
    const Eigen::Index shorter = (length + block.stride - 1) / block.stride;
    Value y = block.first.apply(tape, parameters, windows(tape, x, length, taps, block.stride));
    y = relu(tape, block.first_norm.apply(tape, parameters, y));
    y = block.second.apply(tape, parameters, windows(tape, y, shorter, taps, 1));
    y = block.second_norm.apply(tape, parameters, y);
    for (const auto& shortcut : block.shortcut)
      x = shortcut.apply(tape, parameters, windows(tape, x, length, 1, block.stride));
    x = relu(tape, add(tape, y, x));
    length = shorter;
  }
  x = mean_of_runs(tape, x, length);
  x = relu(tape, pooled_.apply(tape, parameters, x));
  return output_.apply(tape, parameters, x);
}

}  // namespace trustsql::gmn
