// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstring>

#include <etch/backend/reference/evaluate.hpp>
#include <etch/session/session.hpp>

/// Runs expressions on the reference backend: slow, simple, and what all others are measured by. For tests, and for
/// finding out which side is wrong.
namespace etch::reference {

namespace detail {

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

template <class Signature, class... E, class... B, class... A>
auto run_signature(const draws& numbers, etch::detail::type_list<E...>, etch::detail::type_list<B...>, const A&... arguments) {
  constexpr hash_t fetches = list_of<E::hash...>, fed = list_of<B::slot::hash...>;
  using stages = compiled_stages<fetches, fed>;
  static_assert(!static_cast<bool>(stages::failure), "reference::run: there is no such gradient");
  (check_feed<typename B::slot, typename B::value_type>(), ...);
  etch::plain_tuple<fed_value<typename B::slot::value_type>...> feeds;
  fed_array arrays[sizeof...(B) + 1];
  etch::detail::prepare_feeds<false>(feeds, arrays, arguments...);
  const std::vector<input> inputs = inputs_of(etch::detail::type_list<B...>{}, arrays);
  evaluation e(view_of<etch::detail::kept_graph<typename stages::expanded>>, numbers);
  e.run(inputs);
  typename Signature::template results<etch::detail::result_type<E>...> results;
  if constexpr (!etch::detail::are_plain<A...>) {
    Signature::check();
    Signature::hold(results, arguments...);
  }
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (copy_result(e.fetch(static_cast<int>(I)), member<I>(results)), ...);
  }(std::index_sequence_for<E...>{});
  return etch::detail::values_of(results);
}

}  // namespace detail

/// `reference::run(fetches..., slot = value...)` gives what `session.run` gives. It owns no variables: they are fed, as
/// any node can be. An assignment has its new value and stores nothing. Throws `etch::error` where feeds do not fit, or
/// a placeholder or a variable is not fed.
template <class... A>
auto run(const draws& numbers, const A&... arguments) {
  using signature = etch::detail::signature_of<A...>;
  static_assert(signature::computes, "reference::run: name at least one expression to compute");
  return detail::run_signature<signature>(numbers, typename signature::fetches{}, typename signature::feeds{}, arguments...);
}
template <class First, class... A>
  requires(!std::is_same_v<First, draws>)
auto run(const First& first, const A&... arguments) {
  return run(draws{}, first, arguments...);
}

}  // namespace etch::reference
