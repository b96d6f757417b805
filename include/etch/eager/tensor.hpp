// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include <etch/core/call.hpp>
#include <etch/core/slot.hpp>
#include <etch/eager/arrays.hpp>
#include <etch/eager/constant.hpp>

/// Eager tensors: values on which every op evaluates at once.
namespace etch {

/// A dynamic rank: known at run time only.
inline constexpr int any_rank = -1;

/// An array of `Rank` axes, or, as `tensor<T>`, of any number of them. Immutable: copies share their elements, and an assignment lets
/// it refer to others. Extents are known at run time; wrong ones throw `etch::error` where the op is called.
template <class T, int Rank = any_rank>
class tensor : public eager::value, public tensor_base, public eager::indexed<tensor<T, Rank>, T> {
  static_assert(element<T>, "tensor: the element type is bool, an integer, float, double, or bfloat16");
  static_assert(Rank >= any_rank && Rank <= max_rank, "tensor: at most 8 axes");

 public:
  using value_type = T;
  using shape_type = std::conditional_t<Rank == any_rank, std::vector<std::int64_t>,
                                        std::array<std::int64_t, static_cast<std::size_t>(Rank > 0 ? Rank : 0)>>;
  static constexpr int rank = Rank;
  static constexpr dtype type = dtype_of<T>;
  /// Rank of a part, and nesting of braces.
  static constexpr int part_rank = Rank > 0 ? Rank - 1 : Rank;

  /// A scalar of value zero; an array without elements.
  tensor() : value(empty_type()) {
    if constexpr (Rank == 0) *elements() = T{};
  }
  tensor(T scalar)
    requires(Rank <= 0)
      : value(empty_type()) {
    *elements() = scalar;
  }
  /// From braces: `tensor<float, 2> w = {{1, 2}, {3, 4}};`. Those of one axis have the same length.
  tensor(const nested_list<T, (Rank > 0 ? Rank : 1)>& values)
    requires(Rank > 0)
  {
    tensor_type t = empty_type();
    eager::measure_braces<Rank>(values, t.extents);
    reset(t);
    T* to = elements();
    eager::copy_braces<Rank>(values, t.extents, to);
  }
  /// From an array of the same element type: xtensor's containers, views and expressions, and whatever has their interface. The
  /// elements are copied.
  template <eager::array_of<T, Rank> A>
  tensor(const A& values) {
    tensor_type t = empty_type();
    t.rank = static_cast<int>(values.dimension());
    if (Rank != any_rank && t.rank != Rank) fail("tensor: an array of %d axes is given for one of %d", t.rank, Rank);
    if (t.rank > max_rank) fail("tensor: an array of %d axes, there may be at most %d", t.rank, max_rank);
    for (int i = 0; i < t.rank; ++i) t.extents[i] = static_cast<std::int64_t>(values.shape()[static_cast<std::size_t>(i)]);
    reset(t);
    T* to = elements();
    for (const auto& element : values) *to++ = element;
  }
  /// One axis, from a vector, a span or another contiguous range of the same element type. The elements are copied.
  template <eager::range_of<T, Rank> A>
  tensor(const A& values) {
    tensor_type t = empty_type();
    t.rank = 1;
    t.extents[0] = static_cast<std::int64_t>(std::size(values));
    reset(t);
    std::copy_n(std::data(values), std::size(values), elements());
  }
  /// Of another dtype or number of axes: a compile error.
  template <eager::other_values<T, Rank> A>
  tensor(const A&) : value() {
    raise<this_is_a_tensor_of_another_dtype_or_number_of_axes,
          got<typename eager::values_of<A>::element_type, number_of_axes<eager::values_of<A>::rank>>,
          expected<T, number_of_axes<Rank>>>();
  }
  /// From an expression of constants and draws: `tensor<float, 2> w = random_normal<"w">(shape<2, 3>{});`.
  template <expression E>
  tensor(const E&) : value() {
    if constexpr (!std::is_same_v<typename E::value_type, T> || (Rank != any_rank && E::rank != Rank)) {
      if constexpr (etch::detail::is_literal<E> && Rank <= 0)
        *this = tensor(E::template node<T>());
      else
        raise<this_is_a_tensor_of_another_dtype_or_number_of_axes, shown<E>, expected<T, number_of_axes<Rank>>>();
    } else if constexpr (eager::is_constant_expression<E>()) {
      eager::evaluate_constant<E>(*this);
    }
  }
  /// From a tensor of the other form: what knows its rank forgets it; what does not has it checked, and throws `etch::error`.
  template <int Other>
    requires(Other != Rank && (Rank == any_rank || Other == any_rank))
  tensor(const tensor<T, Other>& other) : value(other) {
    if (Rank != any_rank && described().rank != Rank) fail("tensor: one of %d axes is taken for one of %d", described().rank, Rank);
  }
  /// What a call is to write its result to.
  explicit tensor(eager::unmade) : value() {}

  /// To an array, of xtensor's `xtensor` or `xarray` or whatever has their interface: a copy.
  template <eager::resizable_array_of<T> A>
  operator A() const {
    A made = eager::make_array<A>(described());
    const T* from = data();
    for (auto& element : made) element = *from++;
    return made;
  }
  /// The elements where they lie, as an adaptor of xtensor's that reads: `<etch/eager/xtensor.hpp>` defines it.
  template <class Adaptor = eager::adaptor<tensor>>
  auto array() const {
    return Adaptor::of(*this);
  }

  const T* data() const { return value::elements<T>(); }
  /// Extents, outermost first.
  shape_type shape() const {
    shape_type extents{};
    if constexpr (Rank == any_rank) extents.resize(dimension());
    for (std::size_t i = 0; i < extents.size(); ++i) extents[i] = described().extents[i];
    return extents;
  }
  /// With these a session takes tensors as it takes xtensor's containers, and reads them where they lie.
  shape_type strides() const {
    shape_type s = shape();
    std::int64_t stride = 1;
    for (std::size_t i = s.size(); i-- > 0;) stride *= std::exchange(s[i], stride);
    return s;
  }
  static constexpr std::size_t data_offset() { return 0; }
  /// The number of axes.
  std::size_t dimension() const { return static_cast<std::size_t>(described().rank); }

  /// A part along the first axis: a row of a matrix, a scalar of a vector. It shares the elements, and gradients pass.
  template <class I>
    requires std::is_integral_v<I>
  tensor<T, part_rank> operator[](I index) const {
    if (Rank == 0 || described().rank == 0) fail("tensor: a scalar has no parts");
    tensor<T, part_rank> part{eager::unmade{}};
    eager::take_part<type>(*this, this->position(0, index), part);
    return part;
  }
  /// A scalar may stand in an `if`: whether it is not 0.
  explicit operator bool() const {
    if constexpr (Rank > 0) raise<only_a_scalar_is_true_or_false_use_reduce_any_or_reduce_all, shown<tensor>>();
    return this->item() != T{};
  }
  explicit operator T() const
    requires(Rank <= 0 && !std::is_same_v<T, bool>)
  {
    return this->item();
  }

  /// `for (auto row : matrix)`: parts along the first axis.
  auto begin() const { return eager::part_iterator<tensor>{this, 0}; }
  auto end() const { return eager::part_iterator<tensor>{this, described().rank > 0 ? extent(0) : refuse_loop()}; }

 private:
  T* elements() { return reinterpret_cast<T*>(bytes()); }
  static tensor_type empty_type() {
    tensor_type t;
    t.type = type;
    t.rank = Rank == any_rank ? 0 : Rank;
    return t;
  }
  static std::int64_t refuse_loop() { fail("tensor: a loop over a scalar"); }
};

template <element T>
tensor(T) -> tensor<T, 0>;
template <expression E>
tensor(E) -> tensor<typename E::value_type, E::rank>;
template <eager::array_like A>
tensor(const A&) -> tensor<typename A::value_type, eager::rank_of_array<A>>;
template <eager::range_like A>
tensor(const A&) -> tensor<typename eager::values_of<A>::element_type, 1>;

}  // namespace etch
