// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/map/map.hpp>
#include <etch/eager/copying.hpp>
#include <etch/eager/refusal.hpp>

/// Elementwise ops on values: one kernel for each op and its dtypes, the one that graph mode has for a program of that op alone. It
/// knows arrays of one shape only. An operand of another shape is repeated, a piece at a time, in memory that stays in L1: a kernel
/// for each way to broadcast would be compiled as often as an op has ways, to gain what a copy there costs.
namespace etch::eager {

/// Loads of the operands, the op, a store.
template <class Op, dtype Result, dtype... In>
constexpr auto make_map_program() {
  constexpr int n = sizeof...(In);
  return []<int... I>(std::integer_sequence<int, I...>) {
    constexpr auto words_at = [](int k) {
      constexpr dtype in[] = {In..., Result};
      instruction i;
      if (k / 2 < n) {
        i.code = opcode::load;
        i.type = i.memory = in[k / 2];
        i.mode = lane::next;
        i.slot = k / 2;
      } else if (k / 2 == n) {
        i.code = opcode::apply;
        i.type = Result;
        i.a = 0;
        i.b = 1;
        i.c = 2;
        i.payload = info_of<Op>.id;
      } else {
        i.code = opcode::store;
        i.type = i.memory = Result;
        i.mode = lane::next;
        i.a = n;
        i.slot = n;
      }
      return k % 2 == 0 ? i.word() : i.payload;
    };
    return program<words_at(I)...>{};
  }(std::make_integer_sequence<int, 2 * n + 4>{});
}

/// Applies an op to `count` elements of each operand; the last address is the result's.
using map_function = void (*)(char* const* data, std::int64_t count);

template <class Op, dtype Result, dtype... In>
void map(char* const* data, std::int64_t count) {
  using P = decltype(make_map_program<Op, Result, In...>());
  constexpr int n = sizeof...(In);
  constexpr int sizes[] = {size_of_dtype(In)..., size_of_dtype(Result)};
  nest<1, n + 1> loop;
  loop.extents[0] = count;
  for (int k = 0; k <= n; ++k) {
    loop.data[k] = data[k];
    loop.stride[k][0] = sizes[k];
  }
  cpu::map_kernel<P, 1>::run(loop);
}

namespace detail {

/// Memory for a piece of one operand.
struct piece {
  static constexpr std::int64_t bytes = 8192;
  alignas(64) char at[bytes];
};

/// After how many elements x, repeated to that shape, begins again; 0 where it is not repeated as a whole.
inline std::int64_t period_of(const tensor_type& x, const tensor_type& to) {
  std::int64_t period = 1;
  const int extra = to.rank - x.rank;
  int i = x.rank;
  for (; i > 0 && x.extents[i - 1] == to.extents[i - 1 + extra]; --i) period *= x.extents[i - 1];
  for (; i > 0; --i)
    if (x.extents[i - 1] != 1) return 0;
  return period;
}

/// Where each operand has the result's shape or one element, which is most of what is not alike: nothing else is worked out.
inline void map_beside_scalars(map_function run, const value* const* in, int count, value& result) {
  const tensor_type& type = result.described();
  const std::int64_t elements = result.size();
  piece pieces[3];
  char* data[4];
  std::int64_t most = elements, steps[4];
  for (int k = 0; k < count; ++k) {
    const int size = size_of_dtype(in[k]->described().type);
    data[k] = const_cast<char*>(in[k]->bytes());
    steps[k] = size;
    if (in[k]->described().same_shape(type)) continue;
    if (most > piece::bytes / 8) most = piece::bytes / 8;
    fill_elements(pieces[k].at, data[k], most, size);
    data[k] = pieces[k].at;
    steps[k] = 0;
  }
  data[count] = result.bytes();
  steps[count] = size_of_dtype(type.type);
  for (std::int64_t i = 0; i < elements; i += most) {
    run(data, elements - i < most ? elements - i : most);
    for (int k = 0; k <= count; ++k) data[k] += most * steps[k];
  }
}

/// Piece by piece, where operands do not all have the result's shape.
inline void map_repeated(map_function run, const value* const* in, int count, value& result) {
  const tensor_type& type = result.described();
  const int result_size = size_of_dtype(type.type);
  piece pieces[3];
  walk walks[3];
  std::int64_t periods[3], whole[3] = {}, sizes[3];
  std::int64_t most = piece::bytes / 8;
  const std::int64_t elements = result.size();
  // Pieces that are multiples of a period are filled once; an operand that is as long as a piece is read where it lies.
  std::int64_t period = 1;
  for (int k = 0; k < count; ++k) {
    const tensor_type& x = in[k]->described();
    sizes[k] = size_of_dtype(x.type);
    periods[k] = x.same_shape(type) ? elements : period_of(x, type);
    walks[k] = broadcast_walk(x, type);
    if (periods[k] < elements && periods[k] > period) period = periods[k];
  }
  most = period > most ? period : most / period * period;
  for (std::int64_t i = 0; i < elements; i += most) {
    const std::int64_t n = elements - i < most ? elements - i : most;
    for (std::int64_t j = 0; j < n; j += piece::bytes / 8) {
      const std::int64_t m = n - j < piece::bytes / 8 ? n - j : piece::bytes / 8;
      char* data[4];
      for (int k = 0; k < count; ++k) {
        data[k] = const_cast<char*>(in[k]->bytes());
        if (periods[k] == elements) {
          data[k] += (i + j) * sizes[k];
        } else if (periods[k] == most && periods[k] > 1) {
          data[k] += j * sizes[k];
        } else {
          const bool again = periods[k] > 0 && most % periods[k] == 0 && most <= piece::bytes / 8;
          if (!again || whole[k] < m) copy_elements(pieces[k].at, in[k]->bytes(), walks[k], i + j, m, static_cast<int>(sizes[k]));
          whole[k] = m;
          data[k] = pieces[k].at;
        }
      }
      data[count] = result.bytes() + (i + j) * result_size;
      run(data, m);
    }
  }
}

}  // namespace detail

/// The result of an elementwise op on at most three operands.
inline void map_all(const op_facts& op, map_function run, dtype result, const value* const* in, int count, value& out) {
  tensor_type type = in[count - 1]->described();
  bool same = true, scalars = false;
  for (int k = 0; k + 1 < count; ++k) same = same && in[k]->described().same_shape(type);
  if (!same) {
    inference context{no_names};
    for (int k = count - 2; k >= 0; --k) type = rules::broadcast(context, in[k]->described(), type);
    if (context.failure != reason::none) refuse(op, context.failure, in, count);
    scalars = true;
    for (int k = 0; k < count; ++k) scalars = scalars && (in[k]->described().same_shape(type) || in[k]->size() == 1);
  }
  type.type = result;
  out.reset(type);
  if (same) {
    char* data[4];
    for (int k = 0; k < count; ++k) data[k] = const_cast<char*>(in[k]->bytes());
    data[count] = out.bytes();
    run(data, out.size());
  } else if (scalars) {
    detail::map_beside_scalars(run, in, count, out);
  } else {
    detail::map_repeated(run, in, count, out);
  }
}

/// The same into the first operand itself, where nobody else has its elements and the result's shape is its own; false where not.
inline bool map_in_place(map_function run, const value& other, value& first) {
  const tensor_type& type = first.described();
  inference context{no_names};
  if (!first.is_alone() || !rules::broadcast(context, other.described(), type).same_shape(type) || context.failure != reason::none)
    return false;
  const value* const in[] = {&first, &other};
  detail::map_repeated(run, in, 2, first);
  first.becomes_another();
  return true;
}

}  // namespace etch::eager
