// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/tape.hpp>

// Ops of the program that choose elements by integers, in gradient rules: the tape knows of them what they say themselves.
namespace own_indices {

/// Elements of a line by their numbers.
inline constexpr struct chosen : etch::opaque<struct chosen, 2> {
  static constexpr const char* name = "chosen";
  static constexpr bool takes_indices = true;
  static constexpr bool differentiable = false;
  static constexpr etch::tensor_type infer(etch::inference&, const etch::tensor_type* in, int, const etch::words&) {
    return in[1].with(in[0].type);
  }
  template <class T, class I>
  static void run(etch::strided<T> y, etch::strided<const T> x, etch::strided<const I> at, const std::int64_t*) {
    for (std::int64_t i = 0; i < y.extents[0]; ++i) y.data[i * y.strides[0]] = x.data[at.data[i * at.strides[0]] * x.strides[0]];
  }
} chosen;

/// x with the updates written at their numbers; the gradient of these is what has been written.
inline constexpr struct written : etch::opaque<struct written, 3> {
  static constexpr const char* name = "written";
  static constexpr bool takes_indices = true;
  static constexpr etch::tensor_type infer(etch::inference&, const etch::tensor_type* in, int, const etch::words&) { return in[0]; }
  template <class T, class I>
  static void run(etch::strided<T> y, etch::strided<const T> x, etch::strided<const I> at, etch::strided<const T> update,
                  const std::int64_t*) {
    for (std::int64_t i = 0; i < y.extents[0]; ++i) y.data[i * y.strides[0]] = x.data[i * x.strides[0]];
    for (std::int64_t i = 0; i < at.extents[0]; ++i)
      y.data[at.data[i * at.strides[0]] * y.strides[0]] = update.data[i * update.strides[0]];
  }
  template <class V>
  static constexpr void vjp(const etch::gradient_rule<V>& r) {
    r.dx[2] = etch::emit<struct chosen>(etch::words(), r.dy, r.x[1]);
  }
} written;

TEST_CASE("a tape passes an op of the program that takes indices, whatever their dtype") {
  const auto check = []<class I>(I) {
    const etch::tensor<float, 1> x = {1, 2, 3, 4}, update = {5, 6}, weight = {10, 20, 30, 40};
    const etch::tensor<I, 1> at = {3, 1};
    etch::tape recorded;
    const auto y = etch::sum(written(x, at, update) * weight);
    const auto slope = recorded.gradient(y, update);
    CHECK(y.item() == 1 * 10 + 6 * 20 + 3 * 30 + 5 * 40);
    CHECK(slope(0) == 40);
    CHECK(slope(1) == 20);
  };
  check(std::int32_t{});
  check(std::int64_t{});
  check(std::uint8_t{});
}

}  // namespace own_indices
