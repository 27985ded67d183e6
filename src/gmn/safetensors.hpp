// Files of named matrices in the format safetensors (https://github.com/huggingface/safetensors): eight bytes with the
// length of a header, the header in JSON, the numbers. Other programs read it, and reading it runs nothing.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trustsql::gmn {

struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> numbers;  // their count is the product of the shape
};

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::vector<Tensor> tensors;
};

// A matrix to be written.
struct TensorView {
  std::string_view name;
  std::vector<std::int64_t> shape;
  std::span<const float> numbers;
};

std::string write_safetensors(const std::map<std::string, std::string>& metadata,
                              const std::vector<TensorView>& tensors);

// Errors (invalid_argument): not such a file, truncated, a matrix of another type than F32, shapes that do not fit the
// bytes, numbers that are not finite, bytes that belong to no matrix.
Result<TensorFile> read_safetensors(std::string_view bytes);

}  // namespace trustsql::gmn
