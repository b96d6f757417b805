// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/contraction.hpp>
#include <etch/eager/convolution.hpp>
#include <etch/eager/elementwise.hpp>
#include <etch/eager/matmul.hpp>
#include <etch/eager/movement.hpp>
#include <etch/eager/opaque.hpp>
#include <etch/eager/recorder.hpp>
#include <etch/eager/reduction.hpp>
#include <etch/eager/scan.hpp>

/// One op on values: a function for each op and its dtypes, whatever shapes and attributes, since those are data.
namespace etch::eager {

namespace detail {

template <dtype D>
inline constexpr multiplication multiplication_of = {&multiply<D>, &workspace_of<D>};
template <class Op, dtype D>
inline constexpr reducers reducers_of = {&reduce<Op, D, false>, &reduce<Op, D, true>, Op::gives_indices};
template <class Op, dtype D>
inline constexpr auto scanners_of = make_scanners<Op, D>();

/// How many elements lie along the axes of a mask.
template <dtype D>
void count_elements(const words& mask, const value& x, value& out) {
  std::int64_t n = 1;
  for (int i = 0; i < x.described().rank; ++i)
    if ((mask[0] >> i & 1) != 0) n *= x.extent(i);
  tensor_type type;
  type.type = D;
  out = value(type);
  *reinterpret_cast<value_type_of<D>*>(out.bytes()) = static_cast<value_type_of<D>>(n);
}

}  // namespace detail

/// op(in[0], in[1], ...) of dtype Result; In: the operands' dtypes, of `concat` the one that all have. Throws `etch::error` where the
/// op's shape rule says so. `out` is no operand.
template <class Op, dtype Result, dtype... In>
void apply(const words& attributes, const value* const* in, int count, value& out) {
  if constexpr (Op::kind == op_kind::elementwise)
    map_all(facts_of<Op>, &map<Op, Result, In...>, Result, in, count, out);
  else if constexpr (Op::kind == op_kind::reduction)
    reduce_axes(facts_of<Op>, detail::reducers_of<Op, In...>, attributes, in, out);
  else if constexpr (Op::kind == op_kind::scan)
    scan_axis(facts_of<Op>, detail::scanners_of<Op, Result>, attributes, in, out);
  else if constexpr (Op::kind == op_kind::movement)
    move(facts_of<Op>, attributes, in, out);
  else if constexpr (Op::role == op_role::product)
    multiply_all(facts_of<Op>, detail::multiplication_of<Result>, {in[0]}, {in[1]}, out);
  else if constexpr (Op::role == op_role::contraction)
    contract_all(contraction_facts_of<Op>, detail::contracting_of<Result>, attributes, in, out);
  else if constexpr (Op::role == op_role::convolution)
    convolve_all(convolution_facts_of<Op>, detail::convolving_of<Result>, attributes, in, out);
  else if constexpr (Op::role == op_role::extent)
    detail::count_elements<Result>(attributes, *in[0], out);
  else if constexpr (std::is_same_v<Op, struct concat>)
    join(facts_of<Op>, attributes, in, count, out);
  else
    run_opaque(facts_of<Op>, opaque_kernel_of<Op, Result, In...>(), attributes, in, count, out);
  record<Op, Result, In...>(attributes, in, count, out);
}

/// A movement op, or `pad`, of one operand to a type that does not follow from it.
template <class Op, dtype D>
void apply_as(const words& attributes, const tensor_type& type, const value& x, value& out) {
  const value* const in[] = {&x};
  if constexpr (Op::kind == op_kind::movement)
    move_to(facts_of<Op>, type, attributes, x, out);
  else
    run_opaque_to(opaque_kernel_of<Op, D, D>(), type, attributes, in, 1, {}, out);
  record<Op, D, D>(attributes, in, 1, out);
}

/// Part `at` of x along its first axis, in x's memory.
template <dtype D>
void take_part(const value& x, std::int64_t at, value& out) {
  tensor_type type = x.described();
  --type.rank;
  for (int i = 0; i < type.rank; ++i) type.extents[i] = type.extents[i + 1];
  if (this_recorder == nullptr) {
    out = value(x, type, at * (x.size() / x.extent(0)));
  } else {
    value part;
    const value* const in[] = {&x};
    apply<struct slice, D, D>(words(at, at + 1, 1), in, 1, part);
    apply_as<struct reshape, D>(words(), type, part, out);
  }
}

}  // namespace etch::eager
