// SPDX-License-Identifier: MIT
#pragma once
#include <forward_list>
#include <memory>

#include <etch/base/flag_guard.hpp>
#include <etch/function/tracing.hpp>
#include <etch/session/state.hpp>

/// What a traced function keeps between its calls.
namespace etch::detail {

/// What a function has whatever its traces are.
template <class Memory>
struct function_state {
  std::unique_ptr<session_state<Memory>> session;  ///< null before the first trace of a function that has variables of its own
  bool owns_variables = true;
  std::uint64_t seed = 0;
  void (*initialize)(function_state&) = nullptr;  ///< those of the first trace
  step_sharing sharing;                           ///< of its calls, where its variables are its own
  /// Of one kind of arguments.
  struct trace {
    const void* key;
    captured_values captured;
  };
  std::forward_list<trace> traces;

  static fed_array captured_in(const trace& t, hash_t content) {
    fed_array a;
    for (const captured_value& v : t.captured)
      if (v.content == content) {
        a.data = v.bytes.data();
        a.axes = v.type.rank;
        for (int i = 0; i < a.axes; ++i) a.extents[i] = v.type.extents[i];
      }
    return a;
  }
  std::atomic_flag in_use;  ///< held by who looks for a trace, or makes one

  /// Null where there is none yet. A trace stays where it is.
  const trace* find(const void* key) {
    const flag_guard lock(in_use);
    return find_locked(key);
  }
  const trace* find_locked(const void* key) const {
    for (const trace& t : traces)
      if (t.key == key) return &t;
    return nullptr;
  }
  /// Notes a trace that this thread has made; another may have been faster.
  const trace* keep(const void* key, captured_values&& captured) {
    if (const trace* const known = find_locked(key)) return known;
    traces.push_front({key, std::move(captured)});
    return &traces.front();
  }
};

}  // namespace etch::detail
