// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/contraction.hpp>
#include <etch/eager/opaque.hpp>
#include <etch/ops/convolve.hpp>

/// Convolutions of values, and their adjoints: contractions of images that are padded first.
namespace etch::eager {

/// What a call asks of a convolution, and of its dtype.
struct convolution_facts {
  contraction_facts contraction;
  etch::detail::image_padding (*padding_of)(extent_table&, const tensor_type*, const words&);
};
template <class Op>
inline constexpr convolution_facts convolution_facts_of = {contraction_facts_of<Op>, &Op::padding_of};
struct convolving {
  opaque_function pad;
  contracting contract;
};

namespace detail {
template <dtype D>
inline constexpr convolving convolving_of = {opaque_kernel_of<struct pad, D, D>(),
                                             {&multiply_stack<D, cpu::store_rows>, &room_of<D>}};
}  // namespace detail

/// A convolution, or an adjoint of one, as the op says.
inline void convolve_all(const convolution_facts& op, const convolving& run, const words& attributes, const value* const* in,
                         value& out) {
  value made(infer(op.contraction.op, attributes, in, 2));
  tensor_type types[] = {in[0]->described(), in[1]->described()};
  const etch::detail::image_padding padding = op.padding_of(no_names, types, attributes);
  value padded;
  const bool pads = padding.any && !padding.is_empty;
  if (pads) {
    run_opaque_to(run.pad, padding.type, padding.pad, in, 1, {}, padded);
    types[0] = padding.type;
  }
  const product_loops l = detail::loops_of(op.contraction, pads ? padding.after : attributes, types, made.described());
  detail::contract_into(run.contract, l, pads ? padded.bytes() : in[0]->bytes(), in[1]->bytes(), made);
  out = std::move(made);
}

}  // namespace etch::eager
