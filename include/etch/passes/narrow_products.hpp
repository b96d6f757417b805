// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/rewrite.hpp>
#include <etch/passes/materialise.hpp>
#include <etch/passes/target.hpp>

/// Matrix products of operands that are nothing but casts of narrower elements read those themselves: the casts have no memory, and
/// products may use what instructions a machine has for narrow elements.
namespace etch {

/// matmul of operands that are cast to the dtype which is its attribute. Only passes make it.
struct widening_matmul : op_defaults {
  static constexpr const char* name = "widening_matmul";
  static constexpr op_kind kind = op_kind::contraction;
  static constexpr op_role role = op_role::product;
  static constexpr int arity = 2;
  static constexpr dtype_rule operands = dtype_rule::free;
  static constexpr attribute_names names = {{"dtype", attribute_kind::type}};
  static constexpr bool differentiable = false;
  static constexpr int cost = 2;

  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    const tensor_type wide[] = {in[0].with(static_cast<dtype>(w[0])), in[1].with(static_cast<dtype>(w[0]))};
    return matmul.infer(context, wide, count, words());
  }
  static constexpr void axes(extent_table& extents, const tensor_type* in, const tensor_type& result, const words&,
                             product_axes& p) {
    matmul.axes(extents, in, result, words(), p);
  }
};

namespace detail {

/// Whether products with operands of these dtypes and sums of that one are for the target to compute.
constexpr bool multiplies(const narrow_products& target, dtype left, dtype right, dtype sums) {
  const auto is_byte = [](dtype d) { return d == dtype::int8 || d == dtype::uint8; };
  if (target.pairs > 0 && sums == dtype::float32 && left == dtype::bfloat16 && right == dtype::bfloat16) return true;
  return target.bytes && sums == dtype::int32 && is_byte(left) && is_byte(right);
}
/// Whether a second operand of floats is so large that it is not rather cast, and multiplied in place.
constexpr bool pays(const narrow_products& target, dtype right, const tensor_type& t) {
  return is_integer(right) || t.may_have(target.pairs);
}

/// Whether a graph has values of such dtypes at all, which takes little time to ask.
template <class Graph>
constexpr bool may_have_narrow_products(const Graph& g, const narrow_products& target) {
  bool has[dtype_count + 1]{};
  for (int t = 0; t < g.size.types; ++t) has[static_cast<int>(g.types[t].type)] = true;
  for (int a = 0; a < dtype_count; ++a)
    for (int b = 0; has[a] && b < dtype_count; ++b)
      for (int s = 0; has[b] && s < dtype_count; ++s)
        if (has[s] && multiplies(target, static_cast<dtype>(a), static_cast<dtype>(b), static_cast<dtype>(s))) return true;
  return false;
}

/// The cast that node n is, perhaps in other places; -1 where it is none.
constexpr int cast_behind(const graph& g, int n) {
  const int origin = origin_of(g, n);
  return g.is(origin, op_role::cast) ? origin : -1;
}
/// Node n with elements of the dtype that its cast has as operand.
constexpr int without_cast(graph& g, int n) {
  vector<int> movements;
  for (; g[n].op->kind == op_kind::movement; n = g.operand(n, 0)) movements.push_back(n);
  int made = g.operand(n, 0);
  for (int i = movements.size(); i-- > 0;) {
    const node m = g[movements[i]];
    made =
        g.push({m.op, &made, 1, g.type_id(g.type(movements[i]).with(g.type(made).type)), m.first_word, m.word_count, nullptr, 0});
  }
  return made;
}

}  // namespace detail

/// Product: widening_matmul, by a parameter, so that a program without such products makes nothing of it.
template <class Product>
constexpr graph read_narrow_operands(const graph& g, const narrow_products& target) {
  graph out;
  rebuild(g, out, [&](graph& to, int i, int* in) {
    candidate c = to.copy_of(g, i, in);
    if (!g.is(i, op_role::product)) return to.push(c);
    dtype types[2]{};
    for (int k = 0; k < 2; ++k) {
      const int cast = detail::cast_behind(to, in[k]);
      const int narrow = cast < 0 ? -1 : to.operand(cast, 0);
      if (narrow < 0 || !detail::has_memory(to, detail::origin_of(to, narrow))) return to.push(c);
      types[k] = to.type(narrow).type;
    }
    const dtype sums = g.type(i).type;
    if (!detail::multiplies(target, types[0], types[1], sums) || !detail::pays(target, types[1], to.type(in[1]))) return to.push(c);
    for (int k = 0; k < 2; ++k) in[k] = detail::without_cast(to, in[k]);
    c.op = &info_of<Product>;
    c.first_word = to.push_words(words(static_cast<int>(sums)));
    c.word_count = 1;
    return to.push(c);
  });
  return dead_nodes(static_cast<graph&&>(out));
}

}  // namespace etch
