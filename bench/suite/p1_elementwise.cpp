// SPDX-License-Identifier: MIT
// P1: fused elementwise chains of float32: 3, 10 and 30 ops, and exp, log, tanh. Against a loop by hand, Eigen and xtensor.
#define XTENSOR_USE_XSIMD
#include <cmath>
#include <memory>

#include <xtensor/xnoalias.hpp>

#include "session.hpp"
#ifdef ETCH_BENCH_EIGEN
#include <Eigen/Core>
#endif

using namespace bench::suite;
using namespace etch::literals;

namespace {

/// `Ops` operations on x and y; of ops, of numbers, of Eigen's arrays alike.
template <int Ops, class X, class Y, class C>
constexpr auto chain(const X& x, const Y& y, const C& c) {
  if constexpr (Ops == 3)
    return (x + y) * c - x;
  else if constexpr (Ops == 10)
    return ((((x * c + y) * c + y) * c + y) * c + y) * c + y;
  else
    return (((((((((((((((x * c + y) * c + y) * c + y) * c + y) * c + y) * c + y) * c + y) * c + y) * c + y) * c + y) * c + y) * c +
               y) *
                  c +
              y) *
                 c +
             y) *
                c +
            y);
}

template <int N>
struct operands {
  filled<float, N> x{1}, y{2};
  xt::xtensor<float, 1> z = xt::zeros<float>({static_cast<std::size_t>(N)});
  std::vector<float> result() const { return {z.begin(), z.end()}; }
};

template <int Ops, int N>
__attribute__((noinline)) void loop(const float* __restrict x, const float* __restrict y, float* __restrict z) {
  for (int i = 0; i < N; ++i) z[i] = chain<Ops>(x[i], y[i], 0.5f);
}
template <int N>
__attribute__((noinline)) void functions_loop(const float* __restrict x, const float* __restrict y, float* __restrict z) {
  for (int i = 0; i < N; ++i) z[i] = std::log(std::exp(x[i]) + 0.5f) * std::tanh(y[i]);
}

template <int N>
constexpr etch::placeholder<"x", float, N> x;
template <int N>
constexpr etch::placeholder<"y", float, N> y;

template <int N, class E, class Loop>
void add(worker& w, const std::string& name, double ops, const E& e, Loop by_hand) {
  const double bytes = 12.0 * N, flops = ops * N;
  w.add(name, "etch", flops, bytes, [e] {
    const auto a = std::make_shared<operands<N>>();
    return etch_job(e, [a] { return x<N> = a->x.values; }, [a] { return y<N> = a->y.values; });
  });
  add_library<operands<N>>(
      w, name, "loop", [by_hand](operands<N>& a) { by_hand(a.x.values.data(), a.y.values.data(), a.z.data()); }, flops, bytes);
}

template <int Ops, int N>
void add_chain(worker& w) {
  const std::string name = "P1 chain of " + std::to_string(Ops) + ", " + std::to_string(N);
  add<N>(w, name, Ops, chain<Ops>(x<N>, y<N>, 0.5_c), &loop<Ops, N>);
  add_library<operands<N>>(w, name, "xtensor", [](operands<N>& a) { xt::noalias(a.z) = chain<Ops>(a.x.values, a.y.values, 0.5f); });
#ifdef ETCH_BENCH_EIGEN
  add_library<operands<N>>(w, name, "Eigen", [](operands<N>& a) {
    using array = Eigen::Map<Eigen::ArrayXf>;
    const array u(a.x.values.data(), N), v(a.y.values.data(), N);
    array(a.z.data(), N) = chain<Ops>(u, v, 0.5f);
  });
#endif
}

template <int N>
void add_functions(worker& w) {
  const std::string name = "P1 log(exp(x) + 0.5) * tanh(y), " + std::to_string(N);
  add<N>(w, name, 5, etch::log(etch::exp(x<N>) + 0.5_c) * etch::tanh(y<N>), &functions_loop<N>);
#ifdef ETCH_BENCH_EIGEN
  add_library<operands<N>>(w, name, "Eigen", [](operands<N>& a) {
    using array = Eigen::Map<Eigen::ArrayXf>;
    const array u(a.x.values.data(), N), v(a.y.values.data(), N);
    array(a.z.data(), N) = (u.exp() + 0.5f).log() * v.tanh();
  });
#endif
}

template <int N>
void add_size(worker& w) {
  add_chain<3, N>(w);
  add_chain<10, N>(w);
  add_chain<30, N>(w);
  add_functions<N>(w);
}

}  // namespace

int main() {
  worker w;
  add_size<1000>(w);
  add_size<1000000>(w);
  add_size<60000000>(w);
  return w.serve();
}
