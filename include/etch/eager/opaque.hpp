// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/opaque.hpp>
#include <etch/eager/infer.hpp>
#include <etch/passes/views.hpp>

/// Ops with a kernel of their own, on eager tensors.
namespace etch::eager_detail {

template <class A>
tensor_view view_of(const A& a) {
  tensor_view v;
  v.data = const_cast<char*>(reinterpret_cast<const char*>(a.data()));
  v.rank = A::rank;
  extent_table none;
  const view strides = contiguous(none, a.described(), 0);
  for (int i = 0; i < A::rank; ++i) {
    v.extents[i] = a.extent(i);
    v.strides[i] = strides.stride[i];
  }
  return v;
}

template <class Op, class R, class... A>
auto opaque(const tensor_type& type, const words& w, const A&... a) {
  typename R::value_type* data = nullptr;
  const R r = R::uninitialised(type, data);
  const tensor_view views[] = {view_of(r), view_of(a)...};
  cpu::opaque_kernel<Op>::template run<typename R::value_type, typename A::value_type...>(views, w.at, {});
  return r;
}

}  // namespace etch::eager_detail
