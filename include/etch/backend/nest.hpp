// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstring>
#include <utility>

#include <etch/backend/kernel.hpp>
#include <etch/backend/memory.hpp>
#include <etch/backend/tensor_view.hpp>

/// What a kernel of any backend is called with: a step's program as a type, and its loop nest with addresses.
namespace etch {

/// A loop nest: extents outermost first; per access the address of the first element and bytes per axis. An iota has no
/// memory: its "address" is its first value from `count_origin` on, its "bytes" are counts.
template <int Rank, int Slots>
struct nest {
  std::int64_t extents[Rank];
  char* data[Slots + 1];
  std::int64_t stride[Slots + 1][Rank];
};

/// The "address" of the count 0. Not null: adding to a null pointer is undefined, and sanitizers say so.
inline constexpr std::intptr_t count_origin = std::intptr_t{1} << 62;

/// The count that an iota's "address" stands for.
ETCH_HOST_DEVICE ETCH_INLINE std::int64_t count_at(const char* data) {
  return reinterpret_cast<std::intptr_t>(data) - count_origin;
}

/// What a step of a plan is called with, laid out in memory by `fill_frame`. Of an opaque step: the address of its attributes,
/// then a tensor_view for each access; of a call that of what runs it, then the same. Of any other: a nest.
struct frame {
  const char* at;

  template <int Rank, int Slots>
  const nest<Rank, Slots>& loops() const {
    return *reinterpret_cast<const nest<Rank, Slots>*>(at);
  }
  const std::int64_t* attributes() const { return *reinterpret_cast<const std::int64_t* const*>(at); }
  const tensor_view* views() const { return reinterpret_cast<const tensor_view*>(at + 8); }
};
static_assert(sizeof(void*) == 8 && sizeof(nest<2, 3>) == 8 * (2 + 4 + 4 * 2), "frames are made for 64-bit addresses");

/// A kernel as steps call it. Kernels of the CPU do not throw.
using kernel_function = void (*)(frame, const run_values&);

/// The tables of a plan that steps are filled from: no types, so that this is compiled once.
struct step_tables {
  const plan_step* steps;
  const access* accesses;
  const extent_value* extents_pool;
  const std::int64_t* attributes;
  int step_count;
};

constexpr std::int64_t frame_bytes(const plan_step& s) {
  if (s.walks_whole_operands()) return 8 + static_cast<std::int64_t>(sizeof(tensor_view)) * s.access_count;
  return 8 * (s.rank + static_cast<std::int64_t>(s.access_count + 1) * (1 + s.rank));
}

namespace detail {
inline char* address_of(const access& a, const run_values& run, char* const* buffers) {
  const std::int64_t offset = run.value(a.offset);
  if (a.buffer < 0) return reinterpret_cast<char*>(count_origin + static_cast<std::intptr_t>(offset));
  return buffers[a.buffer] + offset * size_of_dtype(a.type);
}
template <class T>
inline char* put(char* to, const T& value) {
  std::memcpy(to, &value, sizeof(T));
  return to + sizeof(T);
}
inline void fill_views(const step_tables& t, const plan_step& s, const run_values& run, char* const* buffers, char* to) {
  to = put(to, t.attributes + s.first_attribute);
  for (int k = 0; k < s.access_count; ++k) {
    const access& a = t.accesses[s.first_access + k];
    tensor_view v;
    v.data = address_of(a, run, buffers);
    v.rank = a.rank;
    for (int d = 0; d < a.rank; ++d) {
      v.strides[d] = run.value(t.extents_pool[a.first_stride + d]);
      v.extents[d] = run.value(t.extents_pool[a.first_stride + a.rank + d]);
    }
    to = put(to, v);
  }
}
}  // namespace detail

/// Writes what step s is called with to `to`, which has frame_bytes(s).
inline void fill_frame(const step_tables& t, const plan_step& s, const run_values& run, char* const* buffers, char* to) {
  if (s.walks_whole_operands()) return detail::fill_views(t, s, run, buffers, to);
  for (int d = 0; d < s.rank; ++d) to = detail::put(to, run.value(t.extents_pool[s.first_extent + d]));
  for (int k = 0; k < s.access_count; ++k) to = detail::put(to, detail::address_of(t.accesses[s.first_access + k], run, buffers));
  to += 8;  // the nest of a step without accesses has one place, too
  for (int k = 0; k < s.access_count; ++k) {
    const access& a = t.accesses[s.first_access + k];
    const std::int64_t size = a.buffer < 0 ? 1 : size_of_dtype(a.type);
    for (int d = 0; d < s.rank; ++d) to = detail::put(to, run.value(t.extents_pool[a.first_stride + d]) * size);
  }
}

/// Where in such a frame the address of access k stands.
inline std::int64_t place_of_address(const plan_step& s, int k) {
  if (!s.walks_whole_operands()) return 8 * (s.rank + k);
  return 8 + static_cast<std::int64_t>(sizeof(tensor_view)) * k + static_cast<std::int64_t>(offsetof(tensor_view, data));
}

/// Stands in the names of the functions that compute a step, for whoever reads a stack: `run_kernel<..., step_of<matmul, tanh> >`.
template <class... Ops>
struct step_of;

namespace detail {
/// The ops of a step, in the order of its program, at most 64; of one without a program its own.
struct step_op_ids {
  int count = 0;
  std::uint64_t at[64]{};
};
constexpr step_op_ids find_ops(const std::uint64_t* words, const plan_step& s) {
  step_op_ids found;
  for (int w = s.first_word; w < s.first_word + s.word_count && found.count < 64; w += 2) {
    const instruction in = decode_instruction(words[w], words[w + 1]);
    if (in.code == opcode::apply || in.code == opcode::reduce || in.code == opcode::scan) found.at[found.count++] = in.payload;
    if (in.code == opcode::accumulator) found.at[found.count++] = s.op;
  }
  if (found.count == 0 && s.op != 0) found.at[found.count++] = s.op;
  return found;
}
template <class Plan, int I>
inline constexpr step_op_ids ids_in_step = find_ops(Plan::value.program_words, Plan::value.steps[I]);

template <class Plan, int I, int... K>
step_of<op_of<ids_in_step<Plan, I>.at[K]>...> name_ops(std::integer_sequence<int, K...>);
}  // namespace detail
template <class Plan, int I>
using ops_of_step = decltype(detail::name_ops<Plan, I>(std::make_integer_sequence<int, detail::ids_in_step<Plan, I>.count>{}));

/// The loop nest of step I of a plan whose extents are numbers: constants, but for the addresses.
template <class Plan, int I, int Rank, int Slots>
ETCH_INLINE nest<Rank, Slots> constant_nest(char* const* buffers) {
  constexpr const auto& p = Plan::value;
  constexpr const plan_step& s = p.steps[I];
  nest<Rank, Slots> n;
  for (int d = 0; d < Rank; ++d) n.extents[d] = p.extents_pool[s.first_extent + d];
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (
        [&] {
          constexpr const access& a = p.accesses[s.first_access + K];
          constexpr std::int64_t size = a.buffer < 0 ? 1 : size_of_dtype(a.type);
          if constexpr (a.buffer < 0)
            n.data[K] = reinterpret_cast<char*>(count_origin + static_cast<std::intptr_t>(a.offset));
          else
            n.data[K] = buffers[a.buffer] + a.offset * size;
          for (int d = 0; d < Rank; ++d) n.stride[K][d] = p.extents_pool[a.first_stride + d] * size;
        }(),
        ...);
  }(std::make_integer_sequence<int, Plan::value.steps[I].access_count>{});
  return n;
}

}  // namespace etch
