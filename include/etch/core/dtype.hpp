// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include <etch/base/bfloat16.hpp>

/// Element types of tensors, and what several of them give when they meet.
namespace etch {

/// `none` is the type of a node without a value: an assignment's group, a training step.
enum class dtype : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  bfloat16,
  none
};

inline constexpr int dtype_count = static_cast<int>(dtype::none);

namespace detail {
template <class T>
struct dtype_traits;
template <dtype>
struct element_type {
  using type = void;
};

#define ETCH_DTYPE(NAME, TYPE)                  \
  template <>                                   \
  struct dtype_traits<TYPE> {                   \
    static constexpr dtype value = dtype::NAME; \
  };                                            \
  template <>                                   \
  struct element_type<dtype::NAME> {            \
    using type = TYPE;                          \
  };
ETCH_DTYPE(boolean, bool)
ETCH_DTYPE(int8, std::int8_t)
ETCH_DTYPE(int16, std::int16_t)
ETCH_DTYPE(int32, std::int32_t)
ETCH_DTYPE(int64, std::int64_t)
ETCH_DTYPE(uint8, std::uint8_t)
ETCH_DTYPE(uint16, std::uint16_t)
ETCH_DTYPE(uint32, std::uint32_t)
ETCH_DTYPE(uint64, std::uint64_t)
ETCH_DTYPE(float32, float)
ETCH_DTYPE(float64, double)
ETCH_DTYPE(bfloat16, bfloat16)
#undef ETCH_DTYPE

// Where an int64 is a long, a long long is one too.
template <>
struct dtype_traits<long long> {
  static constexpr dtype value = dtype::int64;
};
template <>
struct dtype_traits<unsigned long long> {
  static constexpr dtype value = dtype::uint64;
};
template <>
struct dtype_traits<void> {
  static constexpr dtype value = dtype::none;
};

/// What is known of a dtype beside its C++ type, in the order of the enumeration.
struct dtype_facts {
  const char* name = "none";
  int size = 0;
  enum { no_number, signed_integer, unsigned_integer, floating } kind = no_number;
};
inline constexpr dtype_facts facts_of_dtypes[dtype_count + 1] = {
    {"bool", 1, dtype_facts::no_number},
    {"int8", 1, dtype_facts::signed_integer},
    {"int16", 2, dtype_facts::signed_integer},
    {"int32", 4, dtype_facts::signed_integer},
    {"int64", 8, dtype_facts::signed_integer},
    {"uint8", 1, dtype_facts::unsigned_integer},
    {"uint16", 2, dtype_facts::unsigned_integer},
    {"uint32", 4, dtype_facts::unsigned_integer},
    {"uint64", 8, dtype_facts::unsigned_integer},
    {"float32", 4, dtype_facts::floating},
    {"float64", 8, dtype_facts::floating},
    {"bfloat16", 2, dtype_facts::floating},
    {},
};
}  // namespace detail

template <class T>
inline constexpr dtype dtype_of = detail::dtype_traits<T>::value;

/// Whether T is the element type of some dtype.
template <class T>
concept element = requires { detail::dtype_traits<T>::value; };

template <dtype D>
using value_type_of = typename detail::element_type<D>::type;

constexpr const char* name_of_dtype(dtype d) { return detail::facts_of_dtypes[static_cast<int>(d)].name; }

/// Bytes of one element.
constexpr int size_of_dtype(dtype d) { return detail::facts_of_dtypes[static_cast<int>(d)].size; }

constexpr bool is_floating(dtype d) { return detail::facts_of_dtypes[static_cast<int>(d)].kind == detail::dtype_facts::floating; }

constexpr bool is_unsigned(dtype d) {
  return detail::facts_of_dtypes[static_cast<int>(d)].kind == detail::dtype_facts::unsigned_integer;
}

/// Whether elements of that dtype lie in memory, are moved and are cast, but not computed with: floats of less than 32 bits.
constexpr bool is_storage(dtype d) { return is_floating(d) && size_of_dtype(d) < 4; }

constexpr bool is_integer(dtype d) {
  return detail::facts_of_dtypes[static_cast<int>(d)].kind == detail::dtype_facts::signed_integer || is_unsigned(d);
}

namespace detail {
/// Rows and columns in the order of the enumeration. Integers meet in the smallest one that holds both, as in NumPy; no integer
/// holds uint64 and a signed one, which are refused. As in JAX, and other than NumPy, an integer that meets a float takes the
/// float's width: int64 + float32 is float32, and with bfloat16 that.
inline constexpr auto promotions = [] {
  using enum dtype;
  struct table {
    dtype at[dtype_count][dtype_count];
  };
  return table{{
      {boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, bfloat16},               // bool
      {int8, int8, int16, int32, int64, int16, int32, int64, none, float32, float64, bfloat16},                      // int8
      {int16, int16, int16, int32, int64, int16, int32, int64, none, float32, float64, bfloat16},                    // int16
      {int32, int32, int32, int32, int64, int32, int32, int64, none, float32, float64, bfloat16},                    // int32
      {int64, int64, int64, int64, int64, int64, int64, int64, none, float32, float64, bfloat16},                    // int64
      {uint8, int16, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, bfloat16},                // uint8
      {uint16, int32, int32, int32, int64, uint16, uint16, uint32, uint64, float32, float64, bfloat16},              // uint16
      {uint32, int64, int64, int64, int64, uint32, uint32, uint32, uint64, float32, float64, bfloat16},              // uint32
      {uint64, none, none, none, none, uint64, uint64, uint64, uint64, float32, float64, bfloat16},                  // uint64
      {float32, float32, float32, float32, float32, float32, float32, float32, float32, float32, float64, float32},  // float32
      {float64, float64, float64, float64, float64, float64, float64, float64, float64, float64, float64, float64},  // float64
      {bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, float32, float64,
       bfloat16},  // bfloat16
  }};
}();
}  // namespace detail

/// The dtype of an operation on two dtypes; none if they cannot meet.
constexpr dtype promote(dtype a, dtype b) {
  return a == dtype::none || b == dtype::none ? dtype::none : detail::promotions.at[static_cast<int>(a)][static_cast<int>(b)];
}
/// Of several, in any order: beside a float integers do not count.
constexpr dtype promote(const dtype* types, int count) {
  bool floats = false;
  for (int i = 0; i < count; ++i) floats = floats || is_floating(types[i]);
  dtype common = dtype::boolean;
  for (int i = 0; i < count; ++i)
    if (!floats || is_floating(types[i])) common = promote(common, types[i]);
  return common;
}

/// The dtype of sums and products of that dtype, since counts do not fit narrow ones: int64 of bools and of integers of 8 and 16
/// bits. (NumPy also widens those of 32, and gives uint64 of unsigned ones, which here would not meet other integers.)
constexpr dtype dtype_of_sums(dtype d) { return size_of_dtype(d) < 4 && d != dtype::none && !is_storage(d) ? dtype::int64 : d; }

/// Bytes of a vector's lanes in which an element of that dtype can be computed: 0 for bools, which fit any; -1 for what is
/// computed one by one. A dtype of storage is a float in registers.
constexpr int lane_bytes_of(dtype d) {
  if (d == dtype::boolean) return 0;
  if (is_storage(d)) return 4;
  return d == dtype::none || size_of_dtype(d) < 4 || is_unsigned(d) ? -1 : size_of_dtype(d);
}

/// Whether a load can give `to` of what is `from` in memory, so that narrow elements need no registers of their own.
constexpr bool is_widened(dtype from, dtype to) {
  return from != dtype::boolean && size_of_dtype(from) < 4 && lane_bytes_of(to) > 0;
}

/// A set of dtypes that an op accepts. `any` are all, also those of storage, which are in no other set; `computed` are all that are computed
/// with, `discrete` the integers and bool, which have bits.
enum class dtype_set : std::uint8_t { any, computed, numeric, floating, integer, discrete, boolean };

constexpr bool contains(dtype_set set, dtype d) {
  switch (set) {
    case dtype_set::any: return d != dtype::none;
    case dtype_set::computed: return d != dtype::none && !is_storage(d);
    case dtype_set::numeric: return (is_floating(d) && !is_storage(d)) || is_integer(d);
    case dtype_set::floating: return is_floating(d) && !is_storage(d);
    case dtype_set::integer: return is_integer(d);
    case dtype_set::discrete: return is_integer(d) || d == dtype::boolean;
    case dtype_set::boolean: return d == dtype::boolean;
  }
  return false;
}

}  // namespace etch
