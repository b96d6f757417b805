// SPDX-License-Identifier: MIT
// P4: what one call costs: an addition of numbers, and dense layers with bias and tanh on one sample. Against a loop by hand.
#include <cmath>
#include <memory>

#include "session.hpp"

using namespace bench::suite;
using namespace etch::literals;

namespace {

template <int N>
struct layer {
  static constexpr etch::placeholder<"x", float, 1, N> x{};
  static constexpr etch::placeholder<"w", float, N, N> w{};
  static constexpr etch::placeholder<"b", float, N> b{};
  struct operands {
    filled<float, 1, N> x{1};
    filled<float, N, N> w{2, 0.25f};
    filled<float, N> b{3};
    std::vector<float> y = std::vector<float>(N);
    std::vector<float> result() const { return y; }
  };
  __attribute__((noinline)) static void loop(const float* __restrict in, const float* __restrict kernel,
                                             const float* __restrict bias, float* __restrict out) {
    for (int j = 0; j < N; ++j) out[j] = bias[j];
    for (int k = 0; k < N; ++k)
      for (int j = 0; j < N; ++j) out[j] += in[k] * kernel[k * N + j];
    for (int j = 0; j < N; ++j) out[j] = std::tanh(out[j]);
  }
  static void add(worker& to) {
    const std::string name = "P4 dense " + std::to_string(N) + " x " + std::to_string(N) + ", tanh, one sample";
    to.add(name, "etch", 2.0 * N * N, 0, [] {
      const auto v = std::make_shared<operands>();
      return etch_job(
          etch::tanh(etch::matmul(x, w) + b), [v] { return x = v->x.values; }, [v] { return w = v->w.values; },
          [v] { return b = v->b.values; });
    });
    add_library<operands>(to, name, "loop",
                          [](operands& v) { loop(v.x.values.data(), v.w.values.data(), v.b.values.data(), v.y.data()); });
  }
};

constexpr etch::placeholder<"a", float> a;
constexpr etch::placeholder<"b", float> b;

}  // namespace

int main() {
  worker w;
  const char* const addition = "P4 bound addition of two numbers";
  w.add(addition, "etch", 0, 0, [] {
    etch::session s(a + b);
    auto bound = std::make_shared<decltype(s.bind(a + b, a = 0.0f, b = 0.0f))>(s.bind(a + b, a = 2.0f, b = 3.0f));
    return make_job([bound] { (*bound)(); }, [bound] { return std::vector<float>{(*bound)()}; });
  });
  layer<4>::add(w);
  layer<16>::add(w);
  layer<64>::add(w);
  return w.serve();
}
