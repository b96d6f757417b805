// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>

#include <etch/backend/cpu/program/registers.hpp>

/// The epilogues that tiles of a product run in registers.
namespace etch::cpu {

/// A tile's epilogue stores its sums, maybe adds something before, maybe applies relu, maybe limits what that gives (relu6; in columnwise products
/// alone): what a layer of a network does. Any other epilogue is given the sums by way of memory. So the first convolution of a network for images of one channel takes 0.86 of the time (Zen 3, `tools/bench --only
/// "P6 convolution"`).
struct tile_epilogue {
  int store = -1;  ///< the slot; -1 where the program does something else
  int added = -1;  ///< the slot; -1 where nothing is added
  bool relu = false;
  double high = 0;  ///< the limit; 0: none
};

namespace detail {

/// The smallest normal float: of a limit below it a run that flushes could not tell whether there is one.
inline constexpr double least_limit = 0x1p-126;

template <class P>
constexpr tile_epilogue tile_epilogue_of() {
  constexpr dtype type = decoded<P>::at(0).type;
  // Other sums are stored at most: their products have no tiles.
  constexpr bool has_tiles = is_floating(type) && !is_storage(type);
  if constexpr (P::size > 8) {
    return {};
  } else {
    tile_epilogue found;
    int value = 0, loaded = -1, constant = -1;  // registers
    double number = 0;
    for (int i = 1; i < P::size; ++i) {
      const instruction in = decoded<P>::at(i);
      bool fits = in.section == 0 && found.store < 0 && in.type == type && (has_tiles || in.code == opcode::store);
      if (in.code == opcode::load) {
        fits = fits && found.added < 0 && in.mode == lane::next && in.memory == type;
        found.added = in.slot;
        loaded = i;
      } else if (in.code == opcode::immediate) {
        constant = i;
        number = std::bit_cast<double>(in.payload);
      } else if (in.code == opcode::store) {
        fits = fits && in.a == value && loaded < 0 && in.mode == lane::next && in.memory == type;
        found.store = in.slot;
      } else if (in.code == opcode::apply && in.payload == etch::detail::id_of<struct etch::add>) {
        fits = fits && !found.relu && loaded >= 0 && ((in.a == value && in.b == loaded) || (in.b == value && in.a == loaded));
        loaded = -1;
        value = i;
      } else if (in.code == opcode::apply && in.payload == etch::detail::id_of<struct etch::minimum>) {
        fits = fits && found.relu && found.high == 0 && in.a == value && in.b == constant && number >= least_limit;
        found.high = number;
        value = i;
      } else {
        fits = fits && in.code == opcode::apply && in.payload == etch::detail::id_of<struct etch::maximum>;
        fits = fits && !found.relu && in.a == value && in.b == constant && std::bit_cast<std::uint64_t>(number) == 0;
        found.relu = true;
        value = i;
      }
      if (!fits) return {};
    }
    return found;
  }
}

}  // namespace detail
}  // namespace etch::cpu
