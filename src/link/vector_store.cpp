#include "link/vector_store.hpp"

#include <bit>
#include <cstdint>

namespace trustsql::link {

std::string vector_to_bytes(std::span<const float> vector) {
  std::string bytes;
  bytes.reserve(4 * vector.size());
  for (const float x : vector) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(static_cast<unsigned char>(bits >> shift));
  }
  return bytes;
}

std::optional<Vector> vector_from_bytes(std::string_view bytes) {
  if (bytes.size() % 4 != 0) return std::nullopt;
  Vector vector(bytes.size() / 4);
  for (std::size_t i = 0; i < vector.size(); ++i) {
    std::uint32_t bits = 0;
    for (std::size_t j = 4; j-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[4 * i + j]);
    vector[i] = std::bit_cast<float>(bits);
  }
  return vector;
}

}  // namespace trustsql::link
