// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/map.hpp>
#include <etch/eager/infer.hpp>
#include <etch/passes/views.hpp>

/// Elementwise ops on eager tensors: the kernels of graph mode, for programs of one op.
namespace etch::eager_detail {

/// Loads of the operands, which move along the lanes in that mode, the op, a store.
template <class Op, lane Mode, dtype Result, dtype... In>
constexpr auto make_program() {
  constexpr int n = sizeof...(In);
  return []<int... I>(std::integer_sequence<int, I...>) {
    constexpr auto words_at = [](int k) {
      constexpr dtype in[] = {In..., Result};
      instruction i;
      if (k / 2 < n) {
        i.code = opcode::load;
        i.type = i.memory = in[k / 2];
        i.mode = Mode;
        i.slot = k / 2;
      } else if (k / 2 == n) {
        i.code = opcode::apply;
        i.type = Result;
        i.a = 0;
        i.b = 1;
        i.c = 2;
        i.payload = info_of<Op>.id;
      } else {
        i.code = opcode::store;
        i.type = i.memory = Result;
        i.mode = lane::next;
        i.a = n;
        i.slot = n;
      }
      return k % 2 == 0 ? i.word() : i.payload;
    };
    return program<words_at(I)...>{};
  }(std::make_integer_sequence<int, 2 * n + 4>{});
}

/// Bytes from one element to the next along each axis of the result.
template <int Rank, class A>
void set_strides(const A& a, const tensor_type& to, std::int64_t* stride) {
  extent_table none;
  const tensor_type t = a.described();
  const view v = contiguous(none, t, 0);
  for (int i = 0; i < Rank; ++i) stride[i] = 0;
  const int extra = to.rank - t.rank;
  for (int i = 0; i < t.rank; ++i)
    stride[i + extra] = t.extents[i] == 1 ? 0 : v.stride[i] * static_cast<std::int64_t>(sizeof(typename A::value_type));
}

template <class P, int Rank, class... A>
void run_map(const tensor_type& to, char* result, std::int64_t result_bytes, const A&... a) {
  constexpr int n = sizeof...(A);
  cpu::nest<Rank, n + 1> nest;
  for (int i = 0; i < Rank; ++i) nest.extents[i] = i < to.rank ? to.extents[i] : 1;
  int k = 0;
  ((nest.data[k] = const_cast<char*>(reinterpret_cast<const char*>(a.data())), set_strides<Rank>(a, to, nest.stride[k]), ++k), ...);
  nest.data[n] = result;
  std::int64_t s = result_bytes;
  for (int i = Rank; i-- > 0;) {
    nest.stride[n][i] = s;
    s *= nest.extents[i];
  }
  cpu::map_kernel<P, Rank>::run(nest);
}

/// An elementwise op: one flat loop where all shapes agree, else a nest with strides.
template <class Op, class R, class... A>
auto elementwise(const tensor_type& type, const A&... a) {
  using T = typename R::value_type;
  T* data = nullptr;
  const R r = R::uninitialised(type, data);
  constexpr int n = sizeof...(A);
  if ((a.described().same_shape(type) && ...)) {
    using P = decltype(make_program<Op, lane::next, R::type, A::type...>());
    cpu::nest<1, n + 1> nest;
    nest.extents[0] = r.size();
    int k = 0;
    ((nest.data[k] = const_cast<char*>(reinterpret_cast<const char*>(a.data())), nest.stride[k][0] = sizeof(typename A::value_type),
      ++k),
     ...);
    nest.data[n] = reinterpret_cast<char*>(data);
    nest.stride[n][0] = sizeof(T);
    cpu::map_kernel<P, 1>::run(nest);
  } else {
    using P = decltype(make_program<Op, lane::strided, R::type, A::type...>());
    run_map<P, (R::rank > 0 ? R::rank : 1)>(type, reinterpret_cast<char*>(data), sizeof(T), a...);
  }
  return r;
}

}  // namespace etch::eager_detail
