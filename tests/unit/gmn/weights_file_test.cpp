#include "gmn/weights_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "gmn/safetensors.hpp"
#include "unit/gmn/example_graphs.hpp"

namespace trustsql::gmn {
namespace {

TrainedNetwork example() {
  TrainedNetwork trained{Network(small_sizes(), {"=", "Filter", "Rels"}), R"({"pairs":7})"};
  trained.network.initialise(5);
  return trained;
}

std::string error_of(const std::string& bytes) {
  const auto read = read_weights(bytes);
  return read.ok() ? "" : read.error().message;
}

// The file with its header changed, and the length of the header and the hash with it.
std::string with_header(const std::string& bytes, const std::string& from, const std::string& to) {
  std::size_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  auto header = bytes.substr(8, length);
  const auto at = header.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  header.replace(at, from.size(), to);
  std::string result;
  for (std::size_t i = 0; i < 8; ++i) result += static_cast<char>(header.size() >> (8 * i));
  return sealed(result + header + bytes.substr(8 + length));
}

TEST(GmnWeights, SurviveAFile) {
  const auto before = example();
  const auto bytes = write_weights(before);
  const auto after = read_weights(bytes);
  ASSERT_TRUE(after.ok()) << after.error().message;
  EXPECT_EQ(after->network.hyperparameters(), before.network.hyperparameters());
  EXPECT_EQ(after->network.vocabulary().texts(), before.network.vocabulary().texts());
  EXPECT_TRUE(std::ranges::equal(after->network.parameters().values(), before.network.parameters().values()));
  EXPECT_EQ(after->training, before.training);
  EXPECT_EQ(write_weights(*after), bytes);
}

TEST(GmnWeights, ATruncatedFileIsRefused) {
  const auto bytes = write_weights(example());
  for (std::size_t size = 0; size < bytes.size(); size += size < 200 ? 1 : 97)
    EXPECT_NE(error_of(bytes.substr(0, size)), "") << size;
  EXPECT_EQ(error_of(bytes.substr(0, bytes.size() - 4)),
            "not a readable file of weights: a matrix lies beyond the end of the file");
  EXPECT_NE(error_of(bytes + "more"), "");
}

TEST(GmnWeights, AnotherVersionIsRefused) {
  const auto bytes = write_weights(example());
  EXPECT_EQ(error_of(with_header(bytes, R"("version":"2")", R"("version":"3")")),
            "not a usable file of weights: it is of version '3', and this is version 2");
  EXPECT_EQ(error_of(with_header(bytes, R"("trustsql-gmn")", R"("somebody")")),
            "not a usable file of weights: its format is not trustsql-gmn");
}

TEST(GmnWeights, HostileSizesAreRefused) {
  const auto bytes = write_weights(example());
  EXPECT_EQ(
      error_of(with_header(bytes, R"(\"node_state\":6)", R"(\"node_state\":2000000000)")),
      "not a usable file of weights: its hyperparameter node_state is 2000000000, which is not between 1 and 256");
  EXPECT_EQ(error_of(with_header(bytes, R"(\"node_state\":6)", R"(\"node_state\":7)")),
            "not a usable file of weights: the matrix string.output.weight has another shape than the hyperparameters "
            "say");
  EXPECT_EQ(error_of(with_header(bytes, R"("shape":[384,6])", R"("shape":[4611686018427387904,4])")),
            "not a readable file of weights: a matrix is larger than the file");
  EXPECT_EQ(error_of(with_header(bytes, R"("shape":[384,6])", R"("shape":[384,-6])")),
            "not a readable file of weights: a matrix is larger than the file");
  EXPECT_EQ(error_of(with_header(bytes, R"("dtype":"F32")", R"("dtype":"F16")")),
            "not a readable file of weights: a matrix is not of the type F32");
  EXPECT_EQ(error_of(std::string(8, '\xff') + "{}"),
            "not a readable file of weights: its header is longer than the file");
  std::string deep(5'000, '[');
  std::string nested(8, '\0');
  nested[0] = static_cast<char>(deep.size() & 0xff);
  nested[1] = static_cast<char>(deep.size() >> 8);
  EXPECT_EQ(error_of(nested + deep),
            "not a readable file of weights: its header is no JSON object, or is nested too deeply");
}

TEST(GmnWeights, NumbersThatAreNotFiniteAreRefused) {
  auto trained = example();
  trained.network.parameters().values()[3] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error_of(write_weights(trained)),
            "not a readable file of weights: the matrix 'string.characters' has a number that is not finite");
}

TEST(GmnWeights, AFlippedBitIsSeen) {
  const auto bytes = write_weights(example());
  Random random(10);
  for (int i = 0; i < 1'000; ++i) {
    auto damaged = bytes;
    const auto place = random.below(damaged.size());
    damaged[place] ^= static_cast<char>(1 << random.below(8));
    EXPECT_FALSE(read_weights(damaged).ok()) << place;
  }
}

TEST(GmnWeights, DamageBehindARightHashIsRefusedOrHarmless) {
  const auto bytes = write_weights(example());
  Random random(9);
  for (int i = 0; i < 3'000; ++i) {
    auto damaged = bytes;
    for (int j = 0; j < 3; ++j)
      damaged[random.below(std::min<std::size_t>(damaged.size(), 6'000))] ^= static_cast<char>(1 << random.below(8));
    const auto read = read_weights(sealed(damaged));
    if (!read.ok()) continue;
    EXPECT_EQ(read->network.parameters().values().size(), example().network.parameters().values().size());
  }
}

TEST(GmnWeights, ACheckpointOfOtherTrainingIsRefused) {
  TrainingState state;
  for (auto* numbers : {&state.values, &state.best_values, &state.first_moments, &state.second_moments})
    numbers->assign(10, 0.5F);
  const auto bytes = write_checkpoint(state, 77);
  EXPECT_TRUE(read_checkpoint(bytes, 77, 10).ok());
  EXPECT_FALSE(read_checkpoint(bytes, 78, 10).ok());
  EXPECT_FALSE(read_checkpoint(bytes, 77, 11).ok());
  EXPECT_FALSE(read_checkpoint(write_weights(example()), 77, 10).ok());
}

}  // namespace
}  // namespace trustsql::gmn
