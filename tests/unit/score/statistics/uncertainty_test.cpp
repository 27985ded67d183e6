#include "score/statistics/uncertainty.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace trustsql {
namespace {

std::string message(const Result<std::optional<double>>& result) {
  return result.ok() ? "(none)" : result.error().message;
}

const std::string half = std::to_string(std::log(0.5));
const std::string quarter = std::to_string(std::log(0.25));

TEST(Uncertainty, ArraysOfCandidates) {
  // A fair coin has ln 2, a certain token 0; two quarters leave a remainder of one half.
  const std::string sure_then_coin = "[[0], [" + half + ", " + half + "]]";
  EXPECT_NEAR(**max_entropy(sure_then_coin), std::log(2), 1e-5);
  EXPECT_NEAR(**max_probability(sure_then_coin), 0.5, 1e-6);
  const std::string array = "[[" + quarter + ", " + quarter + "]]";
  EXPECT_NEAR(**max_entropy(array), 1.5 * std::log(2), 1e-5);
  EXPECT_NEAR(**max_probability(array), 0.25, 1e-6);
  EXPECT_EQ(**max_entropy("[[0]]"), 0);
  EXPECT_EQ(**max_entropy("[[0, -9999.0]]"), 0);  // what endpoints write for "never"
}

TEST(Uncertainty, EndpointsForm) {
  const std::string tokens = R"([{"token": "SELECT", "logprob": -0.105360516, "bytes": [83],
                                  "top_logprobs": [{"token": "SELECT", "logprob": -0.105360516}, {"token": "WITH", "logprob": -2.302585093}]},
                                 {"token": " 1", "logprob": 0.0, "top_logprobs": [{"token": " 1", "logprob": 0.0}]}])";
  const double expected = -0.9 * std::log(0.9) - 0.1 * std::log(0.1);
  EXPECT_NEAR(**max_entropy(tokens), expected, 1e-6);
  EXPECT_NEAR(**max_entropy("{\"content\": " + tokens + ", \"refusal\": null}"), expected, 1e-6);
  EXPECT_NEAR(**max_probability(tokens), 0.9, 1e-6);
}

TEST(Uncertainty, AChosenTokenOutsideTheBestIsACandidateToo) {
  const std::string token =
      R"([{"token": "x", "logprob": )" + quarter + R"(, "top_logprobs": [{"token": "y", "logprob": )" + half + "}]}]";
  EXPECT_NEAR(**max_entropy(token), 1.5 * std::log(2), 1e-5);  // a half, a quarter, and a quarter left
  EXPECT_NEAR(**max_probability(token), 0.5, 1e-6);
}

TEST(Uncertainty, ChosenTokensAloneGiveMaxProbOnly) {
  EXPECT_NEAR(**max_probability("[0, " + quarter + ", " + half + "]"), 0.25, 1e-6);
  EXPECT_NEAR(**max_probability(R"([{"token": "a", "logprob": )" + half + R"(, "top_logprobs": []}])"), 0.5, 1e-6);
  EXPECT_EQ(message(max_entropy("[0]")),
            "token 1: only the chosen token's log-probability is known; an entropy needs the candidates' (ask the "
            "endpoint for top_logprobs)");
  EXPECT_FALSE(max_entropy(R"([{"token": "a", "logprob": -1, "top_logprobs": []}])").ok());
}

TEST(Uncertainty, NoTokensHaveNoUncertainty) {
  EXPECT_EQ(max_entropy("[]").value(), std::nullopt);
  EXPECT_EQ(max_probability(R"({"content": []})").value(), std::nullopt);
}

TEST(Uncertainty, BadInputIsExplained) {
  EXPECT_EQ(message(max_entropy("[0.1")), "the log-probabilities are not valid JSON: '[0.1'");
  EXPECT_EQ(message(max_entropy("{}")),
            "the JSON object has no 'content'; expected what an endpoint returns as 'logprobs'");
  EXPECT_EQ(message(max_entropy("7")), "the log-probabilities must be a JSON array of tokens, not number");
  EXPECT_EQ(message(max_entropy("[[-1, \"a\"]]")), "token 1: a log-probability must be a number, not string");
  EXPECT_EQ(message(max_entropy("[[-1], [0.9]]")),
            "token 2: a log-probability is at most 0, but this one is 0.9; are these probabilities?");
  EXPECT_EQ(message(max_entropy("[[-0.1, -0.1]]")),
            "token 1: the probabilities add up to 1.809674836071919, more than 1");
  EXPECT_FALSE(max_probability("[[-0.1, -0.1]]").ok());
  EXPECT_EQ(message(max_entropy("[[]]")), "token 1: it has no log-probabilities");
  EXPECT_EQ(message(max_entropy("[{}]")), "token 1: it has neither 'logprob' nor 'top_logprobs'");
  EXPECT_EQ(message(max_entropy(R"([{"top_logprobs": 3}])")), "token 1: 'top_logprobs' must be an array, not number");
  EXPECT_EQ(message(max_entropy(R"([{"top_logprobs": [{"token": "a"}]}])")),
            "token 1: an entry of 'top_logprobs' has no 'logprob'");
  EXPECT_EQ(message(max_probability(R"([{"logprob": null}])")),
            "token 1: a log-probability must be a number, not null");
  EXPECT_FALSE(max_entropy(std::string(200000, '[')).ok());
  EXPECT_FALSE(max_entropy("[\xff]").ok());
}

TEST(Uncertainty, DamagedJsonIsHarmless) {
  const std::string good =
      R"({"content": [{"token": "a", "logprob": -0.5, "top_logprobs": [{"token": "a", "logprob": -0.5}]}, [-1, -2], -3]})";
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (auto changes = random() % 4; changes-- > 0;) text[random() % text.size()] = static_cast<char>(random() % 128);
    const auto entropy = max_entropy(text);
    if (entropy.ok() && entropy.value()) {
      EXPECT_GE(**entropy, 0);
    }
    const auto probability = max_probability(text);
    if (probability.ok() && probability.value()) {
      EXPECT_GE(**probability, 0);
      EXPECT_LE(**probability, 1);
    }
  }
}

}  // namespace
}  // namespace trustsql
