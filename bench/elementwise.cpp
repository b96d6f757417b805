// SPDX-License-Identifier: MIT
// P1: chains of elementwise ops in one pass, against a hand-written loop, Eigen arrays and xtensor's lazy expressions.
// Usage: elementwise [part of a row's name]
#define XTENSOR_USE_XSIMD
#include <cmath>
#include <vector>

#include <etch/etch.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#define HAS_EIGEN 1
#endif

#include "measure.hpp"

using namespace etch::literals;

namespace {

using array = xt::xtensor<float, 1>;

constexpr etch::placeholder<"x", float, etch::any<"n">> x;
constexpr etch::placeholder<"y", float, etch::any<"n">> y;

/// Chains are one text for all sides: expressions of etch, Eigen and xtensor, float for the loop, double for the reference.
template <class X>
constexpr auto plus_half(X&& h) {
  if constexpr (etch::symbolic<std::decay_t<X>>)
    return h + 0.5_c;
  else if constexpr (std::is_same_v<std::decay_t<X>, double>)
    return h + 0.5;
  else
    return std::forward<X>(h) + 0.5f;
}

struct chain_3 {
  static constexpr const char* name = "3 ops";
  static constexpr double tolerance = 1e-6;
  template <class X, class Y>
  static constexpr auto of(const X& a, const Y& b) {
    return (a + b) * a - b;
  }
};
struct chain_10 {
  static constexpr const char* name = "10 ops";
  static constexpr double tolerance = 2e-6;
  template <class X, class Y>
  static constexpr auto of(const X& a, const Y& b) {
    return plus_half((a + b) * (a - b)) * (a * a + b) + plus_half(a * b - a) - b * a;
  }
};
/// Horner's rule with 15 steps.
struct chain_30 {
  static constexpr const char* name = "30 ops";
  static constexpr double tolerance = 4e-6;
  template <int Steps = 15, class X, class Y>
  static constexpr auto of(const X& a, const Y& b) {
    if constexpr (Steps == 1)
      return plus_half(b * a);
    else
      return plus_half(of<Steps - 1>(a, b) * a);
  }
};
/// log(exp(x) + 0.5) * tanh(y). The hand-written loop calls std::exp, std::log and std::tanh, which g++ does not vectorise.
struct chain_functions {
  static constexpr const char* name = "exp, log, tanh";
  static constexpr double tolerance = 1e-5;
  template <class X, class Y>
  static constexpr auto of(const X& a, const Y& b) {
    if constexpr (etch::symbolic<X>) {
      return etch::log(plus_half(etch::exp(a))) * etch::tanh(b);
    } else {
      using std::exp, std::log, std::tanh;
      return log(plus_half(exp(a))) * tanh(b);
    }
  }
};

template <class Chain>
__attribute__((noinline)) void by_hand(const float* __restrict a, const float* __restrict b, float* __restrict to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = Chain::of(a[i], b[i]);
}
__attribute__((noinline)) void triad(const float* __restrict a, const float* __restrict b, float* __restrict to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = a[i] + 3 * b[i];
}

#if HAS_EIGEN
using eigen_array = Eigen::Map<Eigen::ArrayXf>;
template <class Chain>
__attribute__((noinline)) void by_eigen(const eigen_array& a, const eigen_array& b, eigen_array& to) {
  to = Chain::of(a, b);
}
#endif
template <class Chain, class To>
__attribute__((noinline)) void by_xtensor(const array& a, const array& b, To& to) {
  xt::noalias(to) = Chain::of(a, b);
}

template <class Chain>
void compare(std::size_t n, int argc, char** argv) {
  const std::string row = std::string("P1 ") + Chain::name + ", n = " + std::to_string(n);
  if (!bench::selected(argc, argv, row)) return;
  array a(std::array<std::size_t, 1>{n}), b(a.shape());
  bench::fill(a.data(), n, -1, 1, 1);
  bench::fill(b.data(), n, -1, 1, 2);
  std::vector<double> reference(n);
  for (std::size_t i = 0; i < n; ++i) reference[i] = Chain::of(static_cast<double>(a(i)), static_cast<double>(b(i)));

  constexpr auto chain = Chain::of(x, y);
  etch::session session(chain);
  session.initialize();
  auto step = session.bind(chain, x = a, y = b);
  // All write to the same memory: caches and pages are alike.
  float* const to = const_cast<float*>(step.value().data());
  auto lazy = xt::adapt(to, n, xt::no_ownership(), a.shape());
  std::vector<bench::candidate> candidates = {
      {"etch", [&] { step(); }},
      {"hand", [&] { by_hand<Chain>(a.data(), b.data(), to, n); }},
      {"xtensor", [&] { by_xtensor<Chain>(a, b, lazy); }},
  };
#if HAS_EIGEN
  const auto size = static_cast<Eigen::Index>(n);
  eigen_array eigen_a(a.data(), size), eigen_b(b.data(), size), eigen_to(to, size);
  candidates.push_back({"Eigen", [&] { by_eigen<Chain>(eigen_a, eigen_b, eigen_to); }});
#endif
  for (const bench::candidate& c : candidates) {
    std::fill(to, to + n, 0.f);
    c.repeat(1);
    bench::check(row + ", " + c.name, to, reference, Chain::tolerance, 1);
  }
  candidates.push_back({"triad", [&] { triad(a.data(), b.data(), to, n); }});

  const std::vector<bench::timing> t = bench::measure(candidates, {n > 10'000'000 ? 7 : 41});
  char note[64];
  std::snprintf(note, sizeof note, "%.1f GB/s, triad %.1f", 12e-9 * static_cast<double>(n) / t[0].median,
                12e-9 * static_cast<double>(n) / t.back().median);
  bench::print(row, t, note);
}

}  // namespace

int main(int argc, char** argv) {
  bench::heading("P1: elementwise chains over float32, two arrays in, one out (12 bytes an element)");
  for (const std::size_t n : {std::size_t{1000}, std::size_t{1'000'000}, std::size_t{60'000'000}}) {
    compare<chain_3>(n, argc, argv);
    compare<chain_10>(n, argc, argv);
    compare<chain_30>(n, argc, argv);
    compare<chain_functions>(n, argc, argv);
  }
}
