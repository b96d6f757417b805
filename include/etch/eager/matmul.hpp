// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/contraction.hpp>
#include <etch/eager/opaque.hpp>

/// Matrix products of eager tensors.
namespace etch::eager_detail {

/// The elements of x under the extents of `type`.
template <int Rank, class X>
auto with_extents(const X& x, const tensor_type& type) {
  using T = typename X::value_type;
  T* data = nullptr;
  const auto r = tensor<T, Rank>::uninitialised(type, data);
  std::copy_n(x.data(), x.size(), data);
  return r;
}
/// x with an axis of extent 1 more, or less.
template <class X>
auto with_axis(const X& x, int at) {
  tensor_type type = x.described();
  for (int i = type.rank++; i > at; --i) type.extents[i] = type.extents[i - 1];
  type.extents[at] = 1;
  return with_extents<X::rank + 1>(x, type);
}
template <class X>
auto without_axis(const X& x, int at) {
  tensor_type type = x.described();
  --type.rank;
  for (int i = at; i < type.rank; ++i) type.extents[i] = type.extents[i + 1];
  return with_extents<X::rank - 1>(x, type);
}

template <class A, class B>
auto multiply_matrices(const A& a, const B& b);

/// As the op: a vector on the left is a row, on the right a column, and the result lacks that axis.
template <class A, class B>
auto multiply(const A& a, const B& b) {
  if constexpr (A::rank != 1 && B::rank != 1) {
    return multiply_matrices(a, b);
  } else {
    if (a.extent(A::rank - 1) != b.extent(B::rank > 1 ? B::rank - 2 : 0)) infer<struct matmul>(words(), a, b);  // throws
    if constexpr (A::rank == 1)
      return without_axis(multiply(with_axis(a, 0), b), B::rank == 1 ? 0 : B::rank - 2);
    else
      return without_axis(multiply_matrices(a, with_axis(b, 1)), A::rank - 1);
  }
}

template <class A, class B>
auto multiply_matrices(const A& a, const B& b) {
  using T = typename A::value_type;
  const tensor_type type = infer<struct matmul>(words(), a, b);
  using R = tensor<T, (A::rank > B::rank ? A::rank : B::rank)>;
  T* data = nullptr;
  const R r = R::uninitialised(type, data);
  constexpr auto word = [](int k) {
    instruction i;
    i.code = k / 2 == 0 ? opcode::accumulator : opcode::store;
    i.type = i.memory = R::type;
    i.mode = lane::next;
    i.slot = k / 2 == 0 ? 0 : 2;
    return k % 2 == 0 ? i.word() : i.payload;
  };
  using P = program<word(0), word(1), word(2), word(3)>;
  using kernel = cpu::contraction_kernel<P, R::rank, T>;
  cpu::nest<R::rank, kernel::slots> nest;
  const auto place = [&](int slot, const auto& x) {
    const tensor_view v = view_of(x);
    nest.data[slot] = v.data;
    for (int i = 0; i < R::rank; ++i) {
      const int at = i - (R::rank - v.rank);
      nest.stride[slot][i] =
          at < 0 || (at < v.rank - 2 && v.extents[at] == 1) ? 0 : v.strides[at] * static_cast<std::int64_t>(sizeof(T));
    }
  };
  place(0, a);
  place(1, b);
  place(2, r);
  for (int i = 0; i < R::rank; ++i) nest.extents[i] = type.extents[i];
  const std::int64_t inner = a.extent(A::rank - 1);
  const std::int64_t scratch = cpu::matmul_workspace<T>(type.extents[R::rank - 2], type.extents[R::rank - 1], inner);
  std::vector<T> workspace(static_cast<std::size_t>(scratch) + 64 / sizeof(T));
  std::size_t bytes = workspace.size() * sizeof(T);
  void* aligned = workspace.data();
  kernel::run(nest, inner, static_cast<T*>(std::align(64, static_cast<std::size_t>(scratch) * sizeof(T), aligned, bytes)));
  return r;
}

}  // namespace etch::eager_detail
