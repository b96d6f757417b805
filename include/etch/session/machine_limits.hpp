// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include <unistd.h>

namespace etch {

/// The most that one thread of this machine does, with the registers that the program is compiled for: the roofs of the roofline model
/// (Williams, Waterman, Patterson 2009).
struct machine_limits {
  double flops = 0;             ///< float32 operations a second: multiply-adds count as two
  double memory_bandwidth = 0;  ///< bytes a second of arrays that no cache holds
  double cache_bandwidth = 0;   ///< of arrays that lie in the second cache
  double cache_bytes = 0;       ///< that cache's size
  double call = 0;              ///< seconds that a step of a traced run takes that does nothing, its clocks included

  bool are_known() const { return flops > 0; }
};

namespace detail {

using limits_clock = std::chrono::steady_clock;

/// The shortest of some runs of f, in seconds.
template <class F>
double least_seconds(int runs, const F& f) {
  double least = 1e9;
  for (int i = 0; i < runs; ++i) {
    const auto begin = limits_clock::now();
    f();
    least = std::min(least, std::chrono::duration<double>(limits_clock::now() - begin).count());
  }
  return least;
}

#if defined(__AVX512F__)
inline constexpr std::size_t widest_register = 64;
#elif defined(__AVX__)
inline constexpr std::size_t widest_register = 32;
#else
inline constexpr std::size_t widest_register = 16;
#endif
using widest_floats = float __attribute__((vector_size(widest_register)));

/// Chains of multiply-adds in registers, of which none waits for another: two units need eight of a latency of four cycles.
inline constexpr int chain_count = 12;
inline void multiply_add_chains(long steps) {
  using V = widest_floats;
  V a = V{} + 0.999f, b = V{} + 0.001f;
  asm volatile("" : "+x"(a), "+x"(b));
  V x0 = a, x1 = a, x2 = a, x3 = a, x4 = a, x5 = a, x6 = a, x7 = a, x8 = a, x9 = a, x10 = a, x11 = a;
  for (long i = 0; i < steps; ++i) {
    const auto step = [&](auto&... x) { ((x = x * a + b), ...); };
    step(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11);
    asm volatile("" : "+x"(x0), "+x"(x1), "+x"(x2), "+x"(x3), "+x"(x4), "+x"(x5));
    asm volatile("" : "+x"(x6), "+x"(x7), "+x"(x8), "+x"(x9), "+x"(x10), "+x"(x11));
  }
}
/// Reads two arrays and writes a third, `times` times over.
inline void triads(const widest_floats* a, const widest_floats* b, widest_floats* to, std::size_t n, int times) {
  for (int t = 0; t < times; ++t) {
    for (std::size_t i = 0; i < n; ++i) to[i] = a[i] + 0.5f * b[i];
    // All of it is read and written here, as far as the compiler knows.
    asm volatile("" : : "r"(a), "r"(b), "r"(to) : "memory");
  }
}

struct bound {
  const char* name;
  double share;  ///< of the time
};
/// What takes longest of what a step must do; `duration` in nanoseconds, all of all its calls.
inline bound bound_of(const machine_limits& limits, double duration, double bytes, double flops, std::int64_t calls) {
  const double count = static_cast<double>(std::max<std::int64_t>(calls, 1));
  const bool is_in_cache = bytes / count <= limits.cache_bytes / 2;
  const std::pair<const char*, double> needed[] = {
      {"arithmetic", flops / limits.flops},
      {is_in_cache ? "cache" : "memory", bytes / (is_in_cache ? limits.cache_bandwidth : limits.memory_bandwidth)},
      {"calls", count * limits.call}};
  const auto& most = *std::max_element(std::begin(needed), std::end(needed), [](auto& a, auto& b) { return a.second < b.second; });
  return {most.first, duration > 0 ? most.second / (duration * 1e-9) : 0};
}

}  // namespace detail

/// Measures them, in some 0.1 s, of a program that is compiled with -O2 or -O3.
inline machine_limits measure_machine_limits() {
  machine_limits limits;
  constexpr long steps = 20'000;
  limits.flops = 2.0 * detail::chain_count * steps * (detail::widest_register / sizeof(float)) /
                 detail::least_seconds(20, [] { detail::multiply_add_chains(steps); });
  const long cache = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  limits.cache_bytes = cache > 0 ? static_cast<double>(cache) : 1 << 20;
  /// Of three arrays of so many bytes.
  const auto bandwidth = [](std::size_t bytes, int times, int runs) {
    const std::size_t n = bytes / sizeof(detail::widest_floats);
    const std::unique_ptr<detail::widest_floats[]> a(new detail::widest_floats[n]{}), b(new detail::widest_floats[n]{}),
        to(new detail::widest_floats[n]{});
    const double seconds = detail::least_seconds(runs, [&] { detail::triads(a.get(), b.get(), to.get(), n, times); });
    return 3.0 * static_cast<double>(n * sizeof(detail::widest_floats)) * times / seconds;
  };
  limits.cache_bandwidth = bandwidth(static_cast<std::size_t>(limits.cache_bytes) / 6, 20, 10);
  limits.memory_bandwidth = bandwidth(std::size_t{1} << 24, 1, 4);
  volatile std::int64_t sink = 0;
  limits.call = detail::least_seconds(20,
                                      [&] {
                                        for (int i = 0; i < 1000; ++i)
                                          sink = sink + (detail::limits_clock::now() - detail::limits_clock::now()).count();
                                      }) /
                1000;
  return limits;
}

}  // namespace etch
