// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/data/sequence.hpp>

namespace etch::data {

/// A copy of an element, in memory that the next copy uses again.
template <class Element>
class copied_element;
template <class... T, int... Rank>
class copied_element<std::tuple<component<T, Rank>...>> {
 public:
  using element = std::tuple<component<T, Rank>...>;

  void copy(const element& from) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (copy_component(std::get<I>(from), std::get<I>(buffers_)), ...);
    }(std::index_sequence_for<T...>{});
  }
  element get() const {
    return std::apply([](const auto&... b) { return element(b.array()...); }, buffers_);
  }
  /// The memory of a component, to write to.
  template <std::size_t I>
  auto& buffer() {
    return std::get<I>(buffers_);
  }

 private:
  template <class E, int R>
  static void copy_component(const component<E, R>& from, component_buffer<E, R>& to) {
    std::copy_n(from.values, from.size(), to.resize(from.extents));
  }
  std::tuple<component_buffer<T, Rank>...> buffers_;
};

/// The element of a sequence, in memory that may be the sequence's own: it gets the other in exchange.
template <class Sequence, class Element>
void take_element(Sequence& from, copied_element<Element>& to) {
  if constexpr (requires { from.exchange(to); })
    from.exchange(to);
  else
    to.copy(from.get());
}

}  // namespace etch::data
