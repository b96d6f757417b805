// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

/// Compares named candidates that do the same work. Results are checked before anything is timed; then the candidates take
/// turns, since machines are shared and noisy: what slows one round down slows all of them. One thread, whose own processor
/// time is taken, unless another clock is asked for: other programs' turns do not count, what they do to caches does.
namespace bench {

/// Makes the compiler believe that all memory is read and written here.
inline void clobber() { asm volatile("" ::: "memory"); }

/// Something to time. The loop over the calls is compiled together with the call itself.
struct candidate {
  std::string name;
  std::function<void(long calls)> repeat;

  template <class F>
  candidate(std::string its_name, F call)
      : name(std::move(its_name)), repeat([call](long calls) mutable {
          for (long i = 0; i < calls; ++i) {
            call();
            clobber();
          }
        }) {}
};

/// Seconds a call.
struct timing {
  std::string name;
  double median = 0, minimum = 0;
};

struct effort {
  int rounds = 41;
  double turn = 0.001;                        ///< seconds that one turn of one candidate should last
  clockid_t clock = CLOCK_THREAD_CPUTIME_ID;  ///< CLOCK_MONOTONIC where threads share the work
};

namespace detail {

inline double time_on(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double seconds(const candidate& c, long calls, clockid_t clock) {
  const double begin = time_on(clock);
  c.repeat(calls);
  return time_on(clock) - begin;
}

/// As many calls as fill a turn.
inline long calls_for(const candidate& c, const effort& e) {
  long calls = 1;
  for (;;) {
    const double t = seconds(c, calls, e.clock);
    if (t >= e.turn / 2 || calls > (1L << 40)) return std::max(1L, std::lround(static_cast<double>(calls) * e.turn / t));
    calls = t < e.turn / 64 ? calls * 16 : std::lround(static_cast<double>(calls) * e.turn / t) + 1;
  }
}

inline std::string in_units(double seconds) {
  char text[32];
  if (seconds < 1e-6)
    std::snprintf(text, sizeof text, "%7.2f ns", seconds * 1e9);
  else if (seconds < 1e-3)
    std::snprintf(text, sizeof text, "%7.2f us", seconds * 1e6);
  else
    std::snprintf(text, sizeof text, "%7.2f ms", seconds * 1e3);
  return text;
}

}  // namespace detail

/// Times the candidates in turns, in another order each round.
inline std::vector<timing> measure(const std::vector<candidate>& candidates, effort e = {}) {
  const std::size_t n = candidates.size();
  std::vector<long> calls;
  for (const candidate& c : candidates) calls.push_back(detail::calls_for(c, e));
  std::vector<std::vector<double>> samples(n);
  std::vector<std::size_t> order(n);
  for (std::size_t k = 0; k < n; ++k) order[k] = k;
  std::minstd_rand random;
  for (int round = 0; round < e.rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t k : order) {
      samples[k].push_back(detail::seconds(candidates[k], calls[k], e.clock) / static_cast<double>(calls[k]));
    }
  }
  std::vector<timing> result;
  for (std::size_t k = 0; k < n; ++k) {
    std::sort(samples[k].begin(), samples[k].end());
    result.push_back({candidates[k].name, samples[k][samples[k].size() / 2], samples[k].front()});
  }
  return result;
}

/// One line: the first candidate's median time, then per other candidate how many times as fast as that one the first is
/// (by medians, and in parentheses by minima). `note` says what else is known of the first one's time.
inline void print(const std::string& work, const std::vector<timing>& t, const std::string& note = "") {
  std::printf("%-34s %s %s", work.c_str(), t[0].name.c_str(), detail::in_units(t[0].median).c_str());
  for (std::size_t k = 1; k < t.size(); ++k)
    std::printf(" | %s %.2f (%.2f)", t[k].name.c_str(), t[k].median / t[0].median, t[k].minimum / t[0].minimum);
  std::printf("%s%s\n", note.empty() ? "" : " | ", note.c_str());
  std::fflush(stdout);
}

inline void heading(const char* text) {
  std::printf(
      "%s\nThe first candidate's median time, then \"peer r (m)\": it is r times as fast as that peer by medians, m by minima.\n",
      text);
}

/// Ends the program with status 1 unless each value is within `tolerance` of the reference, relative to the larger of the
/// reference's magnitude and `scale`.
template <class T>
void check(const std::string& who, const T* values, const std::vector<double>& reference, double tolerance, double scale) {
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double error = std::abs(static_cast<double>(values[i]) - reference[i]) / std::max(std::abs(reference[i]), scale);
    if (error <= tolerance) continue;
    std::fprintf(stderr, "%s: element %zu is %.9g, should be %.9g\n", who.c_str(), i, static_cast<double>(values[i]), reference[i]);
    std::exit(1);
  }
}

/// Whether `filter`, the program's first argument, selects this row: an empty one selects all.
inline bool selected(int argc, char** argv, const std::string& row) { return argc < 2 || row.find(argv[1]) != std::string::npos; }

/// Reproducible numbers in [low, high).
inline void fill(float* to, std::size_t n, float low, float high, unsigned seed) {
  unsigned state = seed * 2654435761u + 1;
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    to[i] = low + (high - low) * static_cast<float>(state >> 8) * 0x1p-24f;
  }
}

}  // namespace bench
