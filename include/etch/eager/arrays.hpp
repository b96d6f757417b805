// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
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
template <class A, class T>
concept array_of = array_like<A> && std::is_same_v<std::remove_cv_t<typename A::value_type>, T>;
/// Of an array that can be made with given extents.
template <class A, class T>
concept resizable_array_of = array_of<A, T> && requires(typename A::shape_type shape) { A::from_shape(shape); };

/// The number of axes where its type says so; else -1.
template <class A>
inline constexpr int rank_of_array = -1;
template <class A>
  requires requires { std::tuple_size<typename A::shape_type>::value; }
inline constexpr int rank_of_array<A> = static_cast<int>(std::tuple_size<typename A::shape_type>::value);

template <class A>
A make_array(const tensor_type& type) {
  typename A::shape_type shape{};
  const auto axes = static_cast<std::size_t>(type.rank);
  if constexpr (requires { shape.resize(axes); }) shape.resize(axes);
  if (shape.size() != axes) fail("tensor: one of %d axes is taken for an array of %d", type.rank, static_cast<int>(shape.size()));
  for (std::size_t i = 0; i < axes; ++i) shape[i] = static_cast<std::size_t>(type.extents[i]);
  return A::from_shape(shape);
}

/// Defined by `<etch/eager/xtensor.hpp>`.
template <class Tensor>
struct adaptor;

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
    *to++ = list;
  } else {
    if (static_cast<std::int64_t>(list.size()) != *extents) fail("tensor: braces of one axis have different lengths");
    for (const auto& part : list) copy_braces<Rank - 1>(part, extents + 1, to);
  }
}

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
