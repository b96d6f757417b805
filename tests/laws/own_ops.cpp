// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>

#include "compare.hpp"

/// "An op of one's own is an op": of every family, in a session, by the reference, at once, folded, and inside larger graphs. The
/// expected results are written down, or made by the standard library.
namespace {

using namespace etch;

inline constexpr struct own_cube : elementwise<struct own_cube, 1> {
  static constexpr const char* name = "own_cube";
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return V(x * x * x);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy * 3_c * r.x[0] * r.x[0];
  }
} own_cube;

/// a where c, else 2 b.
inline constexpr struct own_choice : elementwise<struct own_choice, 3> {
  static constexpr const char* name = "own_choice";
  static constexpr bool differentiable = false;
  template <class M, class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const M& c, const V& a, const V& b) {
    return math::select(c, a, V(b + b));
  }
} own_choice;

/// b where c, else a: of bools, which are masks in lanes.
inline constexpr struct own_other : elementwise<struct own_other, 3> {
  static constexpr const char* name = "own_other";
  static constexpr dtype_set accepts = dtype_set::boolean;
  static constexpr bool differentiable = false;
  template <class M, class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const M& c, const V& a, const V& b) {
    return math::select(c, b, a);
  }
} own_other;

/// Whether an odd number of elements is true.
inline constexpr struct own_parity : reduction<struct own_parity> {
  static constexpr const char* name = "own_parity";
  static constexpr dtype_set accepts = dtype_set::boolean;
  static constexpr bool differentiable = false;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V identity() {
    return V(false);
  }
  template <class V>
  ETCH_HOST_DEVICE static constexpr V combine(const V& a, const V& b) {
    return math::bitwise_xor(a, b);
  }
} own_parity;

/// All bits that are set in some element.
inline constexpr struct own_bits : reduction<struct own_bits> {
  static constexpr const char* name = "own_bits";
  static constexpr dtype_set accepts = dtype_set::integer;
  static constexpr bool differentiable = false;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V identity() {
    return V(0);
  }
  template <class V>
  ETCH_HOST_DEVICE static constexpr V combine(const V& a, const V& b) {
    return math::bitwise_or(a, b);
  }
} own_bits;

/// How many are true, as float64: a dtype that is not its operand's.
inline constexpr struct own_count : reduction<struct own_count> {
  static constexpr const char* name = "own_count";
  static constexpr dtype_set accepts = dtype_set::any;
  static constexpr bool differentiable = false;
  static constexpr dtype result(dtype) { return dtype::float64; }
  template <class V>
  ETCH_HOST_DEVICE static constexpr V identity() {
    return V(0);
  }
  template <class V>
  ETCH_HOST_DEVICE static constexpr V combine(const V& a, const V& b) {
    return V(a + b);
  }
} own_count;

/// All bits that are set in some element so far.
inline constexpr struct own_running_bits : prefix_scan<struct own_running_bits, 1> {
  static constexpr const char* name = "own_running_bits";
  static constexpr dtype_set accepts = dtype_set::discrete;
  static constexpr bool differentiable = false;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V identity() {
    return V(0);
  }
  template <class V>
  ETCH_HOST_DEVICE static constexpr V combine(const V& state, const V& x) {
    return math::bitwise_or(state, x);
  }
  template <operand_like X, int Axis>
  constexpr auto operator()(X x, axis_list<Axis>) const {
    return call<struct own_running_bits, attributes<Axis, 0>>(x);
  }
} own_running_bits;

/// The diagonal of a square matrix.
inline constexpr struct own_diagonal : movement<struct own_diagonal> {
  static constexpr const char* name = "own_diagonal";
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words&) {
    tensor_type r = in[0];
    if (r.rank != 2) return context.fail(reason::rank_too_small, r);
    if (r.extents[0] != r.extents[1]) return context.fail(reason::extents_differ, r);
    r.rank = 1;
    return r;
  }
  static constexpr void map(extent_table&, const tensor_type&, const tensor_type&, const words&, index_map& m) {
    m.add(0, 0);
    m.add(1, 0);
  }
} own_diagonal;

/// All windows of `Size` neighbours of a vector, as rows, the last neighbour first.
template <int Size>
struct own_windows_of : movement<own_windows_of<Size>> {
  static constexpr const char* name = Size == 2 ? "own_windows_2" : "own_windows_3";
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words&) {
    tensor_type r = in[0];
    r.rank = 2;
    r.extents[0] = context.extents.sum(in[0].extents[0], 1 - Size);
    r.extents[1] = Size;
    return r;
  }
  static constexpr void map(extent_table&, const tensor_type&, const tensor_type&, const words&, index_map& m) {
    m.begin[0] = Size - 1;
    m.add(0, 0);
    m.add(0, 1, -1);
  }
};
template <int Size>
inline constexpr own_windows_of<Size> own_windows;

/// Rows in ascending order.
inline constexpr struct own_sort : opaque<struct own_sort, 1> {
  static constexpr const char* name = "own_sort";
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
  template <class T>
  static void run(strided<T> y, strided<const T> x, const std::int64_t*) {
    const std::int64_t n = y.rank == 0 ? 1 : y.extents[y.rank - 1];
    for (std::int64_t i = 0; i < y.size(); ++i) y.data[i] = x[i];
    for (std::int64_t i = 0; n > 0 && i < y.size(); i += n) std::sort(y.data + i, y.data + i + n);
  }
} own_sort;

/// Position of the first element of a vector that is above that of each limit, in bytes of its own dtype; `after` to begin at.
inline constexpr struct own_first_above : opaque<struct own_first_above, 3> {
  static constexpr const char* name = "own_first_above";
  static constexpr bool differentiable = false;
  static constexpr attribute_names names = {{"after"}};
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words&) {
    if (in[0].rank != 1) return context.fail(reason::rank_too_small, in[0]);
    return in[1].with(dtype::int32);
  }
  template <class X, class L, class D>
  static void run(strided<std::int32_t> y, strided<const X> x, strided<const L> limits, strided<const D> otherwise,
                  const std::int64_t* attributes) {
    for (std::int64_t i = 0; i < limits.size(); ++i) {
      y[i] = static_cast<std::int32_t>(otherwise());
      for (std::int64_t k = x.extents[0]; k-- > attributes[0];)
        if (static_cast<double>(x(k)) > static_cast<double>(limits[i])) y[i] = static_cast<std::int32_t>(k);
    }
  }
  template <class X, class L, class D>
  constexpr auto operator()(X x, L limits, D otherwise) const {
    return call<struct own_first_above, attributes<1>>(x, limits, otherwise);
  }
} own_first_above;

template <class R>
std::vector<double> flat(const R& r) {
  if constexpr (std::is_arithmetic_v<R>)
    return {static_cast<double>(r)};
  else if constexpr (std::is_base_of_v<tensor_base, R>)
    return std::vector<double>(r.array().begin(), r.array().end());
  else
    return std::vector<double>(r.begin(), r.end());
}

constexpr placeholder<"x", float, any<"n">, any<"m">> x;
constexpr placeholder<"b", bool, any<"n">, any<"m">> b;
constexpr placeholder<"i", std::int32_t, any<"n">, any<"m">> i;
constexpr placeholder<"v", float, any<"n">> v;
constexpr placeholder<"limits", double, any<"k">> limits;

/// f of one array in a session, by the reference, and at once.
template <class Slot, class T, std::size_t N>
void check_modes(auto f, Slot slot, const xt::xtensor<T, N>& at, const std::vector<double>& expected, const char* what) {
  INFO(what);
  constexpr auto y = decltype(f){}(Slot{});
  session s(y);
  CHECK(flat(s.run(y, slot = at)) == expected);
  CHECK(flat(reference::run(y, slot = at)) == expected);
  CHECK(flat(f(tensor<T, static_cast<int>(N)>(at))) == expected);
}

}  // namespace

TEST_CASE("law: an elementwise op of one's own") {
  check_modes([](auto z) { return own_cube(z); }, x, xt::xtensor<float, 2>{{1, 2, 3}, {-1, 0, 0.5f}}, {1, 8, 27, -1, 0, 0.125},
              "cube");
  check_modes([](auto z) { return own_choice(z > 1_c, z, own_cube(z) + 1_c); }, x, xt::xtensor<float, 2>{{1, 2, 3}, {-1, 0, 0.5f}},
              {4, 2, 3, 0, 2, 2.25}, "choice");
  constexpr auto slope = gradient(sum(own_cube(x)), x);
  session s(slope);
  CHECK(flat(s.run(slope, x = xt::xtensor<float, 2>{{1, 2, 3}})) == std::vector<double>{3, 12, 27});
}

TEST_CASE("law: an elementwise op of one's own that chooses between bools") {
  for (const std::size_t n : {1u, 3u, 16u, 33u, 200u}) {
    auto numbers = xt::xtensor<std::int32_t, 2>::from_shape({2, n});
    std::vector<double> others;
    for (std::size_t k = 0; k < 2 * n; ++k) {
      const int number = static_cast<int>(k * 7 % 11) - 5;
      numbers.flat(k) = number;
      others.push_back(number > 0 ? number % 2 != 0 : number < -2);
    }
    check_modes([](auto z) { return own_other(z > 0_c, z < -2_c, etch::remainder(z, 2_c) == 1_c); }, i, numbers, others,
                "other of bools");
    check_modes([](auto z) { return own_other(z > 0_c, z < -2_c, etch::remainder(z, 2_c) == 1_c); }, x,
                xt::xtensor<float, 2>(xt::cast<float>(numbers)), others, "other of bools beside floats");
  }
}

TEST_CASE("law: the compiler computes an op of one's own, but what it may not: that is left to the run") {
  constexpr auto eight = own_cube(full<float>(shape<2>{}, 2_c));
  constexpr auto infinite = own_cube(full<float>(shape<2>{}, 1e30_c));
  constexpr auto also = own_cube(full<double>(shape<2>{}, -1e200_c));
  constexpr auto wrapped = own_cube(full<std::int32_t>(shape<2>{}, 2000_c));
  session s(eight, infinite, also, wrapped);
  const auto [e, f, g, w] = s.run(eight, infinite, also, wrapped);
  CHECK(flat(e) == std::vector<double>{8, 8});
  CHECK(std::isinf(f(0)));
  CHECK(g(1) == -std::numeric_limits<double>::infinity());
  CHECK(w(0) == static_cast<std::int32_t>(8'000'000'000LL & 0xffffffff));
}

TEST_CASE("law: a reduction of one's own: over bools, over integers, with another dtype") {
  for (const std::size_t n : {1u, 3u, 4u, 7u, 16u, 33u, 64u, 200u}) {
    xt::xtensor<bool, 2> bools = xt::xtensor<bool, 2>::from_shape({3, n});
    xt::xtensor<std::int32_t, 2> integers = xt::xtensor<std::int32_t, 2>::from_shape({3, n});
    std::vector<double> odd(3), bits(3), counts(3), odd_along(n);
    std::int32_t all_bits[3] = {};
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < n; ++c) {
        const auto number = static_cast<std::int32_t>((r * 2654435761u + c * 40503u) >> 3);
        bools(r, c) = number % 3 == 0;
        integers(r, c) = number & 0x10101010;
        counts[r] += bools(r, c);
        odd[r] = static_cast<int>(counts[r]) % 2;
        odd_along[c] = static_cast<int>(odd_along[c]) ^ bools(r, c);
        all_bits[r] |= integers(r, c);
      }
    for (std::size_t r = 0; r < 3; ++r) bits[r] = all_bits[r];
    check_modes([](auto z) { return own_parity(z, axis<1>); }, b, bools, odd, "parity of rows");
    check_modes([](auto z) { return own_parity(z, axis<0>); }, b, bools, odd_along, "parity of columns");
    check_modes([](auto z) { return own_parity(z); }, b, bools,
                {static_cast<double>((static_cast<int>(odd[0] + odd[1] + odd[2])) % 2)}, "parity");
    check_modes([](auto z) { return own_bits(z, axis<1>); }, i, integers, bits, "bits of rows");
    check_modes([](auto z) { return own_count(z, axis<1>); }, b, bools, counts, "true ones in rows");
  }
  static_assert(decltype(own_count(b))::type == dtype::float64);
}

TEST_CASE("law: a scan of one's own: over integers, over bools, with maps") {
  for (const std::size_t n : {1u, 3u, 16u, 33u, 200u})
    for (const std::size_t rows : {3u, 20u}) {
      xt::xtensor<bool, 2> bools = xt::xtensor<bool, 2>::from_shape({rows, n});
      xt::xtensor<std::int32_t, 2> integers = xt::xtensor<std::int32_t, 2>::from_shape({rows, n});
      std::vector<double> all, any, down(n * rows), scaled;
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < n; ++c) {
          integers(r, c) = static_cast<std::int32_t>((r * 2654435761u + c * 40503u) >> 3) % 1000;
          bools(r, c) = integers(r, c) % 50 == 0;
          all.push_back(c == 0 ? integers(r, c) : static_cast<int>(all.back()) | integers(r, c));
          any.push_back((c != 0 && any.back() != 0) || bools(r, c));
          down[r * n + c] = r == 0 ? integers(r, c) : static_cast<int>(down[(r - 1) * n + c]) | integers(r, c);
          scaled.push_back(any.back() != 0 ? all.back() * 2 : -1);
        }
      check_modes([](auto z) { return own_running_bits(z, axis<1>); }, i, integers, all, "bits along rows");
      check_modes([](auto z) { return own_running_bits(z, axis<0>); }, i, integers, down, "bits down columns");
      check_modes([](auto z) { return own_running_bits(z, axis<1>); }, b, bools, any, "any along rows");
      check_modes(
          [](auto z) {
            return where(own_running_bits(etch::remainder(z, 50_c) == 0_c, axis<1>), own_running_bits(z, axis<1>) * 2_c, -1_c);
          },
          i, integers, scaled, "both with a map");
    }
}

TEST_CASE("law: a movement of one's own") {
  check_modes([](auto z) { return own_diagonal(z); }, placeholder<"square", float, 3, 3>{},
              xt::xtensor<float, 2>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {1, 5, 9}, "diagonal");
  check_modes([](auto z) { return own_diagonal(z + 1_c) * own_diagonal(transpose(z)); }, placeholder<"square", float, 3, 3>{},
              xt::xtensor<float, 2>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {2, 30, 90}, "diagonals");
  check_modes([](auto z) { return own_windows<3>(z); }, v, xt::xtensor<float, 1>{1, 2, 3, 4}, {3, 2, 1, 4, 3, 2}, "windows");
  check_modes([](auto z) { return sum(own_windows<2>(z) * 2_c, axis<1>); }, v, xt::xtensor<float, 1>{1, 2, 3, 4}, {6, 10, 14},
              "sums of windows");
}

TEST_CASE("law: an op with a kernel of one's own") {
  const xt::xtensor<float, 2> numbers = {{3, 1, 2}, {0, -1, 5}};
  check_modes([](auto z) { return own_sort(z); }, x, numbers, {1, 2, 3, -1, 0, 5}, "sort");
  check_modes([](auto z) { return own_sort(transpose(z)) * 2_c; }, x, numbers, {0, 6, -2, 2, 4, 10}, "sort of a transposed one");
  check_modes([](auto z) { return own_sort(slice(z, section<from_start, to_end, -1>)); }, v, xt::xtensor<float, 1>{3, 1, 2},
              {1, 2, 3}, "sort of a reversed one");
  check_modes([](auto z) { return own_sort(z); }, x, xt::xtensor<float, 2>(xt::xtensor<float, 2>::from_shape({0, 3})), {},
              "sort of nothing");

  constexpr auto found = own_first_above(v, limits, 7_c);
  static_assert(decltype(found)::type == dtype::int32);
  session s(found);
  const xt::xtensor<float, 1> line = {9, 1, 2, 3};
  const xt::xtensor<double, 1> at = {0.5, 2.5, 8};
  CHECK(flat(s.run(found, v = line, limits = at)) == std::vector<double>{1, 3, 7});
  CHECK(flat(reference::run(found, v = line, limits = at)) == std::vector<double>{1, 3, 7});
  CHECK(flat(own_first_above(tensor<float, 1>(line), tensor<double, 1>(at), tensor<int, 0>(7))) == std::vector<double>{1, 3, 7});
}

TEST_CASE("law: a movement of one's own over named extents, where fewer are there than it reads, throws") {
  constexpr auto windows = own_windows<3>(v);
  session s(windows);
  CHECK_THROWS_AS(s.run(windows, v = xt::xtensor<float, 1>{1}), error);
  CHECK(flat(s.run(windows, v = xt::xtensor<float, 1>{1, 2})).empty());
}
