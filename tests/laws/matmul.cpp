// SPDX-License-Identifier: MIT
#include <xtensor/xmanipulation.hpp>

#include "compare.hpp"
#include "plain_product.hpp"

/// Matrix products are what plain loops give, or the reference, which is compared with these where products are small: operands as they
/// are, transposed, cut out, reversed, in stacks that broadcast, and with work after the product. The numbers are small integers, so that
/// sums are exact.
namespace {

using namespace etch;
using laws::check_equal;

/// m by k and k by n.
constexpr int sizes[][3] = {{1, 1, 1},     {1, 7, 1},     {1, 100, 33},    {17, 5, 1},      {2, 3, 4},      {6, 16, 16},
                            {7, 9, 17},    {16, 1, 16},   {13, 64, 31},    {33, 40, 100},   {65, 257, 70},  {130, 33, 49},
                            {0, 3, 4},     {3, 0, 4},     {3, 4, 0},       {10, 300, 260},  {40, 600, 512}, {3, 520, 130},
                            {300, 600, 3}, {2, 700, 100}, {300, 300, 200}, {100, 600, 200}, {1, 5, 13},     {1, 50, 28},
                            {1, 30, 57},   {3, 20, 121},  {12, 40, 48},    {15, 33, 97},    {9, 20, 625},   {11, 2100, 81},
                            {1, 1200, 50}, {2, 131, 601}, {3, 67, 1030},   {4, 201, 333}};

template <class T, class... Extents>
auto integers(std::mt19937& generator, Extents... extents) {
  auto a = laws::random_array<T>(generator, extents...);
  if constexpr (std::is_floating_point_v<T>)
    for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = std::rint(a.data()[i]);
  return a;
}

template <class T>
constexpr placeholder<"a", T, any<"m">, any<"k">> a;
template <class T>
constexpr placeholder<"b", T, any<"k">, any<"n">> b;
template <class T>
constexpr placeholder<"at", T, any<"k">, any<"m">> at;
template <class T>
constexpr placeholder<"bt", T, any<"n">, any<"k">> bt;
template <class T>
constexpr placeholder<"bias", T, any<"n">> bias;

/// Those of all sizes; `expected` makes them by plain loops.
template <class T, class... E, class Expected>
void check_products(std::tuple<E...>, const Expected& expected) {
  session s(E{}...);
  std::mt19937 generator(17);
  for (const auto& size : sizes) {
    const auto [m, k, n] = size;
    const xt::xtensor<T, 2> va = integers<T>(generator, m, k), vb = integers<T>(generator, k, n);
    const xt::xtensor<T, 2> vat = xt::transpose(va), vbt = xt::transpose(vb);
    const xt::xtensor<T, 1> vbias = integers<T>(generator, n);
    const auto wanted = expected(va, vb, vbias);
    const std::string what = std::to_string(m) + " by " + std::to_string(k) + " by " + std::to_string(n);
    check_equal(std::tuple(s.run(E{}..., a<T> = va, b<T> = vb, at<T> = vat, bt<T> = vbt, bias<T> = vbias)), wanted, what);
    // Without optimisation it takes some 90 ns for a multiplication: for all sizes 90 s.
    if (k * n * std::max(m, k) < 100'000)
      check_equal(std::tuple(reference::run(E{}..., a<T> = va, b<T> = vb, at<T> = vat, bt<T> = vbt, bias<T> = vbias)), wanted,
                  what + ", the reference");
  }
}

/// xt::flip computes with the null pointer that an empty array has.
template <class T>
xt::xtensor<T, 2> flipped(const xt::xtensor<T, 2>& m, std::size_t along) {
  return m.size() == 0 ? m : xt::xtensor<T, 2>(xt::flip(m, along));
}

}  // namespace

TEST_CASE_TEMPLATE("law: products of floats are sums of products", T, float, double) {
  check_products<T>(std::tuple(matmul(a<T>, b<T>), matmul(transpose(at<T>), b<T>), matmul(a<T>, transpose(bt<T>)),
                               matmul(transpose(at<T>), transpose(bt<T>)), matmul(flip(a<T>), flip(b<T>, axis<1>)),
                               relu(matmul(a<T>, b<T>) + bias<T>), matmul(at<T>, a<T>)),
                    [](const auto& va, const auto& vb, const auto& vbias) {
                      const xt::xtensor<T, 2> product = laws::plain_product(va, vb);
                      xt::xtensor<T, 2> positive = product;
                      for (std::size_t i = 0; i < positive.size(); ++i)
                        positive.data()[i] = std::max(positive.data()[i] + vbias.data()[i % vbias.size()], T(0));
                      return std::tuple(product, product, product, product,
                                        laws::plain_product<T>(flipped(flipped(va, 0), 1), flipped(vb, 1)), positive,
                                        laws::plain_product<T>(xt::transpose(va), va));
                    });
}

TEST_CASE_TEMPLATE("law: products of integers are sums of products", T, std::uint8_t, std::int8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t, std::int32_t, std::int64_t) {
  check_products<T>(std::tuple(matmul(a<T>, b<T>), matmul(transpose(at<T>), transpose(bt<T>)), bias<T> * bias<T>),
                    [](const auto& va, const auto& vb, const auto& vbias) {
                      const xt::xtensor<T, 2> product = laws::plain_product(va, vb);
                      xt::xtensor<T, 1> squares = vbias;
                      for (T& x : squares) x = static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(x));
                      return std::tuple(product, product, squares);
                    });
}

TEST_CASE("law: products of stacks are those of the reference") {
  static constexpr placeholder<"x", float, any<"s">, any<"m">, any<"k">> x;
  static constexpr placeholder<"y", float, any<"s">, any<"k">, any<"n">> y;
  static constexpr placeholder<"z", float, 3, 1, any<"k">, any<"n">> z;
  static constexpr placeholder<"one", float, 1, any<"m">, any<"k">> one;
  constexpr auto all =
      std::tuple(matmul(x, y), matmul(x, b<float>), matmul(one, y), matmul(x, z), matmul(matrix_transpose(y), matrix_transpose(x)),
                 relu(matmul(x, y) + bias<float>), matmul(flip(x, axis<0>), y));
  std::apply(
      [&](auto... e) {
        session s(e...);
        std::mt19937 generator(20);
        for (const int stack : {1, 3, 5, 0})
          for (const auto& size : sizes) {
            const auto [m, k, n] = size;
            if (m * k * n > 30000 || (stack == 0 && m > 2)) continue;
            const auto vx = integers<float>(generator, stack, m, k);
            const auto vy = integers<float>(generator, stack, k, n);
            const auto vz = integers<float>(generator, 3, 1, k, n);
            const auto vone = integers<float>(generator, 1, m, k);
            const auto vb = integers<float>(generator, k, n);
            const auto vbias = integers<float>(generator, n);
            check_equal(s.run(e..., x = vx, y = vy, z = vz, one = vone, b<float> = vb, bias<float> = vbias),
                        reference::run(e..., x = vx, y = vy, z = vz, one = vone, b<float> = vb, bias<float> = vbias),
                        "stacks of " + std::to_string(m) + " by " + std::to_string(k) + " by " + std::to_string(n));
          }
      },
      all);
}

TEST_CASE("law: small products of known extents are those of the reference") {
  static constexpr placeholder<"p", float, 3, 5> p;
  static constexpr placeholder<"q", float, 5, 2> q;
  static constexpr placeholder<"r", double, 16, 16> r;
  static constexpr placeholder<"v", double, 1, 16> v;
  static constexpr placeholder<"w", std::int32_t, 7, 9> w;
  static constexpr placeholder<"c", float, 4, 3, 20> c;
  constexpr auto first = matmul(p, q);
  constexpr auto second = matmul(transpose(r), r);
  constexpr auto third = matmul(v, r);
  constexpr auto fourth = matmul(w, transpose(w));
  constexpr auto fifth = matmul(slice(c, section<>, section<>, section<1, to_end, 2>),
                                matrix_transpose(slice(c, section<>, section<>, section<0, to_end, 2>))) +
                         1_c;
  session s(first, second, third, fourth, fifth);
  std::mt19937 generator(18);
  const auto vp = integers<float>(generator, 3, 5);
  const auto vq = integers<float>(generator, 5, 2);
  const auto vr = integers<double>(generator, 16, 16);
  const auto vv = integers<double>(generator, 1, 16);
  const auto vw = integers<std::int32_t>(generator, 7, 9);
  const auto vc = integers<float>(generator, 4, 3, 20);
  check_equal(s.run(first, second, third, fourth, fifth, p = vp, q = vq, r = vr, v = vv, w = vw, c = vc),
              reference::run(first, second, third, fourth, fifth, p = vp, q = vq, r = vr, v = vv, w = vw, c = vc),
              "small products");
}

/// Columns and depths that have code of their own, whatever the number of rows.
template <class T, int K, int N>
void check_known_columns() {
  static constexpr placeholder<"x", T, any<"m">, K> x;
  static constexpr placeholder<"y", T, K, N> y;
  static constexpr placeholder<"yt", T, N, K> yt;
  static constexpr placeholder<"bias", T, N> added;
  constexpr auto all = std::tuple(matmul(x, y), relu(matmul(x, y) + added), matmul(x, transpose(yt)),
                                  matmul(flip(x), y) * expand_dims(max(x, axis<1>), axis<1>));
  std::apply(
      [](auto... e) {
        session s(e...);
        std::mt19937 generator(20);
        for (const int m : {0, 1, 3, 4, 5, 17}) {
          const auto vx = integers<T>(generator, m, K);
          const auto vy = integers<T>(generator, K, N);
          const auto vt = integers<T>(generator, N, K);
          const auto vb = integers<T>(generator, N);
          check_equal(s.run(e..., x = vx, y = vy, yt = vt, added = vb), reference::run(e..., x = vx, y = vy, yt = vt, added = vb),
                      std::to_string(m) + " by " + std::to_string(K) + " by " + std::to_string(N));
        }
      },
      all);
}

TEST_CASE("law: products of known columns and depth are those of the reference") {
  check_known_columns<float, 3, 2>();
  check_known_columns<float, 7, 36>();  // two panels and a part
  check_known_columns<float, 1, 17>();
  check_known_columns<double, 25, 10>();
  check_known_columns<double, 4, 4>();
  check_known_columns<std::int32_t, 3, 5>();
}

/// Few rows and long sums, from registers into the epilogue.
template <class T, int M, int K, int N>
void check_long_sums() {
  static constexpr placeholder<"x", T, M, K> x;
  static constexpr placeholder<"y", T, K, N> y;
  static constexpr placeholder<"bias", T, N> added;
  static constexpr placeholder<"xt", T, K, M> xt;
  static constexpr placeholder<"yt", T, N, K> yt;
  static constexpr placeholder<"residual", T, M, N> residual;
  static constexpr placeholder<"scale", T, M, 1> scale;
  std::mt19937 generator(21);
  const auto vx = integers<T>(generator, M, K);
  const auto vy = integers<T>(generator, K, N);
  const auto vb = integers<T>(generator, N);
  const auto vt = integers<T>(generator, K, M);
  const auto vyt = integers<T>(generator, N, K);
  const auto vr = integers<T>(generator, M, N);
  const auto vs = integers<T>(generator, M, 1);
  constexpr auto product = matmul(x, y);
  // What lies flat behind the product, what is the same in every row, and what is the same along each.
  constexpr auto all = std::tuple(relu(product + added), residual - product, scale * product,
                                  transpose(product) + transpose(residual), matmul(transpose(xt), y), matmul(x, transpose(yt)));
  std::apply(
      [&](auto... e) {
        session s(e...);
        ((check_equal(std::tuple(s.run(e, x = vx, y = vy, added = vb, xt = vt, yt = vyt, residual = vr, scale = vs)),
                      std::tuple(reference::run(e, x = vx, y = vy, added = vb, xt = vt, yt = vyt, residual = vr, scale = vs)),
                      std::to_string(M) + " by " + std::to_string(K) + " by " + std::to_string(N))),
         ...);
      },
      all);
}

TEST_CASE("law: products of known extents, few rows and long sums among them, are those of the reference") {
  check_long_sums<float, 4, 4, 4>();
  check_long_sums<float, 8, 4, 4>();
  check_long_sums<float, 1, 64, 64>();
  check_long_sums<float, 1, 129, 100>();
  check_long_sums<float, 2, 301, 17>();
  check_long_sums<double, 1, 65, 33>();
  check_long_sums<double, 3, 1000, 9>();
  // One row, and that is known: there are no kernels for several.
  check_long_sums<float, 1, 1200, 50>();
  check_long_sums<float, 1, 1100, 300>();
  check_long_sums<float, 1, 1500, 1>();
  check_long_sums<float, 1, 1030, 3>();
  check_long_sums<double, 1, 1100, 21>();
}

TEST_CASE("law: a vector on the left is a row, on the right a column") {
  static constexpr placeholder<"a", float, any<"m">, 5> m;
  static constexpr placeholder<"u", float, any<"m">> u;
  static constexpr placeholder<"v", float, 5> v;
  static constexpr placeholder<"c", float, 2, any<"m">, 5> c;
  constexpr auto all =
      std::tuple(matmul(m, v), matmul(u, m), matmul(v, v), matmul(c, v), matmul(u, c), gradient(sum(matmul(m, v) * u), m));
  static_assert(std::tuple_element_t<2, decltype(all)>::rank == 0 && std::tuple_element_t<4, decltype(all)>::rank == 2);
  std::mt19937 generator(22);
  const auto vm = integers<float>(generator, 4, 5);
  const auto vu = integers<float>(generator, 4);
  const auto vv = integers<float>(generator, 5);
  const auto vc = integers<float>(generator, 2, 4, 5);
  std::apply(
      [&](auto... e) {
        session s(e...);
        check_equal(s.run(e..., m = vm, u = vu, v = vv, c = vc), reference::run(e..., m = vm, u = vu, v = vv, c = vc), "vectors");
        const xt::xtensor<float, 1> image = s.run(matmul(m, v), m = vm, v = vv);
        for (std::size_t i = 0; i < 4; ++i) {
          float expected = 0;
          for (std::size_t k = 0; k < 5; ++k) expected += vm(i, k) * vv(k);
          CHECK(image(i) == expected);
        }
      },
      all);
}

/// What any order of additions stays within: k units of 2^-24 (2^-53), times the product of the magnitudes.
TEST_CASE_TEMPLATE("law: products of any numbers are within the bound of their sums' rounding", T, float, double) {
  std::mt19937 generator(19);
  const auto product = matmul(a<T>, b<T>);
  const auto magnitude = matmul(etch::abs(a<T>), etch::abs(b<T>));
  session s(product);
  const auto va = laws::random_array<T>(generator, 50, 500);
  const auto vb = laws::random_array<T>(generator, 500, 70);
  const auto got = s.run(product, a<T> = va, b<T> = vb);
  const auto [expected, bound] = reference::run(product, magnitude, a<T> = va, b<T> = vb);
  const T unit = std::numeric_limits<T>::epsilon() / 2;
  bool within = true;
  for (std::size_t i = 0; i < got.size(); ++i)
    within = within && std::abs(got.data()[i] - expected.data()[i]) <= 500 * unit * bound.data()[i];
  CHECK(within);
}
