// SPDX-License-Identifier: MIT
#pragma once
#include <etch/debug/arguments.hpp>

/// What computes one node. Each op of its own kind specialises `kernel`; families share one.
namespace etch::reference {

using debug::arguments, debug::draws, debug::position, debug::value;
using debug::broadcast_number, debug::number_of, debug::position_of;

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
