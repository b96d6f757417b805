// SPDX-License-Identifier: MIT
#pragma once
#include <etch/function/tracing.hpp>
#include <etch/session/feed.hpp>

/// Values of the host that a trace keeps: what the body of a traced function computes itself, rather than its graph.
namespace etch {

namespace detail {

/// Such a value in a graph: a slot that nobody but the function feeds.
struct captured_op : placeholder_op {
  static constexpr const char* name = "captured";
};

template <class Name, class T, class Shape>
constexpr hash_t define_captured() {
  constexpr hash_t content = mix(mix(hash_of("captured"), Name::hash), type_hash<T, Shape>);
  return define<expression_key, content, placeholder_definition<Name, T, Shape, content, captured_op>>::hash;
}

}  // namespace detail

/// `captured<"noise", float, 3, 3>(f)`: in the graph of a traced function, the array that f() gave when it was traced, the same in
/// each call. (What the host computes in a body is computed once for each trace; `random_normal` draws in each call.) Extents: numbers.
/// In a session it is a slot that must be fed. Throws `etch::error`, when it is traced, where f() gives an array of another shape.
template <fixed_string Name, class T, int... Extents, class F>
auto captured(F&& f) {
  using slot_shape = canonical_shape<Extents...>;
  constexpr hash_t hash = detail::define_captured<name_of<Name>, T, slot_shape>();
  if (detail::this_trace != nullptr) {
    const auto& value = f();
    fed_value<T> fed;
    prepare_feed<T>(value, fed, name_of<Name>::text);
    detail::captured_value kept;
    extent_table none;
    kept.content = hash;
    kept.type = slot_shape::value(none, dtype_of<T>);
    std::int64_t elements = 1;
    for (int i = 0; i < kept.type.rank; ++i) elements *= kept.type.extents[i];
    bool fits = fed.array.axes < 0 ? fed.array.extents[0] == elements : fed.array.axes == kept.type.rank;
    for (int i = 0; fits && i < fed.array.axes; ++i) fits = fed.array.extents[i] == kept.type.extents[i];
    if (!fits) fail("captured \"%s\": the host gives an array of another shape", name_of<Name>::text);
    const char* const from = static_cast<const char*>(fed.array.data);
    kept.bytes.assign(from, from + elements * static_cast<std::int64_t>(sizeof(T)));
    kept.name = name_of<Name>::text;
    detail::keep_captured(*detail::this_trace, kept);
  }
  return expr<detail::captured_op, T, slot_shape, hash>{};
}

}  // namespace etch
