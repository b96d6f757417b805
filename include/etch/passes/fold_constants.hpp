// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <etch/graph/rewrite.hpp>

/// Elementwise ops on constants are computed by the compiler, in the precision of their dtype.
namespace etch {

namespace detail {
/// The constant that a node is, perhaps broadcast; -1 where it is none.
constexpr int constant_behind(const graph& g, int n) {
  while (g.is(n, info_of<struct broadcast_to>) || g.is(n, info_of<struct reshape>)) n = g.operand(n, 0);
  return g.is(n, info_of<struct constant>) ? n : -1;
}
constexpr scalar constant_value(const graph& g, int n) {
  return constant.decode(g[n].type.type, g.word(n, 0));
}
constexpr int push_constant(graph& g, const scalar& value, const tensor_type& type) {
  tensor_type t;
  t.type = type.type;
  const int c = g.push(info_of<struct constant>, words(constant.encode(value)), t, nullptr, 0);
  return broadcast_to.to(ref{&g, c}, type).node;
}
constexpr scalar convert(const scalar& s, dtype to) {
  switch (to) {
    case dtype::boolean: return scalar::of(s.as<bool>());
    case dtype::uint8: return scalar::of(s.as<std::uint8_t>());
    case dtype::int32: return scalar::of(s.as<std::int32_t>());
    case dtype::int64: return scalar::of(s.as<std::int64_t>());
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
}  // namespace detail

namespace rules {

struct fold_constants {
  constexpr int operator()(graph& out, const candidate& c) const {
    if (c.op->is(info_of<size_of>)) return fold_size(out, c);
    if (c.op->kind != op_kind::elementwise || c.count > 3) return -1;
    scalar in[3];
    for (int k = 0; k < c.count; ++k) {
      const int value = detail::constant_behind(out, c.operands[k]);
      if (value < 0) return -1;
      in[k] = detail::constant_value(out, value);
    }
    if (c.op->is(info_of<cast>)) return detail::push_constant(out, detail::convert(in[0], c.type.type), c.type);
    if (c.op->fold == nullptr) return -1;
    if (detail::leaves_the_numbers(c.op, in, c.count)) return -1;
    return detail::push_constant(out, c.op->fold(in, in[0].type), c.type);
  }

 private:
  /// A count of elements becomes a constant, or a reference to a named extent: neither needs the operand's data.
  static constexpr int fold_size(graph& out, const candidate& c) {
    if (c.count == 0) return -1;
    const tensor_type x = out[c.operands[0]].type;
    extent_value n = 1;
    for (int i = 0; i < x.rank; ++i)
      if ((c.attributes[0] >> i & 1) != 0) n = out.extents.product(n, x.extents[i]);
    if (is_static(n)) return detail::push_constant(out, detail::convert({dtype::int64, 0, n}, c.type.type), c.type);
    return out.push(*c.op, words(n), c.type, nullptr, 0);
  }
};

}  // namespace rules

/// `%0 = constant 2; %1 = constant 3; %2 = add %0 %1` becomes `constant 5`.
constexpr graph fold_constants(const graph& g) { return rewrite(g, rules::fold_constants{}); }

}  // namespace etch
