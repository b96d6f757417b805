// SPDX-License-Identifier: MIT
// What the machine can do: multiply-adds of float32 in registers, and z = x + 3 y in 12 MB, by as many threads as the driver wants.
#include <memory>

#include <etch/thread_pool.hpp>
#include <xsimd/xsimd.hpp>

#include "worker.hpp"

using namespace bench::suite;

namespace {

constexpr long steps = 20000;
using V = float __attribute__((vector_size(sizeof(xsimd::batch<float>))));
constexpr double flops_of_chains = 2.0 * 12 * steps * (sizeof(V) / sizeof(float));
constexpr int triad_size = 1 << 20;

/// Twelve chains, of which none waits for another.
void chains() {
  V a = V{} + 0.999f, b = V{} + 0.001f;
  V x0 = a, x1 = a, x2 = a, x3 = a, x4 = a, x5 = a, x6 = a, x7 = a, x8 = a, x9 = a, x10 = a, x11 = a;
  asm volatile("" : "+v"(a), "+v"(b));
  for (long i = 0; i < steps; ++i) {
    const auto step = [&](auto&... x) { ((x = x * a + b), ...); };
    step(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11);
    asm volatile("" : "+v"(x0), "+v"(x1), "+v"(x2), "+v"(x3), "+v"(x4), "+v"(x5));
    asm volatile("" : "+v"(x6), "+v"(x7), "+v"(x8), "+v"(x9), "+v"(x10), "+v"(x11));
  }
}

struct arrays {
  std::vector<float> x = std::vector<float>(triad_size, 1), y = x, z = x;
};

}  // namespace

int main() {
  const int count = threads_wanted();
  etch::thread_pool pool(count);
  worker w;
  w.add("limit: multiply-adds", "etch", flops_of_chains * count, 0, [&] {
    return make_job([&] { pool.run(count, [](void*, int, int) { chains(); }, nullptr); }, [] { return std::vector<float>{}; });
  });
  w.add("limit: triad", "etch", 0, 12.0 * triad_size, [&] {
    const auto a = std::make_shared<arrays>();
    return make_job(
        [&, a] {
          struct work {
            arrays& a;
            int count;
          } all{*a, count};
          pool.run(
              count,
              [](void* at, int task, int) {
                const work& q = *static_cast<work*>(at);
                const float* __restrict const x = q.a.x.data();
                const float* __restrict const y = q.a.y.data();
                float* __restrict const z = q.a.z.data();
                for (int i = triad_size / q.count * task; i < triad_size / q.count * (task + 1); ++i) z[i] = x[i] + 3 * y[i];
              },
              &all);
        },
        [] { return std::vector<float>{}; });
  });
  return w.serve();
}
