// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include <etch/debug/arguments.hpp>

/// What computes one node. Each op of its own kind specialises `kernel`; families share one.
namespace etch::reference {

using debug::arguments, debug::draws, debug::value;

/// Where an element stands: one index per axis.
struct position {
  std::int64_t at[max_rank]{};
  std::int64_t& operator[](int axis) { return at[axis]; }
  std::int64_t operator[](int axis) const { return at[axis]; }
};

/// The position of element number i.
inline position position_of(const value& v, std::int64_t i) {
  position p;
  for (int axis = v.rank - 1; axis >= 0; --axis) {
    p[axis] = i % v.extents[axis];
    i /= v.extents[axis];
  }
  return p;
}

/// The number of the element at a position.
inline std::int64_t number_of(const value& v, const position& p) {
  std::int64_t i = 0;
  for (int axis = 0; axis < v.rank; ++axis) i = i * v.extents[axis] + p[axis];
  return i;
}

/// The element of v that NumPy's broadcasting brings to position p of `result`: axes are aligned at the last, and an
/// axis of extent 1 repeats.
inline std::int64_t broadcast_number(const value& v, const value& result, const position& p) {
  position q;
  for (int axis = 0; axis < v.rank; ++axis) q[axis] = v.extents[axis] == 1 ? 0 : p[result.rank - v.rank + axis];
  return number_of(v, q);
}

/// What sums and products of T are kept in until they are rounded once. Integers wrap around, as unsigned ones do.
template <class T>
using accumulator = std::conditional_t<
    std::is_same_v<T, float>, double,
    std::conditional_t<std::is_same_v<T, double>, long double, std::conditional_t<std::is_same_v<T, bool>, bool, std::uint64_t>>>;

/// `kernel<Op>::run<T, X0, X1>(in, out)`: T is the element type of the result, X0 and X1 are those of the first two
/// operands (void where there is none). `out` has its type and shape, and its elements are 0.
template <class Op>
struct kernel;

}  // namespace etch::reference
