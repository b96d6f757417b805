// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/backend/nest.hpp>
#include <etch/core/constant.hpp>

/// Evaluates a program for one element in one thread: one register per instruction, of the instruction's own type.
///
/// nvcc names a kernel by its functor's type, so that holds integers only; it reads no static arrays in device code, so
/// instructions are decoded by constexpr functions.
namespace etch::gpu {

/// What a reduction to where an extreme is keeps.
template <class T>
struct located {
  T value;
  std::int64_t at;
};

/// Whether register I is one.
template <class P, int I>
ETCH_HOST_DEVICE constexpr bool is_located() {
  if constexpr (P::at(I).code == opcode::reduce)
    return op_of<P::at(I).payload>::gives_indices;
  else
    return false;
}

template <dtype D, bool Written, bool Located>
struct register_of {
  value_type_of<D> value;
};
template <dtype D>
struct register_of<D, true, true> {
  located<value_type_of<D>> value;
};
template <dtype D>
struct register_of<D, false, false> {};

template <class P, int I>
struct indexed_register : register_of<P::at(I).type, P::at(I).code != opcode::store, is_located<P, I>()> {};

template <class P, class Sequence>
struct register_file;
template <class P, int... I>
struct register_file<P, std::integer_sequence<int, I...>> : indexed_register<P, I>... {
  template <int N>
  ETCH_HOST_DEVICE ETCH_INLINE auto& get() {
    return static_cast<indexed_register<P, N>&>(*this).value;
  }
};
template <class P>
using instructions = std::make_integer_sequence<int, P::size>;
template <class P>
using registers = register_file<P, instructions<P>>;

/// Where a thread stands: bytes from each access's first element (of an iota: a count).
template <int Slots>
struct position {
  std::int64_t at[Slots + 1]{};
};

namespace detail {

/// a / b of numbers that are not negative. A GPU divides 64 bits in many instructions, 32 in few.
ETCH_HOST_DEVICE ETCH_INLINE std::int64_t quotient(std::int64_t a, std::int64_t b) {
  if (((a | b) >> 32) == 0) return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  return a / b;
}

/// The number whose bits, as in the constant op, are `Bits`. A variable, since `decode` is no device function.
template <dtype D, std::uint64_t Bits>
inline constexpr value_type_of<D> immediate = constant.decode(D, static_cast<std::int64_t>(Bits)).template as<value_type_of<D>>();

/// x as a T: of a bool, whether it is not 0.
template <class T, class X>
ETCH_HOST_DEVICE ETCH_INLINE T converted(X x) {
  if constexpr (std::is_same_v<T, bool>)
    return x != X(0);
  else
    return static_cast<T>(x);
}

}  // namespace detail

/// Moves to element `index`, in row-major order, of axes [First, Last) of the nest.
template <int First, int Last, int Rank, int Slots>
ETCH_HOST_DEVICE ETCH_INLINE void advance(position<Slots>& p, const nest<Rank, Slots>& n, std::int64_t index) {
  for (int d = Last - 1; d >= First; --d) {
    const std::int64_t outer = d == First ? 0 : detail::quotient(index, n.extents[d]);
    const std::int64_t i = index - outer * n.extents[d];
    for (int s = 0; s < Slots; ++s) p.at[s] += i * n.stride[s][d];
    index = outer;
  }
}

/// Evaluates instruction I. Reductions are left to the caller.
template <class P, int I, int Rank, int Slots>
ETCH_DEVICE ETCH_INLINE void evaluate(registers<P>& r, const nest<Rank, Slots>& n, const position<Slots>& p) {
  constexpr instruction in = P::at(I);
  using T = value_type_of<in.type>;
  if constexpr (in.code == opcode::load) {
    r.template get<I>() = detail::converted<T>(*reinterpret_cast<const value_type_of<in.memory>*>(n.data[in.slot] + p.at[in.slot]));
  } else if constexpr (in.code == opcode::store) {
    using M = value_type_of<in.memory>;
    M& to = *reinterpret_cast<M*>(n.data[in.slot] + p.at[in.slot]);
    if constexpr (is_located<P, in.a>())
      to = r.template get<in.a>().at;
    else
      to = detail::converted<M>(r.template get<in.a>());
  } else if constexpr (in.code == opcode::immediate) {
    r.template get<I>() = detail::immediate<in.type, in.payload>;
  } else if constexpr (in.code == opcode::iota) {
    r.template get<I>() = static_cast<T>(count_at(n.data[in.slot]) + p.at[in.slot]);
  } else if constexpr (in.code == opcode::apply) {
    using op = op_of<in.payload>;
    if constexpr (op::role == op_role::cast) {
      r.template get<I>() = detail::converted<T>(r.template get<in.a>());
    } else if constexpr (op::arity == 1) {
      r.template get<I>() = op::kernel(r.template get<in.a>());
    } else if constexpr (op::arity == 2) {
      r.template get<I>() = op::kernel(r.template get<in.a>(), r.template get<in.b>());
    } else {
      r.template get<I>() = op::kernel(r.template get<in.a>(), r.template get<in.b>(), r.template get<in.c>());
    }
  }
}

namespace detail {

template <class P, int I, int Section, bool Stores, int Rank, int Slots>
ETCH_DEVICE ETCH_INLINE void evaluate_if(registers<P>& r, const nest<Rank, Slots>& n, const position<Slots>& p) {
  constexpr instruction in = P::at(I);
  if constexpr (in.section == Section && (Stores || in.code != opcode::store)) evaluate<P, I>(r, n, p);
}

template <class P, int Section, bool Stores, int Rank, int Slots, int... I>
ETCH_DEVICE ETCH_INLINE void evaluate_each(registers<P>& r, const nest<Rank, Slots>& n, const position<Slots>& p,
                                           std::integer_sequence<int, I...>) {
  (evaluate_if<P, I, Section, Stores>(r, n, p), ...);
}

}  // namespace detail

/// Evaluates the instructions of a section, with or without its stores.
template <class P, int Section, bool Stores = true, int Rank, int Slots>
ETCH_DEVICE ETCH_INLINE void evaluate_section(registers<P>& r, const nest<Rank, Slots>& n, const position<Slots>& p) {
  detail::evaluate_each<P, Section, Stores>(r, n, p, instructions<P>{});
}

}  // namespace etch::gpu
