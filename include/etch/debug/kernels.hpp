// SPDX-License-Identifier: MIT
#pragma once
#include <etch/debug/graph_view.hpp>
#include <etch/eager/constant.hpp>

/// The kernels by which `debug_run` evaluates a node: those of eager calls.
namespace etch::debug {

namespace detail {

inline tensor_type type_of(const value& v) {
  tensor_type t;
  t.type = v.type;
  t.rank = v.rank;
  std::copy_n(v.extents, v.rank, t.extents);
  return t;
}

/// `made` becomes the value of a node of that type.
template <class Op, class T, class... X>
void evaluate_eagerly(const arguments& a, const tensor_type& type, const eager::value* const* in, eager::value& made) {
  if constexpr (Op::kind == op_kind::source && sizeof...(X) == 0) {
    eager::make_source<Op, dtype_of<T>>(type, a.attributes, {a.numbers.seed, a.numbers.run}, made);
  } else if constexpr (Op::kind == op_kind::movement) {
    eager::move_to(eager::facts_of<Op>, type, a.attributes, *in[0], made);
  } else if constexpr (Op::kind == op_kind::elementwise || Op::kind == op_kind::reduction || Op::kind == op_kind::scan ||
                       Op::role == op_role::product || Op::role == op_role::contraction || Op::role == op_role::convolution ||
                       Op::role == op_role::extent) {
    eager::apply<Op, dtype_of<T>, dtype_of<X>...>(a.attributes, in, a.count, made);
  } else {
    eager::run_opaque_to(eager::opaque_kernel_of<Op, dtype_of<T>, dtype_of<X>...>(), type, a.attributes, in, a.count,
                         {a.numbers.seed, a.numbers.run}, made);
  }
}

template <class Op, class T, class... X>
void evaluate_node(const arguments& a, value& out) {
  if constexpr (Op::role != op_role::group) {
    const eager::unrecorded no_gradient_passes;
    std::vector<eager::value> operands;
    std::vector<const eager::value*> in;
    operands.reserve(static_cast<std::size_t>(a.count));
    for (int k = 0; k < a.count; ++k) {
      operands.emplace_back(type_of(a[k]));
      std::copy(a[k].bytes.begin(), a[k].bytes.end(), reinterpret_cast<std::byte*>(operands.back().bytes()));
      in.push_back(&operands.back());
    }
    eager::value made;
    evaluate_eagerly<Op, T, X...>(a, type_of(out), in.data(), made);
    std::copy_n(reinterpret_cast<const std::byte*>(made.bytes()), out.bytes.size(), out.bytes.data());
  }
}

}  // namespace detail

/// For `view_of`.
struct kernels {
  template <class Op, class T, class... X>
  static constexpr node_function of = &detail::evaluate_node<Op, T, X...>;
};

}  // namespace etch::debug
