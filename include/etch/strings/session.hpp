// SPDX-License-Identifier: MIT
#pragma once
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include <etch/session/feed.hpp>
#include <etch/session/fetch.hpp>
#include <etch/session/signature.hpp>
#include <etch/strings/expression.hpp>

/// Strings that are fed to sessions, and what they fetch.
namespace etch {

namespace detail {
/// Whether a range with such iterators has its elements as std::strings that stay where they are: it may also make each when it
/// is read, or have its iterators keep it.
template <class Iterator>
inline constexpr bool keeps_strings =
    std::forward_iterator<Iterator> && std::is_lvalue_reference_v<std::iter_reference_t<Iterator>> &&
    std::is_same_v<std::remove_cvref_t<std::iter_reference_t<Iterator>>, std::string>;
}  // namespace detail

/// Strings made ready: the numbers that stand for them. They stay where they are; texts that are no std::string, and what will be gone
/// when it is used, are copied.
template <>
struct fed_value<std::string> {
  fed_array array;
  std::vector<detail::string_handle> handles;
  std::vector<std::string> copies;
  std::shared_ptr<const void> owner;

  template <bool Copied, class V>
  void prepare(const V& value, const char* slot) {
    if constexpr (detail::is_string_constant<V>) {
      copies.emplace_back(V::value);
    } else if constexpr (std::is_same_v<V, std::string>) {
      Copied ? void(copies.push_back(value)) : void(handles.emplace_back(value));
    } else if constexpr (strings::detail::text_like<V>) {
      copies.emplace_back(std::string_view(value));
    } else if constexpr (detail::is_string_tensor<V>) {
      array.axes = V::rank;
      for (int i = 0; i < V::rank; ++i) array.extents[i] = value.extent(i);
      for (std::int64_t i = 0; i < value.size(); ++i) handles.emplace_back(value.data()[i]);
      owner = std::make_shared<const V>(value);
    } else if constexpr (detail::is_braces<V>) {
      array.axes = detail::list_traits<V>::rank;
      for (int i = 0; i < array.axes; ++i) array.extents[i] = -1;
      detail::list_extents(value, 0, array, slot, [&](const auto& given) { copies.push_back(given.text); });
      for (int i = 0; i < array.axes; ++i)
        if (array.extents[i] < 0) array.extents[i] = 0;
    } else if constexpr (strings::detail::range_of_texts<V>) {
      array.axes = -1;
      array.extents[0] = static_cast<std::int64_t>(std::size(value));
      for (auto&& text : value) {
        if constexpr (!Copied && detail::keeps_strings<decltype(std::begin(value))>)
          handles.emplace_back(text);
        else
          copies.emplace_back(std::string_view(text));
      }
    }
    for (const std::string& text : copies) handles.emplace_back(text);
    array.data = handles.data();
  }

  /// A mistake is a compile error that names slot, expected and got.
  template <class Slot, class V>
  static constexpr void check() {
    if constexpr (detail::is_string_tensor<V>) {
      if constexpr (V::rank != Slot::rank) refuse_rank<Slot, V::rank>();
    } else if constexpr (detail::is_string_constant<V> || strings::detail::text_like<V>) {
      if constexpr (Slot::rank != 0) refuse_rank<Slot, 0>();
    } else if constexpr (strings::detail::range_of_texts<V>) {
      if constexpr (Slot::rank == 0) refuse_rank<Slot, 1>();
    } else if constexpr (!detail::is_braces<V> && !host_value<V> && !expression<V>) {
      raise<this_feed_has_the_wrong_dtype, shown<Slot>, expected<std::string>, got<V>>();
    }
  }

 private:
  template <class Slot, int Rank>
  static constexpr void refuse_rank() {
    raise<this_feed_has_the_wrong_number_of_axes, shown<Slot>, expected<number_of_axes<Slot::rank>>, got<number_of_axes<Rank>>>();
  }
};

/// A scalar is fetched as a std::string, an array as a tensor of strings.
template <symbolic_string A>
struct fetch_traits<A> {
  using node = typename strings::detail::node_of_string<A>::type;
  using leaves = detail::type_list<node>;
  using slots = detail::type_list<>;

  template <class M>
  static auto rebuild(const auto&, M&& numbers) {
    if constexpr (node::rank == 0)
      return std::string(detail::string_handle::text_at(numbers));
    else
      return detail::strings_of<node::rank>(numbers.shape(), static_cast<std::int64_t>(numbers.size()), numbers.data());
  }
  /// They stand for empty strings then.
  static void forget(auto& numbers) {
    if constexpr (node::rank == 0)
      numbers = 0;
    else
      numbers.fill(0);
  }
};

}  // namespace etch
