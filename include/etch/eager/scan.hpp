// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/scan/scan.hpp>
#include <etch/eager/refusal.hpp>

/// Scans of values: three kernels for each op and dtype, for an axis across memory and both ways along it. What begins at the last element
/// across memory is walked with negative strides; what leaves an element itself out is written one element further.
namespace etch::eager {

template <class Op, dtype D, int Options>
constexpr auto make_scan_program() {
  constexpr auto word = [](int k) {
    constexpr int last = Op::arity - 1;
    constexpr instruction first = {.code = opcode::load, .type = D, .memory = D, .mode = lane::next};
    constexpr instruction load = {.code = opcode::load, .type = D, .memory = D, .mode = lane::next, .slot = last};
    constexpr instruction scan = {.code = opcode::scan, .type = D, .b = last, .c = Options, .payload = info_of<Op>.id};
    constexpr instruction store = {
        .code = opcode::store, .type = D, .memory = D, .mode = lane::next, .a = Op::arity, .slot = Op::arity};
    constexpr instruction all[] = {first, last > 0 ? load : scan, last > 0 ? scan : store, store};
    return k % 2 == 0 ? all[k / 2].word() : all[k / 2].payload;
  };
  if constexpr (Op::arity == 1)
    return program<word(0), word(1), word(2), word(3), word(4), word(5)>{};
  else
    return program<word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)>{};
}

/// Lines come first in the nest, the axis that is walked last; the last access is the result.
template <int Arity>
using scan_function = void (*)(const nest<2, Arity + 1>&);

template <class Op, dtype D, int Options, bool Across>
ETCH_KERNEL void scan_lines(const nest<2, Op::arity + 1>& n) noexcept {
  cpu::scan_kernel<decltype(make_scan_program<Op, D, Options>()), 1, Across>::run_inline(n);
}

/// What scans the elements of one dtype.
template <int Arity>
struct scanners {
  scan_function<Arity> across, along, along_backwards;
  std::uint64_t identity;  ///< its bytes
  bool is_exclusive;
};

template <class Op, dtype D>
constexpr scanners<Op::arity> make_scanners() {
  using T = value_type_of<D>;
  using bits = value_type_of<sizeof(T) == 8   ? dtype::uint64
                             : sizeof(T) == 4 ? dtype::uint32
                             : sizeof(T) == 2 ? dtype::uint16
                                              : dtype::uint8>;
  return {&scan_lines<Op, D, 0, true>, &scan_lines<Op, D, 0, false>, &scan_lines<Op, D, scan_backwards, false>,
          __builtin_bit_cast(bits, static_cast<T>(Op::template identity<T>())), Op::is_exclusive};
}

/// Attributes: the axis, options.
template <int Arity>
void scan_axis(const op_facts& op, const scanners<Arity>& run, const words& attributes, const value* const* in, value& out) {
  const tensor_type type = infer(op, attributes, in, Arity);
  const int axis = static_cast<int>(attributes[0]);
  const bool backwards = (attributes[1] & scan_backwards) != 0,
             exclusive = !run.is_exclusive && (attributes[1] & scan_exclusive) != 0;
  out.reset(type);
  if (out.size() == 0) return;
  const std::int64_t size = size_of_dtype(type.type), count = type.extents[axis];
  std::int64_t outer = 1, inner = 1;
  for (int i = 0; i < axis; ++i) outer *= type.extents[i];
  for (int i = axis + 1; i < type.rank; ++i) inner *= type.extents[i];
  const std::int64_t step = inner * size, shift = exclusive ? (backwards ? -step : step) : 0;
  nest<2, Arity + 1> n;
  n.extents[0] = inner == 1 ? outer : inner;
  n.extents[1] = exclusive ? count - 1 : count;
  // What backwards leaves out is the first element.
  const std::int64_t first = exclusive && backwards ? step : 0, last = (n.extents[1] - 1) * step;
  for (int k = 0; k <= Arity; ++k) {
    n.data[k] = (k < Arity ? const_cast<char*>(in[k]->bytes()) : out.bytes() + shift) + first;
    n.stride[k][0] = inner == 1 ? count * step : size;
    n.stride[k][1] = step;
    if (backwards && inner != 1) {
      n.data[k] += last;
      n.stride[k][1] = -step;
    }
  }
  if (inner == 1) {
    (backwards ? run.along_backwards : run.along)(n);
  } else {
    for (std::int64_t i = 0; i < outer; ++i) {
      run.across(n);
      for (int k = 0; k <= Arity; ++k) n.data[k] += count * step;
    }
  }
  if (!exclusive) return;
  char* to = out.bytes() + (backwards ? (count - 1) * step : 0);
  for (std::int64_t i = 0; i < outer; ++i, to += count * step)
    for (std::int64_t j = 0; j < inner; ++j) std::memcpy(to + j * size, &run.identity, static_cast<std::size_t>(size));
}

}  // namespace etch::eager
