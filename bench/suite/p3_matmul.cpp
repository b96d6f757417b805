// SPDX-License-Identifier: MIT
// P3: matrix products of float32, against Eigen, and OpenBLAS where it is installed; and of uint8 times int8 with sums in int32, which
// only oneDNN has.
#include <memory>

#include "session.hpp"
#ifdef ETCH_BENCH_EIGEN
#include <Eigen/Core>
#endif
#ifdef ETCH_BENCH_OPENBLAS
#include <cblas.h>
#endif

using namespace bench::suite;
using namespace etch::literals;

namespace {

enum class form { plain, left_transposed, right_transposed, bias_relu, bias_gelu };

template <int M, int K, int N, form F>
struct product {
  static constexpr bool ta = F == form::left_transposed, tb = F == form::right_transposed;
  static constexpr etch::placeholder<"a", float, ta ? K : M, ta ? M : K> a{};
  static constexpr etch::placeholder<"b", float, tb ? N : K, tb ? K : N> b{};
  static constexpr etch::placeholder<"bias", float, N> bias{};
  struct operands {
    filled<float, ta ? K : M, ta ? M : K> a{1};
    filled<float, tb ? N : K, tb ? K : N> b{2};
    filled<float, N> bias{3};
    std::vector<float> c = std::vector<float>(static_cast<std::size_t>(M) * N);
    std::vector<float> result() const { return c; }
  };

  static void add(worker& w) {
    const char* const forms[] = {"", ", left transposed", ", right transposed", " + bias, relu", " + bias, gelu"};
    const std::string name = "P3 (" + std::to_string(M) + ", " + std::to_string(K) + ") x (" + std::to_string(K) + ", " +
                             std::to_string(N) + ")" + forms[static_cast<int>(F)];
    w.add(name, "etch", 2.0 * M * N * K, 0, [] {
      const auto v = std::make_shared<operands>();
      const auto fa = [v] { return a = v->a.values; };
      const auto fb = [v] { return b = v->b.values; };
      if constexpr (F == form::plain) return etch_job(etch::matmul(a, b), fa, fb);
      if constexpr (ta) return etch_job(etch::matmul(etch::transpose(a), b), fa, fb);
      if constexpr (tb) return etch_job(etch::matmul(a, etch::transpose(b)), fa, fb);
      const auto fc = [v] { return bias = v->bias.values; };
      if constexpr (F == form::bias_relu) return etch_job(etch::relu(etch::matmul(a, b) + bias), fa, fb, fc);
      if constexpr (F == form::bias_gelu) return etch_job(etch::gelu(etch::matmul(a, b) + bias), fa, fb, fc);
    });
    if constexpr (F == form::bias_gelu) return;
#ifdef ETCH_BENCH_EIGEN
    using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    add_library<operands>(w, name, "Eigen", [](operands& v) {
      const Eigen::Map<const matrix> x(v.a.values.data(), ta ? K : M, ta ? M : K), y(v.b.values.data(), tb ? N : K, tb ? K : N);
      Eigen::Map<matrix> z(v.c.data(), M, N);
      if constexpr (ta)
        z.noalias() = x.transpose() * y;
      else if constexpr (tb)
        z.noalias() = x * y.transpose();
      else
        z.noalias() = x * y;
      if constexpr (F == form::bias_relu)
        z = (z.rowwise() + Eigen::Map<const Eigen::RowVectorXf>(v.bias.values.data(), N)).cwiseMax(0.0f);
    });
#endif
#ifdef ETCH_BENCH_OPENBLAS
    if constexpr (F != form::bias_relu)
      add_library<operands>(w, name, "OpenBLAS", [](operands& v) {
        cblas_sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, M, N, K, 1, v.a.values.data(),
                    ta ? M : K, v.b.values.data(), tb ? K : N, 0, v.c.data(), N);
      });
#endif
  }
};

/// Of the weights' transpose, as quantised models store them, where that is wanted.
template <int M, int K, int N, bool IsTransposed>
void add_bytes(worker& w) {
  static constexpr etch::placeholder<"x", std::uint8_t, M, K> x{};
  static constexpr etch::placeholder<"w", std::int8_t, IsTransposed ? N : K, IsTransposed ? K : N> weights{};
  struct operands {
    filled<std::uint8_t, M, K> x{1};
    filled<std::int8_t, IsTransposed ? N : K, IsTransposed ? K : N> w{2};
  };
  w.add("P3 (" + std::to_string(M) + ", " + std::to_string(K) + ") x (" + std::to_string(K) + ", " + std::to_string(N) +
            "), uint8 times int8" + (IsTransposed ? ", right transposed" : ""),
        "etch", 0, 0, [] {
          const auto v = std::make_shared<operands>();
          const auto fx = [v] { return x = v->x.values; };
          const auto fw = [v] { return weights = v->w.values; };
          const auto wide = [](auto e) { return etch::astype<std::int32_t>(e); };
          if constexpr (IsTransposed)
            return etch_job(etch::matmul(wide(x), etch::transpose(wide(weights))), fx, fw);
          else
            return etch_job(etch::matmul(wide(x), wide(weights)), fx, fw);
        });
}

template <int... N>
void add_squares(worker& w) {
  (product<N, N, N, form::plain>::add(w), ...);
}

}  // namespace

int main() {
  worker w;
  add_squares<4, 8, 16, 32, 64, 100, 128, 256, 512, 1024, 2048>(w);
  product<50, 784, 100, form::plain>::add(w);
  product<64, 2048, 2048, form::plain>::add(w);
  product<512, 2048, 2048, form::plain>::add(w);
  product<64, 64, 64, form::left_transposed>::add(w);
  product<512, 512, 512, form::left_transposed>::add(w);
  product<64, 64, 64, form::right_transposed>::add(w);
  product<512, 512, 512, form::right_transposed>::add(w);
  product<16, 1024, 1024, form::right_transposed>::add(w);
  product<32, 1024, 1024, form::right_transposed>::add(w);
  product<256, 256, 256, form::bias_relu>::add(w);
  product<256, 256, 256, form::bias_gelu>::add(w);
  product<50, 3136, 1024, form::bias_relu>::add(w);
  product<1, 2048, 2048, form::plain>::add(w);
  product<1, 4096, 4096, form::plain>::add(w);
  product<1, 4096, 4096, form::right_transposed>::add(w);
  add_bytes<256, 256, 256, false>(w);
  add_bytes<1024, 1024, 1024, false>(w);
  add_bytes<1024, 1024, 1024, true>(w);
  add_bytes<1, 4096, 4096, false>(w);
  add_bytes<1, 4096, 4096, true>(w);
  return w.serve();
}
