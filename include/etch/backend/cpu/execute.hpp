// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/product/contraction.hpp>
#include <etch/backend/cpu/denormals.hpp>
#include <etch/backend/cpu/map/lagging.hpp>
#include <etch/backend/cpu/product/narrow_contraction.hpp>
#include <etch/backend/cpu/opaque/kernels.hpp>
#include <etch/backend/cpu/threads/shared_steps.hpp>
#include <etch/backend/cpu/sweep/sweep.hpp>
#include <etch/backend/cpu/target.hpp>
#include <etch/backend/cpu/map/tiled.hpp>
#include <etch/backend/host_memory.hpp>

#if !defined(__OPTIMIZE__) && !defined(ETCH_UNOPTIMISED) && !defined(__CUDACC__)
#pragma message( \
    "etch: compiled without optimisation its kernels take some hundred times as long: -O2, or -DETCH_UNOPTIMISED where that is meant")
#endif

/// Runs steps on the CPU. A step is a call of its kernel, which all equal steps of all plans share, with what the run knows; or,
/// where all is known to the compiler and little is to do, code in place with constants.
namespace etch::cpu {

namespace detail {

/// Elements of a step's loop nest where all extents are numbers; else -1.
template <class Plan, int I>
constexpr std::int64_t static_count() {
  return Plan::value.count(Plan::value.steps[I]);
}

template <class Plan, int I>
using lanes_of_step = std::conditional_t<static_count<Plan, I>() == 1, scalar_lanes, lanes_of<program_of<Plan, I>>>;

/// Whether a map may touch so much memory that its stores had better be non-temporal (streaming).
template <class Plan, int I>
constexpr bool may_stream() {
  constexpr std::int64_t count = static_count<Plan, I>();
  return count < 0 || count >= least_streamed_bytes / 8 / (1 + Plan::value.steps[I].access_count);
}

/// Whether a map reads or writes along another axis than it walks, and enough for tiles of that.
template <class Plan, int I>
constexpr bool is_tiled() {
  constexpr const plan_step& s = Plan::value.steps[I];
  if constexpr (s.rank < 2 || lanes_of_step<Plan, I>::count == 1)
    return false;
  else
    return has_strided_memory<program_of<Plan, I>>() && (static_count<Plan, I>() < 0 || static_count<Plan, I>() >= 1024);
}

template <class Plan, int I>
struct product_of {
  static constexpr plan_step s = Plan::value.steps[I];
  static constexpr index number(extent_value e) { return is_static(e) ? e : -1; }
  static constexpr index rows = number(Plan::value.extent(s, s.kept - 2)), columns = number(Plan::value.extent(s, s.kept - 1)),
                         inner = number(Plan::value.extent(s, s.kept));
  using T = value_type_of<s.type>;
  static constexpr product_shape shape = {
      .stack = s.kept - 1 - s.rows, .rows = s.rows, .inner = s.rank - s.kept, .bounded = s.bounded};
  /// Of the operands in memory, where they are not computed.
  template <int K>
  using operand = value_type_of<Plan::value.accesses[s.first_access + K].type>;
  static constexpr bool is_narrow = s.reads_narrow(Plan::value.accesses[s.first_access]);
  struct wide {
    using type = contraction_kernel<program_of<Plan, I>, shape, T>;
  };
  struct narrow {
    using type = narrow_contraction_kernel<program_of<Plan, I>, shape, operand<0>, operand<1>, T>;
  };
  using kernel = typename std::conditional_t<is_narrow, narrow, wide>::type;
  static_assert(kernel::slots == s.access_count);

  static constexpr index right_step = number(Plan::value.stride(Plan::value.accesses[s.first_access + 1], s.kept - 1));
  /// What the extents and strides leave open, so that only that is compiled.
  static constexpr product_cases cases = {.one_row = rows == -1 || rows == 1,
                                          .many_rows = rows != 1,
                                          .few_columns = columns < 5,
                                          .contiguous_rows = right_step == -1 || right_step == 1,
                                          .other_rows = right_step != 1};
  static constexpr bool known = s.bounded == 0 && s.packed == 0 && !is_narrow && s.is_plain_product() && columns >= 0 && inner >= 0,
                        contiguous = right_step == 1;
  static constexpr bool is_small = known && rows >= 0 && is_small_product<T, rows, columns, inner, contiguous>;
  static constexpr bool has_small_rows = known && is_small_product<T, -1, columns, inner, contiguous>;

  ETCH_INLINE static void run_small(const nest<s.rank, s.access_count>& n) noexcept {
    kernel::template run_small<is_small ? rows : -1, columns, inner>(n);
  }
};

template <class T>
constexpr std::int64_t workspace_of(const product_size& size) {
  if (size.packed != 0) return packed_matmul_workspace<T>(size.rows, size.columns, size.inner, size.is_deep, size.packed);
  return size.is_columnwise ? columnwise_product_workspace<T>(size.rows, size.columns, size.inner)
         : size.is_plain && size.bounded == 0
             ? matmul_workspace<T>(size.rows, size.columns, size.inner, size.is_deep)
             : grouped_workspace<T>(size.rows, size.columns, size.inner, size.is_deep, size.bounded);
}

template <class T>
ETCH_INLINE product_team<T> team_of(const run_values& run) noexcept {
  return {reinterpret_cast<T*>(run.scratch), run.scratch_bytes / static_cast<index>(sizeof(T)), run.threads};
}

template <class Plan, int I, int... K>
void run_opaque(frame f, const run_values& run, std::integer_sequence<int, K...>) {
  constexpr const auto& p = Plan::value;
  opaque_kernel<op_of<p.steps[I].op>>::template run<value_type_of<p.accesses[p.steps[I].first_access + K].type>...>(
      f.views(), f.attributes(), draw_state{run.seed, run.run});
}

/// Whether step I runs nothing of the program's own: functions that it calls, and what its loops and branches call, may throw.
template <class Plan, int I>
inline constexpr bool never_throws = !Plan::value.steps[I].on_host && Plan::value.steps[I].kind != cluster_kind::call;

/// The kernel of step I, and of all that are like it. Ops: what it computes, for whoever reads a stack.
template <class Plan, int I, class Ops>
void run_kernel(frame f, [[maybe_unused]] const run_values& run) noexcept(never_throws<Plan, I>) {
  constexpr const plan_step& s = Plan::value.steps[I];
  if constexpr (s.kind == cluster_kind::opaque) {
    run_opaque<Plan, I>(f, run, std::make_integer_sequence<int, Plan::value.steps[I].access_count>{});
  } else {
    const auto& n = f.loops<s.rank, s.access_count>();
    if constexpr (s.kind == cluster_kind::contraction) {
      using product = product_of<Plan, I>;
      if constexpr (product::is_narrow)
        product::kernel::run(n, team_of<typename product::T>(run));
      else if constexpr (s.is_columnwise || s.bounded > 0)
        product::kernel::template run_bounded<s.is_columnwise>(n, team_of<typename product::T>(run));
      else if constexpr (product::is_small || product::has_small_rows)
        product::run_small(n);
      else
        product::kernel::template run<product::cases>(n, team_of<typename product::T>(run));
    } else if constexpr (s.kind == cluster_kind::sweep) {
      using kernel = sweep_kernel<program_of<Plan, I>, s.kept, s.rank - s.kept, s.lanes_along_rows, s.short_row>;
      if constexpr (has_shared_blocks(s, Plan::value.extents_pool))
        kernel::run_in_blocks(n, run.threads, nullptr);
      else
        kernel::run(n);
    } else if constexpr (s.returned > 0) {
      lagging_map_kernel<program_of<Plan, I>, s.rank, s.returned, s.lag>::run(n);
    } else if constexpr (is_tiled<Plan, I>()) {
      tiled_map_kernel<program_of<Plan, I>, s.rank, may_stream<Plan, I>()>::run(n);
    } else {
      map_kernel<program_of<Plan, I>, s.rank, lanes_of_step<Plan, I>, s.rank == 1 && may_stream<Plan, I>()>::run(n);
    }
  }
}

/// Steps of up to this many elements, and plans of up to so many such steps, become part of their caller.
inline constexpr std::int64_t expanded_elements = 512;
inline constexpr int expanded_steps = 8;

template <class Plan, int I>
constexpr bool is_expanded_step() {
  constexpr const plan_step& s = Plan::value.steps[I];
  if constexpr (s.walks_whole_operands() || s.returned > 0)
    return false;
  else if constexpr (s.kind == cluster_kind::contraction)
    return product_of<Plan, I>::is_small;
  else
    return static_count<Plan, I>() >= 0 && static_count<Plan, I>() <= expanded_elements;
}
template <class Plan>
constexpr bool is_expanded_plan() {
  if constexpr (Plan::size.steps > expanded_steps || Plan::facts.extents.symbol_count() > 0)
    return false;
  else
    return []<int... I>(std::integer_sequence<int, I...>) {
      return (is_expanded_step<Plan, I>() && ...);
    }(std::make_integer_sequence<int, Plan::size.steps>{});
}

template <class Plan, int I, class Ops>
ETCH_INLINE void run_in_place(char* const* buffers) noexcept {
  constexpr const plan_step& s = Plan::value.steps[I];
  const auto n = constant_nest<Plan, I, s.rank, s.access_count>(buffers);
  if constexpr (s.kind == cluster_kind::contraction)
    product_of<Plan, I>::run_small(n);
  else if constexpr (s.kind == cluster_kind::sweep)
    sweep_kernel<program_of<Plan, I>, s.kept, s.rank - s.kept, s.lanes_along_rows, s.short_row>::run_inline(n);
  else
    map_kernel<program_of<Plan, I>, s.rank, lanes_of_step<Plan, I>, false>::run_inline(n);
}

}  // namespace detail

/// The CPU as a backend.
struct backend {
  static constexpr const char* name = "cpu";
  using target = cpu::target;
  using memory = host_memory;
  static constexpr bool throws = false;
  /// How the machine's numbers behave during a run.
  using run_scope = flush_denormals;

  /// What runs step I of a plan, and all steps with the same kernel.
  template <class Plan, int I>
  static constexpr kernel_function kernel = &detail::run_kernel<Plan, I, ops_of_step<Plan, I>>;

  /// Whether a plan is so small that its steps are run in place, by `run_in_place`.
  template <class Plan>
  static constexpr bool expands = detail::is_expanded_plan<Plan>();

  template <class Plan>
  ETCH_INLINE static void run_in_place(char* const* buffers) noexcept {
    [&]<int... I>(std::integer_sequence<int, I...>) ETCH_INLINED {
      (detail::run_in_place<Plan, I, ops_of_step<Plan, I>>(buffers), ...);
    }(std::make_integer_sequence<int, Plan::size.steps>{});
  }

  /// How threads share steps.
  static constexpr auto make_sharer = &cpu::make_sharer;

  /// Bytes of scratch memory that a product packs its operands into.
  static constexpr std::int64_t scratch_bytes(dtype type, const product_size& size) {
    if (size.group > 1) return 4 * narrow_matmul_workspace(size.rows, size.columns, size.inner, size.group);
    switch (type) {
      case dtype::float64: return 8 * detail::workspace_of<double>(size);
      case dtype::float32: return 4 * detail::workspace_of<float>(size);
      default: return 0;
    }
  }
};

}  // namespace etch::cpu
