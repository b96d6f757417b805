// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

#include <etch/config.hpp>
#include <etch/core/shape.hpp>

/// What happens while a function is traced, and not when its graph runs.
namespace etch {

namespace detail {

/// An array of the host that a trace keeps, in row-major order.
struct captured_value {
  hash_t content = 0;
  const char* name = "";
  tensor_type type;
  std::vector<char> bytes;
};
using captured_values = std::vector<captured_value>;

/// Adds a value to those of a trace. Throws `etch::error` where it keeps another one of that name.
inline void keep_captured(captured_values& all, const captured_value& v) {
  for (const captured_value& known : all) {
    if (known.content != v.content) continue;
    if (known.bytes != v.bytes) fail("captured \"%s\": one graph has two values of that name; name them apart", v.name);
    return;
  }
  all.push_back(v);
}

/// What the trace that this thread makes has captured; null where it makes none.
inline constinit thread_local captured_values* this_trace = nullptr;

/// While it lives, this thread traces.
class tracing_scope {
 public:
  explicit tracing_scope(captured_values& captured) : outer_(std::exchange(this_trace, &captured)) {}
  tracing_scope(const tracing_scope&) = delete;
  tracing_scope& operator=(const tracing_scope&) = delete;
  ~tracing_scope() { this_trace = outer_; }

 private:
  captured_values* outer_;
};

}  // namespace detail

/// Whether this thread calls the body of a traced function now.
inline bool is_tracing() { return detail::this_trace != nullptr; }

/// Calls `hook()` where a function is being traced: once for each kind of arguments; eagerly it does nothing.
template <class Hook>
void on_trace(Hook&& hook) {
  if (is_tracing()) std::forward<Hook>(hook)();
}

}  // namespace etch
