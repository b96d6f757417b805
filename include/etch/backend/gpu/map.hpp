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

  ETCH_DEVICE void operator()(std::int64_t i) const {
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

/// What copies element i of result `From` of a nest to where it returns.
template <class T, int Rank, int Slots, int From, int To>
struct returned_element {
  nest<Rank, Slots> loop;

  ETCH_HOST_DEVICE void operator()(std::int64_t i) const {
    const char* from = loop.data[From];
    char* to = loop.data[To];
    for (int d = Rank; d-- > 0; i /= loop.extents[d]) {
      from += i % loop.extents[d] * loop.stride[From][d];
      to += i % loop.extents[d] * loop.stride[To][d];
    }
    *reinterpret_cast<T*>(to) = *reinterpret_cast<const T*>(from);
  }
};

/// A map whose last results go back to where it reads: all elements, then all copies. They have memory for all of them.
template <class P, int Rank, int Returned>
void run_returning_map(const nest<Rank, P::slots() + Returned>& n) {
  constexpr int slots = P::slots();
  nest<Rank, slots> loop;
  for (int d = 0; d < Rank; ++d) loop.extents[d] = n.extents[d];
  for (int s = 0; s < slots; ++s) {
    loop.data[s] = n.data[s];
    for (int d = 0; d < Rank; ++d) loop.stride[s][d] = n.stride[s][d];
  }
  run_map<P, Rank>(loop);
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (
        [&] {
          constexpr int from = slots - Returned + K;
          for_each_index(count_of(n, 0, Rank),
                         returned_element<value_type_of<P::stored_by(from)>, Rank, slots + Returned, from, slots + K>{n});
        }(),
        ...);
  }(std::make_integer_sequence<int, Returned>{});
}

}  // namespace etch::gpu
