// SPDX-License-Identifier: MIT
#include "joined_arrays.hpp"

// Stencils of padded arrays, and values of joined ones, of each dtype.

namespace {

using namespace joined_arrays;

/// What of x lies around it, by every filling of `pad`.
template <class T>
void check_stencils() {
  check(five_points(padded<T>()), x<T> = xs<T>);
  check(five_points(padded<T>(edge)) + y<T>, x<T> = xs<T>, y<T> = ys<T>);
  check(five_points(padded<T>(reflect)) * y<T>, x<T> = xs<T>, y<T> = ys<T>);
  check(five_points(padded<T>(3_c)), x<T> = xs<T>);
  CHECK(!has_opaque(five_points(padded<T>(edge)), x<T>));
}
template <class T>
void check_values_of_joins() {
  constexpr auto both = x<T> * y<T>;
  check(five_points(pad(both, padding<1>, padding<1>, edge)), x<T> = xs<T>, y<T> = ys<T>);
  check(five_points(pad(x<T>, padding<1>, padding<1>)) + five_points(pad(y<T>, padding<1>, padding<1>, edge)), x<T> = xs<T>,
        y<T> = ys<T>);
  check(x<T> + pad(slice(both, section<3, 80>, section<2, 90>), padding<3, 10>, padding<2, 10>), x<T> = xs<T>, y<T> = ys<T>);
  check(where(concat(axis<0>, slice(x<T>, section<20>), slice(y<T>, section<0, 20>)) > x<T>, x<T>, y<T> + 1_c), x<T> = xs<T>,
        y<T> = ys<T>);
  check(concat(axis<1>, slice(x<T>, section<>, section<33>), slice(both, section<>, section<0, 33>)) + y<T>, x<T> = xs<T>,
        y<T> = ys<T>);
}

}  // namespace

TEST_CASE("stencils of padded arrays") {
  check_stencils<float>();
  check_stencils<double>();
  check_stencils<std::int32_t>();
}

TEST_CASE("sums and choices of joined arrays, cut at different places") {
  check_values_of_joins<float>();
  check_values_of_joins<std::int64_t>();
}
