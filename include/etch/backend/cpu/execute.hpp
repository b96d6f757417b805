// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/contraction.hpp>
#include <etch/backend/cpu/opaque.hpp>
#include <etch/backend/cpu/sweep.hpp>
#include <etch/backend/host_memory.hpp>

/// Runs a plan on the CPU: each step becomes a call of its kernel, with what the compiler knows as constants.
namespace etch::cpu {

namespace detail {

/// Elements of a step's loop nest where all extents are numbers; else -1.
template <class Plan, int I>
constexpr std::int64_t static_count() {
  constexpr const step& s = Plan::value.steps[I];
  std::int64_t n = 1;
  for (int d = 0; d < s.rank; ++d) {
    if (!is_static(s.extents[d])) return -1;
    n *= s.extents[d];
  }
  return n;
}
/// Kernels of up to this many elements become part of their caller, where extents and strides are constants.
inline constexpr std::int64_t inline_elements = 512;
template <class Plan, int I, class Memory>
ETCH_INLINE void run_contraction(const Memory& m) {
  constexpr const auto& p = Plan::value;
  constexpr const step& s = p.steps[I];
  using P = program_of<Plan, I>;
  using T = value_type_of<p.accesses[s.first_access].type>;
  using kernel = contraction_kernel<P, s.rank, T>;
  const nest<s.rank, kernel::slots> n = make_nest<Plan, I, s.rank, kernel::slots>(m);
  constexpr std::int64_t rows = is_static(s.extents[s.rank - 2]) ? s.extents[s.rank - 2] : -1;
  constexpr std::int64_t columns = is_static(s.extents[s.rank - 1]) ? s.extents[s.rank - 1] : -1;
  constexpr std::int64_t inner = is_static(s.inner) ? s.inner : -1;
  constexpr extent_value column_stride = p.accesses[s.first_access + 1].stride[s.rank - 1];
  constexpr bool known = columns >= 0 && inner >= 0, contiguous = column_stride == 1;
  if constexpr (known && rows >= 0 && is_small_product<T, rows, columns, inner, contiguous>) {
    kernel::template run_small<rows, columns, inner>(n);
  } else if constexpr (known && is_small_product<T, -1, columns, inner, contiguous>) {
    kernel::template run_small<-1, columns, inner>(n);
  } else {
    constexpr bool few_columns = columns <= 4, open = few_columns || !is_static(column_stride);
    constexpr product_cases cases{rows < 0 || rows == 1, few_columns, open || contiguous, open || !contiguous};
    kernel::template run<cases>(n, m.value(s.inner), reinterpret_cast<T*>(m.scratch));
  }
}

template <class Plan, int I, int... K>
void run_typed(const tensor_view* views, const draw_state& draws, std::integer_sequence<int, K...>) {
  constexpr const auto& p = Plan::value;
  opaque_kernel<op_of<p.steps[I].op>>::template run<
      value_type_of<p.accesses[p.steps[I].first_access + K].type>...>(
      views, p.attributes + p.steps[I].first_attribute, draws);
}

template <class Plan, int I, class Memory>
void run_opaque(const Memory& m) {
  constexpr const auto& p = Plan::value;
  constexpr const step& s = p.steps[I];
  tensor_view views[s.access_count];
  for (int k = 0; k < s.access_count; ++k) {
    const access& a = p.accesses[s.first_access + k];
    views[k].data = m.buffer[a.buffer] + m.value(a.offset) * size_of_dtype(a.type);
    views[k].rank = a.rank;
    for (int d = 0; d < a.rank; ++d) {
      views[k].extents[d] = m.value(a.extents[d]);
      views[k].strides[d] = m.value(a.stride[d]);
    }
  }
  run_typed<Plan, I>(views, draw_state{m.seed, m.run},
                     std::make_integer_sequence<int, Plan::value.steps[I].access_count>{});
}

template <class Plan, int I, class Memory>
ETCH_INLINE void run_step(const Memory& m) {
  constexpr const step& s = Plan::value.steps[I];
  constexpr bool small = static_count<Plan, I>() >= 0 && static_count<Plan, I>() <= inline_elements;
  if constexpr (s.kind == cluster_kind::opaque) {
    run_opaque<Plan, I>(m);
  } else if constexpr (s.kind == cluster_kind::contraction) {
    run_contraction<Plan, I>(m);
  } else if constexpr (s.kind == cluster_kind::sweep) {
    using kernel = sweep_kernel<program_of<Plan, I>, s.kept, s.rank - s.kept, s.lanes_along_rows, s.short_row>;
    if constexpr (small)
      kernel::run_inline(make_nest<Plan, I, s.rank, kernel::slots>(m));
    else
      kernel::run(make_nest<Plan, I, s.rank, kernel::slots>(m));
  } else {
    constexpr bool large = static_count<Plan, I>() < 0 || static_count<Plan, I>() >= least_streamed_bytes / 64;
    using kernel = map_kernel<program_of<Plan, I>, s.rank, s.rank == 1 && large>;
    if constexpr (small)
      kernel::run_inline(make_nest<Plan, I, s.rank, kernel::slots>(m));
    else
      kernel::run(make_nest<Plan, I, s.rank, kernel::slots>(m));
  }
}

}  // namespace detail

/// The CPU as a backend.
struct backend {
  static constexpr const char* name = "cpu";
  using memory = host_memory;

  /// Runs every step, in order.
  template <class Plan, class Memory>
  ETCH_INLINE static void execute(const Memory& m) noexcept {
    [&]<int... I>(std::integer_sequence<int, I...>) { (detail::run_step<Plan, I>(m), ...); }
    (std::make_integer_sequence<int, Plan::size.steps>{});
  }

  /// Bytes of scratch memory that the largest product packs its operands into; `values` gives each extent's count.
  template <class Values>
  static constexpr std::int64_t scratch_bytes(const product_extents* products, int count, const Values& values) {
    std::int64_t most = 0;
    for (int i = 0; i < count; ++i) {
      const product_extents& p = products[i];
      const index m = values.value(p.rows), n = values.value(p.columns), k = values.value(p.inner);
      std::int64_t bytes = 0;
      switch (p.type) {
        case dtype::float64: bytes = 8 * matmul_workspace<double>(m, n, k); break;
        case dtype::float32: bytes = 4 * matmul_workspace<float>(m, n, k); break;
        case dtype::int64: bytes = 8 * matmul_workspace<std::int64_t>(m, n, k); break;
        case dtype::int32: bytes = 4 * matmul_workspace<std::int32_t>(m, n, k); break;
        default: break;
      }
      if (bytes > most) most = bytes;
    }
    return most;
  }
};

}  // namespace etch::cpu
