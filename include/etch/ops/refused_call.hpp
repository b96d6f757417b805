// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/movement.hpp>

/// What a program that does not compile has in a mistake's place.
namespace etch {

/// Stands for a call that was refused, so that a session, a gradient or a feed of one of its operands is no second error: of the dtype and
/// shape that the call would have had, of any operands, with a gradient. It never runs.
struct refused_call : opaque<refused_call, -1> {
  static constexpr const char* name = "refused";
  static constexpr dtype_set accepts = dtype_set::any;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
  template <class... A>
  static constexpr void run(const A&...) {}
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    for (int k = 0; k < r.count; ++k)
      if (is_floating(r.x[k].type().type)) r.dx[k] = filled(r.dy, r.x[k].type(), 0);
  }
};

}  // namespace etch
