// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/value.hpp>
#include <etch/graph/build.hpp>
#include <etch/graph/print.hpp>

/// Shape rules on values, and errors of eager calls: thrown where the op is called, with its name and what it got.
namespace etch::eager {

/// What a call asks of an op beside its kernels. Not its `op_info`, which holds its rules on graphs too: they would be compiled into
/// every program.
struct op_facts {
  const char* name = "";
  tensor_type (*infer)(inference&, const tensor_type*, int, const words&) = nullptr;
  void (*map)(extent_table&, const tensor_type&, const tensor_type&, const words&, index_map&) = nullptr;
  bool differentiable = false;
};
template <class Op>
constexpr op_facts make_facts() {
  op_facts f;
  f.name = Op::name;
  f.differentiable = Op::differentiable;
  if constexpr (Op::kind != op_kind::elementwise) f.infer = &Op::infer;
  if constexpr (Op::kind == op_kind::movement) f.map = &Op::map;
  return f;
}
template <class Op>
inline constexpr op_facts facts_of = make_facts<Op>();

/// Where sums and products of named extents are kept; extents of values are numbers, so nothing ever is. Its 3 KB take longer to
/// clear than most calls.
inline extent_table no_names;

[[noreturn, gnu::noinline, gnu::cold]] inline void refuse(const op_facts& op, reason r, const value* const* in, int count) {
  std::string text = std::string(op.name) + ": " + sentence(r) + ":";
  for (int k = 0; k < count; ++k) text += (k > 0 ? ", " : " ") + to_string(no_names, in[k]->described());
  throw error(text);
}

/// The type of a result, by the op's own rule.
inline tensor_type infer(const op_facts& op, const words& attributes, const value* const* in, int count) {
  constexpr int few = 4;
  inference context{no_names};
  tensor_type result;
  if (count == 1) {
    result = op.infer(context, &in[0]->described(), 1, attributes);
  } else if (count <= few) {
    tensor_type types[few];
    for (int k = 0; k < count; ++k) types[k] = in[k]->described();
    result = op.infer(context, types, count, attributes);
  } else {
    vector<tensor_type> types(count);
    for (int k = 0; k < count; ++k) types[k] = in[k]->described();
    result = op.infer(context, types.data(), count, attributes);
  }
  if (context.failure != reason::none) refuse(op, context.failure, in, count);
  return result;
}

}  // namespace etch::eager
