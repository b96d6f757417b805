// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <etch/etch.hpp>

#include <cstdint>
#include <limits>

/// Reductions to where an extreme is, in vectors, at numbers that no test's array reaches: up to 2^32 - 1 of lanes of 4 bytes.
namespace {

using namespace etch;

template <class T>
using lanes_for = cpu::simd_lanes<std::conditional_t<sizeof(T) == 4, float, double>>;
template <class T>
using located = cpu::located<lanes_for<T>, dtype_of<T>>;
template <class Op, class T>
using reducer = cpu::detail::reducer<Op, lanes_for<T>, dtype_of<T>>;

template <class T>
cpu::batch<T> everywhere(int x) {
  return cpu::batch<T>(static_cast<T>(x));
}
/// Whether each lane of the row is where `place` says.
template <class T>
bool all_are(const located<T>& total, std::int64_t place) {
  constexpr int count = lanes_for<T>::count;
  std::int64_t places[count] = {};
  cpu::store_places<lanes_for<T>, lane::next>(reinterpret_cast<char*>(places), 8, total, count);
  for (const std::int64_t p : places)
    if (p != place) return false;
  return true;
}

constexpr std::int64_t half = std::int64_t{1} << 31, last = 2 * half - 1;

}  // namespace

TEST_CASE_TEMPLATE("what is more extreme is taken where it is, below 2^31, there and up to the last number", T, float, double,
                   std::int32_t, std::int64_t) {
  located<T> largest = reducer<struct argmax, T>::identity(), smallest = reducer<struct argmin, T>::identity();
  int x = 10;
  for (const std::int64_t at : {std::int64_t{3}, half - 1, half, half + 1, last}) {
    CAPTURE(at);
    reducer<struct argmax, T>::take(largest, everywhere<T>(50 + x), at);
    reducer<struct argmin, T>::take(smallest, everywhere<T>(50 - x), at);
    CHECK(all_are<T>(largest, at));
    CHECK(all_are<T>(smallest, at));
    reducer<struct argmax, T>::take(largest, everywhere<T>(50), at < last ? at + 1 : at);
    reducer<struct argmin, T>::take(smallest, everywhere<T>(50), at < last ? at + 1 : at);
    CHECK(all_are<T>(largest, at));
    CHECK(all_are<T>(smallest, at));
    ++x;
  }
}

TEST_CASE_TEMPLATE("of equal ones on both sides of 2^31 the first is taken, whichever comes first", T, float, double,
                   std::int32_t) {
  located<T> below = reducer<struct argmax, T>::identity(), above = below;
  reducer<struct argmax, T>::take(below, everywhere<T>(7), half - 1);
  reducer<struct argmax, T>::take(above, everywhere<T>(7), half + 5);
  CHECK(all_are<T>(reducer<struct argmax, T>::combine(below, above), half - 1));
  CHECK(all_are<T>(reducer<struct argmax, T>::combine(above, below), half - 1));
}

TEST_CASE_TEMPLATE("the first NaN is taken at numbers beyond 2^31", T, float, double) {
  located<T> total = reducer<struct argmax, T>::identity();
  reducer<struct argmax, T>::take(total, everywhere<T>(7), half);
  reducer<struct argmax, T>::take(total, cpu::batch<T>(std::numeric_limits<T>::quiet_NaN()), half + 1);
  reducer<struct argmax, T>::take(total, everywhere<T>(8), half + 2);
  CHECK(all_are<T>(total, half + 1));
}

TEST_CASE_TEMPLATE("vectors along a row are counted beyond 2^31", T, float, std::int32_t) {
  located<T> total = reducer<struct argmax, T>::identity();
  reducer<struct argmax, T>::take(total, everywhere<T>(7), half + 1);
  CHECK(reducer<struct argmax, T>::across(total).place == (half + 1) * lanes_for<T>::count);
}
