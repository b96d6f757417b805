// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include <etch/backend/cpu/simd.hpp>
#include <etch/base/type_list.hpp>
#include <etch/schedule/program.hpp>

/// What a register of a program holds: one element, or a vector of them; its masks, and conversions between dtypes.
namespace etch {

/// Ops of floats that are exact, or exactly rounded: a number has the bits that an element of a vector has.
using exactly_rounded_ops =
    detail::type_list<struct add, struct subtract, struct multiply, struct divide, struct negative, struct maximum, struct minimum,
                      struct equal, struct not_equal, struct less, struct less_equal, struct greater, struct greater_equal,
                      struct isfinite, struct isinf, struct where, struct abs, struct sign, struct floor, struct ceil, struct round,
                      struct trunc, struct sqrt, struct stop_gradient>;

}  // namespace etch

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

/// What an element of dtype D is in vectors: a dtype of storage is a float, whose value is one of that dtype.
template <dtype D>
using lane_type_of = std::conditional_t<is_storage(D), float, value_type_of<D>>;

/// A vector at a time; Real is float for elements of 4 bytes, double for 8. Masks are masks of Real.
template <class Real>
struct simd_lanes {
  static constexpr int count = lanes<Real>;
  static constexpr int bytes = sizeof(Real);
  using real = Real;
  using mask_type = xsimd::batch_bool<Real>;
  template <dtype D>
  using value = typename std::conditional_t<D == dtype::boolean, std::type_identity<mask_type>, batch_type<lane_type_of<D>>>::type;
};

/// The widest lanes in which every register of P has a type.
template <class P>
using lanes_of = std::conditional_t<P::lane_bytes() == 4, simd_lanes<float>,
                                    std::conditional_t<P::lane_bytes() == 8, simd_lanes<double>, scalar_lanes>>;

namespace detail {

/// Whether elements of dtype D have a register in these lanes.
template <class L, dtype D>
inline constexpr bool has_vectors = D == dtype::boolean || lane_bytes_of(D) == L::bytes;
template <dtype D>
inline constexpr bool has_vectors<scalar_lanes, D> = true;

template <class L, dtype D>
ETCH_INLINE typename L::template value<D> broadcast(value_type_of<D> x) {
  if constexpr (std::is_same_v<L, scalar_lanes>)
    return x;
  else if constexpr (D == dtype::boolean)
    return to_mask(batch<typename L::real>(x ? 1 : 0));
  else
    return typename L::template value<D>(static_cast<lane_type_of<D>>(x));
}

/// A mask for values of type V, which may be masks, from the mask type of the lanes.
template <class V, class M>
ETCH_INLINE auto mask_for(const M& m) {
  if constexpr (std::is_same_v<M, bool> || std::is_same_v<M, V>)
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

template <class Op, class... Exact>
constexpr bool is_one_of(etch::detail::type_list<Exact...>) {
  return (std::is_same_v<Op, Exact> || ...);
}
/// An op of registers of type T, beside a mask where there are three. One that is not exactly rounded is computed of a number as it is
/// of vectors: the C library's functions have other bits, which differ by its version and by CPU.
template <class Op, class T, class... X>
ETCH_INLINE auto apply_kernel(const X&... x) {
  if constexpr (std::is_floating_point_v<T> && !is_one_of<Op>(exactly_rounded_ops{}))
    return Op::kernel(broadcast<simd_lanes<T>, dtype_of<X>>(x)...).get(0);
  else
    return Op::kernel(x...);
}

/// A float without its fraction. Of NaN and of what To does not hold, for which C++ has no result, what registers give: their least number, in
/// unsigned and narrow integers its lower bits.
template <class To, class From>
ETCH_INLINE To truncated_to(From x) {
  if constexpr (sizeof(To) < 4) {
    return static_cast<To>(truncated_to<std::int32_t>(x));
  } else if constexpr (std::is_unsigned_v<To>) {
    constexpr From end = sizeof(To) == 4 ? From(0x1p32) : From(0x1p64);
    return x > -1 && x < end ? static_cast<To>(x) : static_cast<To>(truncated_to<std::int64_t>(x));
  } else {
    constexpr From end = sizeof(To) == 4 ? From(0x1p31) : From(0x1p63);
    return x >= -end && x < end ? static_cast<To>(x) : std::numeric_limits<To>::min();
  }
}

template <class L, dtype To, dtype From>
ETCH_INLINE typename L::template value<To> convert(const typename L::template value<From>& x) {
  if constexpr (To == From) {
    return x;
  } else if constexpr (std::is_same_v<L, scalar_lanes>) {
    if constexpr (To == dtype::boolean)
      return x != value_type_of<From>(0);
    else if constexpr (is_storage(From))
      return convert<L, To, dtype::float32>(static_cast<float>(x));
    else if constexpr (is_floating(From) && is_integer(To))
      return truncated_to<value_type_of<To>>(x);
    else
      return static_cast<value_type_of<To>>(x);
  } else if constexpr (To == dtype::boolean) {
    return own_mask<L>(to_mask(x));
  } else if constexpr (From == dtype::boolean) {
    return from_mask(mask_cast<lane_type_of<To>>(x));
  } else if constexpr (is_storage(To)) {
    return rounded_to<value_type_of<To>>(convert<L, dtype::float32, From>(x));
  } else if constexpr (is_storage(From)) {
    return convert<L, To, dtype::float32>(x);
  } else {
    return convert_to<value_type_of<To>>(x);
  }
}

}  // namespace detail
}  // namespace etch::cpu
