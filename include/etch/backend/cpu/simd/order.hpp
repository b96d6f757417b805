// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <etch/backend/cpu/simd/arithmetic.hpp>

/// The larger and the smaller of two, as IEEE 754-2019 has maximum and minimum: NaN if either is, and -0 is below 0, so that operands can
/// be exchanged.
///
/// Instructions give their second operand where both are zero or one is NaN. So of two unknown operands it takes three to five of them, in
/// both orders; beside a constant one, with the constant first: the other is right where it is NaN, and where both are zero, but for the
/// constant 0 of a maximum and -0 of a minimum, whose sign is that of every zero then: two, of `relu` too.
namespace etch::cpu::simd {

namespace detail {

/// What the compiler knows of all elements of a register.
enum class known_as { nothing, number_but_zero, zero, negative_zero };

/// Of a constant that all elements have: its words are compared, then one element is asked. Each question is asked by
/// `__builtin_constant_p`, of which nothing is left, but which g++ carries along until it has inlined all: one for each element and kind was
/// 1,240 lines of GIMPLE for a maximum of 8 floats, and twice that with AVX-512.
template <class T, class A>
ETCH_INLINE known_as known_of(const xsimd::batch<T, A>& x) {
  const auto words = cpu::detail::vector_of(cpu::detail::reinterpret<std::uint64_t>(x));
  const std::uint64_t first = words[0];
  const bool equal = [&]<std::size_t... I>(std::index_sequence<I...>) ETCH_INLINED {
    return (__builtin_constant_p(words[I] == first) && ...) && ((words[I] == first) && ...);
  }(std::make_index_sequence<sizeof(words) / sizeof(first)>{});
  using bits_type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto bits = static_cast<bits_type>(first);
  const bool repeats = sizeof(T) == 8 || (__builtin_constant_p(first) && first >> 32 == bits);
  if (!equal || !repeats || !__builtin_constant_p(bits)) return known_as::nothing;
  if (bits == 0) return known_as::zero;
  if (static_cast<bits_type>(bits << 1) == 0) return known_as::negative_zero;
  const T number = std::bit_cast<T>(bits);
  return number == number ? known_as::number_but_zero : known_as::nothing;
}

/// Beside a constant.
template <class B>
ETCH_INLINE B maximum_of_known(const B& constant, const B& x, known_as known) {
  const B larger = cpu::detail::greater(constant, x);
  return known == known_as::zero ? xsimd::abs(larger) : larger;
}
template <class B>
ETCH_INLINE B minimum_of_known(const B& constant, const B& x, known_as known) {
  const B less = cpu::detail::smaller(constant, x);
  return known == known_as::negative_zero ? less | constant : less;
}

}  // namespace detail

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> maximum(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (const auto known = detail::known_of(b); known != detail::known_as::nothing) return detail::maximum_of_known(b, a, known);
    if (const auto known = detail::known_of(a); known != detail::known_as::nothing) return detail::maximum_of_known(a, b, known);
    return cpu::detail::greater_in_order(a, b);
  }
#if defined(__AVX512F__)
  else if constexpr (std::is_signed_v<T> && cpu::detail::is_avx512<xsimd::batch<T, A>>)
    return cpu::detail::integer_lanes<sizeof(T)>::greater(a.data, b.data);
#endif
  else
    return xsimd::max(a, b);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> minimum(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (const auto known = detail::known_of(b); known != detail::known_as::nothing) return detail::minimum_of_known(b, a, known);
    if (const auto known = detail::known_of(a); known != detail::known_as::nothing) return detail::minimum_of_known(a, b, known);
    return cpu::detail::smaller_in_order(a, b);
  }
#if defined(__AVX512F__)
  else if constexpr (std::is_signed_v<T> && cpu::detail::is_avx512<xsimd::batch<T, A>>)
    return cpu::detail::integer_lanes<sizeof(T)>::smaller(a.data, b.data);
#endif
  else
    return xsimd::min(a, b);
}

}  // namespace etch::cpu::simd
