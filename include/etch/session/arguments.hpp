// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/plain_tuple.hpp>
#include <etch/session/feed.hpp>
#include <etch/session/signature.hpp>

/// The values among the arguments of `run` and `bind`, made ready to be read.
namespace etch::detail {

/// Which of the bindings among the arguments that one is.
template <class... A>
constexpr int binding_index(std::size_t argument) {
  constexpr bool bindings[] = {is_binding<A>..., false};
  int index = 0;
  for (std::size_t i = 0; i < argument; ++i) index += bindings[i] ? 1 : 0;
  return index;
}
/// A constant, so that programs do not hold what a slot is made of.
template <class Slot>
inline constexpr const char* slot_name = [] {
  const char* name = name_in_errors(record_address<Slot::hash>);
  return name != nullptr ? name : "";
}();
template <std::size_t F, bool Kept, class Feeds, class A>
void prepare_argument(Feeds& feeds, fed_array* arrays, const A& argument) {
  if constexpr (is_binding<A>) {
    using slot = typename A::slot;
    auto& fed = member<F>(feeds);
    prepare_feed<typename slot::value_type, Kept && A::is_temporary>(argument.value, fed, slot_name<slot>);
    arrays[F] = fed.array;
  }
}

/// The bindings among the arguments, in order. Kept: they are used after this call.
template <bool Kept, class Feeds, class... A>
void prepare_feeds(Feeds& feeds, fed_array* arrays, const A&... arguments) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const int prepared[] = {
        0, (prepare_argument<static_cast<std::size_t>(binding_index<A...>(I)), Kept>(feeds, arrays, arguments), 0)...};
  }(std::index_sequence_for<A...>{});
}

}  // namespace etch::detail
