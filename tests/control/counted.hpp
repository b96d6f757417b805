// SPDX-License-Identifier: MIT
#pragma once
#include <etch/etch.hpp>

namespace etch {

inline int runs_of_counted = 0;

/// x, and a note that it has been computed.
inline constexpr struct counted : opaque<struct counted, 1> {
  static constexpr const char* name = "counted";
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
  template <class T>
  static void run(strided<T> y, strided<const T> x, const std::int64_t*) {
    ++runs_of_counted;
    y.data[0] = x.data[0];
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy;
  }
} counted;

}  // namespace etch
