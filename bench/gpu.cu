// SPDX-License-Identifier: MIT
// Kernels of the GPU backend beside a copy of as many bytes. `nvcc -std=c++20 -O3 -arch=sm_90 -Iinclude bench/gpu.cu -o gpu && ./gpu`
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <etch/etch.hpp>
#include <etch/gpu.hpp>

using namespace etch::literals;

namespace {

constexpr int elements = 100'000'000, rows = 65'536, columns = 4'096;
constexpr auto v = etch::variable<"v">(etch::zeros(etch::shape<elements>{}), etch::not_trainable);
constexpr auto w = etch::variable<"w">(etch::zeros(etch::shape<elements>{}), etch::not_trainable);
constexpr auto m = etch::variable<"m">(etch::zeros(etch::shape<rows, columns>{}), etch::not_trainable);
constexpr auto s = etch::variable<"s">(etch::zeros(etch::shape<rows, columns>{}), etch::not_trainable);

/// Ends the program with CUDA's sentence where it reports an error, lest a call that did nothing be measured.
void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::puts(cudaGetErrorString(result));
  std::exit(1);
}

/// Ten calls after three, with what memory they read and write at least, in bytes.
template <class F>
void measure(const char* what, double bytes, const F& f) {
  for (int i = 0; i < 3; ++i) f();
  check(cudaDeviceSynchronize());
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) f();
  check(cudaDeviceSynchronize());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 10;
  std::printf("%-40s %10.1f us %8.1f GB/s\n", what, seconds * 1e6, bytes / seconds / 1e9);
}

}  // namespace

int main() {
  const double vector_bytes = 4.0 * elements, matrix_bytes = 4.0 * rows * columns;
  float *from = nullptr, *to = nullptr;
  if (cudaMalloc(&from, vector_bytes) != cudaSuccess || cudaMalloc(&to, vector_bytes) != cudaSuccess) {
    std::puts("there is no GPU with 6 GB of memory");
    return 1;
  }
  measure("copy, 1e8", 2 * vector_bytes, [&] { check(cudaMemcpyAsync(to, from, vector_bytes, cudaMemcpyDeviceToDevice)); });

  constexpr auto map = etch::group(etch::assign(w, v + 1_c));
  constexpr auto chain = etch::group(etch::assign(w, etch::tanh(v * 2_c + 1_c) * v - 0.5_c));
  constexpr auto softmax = etch::group(etch::assign(s, etch::softmax(m, etch::axis<1>)));
  constexpr auto sum = etch::sum(v);
  constexpr auto sum_of_columns = etch::sum(m, etch::axis<0>);
  etch::gpu::session session(map, chain, softmax, sum, sum_of_columns);
  session.initialize();
  auto run_map = session.bind(map);
  auto run_chain = session.bind(chain);
  auto run_softmax = session.bind(softmax);
  auto run_sum = session.bind(sum);
  auto run_sum_of_columns = session.bind(sum_of_columns);
  measure("w = v + 1, 1e8", 2 * vector_bytes, [&] { run_map(); });
  measure("chain of 5 with tanh, 1e8", 2 * vector_bytes, [&] { run_chain(); });
  measure("sum, 1e8", vector_bytes, [&] { run_sum(); });
  measure("softmax along rows, (65536, 4096)", 2 * matrix_bytes, [&] { run_softmax(); });
  measure("sum along columns, (65536, 4096)", matrix_bytes, [&] { run_sum_of_columns(); });
}
