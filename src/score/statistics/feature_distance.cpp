#include "score/statistics/feature_distance.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/json_release.hpp"
#include "base/text.hpp"
#include "score/statistics/scaling.hpp"

namespace trustsql {

namespace {

// --- the blob ------------------------------------------------------------------------------------------------------
//
// All numbers little-endian, doubles in IEEE 754:
//
//   offset  bytes         content
//   0       8             "TSQLGAU1": the format and its version
//   8       8             d, the number of dimensions, unsigned
//   16      8             n, the number of vectors, unsigned
//   24      8             the shrinkage, double
//   32      8 d           the mean, doubles
//   32+8d   4 d (d + 1)   the Cholesky factor L of the covariance, row by row up to the diagonal, doubles
//   end-8   8             checksum of all preceding bytes

constexpr std::string_view magic = "TSQLGAU1";
constexpr std::size_t header_size = 32;
constexpr std::size_t checksum_size = 8;

constexpr std::size_t factor_size(std::size_t d) { return d * (d + 1) / 2; }
constexpr std::size_t blob_size(std::size_t d) { return header_size + 8 * (d + factor_size(d)) + checksum_size; }

template <class T>
T little_endian(T value) {
  if constexpr (std::endian::native == std::endian::little) return value;
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return little_endian(value);
}

template <class T>
void store(std::string& to, T value) {
  value = little_endian(value);
  to.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// A checksum against accidental damage, not against tampering; four independent lanes keep up with memory bandwidth.
// Precondition: the size is a multiple of 8.
std::uint64_t checksum(std::string_view bytes) {
  std::array<std::uint64_t, 4> lanes = {1, 2, 3, 4};
  std::size_t lane = 0;
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    lanes[lane] = std::rotl(lanes[lane] ^ load<std::uint64_t>(bytes.data() + i), 29) * 0x9e3779b97f4a7c15ULL;
    lane = (lane + 1) % 4;
  }
  std::uint64_t sum = bytes.size();
  for (const auto value : lanes) sum = mix64(sum ^ value);
  return sum;
}

Error damaged(const std::string& how) {
  return invalid_argument("the fit is damaged or was not made by featmd_fit: " + how);
}

// --- vectors -------------------------------------------------------------------------------------------------------

Status check_vector(std::span<const double> vector) {
  if (vector.empty()) return invalid_argument("the vector is empty");
  if (vector.size() > max_feature_dimensions) {
    return invalid_argument("the vector has " + std::to_string(vector.size()) + " dimensions; at most " +
                            std::to_string(max_feature_dimensions) + " are supported");
  }
  for (std::size_t i = 0; i < vector.size(); ++i)
    if (!std::isfinite(vector[i]))
      return invalid_argument("element " + std::to_string(i + 1) + " of the vector is not a finite number");
  return ok_status();
}

Result<std::vector<double>> vector_of_json(std::string_view text) {
  auto document = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  const JsonRelease release(document);
  if (document.is_discarded() || !document.is_array()) {
    return invalid_argument("a vector must be a blob of float32 or a JSON array of numbers, not " +
                            quote_for_message(text, 60));
  }
  std::vector<double> vector;
  vector.reserve(document.size());
  for (const auto& element : document) {
    if (!element.is_number()) {
      return invalid_argument("element " + std::to_string(vector.size() + 1) + " of the vector must be a number, not " +
                              element.type_name());
    }
    vector.push_back(element.get<double>());
  }
  return vector;
}

Result<std::vector<double>> vector_of_blob(std::string_view bytes) {
  if (bytes.size() % 4 != 0) {
    return invalid_argument("a vector's blob must hold float32 numbers of 4 bytes each; this one has " +
                            std::to_string(bytes.size()) + " bytes");
  }
  std::vector<double> vector(bytes.size() / 4);
  for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = static_cast<double>(load<float>(bytes.data() + 4 * i));
  return vector;
}

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

}  // namespace

Result<std::vector<double>> read_feature_vector(ValueView value) {
  if (value.type != ValueType::blob && value.type != ValueType::text) {
    return invalid_argument("a vector must be a blob of float32 or a JSON array of numbers, not " +
                            std::string(type_name(value.type)));
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto vector,
                            value.type == ValueType::blob ? vector_of_blob(value.bytes) : vector_of_json(value.bytes));
  TRUSTSQL_RETURN_IF_ERROR(check_vector(vector));
  return vector;
}

// Vectors are gathered in blocks; a full block is centred on its own mean and merged into the totals by the pairwise
// update of Chan, Golub and LeVeque (1979). So nothing cancels, however far from the origin the vectors lie, and the
// O(d^2) work per vector is part of a matrix product.
//
// Ledoit and Wolf's shrinkage needs the sum of |x - mean|^4, but the mean is known only at the end. With y = x -
// origin, where the origin is the first block's mean, and delta = mean - origin,
//   |x - mean|^2 = |y|^2 - 2 delta'y + |delta|^2,
// and the sum of its square follows from sums over y, which can be accumulated.
//
// All totals refer to vectors divided by a power of two, which grows with them, so that no fourth power leaves the
// range of double.
struct GaussianFitter::Impl {
  static constexpr Eigen::Index block_size = 128;

  Eigen::Index d = 0;
  Matrix block;  // d x block_size, a vector in each column
  Eigen::Index in_block = 0;
  std::int64_t n = 0;  // vectors in the totals
  Vector mean;
  Matrix scatter;  // sum of (x - mean)(x - mean)', lower triangle
  Vector origin;
  double sum_norm4 = 0;           // sum of |y|^4
  Vector sum_norm2_y;             // sum of |y|^2 y
  int exponent = least_exponent;  // the vectors in the totals are divided by 2^exponent

  void start(Eigen::Index dimensions) {
    d = dimensions;
    block.resize(d, block_size);
    mean = Vector::Zero(d);
    scatter = Matrix::Zero(d, d);
    sum_norm2_y = Vector::Zero(d);
  }

  // Rescales the totals to a larger power of two if the new vectors need one.
  void scale_to(int needed) {
    if (needed <= exponent) return;
    const double factor = std::ldexp(1.0, exponent - needed);
    exponent = needed;
    if (n == 0) return;
    mean *= factor;
    origin *= factor;
    scatter *= factor * factor;
    sum_norm2_y *= factor * factor * factor;
    sum_norm4 *= factor * factor * factor * factor;
  }

  void merge_block() {
    if (in_block == 0) return;
    auto vectors = block.leftCols(in_block);
    scale_to(binary_exponent(vectors.cwiseAbs().maxCoeff()));
    vectors *= std::ldexp(1.0, -exponent);
    const Vector block_mean = vectors.rowwise().mean();
    if (n == 0) origin = block_mean;
    for (Eigen::Index i = 0; i < in_block; ++i) {
      const Vector y = vectors.col(i) - origin;
      const double norm2 = y.squaredNorm();
      sum_norm4 += norm2 * norm2;
      sum_norm2_y += norm2 * y;
    }
    vectors.colwise() -= block_mean;
    scatter.selfadjointView<Eigen::Lower>().rankUpdate(vectors);
    const Vector shift = block_mean - mean;
    const auto before = static_cast<double>(n);
    const auto added = static_cast<double>(in_block);
    scatter.selfadjointView<Eigen::Lower>().rankUpdate(shift, before * added / (before + added));
    mean += shift * (added / (before + added));
    n += in_block;
    in_block = 0;
  }

  double sum_of_fourth_powers() const {
    const auto count = static_cast<double>(n);
    const Vector delta = mean - origin;
    const double delta2 = delta.squaredNorm();
    // Sums over y from those over x - mean: y = (x - mean) + delta.
    const double sum_norm2 = scatter.trace() + count * delta2;
    const double delta_yy_delta = delta.dot(scatter.selfadjointView<Eigen::Lower>() * delta) + count * delta2 * delta2;
    return sum_norm4 + 4 * delta_yy_delta + count * delta2 * delta2 - 4 * delta.dot(sum_norm2_y) +
           2 * delta2 * sum_norm2 - 4 * delta2 * count * delta2;
  }

  // The shrinkage of Ledoit and Wolf 2004, section 3.2. `covariance` is the lower triangle of S. Their norm is divided
  // by d, which cancels.
  double ledoit_wolf(const Matrix& covariance, double mean_variance) const {
    const double norm2 = 2 * covariance.triangularView<Eigen::StrictlyLower>().toDenseMatrix().squaredNorm() +
                         covariance.diagonal().squaredNorm();
    const double dispersion = norm2 - static_cast<double>(d) * mean_variance * mean_variance;  // |S - m I|^2
    if (dispersion <= 0) return 1;
    const auto count = static_cast<double>(n);
    const double error = (sum_of_fourth_powers() / count - norm2) / count;  // the mean of |x x' - S|^2 over n
    return std::clamp(error / dispersion, 0.0, 1.0);
  }
};

GaussianFitter::GaussianFitter() : impl_(std::make_unique<Impl>()) {}
GaussianFitter::~GaussianFitter() = default;
GaussianFitter::GaussianFitter(GaussianFitter&&) noexcept = default;
GaussianFitter& GaussianFitter::operator=(GaussianFitter&&) noexcept = default;

Status GaussianFitter::add(std::span<const double> vector) {
  TRUSTSQL_RETURN_IF_ERROR(check_vector(vector));
  Impl& fit = *impl_;
  const auto size = static_cast<Eigen::Index>(vector.size());
  if (fit.d == 0) fit.start(size);
  if (size != fit.d) {
    return invalid_argument("all vectors must have the same number of dimensions; found " + std::to_string(fit.d) +
                            " and " + std::to_string(size));
  }
  std::copy(vector.begin(), vector.end(), fit.block.col(fit.in_block).data());
  if (++fit.in_block == Impl::block_size) fit.merge_block();
  return ok_status();
}

Result<std::optional<std::string>> GaussianFitter::finish(std::optional<double> shrinkage) {
  Impl& fit = *impl_;
  fit.merge_block();
  if (fit.n == 0) return std::optional<std::string>();
  const auto d = static_cast<std::size_t>(fit.d);
  Matrix covariance = fit.scatter / static_cast<double>(fit.n);
  const double mean_variance = covariance.trace() / static_cast<double>(fit.d);
  const double s = shrinkage ? *shrinkage : fit.ledoit_wolf(covariance, mean_variance);
  covariance *= 1 - s;
  covariance.diagonal().array() += s * mean_variance;
  const Vector variances = covariance.diagonal();
  const Eigen::LLT<Eigen::Ref<Matrix>, Eigen::Lower> cholesky(covariance);  // in place
  // The square of a pivot is the part of a dimension's variance that the preceding dimensions do not explain.
  const double least = 64 * static_cast<double>(fit.d) * std::numeric_limits<double>::epsilon();
  bool regular = cholesky.info() == Eigen::Success;
  for (Eigen::Index i = 0; i < fit.d && regular; ++i)
    regular = covariance(i, i) * covariance(i, i) > least * variances(i);
  if (!regular) {
    return invalid_argument("the covariance of these " + std::to_string(fit.n) + " vectors of " + std::to_string(d) +
                            " dimensions is singular with shrinkage " + format_real(s) +
                            "; more vectors, fewer dimensions or a larger shrinkage are needed");
  }
  std::string blob;
  blob.reserve(blob_size(d));
  blob += magic;
  store(blob, static_cast<std::uint64_t>(d));
  store(blob, static_cast<std::uint64_t>(fit.n));
  store(blob, s);
  const double scale = std::ldexp(1.0, fit.exponent);
  for (const double value : fit.mean) store(blob, value * scale);
  for (Eigen::Index row = 0; row < fit.d; ++row)
    for (Eigen::Index column = 0; column <= row; ++column) store(blob, covariance(row, column) * scale);
  store(blob, checksum(blob));
  return std::optional(std::move(blob));
}

Result<GaussianView> GaussianView::parse(std::string_view blob) {
  if (!blob.starts_with(magic)) return damaged("it does not begin with TSQLGAU1");
  if (blob.size() < blob_size(1)) return damaged("it has only " + std::to_string(blob.size()) + " bytes");
  GaussianView view;
  const auto d = load<std::uint64_t>(blob.data() + 8);
  const auto n = load<std::uint64_t>(blob.data() + 16);
  if (d == 0 || d > max_feature_dimensions || n == 0 || n > (std::uint64_t{1} << 53))
    return damaged("its header is invalid");
  view.dimensions_ = static_cast<std::size_t>(d);
  view.count_ = static_cast<std::int64_t>(n);
  view.shrinkage_ = load<double>(blob.data() + 24);
  if (blob.size() != blob_size(view.dimensions_)) {
    return damaged("it has " + std::to_string(blob.size()) + " bytes instead of " +
                   std::to_string(blob_size(view.dimensions_)) + " for " + std::to_string(d) + " dimensions");
  }
  const auto body = blob.substr(0, blob.size() - checksum_size);
  if (load<std::uint64_t>(body.data() + body.size()) != checksum(body)) return damaged("its checksum does not match");
  if (!(view.shrinkage_ >= 0 && view.shrinkage_ <= 1)) return damaged("its shrinkage is invalid");
  view.numbers_ = body.substr(header_size);
  return view;
}

Result<double> GaussianView::squared_distance(std::span<const double> x) const {
  if (x.size() != dimensions_) {
    return invalid_argument("the vector has " + std::to_string(x.size()) + " dimensions, the fit has " +
                            std::to_string(dimensions_));
  }
  // With covariance = L L', the distance is |z|^2 where L z = x - mean, solved row by row.
  std::vector<double> z(dimensions_);
  const char* mean = numbers_.data();
  const char* row = mean + 8 * dimensions_;
  double distance = 0;
  for (std::size_t i = 0; i < dimensions_; ++i) {
    // Four partial sums: with a single one, each addition would have to wait for the one before.
    std::array<double, 4> explained{};
    std::size_t j = 0;
    for (; j + 4 <= i; j += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) explained[lane] += load<double>(row + 8 * (j + lane)) * z[j + lane];
    for (; j < i; ++j) explained[0] += load<double>(row + 8 * j) * z[j];
    const double unexplained =
        x[i] - load<double>(mean + 8 * i) - (explained[0] + explained[1] + explained[2] + explained[3]);
    z[i] = unexplained / load<double>(row + 8 * i);
    distance += z[i] * z[i];
    row += 8 * (i + 1);
  }
  if (!std::isfinite(distance)) return invalid_argument("the distance exceeds the range of a double");
  return distance;
}

}  // namespace trustsql
