// SPDX-License-Identifier: MIT
// P3: matrix products of float32 on one thread, against three loops by hand (i, k, j: what g++ vectorises) and Eigen, and
// as a share of what the core's multiply-adders can do. Usage: matmul [part of a row's name]
#include <vector>

#include <etch/etch.hpp>
#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#define HAS_EIGEN 1
#endif

#include "measure.hpp"
#include "peak.hpp"

using namespace etch::literals;

namespace {

/// At the start of a cache line: where an operand lies by chance is worth a factor of 2 for the smallest products.
using array = xt::xtensor_container<xt::uvector<float, xsimd::aligned_allocator<float, 64>>, 2, xt::layout_type::row_major>;
enum class form { plain, left_transposed, right_transposed, bias_relu };

template <int M, int K, int N, form F>
__attribute__((noinline)) void by_hand(const float* __restrict a, const float* __restrict b, const float* __restrict bias,
                                       float* __restrict to) {
  for (int i = 0; i < M; ++i) {
    float* const row = to + i * N;
    if constexpr (F == form::right_transposed) {
      for (int j = 0; j < N; ++j) {
        float sum[16] = {};
        int k = 0;
        for (; k + 16 <= K; k += 16)
          for (int l = 0; l < 16; ++l) sum[l] += a[i * K + k + l] * b[j * K + k + l];
        float total = 0;
        for (; k < K; ++k) total += a[i * K + k] * b[j * K + k];
        for (int l = 0; l < 16; ++l) total += sum[l];
        row[j] = total;
      }
    } else {
      for (int j = 0; j < N; ++j) row[j] = F == form::bias_relu ? bias[j] : 0;
      for (int k = 0; k < K; ++k) {
        const float left = F == form::left_transposed ? a[k * M + i] : a[i * K + k];
        for (int j = 0; j < N; ++j) row[j] += left * b[k * N + j];
      }
      if constexpr (F == form::bias_relu)
        for (int j = 0; j < N; ++j) row[j] = row[j] > 0 ? row[j] : 0;
    }
  }
}

template <int M, int K, int N, form F = form::plain>
void compare(double peak, int argc, char** argv) {
  const char* const names[] = {"", ", left transposed", ", right transposed", " + bias, relu"};
  const std::string row = "P3 (" + std::to_string(M) + ", " + std::to_string(K) + ") x (" + std::to_string(K) + ", " +
                          std::to_string(N) + ")" + names[static_cast<int>(F)];
  if (!bench::selected(argc, argv, row)) return;
  constexpr bool ta = F == form::left_transposed, tb = F == form::right_transposed;
  array a(std::array<std::size_t, 2>{ta ? K : M, ta ? M : K}), b(std::array<std::size_t, 2>{tb ? N : K, tb ? K : N});
  xt::xtensor<float, 1> bias(std::array<std::size_t, 1>{N});
  bench::fill(a.data(), a.size(), -1, 1, 1);
  bench::fill(b.data(), b.size(), -1, 1, 2);
  bench::fill(bias.data(), bias.size(), -1, 1, 3);

  constexpr etch::placeholder<"a", float, (ta ? K : M), (ta ? M : K)> slot_a;
  constexpr etch::placeholder<"b", float, (tb ? N : K), (tb ? K : N)> slot_b;
  constexpr etch::placeholder<"bias", float, N> slot_bias;
  constexpr auto product = [=] {
    if constexpr (F == form::left_transposed)
      return etch::matmul(etch::transpose(slot_a), slot_b);
    else if constexpr (F == form::right_transposed)
      return etch::matmul(slot_a, etch::transpose(slot_b));
    else if constexpr (F == form::bias_relu)
      return etch::relu(etch::matmul(slot_a, slot_b) + slot_bias);
    else
      return etch::matmul(slot_a, slot_b);
  }();
  etch::session session(product);
  session.initialize();
  auto step = [&] {
    if constexpr (F == form::bias_relu)
      return session.bind(product, slot_a = a, slot_b = b, slot_bias = bias);
    else
      return session.bind(product, slot_a = a, slot_b = b);
  }();
  float* const to = const_cast<float*>(step.value().data());

  std::vector<bench::candidate> candidates = {
      {"etch", [&] { step(); }},
      {"hand", [&] { by_hand<M, K, N, F>(a.data(), b.data(), bias.data(), to); }},
  };
#if HAS_EIGEN
  // Fixed extents for Eigen too where it unrolls.
  constexpr int bound = 16;
  constexpr bool fixed = M <= bound && N <= bound && K <= bound;
  using left = Eigen::Matrix<float, fixed ? (ta ? K : M) : Eigen::Dynamic, fixed ? (ta ? M : K) : Eigen::Dynamic, Eigen::RowMajor>;
  using right = Eigen::Matrix<float, fixed ? (tb ? N : K) : Eigen::Dynamic, fixed ? (tb ? K : N) : Eigen::Dynamic, Eigen::RowMajor>;
  using result = Eigen::Matrix<float, fixed ? M : Eigen::Dynamic, fixed ? N : Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<const left> ea(a.data(), ta ? K : M, ta ? M : K);
  Eigen::Map<const right> eb(b.data(), tb ? N : K, tb ? K : N);
  Eigen::Map<const Eigen::RowVectorXf> ebias(bias.data(), N);
  Eigen::Map<result> eto(to, M, N);
  candidates.push_back({"Eigen", [&] {
                          if constexpr (ta)
                            eto.noalias() = ea.transpose() * eb;
                          else if constexpr (tb)
                            eto.noalias() = ea * eb.transpose();
                          else
                            eto.noalias() = ea * eb;
                          if constexpr (F == form::bias_relu) eto = (eto.rowwise() + ebias).cwiseMax(0.f);
                        }});
#endif
  std::vector<double> reference(static_cast<std::size_t>(M) * N);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      double sum = F == form::bias_relu ? static_cast<double>(bias(j)) : 0;
      for (int k = 0; k < K; ++k) sum += static_cast<double>(ta ? a(k, i) : a(i, k)) * static_cast<double>(tb ? b(j, k) : b(k, j));
      reference[static_cast<std::size_t>(i * N + j)] = F == form::bias_relu && sum < 0 ? 0 : sum;
    }
  for (const bench::candidate& c : candidates) {
    std::fill(to, to + reference.size(), -1.f);
    c.repeat(1);
    bench::check(row + ", " + c.name, to, reference, 1e-6, K);
  }
  const std::vector<bench::timing> t = bench::measure(candidates, {M >= 512 ? 7 : 31});
  const double flops = 2.0 * M * N * K;
  char note[64];
  std::snprintf(note, sizeof note, "%.1f GFLOP/s, %.2f of the peak", 1e-9 * flops / t[0].minimum, flops / t[0].minimum / peak);
  bench::print(row, t, note);
}

}  // namespace

int main(int argc, char** argv) {
  bench::heading("P3: matrix products of float32");
  const double peak = bench::fma_peak();
  std::printf("peak of multiply-adds on this core: %.1f GFLOP/s\n", 1e-9 * peak);
  compare<4, 4, 4>(peak, argc, argv);
  compare<8, 8, 8>(peak, argc, argv);
  compare<16, 16, 16>(peak, argc, argv);
  compare<32, 32, 32>(peak, argc, argv);
  compare<64, 64, 64>(peak, argc, argv);
  compare<128, 128, 128>(peak, argc, argv);
  compare<256, 256, 256>(peak, argc, argv);
  compare<512, 512, 512>(peak, argc, argv);
  compare<1024, 1024, 1024>(peak, argc, argv);
  compare<64, 64, 64, form::left_transposed>(peak, argc, argv);
  compare<64, 64, 64, form::right_transposed>(peak, argc, argv);
  compare<512, 512, 512, form::left_transposed>(peak, argc, argv);
  compare<512, 512, 512, form::right_transposed>(peak, argc, argv);
  compare<50, 784, 100>(peak, argc, argv);
  compare<50, 784, 100, form::bias_relu>(peak, argc, argv);
  compare<784, 50, 100, form::left_transposed>(peak, argc, argv);
}
