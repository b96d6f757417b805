// SPDX-License-Identifier: MIT
// P10: simulations: steps of the heat equation with edges that go on and with fixed ones, of bodies that attract each other. Against loops by
// hand, from one array to another where they need a second one.
#include <cmath>
#include <memory>

#include "session.hpp"

using namespace bench::suite;
using namespace etch::literals;

namespace {

/// step(from, to), after which the arrays are exchanged. Results: of the first step.
template <class T, class Step>
void add_loop(worker& w, const std::string& name, int n, Step step) {
  w.add(name, "loop", 0, 2.0 * sizeof(T) * n * n, [n, step] {
    using array = std::vector<T>;
    const auto size = static_cast<std::size_t>(n * n);
    const auto now = std::make_shared<std::pair<array, array>>(array(size), array(size));
    const auto start = [=] {
      std::vector<float> begin(size);
      fill(1, begin.data(), size);
      now->first.assign(begin.begin(), begin.end());
      now->second = now->first;
    };
    const auto run = [=] {
      step(now->first.data(), now->second.data());
      now->first.swap(now->second);
    };
    start();
    return make_job(run, [=] {
      start();
      run();
      return std::vector<float>(now->first.begin(), now->first.end());
    });
  });
}

/// An explicit step of the heat equation on a variable, whose outermost elements go on beyond its edges. Results: of the first step.
template <int N>
void add_heat(worker& w) {
  static constexpr auto u = etch::variable<"u">(etch::zeros<float>(etch::shape<N, N>{}), etch::not_trainable);
  static constexpr auto around = [](auto... sections) {
    return etch::slice(etch::pad(u, etch::padding<1>, etch::padding<1>, etch::edge), sections...);
  };
  static constexpr auto middle = etch::section<1, -1>;
  static constexpr auto neighbours = around(etch::section<0, -2>, middle) + around(etch::section<2>, middle) +
                                     around(middle, etch::section<0, -2>) + around(middle, etch::section<2>);
  static constexpr auto step = etch::group(etch::assign(u, u + 0.125_c * (neighbours - 4_c * u)));
  const std::string name = "P10 heat with edges, (" + std::to_string(N) + ", " + std::to_string(N) + ")";
  w.add(name, "etch", 0, 8.0 * N * N,
        [] { return state_job(step, u, 1, [](auto& session) { session.set(u, filled<float, N, N>{1}.values); }); });
  const auto by_hand = [](const float* __restrict x, float* __restrict y) {
    const auto edge = [&](int i, int j) {
      const int above = i == 0 ? 0 : i - 1, below = i == N - 1 ? i : i + 1, left = j == 0 ? 0 : j - 1,
                right = j == N - 1 ? j : j + 1;
      y[i * N + j] =
          x[i * N + j] + 0.125f * (x[above * N + j] + x[below * N + j] + x[i * N + left] + x[i * N + right] - 4 * x[i * N + j]);
    };
    for (int i = 0; i < N; ++i) {
      edge(i, 0);
      if (i == 0 || i == N - 1)
        for (int j = 1; j < N - 1; ++j) edge(i, j);
      else
        for (int j = i * N + 1; j < i * N + N - 1; ++j)
          y[j] = x[j] + 0.125f * (x[j - N] + x[j + N] + x[j - 1] + x[j + 1] - 4 * x[j]);
      edge(i, N - 1);
    }
  };
  add_loop<float>(w, name, N, by_hand);
}

/// With fixed edges: what changes is padded, as one writes it who has not assigned a slice; in double. Results: of the first step.
template <int N>
void add_padded_heat(worker& w) {
  static constexpr auto u = etch::variable<"u">(etch::zeros<double>(etch::shape<N, N>{}), etch::not_trainable);
  static constexpr auto middle = etch::section<1, -1>;
  static constexpr auto laplacian = etch::slice(u, etch::section<0, -2>, middle) + etch::slice(u, etch::section<2>, middle) +
                                    etch::slice(u, middle, etch::section<0, -2>) + etch::slice(u, middle, etch::section<2>) -
                                    4_c * etch::slice(u, middle, middle);
  static constexpr auto step = etch::group(etch::assign(u, u + etch::pad(0.2_c * laplacian, etch::padding<1>, etch::padding<1>)));
  const std::string name = "P10 heat with fixed edges, padded, double (" + std::to_string(N) + ", " + std::to_string(N) + ")";
  w.add(name, "etch", 0, 16.0 * N * N, [] {
    return state_job(step, u, 1, [](auto& session) {
      const filled<float, N, N> begin{1};
      session.set(u, xt::xtensor<double, 2>(begin.values));
    });
  });
  add_loop<double>(w, name, N, [](const double* __restrict from, double* __restrict to) {
    for (int i = 1; i < N - 1; ++i)
      for (int j = i * N + 1; j < i * N + N - 1; ++j)
        to[j] = from[j] + 0.2 * (from[j - N] + from[j + N] + from[j - 1] + from[j + 1] - 4 * from[j]);
  });
}

/// Leapfrog: velocities by a whole step of the acceleration, then positions. Results: the positions after ten steps.
template <int N>
struct bodies {
  static constexpr auto x = etch::variable<"x">(etch::zeros<float>(etch::shape<N, 3>{}), etch::not_trainable);
  static constexpr auto v = etch::variable<"v">(etch::zeros<float>(etch::shape<N, 3>{}), etch::not_trainable);
  static constexpr auto m = etch::variable<"m">(etch::ones<float>(etch::shape<N>{}), etch::not_trainable);
  static constexpr auto apart = etch::expand_dims(x, etch::axis<0>) - etch::expand_dims(x, etch::axis<1>);
  static constexpr auto square = etch::sum(apart * apart, etch::axis<2>) + 0.01_c;
  static constexpr auto pull = m / (square * etch::sqrt(square));
  static constexpr auto faster = v + 0.001_c * etch::sum(apart * etch::expand_dims(pull, etch::axis<2>), etch::axis<1>);
  static constexpr auto step = etch::group(etch::assign(v, faster), etch::assign(x, x + 0.001_c * faster));

  static auto places() { return filled<float, N, 3>{1}; }
  static auto speeds() { return filled<float, N, 3>{2, 0.1f, 0.0f}; }
  static auto masses() { return filled<float, N>{3, 0.5f, 1.0f}; }
};
template <int N>
void step_by_hand(float* __restrict x, float* __restrict v, const float* __restrict m) {
  for (int i = 0; i < N; ++i) {
    float a[3] = {0, 0, 0};
    for (int j = 0; j < N; ++j) {
      const float dx = x[3 * j] - x[3 * i], dy = x[3 * j + 1] - x[3 * i + 1], dz = x[3 * j + 2] - x[3 * i + 2];
      const float square = dx * dx + dy * dy + dz * dz + 0.01f, w = m[j] / (square * std::sqrt(square));
      a[0] += dx * w;
      a[1] += dy * w;
      a[2] += dz * w;
    }
    for (int k = 0; k < 3; ++k) v[3 * i + k] += 0.001f * a[k];
  }
  for (int i = 0; i < 3 * N; ++i) x[i] += 0.001f * v[i];
}
template <int N>
void add_bodies(worker& w) {
  using model = bodies<N>;
  const std::string name = "P10 step of " + std::to_string(N) + " bodies";
  w.add(name, "etch", 0, 0, [] {
    return state_job(model::step, model::x, 10, [](auto& session) {
      session.set(model::x, model::places().values);
      session.set(model::v, model::speeds().values);
      session.set(model::m, model::masses().values);
    });
  });
  struct state {
    decltype(model::places()) x = model::places(), v = model::speeds();
    decltype(model::masses()) m = model::masses();
    void step() { step_by_hand<N>(x.values.data(), v.values.data(), m.values.data()); }
  };
  w.add(name, "loop", 0, 0, [] {
    const auto now = std::make_shared<state>();
    return make_job([now] { now->step(); },
                    [now] {
                      *now = state();
                      for (int i = 0; i < 10; ++i) now->step();
                      return std::vector<float>(now->x.values.begin(), now->x.values.end());
                    });
  });
}

}  // namespace

int main() {
  worker w;
  add_heat<512>(w);
  add_heat<2048>(w);
  add_padded_heat<128>(w);
  add_bodies<64>(w);
  return w.serve();
}
