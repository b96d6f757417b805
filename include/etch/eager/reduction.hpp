// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/sweep/across.hpp>
#include <etch/backend/cpu/sweep/along.hpp>
#include <etch/eager/refusal.hpp>

/// Reductions of values: two kernels for each op and dtype, one for rows that lie along memory and one for rows across it. Whatever
/// the axes are, adjacent ones that are treated alike are collapsed to one axis, and then a stack of matrices is reduced along rows
/// or columns, once for each group of reduced axes that others stand between.
namespace etch::eager {

template <class Op, dtype D, bool Across>
constexpr auto make_reduction_program() {
  constexpr auto word = [](int k) {
    constexpr lane result = Across ? lane::next : lane::same;
    constexpr dtype stored = Op::gives_indices ? dtype::int64 : D;
    constexpr instruction all[] = {
        {.code = opcode::load, .type = D, .memory = D, .mode = lane::next},
        {.code = opcode::reduce, .type = D, .memory = D, .payload = info_of<Op>.id},
        {.code = opcode::store, .type = D, .memory = stored, .mode = result, .section = 1, .a = 1, .slot = 1}};
    return k % 2 == 0 ? all[k / 2].word() : all[k / 2].payload;
  };
  return program<word(0), word(1), word(2), word(3), word(4), word(5)>{};
}

/// Rows that are kept come first in the nest, what is reduced last.
using reduction_function = void (*)(const nest<2, 2>&);

template <class Op, dtype D, bool Across>
ETCH_KERNEL void reduce(const nest<2, 2>& n) noexcept {
  using P = decltype(make_reduction_program<Op, D, Across>());
  if constexpr (!is_host_pass)
    return;
  else if constexpr (Across)
    cpu::sweep_across<P, 1, 1>::run(n);
  else
    cpu::sweep_along<P, 1, 1>::run(n);
}

/// What reduces the elements of one dtype.
struct reducers {
  reduction_function along;
  reduction_function across;
  bool gives_indices;
};

namespace detail {

/// `outer` matrices of `count` x `inner` elements become rows of `inner`.
inline void reduce_stack(const reducers& run, const char* from, char* to, std::int64_t outer, std::int64_t count,
                         std::int64_t inner, std::int64_t size, std::int64_t result_size) {
  nest<2, 2> n;
  n.data[0] = const_cast<char*>(from);
  n.data[1] = to;
  n.extents[1] = count;
  n.stride[1][0] = result_size;
  n.stride[1][1] = 0;
  if (inner == 1) {
    n.extents[0] = outer;
    n.stride[0][0] = count * size;
    n.stride[0][1] = size;
    return run.along(n);
  }
  n.extents[0] = inner;
  n.stride[0][0] = size;
  n.stride[0][1] = inner * size;
  for (std::int64_t i = 0; i < outer; ++i) {
    run.across(n);
    n.data[0] += count * inner * size;
    n.data[1] += inner * result_size;
  }
}

}  // namespace detail

/// Attributes: the mask of axes, whether they stay with extent 1.
inline void reduce_axes(const op_facts& op, const reducers& run, const words& attributes, const value* const* in, value& out) {
  const value& x = *in[0];
  const tensor_type type = infer(op, attributes, in, 1);
  // Groups of neighbours that are all kept or all reduced; axes of extent 1 belong to either.
  struct {
    std::int64_t extent;
    bool is_reduced;
  } groups[max_rank];
  int count = 0, left = 0;
  for (int i = 0; i < x.described().rank; ++i) {
    const bool is_reduced = (attributes[0] >> i & 1) != 0;
    const std::int64_t extent = x.extent(i);
    if (extent == 1) continue;
    if (count > 0 && groups[count - 1].is_reduced == is_reduced) {
      groups[count - 1].extent *= extent;
    } else {
      groups[count++] = {extent, is_reduced};
      left += is_reduced ? 1 : 0;
    }
  }
  if (left == 0) {
    if (!run.gives_indices) {
      out = value(x, type, 0);
    } else {
      out.reset(type);
      std::memset(out.bytes(), 0, static_cast<std::size_t>(8 * out.size()));
    }
    return;
  }
  const std::int64_t size = size_of_dtype(x.described().type);
  value stage;
  const char* from = x.bytes();
  for (int g = count - 1; g >= 0; --g) {
    if (!groups[g].is_reduced) continue;
    std::int64_t outer = 1, inner = 1;
    for (int i = 0; i < g; ++i) outer *= groups[i].extent;
    for (int i = g + 1; i < count; ++i) inner *= groups[i].extent;
    if (--left == 0) {
      out.reset(type);
      return detail::reduce_stack(run, from, out.bytes(), outer, groups[g].extent, inner, size, size_of_dtype(type.type));
    }
    tensor_type reduced = type;
    reduced.rank = 1;
    reduced.extents[0] = outer * inner;
    value next(reduced);
    detail::reduce_stack(run, from, next.bytes(), outer, groups[g].extent, inner, size, size);
    stage = std::move(next);
    from = stage.bytes();
    groups[g].extent = 1;
  }
}

}  // namespace etch::eager
