// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <ostream>

#include <etch/eager/array_text.hpp>
#include <etch/session/variables.hpp>

/// A session's variables as text.
namespace etch {

namespace detail {
template <class T, class V>
std::string elements_of_variable(const V& v, const tensor_type& type) {
  const std::unique_ptr<T[]> elements(new T[static_cast<std::size_t>(v.elements())]);
  v.copy_to(elements.get());
  return eager::detail::array_text(elements.get(), type, v.elements());
}
/// Of a variable of a session, or of another with its interface.
template <class V>
std::string variable_text(const V& v) {
  tensor_type type;
  type.type = v.type();
  for (const std::int64_t extent : v.shape()) type.extents[type.rank++] = extent;
  std::string elements = "no value";
  if (v.is_initialised())
    [&]<int... D>(std::integer_sequence<int, D...>) {
      (void)((v.type() == dtype{D} && (elements = elements_of_variable<value_type_of<dtype{D}>>(v, type), true)) || ...);
    }(std::make_integer_sequence<int, dtype_count>{});
  return eager::detail::described_text(std::string("etch.variable(\"") + v.name() + "\", ", elements, type);
}
}  // namespace detail

/// `etch.variable("hidden/bias", [0. 0.], shape=(2,), dtype=float32)`; `no value` in the place of the elements where it has none yet.
template <class Memory>
std::ostream& operator<<(std::ostream& out, const variable_handle<Memory>& v) {
  return out << detail::variable_text(v);
}

}  // namespace etch
