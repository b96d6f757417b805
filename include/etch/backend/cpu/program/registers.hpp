// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/backend/cpu/program/lane_memory.hpp>
#include <etch/backend/nest.hpp>

/// Evaluates a program: one register per instruction, each of the type that the instruction's dtype has in the lanes in
/// use. Everything is inlined, so that registers are the machine's.
namespace etch::cpu {

/// A program's instructions as a constant array: decoded once.
template <class P>
struct decoded {
  static constexpr int size = P::size;
  struct table {
    instruction at[P::size + 1]{};
    bool invariant[P::size + 1]{};  ///< the same for all elements along the lanes
    /// How often the register is read; operands that an instruction does not have are register 0, which may count too often.
    int reads[P::size + 1]{};
  };
  static constexpr table value = [] {
    table t;
    for (int i = 0; i < P::size; ++i) t.at[i] = P::at(i);
    for (int i = 0; i < P::size; ++i) {
      const instruction& in = t.at[i];
      const bool computes = in.code == opcode::apply || in.code == opcode::scan;
      if (computes || in.code == opcode::reduce || in.code == opcode::store) ++t.reads[in.a];
      if (computes) ++t.reads[in.b];
      if (in.code == opcode::apply) ++t.reads[in.c];
      if (in.section % 2 == 1 || in.code == opcode::reduce) continue;
      switch (in.code) {
        case opcode::immediate: t.invariant[i] = true; break;
        case opcode::load:
        case opcode::iota: t.invariant[i] = in.mode == lane::same; break;
        default: break;
      }
    }
    return t;
  }();
  static constexpr const instruction& at(int i) { return value.at[i]; }
};

/// Where each access stands: a pointer to the first element of the current row, and the bytes from one element to the next
/// along the lanes. An iota's "address" is a count.
template <int Slots>
struct cursor {
  char* data[Slots + 1]{};
  std::int64_t stride[Slots + 1]{};
};
/// At the first element of all, along that axis.
template <int Axis, int Rank, int Slots>
ETCH_PART cursor<Slots> start_of(const nest<Rank, Slots>& n) {
  cursor<Slots> c;
  for (int s = 0; s < Slots; ++s) {
    c.data[s] = n.data[s];
    c.stride[s] = n.stride[s][Axis];
  }
  return c;
}

/// What a reduction to where an extreme is keeps of each lane.
template <class L, dtype D>
struct located {
  /// As wide as the lanes, and one whose maximum is an instruction.
  using index_type =
      std::conditional_t<L::count == 1, std::int64_t, std::conditional_t<size_of_dtype(D) == 4, std::uint32_t, double>>;
  typename L::template value<D> value;
  typename L::template value<dtype_of<index_type>> at;  ///< the number of the element, or of its vector
  std::int64_t place;                                   ///< of all lanes together
};

/// Whether register I is one.
template <class P, int I>
inline constexpr bool is_located = false;
template <class P, int I>
  requires(decoded<P>::at(I).code == opcode::reduce)
inline constexpr bool is_located<P, I> = op_of<decoded<P>::at(I).payload>::gives_indices;

template <class L, dtype D, bool Written, bool Located>
struct register_of {
  using type = typename L::template value<D>;
  type value;
};
template <class L, dtype D>
struct register_of<L, D, true, true> {
  using type = located<L, D>;
  type value;
};
template <class L, dtype D>
struct register_of<L, D, false, false> {};

template <class P, class L, class Sequence>
struct register_file;
template <class P, class L, int I>
struct indexed_register : register_of<L, decoded<P>::at(I).type, decoded<P>::at(I).code != opcode::store, is_located<P, I>> {};
template <class P, class L, int... I>
struct register_file<P, L, std::integer_sequence<int, I...>> : indexed_register<P, L, I>... {
  template <int N>
  ETCH_INLINE auto& get() {
    return static_cast<indexed_register<P, L, N>&>(*this).value;
  }
};
template <class P, class L>
using registers = register_file<P, L, std::make_integer_sequence<int, P::size>>;

/// Stores where extremes are: of a row that vectors lie along, of each lane, which is a row.
template <class L, lane Mode, dtype D>
ETCH_INLINE void store_places(char* to, std::int64_t stride, const located<L, D>& x, int count) {
  if constexpr (Mode == lane::same) {
    *reinterpret_cast<std::int64_t*>(to) = x.place;
  } else if constexpr (L::count == 1) {
    *reinterpret_cast<std::int64_t*>(to) = x.at;
  } else {
    using T = typename located<L, D>::index_type;
    alignas(batch<T>) T at[L::count];
    x.at.store_aligned(at);
    for (int i = 0; i < count; ++i) {
      std::int64_t& place = *reinterpret_cast<std::int64_t*>(to + i * (Mode == lane::next ? 8 : stride));
      place = static_cast<std::int64_t>(at[i]);
    }
  }
}

/// Which instructions of a section.
enum class choice { invariant, varying, reductions };

namespace detail {

template <class P, int Section, choice Choice>
struct selection {
  struct list {
    int count = 0, at[P::size + 1]{};
  };
  static constexpr list value = [] {
    list l;
    for (int i = 0; i < P::size; ++i) {
      const bool reduces = decoded<P>::value.at[i].code == opcode::reduce;
      const choice is = reduces ? choice::reductions : decoded<P>::value.invariant[i] ? choice::invariant : choice::varying;
      if (decoded<P>::value.at[i].section == Section && is == Choice) l.at[l.count++] = i;
    }
    return l;
  }();
  template <int... K>
  static std::integer_sequence<int, value.at[K]...> expand(std::integer_sequence<int, K...>);
  using type = decltype(expand(std::make_integer_sequence<int, value.count>{}));
};

}  // namespace detail

/// The places of those instructions, in order.
template <class P, int Section, choice Choice>
using selected = typename detail::selection<P, Section, Choice>::type;

namespace detail {

/// What instruction I costs for one vector, in instructions of the machine: an op's flops are about that.
template <class P, int I>
constexpr int weight_of() {
  constexpr instruction in = decoded<P>::at(I);
  if constexpr (decoded<P>::value.invariant[I])
    return 0;
  else if constexpr (in.code == opcode::apply || in.code == opcode::scan)
    return op_of<in.payload>::cost > 1 ? op_of<in.payload>::cost : 1;
  else if constexpr (is_located<P, I>)
    return 6;
  else
    return 1;
}
template <class P, int S>
inline constexpr int weight_of_section = []<int... I>(std::integer_sequence<int, I...>) {
  return (0 + ... + (decoded<P>::at(I).section == S ? weight_of<P, I>() : 0));
}(std::make_integer_sequence<int, P::size>{});

}  // namespace detail

/// Evaluates instruction I at lane offset `i` of the row; Partial: only `count` lanes are there.
template <class P, class L, int I, bool Partial, bool Streamed, int Slots>
ETCH_PART void evaluate(registers<P, L>& r, const cursor<Slots>& c, std::int64_t i, int count) {
  constexpr instruction in = decoded<P>::at(I);
  if constexpr (in.code == opcode::load) {
    constexpr lane mode = in.mode;
    const char* at = c.data[in.slot];
    if constexpr (mode == lane::next) at += i * size_of_dtype(in.memory);
    if constexpr (mode == lane::strided) at += i * c.stride[in.slot];
    r.template get<I>() = detail::load_as<L, in.type, in.memory, mode, Partial>(at, c.stride[in.slot], count);
    if constexpr (mode == lane::next && !Partial && decoded<P>::value.reads[I] > 1) keep_in_register(r.template get<I>());
  } else if constexpr (in.code == opcode::store) {
    constexpr lane mode = in.mode;
    char* at = c.data[in.slot];
    if constexpr (mode == lane::next) at += i * size_of_dtype(in.memory);
    if constexpr (mode == lane::strided) at += i * c.stride[in.slot];
    if constexpr (is_located<P, in.a>)
      store_places<L, mode>(at, c.stride[in.slot], r.template get<in.a>(), Partial ? count : L::count);
    else
      detail::store_as<L, in.type, in.memory, mode, Partial, Streamed>(at, c.stride[in.slot], r.template get<in.a>(), count);
  } else if constexpr (in.code == opcode::immediate) {
    constexpr scalar s = constant.decode(in.type, static_cast<std::int64_t>(in.payload));
    r.template get<I>() = detail::broadcast<L, in.type>(s.template as<value_type_of<in.type>>());
  } else if constexpr (in.code == opcode::iota) {
    using T = value_type_of<in.type>;
    constexpr lane mode = in.mode;
    const std::int64_t first = count_at(c.data[in.slot]) + (mode == lane::same ? 0 : i * c.stride[in.slot]);
    if constexpr (mode == lane::same || std::is_same_v<L, scalar_lanes>)
      r.template get<I>() = detail::broadcast<L, in.type>(static_cast<T>(first));
    else if constexpr (is_storage(in.type))
      r.template get<I>() = rounded_to<T>(counts<float>(first, c.stride[in.slot]));
    else
      r.template get<I>() = counts<T>(first, c.stride[in.slot]);
  } else if constexpr (in.code == opcode::apply) {
    using op = op_of<in.payload>;
    if constexpr (op::role == op_role::cast) {
      r.template get<I>() = detail::convert<L, in.type, decoded<P>::at(in.a).type>(r.template get<in.a>());
    } else if constexpr (op::arity == 1) {
      const auto& x = r.template get<in.a>();
      r.template get<I>() = detail::own_mask_or<L, in.type>(detail::apply_kernel<op, std::remove_cvref_t<decltype(x)>>(x));
    } else if constexpr (op::arity == 2) {
      const auto& x = r.template get<in.a>();
      r.template get<I>() =
          detail::own_mask_or<L, in.type>(detail::apply_kernel<op, std::remove_cvref_t<decltype(x)>>(x, r.template get<in.b>()));
    } else {
      const auto& x = r.template get<in.b>();
      using V = std::remove_cvref_t<decltype(x)>;
      r.template get<I>() = detail::apply_kernel<op, V>(detail::mask_for<V>(r.template get<in.a>()), x, r.template get<in.c>());
    }
  }
}

namespace detail {

template <class P, int I>
inline constexpr bool touches_memory =
    decoded<P>::value.at[I].code == opcode::load || decoded<P>::value.at[I].code == opcode::store;

template <class P, class L, bool Partial, bool Streamed, int Slots, int... I>
ETCH_PART void evaluate_each([[maybe_unused]] registers<P, L>& r, [[maybe_unused]] const cursor<Slots>& c,
                             [[maybe_unused]] std::int64_t i, [[maybe_unused]] int count, std::integer_sequence<int, I...>) {
  // Only memory is touched in part: everything else is instantiated once.
  (evaluate<P, L, I, (Partial && touches_memory<P, I>), (Streamed && touches_memory<P, I>)>(r, c, i, count), ...);
}

}  // namespace detail

/// Evaluates the instructions of a section that are, or are not, invariant along the lanes. Reductions are left to the
/// caller.
template <class P, class L, int Section, bool Invariant, bool Partial, bool Streamed = false, int Slots>
ETCH_PART void evaluate_section(registers<P, L>& r, const cursor<Slots>& c, std::int64_t i, int count) {
  detail::evaluate_each<P, L, Partial, Streamed>(r, c, i, count,
                                                 selected<P, Section, Invariant ? choice::invariant : choice::varying>{});
}

}  // namespace etch::cpu
