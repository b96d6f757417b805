// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstring>

#include <etch/debug/evaluate.hpp>
#include <etch/session/feed.hpp>
#include <etch/session/fetch.hpp>

/// What a call feeds and fetches, as values of the interpreter.
namespace etch::debug::detail {

/// A copy of what was fed; of strings the numbers that stand for them.
template <class T>
value value_of(const fed_array& fed) {
  value v;
  v.type = dtype_of<std::conditional_t<element<T>, T, std::int64_t>>;
  v.rank = fed.axes;
  std::int64_t count = v.rank < 0 ? fed.extents[0] : 1;
  for (int i = 0; i < max_rank; ++i) v.extents[i] = fed.extents[i];
  for (int i = 0; i < v.rank; ++i) count *= v.extents[i];
  v.bytes.resize(static_cast<std::size_t>(count * size_of_dtype(v.type)));
  if (count > 0) std::memcpy(v.bytes.data(), fed.data, v.bytes.size());
  return v;
}
/// Of what was fed to these bindings' slots.
template <class... B>
std::vector<input> inputs_of(etch::detail::type_list<B...>, const fed_array* arrays) {
  return {{etch::detail::content_with<B::slot::hash>, value_of<typename B::slot::value_type>(*arrays++)}...};
}

template <class R>
void copy_result(const value& from, R& to) {
  if constexpr (is_number_type<R>) {
    to = *from.data<R>();
  } else if constexpr (!std::is_same_v<R, etch::no_value>) {
    typename R::shape_type extents;
    for (std::size_t i = 0; i < extents.size(); ++i) extents[i] = static_cast<std::size_t>(from.extents[i]);
    to.resize(extents);
    std::copy_n(from.data<typename R::value_type>(), from.count(), to.data());
  }
}

}  // namespace etch::debug::detail
