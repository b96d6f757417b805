// SPDX-License-Identifier: MIT
// What is bfloat16 in memory, against the same of float32; products also against oneDNN where it is there. One thread.
#include <cmath>
#include <string>
#include <vector>

#include <etch/etch.hpp>

#include "measure.hpp"
#ifdef ETCH_BENCH_ONEDNN
#include <oneapi/dnnl/dnnl.hpp>
#endif

using namespace etch::literals;

namespace {

using etch::bfloat16;

template <class Array>
Array filled(std::size_t rows, std::size_t columns, unsigned seed) {
  xt::xtensor<float, 2> numbers({rows, columns});
  bench::fill(numbers.data(), numbers.size(), -1, 1, seed);
  Array a({rows, columns});
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = typename Array::value_type(float(bfloat16(numbers.data()[i])));
  return a;
}
using wide = xt::xtensor<float, 2>;
using narrow = xt::xtensor<bfloat16, 2>;

void twice(std::size_t n) {
  constexpr etch::placeholder<"f", float, etch::any<"m">, etch::any<"n">> f;
  constexpr etch::placeholder<"h", bfloat16, etch::any<"m">, etch::any<"n">> h;
  constexpr auto of_floats = f * 2_c;
  constexpr auto of_halves = etch::astype<bfloat16>(etch::astype<float>(h) * 2_c);
  etch::session s(of_floats, of_halves);
  const auto a = filled<wide>(1, n, 1);
  const auto b = filled<narrow>(1, n, 1);
  auto x = s.bind(of_floats, f = a);
  auto y = s.bind(of_halves, h = b);
  bench::print("2 x, " + std::to_string(n), bench::measure({{"bfloat16", [&] { y(); }}, {"float32", [&] { x(); }}}));
}

#ifdef ETCH_BENCH_ONEDNN
/// A product of bfloat16 with a result of float32, weights in the layout that the library chooses.
struct peer {
  dnnl::engine cpu{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{cpu};
  dnnl::memory a, b, c;
  dnnl::matmul product;

  peer(dnnl::memory::dim m, dnnl::memory::dim k, dnnl::memory::dim n, const narrow& left, const narrow& right) {
    using type = dnnl::memory::data_type;
    using tag = dnnl::memory::format_tag;
    const dnnl::memory::desc row_major({k, n}, type::bf16, tag::ab), any({k, n}, type::bf16, tag::any);
    a = dnnl::memory({{m, k}, type::bf16, tag::ab}, cpu);
    c = dnnl::memory({{m, n}, type::f32, tag::ab}, cpu);
    const dnnl::matmul::primitive_desc d(dnnl::matmul::desc(a.get_desc(), any, c.get_desc()), cpu);
    b = dnnl::memory(d.weights_desc(), cpu);
    product = dnnl::matmul(d);
    std::memcpy(a.get_data_handle(), left.data(), left.size() * 2);
    dnnl::memory given(row_major, cpu);
    std::memcpy(given.get_data_handle(), right.data(), right.size() * 2);
    dnnl::reorder(given, b).execute(stream, given, b);
    stream.wait();
  }
  void run() {
    product.execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
    stream.wait();
  }
};
#endif

void product(std::size_t m, std::size_t k, std::size_t n) {
  constexpr etch::placeholder<"fa", float, etch::any<"m">, etch::any<"k">> fa;
  constexpr etch::placeholder<"fb", float, etch::any<"k">, etch::any<"n">> fb;
  constexpr etch::placeholder<"ha", bfloat16, etch::any<"m">, etch::any<"k">> ha;
  constexpr etch::placeholder<"hb", bfloat16, etch::any<"k">, etch::any<"n">> hb;
  constexpr auto of_floats = etch::matmul(fa, fb);
  constexpr auto of_halves = etch::matmul(etch::astype<float>(ha), etch::astype<float>(hb));
  constexpr auto of_weights = etch::matmul(fa, etch::astype<float>(hb));
  etch::session s(of_floats, of_halves, of_weights);
  const auto a = filled<wide>(m, k, 1), b = filled<wide>(k, n, 2);
  const auto c = filled<narrow>(m, k, 1), d = filled<narrow>(k, n, 2);
  auto x = s.bind(of_floats, fa = a, fb = b);
  auto y = s.bind(of_halves, ha = c, hb = d);
  auto z = s.bind(of_weights, fa = a, hb = d);
  const wide& expected = x();
  bench::check("etch", y().data(), std::vector<double>(expected.begin(), expected.end()), 1e-4, std::sqrt(static_cast<double>(k)));
  std::vector<bench::candidate> all{{"bfloat16", [&] { y(); }}, {"float32", [&] { x(); }}, {"float32 x bfloat16", [&] { z(); }}};
#ifdef ETCH_BENCH_ONEDNN
  const auto signed_of = [](std::size_t i) { return static_cast<dnnl::memory::dim>(i); };
  peer other(signed_of(m), signed_of(k), signed_of(n), c, d);
  other.run();
  bench::check("oneDNN", static_cast<const float*>(other.c.get_data_handle()),
               std::vector<double>(expected.begin(), expected.end()), 1e-4, std::sqrt(static_cast<double>(k)));
  all.push_back({"oneDNN", [&] { other.run(); }});
#endif
  const double flops = 2 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
  const auto t = bench::measure(all);
  bench::print(std::to_string(m) + " x " + std::to_string(k) + " x " + std::to_string(n), t,
               std::to_string(static_cast<int>(flops / t[0].median * 1e-9)) + " GFLOP/s");
}

}  // namespace

int main(int argc, char** argv) {
  bench::heading("bfloat16 in memory");
  if (bench::selected(argc, argv, "2 x")) {
    twice(10000);
    twice(10000000);
  }
  if (!bench::selected(argc, argv, "products")) return 0;
  product(1, 4096, 4096);
  product(8, 4096, 4096);
  product(64, 784, 100);
  product(512, 512, 512);
  product(1024, 1024, 1024);
}
