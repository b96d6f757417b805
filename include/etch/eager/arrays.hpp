// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <iterator>
#include <type_traits>

#include <etch/eager/movement.hpp>

/// Where the elements of tensors come from and go to: braces, and arrays with the interface of xtensor's, none of which is included
/// for it.
namespace etch::eager {

/// Says that a tensor is to be written to.
struct unmade {};

template <class A>
concept array_like = !std::is_base_of_v<tensor_base, A> && requires(const A& a) {
  typename A::value_type;
  a.dimension();
  a.shape()[0];
  a.begin();
};
/// The number of axes where its type says so; else -1.
template <class A>
inline constexpr int rank_of_array = -1;
template <class A>
  requires requires { std::tuple_size<typename A::shape_type>::value; }
inline constexpr int rank_of_array<A> = static_cast<int>(std::tuple_size<typename A::shape_type>::value);

template <class A>
inline constexpr bool is_initializer_list = false;
template <class E>
inline constexpr bool is_initializer_list<std::initializer_list<E>> = true;
/// A vector, a span or another contiguous range of elements that some tensor holds; no array, and no braces.
template <class A>
concept range_like =
    !std::is_base_of_v<tensor_base, A> && !array_like<A> && !expression<A> && !is_initializer_list<A> && requires(const A& a) {
      std::data(a);
      std::size(a);
      requires element<std::remove_cvref_t<decltype(*std::data(a))>>;
    };

/// What has elements: their type, and the number of axes, -1 where that is known at run time only.
template <class A>
struct values_of;
template <class A>
  requires std::is_base_of_v<tensor_base, A>
struct values_of<A> {
  using element_type = typename A::value_type;
  static constexpr int rank = A::rank;
};
template <array_like A>
struct values_of<A> {
  using element_type = std::remove_cv_t<typename A::value_type>;
  static constexpr int rank = rank_of_array<A>;
};
template <range_like A>
struct values_of<A> {
  using element_type = std::remove_cvref_t<decltype(*std::data(std::declval<const A&>()))>;
  static constexpr int rank = 1;
};
/// Whether they are elements of T along `Rank` axes, as far as that is known.
template <class A, class T, int Rank>
inline constexpr bool are_values =
    std::is_same_v<typename values_of<A>::element_type, T> && (Rank < 0 || values_of<A>::rank < 0 || values_of<A>::rank == Rank);
template <class A, class T, int Rank>
concept array_of = array_like<A> && are_values<A, T, Rank>;
template <class A, class T, int Rank>
concept range_of = range_like<A> && are_values<A, T, Rank>;
template <class A, class T, int Rank>
concept other_values = requires { typename values_of<A>::element_type; } && !are_values<A, T, Rank>;

/// Of an array that can be made with given extents.
template <class A, class T>
concept resizable_array_of = array_of<A, T, -1> && requires(typename A::shape_type shape) { A::from_shape(shape); };

template <class A>
A make_array(const tensor_type& type) {
  typename A::shape_type shape{};
  const auto axes = static_cast<std::size_t>(type.rank);
  if constexpr (requires { shape.resize(axes); }) shape.resize(axes);
  if (shape.size() != axes) fail("tensor: one of %d axes is taken for an array of %d", type.rank, static_cast<int>(shape.size()));
  for (std::size_t i = 0; i < axes; ++i) shape[i] = static_cast<std::size_t>(type.extents[i]);
  return A::from_shape(shape);
}

/// What `array()` gives, by `<etch/eager/xtensor.hpp>`.
template <class Tensor>
struct adaptor {
  static const Tensor& of(const Tensor& t) {
    raise<this_function_is_in_a_header_of_its_own_include_etch_eager_xtensor_hpp, in_function<"array">, got<Tensor>>();
    return t;
  }
};

/// The extents of nested braces, by the first of each level.
template <int Rank, class List>
void measure_braces(const List& list, std::int64_t* extents) {
  if constexpr (Rank > 0) {
    *extents = static_cast<std::int64_t>(list.size());
    if (list.size() > 0) measure_braces<Rank - 1>(*list.begin(), extents + 1);
  }
}
template <int Rank, class List, class T>
void copy_braces(const List& list, const std::int64_t* extents, T*& to) {
  if constexpr (Rank == 0) {
    *to++ = static_cast<T>(list);
  } else {
    if (static_cast<std::int64_t>(list.size()) != *extents) fail("tensor: braces of one axis have different lengths");
    for (const auto& part : list) copy_braces<Rank - 1>(part, extents + 1, to);
  }
}

/// Elements of a tensor by their indices, of which negative ones count from the end. Element: what an element is given as.
template <class Tensor, class Element>
class indexed {
 public:
  /// The element at one index per axis. Throws `etch::error` outside the array.
  template <class... I>
    requires(std::is_integral_v<I> && ...)
  Element operator()(I... indices) const {
    static_assert(Tensor::rank < 0 || sizeof...(I) == Tensor::rank, "tensor: one index per axis");
    if (Tensor::rank < 0 && sizeof...(I) != self().dimension())
      fail("tensor: %zu indices of %zu axes", sizeof...(I), self().dimension());
    std::int64_t at = 0;
    [[maybe_unused]] int axis = 0;
    ((at = at * self().extent(axis) + position(axis, indices), ++axis), ...);
    return self().data()[at];
  }
  /// The one element. Throws `etch::error` where there are others.
  Element item() const {
    if (Tensor::rank != 0 && self().size() != 1) fail("tensor: item() of %lld elements", static_cast<long long>(self().size()));
    return *self().data();
  }

 protected:
  template <class I>
  std::int64_t position(int axis, I index) const {
    const std::int64_t n = self().extent(axis);
    if constexpr (std::is_unsigned_v<I>) {
      // A large one would be negative as an int64, and count from the end.
      if (index >= static_cast<std::uint64_t>(n))
        fail("tensor: index %llu of axis %d, which has %lld elements", static_cast<unsigned long long>(index), axis,
             static_cast<long long>(n));
      return static_cast<std::int64_t>(index);
    } else {
      const std::int64_t at = index < 0 ? index + n : index;
      if (at < 0 || at >= n)
        fail("tensor: index %lld of axis %d, which has %lld elements", static_cast<long long>(index), axis,
             static_cast<long long>(n));
      return at;
    }
  }

 private:
  const Tensor& self() const { return static_cast<const Tensor&>(*this); }
};

/// Parts of a tensor along its first axis.
template <class Tensor>
struct part_iterator {
  const Tensor* of;
  std::int64_t at;

  auto operator*() const { return (*of)[at]; }
  part_iterator& operator++() {
    ++at;
    return *this;
  }
  bool operator!=(const part_iterator& other) const { return at != other.at; }
};

}  // namespace etch::eager
