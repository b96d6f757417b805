// SPDX-License-Identifier: MIT
#pragma once
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <etch/backend/gpu/registers.hpp>

/// Elementwise kernels: a thread per element of the loop nest.
namespace etch::gpu {

/// What evaluates element i of a nest.
template <class P, int Rank>
struct map_element {
  nest<Rank, P::slots()> loop;

  ETCH_HOST_DEVICE void operator()(std::int64_t i) const {
    position<P::slots()> p;
    advance<0, Rank>(p, loop, i);
    registers<P> r;
    evaluate_section<P, 0>(r, loop, p);
  }
};

/// Calls f(0), ..., f(count - 1), a thread each.
template <class F>
void for_each_index(std::int64_t count, const F& f) {
  if (count > 0) thrust::for_each_n(thrust::device, thrust::make_counting_iterator(std::int64_t{0}), count, f);
}

/// Elements of axes [first, last).
template <int Rank, int Slots>
std::int64_t count_of(const nest<Rank, Slots>& n, int first, int last) {
  std::int64_t count = 1;
  for (int d = first; d < last; ++d) count *= n.extents[d];
  return count;
}

template <class P, int Rank>
void run_map(const nest<Rank, P::slots()>& n) {
  for_each_index(count_of(n, 0, Rank), map_element<P, Rank>{n});
}

}  // namespace etch::gpu
