// FeatMD and FeatRMD: how far a question's hidden representation lies from those of the training data
// (TrustSQL, section 4.1.2, "distance-based"; Lee et al. 2018; Ren et al., "A Simple Fix to Mahalanobis Distance",
// 2021).
//
// A Gaussian is fitted to a set of vectors (featmd_fit), kept as a blob, and a vector's squared Mahalanobis distance to
// it is its FeatMD; its FeatRMD is its FeatMD minus the squared distance to a second, background Gaussian. Both are
// uncertainties: negated, they are confidences.
//
// The fit's covariance is (1 - s) S + s m I, where S is the covariance with denominator n, m the mean of its diagonal
// and s the shrinkage: by default that of Ledoit and Wolf ("A well-conditioned estimator for large-dimensional
// covariance matrices", 2004), which minimises the expected squared error, so that sets with fewer vectors than
// dimensions can be fitted too. s = 0 is the plain Mahalanobis distance.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/value.hpp"

namespace trustsql {

// A Gaussian takes 4 d^2 bytes as a blob and 8 d^2 while it is fitted.
inline constexpr std::size_t max_feature_dimensions = 4096;

// The vector that a SQL value holds: a blob of little-endian float32 (as in sqlite-vec), or text that is a JSON array
// of numbers. Errors (invalid_argument): another type, no numbers, a number that is not finite, more than
// max_feature_dimensions numbers.
Result<std::vector<double>> read_feature_vector(ValueView value);

// Accumulates vectors and fits a Gaussian to them. Memory: d^2 numbers and a fixed number of vectors, however many are
// added.
class GaussianFitter {
 public:
  GaussianFitter();
  ~GaussianFitter();
  GaussianFitter(GaussianFitter&&) noexcept;
  GaussianFitter& operator=(GaussianFitter&&) noexcept;

  // Adds a vector. Error (invalid_argument): it has another number of dimensions than the first one.
  Status add(std::span<const double> vector);

  // The fit, as a blob (the layout is described in feature_distance.cpp); nullopt if there were no vectors. `shrinkage`
  // in [0, 1], or nullopt for Ledoit-Wolf's. Error (invalid_argument): the covariance is singular (too few or equal
  // vectors for this shrinkage), or exceeds the range of double. May be called once.
  Result<std::optional<std::string>> finish(std::optional<double> shrinkage);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A fitted Gaussian, read from a blob.
class GaussianView {
 public:
  // Checks `blob` (layout, version, checksum) and keeps a view of it: it must outlive this object.
  // Error (invalid_argument): it is not a complete, undamaged fit.
  static Result<GaussianView> parse(std::string_view blob);

  std::size_t dimensions() const { return dimensions_; }
  std::int64_t count() const { return count_; }    // of vectors in the fit
  double shrinkage() const { return shrinkage_; }  // applied by the fit

  // (x - mean)' covariance^-1 (x - mean), the squared Mahalanobis distance. O(d^2).
  // Error (invalid_argument): `x` has another number of dimensions; the distance exceeds the range of double.
  Result<double> squared_distance(std::span<const double> x) const;

 private:
  std::string_view numbers_;  // the mean, then the rows of the covariance's Cholesky factor
  std::size_t dimensions_ = 0;
  std::int64_t count_ = 0;
  double shrinkage_ = 0;
};

}  // namespace trustsql
