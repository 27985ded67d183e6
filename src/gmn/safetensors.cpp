#include "gmn/safetensors.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/json_tree.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"

namespace trustsql::gmn {

namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::size_t length_size = 8;
constexpr int header_nesting = 4;

Error damaged(std::string_view what) {
  return invalid_argument("not a readable file of weights: " + std::string(what));
}

// A non-negative integer of JSON.
std::optional<std::uint64_t> count_of(const JsonTree& value) {
  if (!value.is(JsonTree::Kind::natural)) return std::nullopt;
  return value.natural;
}

struct Extent {
  std::vector<std::int64_t> shape;
  std::size_t begin = 0;
  std::size_t end = 0;
};

Result<Extent> extent_of(const JsonTree& entry, std::size_t data_size) {
  const auto* type = entry.find("dtype");
  const auto* shape = entry.find("shape");
  const auto* offsets = entry.find("data_offsets");
  if (type == nullptr || shape == nullptr || offsets == nullptr)
    return damaged("a matrix lacks its type, its shape or its place");
  if (type->text != "F32") return damaged("a matrix is not of the type F32");
  if (!shape->is(JsonTree::Kind::array) || !offsets->is(JsonTree::Kind::array) || offsets->members.size() != 2)
    return damaged("the shape or place of a matrix is no list of numbers");
  const auto begin = count_of(offsets->members[0].second);
  const auto end = count_of(offsets->members[1].second);
  if (!begin || !end || *begin > *end || *end > data_size) return damaged("a matrix lies beyond the end of the file");
  Extent extent{.shape = {}, .begin = *begin, .end = *end};
  std::uint64_t size = sizeof(float);
  for (const auto& [unnamed, length] : shape->members) {
    const auto count = count_of(length);
    if (!count || *count > data_size || __builtin_mul_overflow(size, *count, &size))
      return damaged("a matrix is larger than the file");
    extent.shape.push_back(static_cast<std::int64_t>(*count));
  }
  if (size != *end - *begin) return damaged("the shape of a matrix does not fit its bytes");
  return extent;
}

Status read_metadata(const JsonTree& header, TensorFile& file) {
  const auto* metadata = header.find(metadata_key);
  if (metadata == nullptr) return ok_status();
  if (!metadata->is(JsonTree::Kind::object)) return damaged("its metadata is no JSON object");
  for (const auto& [key, value] : metadata->members) {
    if (!value.is(JsonTree::Kind::text)) return damaged("its metadata has a value that is no text");
    file.metadata[key] = value.text;
  }
  return ok_status();
}

}  // namespace

std::string write_safetensors(const std::map<std::string, std::string>& metadata,
                              const std::vector<TensorView>& tensors) {
  JsonWriter header;
  header.begin_object().key(metadata_key).begin_object();
  for (const auto& [key, value] : metadata) header.key(key).value(value);
  header.end_object();
  std::size_t offset = 0;
  for (const auto& tensor : tensors) {
    header.key(tensor.name).begin_object().key("dtype").value("F32").key("shape").begin_array();
    for (const auto length : tensor.shape) header.value(length);
    header.end_array().key("data_offsets").begin_array().value(offset);
    offset += tensor.numbers.size_bytes();
    header.value(offset).end_array().end_object();
  }
  std::string text = std::move(header.end_object()).text();
  text.resize((text.size() + length_size - 1) / length_size * length_size, ' ');  // aligns the numbers
  std::string bytes;
  bytes.reserve(length_size + text.size() + offset);
  for (std::size_t i = 0; i < length_size; ++i) bytes += static_cast<char>(text.size() >> (8 * i));
  bytes += text;
  for (const auto& tensor : tensors)
    bytes.append(reinterpret_cast<const char*>(tensor.numbers.data()), tensor.numbers.size_bytes());
  return bytes;
}

Result<TensorFile> read_safetensors(std::string_view bytes) {
  if (bytes.size() < length_size) return damaged("it is too short");
  std::uint64_t length = 0;
  for (std::size_t i = length_size; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  if (length > bytes.size() - length_size) return damaged("its header is longer than the file");
  const auto text = bytes.substr(length_size, length);
  const auto data = bytes.substr(length_size + length);
  const auto header = parse_json(text, header_nesting);
  if (!header || !header->is(JsonTree::Kind::object))
    return damaged("its header is no JSON object, or is nested too deeply");
  TensorFile file;
  TRUSTSQL_RETURN_IF_ERROR(read_metadata(*header, file));
  std::size_t used = 0;
  for (const auto& [name, entry] : header->members) {
    if (name == metadata_key) continue;
    TRUSTSQL_ASSIGN_OR_RETURN(auto extent, extent_of(entry, data.size()));
    used += extent.end - extent.begin;
    if (used > data.size()) return damaged("two matrices share bytes");
    Tensor tensor{.name = name, .shape = std::move(extent.shape), .numbers = {}};
    tensor.numbers.resize((extent.end - extent.begin) / sizeof(float));
    if (!tensor.numbers.empty())
      std::memcpy(tensor.numbers.data(), data.data() + extent.begin, extent.end - extent.begin);
    for (const float number : tensor.numbers) {
      if (!std::isfinite(number))
        return damaged("the matrix " + quote_for_message(name) + " has a number that is not finite");
    }
    file.tensors.push_back(std::move(tensor));
  }
  if (used != data.size()) return damaged("it is truncated, or has bytes that belong to no matrix");
  return file;
}

}  // namespace trustsql::gmn
