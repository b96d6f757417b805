// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/opaque.hpp>

/// Random draws of eager code, which have a state of their own: each evaluation of an expression gives other numbers.
namespace etch::eager {

namespace detail {
/// Of this thread. In the n-th evaluation that draws since the seed was set, element i of a draw is what it is of a draw of that
/// name in the n-th run of a session with that seed.
inline constinit thread_local cpu::draw_state this_state{};
}  // namespace detail

/// Begins the thread's draws anew. Unless told, each thread draws as if it had called `seed(0)`: programs repeat themselves.
inline void seed(std::uint64_t number) { detail::this_state = {number, 0}; }

/// The state of the thread's next evaluation that draws.
inline cpu::draw_state next_draw() {
  ++detail::this_state.run;
  return detail::this_state;
}

/// A draw of elements of dtype D. Attribute: the hash of its name.
template <class Op, dtype D>
void draw(const tensor_type& type, const words& attributes, const cpu::draw_state& state, value& out) {
  run_opaque_to(&cpu::opaque_kernel<Op>::template run<value_type_of<D>>, type, attributes, nullptr, 0, state, out);
}

}  // namespace etch::eager
