// SPDX-License-Identifier: MIT
// P2: reductions, normalisations and movement of float32. Against Eigen, and loops by hand for what moves elements.
#include <cstring>
#include <memory>

#include "session.hpp"
#ifdef ETCH_BENCH_EIGEN
#include <Eigen/Core>
#endif

using namespace bench::suite;
using namespace etch::literals;

namespace {

template <int M, int N>
constexpr etch::placeholder<"x", float, M, N> x;

template <int M, int N>
std::string named(const char* what) {
  return std::string("P2 ") + what + " (" + std::to_string(M) + ", " + std::to_string(N) + ")";
}

template <int M, int N, class E>
void add(worker& w, const std::string& name, double bytes, const E& e) {
  w.add(name, "etch", 0, bytes, [e] {
    const auto a = std::make_shared<filled<float, M, N>>(1u);
    return etch_job(e, [a] { return x<M, N> = a->values; });
  });
}

#ifdef ETCH_BENCH_EIGEN
using matrix = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <int M, int N, class F>
void add_eigen(worker& w, const std::string& name, F f) {
  struct operands {
    filled<float, M, N> x{1};
    matrix y;
    std::vector<float> result() const { return {y.data(), y.data() + y.size()}; }
  };
  add_library<operands>(w, name, "Eigen", [f](operands& a) { f(Eigen::Map<const matrix>(a.x.values.data(), M, N), a.y); });
}
#endif

template <int M, int N>
void add_sums(worker& w) {
  add<M, N>(w, named<M, N>("sum along rows"), 4.0 * M * N, etch::sum(x<M, N>, etch::axis<1>));
#ifdef ETCH_BENCH_EIGEN
  add_eigen<M, N>(w, named<M, N>("sum along rows"), [](const auto& a, matrix& y) { y = a.rowwise().sum(); });
#endif
}

template <int M, int N>
void add_rows(worker& w) {
  constexpr auto in = x<M, N>;
  const double read = 4.0 * M * N;
  add_sums<M, N>(w);
  add<M, N>(w, named<M, N>("max along rows"), read, etch::max(in, etch::axis<1>));
  add<M, N>(w, named<M, N>("log-sum-exp along rows"), read, etch::logsumexp(in, etch::axis<1>));
  add<M, N>(w, named<M, N>("softmax along rows"), 2 * read, etch::softmax(in, etch::axis<1>));
  add<M, N>(w, named<M, N>("layer norm of rows"), 2 * read,
            (in - etch::mean(in, etch::axis<1>, etch::keep_dims)) *
                etch::rsqrt(etch::variance(in, etch::axis<1>, etch::keep_dims) + 1e-5_c));
  add<M, N>(w, named<M, N>("argmax along rows"), read, etch::argmax(in, etch::axis<1>));
#ifdef ETCH_BENCH_EIGEN
  add_eigen<M, N>(w, named<M, N>("max along rows"), [](const auto& a, matrix& y) { y = a.rowwise().maxCoeff(); });
  add_eigen<M, N>(w, named<M, N>("softmax along rows"), [](const auto& a, matrix& y) {
    y = (a.colwise() - a.rowwise().maxCoeff()).exp();
    y.colwise() /= y.rowwise().sum().eval();
  });
  add_eigen<M, N>(w, named<M, N>("layer norm of rows"), [](const auto& a, matrix& y) {
    y = a.colwise() - a.rowwise().mean();
    y.colwise() *= (y.square().rowwise().mean() + 1e-5f).rsqrt().eval();
  });
#endif
}

template <int M, int N>
void add_columns(worker& w) {
  constexpr auto in = x<M, N>;
  const double read = 4.0 * M * N;
  add<M, N>(w, named<M, N>("sum along columns"), read, etch::sum(in, etch::axis<0>));
  add<M, N>(w, named<M, N>("max along columns"), read, etch::max(in, etch::axis<0>));
  add<M, N>(w, named<M, N>("argmax along columns"), read, etch::argmax(in, etch::axis<0>));
  add<M, N>(w, named<M, N>("variance along columns"), read, etch::variance(in, etch::axis<0>));
  add<M, N>(w, named<M, N>("cumulative sum along columns"), 2 * read, etch::cumsum(in, etch::axis<0>));
  add<M, N>(w, named<M, N>("cumulative sum along rows"), 2 * read, etch::cumsum(in, etch::axis<1>));
#ifdef ETCH_BENCH_EIGEN
  add_eigen<M, N>(w, named<M, N>("sum along columns"), [](const auto& a, matrix& y) { y = a.colwise().sum(); });
  add_eigen<M, N>(w, named<M, N>("max along columns"), [](const auto& a, matrix& y) { y = a.colwise().maxCoeff(); });
#endif
}

template <int M, int N>
void add_transpose(worker& w) {
  const std::string name = named<M, N>("transpose + 1");
  add<M, N>(w, name, 8.0 * M * N, etch::transpose(x<M, N>) + 1_c);
  struct operands {
    filled<float, M, N> x{1};
    std::vector<float> y = std::vector<float>(M * N);
    std::vector<float> result() const { return y; }
  };
  add_library<operands>(w, name, "loop in blocks", [](operands& a) {
    const float* const from = a.x.values.data();
    float* const to = a.y.data();
    for (int i = 0; i < N; i += 16)
      for (int j = 0; j < M; j += 16)
        for (int k = i; k < (i + 16 < N ? i + 16 : N); ++k)
          for (int l = j; l < (j + 16 < M ? j + 16 : M); ++l) to[k * M + l] = from[l * N + k] + 1;
  });
}

/// Rows of a table, chosen by numbers.
void add_gather(worker& w) {
  static constexpr etch::placeholder<"table", float, 20000, 64> table;
  static constexpr etch::placeholder<"rows", std::int32_t, 100000> rows;
  struct operands {
    filled<float, 20000, 64> table{1};
    xt::xtensor<std::int32_t, 1> rows = xt::zeros<std::int32_t>({100000});
    std::vector<float> y = std::vector<float>(100000 * 64);
    operands() {
      for (std::uint32_t i = 0; i < 100000; ++i) rows(i) = static_cast<std::int32_t>(i * 7919 % 20000);
    }
    std::vector<float> result() const { return y; }
  };
  const char* const name = "P2 gather of 100,000 rows of 64";
  w.add(name, "etch", 0, 2.0 * 100000 * 256, [] {
    const auto v = std::make_shared<operands>();
    return etch_job(etch::gather(table, rows), [v] { return table = v->table.values; }, [v] { return rows = v->rows; });
  });
  add_library<operands>(w, name, "loop of memcpy", [](operands& v) {
    for (std::size_t i = 0; i < 100000; ++i)
      std::memcpy(v.y.data() + i * 64, v.table.values.data() + static_cast<std::size_t>(v.rows(i)) * 64, 256);
  });
}

}  // namespace

int main() {
  worker w;
  add_rows<512, 1024>(w);
  add_rows<32, 50000>(w);
  add_rows<1000000, 8>(w);
  add_sums<1, 10000000>(w);
  add_columns<512, 1024>(w);
  add_transpose<2048, 2048>(w);
  add_transpose<1000, 300>(w);
  add_transpose<2000, 2000>(w);
  add_gather(w);
  return w.serve();
}
