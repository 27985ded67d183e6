#include "score/statistics/feature_distance.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <random>

namespace trustsql {
namespace {

using Vectors = std::vector<std::vector<double>>;

Result<std::optional<std::string>> fit(const Vectors& vectors, std::optional<double> shrinkage) {
  GaussianFitter fitter;
  for (const auto& vector : vectors) TRUSTSQL_RETURN_IF_ERROR(fitter.add(vector));
  return fitter.finish(shrinkage);
}

double distance(const std::string& blob, const std::vector<double>& x) {
  return GaussianView::parse(blob).value().squared_distance(x).value();
}

std::string float_blob(const std::vector<float>& values) {
  std::string bytes(values.size() * 4, '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(FeatureVector, BlobsAndJsonArrays) {
  EXPECT_EQ(read_feature_vector(ValueView::of_blob(std::string_view("\0\0\x80\x3f\0\0\0\xc0", 8))).value(),
            (std::vector<double>{1, -2}));
  EXPECT_EQ(read_feature_vector(ValueView::of_text("[1, -2.5, 3e2]")).value(), (std::vector<double>{1, -2.5, 300}));
  const auto message = [](ValueView value) { return read_feature_vector(value).error().message; };
  EXPECT_EQ(message(ValueView::of_blob("12345")),
            "a vector's blob must hold float32 numbers of 4 bytes each; this one has 5 bytes");
  EXPECT_EQ(message(ValueView::of_blob("")), "the vector is empty");
  EXPECT_EQ(message(ValueView::of_text("[1, null]")), "element 2 of the vector must be a number, not null");
  EXPECT_EQ(message(ValueView::of_text("[1,")),
            "a vector must be a blob of float32 or a JSON array of numbers, not '[1,'");
  EXPECT_EQ(message(ValueView::of_integer(1)),
            "a vector must be a blob of float32 or a JSON array of numbers, not integer");
  const std::string not_a_number = float_blob({1.0F, std::nanf("")});
  EXPECT_EQ(message(ValueView::of_blob(not_a_number)), "element 2 of the vector is not a finite number");
  const std::string huge(4 * (max_feature_dimensions + 1), '\0');
  EXPECT_EQ(message(ValueView::of_blob(huge)), "the vector has 4097 dimensions; at most 4096 are supported");
}

TEST(FeatureDistance, HandMadeGaussian) {
  // Mean (2, 4/3), covariance [[8/3, 4/3], [4/3, 8/9]], its inverse [[1.5, -2.25], [-2.25, 4.5]].
  const auto blob = **fit({{0, 0}, {2, 2}, {4, 2}}, 0);
  EXPECT_NEAR(distance(blob, {2, 4.0 / 3}), 0, 1e-24);
  EXPECT_NEAR(distance(blob, {0, 0}), 2, 1e-12);
  EXPECT_NEAR(distance(blob, {3, 4.0 / 3}), 1.5, 1e-12);
  EXPECT_NEAR(distance(blob, {3, 7.0 / 3}), 1.5 - 2 * 2.25 + 4.5, 1e-12);
  const auto view = GaussianView::parse(blob).value();
  EXPECT_EQ(view.dimensions(), 2U);
  EXPECT_EQ(view.count(), 3);
  EXPECT_EQ(view.shrinkage(), 0);
}

TEST(FeatureDistance, FullShrinkageIsTheEuclideanDistanceInUnitsOfTheMeanVariance) {
  const auto blob = **fit({{0, 0}, {2, 2}, {4, 2}}, 1);
  EXPECT_NEAR(distance(blob, {5, 4.0 / 3 + 4}), 25 / ((8.0 / 3 + 8.0 / 9) / 2), 1e-12);
}

Vectors random_vectors(std::mt19937& random, int n, int d, double offset) {
  std::normal_distribution<double> normal;
  Vectors vectors;
  for (int i = 0; i < n; ++i) {
    std::vector<double> x;
    const double common = normal(random);
    for (int j = 0; j < d; ++j) x.push_back(offset + (j + 1) * (normal(random) + 0.7 * common));
    vectors.push_back(x);
  }
  return vectors;
}

// Everything by definition, with all vectors at hand.
struct Naive {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
  double shrinkage;

  Naive(const Vectors& vectors, std::optional<double> given_shrinkage) {
    const auto n = static_cast<double>(vectors.size());
    const auto d = static_cast<Eigen::Index>(vectors.front().size());
    mean = Eigen::VectorXd::Zero(d);
    for (const auto& v : vectors) mean += Eigen::Map<const Eigen::VectorXd>(v.data(), d) / n;
    covariance = Eigen::MatrixXd::Zero(d, d);
    for (const auto& v : vectors) {
      const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(v.data(), d) - mean;
      covariance += x * x.transpose() / n;
    }
    const double m = covariance.trace() / static_cast<double>(d);
    const Eigen::MatrixXd target = m * Eigen::MatrixXd::Identity(d, d);
    double error = 0;
    for (const auto& v : vectors) {
      const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(v.data(), d) - mean;
      error += (x * x.transpose() - covariance).squaredNorm() / (n * n);
    }
    shrinkage = given_shrinkage.value_or(std::min(1.0, error / (covariance - target).squaredNorm()));
    covariance = (1 - shrinkage) * covariance + shrinkage * target;
  }

  double distance(const std::vector<double>& v) const {
    const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(v.data(), mean.size()) - mean;
    return x.dot(covariance.fullPivLu().solve(x));
  }
};

TEST(FeatureDistance, StreamedFitsEqualTheDefinition) {
  std::mt19937 random(17);
  for (const int n : {3, 127, 128, 129, 700}) {
    for (const int d : {1, 2, 13}) {
      const auto vectors = random_vectors(random, n, d, 0);
      for (const auto& shrinkage : {std::optional<double>(), std::optional(0.3), std::optional(0.0)}) {
        if (shrinkage == 0.0 && n <= d) continue;
        const Naive naive(vectors, shrinkage);
        const auto blob = **fit(vectors, shrinkage);
        const auto view = GaussianView::parse(blob).value();
        if (d > 1) {
          EXPECT_NEAR(view.shrinkage(), naive.shrinkage, 1e-9);
        }
        for (const auto& x : random_vectors(random, 5, d, 1))
          EXPECT_NEAR(view.squared_distance(x).value() / naive.distance(x), 1, 1e-7) << n << " " << d;
      }
    }
  }
}

TEST(FeatureDistance, FarFromTheOriginNothingCancels) {
  std::mt19937 near_random(23);
  std::mt19937 far_random(23);
  const auto near = random_vectors(near_random, 500, 6, 0);
  const auto far = random_vectors(far_random, 500, 6, 1e6);
  const auto near_blob = **fit(near, {});
  const auto far_blob = **fit(far, {});
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(distance(far_blob, far[i]), distance(near_blob, near[i]), 1e-6);
}

TEST(FeatureDistance, FewerVectorsThanDimensionsNeedShrinkage) {
  std::mt19937 random(29);
  const auto vectors = random_vectors(random, 10, 30, 0);
  EXPECT_TRUE(fit(vectors, {}).ok());
  const auto plain = fit(vectors, 0);
  ASSERT_FALSE(plain.ok());
  EXPECT_EQ(plain.error().message,
            "the covariance of these 10 vectors of 30 dimensions is singular with shrinkage 0.0; more vectors, fewer "
            "dimensions or a larger "
            "shrinkage are needed");
  EXPECT_FALSE(fit({{1, 2}, {1, 2}, {1, 2}}, {}).ok());
  EXPECT_FALSE(fit({{1, 2}}, 1).ok());
  EXPECT_FALSE(fit({{1, 5}, {2, 5}, {3, 5}}, 0).ok());  // one dimension never changes
  Vectors dependent;
  for (auto v : random_vectors(random, 200, 3, 100)) {
    v.push_back(v[0] + 2 * v[1] - v[2]);
    dependent.push_back(v);
  }
  EXPECT_FALSE(fit(dependent, 0).ok());
  EXPECT_TRUE(fit(dependent, 0.01).ok());
}

TEST(FeatureDistance, BadInputIsExplained) {
  EXPECT_EQ(fit({}, {}).value(), std::nullopt);
  EXPECT_EQ(fit({{1, 2}, {1, 2, 3}}, {}).error().message,
            "all vectors must have the same number of dimensions; found 2 and 3");
  EXPECT_TRUE(fit({{1e100, 1}, {-1e100, 2}, {0, 3}}, {}).ok());  // no square leaves the range of a double
  EXPECT_FALSE(fit({{HUGE_VAL}}, {}).ok());
  const auto blob = **fit({{0, 0}, {2, 2}, {4, 2}}, 0);
  const auto view = GaussianView::parse(blob).value();
  EXPECT_EQ(view.squared_distance(std::vector<double>{1}).error().message,
            "the vector has 1 dimensions, the fit has 2");
  EXPECT_FALSE(view.squared_distance(std::vector<double>{1e200, 0}).ok());
}

TEST(FeatureDistance, DamagedFitsAreRejected) {
  const auto blob = **fit({{0, 0, 1}, {2, 2, 5}, {4, 2, 1}, {1, 7, 2}}, 0.1);
  ASSERT_TRUE(GaussianView::parse(blob).ok());
  for (std::size_t size = 0; size < blob.size(); ++size)
    EXPECT_FALSE(GaussianView::parse(std::string_view(blob).substr(0, size)).ok()) << size;
  EXPECT_FALSE(GaussianView::parse(blob + "x").ok());
  // Any changed bit is found.
  for (std::size_t bit = 0; bit < blob.size() * 8; ++bit) {
    std::string changed = blob;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(GaussianView::parse(changed).ok()) << bit;
  }
  std::mt19937 random(31);
  for (int round = 0; round < 2000; ++round) {
    std::string noise(random() % 300, '\0');
    for (auto& c : noise) c = static_cast<char>(random());
    if (round % 2 == 0) noise.replace(0, std::min<std::size_t>(8, noise.size()), "TSQLGAU1");
    EXPECT_FALSE(GaussianView::parse(noise).ok());
  }
}

}  // namespace
}  // namespace trustsql
