// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/dtype.hpp>

namespace etch::format::detail {

/// An entry of TensorFlow's enumeration DataType, which its files have.
struct tensorflow_type {
  int code;
  const char* name;
  dtype type = dtype::none;
};
inline constexpr tensorflow_type tensorflow_types[] = {
    {1, "float32", dtype::float32},
    {2, "float64", dtype::float64},
    {3, "int32", dtype::int32},
    {4, "uint8", dtype::uint8},
    {5, "int16", dtype::int16},
    {6, "int8", dtype::int8},
    {7, "string"},
    {8, "complex64"},
    {9, "int64", dtype::int64},
    {10, "bool", dtype::boolean},
    {11, "qint8"},
    {12, "quint8"},
    {13, "qint32"},
    {14, "bfloat16", dtype::bfloat16},
    {15, "qint16"},
    {16, "quint16"},
    {17, "uint16", dtype::uint16},
    {18, "complex128"},
    {19, "float16"},
    {20, "resource"},
    {21, "variant"},
    {22, "uint32", dtype::uint32},
    {23, "uint64", dtype::uint64},
};

/// The number of a dtype; 0, which is DT_INVALID, where there is none.
constexpr int tensorflow_code(dtype type) {
  for (const tensorflow_type& t : tensorflow_types)
    if (type != dtype::none && t.type == type) return t.code;
  return 0;
}

}  // namespace etch::format::detail
