// SPDX-License-Identifier: MIT
// One program for several instruction sets: the model is a library for each, and the widest that the machine has is loaded.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "model.hpp"

namespace {

const model_functions* load(const char* library) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  const auto get = reinterpret_cast<decltype(&etch_model)>(dlsym(handle, "etch_model"));
  return get == nullptr ? nullptr : get();
}

struct variant {
  const char* name;
  const char* library;
  bool runs_here;
};

}  // namespace

int main() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  // All of a level: a virtual machine with AVX2 may lack lzcnt, which is another instruction there.
  const bool v3 = __builtin_cpu_supports("x86-64-v3") != 0;
  const bool v4 = __builtin_cpu_supports("x86-64-v4") != 0;
  const variant variants[] = {
      {"x86-64-v4", "libmodel_v4.so", v4}, {"x86-64-v3", "libmodel_v3.so", v3}, {"x86-64", "libmodel_v1.so", true}};
#else
  const variant variants[] = {{"the baseline", "libmodel_v1.so", true}};
#endif
  std::vector<float> samples(64 * 32), first, result(64 * 10);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<float>(i * 37 % 101) / 50 - 1;
  bool chosen = false, equal = true;
  for (const variant& v : variants) {
    if (!v.runs_here) continue;
    const model_functions* const model = load(v.library);
    if (model == nullptr) {
      std::printf("%s: %s\n", v.library, dlerror());
      return 1;
    }
    model->predict(samples.data(), result.data());
    std::printf("%s%s: %d floats in a register, first probability %.6f\n", chosen ? "" : "chosen: ", v.name,
                model->floats_in_a_register, static_cast<double>(result[0]));
    // A program would stop here. This one goes on, to show that all give the same up to rounding.
    if (!chosen) first = result;
    chosen = true;
    for (std::size_t i = 0; i < result.size(); ++i) equal = equal && std::abs(result[i] - first[i]) < 1e-5f;
  }
  return equal ? 0 : 1;
}
