// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/gpu/memory.hpp>
#include <etch/backend/gpu/scan.hpp>
#include <etch/backend/gpu/sweep.hpp>
#include <etch/backend/gpu/target.hpp>
#include <etch/backend/step_sharing.hpp>
#include <etch/core/facts.hpp>

/// Runs a plan on Thrust's device: each step becomes a call of its kernel.
namespace etch::gpu {

struct backend;

namespace detail {

/// The product, or the op with a kernel of its own, that a kernel is named after.
template <class Ops>
struct first_op;
template <class Op, class... Others>
struct first_op<step_of<Op, Others...>> {
  using type = Op;
};

template <class Kernel, class Ops>
void run_kernel([[maybe_unused]] frame f, const run_values&) {
  constexpr const kernel_key& s = Kernel::key;
  if constexpr (s.kind == cluster_kind::opaque || s.kind == cluster_kind::contraction) {
    raise<backend_lacks_this_op, in_op<typename first_op<Ops>::type>, on_backend<backend>>();
  } else {
    using P = typename Kernel::program;
    const nest<s.rank, s.access_count>& n = f.template loops<s.rank, s.access_count>();
    try {
      if constexpr (s.returned > 0)
        run_returning_map<P, s.rank, s.returned>(n);
      else if constexpr (s.kind == cluster_kind::sweep)
        run_sweep<P, s.kept, s.rank>(n);
      else if constexpr (s.kind == cluster_kind::scan)
        run_scan<P, s.rank>(n);
      else
        run_map<P, s.rank>(n);
    } catch (const std::exception& e) {
      fail("gpu: running a plan failed: %s", e.what());
    }
  }
}

}  // namespace detail

/// The GPU as a backend. It has elementwise ops, casts, views, iota, reductions, scans, and what is fused of them; no
/// matmul, no random draws, no ops with a kernel of their own (pad, concat, gather, scatter_add) yet: a plan that needs one does
/// not compile.
struct backend {
  static constexpr const char* name = "gpu";
  using target = gpu::target;
  using memory = device_memory;

  /// Kernels throw `etch::error` where the device fails.
  static constexpr bool throws = true;
  struct run_scope {
    explicit run_scope(bool, bool) {}
  };

  /// What runs the steps of a kernel; Ops stands in its name.
  template <class Kernel, class Ops>
  static constexpr kernel_function kernel = &detail::run_kernel<Kernel, Ops>;

  /// No plan is run in place.
  template <class Plan>
  static constexpr bool expands = false;
  template <class Plan>
  static void run_in_place(char* const*) {}

  /// A kernel has threads of its own.
  template <class Plan>
  static constexpr blocker_maker make_blocks = nullptr;
  template <class Base>
  static constexpr Base* (*make_sharer)(const step_tables&, const buffer*, int, const executor&) = nullptr;

  /// No kernel packs its operands.
  static constexpr std::int64_t scratch_bytes(dtype, const product_size&) { return 0; }
};

}  // namespace etch::gpu
