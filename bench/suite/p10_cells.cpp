// SPDX-License-Identifier: MIT
// P10: cells of an LSTM and a GRU, a sample or some a call. Against Eigen.
#include <memory>

#include "eigen.hpp"
#include "session.hpp"

using namespace bench::suite;
using namespace etch::literals;

namespace {

/// What a step reads: of so many gates, whose weights lie side by side. h is a variable.
template <int Samples, int Units, int Gates>
struct cell {
  static constexpr etch::placeholder<"x", float, Samples, Units> x{};
  static constexpr auto kernel = etch::variable<"kernel">(etch::zeros<float>(etch::shape<Units, Gates * Units>{}));
  static constexpr auto recurrent = etch::variable<"recurrent">(etch::zeros<float>(etch::shape<Units, Gates * Units>{}));
  static constexpr auto bias = etch::variable<"bias">(etch::zeros<float>(etch::shape<Gates * Units>{}));
  static constexpr auto h = etch::variable<"h">(etch::zeros<float>(etch::shape<Samples, Units>{}), etch::not_trainable);

  filled<float, Samples, Units> input{1};
  filled<float, Units, Gates * Units> weights{2, 0.3f, 0.0f}, recurrent_weights{3, 0.3f, 0.0f};
  filled<float, Gates * Units> biases{4};
};

/// The model's step. Results: h after three of them.
template <class Model>
job job_of() {
  const auto data = std::make_shared<Model>();
  const auto start = [data](auto& session) {
    session.set(Model::kernel, data->weights.values);
    session.set(Model::recurrent, data->recurrent_weights.values);
    session.set(Model::bias, data->biases.values);
  };
  return state_job(Model::step, Model::h, 3, start, [data] { return Model::x = data->input.values; });
}
std::string name_of(const char* what, int units, int samples) {
  return std::string("P10 step of ") + what + " of " + std::to_string(units) + " units, " +
         (samples == 1 ? "one sample" : std::to_string(samples) + " samples");
}

#if defined(ETCH_BENCH_EIGEN)
template <class Row>
auto sigmoid(const Row& v) {
  return 1 / (1 + (-v).exp());
}
template <int Samples, int Units, int Gates>
struct eigen_cell {
  using rows = Eigen::Array<float, Samples, Units, Eigen::RowMajor>;
  using all_gates = Eigen::Matrix<float, Samples, Gates * Units, Eigen::RowMajor>;
  Eigen::Matrix<float, Samples, Units, Eigen::RowMajor> x, h;
  Eigen::Matrix<float, Units, Gates * Units, Eigen::RowMajor> kernel, recurrent;
  Eigen::Matrix<float, 1, Gates * Units> bias;
  eigen_cell() {
    const cell<Samples, Units, Gates> m;
    std::copy(m.input.values.begin(), m.input.values.end(), x.data());
    std::copy(m.weights.values.begin(), m.weights.values.end(), kernel.data());
    std::copy(m.recurrent_weights.values.begin(), m.recurrent_weights.values.end(), recurrent.data());
    std::copy(m.biases.values.begin(), m.biases.values.end(), bias.data());
  }
};
template <class Cell>
job eigen_job() {
  const auto e = std::make_shared<Cell>();
  return make_job([e] { e->step(); },
                  [e] {
                    e->start();
                    for (int i = 0; i < 3; ++i) e->step();
                    return std::vector<float>(e->h.data(), e->h.data() + e->h.size());
                  });
}
#endif

/// A step of an LSTM: c is a variable, too.
template <int Samples, int Units>
struct lstm : cell<Samples, Units, 4> {
  using base = cell<Samples, Units, 4>;
  using base::x, base::h;
  static constexpr auto c = etch::variable<"c">(etch::zeros<float>(etch::shape<Samples, Units>{}), etch::not_trainable);
  static constexpr auto gates =
      etch::split<4>(etch::matmul(x, base::kernel) + etch::matmul(h, base::recurrent) + base::bias, etch::axis<1>);
  static constexpr auto next_c =
      etch::sigmoid(std::get<1>(gates)) * c + etch::sigmoid(std::get<0>(gates)) * etch::tanh(std::get<2>(gates));
  static constexpr auto next_h = etch::sigmoid(std::get<3>(gates)) * etch::tanh(next_c);
  static constexpr auto step = etch::group(etch::assign(c, next_c), etch::assign(h, next_h));
};
template <int Units, int Samples = 1>
void add_lstm(worker& w) {
  using model = lstm<Samples, Units>;
  const std::string name = name_of("an LSTM", Units, Samples);
  constexpr double flops = 16.0 * Samples * Units * Units;
  w.add(name, "etch", flops, 0, [] { return job_of<model>(); });
#if defined(ETCH_BENCH_EIGEN)
  struct by_eigen : eigen_cell<Samples, Units, 4> {
    using base = eigen_cell<Samples, Units, 4>;
    using base::x, base::h, base::kernel, base::recurrent, base::bias;
    using typename base::rows;
    typename base::all_gates z;
    rows c;
    void start() {
      c.setZero();
      h.setZero();
    }
    void step() {
      z.noalias() = x * kernel;
      z.noalias() += h * recurrent;
      z.rowwise() += bias;
      const auto gate = [&](int k) -> rows { return z.template middleCols<Units>(k * Units).array(); };
      c = sigmoid(gate(1)) * c + sigmoid(gate(0)) * gate(2).tanh();
      h = (sigmoid(gate(3)) * c.tanh()).matrix();
    }
  };
  w.add(name, "Eigen", flops, 0, [] { return eigen_job<by_eigen>(); });
#endif
}

/// A step of a GRU.
template <int Samples, int Units>
struct gru : cell<Samples, Units, 3> {
  using base = cell<Samples, Units, 3>;
  using base::x, base::h;
  static constexpr auto of_x = etch::split<3>(etch::matmul(x, base::kernel) + base::bias, etch::axis<1>);
  static constexpr auto of_h = etch::split<3>(etch::matmul(h, base::recurrent), etch::axis<1>);
  static constexpr auto update = etch::sigmoid(std::get<0>(of_x) + std::get<0>(of_h));
  static constexpr auto reset = etch::sigmoid(std::get<1>(of_x) + std::get<1>(of_h));
  static constexpr auto candidate = etch::tanh(std::get<2>(of_x) + reset * std::get<2>(of_h));
  static constexpr auto step = etch::group(etch::assign(h, update* h + (1_c - update) * candidate));
};
template <int Units, int Samples = 1>
void add_gru(worker& w) {
  using model = gru<Samples, Units>;
  const std::string name = name_of("a GRU", Units, Samples);
  constexpr double flops = 12.0 * Samples * Units * Units;
  w.add(name, "etch", flops, 0, [] { return job_of<model>(); });
#if defined(ETCH_BENCH_EIGEN)
  struct by_eigen : eigen_cell<Samples, Units, 3> {
    using base = eigen_cell<Samples, Units, 3>;
    using base::x, base::h, base::kernel, base::recurrent, base::bias;
    using typename base::rows;
    typename base::all_gates of_x, of_h;
    void start() { h.setZero(); }
    void step() {
      of_x.noalias() = x * kernel;
      of_x.rowwise() += bias;
      of_h.noalias() = h * recurrent;
      const auto gate = [](const auto& of, int k) -> rows { return of.template middleCols<Units>(k * Units).array(); };
      const rows update = sigmoid(gate(of_x, 0) + gate(of_h, 0)), reset = sigmoid(gate(of_x, 1) + gate(of_h, 1));
      h = (update * h.array() + (1 - update) * (gate(of_x, 2) + reset * gate(of_h, 2)).tanh()).matrix();
    }
  };
  w.add(name, "Eigen", flops, 0, [] { return eigen_job<by_eigen>(); });
#endif
}

}  // namespace

int main() {
  worker w;
  add_lstm<8>(w);
  add_lstm<16>(w);
  add_lstm<32>(w);
  add_lstm<64>(w);
  add_lstm<64, 16>(w);
  add_gru<8>(w);
  add_gru<16>(w);
  add_gru<32>(w);
  add_gru<64>(w);
  add_gru<64, 16>(w);
  return w.serve();
}
