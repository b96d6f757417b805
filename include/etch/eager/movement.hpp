// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/elementwise.hpp>
#include <etch/graph/build.hpp>

/// Ops that place elements elsewhere, on eager tensors.
namespace etch {

namespace eager_detail {

/// A movement op: its view of the operand, copied.
template <class Op, class R, class X>
auto move(const tensor_type& type, const words& w, const X& x) {
  extent_table none;
  index_map m;
  Op::map(none, x.described(), type, w, m);
  if (!reads_inside(m, x.described(), type)) {
    const tensor_type in = x.described();
    refuse(info_of<Op>, reason::an_index_map_reads_outside_its_operand, &in, 1);
  }
  view v;
  movement_view(none, info_of<Op>, w, x.described(), type, contiguous(none, x.described(), 0), v);
  typename R::value_type* data = nullptr;
  const R r = R::uninitialised(type, data);
  constexpr int rank = R::rank > 0 ? R::rank : 1;
  constexpr std::int64_t size = sizeof(typename R::value_type);
  constexpr auto word = [](int k) {
    instruction i;
    i.code = k / 2 == 0 ? opcode::load : opcode::store;
    i.type = i.memory = R::type;
    i.mode = k / 2 == 0 ? lane::strided : lane::next;
    i.slot = k / 2;
    return k % 2 == 0 ? i.word() : i.payload;
  };
  using P = program<word(0), word(1), word(2), word(3)>;
  cpu::nest<rank, 2> nest;
  std::int64_t s = size;
  for (int i = rank; i-- > 0;) {
    nest.extents[i] = i < R::rank ? type.extents[i] : 1;
    nest.stride[0][i] = i < R::rank ? v.stride[i] * size : 0;
    nest.stride[1][i] = s;
    s *= nest.extents[i];
  }
  nest.data[0] = const_cast<char*>(reinterpret_cast<const char*>(x.data())) + v.offset * size;
  nest.data[1] = reinterpret_cast<char*>(data);
  cpu::map_kernel<P, rank>::run(nest);
  return r;
}

template <class T, int Rank, auto... E>
tensor_type target_type(const tensor<T, Rank>&, shape<E...>) {
  static_assert((std::is_integral_v<std::remove_cvref_t<decltype(E)>> && ...),
                "eager shapes are numbers; use inferred for one that follows");
  extent_table none;
  return shape<E...>::value(none, dtype_of<T>);
}
}  // namespace eager_detail

template <class T, int Rank, auto... E>
auto evaluate_now(struct reshape, const tensor<T, Rank>& x, shape<E...> to) {
  extent_table table;
  inference context{table};
  const tensor_type from = x.described();
  const tensor_type type = etch::reshape.resolve(context, from, eager_detail::target_type(x, to));
  if (context.failure != reason::none) eager_detail::refuse(info_of<struct reshape>, context.failure, &from, 1);
  return eager_detail::move<struct reshape, tensor<T, static_cast<int>(sizeof...(E))>>(type, words(), x);
}

template <class T, int Rank, auto... E>
auto evaluate_now(struct broadcast_to, const tensor<T, Rank>& x, shape<E...> to) {
  extent_table table;
  inference context{table};
  const tensor_type types[] = {x.described(), eager_detail::target_type(x, to)};
  if (!rules::broadcast(context, types[0], types[1]).same_shape(types[1]) || context.failure != reason::none)
    eager_detail::refuse(info_of<struct broadcast_to>, reason::shapes_do_not_broadcast, types, 2);
  return eager_detail::move<struct broadcast_to, tensor<T, static_cast<int>(sizeof...(E))>>(types[1], words(), x);
}

}  // namespace etch
