// SPDX-License-Identifier: MIT
// P10: steps of some hundred nanoseconds: Adam on six coefficients, networks of some neurons a layer, chains of named extents and of arrays
// that begin within cache lines. Against loops by hand and Eigen.
#include <array>
#include <cmath>
#include <memory>

#include <xtensor/xadapt.hpp>

#include "eigen.hpp"
#include "session.hpp"

using namespace bench::suite;
using namespace etch::literals;

namespace {

/// Adam fits a polynomial of the fifth degree to a sine at 20 places, in double. Results: the coefficients after 100 steps.
struct polynomial {
  static constexpr int points = 20;
  static constexpr etch::placeholder<"x", double, points> x{};
  static constexpr etch::placeholder<"y", double, points> y{};
  static constexpr auto c = etch::variable<"c">(etch::zeros<double>(etch::shape<6>{}));
  template <int K>
  static constexpr auto of = etch::slice(c, etch::section<K, K + 1>);
  static constexpr auto fitted = of<0> + x * (of<1> + x * (of<2> + x * (of<3> + x * (of<4> + x * of<5>))));
  static constexpr auto step = etch::optimizers::adam(0.01_c).minimize(etch::mean(etch::square(fitted - y)));

  xt::xtensor<double, 1> xs = xt::zeros<double>({std::size_t{points}}), ys = xs;
  double coefficients[6], m[6], v[6];
  int steps;

  polynomial() {
    for (std::size_t i = 0; i < points; ++i) {
      xs(i) = -1 + 0.1 * static_cast<double>(i);
      ys(i) = std::sin(3 * xs(i));
    }
    start();
  }
  void start() {
    for (int k = 0; k < 6; ++k) coefficients[k] = m[k] = v[k] = 0;
    steps = 0;
  }
  void step_by_hand() {
    double g[6] = {}, *const w = coefficients;
    for (std::size_t i = 0; i < points; ++i) {
      const double t = xs.data()[i];
      double d = 2. / points * (w[0] + t * (w[1] + t * (w[2] + t * (w[3] + t * (w[4] + t * w[5])))) - ys.data()[i]);
      for (int k = 0; k < 6; ++k, d *= t) g[k] += d;
    }
    ++steps;
    const double rate = 0.01 * std::sqrt(1 - std::pow(0.999, steps)) / (1 - std::pow(0.9, steps));
    for (int k = 0; k < 6; ++k) {
      m[k] = 0.9 * m[k] + 0.1 * g[k];
      v[k] = 0.999 * v[k] + 0.001 * g[k] * g[k];
      w[k] -= rate * m[k] / (std::sqrt(v[k]) + 1e-7);
    }
  }
};
void add_polynomial(worker& w) {
  const char* const name = "P10 Adam step of a polynomial of 6 terms at 20 places";
  w.add(name, "etch", 0, 0, [] {
    using p = polynomial;
    const auto data = std::make_shared<polynomial>();
    return state_job(p::step, p::c, 100, [](auto&) {}, [data] { return p::x = data->xs; }, [data] { return p::y = data->ys; });
  });
  w.add(name, "loop", 0, 0, [] {
    const auto p = std::make_shared<polynomial>();
    return make_job([p] { p->step_by_hand(); },
                    [p] {
                      p->start();
                      for (int i = 0; i < 100; ++i) p->step_by_hand();
                      return std::vector<float>(p->coefficients, p->coefficients + 6);
                    });
  });
}

/// Two hidden layers with tanh, one sample.
template <int Neurons>
void add_dense(worker& w) {
  static constexpr etch::placeholder<"x", float, 1, 1> x;
  static constexpr auto hidden = etch::tanh(etch::nn::dense<"second", Neurons>(etch::tanh(etch::nn::dense<"first", Neurons>(x))));
  static constexpr auto y = etch::nn::dense<"third", 1>(hidden);
  const std::string neurons = std::to_string(Neurons), name = "P10 dense 1-" + neurons + "-" + neurons + "-1, tanh, one sample";
  static const float scale = std::sqrt(3.0f / Neurons);
  w.add(name, "etch", 0, 0, [] {
    const auto input = std::make_shared<filled<float, 1, 1>>(1u);
    return layers_job(y, {{"first/kernel", 10}, {"second/kernel", 11, scale}, {"third/kernel", 12, scale}},
                      [input] { return x = input->values; });
  });
#if defined(ETCH_BENCH_EIGEN)
  struct by_eigen {
    float x, result;
    Eigen::Matrix<float, 1, Neurons> first, last, hidden, bias = Eigen::Matrix<float, 1, Neurons>::Zero(), second_bias = bias;
    Eigen::Matrix<float, Neurons, Neurons, Eigen::RowMajor> second;
    float last_bias = 0;
    by_eigen() {
      fill(1, &x, 1);
      fill(10, first.data(), Neurons);
      fill(11, second.data(), Neurons * Neurons, scale);
      fill(12, last.data(), Neurons, scale);
    }
    void run() {
      hidden = (x * first + bias).array().tanh();
      hidden = (hidden * second + second_bias).array().tanh();
      result = hidden.dot(last) + last_bias;
    }
  };
  w.add(name, "Eigen", 0, 0, [] {
    const auto e = std::make_shared<by_eigen>();
    return make_job([e] { e->run(); },
                    [e] {
                      e->run();
                      return std::vector<float>{e->result};
                    });
  });
#endif
}

/// Ten operations on n floats, by hand and by Eigen.
template <class Operands>
void add_chain_by_others(worker& w, const std::string& name) {
  add_library<Operands>(w, name, "loop", [](Operands& v) {
    const float *const from = v.x.values.data(), *const more = v.y.values.data();
    float* __restrict const to = v.z.values.data();
    for (std::size_t i = 0, n = v.z.values.size(); i < n; ++i) {
      float a = from[i];
      for (int k = 0; k < 5; ++k) a = a * 0.5f + more[i];
      to[i] = a;
    }
  });
#if defined(ETCH_BENCH_EIGEN)
  add_library<Operands>(w, name, "Eigen", [](Operands& v) {
    using array = Eigen::Map<const Eigen::ArrayXf>;
    const auto n = static_cast<Eigen::Index>(v.z.values.size());
    const array a(v.x.values.data(), n), b(v.y.values.data(), n);
    Eigen::Map<Eigen::ArrayXf>(v.z.values.data(), n) = ((((a * 0.5f + b) * 0.5f + b) * 0.5f + b) * 0.5f + b) * 0.5f + b;
  });
#endif
}
constexpr auto chain_of_ten(auto x, auto y) {
  const auto step = [y](auto a) { return a * 0.5_c + y; };
  return step(step(step(step(step(x)))));
}

/// Where n is known in a run.
template <int N>
void add_chain(worker& w) {
  static constexpr etch::placeholder<"x", float, etch::any<"n">> x;
  static constexpr etch::placeholder<"y", float, etch::any<"n">> y;
  struct operands {
    filled<float, N> x{1}, y{2}, z{0};
    std::vector<float> result() const { return {z.values.begin(), z.values.end()}; }
  };
  const std::string name = "P10 chain of 10, named extent of " + std::to_string(N);
  w.add(name, "etch", 0, 0, [] {
    const auto v = std::make_shared<operands>();
    return etch_job(chain_of_ten(x, y), [v] { return x = v->x.values; }, [v] { return y = v->y.values; });
  });
  add_chain_by_others<operands>(w, name);
}

/// Floats that begin 16 bytes behind a cache line, as NumPy's and malloc's may.
template <std::size_t N>
struct array_in_line {
  alignas(64) float memory[N + 4];
  using view = decltype(xt::adapt(std::declval<float*>(), N, xt::no_ownership(), std::array<std::size_t, 1>()));
  view values = xt::adapt(memory + 4, N, xt::no_ownership(), std::array<std::size_t, 1>{N});
  explicit array_in_line(std::uint32_t number) { fill(number, memory + 4, N); }
  array_in_line(const array_in_line&) = delete;
};
template <int N>
void add_chain_in_lines(worker& w) {
  static constexpr etch::placeholder<"x", float, N> x;
  static constexpr etch::placeholder<"y", float, N> y;
  struct operands {
    array_in_line<N> x{1}, y{2}, z{0};
    std::vector<float> result() const { return {z.values.begin(), z.values.end()}; }
  };
  const std::string name = "P10 chain of 10, arrays at 16 bytes, " + std::to_string(N);
  w.add(name, "etch", 0, 0, [] {
    const auto v = std::make_shared<operands>();
    return etch_job(chain_of_ten(x, y), [v] { return x = v->x.values; }, [v] { return y = v->y.values; });
  });
  add_chain_by_others<operands>(w, name);
}

}  // namespace

int main() {
  worker w;
  add_polynomial(w);
  add_dense<8>(w);
  add_dense<16>(w);
  add_dense<32>(w);
  add_dense<64>(w);
  add_chain<100>(w);
  add_chain<1000>(w);
  add_chain_in_lines<1'000>(w);
  add_chain_in_lines<10'000>(w);
  add_chain_in_lines<100'000>(w);
  return w.serve();
}
