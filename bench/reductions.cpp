// SPDX-License-Identifier: MIT
// P2: reductions along either axis, softmax, layer norm and log-sum-exp of a matrix, against hand-written loops, Eigen and
// xtensor. The loops by hand have several accumulators, know all extents, and are vectorised by the compiler; their
// exponential is the polynomial that etch has. Usage: reductions [part of a row's name]
#define XTENSOR_USE_XSIMD
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <etch/etch.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#define HAS_EIGEN 1
#endif

#include "measure.hpp"
#include "reductions_by_hand.hpp"

using namespace etch::literals;

namespace {

using array = xt::xtensor<float, 2>;
#if HAS_EIGEN
using matrix = Eigen::Map<const Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using result_matrix = Eigen::Map<Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
#endif
constexpr auto now = xt::evaluation_strategy::immediate;

/// What is computed: as an etch expression, in double precision for one row or column, and by each peer. `to` is flat.
template <int Axis, bool Max>
struct reduction {
  static constexpr const char* name =
      Max ? (Axis == 0 ? "max, axis 0" : "max, axis 1") : (Axis == 0 ? "sum, axis 0" : "sum, axis 1");
  static constexpr int axis = Axis;
  static constexpr bool elementwise = false;
  static constexpr auto of(auto x) {
    if constexpr (Max)
      return etch::max(x, etch::axis<Axis>);
    else
      return etch::sum(x, etch::axis<Axis>);
  }
  static void reference(const std::vector<double>& x, double* to) {
    double r = Max ? -std::numeric_limits<double>::infinity() : 0;
    for (const double v : x) r = Max ? std::max(r, v) : r + v;
    *to = r;
  }
  template <int Rows, int Columns>
  static void hand(const float* x, float* to) {
    if constexpr (Axis == 0)
      by_hand::columns<Rows, Columns, Max>(x, to);
    else
      by_hand::rows<Rows, Columns, Max>(x, to);
  }
  static void xtensor(const array& x, float* to) {
    const std::array<std::size_t, 1> shape = {x.shape(1 - Axis)};
    auto result = xt::adapt(to, shape[0], xt::no_ownership(), shape);
    if constexpr (Max)
      xt::noalias(result) = xt::amax(x, {Axis}, now);
    else
      xt::noalias(result) = xt::sum(x, {Axis}, now);
  }
#if HAS_EIGEN
  static void eigen(const matrix& x, float* to) {
    Eigen::Map<Eigen::ArrayXf> result(to, Axis == 0 ? x.cols() : x.rows());
    if constexpr (Axis == 0 && Max)
      result = x.colwise().maxCoeff();
    else if constexpr (Axis == 0)
      result = x.colwise().sum();
    else if constexpr (Max)
      result = x.rowwise().maxCoeff();
    else
      result = x.rowwise().sum();
  }
#endif
};

struct softmax {
  static constexpr const char* name = "softmax";
  static constexpr int axis = 1;
  static constexpr bool elementwise = true;
  static constexpr auto of(auto x) { return etch::softmax(x); }
  static void reference(const std::vector<double>& x, double* to) {
    const double m = *std::max_element(x.begin(), x.end());
    double sum = 0;
    for (const double v : x) sum += std::exp(v - m);
    for (const double v : x) *to++ = std::exp(v - m) / sum;
  }
  template <int Rows, int Columns>
  static void hand(const float* x, float* to) {
    by_hand::softmax<Rows, Columns>(x, to);
  }
  static void xtensor(const array& x, float* to) {
    auto result = xt::adapt(to, x.size(), xt::no_ownership(), x.shape());
    const array m = xt::amax(x, {1}, xt::keep_dims | now);
    xt::noalias(result) = xt::exp(x - m);
    const array sum = xt::sum(result, {1}, xt::keep_dims | now);
    xt::noalias(result) = result / sum;
  }
#if HAS_EIGEN
  static void eigen(const matrix& x, float* to) {
    result_matrix result(to, x.rows(), x.cols());
    const Eigen::ArrayXf m = x.rowwise().maxCoeff();
    result = (x.colwise() - m).exp();
    const Eigen::ArrayXf scale = result.rowwise().sum().inverse();
    result.colwise() *= scale;
  }
#endif
};

struct layer_norm {
  static constexpr const char* name = "layer norm";
  static constexpr int axis = 1;
  static constexpr bool elementwise = true;
  static constexpr auto of(auto x) { return etch::layer_norm(x, 2_c, 0.5_c); }
  static void reference(const std::vector<double>& x, double* to) {
    double mean = 0, variance = 0;
    const auto n = static_cast<double>(x.size());
    for (const double v : x) mean += v / n;
    for (const double v : x) variance += (v - mean) * (v - mean) / n;
    for (const double v : x) *to++ = (v - mean) / std::sqrt(variance + 1e-5) * 2 + 0.5;
  }
  template <int Rows, int Columns>
  static void hand(const float* x, float* to) {
    by_hand::layer_norm<Rows, Columns>(x, to);
  }
  static void xtensor(const array& x, float* to) {
    auto result = xt::adapt(to, x.size(), xt::no_ownership(), x.shape());
    const auto n = static_cast<float>(x.shape(1));
    const array mean = xt::sum(x, {1}, xt::keep_dims | now) / n;
    xt::noalias(result) = x - mean;
    const array scale = 2.f / xt::sqrt(xt::sum(result * result, {1}, xt::keep_dims | now) / n + 1e-5f);
    xt::noalias(result) = result * scale + 0.5f;
  }
#if HAS_EIGEN
  static void eigen(const matrix& x, float* to) {
    result_matrix result(to, x.rows(), x.cols());
    const Eigen::ArrayXf mean = x.rowwise().mean();
    result = x.colwise() - mean;
    const Eigen::ArrayXf scale = 2.f * (result.square().rowwise().mean() + 1e-5f).rsqrt();
    result = result.colwise() * scale + 0.5f;
  }
#endif
};

struct logsumexp {
  static constexpr const char* name = "logsumexp";
  static constexpr int axis = 1;
  static constexpr bool elementwise = false;
  static constexpr auto of(auto x) { return etch::logsumexp(x, etch::axis<1>); }
  static void reference(const std::vector<double>& x, double* to) {
    const double m = *std::max_element(x.begin(), x.end());
    double sum = 0;
    for (const double v : x) sum += std::exp(v - m);
    *to = m + std::log(sum);
  }
  template <int Rows, int Columns>
  static void hand(const float* x, float* to) {
    by_hand::logsumexp<Rows, Columns>(x, to);
  }
  static void xtensor(const array& x, float* to) {
    const std::array<std::size_t, 1> shape = {x.shape(0)};
    auto result = xt::adapt(to, shape[0], xt::no_ownership(), shape);
    const xt::xtensor<float, 1> m = xt::amax(x, {1}, now);
    const xt::xtensor<float, 1> sum = xt::sum(xt::exp(x - xt::view(m, xt::all(), xt::newaxis())), {1}, now);
    xt::noalias(result) = m + xt::log(sum);
  }
#if HAS_EIGEN
  static void eigen(const matrix& x, float* to) {
    Eigen::Map<Eigen::ArrayXf> result(to, x.rows());
    const Eigen::ArrayXf m = x.rowwise().maxCoeff();
    result = m + (x.colwise() - m).exp().rowwise().sum().log();
  }
#endif
};

template <class Work, int Rows, int Columns>
void compare(int argc, char** argv) {
  const std::string row = std::string("P2 ") + Work::name + " (" + std::to_string(Rows) + ", " + std::to_string(Columns) + ")";
  if (!bench::selected(argc, argv, row)) return;
  array a(std::array<std::size_t, 2>{Rows, Columns});
  bench::fill(a.data(), a.size(), -2, 3, 1);

  constexpr etch::placeholder<"x", float, Rows, Columns> x;
  constexpr auto y = Work::of(x);
  etch::session session(y);
  session.initialize();
  auto step = session.bind(y, x = a);
  // All write to the same memory: caches and pages are alike.
  float* const to = const_cast<float*>(step.value().data());

  constexpr int lines = Work::axis == 1 ? Rows : Columns, length = Work::axis == 1 ? Columns : Rows;
  std::vector<double> reference(Work::elementwise ? a.size() : lines), line(length);
  for (int i = 0; i < lines; ++i) {
    for (int j = 0; j < length; ++j) line[static_cast<std::size_t>(j)] = static_cast<double>(Work::axis == 1 ? a(i, j) : a(j, i));
    Work::reference(line, reference.data() + static_cast<std::ptrdiff_t>(i) * (Work::elementwise ? length : 1));
  }
  std::vector<bench::candidate> candidates = {
      {"etch", [&] { step(); }},
      {"hand", [&] { Work::template hand<Rows, Columns>(a.data(), to); }},
      {"xtensor", [&] { Work::xtensor(a, to); }},
  };
#if HAS_EIGEN
  candidates.push_back({"Eigen", [&] { Work::eigen(matrix(a.data(), Rows, Columns), to); }});
#endif
  // A sum of a million terms of about 1 has an error of about 1e-7 times the sum of their magnitudes for good orders, and
  // a hundred times that for xtensor's.
  const double scale = std::is_same_v<Work, softmax> ? 1e-6 : Work::name[0] == 's' ? length : 1;
  for (const bench::candidate& c : candidates) {
    std::fill(to, to + reference.size(), 0.f);
    c.repeat(1);
    bench::check(row + ", " + c.name, to, reference, c.name == "xtensor" || c.name == "Eigen" ? 1e-3 : 4e-6, scale);
  }
  const std::vector<bench::timing> t = bench::measure(candidates, {21, 0.002});
  char note[32];
  const double bytes = 4.0 * Rows * Columns * (Work::elementwise ? 2 : 1);
  std::snprintf(note, sizeof note, "%.1f GB/s", 1e-9 * bytes / t[0].median);
  bench::print(row, t, note);
}

template <int Rows, int Columns>
void compare_all(int argc, char** argv) {
  compare<reduction<0, false>, Rows, Columns>(argc, argv);
  compare<reduction<1, false>, Rows, Columns>(argc, argv);
  compare<reduction<0, true>, Rows, Columns>(argc, argv);
  compare<reduction<1, true>, Rows, Columns>(argc, argv);
  compare<softmax, Rows, Columns>(argc, argv);
  compare<layer_norm, Rows, Columns>(argc, argv);
  compare<logsumexp, Rows, Columns>(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  bench::heading("P2: reductions of float32 matrices (GB/s: the matrix read once, and written once where the result is one)");
  compare_all<512, 1024>(argc, argv);
  compare_all<32, 50000>(argc, argv);
  compare_all<1000000, 8>(argc, argv);
}
