// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/backend/cpu/simd.hpp>
#include <etch/backend/nest.hpp>
#include <etch/schedule/program.hpp>

/// Evaluates a program: one register per instruction, each of the type that the instruction's dtype has in the lanes in
/// use. Everything is inlined, so that registers are the machine's.
namespace etch::cpu {

/// One element at a time.
struct scalar_lanes {
  static constexpr int count = 1;
  template <dtype D>
  using value = value_type_of<D>;
  using mask_type = bool;
};

template <class T>
struct batch_type {
  using type = batch<T>;
};

/// A vector at a time; Real is float for elements of 4 bytes, double for 8. Masks are masks of Real.
template <class Real>
struct simd_lanes {
  static constexpr int count = lanes<Real>;
  static constexpr int bytes = sizeof(Real);
  using real = Real;
  using mask_type = xsimd::batch_bool<Real>;
  template <dtype D>
  using value = typename std::conditional_t<D == dtype::boolean, std::type_identity<mask_type>,
                                            batch_type<value_type_of<D>>>::type;
};

/// The widest lanes in which every register of P has a type.
template <class P>
using lanes_of = std::conditional_t<P::lane_bytes() == 4, simd_lanes<float>,
                                    std::conditional_t<P::lane_bytes() == 8, simd_lanes<double>, scalar_lanes>>;

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
      if (in.code == opcode::apply || in.code == opcode::reduce || in.code == opcode::store) ++t.reads[in.a];
      if (in.code == opcode::apply) ++t.reads[in.b];
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

template <class L, dtype D, bool Written>
struct register_of {
  typename L::template value<D> value;
};
template <class L, dtype D>
struct register_of<L, D, false> {};

template <class P, class L, class Sequence>
struct register_file;
template <class P, class L, int I>
struct indexed_register
    : register_of<L, decoded<P>::at(I).type, decoded<P>::at(I).code != opcode::store> {};
template <class P, class L, int... I>
struct register_file<P, L, std::integer_sequence<int, I...>> : indexed_register<P, L, I>... {
  template <int N>
  ETCH_INLINE auto& get() {
    return static_cast<indexed_register<P, L, N>&>(*this).value;
  }
};
template <class P, class L>
using registers = register_file<P, L, std::make_integer_sequence<int, P::size>>;

namespace detail {

template <class L, dtype D>
ETCH_INLINE typename L::template value<D> broadcast(value_type_of<D> x) {
  if constexpr (std::is_same_v<L, scalar_lanes>)
    return x;
  else if constexpr (D == dtype::boolean)
    return to_mask(batch<typename L::real>(x ? 1 : 0));
  else
    return typename L::template value<D>(x);
}

template <class L, dtype D, lane Mode, bool Partial>
ETCH_INLINE typename L::template value<D> load_lanes(const char* at, std::int64_t stride, int count) {
  using T = value_type_of<D>;
  const T* const from = reinterpret_cast<const T*>(at);
  if constexpr (std::is_same_v<L, scalar_lanes> || Mode == lane::same) {
    return broadcast<L, D>(*from);
  } else if constexpr (D == dtype::boolean) {
    using real = typename L::real;
    if constexpr (Mode == lane::strided) {
      bool gathered[64] = {};
      for (int i = 0; i < (Partial ? count : L::count); ++i) gathered[i] = *reinterpret_cast<const bool*>(at + i * stride);
      return load_mask<real>(gathered);
    } else if constexpr (Partial) {
      return load_mask_partial<real>(from, count);
    } else {
      return load_mask<real>(from);
    }
  } else if constexpr (Mode == lane::next) {
    if constexpr (Partial)
      return load_partial(from, count);
    else
      return load(from);
  } else {
    const std::int64_t elements = stride / static_cast<std::int64_t>(sizeof(T));
    if constexpr (Partial)
      return load_strided_partial(from, elements, count);
    else
      return load_strided(from, elements);
  }
}

/// Streamed: past the caches; the address is a multiple of the vector's size.
template <class L, dtype D, lane Mode, bool Partial, bool Streamed>
ETCH_INLINE void store_lanes(char* at, std::int64_t stride, const typename L::template value<D>& x, int count) {
  using T = value_type_of<D>;
  T* const to = reinterpret_cast<T*>(at);
  if constexpr (std::is_same_v<L, scalar_lanes>) {
    *to = x;
  } else if constexpr (D == dtype::boolean) {
    if constexpr (Mode == lane::next) {
      if constexpr (Partial)
        store_mask_partial(to, x, count);
      else
        store_mask(to, x);
    } else {
      bool scattered[64];
      store_mask(scattered, x);
      const int n = Mode == lane::same ? 1 : Partial ? count : L::count;
      for (int i = 0; i < n; ++i) *reinterpret_cast<bool*>(at + i * stride) = scattered[i];
    }
  } else if constexpr (Mode == lane::same) {
    *to = x.get(0);
  } else if constexpr (Mode == lane::next) {
    if constexpr (Partial)
      store_partial(to, x, count);
    else if constexpr (Streamed)
      store_streamed(to, x);
    else
      store(to, x);
  } else {
    const std::int64_t elements = stride / static_cast<std::int64_t>(sizeof(T));
    if constexpr (Partial)
      store_strided_partial(to, elements, x, count);
    else
      store_strided(to, elements, x);
  }
}

/// A mask for values of type V, from the mask type of the lanes.
template <class V, class M>
ETCH_INLINE auto mask_for(const M& m) {
  if constexpr (std::is_same_v<M, bool>)
    return m;
  else if constexpr (requires { typename V::value_type; })
    return mask_cast<typename V::value_type>(m);
  else
    return m;
}

/// The other way: what a kernel gives, as the lanes' own mask.
template <class L, class R>
ETCH_INLINE auto own_mask(const R& r) {
  if constexpr (std::is_same_v<L, scalar_lanes>)
    return r;
  else if constexpr (std::is_same_v<R, typename L::mask_type>)
    return r;
  else
    return mask_cast<typename L::real>(r);
}

/// A kernel's result as the register's type.
template <class L, dtype D, class R>
ETCH_INLINE auto own_mask_or(const R& r) {
  if constexpr (D == dtype::boolean)
    return own_mask<L>(r);
  else
    return r;
}

template <class L, dtype To, dtype From>
ETCH_INLINE typename L::template value<To> convert(const typename L::template value<From>& x) {
  if constexpr (To == From) {
    return x;
  } else if constexpr (std::is_same_v<L, scalar_lanes>) {
    if constexpr (To == dtype::boolean)
      return x != value_type_of<From>(0);
    else
      return static_cast<value_type_of<To>>(x);
  } else if constexpr (To == dtype::boolean) {
    return own_mask<L>(to_mask(x));
  } else if constexpr (From == dtype::boolean) {
    return from_mask(mask_cast<value_type_of<To>>(x));
  } else {
    return convert_to<value_type_of<To>>(x);
  }
}

/// Whether elements of dtype D have a register in these lanes.
template <class L, dtype D>
inline constexpr bool has_vectors = D == dtype::boolean || lane_bytes_of(D) == L::bytes;
template <dtype D>
inline constexpr bool has_vectors<scalar_lanes, D> = true;

/// Elements of dtype Memory as a register of D. Those that have no vector in lanes of this width go through an array.
template <class L, dtype D, dtype Memory, lane Mode, bool Partial>
ETCH_INLINE typename L::template value<D> load_as(const char* at, std::int64_t stride, int count) {
  using T = value_type_of<D>;
  if constexpr (D == Memory) {
    return load_lanes<L, D, Mode, Partial>(at, stride, count);
  } else if constexpr (std::is_same_v<L, scalar_lanes> || Mode == lane::same) {
    const auto element = *reinterpret_cast<const value_type_of<Memory>*>(at);
    return broadcast<L, D>(convert<scalar_lanes, D, Memory>(element));
  } else if constexpr (has_vectors<L, Memory>) {
    return convert<L, D, Memory>(load_lanes<L, Memory, Mode, Partial>(at, stride, count));
  } else if constexpr (Memory == dtype::uint8 && Mode == lane::next) {
    if constexpr (Partial)
      return load_widened_partial<T>(reinterpret_cast<const std::uint8_t*>(at), count);
    else
      return load_widened<T>(reinterpret_cast<const std::uint8_t*>(at));
  } else {
    using M = value_type_of<Memory>;
    alignas(batch<T>) T elements[L::count] = {};
    const std::int64_t step = Mode == lane::next ? static_cast<std::int64_t>(sizeof(M)) : stride;
    for (int i = 0; i < (Partial ? count : L::count); ++i)
      elements[i] = static_cast<T>(*reinterpret_cast<const M*>(at + i * step));
    return batch<T>::load_aligned(elements);
  }
}

/// A register of D as elements of dtype Memory.
template <class L, dtype D, dtype Memory, lane Mode, bool Partial, bool Streamed>
ETCH_INLINE void store_as(char* at, std::int64_t stride, const typename L::template value<D>& x, int count) {
  if constexpr (D == Memory) {
    store_lanes<L, D, Mode, Partial, Streamed>(at, stride, x, count);
  } else if constexpr (has_vectors<L, Memory>) {
    store_lanes<L, Memory, Mode, Partial, Streamed>(at, stride, convert<L, Memory, D>(x), count);
  } else {
    using T = value_type_of<D>;
    using M = value_type_of<Memory>;
    alignas(batch<T>) T elements[L::count];
    x.store_aligned(elements);
    const std::int64_t step = Mode == lane::next ? static_cast<std::int64_t>(sizeof(M)) : stride;
    const int n = Mode == lane::same ? 1 : Partial ? count : L::count;
    for (int i = 0; i < n; ++i) *reinterpret_cast<M*>(at + i * step) = static_cast<M>(elements[i]);
  }
}

}  // namespace detail

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

/// Evaluates instruction I at lane offset `i` of the row; Partial: only `count` lanes are there.
template <class P, class L, int I, bool Partial, bool Streamed, int Slots>
ETCH_INLINE void evaluate(registers<P, L>& r, const cursor<Slots>& c, std::int64_t i, int count) {
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
    else
      r.template get<I>() = batch<T>(static_cast<T>(first)) + iota<T>() * batch<T>(static_cast<T>(c.stride[in.slot]));
  } else if constexpr (in.code == opcode::apply) {
    using op = op_of<in.payload>;
    if constexpr (op::role == op_role::cast) {
      r.template get<I>() = detail::convert<L, in.type, decoded<P>::at(in.a).type>(r.template get<in.a>());
    } else if constexpr (op::arity == 1) {
      r.template get<I>() = detail::own_mask_or<L, in.type>(op::kernel(r.template get<in.a>()));
    } else if constexpr (op::arity == 2) {
      r.template get<I>() = detail::own_mask_or<L, in.type>(op::kernel(r.template get<in.a>(), r.template get<in.b>()));
    } else {
      auto& x = r.template get<in.b>();
      r.template get<I>() =
          op::kernel(detail::mask_for<std::remove_reference_t<decltype(x)>>(r.template get<in.a>()), x, r.template get<in.c>());
    }
  }
}

namespace detail {

template <class P, int I>
inline constexpr bool touches_memory =
    decoded<P>::value.at[I].code == opcode::load || decoded<P>::value.at[I].code == opcode::store;

template <class P, class L, bool Partial, bool Streamed, int Slots, int... I>
ETCH_INLINE void evaluate_each([[maybe_unused]] registers<P, L>& r, [[maybe_unused]] const cursor<Slots>& c,
                               [[maybe_unused]] std::int64_t i, [[maybe_unused]] int count,
                               std::integer_sequence<int, I...>) {
  // Only memory is touched in part: everything else is instantiated once.
  (evaluate<P, L, I, Partial && touches_memory<P, I>, Streamed && touches_memory<P, I>>(r, c, i, count), ...);
}

}  // namespace detail

/// Evaluates the instructions of a section that are, or are not, invariant along the lanes. Reductions are left to the
/// caller.
template <class P, class L, int Section, bool Invariant, bool Partial, bool Streamed = false, int Slots>
ETCH_INLINE void evaluate_section(registers<P, L>& r, const cursor<Slots>& c, std::int64_t i, int count) {
  detail::evaluate_each<P, L, Partial, Streamed>(r, c, i, count,
                                                 selected<P, Section, Invariant ? choice::invariant : choice::varying>{});
}

}  // namespace etch::cpu
