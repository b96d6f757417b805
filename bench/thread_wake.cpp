// SPDX-License-Identifier: MIT
// How often two threads of a pool take as long as one, after a pause: docs/design.md, "Who wakes a thread".
// thread_wake [MILLISECONDS]: the pause, 200 unless given.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <etch/thread_pool.hpp>

namespace {

using clock_type = std::chrono::steady_clock;

constexpr std::chrono::microseconds task_time(500);

void work(void*, int, int) {
  const auto end = clock_type::now() + task_time;
  while (clock_type::now() < end) {
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::chrono::milliseconds pause(count > 1 ? std::atoi(arguments[1]) : 200);
  constexpr int pauses = 30, runs = 20;
  etch::thread_pool two(2);
  int slow = 0;
  std::chrono::duration<double, std::micro> first{0};
  for (int k = 0; k < pauses; ++k) {
    std::this_thread::sleep_for(pause);
    for (int r = 0; r < runs; ++r) {
      const auto begin = clock_type::now();
      two.run(2, work, nullptr);
      const auto took = clock_type::now() - begin;
      slow += took > task_time * 8 / 5 ? 1 : 0;
      if (r == 0) first += took;
    }
  }
  std::printf("%d of %d runs of two tasks of 0.5 ms took more than 0.8 ms; the first after a pause took %.0f us\n", slow,
              pauses * runs, first.count() / pauses);
}
