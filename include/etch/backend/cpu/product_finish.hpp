// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/backend/cpu/registers.hpp>

/// What tiles of a product can do to their sums while these are in registers.
namespace etch::cpu {

/// Sums are stored, maybe added to something before, maybe cut off at 0: what a layer of a network does. Any other epilogue is given the sums
/// by way of memory. So the first convolution of a network for images of one channel takes 0.86 of the time (Zen 3, `tools/bench --only
/// "P6 convolution"`).
struct product_finish {
  int store = -1;  ///< the slot; -1 where the program does something else
  int added = -1;  ///< the slot; -1 where nothing is added
  bool cuts = false;
};

namespace detail {

template <class P>
struct finish_reader {
  product_finish found;
  int value = 0, loaded = -1, zero = -1;  ///< registers
  bool fits = true;

  template <int I>
  constexpr void read() {
    constexpr instruction in = decoded<P>::at(I);
    constexpr dtype type = decoded<P>::at(0).type;
    fits = fits && in.section == 0 && found.store < 0 && in.type == type && is_floating(type) && !is_storage(type);
    if constexpr (in.code == opcode::load) {
      fits = fits && found.added < 0 && in.mode == lane::next && in.memory == type;
      found.added = in.slot;
      loaded = I;
    } else if constexpr (in.code == opcode::immediate) {
      fits = fits && in.payload == 0;
      zero = I;
    } else if constexpr (in.code == opcode::store) {
      fits = fits && in.a == value && (found.added < 0 || loaded < 0) && in.mode == lane::next && in.memory == type;
      found.store = in.slot;
    } else if constexpr (in.code == opcode::apply) {
      using op = op_of<in.payload>;
      if constexpr (std::is_same_v<op, struct etch::add>) {
        fits = fits && !found.cuts && loaded >= 0 && ((in.a == value && in.b == loaded) || (in.b == value && in.a == loaded));
        loaded = -1;
      } else if constexpr (std::is_same_v<op, struct etch::maximum>) {
        fits = fits && !found.cuts && in.a == value && in.b == zero;
        found.cuts = true;
      } else {
        fits = false;
      }
      value = I;
    } else {
      fits = false;
    }
  }
};

template <class P>
constexpr product_finish finish_of() {
  if constexpr (P::size > 6) {
    return {};
  } else {
    finish_reader<P> reader;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (reader.template read<I + 1>(), ...);
    }(std::make_integer_sequence<int, P::size - 1>{});
    return reader.fits ? reader.found : product_finish{};
  }
}

}  // namespace detail
}  // namespace etch::cpu
