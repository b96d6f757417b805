// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

/// Element types of tensors, and what two of them give when they meet.
namespace etch {

/// `none` is the type of a node without a value: an assignment's group, a training step.
enum class dtype : std::uint8_t { boolean, uint8, int32, int64, float32, float64, none };

inline constexpr int dtype_count = 6;

namespace detail {
template <class T>
struct dtype_traits;
template <>
struct dtype_traits<bool> {
  static constexpr dtype value = dtype::boolean;
};
template <>
struct dtype_traits<std::uint8_t> {
  static constexpr dtype value = dtype::uint8;
};
template <>
struct dtype_traits<std::int32_t> {
  static constexpr dtype value = dtype::int32;
};
template <>
struct dtype_traits<std::int64_t> {
  static constexpr dtype value = dtype::int64;
};
template <>
struct dtype_traits<long long> {
  static constexpr dtype value = dtype::int64;
};
template <>
struct dtype_traits<float> {
  static constexpr dtype value = dtype::float32;
};
template <>
struct dtype_traits<double> {
  static constexpr dtype value = dtype::float64;
};
template <>
struct dtype_traits<void> {
  static constexpr dtype value = dtype::none;
};

template <dtype>
struct element_type {
  using type = void;
};
template <>
struct element_type<dtype::boolean> {
  using type = bool;
};
template <>
struct element_type<dtype::uint8> {
  using type = std::uint8_t;
};
template <>
struct element_type<dtype::int32> {
  using type = std::int32_t;
};
template <>
struct element_type<dtype::int64> {
  using type = std::int64_t;
};
template <>
struct element_type<dtype::float32> {
  using type = float;
};
template <>
struct element_type<dtype::float64> {
  using type = double;
};
}  // namespace detail

template <class T>
inline constexpr dtype dtype_of = detail::dtype_traits<T>::value;

/// Whether T is the element type of some dtype.
template <class T>
concept element = requires { detail::dtype_traits<T>::value; };

template <dtype D>
using value_type_of = typename detail::element_type<D>::type;

constexpr const char* name_of_dtype(dtype d) {
  switch (d) {
    case dtype::boolean: return "bool";
    case dtype::uint8: return "uint8";
    case dtype::int32: return "int32";
    case dtype::int64: return "int64";
    case dtype::float32: return "float32";
    case dtype::float64: return "float64";
    case dtype::none: break;
  }
  return "none";
}

/// Bytes of one element.
constexpr int size_of_dtype(dtype d) {
  switch (d) {
    case dtype::boolean: return 1;
    case dtype::uint8: return 1;
    case dtype::int32: return 4;
    case dtype::int64: return 8;
    case dtype::float32: return 4;
    case dtype::float64: return 8;
    case dtype::none: break;
  }
  return 0;
}

constexpr bool is_floating(dtype d) { return d == dtype::float32 || d == dtype::float64; }

constexpr bool is_integer(dtype d) { return d == dtype::uint8 || d == dtype::int32 || d == dtype::int64; }

namespace detail {
/// Rows and columns in the order of the enumeration. As in JAX, and other than NumPy, an integer that meets a float takes the
/// float's width: int64 + float32 is float32.
inline constexpr auto promotions = [] {
  using enum dtype;
  struct table {
    dtype at[dtype_count][dtype_count];
  };
  return table{{
      {boolean, uint8, int32, int64, float32, float64},      // bool
      {uint8, uint8, int32, int64, float32, float64},        // uint8
      {int32, int32, int32, int64, float32, float64},        // int32
      {int64, int64, int64, int64, float32, float64},        // int64
      {float32, float32, float32, float32, float32, float64},  // float32
      {float64, float64, float64, float64, float64, float64},  // float64
  }};
}();
}  // namespace detail

/// The dtype of an operation on two dtypes.
constexpr dtype promote(dtype a, dtype b) {
  return a == dtype::none || b == dtype::none ? dtype::none
                                              : detail::promotions.at[static_cast<int>(a)][static_cast<int>(b)];
}

/// The dtype of sums and products of that dtype: int64 of bools and bytes, as in NumPy, since counts do not fit these. (Of int32
/// it is int32, where NumPy has int64.)
constexpr dtype dtype_of_sums(dtype d) { return d == dtype::boolean || d == dtype::uint8 ? dtype::int64 : d; }

/// A set of dtypes that an op accepts. `discrete` are the integers and bool, which have bits.
enum class dtype_set : std::uint8_t { any, numeric, floating, integer, discrete, boolean };

constexpr bool contains(dtype_set set, dtype d) {
  switch (set) {
    case dtype_set::any: return d != dtype::none;
    case dtype_set::numeric: return is_floating(d) || is_integer(d);
    case dtype_set::floating: return is_floating(d);
    case dtype_set::integer: return is_integer(d);
    case dtype_set::discrete: return is_integer(d) || d == dtype::boolean;
    case dtype_set::boolean: return d == dtype::boolean;
  }
  return false;
}

}  // namespace etch
