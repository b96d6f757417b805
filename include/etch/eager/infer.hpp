// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/tensor.hpp>
#include <etch/graph/build.hpp>
#include <etch/graph/print.hpp>

/// Shape rules on eager tensors.
namespace etch::eager_detail {

[[noreturn]] inline void refuse(const op_info& op, reason r, const tensor_type* in, int count) {
  std::string text = std::string(op.name) + ": " + sentence(r) + ":";
  for (int k = 0; k < count; ++k) text += (k > 0 ? ", " : " ") + to_string(extent_table{}, in[k]);
  throw error(text);
}

/// The type of the result, by the op's own rule.
template <class Op, class... A>
tensor_type infer(const words& w, const A&... a) {
  extent_table table;
  inference context{table};
  const tensor_type in[] = {a.described()..., tensor_type{}};
  const tensor_type r = Op::infer(context, in, static_cast<int>(sizeof...(A)), w);
  if (context.failure != reason::none) refuse(info_of<Op>, context.failure, in, static_cast<int>(sizeof...(A)));
  return r;
}

}  // namespace etch::eager_detail
