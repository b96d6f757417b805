// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <etch/graph/rewrite.hpp>

/// Elementwise ops on constants are computed by the compiler, in the precision of their dtype.
namespace etch {

namespace detail {
constexpr int append_scalar(graph& g, const scalar& value, const tensor_type& type) {
  tensor_type t;
  t.type = type.type;
  return broadcast_to.to(append_typed(info_of<struct constant>, words(constant.encode(value)), t, nullptr, 0, g), type).node;
}
constexpr scalar convert(const scalar& s, dtype to) {
  switch (to) {
    case dtype::boolean: return scalar::of(s.as<bool>());
    case dtype::int8: return scalar::of(s.as<std::int8_t>());
    case dtype::int16: return scalar::of(s.as<std::int16_t>());
    case dtype::int32: return scalar::of(s.as<std::int32_t>());
    case dtype::int64: return scalar::of(s.as<std::int64_t>());
    case dtype::uint8: return scalar::of(s.as<std::uint8_t>());
    case dtype::uint16: return scalar::of(s.as<std::uint16_t>());
    case dtype::uint32: return scalar::of(s.as<std::uint32_t>());
    case dtype::uint64: return scalar::of(s.as<std::uint64_t>());
    case dtype::float32: return scalar::of(s.as<float>());
    default: return scalar::of(s.as<double>());
  }
}
/// Whether arithmetic on these floats may give what it was not given: inf or NaN. A machine computes that, but in no
/// constant expression may an operation overflow or divide by zero. (The functions of constant_math can be told to.)
constexpr bool leaves_the_numbers(const op_info* op, const scalar* in, int count) {
  if (count != 2 || !is_floating(in[0].type)) return false;
  const double highest = in[0].type == dtype::float32 ? static_cast<double>(std::numeric_limits<float>::max())
                                                      : std::numeric_limits<double>::max();
  const double a = in[0].real < 0 ? -in[0].real : in[0].real, b = in[1].real < 0 ? -in[1].real : in[1].real;
  if (op->is(info_of<struct add>) || op->is(info_of<struct subtract>)) return a > highest || b > highest || a > highest - b;
  if (op->is(info_of<struct multiply>)) return a > highest || b > highest || (b > 1 && a > highest / b);
  if (op->is(info_of<struct divide>)) return a > highest || b > highest || b == 0 || (b < 1 && a > highest * b);
  return false;
}

/// A count of elements becomes a constant, or a reference to a named extent: neither needs the operand's data.
constexpr int fold_extent(graph& g, const candidate& c) {
  if (c.count == 0) return -1;
  const tensor_type& x = g.type(c.operands[0]);
  extent_value n = 1;
  for (int i = 0; i < x.rank; ++i)
    if ((g.pool[c.first_word] >> i & 1) != 0) n = g.extents.product(n, x.extents[i]);
  const tensor_type type = g.types[c.type];
  if (is_static(n)) return append_scalar(g, convert({dtype::int64, 0, n}, type.type), type);
  return append_typed(*c.op, words(n), type, nullptr, 0, g).node;
}
}  // namespace detail

namespace rules {

constexpr int fold_constants(graph& g, const candidate& c) {
  if (c.op->role == op_role::extent) return detail::fold_extent(g, c);
  const bool converts = c.op->role == op_role::cast;
  if (!converts && c.op->fold == nullptr) return -1;
  scalar in[3];
  for (int k = 0; k < c.count; ++k) {
    const int value = detail::constant_behind(g, c.operands[k]);
    if (value < 0) return -1;
    in[k] = detail::constant_value(g, value);
  }
  const tensor_type type = g.types[c.type];
  if (converts) return detail::append_scalar(g, detail::convert(in[0], type.type), type);
  if (detail::leaves_the_numbers(c.op, in, c.count)) return -1;
  return detail::append_scalar(g, c.op->fold(in, in[0].type), type);
}

}  // namespace rules

/// `%0 = constant 2; %1 = constant 3; %2 = add %0 %1` becomes `constant 5`.
constexpr graph fold_constants(const graph& g) { return rewrite(g, &rules::fold_constants); }

}  // namespace etch
