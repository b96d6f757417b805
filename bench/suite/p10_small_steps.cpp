// SPDX-License-Identifier: MIT
// P10: steps of some hundred nanoseconds: Adam on six coefficients, a cell of an LSTM. Against loops by hand and Eigen.
#include <cmath>
#include <memory>

#include "session.hpp"
#if defined(ETCH_BENCH_EIGEN)
// Of g++ 12's own intrinsics for AVX-512, in Eigen's exp and tanh.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <Eigen/Dense>
#endif

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
    const auto session = std::make_shared<etch::session<std::remove_const_t<decltype(p::step)>>>(p::step);
    session->set_executor(pool());
    session->initialize();
    const auto bind = [=] { return session->bind(p::step, p::x = data->xs, p::y = data->ys); };
    const auto bound = std::make_shared<decltype(bind())>(bind());
    return make_job([session, data, bound] { (*bound)(); },
                    [session, data, bound] {
                      session->initialize();
                      for (int i = 0; i < 100; ++i) (*bound)();
                      const auto& c = session->get(p::c);
                      return std::vector<float>(c.begin(), c.end());
                    });
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

/// A step of an LSTM for one sample: h and c are variables. Results: h after three steps.
template <int Units>
struct cell {
  static constexpr etch::placeholder<"x", float, 1, Units> x{};
  static constexpr auto kernel = etch::variable<"kernel">(etch::zeros<float>(etch::shape<Units, 4 * Units>{}));
  static constexpr auto recurrent = etch::variable<"recurrent">(etch::zeros<float>(etch::shape<Units, 4 * Units>{}));
  static constexpr auto bias = etch::variable<"bias">(etch::zeros<float>(etch::shape<4 * Units>{}));
  static constexpr auto h = etch::variable<"h">(etch::zeros<float>(etch::shape<1, Units>{}), etch::not_trainable);
  static constexpr auto c = etch::variable<"c">(etch::zeros<float>(etch::shape<1, Units>{}), etch::not_trainable);
  static constexpr auto gates = etch::split<4>(etch::matmul(x, kernel) + etch::matmul(h, recurrent) + bias, etch::axis<1>);
  static constexpr auto next_c =
      etch::sigmoid(std::get<1>(gates)) * c + etch::sigmoid(std::get<0>(gates)) * etch::tanh(std::get<2>(gates));
  static constexpr auto next_h = etch::sigmoid(std::get<3>(gates)) * etch::tanh(next_c);
  static constexpr auto step = etch::group(etch::assign(c, next_c), etch::assign(h, next_h));

  filled<float, 1, Units> input{1};
  filled<float, Units, 4 * Units> weights{2, 0.3f, 0.0f}, recurrent_weights{3, 0.3f, 0.0f};
  filled<float, 4 * Units> biases{4};
};
template <int Units>
void add_cell(worker& w) {
  using model = cell<Units>;
  const std::string name = "P10 step of an LSTM of " + std::to_string(Units) + " units, one sample";
  constexpr double flops = 16.0 * Units * Units;
  w.add(name, "etch", flops, 0, [] {
    const auto data = std::make_shared<model>();
    const auto session = std::make_shared<etch::session<std::remove_const_t<decltype(model::step)>>>(model::step);
    session->set_executor(pool());
    const auto start = [=] {
      session->initialize();
      session->set(model::kernel, data->weights.values);
      session->set(model::recurrent, data->recurrent_weights.values);
      session->set(model::bias, data->biases.values);
    };
    start();
    const auto bind = [=] { return session->bind(model::step, model::x = data->input.values); };
    const auto bound = std::make_shared<decltype(bind())>(bind());
    return make_job([session, data, bound] { (*bound)(); },
                    [session, data, bound, start] {
                      start();
                      for (int i = 0; i < 3; ++i) (*bound)();
                      const auto& h = session->get(model::h);
                      return std::vector<float>(h.begin(), h.end());
                    });
  });
#if defined(ETCH_BENCH_EIGEN)
  struct by_eigen {
    using row = Eigen::Array<float, 1, Units>;
    Eigen::Matrix<float, 1, Units> x, h = Eigen::Matrix<float, 1, Units>::Zero();
    Eigen::Matrix<float, Units, 4 * Units, Eigen::RowMajor> kernel, recurrent;
    Eigen::Matrix<float, 1, 4 * Units> bias, z;
    row c = row::Zero();
    by_eigen() {
      const model m;
      std::copy(m.input.values.begin(), m.input.values.end(), x.data());
      std::copy(m.weights.values.begin(), m.weights.values.end(), kernel.data());
      std::copy(m.recurrent_weights.values.begin(), m.recurrent_weights.values.end(), recurrent.data());
      std::copy(m.biases.values.begin(), m.biases.values.end(), bias.data());
    }
    static row sigmoid(const row& v) { return 1 / (1 + (-v).exp()); }
    void step() {
      z.noalias() = x * kernel;
      z.noalias() += h * recurrent;
      z += bias;
      const auto gate = [&](int k) -> row { return z.template segment<Units>(k * Units).array(); };
      c = sigmoid(gate(1)) * c + sigmoid(gate(0)) * gate(2).tanh();
      h = (sigmoid(gate(3)) * c.tanh()).matrix();
    }
  };
  w.add(name, "Eigen", flops, 0, [] {
    const auto e = std::make_shared<by_eigen>();
    return make_job([e] { e->step(); },
                    [e] {
                      e->c.setZero();
                      e->h.setZero();
                      for (int i = 0; i < 3; ++i) e->step();
                      return std::vector<float>(e->h.data(), e->h.data() + Units);
                    });
  });
#endif
}

}  // namespace

int main() {
  worker w;
  add_polynomial(w);
  add_cell<8>(w);
  add_cell<16>(w);
  add_cell<32>(w);
  add_cell<64>(w);
  return w.serve();
}
