// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/reference/value.hpp>
#include <etch/core/attributes.hpp>

/// What computes one node. Each op of its own kind specialises `kernel`; families share one.
namespace etch::reference {

/// Which numbers random draws give: those of a session that was initialised with `seed`, in its run number `run` (the
/// first that draws is 1; initial values are drawn in run 0).
struct draws {
  std::uint64_t seed = 0;
  std::uint64_t run = 1;
};

/// All that a node's value follows from.
struct arguments {
  const value* const* operands = nullptr;
  int count = 0;
  words attributes;
  draws numbers;

  const value& operator[](int k) const { return *operands[k]; }
};

/// `kernel<Op>::run<T, X0, X1>(in, out)`: T is the element type of the result, X0 and X1 are those of the first two
/// operands (void where there is none). `out` has its type and shape, and its elements are 0.
template <class Op>
struct kernel;

}  // namespace etch::reference
