// What the tests of stages share: a small database, a fake model, and the input of a stage.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "equiv/comparer_pool.hpp"
#include "nl2sql/stages/stage.hpp"
#include "unit/db/support.hpp"
#include "unit/nl2sql/fake_chat_model.hpp"

namespace trustsql::nl2sql {

// Texts are near if they share words; words go into buckets by their hash.
class WordEmbedder final : public link::Embedder {
 public:
  std::string name() const override { return "words"; }
  std::size_t dimensions() const override { return 256; }
  Result<std::vector<link::Vector>> embed(std::span<const std::string> texts, const llm::RequestContext&) override {
    std::vector<link::Vector> vectors;
    for (const auto& text : texts) {
      link::Vector vector(256);
      for (const auto word : split(text, ' ')) {
        if (!word.empty()) vector[std::hash<std::string>()(to_lower_ascii(word)) % vector.size()] += 1;
      }
      float square = 0;
      for (const float x : vector) square += x * x;
      for (float& x : vector) x = square > 0 ? x / std::sqrt(square) : 0;
      vectors.push_back(std::move(vector));
    }
    return vectors;
  }
};

class QuestionGround : public testing::Test {
 protected:
  explicit QuestionGround(const std::string& setup) : databases_(host_) {
    host_.exec(setup);
    reopen();
  }

  // Lets the stages see the current state of the host's database.
  void reopen() {
    context_.reset();
    source_ = *databases_.open_host(settings_);
    catalog_ = *source_->catalog();
    context_.reset(new StageContext{.catalog = *catalog_,
                                    .source = *source_,
                                    .chat = chat_,
                                    .prompts = prompts_,
                                    .embedder = embedder_,
                                    .example_embedder = embedder_,
                                    .word_embedder = embedder_,
                                    .content = content_,
                                    .call = {}});
    context_->call.stop = [this] { return stopped_.load(); };
    context_->send_rows = true;
    context_->comparers = &comparers_;
  }

  StageContext& context() { return *context_; }
  FakeChatModel& chat() { return chat_; }
  void stop() { stopped_ = true; }
  std::string ask(const std::string& sql) const { return host_.ask(sql); }

  // An attempt at `question`, as the first stage gets it.
  Attempt attempt(std::string question) const {
    Attempt attempt;
    attempt.question = std::move(question);
    attempt.schema = SchemaSubset::all(*catalog_);
    return attempt;
  }

  test::TestConnection host_;
  HostDatabase databases_;
  Settings settings_ = test::default_settings();
  std::shared_ptr<SandboxSource> source_;
  std::shared_ptr<const Catalog> catalog_;
  FakeChatModel chat_;
  PromptLibrary prompts_;
  WordEmbedder embedder_;
  ContentCache content_;
  equiv::ComparerPool comparers_{SandboxLimits()};
  std::unique_ptr<StageContext> context_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace trustsql::nl2sql
