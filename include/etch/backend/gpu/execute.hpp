// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/gpu/memory.hpp>
#include <etch/backend/gpu/sweep.hpp>
#include <etch/core/facts.hpp>

/// Runs a plan on Thrust's device: each step becomes a call of its kernel.
namespace etch::gpu {

struct backend;

namespace detail {

template <class Plan, int I, class Memory>
void run_step(const Memory& m) {
  constexpr const step& s = Plan::value.steps[I];
  if constexpr (s.kind == cluster_kind::opaque || s.kind == cluster_kind::contraction) {
    raise<backend_lacks_this_op, in_op<op_of<Plan::value.steps[I].op>>, on_backend<backend>>();
  } else {
    using P = program_of<Plan, I>;
    const auto n = make_nest<Plan, I, s.rank, P::slots()>(m);
    if constexpr (s.kind == cluster_kind::sweep)
      run_sweep<P, s.kept, s.rank>(n);
    else
      run_map<P, s.rank>(n);
  }
}

}  // namespace detail

/// The GPU as a backend. It has elementwise ops, casts, views, iota, reductions, and what is fused of them; no matmul, no
/// random draws, no ops with a kernel of their own (pad, concat, gather, scatter_add, argmax, argmin, cumsum) yet: a plan
/// that needs one does not compile.
struct backend {
  static constexpr const char* name = "gpu";
  using memory = device_memory;

  /// Runs every step, in order. Throws `etch::error` where the device fails.
  template <class Plan, class Memory>
  static void execute(const Memory& m) {
    detail::attempt("running a plan", [&] {
      [&]<int... I>(std::integer_sequence<int, I...>) { (detail::run_step<Plan, I>(m), ...); }
      (std::make_integer_sequence<int, Plan::size.steps>{});
    });
  }

  /// No kernel packs its operands.
  template <class Values>
  static constexpr std::int64_t scratch_bytes(const product_extents*, int, const Values&) {
    return 0;
  }
};

}  // namespace etch::gpu
