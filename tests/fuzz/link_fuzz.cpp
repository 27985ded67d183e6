// Schema retrieval on any text, as a model's reply, a hallucinated schema, a question and a name: nothing crashes, and
// what comes out keeps its limits.

#include <cmath>
#include <cstdint>

#include "base/text.hpp"
#include "fuzz/check.hpp"
#include "link/hallucination.hpp"
#include "link/lexical_embedder.hpp"
#include "link/linker.hpp"
#include "link/question_schema.hpp"
#include "link/vector_math.hpp"
#include "link/word_split.hpp"

namespace {

using namespace trustsql::link;

void check_relations(const std::vector<std::string>& relations) {
  FUZZ_CHECK(relations.size() <= 64);
  const auto probes = probes_of(relations);
  FUZZ_CHECK(probes.size() <= max_probes);
  for (const auto& probe : probes) FUZZ_CHECK(!probe.text().empty());
  const auto json = relations_to_json(relations);
  FUZZ_CHECK(trustsql::is_valid_utf8(json));
  FUZZ_CHECK(relations_from_json(json)->size() == relations.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_relations(relations_in_reply(text));
  const auto relations = schema_of_question(text);
  check_relations(relations);
  for (const auto& word : split_words(text)) FUZZ_CHECK(!word.empty());

  LexicalEmbedder embedder;
  const auto vector = embedder.embed(std::span(&text, 1)).front();
  const float length = dot(vector, vector);
  FUZZ_CHECK(length == 0 || std::fabs(length - 1) < 1e-3F);

  ElementSet elements;
  elements.add({"", "singer", "name"});
  elements.add({"", "concert", "singer_id"});
  elements.add({"", text, text});
  elements.infer_links();
  const auto corpus = Corpus::build(std::move(elements), embedder, nullptr, {});
  const auto linked = Linker(**corpus, embedder).link(text, relations, without_model({.budget = 2}), {});
  FUZZ_CHECK(linked.ok() && linked->size() == 2);
  for (const auto& element : *linked) FUZZ_CHECK(std::isfinite(element.score));
  return 0;
}
