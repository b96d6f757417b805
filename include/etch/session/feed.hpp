// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <iterator>
#include <string_view>

#include <xtensor/xtensor.hpp>

#include <etch/backend/host_memory.hpp>
#include <etch/core/number.hpp>
#include <etch/core/slot.hpp>

/// xtensor makes a function of `x * array`, and asks of an element of each what they add up to: once is refused enough.
template <class A, class B>
  requires(etch::expression<A> || etch::expression<B>)
struct xtl::promote_type<A, B> {
  using type = std::conditional_t<etch::expression<A>, A, B>;
};

/// What may be fed: numbers, nested braces, spans and other contiguous ranges, and xtensor's containers, views and
/// expressions. Contiguous row-major data of the slot's dtype is used where it lies; anything else is copied once.
namespace etch {

/// Fed data as the executor sees it. `axes` < 0: a flat range, whose one open extent follows from its size.
struct fed_array {
  const void* data = nullptr;
  int axes = 0;
  std::int64_t extents[max_rank]{};
};

namespace detail {

template <class V>
concept xtensor_expression = requires(const V& v) {
  v.shape();
  v.dimension();
  typename V::shape_type;
  typename V::value_type;
};

template <class V>
inline constexpr bool is_braces = false;
template <class V>
inline constexpr bool is_braces<std::initializer_list<V>> = true;

template <class V>
concept contiguous_values = requires(const V& v) {
  { *std::data(v) } -> std::convertible_to<const std::remove_cvref_t<decltype(*std::data(v))>&>;
  std::size(v);
} && !xtensor_expression<V> && !is_braces<V>;

/// Whether the elements outlive a temporary of type V, since they are known to be another object's: those of a span are, and
/// those of xtensor's adaptors and views of something that has a name.
template <class V>
inline constexpr bool borrows_elements = contiguous_values<V> && std::ranges::enable_borrowed_range<V>;
template <class V>
inline constexpr bool borrows_closure = std::is_lvalue_reference_v<V> || borrows_elements<std::remove_cvref_t<V>>;
template <class Pointer, class Allocator>
inline constexpr bool borrows_elements<xt::xbuffer_adaptor<Pointer, xt::no_ownership, Allocator>> = true;
template <class Elements, std::size_t Rank, xt::layout_type Layout, class Tag>
inline constexpr bool borrows_elements<xt::xtensor_adaptor<Elements, Rank, Layout, Tag>> = borrows_closure<Elements>;
template <class Elements, xt::layout_type Layout, class Shape, class Tag>
inline constexpr bool borrows_elements<xt::xarray_adaptor<Elements, Layout, Shape, Tag>> = borrows_closure<Elements>;
template <class Of, class... Slices>
inline constexpr bool borrows_elements<xt::xview<Of, Slices...>> = borrows_closure<Of>;

/// Whether arrays of G hold elements of dtype T: `long long` beside `long` is the same number.
template <class T, class G>
inline constexpr bool are_elements =
    std::is_same_v<G, T> || (sizeof(G) == sizeof(T) && std::is_integral_v<G> && std::is_integral_v<T> &&
                             std::is_signed_v<G> == std::is_signed_v<T> && !std::is_same_v<G, bool> && !std::is_same_v<T, bool>);

template <class Shape>
inline constexpr int rank_of_shape = -1;
template <class T, std::size_t N>
inline constexpr int rank_of_shape<std::array<T, N>> = static_cast<int>(N);
template <std::size_t... N>
inline constexpr int rank_of_shape<xt::fixed_shape<N...>> = static_cast<int>(sizeof...(N));

template <class V>
struct list_traits {
  using type = V;
  static constexpr int rank = 0;
};
template <class V>
struct list_traits<std::initializer_list<V>> {
  using type = typename list_traits<V>::type;
  static constexpr int rank = list_traits<V>::rank + 1;
};

/// Finds the extents of nested braces, which must agree; f takes their elements.
template <class V, class F>
void list_extents(const V& list, int axis, fed_array& out, const char* slot, const F& f) {
  if constexpr (!is_braces<V>) {
    f(list);
  } else {
    const auto size = static_cast<std::int64_t>(list.size());
    if (out.extents[axis] >= 0 && out.extents[axis] != size)
      fail("feed \"%s\": the braces on axis %d hold different numbers of elements: %lld and %lld", slot, axis,
           static_cast<long long>(out.extents[axis]), static_cast<long long>(size));
    out.extents[axis] = size;
    for (const auto& element : list) list_extents(element, axis + 1, out, slot, f);
  }
}
/// A number that is fed; it must be a value of T.
template <class T, class V>
T number_as(V number, const char* slot) {
  if (!is_value_of<T>(number))
    fail("feed \"%s\": %.17g is no value of %s", slot, static_cast<double>(number), name_of_dtype(dtype_of<T>));
  return static_cast<T>(number);
}
template <class T, class V>
void copy_list(const V& list, T*& to, const char* slot) {
  if constexpr (is_number_type<V>)
    *to++ = number_as<T>(list, slot);
  else
    for (const auto& element : list) copy_list(element, to, slot);
}

}  // namespace detail

/// What a value of type V is, known to the compiler. `rank` -1: known at run time only; -2: a flat range.
template <class V>
struct feed_traits {
  static constexpr bool valid = false;
};
template <class V>
  requires is_number_type<V>
struct feed_traits<V> {
  static constexpr bool valid = true;
  using value_type = V;
  static constexpr int rank = 0;
};
template <detail::xtensor_expression V>
struct feed_traits<V> {
  static constexpr bool valid = true;
  using value_type = std::remove_const_t<typename V::value_type>;
  static constexpr int rank = detail::rank_of_shape<typename V::shape_type>;
};
template <detail::contiguous_values V>
struct feed_traits<V> {
  static constexpr bool valid = true;
  using value_type = std::remove_cvref_t<decltype(*std::data(std::declval<const V&>()))>;
  static constexpr int rank = -2;
};
template <class V>
struct feed_traits<std::initializer_list<V>> {
  static constexpr bool valid = true;
  using value_type = typename detail::list_traits<V>::type;
  static constexpr int rank = detail::list_traits<V>::rank + 1;
};

/// A value made ready: `array` points into the value itself or into `copy`.
template <class T>
struct fed_value {
  fed_array array;
  aligned_block copy;
  T number{};

  /// Makes room for `elements` and points `array` at it.
  T* make_copy(std::size_t elements) {
    copy.reserve(static_cast<std::int64_t>(elements * sizeof(T)));
    array.data = copy.data();
    return reinterpret_cast<T*>(copy.data());
  }
};

/// Prepares `value` for a slot of element type T. Copied: the value will be gone when it is used, so it is copied unless its
/// elements are known to be another object's.
template <class T, bool Copied = false, class V>
void prepare_feed(const V& value, fed_value<T>& out, const char* slot) {
  if constexpr (!element<T>) {
    out.template prepare<Copied>(value, slot);
  } else if constexpr (is_number_type<V>) {
    out.number = detail::number_as<T>(value, slot);
    out.array.data = &out.number;
  } else if constexpr (detail::xtensor_expression<V>) {
    out.array.axes = static_cast<int>(value.dimension());
    if (out.array.axes > max_rank) fail("feed \"%s\": it has more than %d axes", slot, max_rank);
    for (int i = 0; i < out.array.axes; ++i)
      out.array.extents[i] = static_cast<std::int64_t>(value.shape()[static_cast<std::size_t>(i)]);
    if constexpr (requires {
                    value.data();
                    value.strides();
                    value.data_offset();
                  }) {
      std::int64_t expected = 1;
      bool contiguous = true;
      for (int i = out.array.axes; i-- > 0;) {
        if (out.array.extents[i] != 1)
          contiguous = contiguous && static_cast<std::int64_t>(value.strides()[static_cast<std::size_t>(i)]) == expected;
        expected *= out.array.extents[i];
      }
      if (contiguous && !(Copied && !detail::borrows_elements<V>)) {
        out.array.data = value.data() + value.data_offset();
        return;
      }
    }
    // An eager tensor, which is contiguous, has no iterators of elements.
    if constexpr (std::is_base_of_v<tensor_base, V>)
      std::copy_n(value.data(), value.size(), out.make_copy(static_cast<std::size_t>(value.size())));
    else
      std::copy(value.template cbegin<xt::layout_type::row_major>(), value.template cend<xt::layout_type::row_major>(),
                out.make_copy(value.size()));
  } else if constexpr (detail::contiguous_values<V>) {
    out.array.axes = -1;
    out.array.extents[0] = static_cast<std::int64_t>(std::size(value));
    if constexpr (Copied && !detail::borrows_elements<V>)
      std::copy(std::data(value), std::data(value) + std::size(value), out.make_copy(std::size(value)));
    else
      out.array.data = std::data(value);
  } else if constexpr (feed_traits<V>::valid) {
    std::size_t count = 0;
    out.array.axes = feed_traits<V>::rank;
    for (int i = 0; i < out.array.axes; ++i) out.array.extents[i] = -1;
    detail::list_extents(value, 0, out.array, slot, [&](const auto&) { ++count; });
    // What no brace gives, inside of an empty one.
    for (int i = 0; i < out.array.axes; ++i) out.array.extents[i] = std::max<std::int64_t>(out.array.extents[i], 0);
    T* to = out.make_copy(count);
    detail::copy_list(value, to, slot);
  }
}

}  // namespace etch
