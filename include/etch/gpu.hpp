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
};

}  // namespace etch::gpu
