// SPDX-License-Identifier: MIT
// P1: functions of float32 registers, beside xsimd's own, Eigen's, and the C library's in a loop: the largest distance from the exact
// value in units of its last place, over every 61st of all 2^32 floats (all exponents, both signs), and nanoseconds an element in the first cache,
// on numbers where the function is neither constant nor infinite. Writes the table of docs/accuracy.md.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <etch/backend/cpu/simd.hpp>
#ifdef ETCH_BENCH_EIGEN
#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>
#endif

#include "measure.hpp"

namespace {

using V = etch::cpu::batch<float>;
constexpr int count = 1024, width = static_cast<int>(V::size);

float from_bits(std::uint32_t b) {
  float x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}

/// In ulps of the exact value, at least those of the smallest normal number: subnormal results may be 0 in runs. -1 where both are NaN or both the same infinity, 1e9
/// where only one is.
double distance(float got, double exact) {
  const float rounded = static_cast<float>(exact);
  if (std::isnan(got) || std::isnan(rounded)) return std::isnan(got) && std::isnan(rounded) ? 0 : 1e9;
  if (std::isinf(got) || std::isinf(rounded)) {
    if (got == rounded) return 0;
    return std::fabs(got) >= 3.4028233e38f && std::fabs(rounded) >= 3.4028233e38f && (got < 0) == (rounded < 0) ? 1 : 1e9;
  }
  int exponent = 0;
  std::frexp(rounded, &exponent);
  exponent = rounded == 0 || exponent < -125 ? -125 : exponent;
  return std::fabs(static_cast<double>(got) - exact) / std::ldexp(1.0, exponent - 24);
}

/// From, to: an array of `count` numbers, each result in its place.
using function = void (*)(const float* from, float* to);

double worst(function f, double (*exact)(double)) {
  std::vector<float> x(count), y(count);
  double most = 0;
  std::uint64_t next = 0;
  while (next < (std::uint64_t{1} << 32)) {
    for (float& e : x) {
      e = from_bits(static_cast<std::uint32_t>(next < (std::uint64_t{1} << 32) ? next : 0));
      next += 61;
    }
    f(x.data(), y.data());
    for (int i = 0; i < count; ++i) {
      const double d = distance(y[static_cast<std::size_t>(i)], exact(static_cast<double>(x[static_cast<std::size_t>(i)])));
      if (d > most) most = d;
    }
  }
  return most;
}

struct row {
  const char* name;
  double (*exact)(double);
  float low, high;  ///< between which it is timed
  function etch, xsimd, eigen, library;
};

#define ETCH_LOOP(CALL)                        \
  [](const float* from, float* to) {           \
    for (int i = 0; i < count; i += width) {   \
      const V x = V::load_unaligned(from + i); \
      (CALL).store_unaligned(to + i);          \
    }                                          \
  }
#define ETCH_LIBRARY(CALL)            \
  [](const float* from, float* to) {  \
    for (int i = 0; i < count; ++i) { \
      const float x = from[i];        \
      to[i] = CALL;                   \
    }                                 \
  }
#ifdef ETCH_BENCH_EIGEN
#define ETCH_EIGEN(CALL)                                           \
  [](const float* from, float* to) {                               \
    const Eigen::Map<const Eigen::Array<float, count, 1>> x(from); \
    Eigen::Map<Eigen::Array<float, count, 1>> y(to);               \
    y = CALL;                                                      \
  }
#else
#define ETCH_EIGEN(CALL) nullptr
#endif
#define ETCH_ROW(NAME, LOW, HIGH, EIGEN)                                                                                     \
  row {                                                                                                                      \
    #NAME, [](double x) { return std::NAME(x); }, LOW, HIGH, ETCH_LOOP(etch::cpu::simd::NAME(x)), ETCH_LOOP(xsimd::NAME(x)), \
        EIGEN, ETCH_LIBRARY(std::NAME(x))                                                                                    \
  }

const row rows[] = {
    ETCH_ROW(exp, -10, 10, ETCH_EIGEN(x.exp())),
    ETCH_ROW(exp2, -10, 10, nullptr),
    ETCH_ROW(expm1, -3, 3, ETCH_EIGEN(x.expm1())),
    ETCH_ROW(log, 0.01f, 100, ETCH_EIGEN(x.log())),
    ETCH_ROW(log2, 0.01f, 100, ETCH_EIGEN(x.log2())),
    ETCH_ROW(log1p, -0.9f, 10, ETCH_EIGEN(x.log1p())),
    ETCH_ROW(tanh, -4, 4, ETCH_EIGEN(x.tanh())),
    row{"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, -8, 8, ETCH_LOOP(etch::cpu::simd::sigmoid(x)), nullptr,
        ETCH_EIGEN(x.logistic()), ETCH_LIBRARY(1 / (1 + std::exp(-x)))},
    ETCH_ROW(erf, -3, 3, ETCH_EIGEN(x.erf())),
    ETCH_ROW(sin, -6, 6, ETCH_EIGEN(x.sin())),
    ETCH_ROW(cos, -6, 6, ETCH_EIGEN(x.cos())),
    ETCH_ROW(tan, -1.5f, 1.5f, nullptr),
    ETCH_ROW(sinh, -4, 4, nullptr),
    ETCH_ROW(cosh, -4, 4, nullptr),
    ETCH_ROW(asin, -1, 1, nullptr),
    ETCH_ROW(acos, -1, 1, nullptr),
    ETCH_ROW(atan, -4, 4, nullptr),
    ETCH_ROW(asinh, -10, 10, nullptr),
    ETCH_ROW(acosh, 1, 10, nullptr),
    ETCH_ROW(atanh, -0.99f, 0.99f, nullptr),
    ETCH_ROW(cbrt, -10, 10, nullptr),
    row{"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0.01f, 100, ETCH_LOOP(etch::cpu::simd::rsqrt(x)), nullptr,
        ETCH_EIGEN(x.rsqrt()), ETCH_LIBRARY(1 / std::sqrt(x))},
    row{"x^2.7", [](double x) { return std::pow(x, static_cast<double>(2.7f)); }, 0.01f, 100,
        ETCH_LOOP(etch::cpu::simd::pow(x, V(2.7f))), ETCH_LOOP(xsimd::pow(x, V(2.7f))), ETCH_EIGEN(x.pow(2.7f)),
        ETCH_LIBRARY(std::pow(x, 2.7f))},
};

std::string in_ulps(function f, double (*exact)(double)) {
  if (f == nullptr) return "";
  const double d = worst(f, exact);
  char text[32];
  if (d >= 1e9)
    return "wrong";
  else if (d >= 1000)
    std::snprintf(text, sizeof text, "%.1e", d);
  else
    std::snprintf(text, sizeof text, "%.2f", d);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("| function | etch: ulps | xsimd | Eigen | C library | etch: ns | xsimd | Eigen | C library |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  for (const row& r : rows) {
    if (!bench::selected(argc, argv, r.name)) continue;
    std::vector<float> x(count), y(count);
    bench::fill(x.data(), x.size(), r.low, r.high, 1);
    std::vector<bench::candidate> candidates;
    const function all[] = {r.etch, r.xsimd, r.eigen, r.library};
    for (const function f : all)
      if (f != nullptr) candidates.push_back({"", [&x, &y, f] { f(x.data(), y.data()); }});
    const std::vector<bench::timing> times = bench::measure(candidates);
    std::printf("| `%s` |", r.name);
    for (const function f : all) std::printf(" %s |", in_ulps(f, r.exact).c_str());
    std::size_t k = 0;
    for (const function f : all)
      if (f != nullptr)
        std::printf(" %.2f |", 1e9 * times[k++].median / count);
      else
        std::printf(" |");
    std::printf("\n");
    std::fflush(stdout);
  }
}
