// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <array>
#include <string>

#include <etch/etch.hpp>
#include <etch/print.hpp>
#include <etch/thread_pool.hpp>
#include "reference/run.hpp"

/// What the laws of padded and concatenated arrays share.
namespace joined_arrays {

using namespace etch;
using namespace etch::literals;

template <class T>
constexpr placeholder<"x", T, 90, 100> x;
template <class T>
constexpr placeholder<"y", T, 90, 100> y;
constexpr placeholder<"row", float, 100> row;
constexpr placeholder<"rows", float, any<"n">, 3000> rows;
constexpr placeholder<"volume", float, 14, 22, 32> volume;

constexpr auto one_x = x<float>;
constexpr auto one_y = y<float>;
constexpr auto wide_x = x<double>;
constexpr auto wide_y = y<double>;
constexpr placeholder<"c", double, 3> wide_coefficients;
constexpr auto u = variable<"u">(zeros<double>(shape<90, 100>{}), not_trainable);

template <class T, std::size_t Rank>
xt::xtensor<T, Rank> numbers(std::array<std::size_t, Rank> shape, std::size_t step) {
  xt::xtensor<T, Rank> v(shape);
  for (std::size_t i = 0; i < v.size(); ++i) v.data()[i] = static_cast<T>(static_cast<int>(i * step % 509) - 200);
  return v;
}

/// The value of e, on one thread and on several, equals what the reference has.
template <class E, class... Feed>
void check(E e, const Feed&... feed) {
  const auto expected = reference::run(e, feed...);
  etch::session s(e);
  CHECK(s.run(e, feed...) == expected);
  for (const int workers : {2, 3, 7}) {
    thread_pool pool(workers);
    s.set_executor(&pool);
    CHECK(s.run(e, feed...) == expected);
    s.set_executor(nullptr);
  }
}

/// Five points of margined, which is larger than its middle by one on each side.
template <class P>
constexpr auto five_points(P margined) {
  return slice(margined, section<0, -2>, section<1, -1>) + 2_c * slice(margined, section<2>, section<1, -1>) +
         3_c * slice(margined, section<1, -1>, section<0, -2>) - slice(margined, section<1, -1>, section<2>) -
         slice(margined, section<1, -1>, section<1, -1>);
}
/// Whether a plan has ops with kernels of their own.
template <class E, class... Placeholder>
bool has_opaque(E e, Placeholder... fed) {
  return to_text(plan_of(e, fed...)).find("opaque") != std::string::npos;
}

template <class T>
const auto xs = numbers<T, 2>({90, 100}, 7919);
template <class T>
const auto ys = numbers<T, 2>({90, 100}, 104729);

template <class T, class... Filling>
constexpr auto padded(Filling... filling) {
  return pad(x<T>, padding<1>, padding<1>, filling...);
}

}  // namespace joined_arrays
