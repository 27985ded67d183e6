// Fits the weights of src/link/relevance_weights.hpp and prints that file.
//
//   trustsql_bench_fit_relevance [DATA [chosen|others|all]] > src/link/relevance_weights.hpp
//
// DATA: the development data, by default $TRUSTSQL_DATA or ../shared/data; then the questions to fit on, by default the
// half that constants are chosen on. The first model is a logistic regression of "the gold SQL uses the column". The
// second maximises the probability that a gold column is ranked before all columns that are not gold (a conditional
// logit). Both by Newton's method with a small penalty on squares; each question weighs the same.
#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "bench/bird_union.hpp"
#include "link/corpus.hpp"
#include "link/hallucination.hpp"
#include "link/lexical_embedder.hpp"
#include "link/linker.hpp"
#include "link/relevance.hpp"

namespace {

using namespace trustsql;
using namespace trustsql::link;
using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

struct Sample {
  Eigen::MatrixXf features;  // [feature, element]
  std::vector<char> is_gold;
  double weight = 0;  // of a gold column
};

constexpr double gold_weight = 5;  // about the number of gold columns of a question
constexpr int steps = 12;

Vec newton_step(const Mat& lower, const Vec& gradient, double longest) {
  const Mat hessian = lower.selfadjointView<Eigen::Lower>();
  Vec step = hessian.ldlt().solve(gradient);
  if (step.norm() > longest) step *= longest / step.norm();
  return step;
}

// The first feature is constant and has no penalty.
Vec fit_logistic(const std::vector<Sample>& samples) {
  const auto size = samples[0].features.rows();
  Vec weights = Vec::Zero(size);
  for (int step = 0; step < steps; ++step) {
    Mat hessian = Mat::Identity(size, size);
    Vec gradient = -weights;
    gradient(0) = 0;
    hessian(0, 0) = 1e-6;
    for (const auto& sample : samples) {
      for (Eigen::Index i = 0; i < sample.features.cols(); ++i) {
        const Vec x = sample.features.col(i).cast<double>();
        const bool gold = sample.is_gold[static_cast<std::size_t>(i)] != 0;
        const double p = 1 / (1 + std::exp(-weights.dot(x)));
        if (!gold && p < 1e-5) continue;
        gradient += sample.weight * ((gold ? 1 : 0) - p) * x;
        hessian.selfadjointView<Eigen::Lower>().rankUpdate(x, sample.weight * p * (1 - p));
      }
    }
    const Vec move = newton_step(hessian, gradient, 20);
    weights += move;
    if (move.norm() < 1e-3) break;
  }
  return weights;
}

Vec fit_ranking(const std::vector<Sample>& samples) {
  constexpr double penalty = 0.5;
  const auto size = samples[0].features.rows();
  Vec weights = Vec::Zero(size);
  for (int step = 0; step < 2 * steps; ++step) {
    Mat hessian = penalty * Mat::Identity(size, size);
    Vec gradient = -penalty * weights;
    for (const auto& sample : samples) {
      const Vec scores = sample.features.cast<double>().transpose() * weights;
      const double largest = scores.maxCoeff();
      double total = 0;
      Vec mean = Vec::Zero(size);
      Mat squares = Mat::Zero(size, size);
      for (Eigen::Index i = 0; i < scores.size(); ++i) {
        if (sample.is_gold[static_cast<std::size_t>(i)] != 0) continue;
        const double share = std::exp(scores(i) - largest);
        total += share;
        if (share < 1e-6) continue;
        const Vec x = sample.features.col(i).cast<double>();
        mean += share * x;
        squares.selfadjointView<Eigen::Lower>().rankUpdate(x, share);
      }
      mean /= total;
      squares /= total;
      const Mat covariance = Mat(squares.selfadjointView<Eigen::Lower>()) - mean * mean.transpose();
      for (Eigen::Index i = 0; i < scores.size(); ++i) {
        if (sample.is_gold[static_cast<std::size_t>(i)] == 0) continue;
        const double before = total / (total + std::exp(scores(i) - largest));  // of another column
        const Vec x = sample.features.col(i).cast<double>() - mean;
        gradient += sample.weight * before * x;
        hessian += sample.weight * before * (covariance + (1 - before) * x * x.transpose());
      }
    }
    const Vec move = newton_step(hessian, gradient, 5);
    weights += move;
    if (move.norm() < 1e-3) break;
  }
  return weights;
}

void print(const char* name, const char* size, const Vec& weights) {
  std::printf("inline constexpr std::array<float, %s> %s = {", size, name);
  for (Eigen::Index i = 0; i < weights.size(); ++i)
    std::printf("%s%s%.4fF", i == 0 ? "" : ",", i % 12 == 0 ? "\n    " : " ", weights(i));
  std::printf("};\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view part = argc > 2 ? argv[2] : "chosen";
  auto data = bench::read_bird_union(bench::bird_union_folder(argc > 1 ? argv[1] : nullptr), bench::Layout::databases);
  if (data.questions.empty()) {
    std::fprintf(stderr, "no development data\n");
    return 1;
  }
  LexicalEmbedder embedder;
  const auto corpus = *Corpus::build(std::move(data.elements), embedder, nullptr, {});
  const auto& elements = corpus->elements();
  const auto weight = static_cast<float>(LinkOptions().context_weight);
  std::vector<Sample> samples;
  std::vector<std::vector<ColumnFeatures>> columns_of;
  for (const auto& question : data.questions) {
    const auto probes = probes_of(question.hallucinated);
    if (probes.empty() || (part != "all" && question.chosen_on != (part == "chosen"))) continue;
    // As in Linker::link().
    const auto& abbreviations = corpus->abbreviations();
    const std::string context = abbreviations.add_to(question.text);
    std::vector<std::string> columns;
    std::vector<std::string> texts;
    for (const auto& [table, column] : probes) {
      columns.push_back(abbreviations.add_to(column));
      texts.push_back(Probe{table, columns.back()}.text());
    }
    auto vectors = embedder.embed_in_context(context, texts, weight);
    vectors.push_back(embedder.embed(std::span(&context, 1))[0]);
    const auto cosines = corpus->index().cosines(vectors, Surroundings::included);
    const auto& features =
        columns_of.emplace_back(column_features_of({elements, corpus->name_index(), cosines, texts.size(), columns}));
    auto& sample = samples.emplace_back();
    sample.features.resize(column_features, static_cast<Eigen::Index>(elements.size()));
    for (std::size_t i = 0; i < elements.size(); ++i)
      for (std::size_t f = 0; f < column_features; ++f)
        sample.features(static_cast<Eigen::Index>(f), static_cast<Eigen::Index>(i)) = features[i][f];
    sample.is_gold.resize(elements.size());
    sample.weight = gold_weight / static_cast<double>(question.gold.size());
    for (const auto gold : question.gold)
      if (gold) sample.is_gold[*gold] = 1;
  }
  const Vec first = fit_logistic(samples);
  for (auto& sample : samples) {
    const Eigen::VectorXf scores = sample.features.transpose() * first.cast<float>();
    const auto graph = graph_features_of(elements, corpus->name_index(),
                                         std::span(scores.data(), static_cast<std::size_t>(scores.size())));
    sample.features.conservativeResize(column_features + graph_features, Eigen::NoChange);
    for (std::size_t i = 0; i < elements.size(); ++i)
      for (std::size_t f = 0; f < graph_features; ++f)
        sample.features(static_cast<Eigen::Index>(column_features + f), static_cast<Eigen::Index>(i)) = graph[i][f];
  }
  const Vec second = fit_ranking(samples);
  std::printf(
      "// The weights of relevance.hpp, in the order of its features: those of columns, then those of the graph.\n"
      "//\n"
      "// Made by tests/bench/fit_relevance.cpp and clang-format; do not edit.\n"
      "#pragma once\n\n#include <array>\n\n#include \"link/relevance.hpp\"\n\nnamespace trustsql::link {\n\n");
  print("first_weights", "column_features", first);
  std::printf("\n");
  print("second_weights", "column_features + graph_features", second);
  std::printf("\n}  // namespace trustsql::link\n");
  return 0;
}
