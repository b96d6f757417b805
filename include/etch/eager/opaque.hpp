// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/opaque/kernels.hpp>
#include <etch/eager/refusal.hpp>

/// Ops with a kernel of their own, on values.
namespace etch::eager {

using opaque_function = void (*)(const tensor_view*, const std::int64_t* attributes, const cpu::draw_state&);

namespace detail {

inline tensor_view view_of(const value& x) {
  tensor_view v;
  v.data = const_cast<char*>(x.bytes());
  v.rank = x.described().rank;
  std::int64_t stride = 1;
  for (int i = v.rank; i-- > 0;) {
    v.extents[i] = x.extent(i);
    v.strides[i] = stride;
    stride *= x.extent(i);
  }
  return v;
}

constexpr dtype unsigned_of_size(dtype d) {
  constexpr dtype of[] = {dtype::none, dtype::uint8, dtype::uint16, dtype::none,  dtype::uint32,
                          dtype::none, dtype::none,  dtype::none,   dtype::uint64};
  return of[size_of_dtype(d)];
}

}  // namespace detail

template <class Op, dtype Result, dtype... In>
constexpr opaque_function opaque_kernel_of() {
  using kernel = cpu::opaque_kernel<Op>;
  if constexpr (!Op::copies_elements) {
    return &kernel::template run<value_type_of<Result>, value_type_of<In>...>;
  } else {
    // The first operand is what is moved; indices behind it are read as they are.
    constexpr dtype moved = detail::unsigned_of_size(Result);
    return []<dtype First, dtype... Rest>() -> opaque_function {
      return &kernel::template run<value_type_of<moved>, value_type_of<moved>, value_type_of<Rest>...>;
    }.template operator()<In...>();
  }
}

/// A result of that type.
inline void run_opaque_to(opaque_function run, const tensor_type& type, const words& attributes, const value* const* in, int count,
                          const cpu::draw_state& draws, value& out) {
  value made(type);
  tensor_view few[4];
  vector<tensor_view> many;
  tensor_view* views = few;
  if (count > 3) {
    many.resize(count + 1, {});
    views = many.data();
  }
  views[0] = detail::view_of(made);
  for (int k = 0; k < count; ++k) views[k + 1] = detail::view_of(*in[k]);
  run(views, attributes.at, draws);
  out = std::move(made);
}

inline void run_opaque(const op_facts& op, opaque_function run, const words& attributes, const value* const* in, int count,
                       value& out) {
  run_opaque_to(run, infer(op, attributes, in, count), attributes, in, count, {}, out);
}

}  // namespace etch::eager
