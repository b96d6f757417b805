// SPDX-License-Identifier: MIT
#pragma once
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
    case dtype::bfloat16: return scalar::of(s.as<bfloat16>());
    default: return scalar::of(s.as<double>());
  }
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
  const scalar result = c.op->fold(in, in[c.count - 1].type);
  return result.type == dtype::none ? -1 : detail::append_scalar(g, result, type);
}

}  // namespace rules

/// `%0 = constant 2; %1 = constant 3; %2 = add %0 %1` becomes `constant 5`.
constexpr graph fold_constants(const graph& g) { return rewrite(g, &rules::fold_constants); }

}  // namespace etch
