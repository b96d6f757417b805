// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/sweep.hpp>
#include <etch/eager/infer.hpp>
#include <etch/passes/views.hpp>

/// Reductions of eager tensors.
namespace etch::eager_detail {

template <class Op, class Attributes, class R, class X>
R reduce(const tensor_type& type, const X& x) {
  constexpr std::int64_t mask = Attributes::value[0];
  constexpr int reduced = [] {
    int c = 0;
    for (int i = 0; i < X::rank; ++i) c += static_cast<int>(mask >> i & 1);
    return c;
  }();
  constexpr int kept = X::rank - reduced;
  using T = typename X::value_type;
  T* data = nullptr;
  const R r = R::uninitialised(type, data);
  constexpr bool across = kept > 0 && (mask >> (X::rank - 1) & 1) == 0;
  constexpr auto word = [](int k) {
    instruction i;
    i.type = i.memory = X::type;
    if (k / 2 == 0) {
      i.code = opcode::load;
      i.mode = lane::next;
    } else if (k / 2 == 1) {
      i.code = opcode::reduce;
      i.payload = info_of<Op>.id;
    } else {
      i.code = opcode::store;
      i.mode = across ? lane::next : lane::same;
      i.a = 1;
      i.slot = 1;
      i.section = 1;
    }
    return k % 2 == 0 ? i.word() : i.payload;
  };
  using P = program<word(0), word(1), word(2), word(3), word(4), word(5)>;
  constexpr int rank = kept + (reduced > 0 ? reduced : 1);
  cpu::nest<rank, 2> nest;
  for (int i = 0; i < rank; ++i) {
    nest.extents[i] = 1;
    nest.stride[0][i] = nest.stride[1][i] = 0;
  }
  extent_table none;
  const view v = contiguous(none, x.described(), 0);
  int k = 0, q = kept;
  for (int i = 0; i < X::rank; ++i) {
    const int axis = (mask >> i & 1) != 0 ? q++ : k++;
    nest.extents[axis] = x.extent(i);
    nest.stride[0][axis] = v.stride[i] * static_cast<std::int64_t>(sizeof(T));
  }
  std::int64_t s = sizeof(T);
  for (int i = kept; i-- > 0;) {
    nest.stride[1][i] = s;
    s *= nest.extents[i];
  }
  nest.data[0] = const_cast<char*>(reinterpret_cast<const char*>(x.data()));
  nest.data[1] = reinterpret_cast<char*>(data);
  cpu::sweep_kernel<P, kept, rank - kept, across>::run(nest);
  return r;
}

/// How many elements lie along the axes of a mask.
template <class R, class X>
R count(const words& mask, const X& x) {
  std::int64_t n = 1;
  for (int i = 0; i < X::rank; ++i)
    if ((mask[0] >> i & 1) != 0) n *= x.extent(i);
  return R(static_cast<typename R::value_type>(n));
}

}  // namespace etch::eager_detail
