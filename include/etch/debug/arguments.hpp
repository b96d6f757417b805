// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/attributes.hpp>
#include <etch/debug/value.hpp>

/// What the function of a node is called with.
namespace etch::debug {

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

}  // namespace etch::debug
