// SPDX-License-Identifier: MIT
// One training step by one thread, by a pool of two, and by the threads of OpenMP: the same numbers to the last bit.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

#ifdef _OPENMP
#include <omp.h>

/// The threads that a program has already.
class openmp final : public etch::executor {
 public:
  int workers() const noexcept override { return workers_; }
  void run(int tasks, task_function f, void* work) noexcept override {
#pragma omp parallel for schedule(dynamic) num_threads(workers_)
    for (int task = 0; task < tasks; ++task) f(work, task, omp_get_thread_num());
  }

 private:
  int workers_ = omp_get_max_threads();
};
#endif

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"images", float, 256, 784> images;
constexpr etch::placeholder<"labels", std::int32_t, 256> labels;
constexpr auto hidden = etch::relu(etch::nn::dense<"hidden", 512>(images));
constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(etch::nn::dense<"logits", 10>(hidden), labels));
constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);

/// Trains anew on these threads; the losses, and how long a step takes.
std::vector<float> run_on(etch::executor* threads, const char* name) {
  xt::xtensor<float, 2> pixels = xt::zeros<float>({256, 784});
  xt::xtensor<std::int32_t, 1> classes = xt::zeros<std::int32_t>({256});
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels.data()[i] = static_cast<float>(i * 7919 % 1000) / 1000;
  for (std::size_t i = 0; i < classes.size(); ++i) classes(i) = static_cast<std::int32_t>(i * 7 % 10);

  etch::session session(loss, train);
  session.initialize(1);
  session.set_executor(threads);
  auto step = session.bind(loss, train, images = pixels, labels = classes);
  std::vector<float> losses;
  std::vector<double> seconds;
  for (int i = 0; i < 20; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    losses.push_back(step());
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + 10, seconds.end());
  std::printf("%-12s loss %.6f, %.2f ms a step\n", name, static_cast<double>(losses.back()), 1e3 * seconds[10]);
  return losses;
}

}  // namespace

int main() {
  etch::thread_pool two(2);  // starts one thread: the caller is the other
  const std::vector<float> alone = run_on(nullptr, "one thread");
  bool equal = run_on(&two, "two threads") == alone;
#ifdef _OPENMP
  openmp threads;
  equal = equal && run_on(&threads, "OpenMP") == alone;
#endif
  return equal ? 0 : 1;
}
