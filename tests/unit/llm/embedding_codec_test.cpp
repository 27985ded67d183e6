#include "llm/embedding_codec.hpp"

#include <gtest/gtest.h>

namespace trustsql::llm {
namespace {

TEST(EmbeddingCodec, WritesTheTexts) {
  const std::vector<std::string> texts = {"a", "b"};
  EXPECT_EQ(encode_embedding_request("m", texts), R"({"model":"m","input":["a","b"],"encoding_format":"base64"})");
}

TEST(EmbeddingCodec, ReadsNumbersAndBase64InTheOrderOfTheirIndexes) {
  // 1.0f and -2.0f, little-endian.
  const auto reply = decode_embeddings(
      R"({"data":[{"index":1,"embedding":"AACAPwAAAMA="},{"index":0,"embedding":[0.5,3]}],"usage":{"prompt_tokens":9}})",
      2, {});
  ASSERT_TRUE(reply.ok()) << reply.error().message;
  EXPECT_EQ(reply->vectors[0], (std::vector<float>{0.5F, 3}));
  EXPECT_EQ(reply->vectors[1], (std::vector<float>{1, -2}));
  EXPECT_EQ(reply->tokens, 9);
}

TEST(EmbeddingCodec, WhatIsNoAnswerIsAnError) {
  for (const char* body :
       {"", "[]", "{}", R"({"data":[]})", R"({"data":[{}]})", R"({"data":[{"embedding":[]}]})",
        R"({"data":[{"embedding":["a"]}]})", R"({"data":[{"embedding":[1e999]}]})",
        R"({"data":[{"embedding":"AAA="}]})", R"({"data":[{"embedding":"!"}]})",
        R"({"data":[{"index":7,"embedding":[1]}]})", R"({"data":[{"embedding":[1]},{"embedding":[1]}]})",
        R"({"data":[{"embedding":"AACAfw=="}]})"}) {
    const auto reply = decode_embeddings(body, 1, {});
    ASSERT_FALSE(reply.ok()) << body;
    EXPECT_EQ(reply.error().code, ErrorCode::io) << body;
  }
  EXPECT_FALSE(decode_embeddings(R"({"data":[{"embedding":[1]},{"embedding":[1,2]}]})", 2, {}).ok());
  EXPECT_FALSE(decode_embeddings(R"({"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]})", 2, {}).ok());
}

TEST(EmbeddingCodec, VectorsAndBytes) {
  const std::vector<float> vector = {1, -2.5, 0};
  EXPECT_EQ(*vector_of(vector_bytes(vector)), vector);
  EXPECT_FALSE(vector_of("abc").ok());
}

}  // namespace
}  // namespace trustsql::llm
