// SPDX-License-Identifier: MIT
// A GRU (Cho and others 2014) of 32 units over 16 steps of 8 inputs, batch 16: as a loop of the graph, against the same steps written
// out. Forward from a state that is fed, forward from zeros (which what is written out knows in its first step), and a training step.
// Then what a step of a loop costs beside its work: 1,000 steps of next to none, against the loop of C++.
#include <vector>

#include <etch/control.hpp>
#include <etch/etch.hpp>

#include "measure.hpp"

using namespace etch::literals;

namespace {

constexpr int batch = 16, inputs = 8, units = 32, length = 16;

/// The sequence, as a loop takes it: step by step.
constexpr etch::placeholder<"x", float, length, batch, inputs> x;
/// As data often lie: sample by sample.
constexpr etch::placeholder<"samples", float, batch, length, inputs> samples;
constexpr etch::placeholder<"h", float, batch, units> h0;
constexpr etch::placeholder<"y", float, batch, 1> y;
constexpr int many = 1000;
constexpr etch::placeholder<"values", float, many, 4> four;
constexpr etch::placeholder<"start", float, 4> start;
constexpr etch::placeholder<"value", float> value;
constexpr auto no_state = etch::zeros(etch::shape<batch, units>{});

template <etch::fixed_string Gate>
constexpr auto gate(auto input, auto state) {
  return etch::nn::dense<Gate, units>(etch::concat(etch::axis<1>, input, state));
}
constexpr auto next_state(auto h, auto input) {
  const auto update = etch::sigmoid(gate<"update">(input, h));
  const auto reset = etch::sigmoid(gate<"reset">(input, h));
  const auto candidate = etch::tanh(gate<"candidate">(input, reset * h));
  return (1_c - update) * h + update * candidate;
}
constexpr auto scanned(auto first, auto sequence) {
  return etch::scan([](auto h, auto input) { return next_state(h, input); }, first, sequence);
}
/// element<T>(): the input of step T.
template <int T = 0>
constexpr auto written_out(auto h, auto element) {
  if constexpr (T == length)
    return h;
  else
    return written_out<T + 1>(next_state(h, element.template operator()<T>()), element);
}
constexpr auto of_steps = []<int T>() {
  return etch::reshape(etch::slice(x, etch::section<T, T + 1>), etch::shape<batch, inputs>{});
};
constexpr auto of_samples = []<int T>() {
  return etch::reshape(etch::slice(samples, etch::section<>, etch::section<T, T + 1>), etch::shape<batch, inputs>{});
};
constexpr auto loss_of(auto last) { return etch::nn::mean_squared_error(etch::nn::dense<"output", 1>(last), y); }

std::vector<double> values(const xt::xtensor<float, 2>& of) { return {of.begin(), of.end()}; }

}  // namespace

int main(int argc, char** argv) {
  bench::heading("A scanned GRU, against its steps written out");
  xt::xtensor<float, 3> sequence(std::array<std::size_t, 3>{length, batch, inputs});
  xt::xtensor<float, 3> transposed(std::array<std::size_t, 3>{batch, length, inputs});
  xt::xtensor<float, 2> first(std::array<std::size_t, 2>{batch, units}), wanted(std::array<std::size_t, 2>{batch, 1});
  bench::fill(sequence.data(), sequence.size(), -1, 1, 1);
  bench::fill(first.data(), first.size(), -1, 1, 2);
  bench::fill(wanted.data(), wanted.size(), -1, 1, 3);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t i = 0; i < inputs; ++i) transposed(b, t, i) = sequence(t, b, i);
  const bench::effort effort{301, 0.001};

  if (bench::selected(argc, argv, "forward")) {
    const auto loop = scanned(h0, x);
    const auto plain = written_out(h0, of_steps);
    const auto loop_0 = scanned(no_state, x);
    const auto plain_0 = written_out(no_state, of_steps);
    const auto loop_b = scanned(h0, etch::transpose(samples, etch::axis<1, 0, 2>));
    const auto plain_b = written_out(h0, of_samples);
    etch::session session(loop, plain, loop_0, plain_0, loop_b, plain_b);
    session.initialize(42);
    const xt::xtensor<float, 2> expected = session.run(plain, x = sequence, h0 = first);
    const xt::xtensor<float, 2> expected_0 = session.run(plain_0, x = sequence);
    const xt::xtensor<float, 2> a = session.run(loop, x = sequence, h0 = first), b = session.run(loop_0, x = sequence);
    const xt::xtensor<float, 2> c = session.run(loop_b, samples = transposed, h0 = first);
    const xt::xtensor<float, 2> d = session.run(plain_b, samples = transposed, h0 = first);
    bench::check("scan", a.data(), values(expected), 1e-5, 1);
    bench::check("scan from zeros", b.data(), values(expected_0), 1e-5, 1);
    bench::check("scan of samples", c.data(), values(expected), 1e-5, 1);
    bench::check("samples written out", d.data(), values(expected), 1e-5, 1);

    auto l = session.bind(loop, x = sequence, h0 = first);
    auto p = session.bind(plain, x = sequence, h0 = first);
    auto l_0 = session.bind(loop_0, x = sequence);
    auto p_0 = session.bind(plain_0, x = sequence);
    auto l_b = session.bind(loop_b, samples = transposed, h0 = first);
    auto p_b = session.bind(plain_b, samples = transposed, h0 = first);
    bench::print("forward, a state fed", bench::measure({{"scan", [&] { l(); }}, {"written out", [&] { p(); }}}, effort));
    bench::print("forward, from zeros", bench::measure({{"scan", [&] { l_0(); }}, {"written out", [&] { p_0(); }}}, effort));
    bench::print("forward, sample by sample", bench::measure({{"scan", [&] { l_b(); }}, {"written out", [&] { p_b(); }}}, effort));
  }
  if (bench::selected(argc, argv, "training")) {
    const auto loop = loss_of(scanned(h0, x));
    const auto plain = loss_of(written_out(h0, of_steps));
    const auto train_loop = etch::optimizers::sgd(1e-2_c).minimize(loop);
    const auto train_plain = etch::optimizers::sgd(1e-2_c).minimize(plain);
    etch::session s(loop, train_loop);
    etch::session t(plain, train_plain);
    s.initialize(42);
    t.initialize(42);
    auto l = s.bind(loop, train_loop, x = sequence, h0 = first, y = wanted);
    auto p = t.bind(plain, train_plain, x = sequence, h0 = first, y = wanted);
    for (int i = 0; i < 100; ++i) {
      const float expected = p(), value = l();
      bench::check("scan, training", &value, {static_cast<double>(expected)}, 1e-3, 1e-2);
    }
    bench::print("training step", bench::measure({{"scan", [&] { l(); }}, {"written out", [&] { p(); }}}, effort));
  }
  if (bench::selected(argc, argv, "steps")) {
    const auto scan = etch::scan([](auto state, auto element) { return state * 0.5_c + element; }, start, four);
    const auto counted = etch::while_loop([](auto s) { return std::get<1>(s) < etch::literal<many>; },
                                          [](auto s) { return std::tuple{std::get<0>(s) * 0.5_c + 1_c, std::get<1>(s) + 1_c}; },
                                          std::tuple{value, etch::zeros<std::int32_t>(etch::shape<>{})});
    const auto last = std::get<0>(counted);
    etch::session session(scan, last);
    xt::xtensor<float, 2> elements(std::array<std::size_t, 2>{many, 4});
    xt::xtensor<float, 1> at(std::array<std::size_t, 1>{4}), out(std::array<std::size_t, 1>{4});
    float one = 1, result = 0;
    bench::fill(elements.data(), elements.size(), -1, 1, 4);
    bench::fill(at.data(), at.size(), -1, 1, 5);
    const auto scan_by_hand = [&] {
      float now[4] = {at[0], at[1], at[2], at[3]};
      for (int t = 0; t < many; ++t)
        for (std::size_t i = 0; i < 4; ++i) now[i] = now[i] * 0.5f + elements.data()[static_cast<std::size_t>(t) * 4 + i];
      for (std::size_t i = 0; i < 4; ++i) out[i] = now[i];
      bench::clobber();
    };
    const auto while_by_hand = [&] {
      result = one;
      for (std::int32_t n = 0; n < many; ++n) result = result * 0.5f + 1;
      bench::clobber();
    };
    scan_by_hand();
    while_by_hand();
    const xt::xtensor<float, 1> scanned_values = session.run(scan, four = elements, start = at);
    const float whiled = session.run(last, value = one);
    bench::check("scan of 4", scanned_values.data(), {out.begin(), out.end()}, 1e-6, 1e-6);
    bench::check("while", &whiled, {static_cast<double>(result)}, 1e-6, 1e-6);
    auto s = session.bind(scan, four = elements, start = at);
    auto w = session.bind(last, value = one);
    bench::print("1,000 steps on 4, scan", bench::measure({{"scan", [&] { s(); }}, {"by hand", scan_by_hand}}, effort));
    bench::print("1,000 steps on 1, while_loop",
                 bench::measure({{"while_loop", [&] { w(); }}, {"by hand", while_by_hand}}, effort));
  }
}
