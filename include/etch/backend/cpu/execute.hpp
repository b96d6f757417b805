// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/product/contraction.hpp>
#include <etch/backend/cpu/denormals.hpp>
#include <etch/backend/cpu/map/lagging.hpp>
#include <etch/backend/cpu/opaque/kernels.hpp>
#include <etch/backend/cpu/row_blocks/run.hpp>
#include <etch/backend/cpu/scan/scan.hpp>
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

/// Blocks of rows end where tiles do: which tile has a row says in which order it is summed.
static_assert(row_blocking::unit % matmul_detail::tile_shape<float>::rows == 0);

/// One element needs no vector.
template <class Kernel>
using lanes_of_map = std::conditional_t<Kernel::key.cases.has_one_element, scalar_lanes, lanes_of<typename Kernel::program>>;

template <class Kernel>
struct product_of {
  static constexpr kernel_key key = Kernel::key;
  static constexpr kernel_cases known = key.cases;
  using T = value_type_of<key.type>;
  static constexpr product_shape shape = {
      .stack = key.kept - 1 - key.rows, .rows = key.rows, .inner = key.rank - key.kept, .bounded = key.bounded};
  using P = typename Kernel::program;
  static constexpr bool is_narrow = key.packed == 0 && Kernel::types[0] != key.type;
  template <int K>
  using operand = value_type_of<is_narrow ? Kernel::types[K] : key.type>;
  using kernel = contraction_kernel<P, shape, operand<0>, operand<1>, T>;
  static_assert(kernel::slots == key.access_count);

  static constexpr product_cases cases = {.one_row = known.rows == product_rows::any || known.rows == product_rows::one,
                                          .many_rows = known.rows != product_rows::one,
                                          .several_rows = known.rows == product_rows::any || known.rows == product_rows::several,
                                          .few_columns = known.few_columns,
                                          .contiguous_rows = known.contiguous_rows,
                                          .other_rows = known.other_rows};

  ETCH_INLINE static void run_small(const nest<key.rank, key.access_count>& n, const product_team<T>& team = {}) noexcept {
    kernel::template run_small<known.small_rows, known.small_columns, known.small_inner>(n, team);
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

template <class Kernel, int... K>
void run_opaque(frame f, const run_values& run, std::integer_sequence<int, K...>) {
  opaque_kernel<op_of<Kernel::key.op>>::template run<value_type_of<Kernel::types[K]>...>(f.views(), f.attributes(),
                                                                                         draw_state{run.seed, run.run});
}

/// Runs a kernel. Ops: what the step computes that it is named after, for whoever reads a stack. Functions of the program's own, on the
/// host, may throw.
template <class Kernel, class Ops>
void run_kernel(frame f, [[maybe_unused]] const run_values& run) noexcept(!Kernel::key.on_host) {
  constexpr const kernel_key& key = Kernel::key;
  using P = typename Kernel::program;
  if constexpr (key.kind == cluster_kind::opaque) {
    run_opaque<Kernel>(f, run, std::make_integer_sequence<int, Kernel::key.typed_accesses>{});
  } else {
    const auto& n = f.loops<key.rank, key.access_count>();
    if constexpr (key.kind == cluster_kind::contraction) {
      using product = product_of<Kernel>;
      if constexpr (key.is_columnwise || key.bounded > 0)
        product::kernel::template run_bounded<key.is_columnwise>(n, team_of<typename product::T>(run));
      else if constexpr (key.cases.is_small())
        product::run_small(n, team_of<typename product::T>(run));
      else
        product::kernel::template run<product::cases>(n, team_of<typename product::T>(run));
    } else if constexpr (key.kind == cluster_kind::sweep) {
      using kernel = sweep_kernel<P, key.kept, key.rank - key.kept, key.lanes_along_rows, key.short_row>;
      if constexpr (key.cases.has_blocks)
        kernel::run_in_blocks(n, run.threads, nullptr);
      else
        kernel::run(n);
    } else if constexpr (key.kind == cluster_kind::scan) {
      scan_kernel<P, key.kept, key.lanes_along_rows>::run(n);
    } else if constexpr (key.returned > 0) {
      lagging_map_kernel<P, key.rank, key.returned, key.lag>::run(n);
    } else if constexpr (key.cases.packs_rows && lanes_of_map<Kernel>::count > 1) {
      packed_map_kernel<P, key.rank>::run(n);
    } else if constexpr (key.cases.is_tiled && lanes_of_map<Kernel>::count > 1) {
      tiled_map_kernel<P, key.rank, key.cases.may_stream>::run(n);
    } else {
      map_kernel<P, key.rank, lanes_of_map<Kernel>, key.rank == 1 && key.cases.may_stream>::run(n);
    }
  }
}

/// Steps of up to this many elements, small products of up to so many multiplications in all (of larger stacks threads have shares), and
/// plans of up to so many such steps, become part of their caller.
inline constexpr std::int64_t expanded_elements = 512, expanded_products = 131'072;
inline constexpr int expanded_steps = 8;

template <class Plan>
constexpr bool is_expanded_step(const plan_step& s) {
  const kernel_cases& known = Plan::value.kernels[s.kernel].key.cases;
  if (s.walks_whole_operands() || s.returned > 0) return false;
  const std::int64_t count = Plan::value.count(s);
  if (s.kind == cluster_kind::contraction)
    return known.is_small() && known.small_rows >= 0 && s.packed == 0 && count <= expanded_products;
  return count >= 0 && count <= expanded_elements;
}
template <class Plan>
constexpr bool is_expanded_plan() {
  // One condition: nvcc warns of a loop behind a constant return.
  bool is_expanded = Plan::size.steps <= expanded_steps && Plan::facts.extents.symbol_count() == 0;
  for (int i = 0; is_expanded && i < Plan::size.steps; ++i) is_expanded = is_expanded_step<Plan>(Plan::value.steps[i]);
  return is_expanded;
}

/// Maps of so many vectors are written out, without a loop.
inline constexpr int short_row_vectors = 2;

/// The code of step I's kernel, so with the same bits, where extents and strides are constants.
template <class Plan, int I, class Ops>
ETCH_INLINE void run_in_place(char* const* buffers) noexcept {
  using kernel = kernel_at<Plan, Plan::value.steps[I].kernel>;
  constexpr const kernel_key& key = kernel::key;
  using P = typename kernel::program;
  const auto n = constant_nest<Plan, I, key.rank, key.access_count>(buffers);
  constexpr std::int64_t count = Plan::value.count(Plan::value.steps[I]);
  if constexpr (key.kind == cluster_kind::contraction)
    product_of<kernel>::run_small(n);
  else if constexpr (key.kind == cluster_kind::sweep)
    sweep_kernel<P, key.kept, key.rank - key.kept, key.lanes_along_rows, key.short_row>::run_inline(n);
  else if constexpr (key.kind == cluster_kind::scan)
    scan_kernel<P, key.kept, key.lanes_along_rows>::run_inline(n);
  else if constexpr (key.rank == 1 && count <= short_row_vectors * lanes_of_map<kernel>::count)
    map_kernel<P, 1, lanes_of_map<kernel>, false>::template run_short<static_cast<int>(count)>(n);
  else
    map_kernel<P, key.rank, lanes_of_map<kernel>, false>::run_inline(n);
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

  /// What runs the steps of a kernel; Ops stands in its name.
  template <class Kernel, class Ops>
  static constexpr kernel_function kernel = &detail::run_kernel<Kernel, Ops>;

  /// Whether a plan is so small that its steps are run in place, by `run_in_place`.
  template <class Plan>
  static constexpr bool expands = detail::is_expanded_plan<Plan>();

  template <class Plan>
  ETCH_INLINE static void run_in_place(char* const* buffers) noexcept {
    [&]<int... I>(std::integer_sequence<int, I...>) ETCH_INLINED {
      (detail::run_in_place<Plan, I, ops_of_step<Plan, I>>(buffers), ...);
    }(std::make_integer_sequence<int, Plan::size.steps>{});
  }

  /// Whether steps may be run block by block: not in plans that are run in place, on whole buffers. One call of a function that is no
  /// template: of a template's conditions clang evaluates each part on its own, which took 3 s of the 33 of 8 transformer blocks.
  template <class Plan>
  static constexpr bool has_blocks = may_have_row_groups(
      {Plan::value.steps, Plan::value.accesses, Plan::value.extents_pool, Plan::value.attributes, Plan::size.steps},
      Plan::value.buffers, expands<Plan> ? 0 : Plan::size.buffers, Plan::facts.extents.symbol_count() == 0);
  /// What runs them; null where there are none.
  template <class Plan>
  static constexpr blocker_maker make_blocks = row_blocks_maker<has_blocks<Plan>, step_blocker>();
  /// The buffers of a plan whose named extents have these counts, for one worker.
  template <class Plan>
  static constexpr vector<buffer> buffers_of(const step_tables& t, const std::int64_t* values) {
    run_values run;
    for (int k = 0; k < Plan::facts.extents.polynomial_count(); ++k)
      run.extent[k] = Plan::facts.extents.evaluate(polynomial_reference(k), values);
    return buffers_of_row_groups(find_row_groups(t, Plan::value.buffers, Plan::size.buffers, run, 1), t, Plan::value.buffers,
                                 Plan::size.buffers, 1, [](int step) { return step; });
  }

  /// How threads share steps.
  template <class Base>
  static constexpr auto make_sharer = &cpu::make_sharer<Base>;

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
