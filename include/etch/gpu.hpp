// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/gpu/execute.hpp>
#include <etch/nn/layers.hpp>
#include <etch/nn/losses.hpp>
#include <etch/nn/optimizers.hpp>
#include <etch/ops.hpp>
#include <etch/session/session.hpp>

/// The session on the GPU. Compiled by nvcc it runs on CUDA's current device; compiled by a plain C++ compiler, on the
/// host with Thrust's OMP or CPP system.
namespace etch::gpu {

/// As etch::session, with variables and intermediate values in the device's memory. Feeds are copied there and fetches
/// back in every run, so the calls of a bound step may throw `etch::error`, and allocate. An op that the backend lacks is a
/// compile error: graph_error<backend_lacks_this_op, in_op<matmul>, on_backend<gpu::backend>>.
/// `set_executor` and `keep_denormals` change nothing: kernels have threads of their own, and keep subnormal numbers.
template <class... Roots>
class session : public basic_session<backend, Roots...> {
 public:
  explicit session(Roots... roots) : basic_session<backend, Roots...>(roots...) {}
  template <class... A>
    requires(sizeof...(Roots) == 0 && !etch::detail::are_fetchable<A...>)
  explicit session(const A&...) : basic_session<backend>(etch::detail::type_list<A...>{}) {}
  explicit session(etch::detail::any_braces)
    requires(sizeof...(Roots) == 0)
      : basic_session<backend>(etch::detail::type_list<etch::detail::any_braces>{}) {}
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  session(session&&) = default;
  session& operator=(session&&) = default;
};
/// What is no expression, or stands in braces, is refused by a session of nothing.
template <class... A>
  requires(!etch::detail::are_fetchable<A...>)
session(const A&...) -> session<>;

}  // namespace etch::gpu
