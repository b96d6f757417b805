// SPDX-License-Identifier: MIT
// What the machine can do: multiply-adds of float32 in registers, and z = x + 3 y in 12 MB, by as many threads as the driver wants.
#include <memory>

#include <etch/thread_pool.hpp>

#include "../peak.hpp"
#include "worker.hpp"

using namespace bench::suite;

namespace {

constexpr long steps = 20000;
constexpr int triad_size = 1 << 20;

struct arrays {
  std::vector<float> x = std::vector<float>(triad_size, 1), y = x, z = x;
};

}  // namespace

int main() {
  const int count = threads_wanted();
  etch::thread_pool pool(count);
  worker w;
  w.add("limit: multiply-adds", "etch", bench::flops_of_fma_chains(steps) * count, 0, [&] {
    return make_job([&] { pool.run(count, [](void*, int, int) { etch::detail::multiply_add_chains(steps); }, nullptr); },
                    [] { return std::vector<float>{}; });
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
