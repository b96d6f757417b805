// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/copying.hpp>
#include <etch/eager/refusal.hpp>

/// Ops that place elements elsewhere, on values: by the elements' size, whatever their dtype. What keeps its order in memory (each
/// reshape, a part along the first axis) shares the operand's.
namespace etch::eager {

/// The elements that a movement op reads of x, as a result of that type.
inline void move_to(const op_facts& op, const tensor_type& type, const words& attributes, const value& x, value& out) {
  const std::int64_t elements = detail::count_elements_of(type);
  index_map m;
  op.map(no_names, x.described(), type, attributes, m);
  const value* const in[] = {&x};
  if (!reads_inside(m, x.described(), type)) refuse(op, reason::an_index_map_reads_outside_its_operand, in, 1);
  if (m.keeps_order) {
    out = value(x, type, 0);
    return;
  }
  std::int64_t own[max_rank], strides[max_rank] = {}, stride = 1, first = 0;
  for (int i = x.described().rank; i-- > 0;) {
    own[i] = stride;
    stride *= x.extent(i);
    first += m.begin[i] * own[i];
  }
  for (int k = 0; k < m.count; ++k) strides[m.terms[k].result_axis] += m.terms[k].step * own[m.terms[k].operand_axis];
  walk w;
  for (int i = 0; i < type.rank; ++i) w.add(type.extents[i], strides[i]);
  if (elements == 0) {
    out = value(type);
  } else if (w.rank == 0 || (w.rank == 1 && w.strides[0] == 1)) {
    out = value(x, type, first);
  } else {
    value made(type);
    const int size = size_of_dtype(type.type);
    copy_elements(made.bytes(), x.bytes() + first * size, w, 0, elements, size);
    out = std::move(made);
  }
}

inline void move(const op_facts& op, const words& attributes, const value* const* in, value& out) {
  move_to(op, infer(op, attributes, in, 1), attributes, *in[0], out);
}

/// Operands one after another along an axis. Attribute: the axis.
inline void join(const op_facts& op, const words& attributes, const value* const* in, int count, value& out) {
  value made(infer(op, attributes, in, count));
  std::int64_t outer = 1;
  for (int i = 0; i < attributes[0]; ++i) outer *= made.extent(i);
  char* to = made.bytes();
  for (std::int64_t i = 0; i < outer; ++i)
    for (int k = 0; k < count; ++k) {
      const std::int64_t bytes = in[k]->size() / outer * size_of_dtype(made.described().type);
      if (bytes == 0) continue;
      std::memcpy(to, in[k]->bytes() + i * bytes, static_cast<std::size_t>(bytes));
      to += bytes;
    }
  out = std::move(made);
}

}  // namespace etch::eager
