// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <tuple>
#include <utility>

#include "reference/convolution.hpp"
#include "reference/elementwise.hpp"
#include "reference/indexing.hpp"
#include "reference/movement.hpp"
#include "reference/pooling.hpp"
#include "reference/reduction.hpp"
#include "reference/sorting.hpp"
#include <etch/core/strided.hpp>

/// One node's value from those of its operands.
namespace etch::reference {

/// What a kernel of one's own sees of a value.
template <class T>
class row_major {
 public:
  template <class Value>
  explicit row_major(Value& v) : seen_{reinterpret_cast<T*>(v.bytes.data()), v.rank, v.extents, strides_} {
    std::int64_t s = 1;
    for (int i = v.rank; i-- > 0; s *= v.extents[i]) strides_[i] = s;
  }
  operator strided<T>() const { return seen_; }

 private:
  std::int64_t strides_[max_rank]{};
  strided<T> seen_;
};

/// Each element from where the op's index map says that it comes from.
template <class Op, class T>
void evaluate_map(const arguments& in, value& out) {
  const value& x = in[0];
  extent_table none;
  tensor_type from, to;
  from.rank = x.rank;
  to.rank = out.rank;
  std::copy_n(x.extents, x.rank, from.extents);
  std::copy_n(out.extents, out.rank, to.extents);
  index_map m;
  Op::map(none, from, to, in.attributes, m);
  if (m.keeps_order) {
    out.bytes = x.bytes;
    return;
  }
  const std::int64_t n = out.count();
  for (std::int64_t i = 0; i < n; ++i) {
    const position p = position_of(out, i);
    position q;
    for (int axis = 0; axis < x.rank; ++axis) q[axis] = m.begin[axis];
    for (int k = 0; k < m.count; ++k) q[m.terms[k].operand_axis] += m.terms[k].step * p[m.terms[k].result_axis];
    out.data<T>()[i] = x.data<T>()[number_of(x, q)];
  }
}

template <class Op, class T, class... X>
void evaluate_opaque(const arguments& in, value& out) {
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    Op::run(strided<T>(row_major<T>(out)), strided<const X>(row_major<const X>(in[static_cast<int>(K)]))...,
            static_cast<const std::int64_t*>(in.attributes.at));
  }(std::index_sequence_for<X...>{});
}

template <class Op, class T, class... X>
void evaluate_node(const arguments& in, value& out) {
  using X0 = std::tuple_element_t<0, std::tuple<X..., void, void>>;
  using X1 = std::tuple_element_t<1, std::tuple<X..., void, void>>;
  if constexpr (Op::role == op_role::group)
    return;
  else if constexpr (requires { sizeof(kernel<Op>); })
    kernel<Op>::template run<T, X0, X1>(in, out);
  else if constexpr (Op::kind == op_kind::reduction)
    reduction_kernel<Op>::template run<T, X0, X1>(in, out);
  else if constexpr (Op::kind == op_kind::scan)
    scan_kernel<Op>::template run<T, X0, X1>(in, out);
  else if constexpr (Op::kind == op_kind::elementwise)
    elementwise_kernel<Op>::template run<T, X0, X1>(in, out);
  else if constexpr (Op::kind == op_kind::movement)
    evaluate_map<Op, T>(in, out);
  else
    evaluate_opaque<Op, T, X...>(in, out);
}

/// The functions of nodes, for `debug::view_of`.
struct kernels {
  template <class Op, class T, class... X>
  static constexpr debug::node_function of = &evaluate_node<Op, T, X...>;
};

}  // namespace etch::reference
