// Schema retrieval: the search for nearest elements against the speed of memory, the greedy selection, whole questions.
#include <benchmark/benchmark.h>

#include <cstring>
#include <numeric>

#include "base/random.hpp"
#include "link/lexical_embedder.hpp"
#include "link/linker.hpp"
#include "link/question_schema.hpp"
#include "link/vector_math.hpp"

namespace trustsql::link {

namespace {

constexpr std::size_t warehouse = 17'844;  // elements of CRUSH4SQL's SocialDB

std::vector<float> random_floats(std::size_t count) {
  Random random(1);
  std::vector<float> floats(count);
  for (float& x : floats) x = static_cast<float>(random.uniform()) - 0.5F;
  return floats;
}

// What bounds the search from below: the elements' vectors are read once.
void read_memory(benchmark::State& state) {
  const auto rows = random_floats(warehouse * WordVectors::dimensions);
  for (auto _ : state) {
    // Eight independent sums of whole words: as fast as a core reads.
    std::uint64_t sums[8] = {};
    const char* bytes = reinterpret_cast<const char*>(rows.data());
    for (std::size_t i = 0; i + 64 <= rows.size() * sizeof(float); i += 64) {
      std::uint64_t words[8];
      std::memcpy(words, bytes + i, 64);
      for (std::size_t j = 0; j < 8; ++j) sums[j] += words[j];
    }
    benchmark::DoNotOptimize(sums);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(rows.size() * sizeof(float)));
}
BENCHMARK(read_memory)->Unit(benchmark::kMillisecond);

void copy_memory(benchmark::State& state) {
  const auto rows = random_floats(warehouse * WordVectors::dimensions);
  std::vector<float> copy(rows.size());
  for (auto _ : state) {
    std::memcpy(copy.data(), rows.data(), rows.size() * sizeof(float));
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(rows.size() * sizeof(float)));
}
BENCHMARK(copy_memory)->Unit(benchmark::kMillisecond);

// The cosines of all elements with that many probes.
void nearest_elements(benchmark::State& state) {
  const auto probes = static_cast<std::size_t>(state.range(0));
  const auto rows = random_floats(warehouse * WordVectors::dimensions);
  const auto asked = random_floats(probes * WordVectors::dimensions);
  std::vector<float> results(warehouse * probes);
  for (auto _ : state) {
    dot_all(rows, asked, WordVectors::dimensions, results);
    benchmark::DoNotOptimize(results.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(rows.size() * sizeof(float)));
}
BENCHMARK(nearest_elements)->Arg(1)->Arg(4)->Arg(8)->Arg(16)->Unit(benchmark::kMillisecond);

// 100 candidates in ten tables, a budget of 100, that many probes.
void greedy_selection(benchmark::State& state) {
  const auto probes = static_cast<std::size_t>(state.range(0));
  ElementSet elements;
  for (int i = 0; i < 100; ++i) elements.add({"", "t" + std::to_string(i / 10), "c" + std::to_string(i)});
  for (std::size_t i = 10; i < 100; i += 10) elements.connect(i, i - 10);
  CandidateSet candidates{
      .probe_count = probes, .elements = std::vector<std::size_t>(100), .similarity = random_floats(probes * 100)};
  std::iota(candidates.elements.begin(), candidates.elements.end(), std::size_t{0});
  entropy_guided(candidates, true);
  for (auto _ : state) benchmark::DoNotOptimize(select_collectively(candidates, elements, {.budget = 100}));
}
BENCHMARK(greedy_selection)->Arg(5)->Arg(10)->Arg(20)->Unit(benchmark::kMicrosecond);

// Everything except a model's part for one question: the question's schema, probes, search, selection.
void link_question(benchmark::State& state) {
  static const std::string subjects[] = {"district", "crop", "school", "hospital", "road", "export", "bank", "village"};
  static const std::string measures[] = {"area", "count", "year", "rate", "name", "price", "yield", "share", "cost"};
  ElementSet elements;
  const auto wanted = static_cast<std::size_t>(state.range(0));
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t table = i / 17;
    elements.add({"", subjects[table % 8] + "_" + std::to_string(table),
                  measures[i % 9] + "_of_" + subjects[(i + table) % 8] + std::to_string(i % 17)});
  }
  LexicalEmbedder embedder;
  const auto corpus = Corpus::build(std::move(elements), embedder, nullptr, {});
  const Linker linker(**corpus, embedder);
  const std::string question =
      "What is the average yield of crops in districts with more than ten banks since 2015, by year?";
  for (auto _ : state) {
    const auto relations = schema_of_question(question);
    benchmark::DoNotOptimize(linker.link(question, relations, without_model({}), {}));
  }
}
BENCHMARK(link_question)->Arg(30)->Arg(17'844)->Unit(benchmark::kMillisecond);

void embed_elements(benchmark::State& state) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < warehouse; ++i)
    texts.push_back("district_" + std::to_string(i % 1046) + ".net irrigated area of crop " + std::to_string(i % 17));
  const LexicalEmbedder embedder;
  for (auto _ : state) benchmark::DoNotOptimize(embedder.embed(texts));
}
BENCHMARK(embed_elements)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace trustsql::link
