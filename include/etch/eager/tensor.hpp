// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include <xtensor/xtensor.hpp>

#include <etch/core/call.hpp>
#include <etch/core/slot.hpp>

/// Eager tensors: values on which every op evaluates at once.
namespace etch {

/// An array of `Rank` axes. Immutable: copies share their elements. Extents are known at run time; wrong ones throw
/// `etch::error` where the op is called.
template <class T, int Rank>
class tensor : public tensor_base {
  static_assert(element<T>, "tensor: the element type is bool, an integer, float, or double");
  static_assert(Rank >= 0 && Rank <= max_rank, "tensor: at most 8 axes");

 public:
  using value_type = T;
  using array_type = xt::xtensor<T, static_cast<std::size_t>(Rank)>;
  static constexpr int rank = Rank;
  static constexpr dtype type = dtype_of<T>;

  /// A scalar of value zero; an array without elements.
  tensor() : array_(std::make_shared<array_type>(array_type::from_shape(extents_type{}))) {
    if constexpr (Rank == 0) array_->data()[0] = T{};
  }
  tensor(array_type values) : array_(std::make_shared<array_type>(std::move(values))) {}
  /// From braces: `tensor<float, 2> w = {{1, 2}, {3, 4}};`
  tensor(nested_list<T, Rank> values)
    requires(Rank > 0)
      : array_(std::make_shared<array_type>(values)) {}
  tensor(T value)
    requires(Rank == 0)
      : tensor() {
    array_->data()[0] = value;
  }
  /// From any xtensor expression of the same element type.
  template <class E>
  tensor(const xt::xexpression<E>& values) : array_(std::make_shared<array_type>(values.derived_cast())) {}

  const array_type& array() const { return *array_; }
  operator const array_type&() const { return *array_; }

  const T* data() const { return array_->data(); }
  std::int64_t extent(int axis) const { return static_cast<std::int64_t>(array_->shape()[static_cast<std::size_t>(axis)]); }
  std::int64_t size() const { return static_cast<std::int64_t>(array_->size()); }

  template <class... I>
  T operator()(I... indices) const {
    static_assert(sizeof...(I) == Rank, "tensor: one index per axis");
    return (*array_)(static_cast<std::size_t>(indices)...);
  }
  /// The value of a scalar.
  T item() const
    requires(Rank == 0)
  {
    return array_->data()[0];
  }
  /// A scalar bool may stand in an `if`.
  explicit operator bool() const
    requires(Rank == 0 && std::is_same_v<T, bool>)
  {
    return item();
  }

  /// Its type as shape rules see it.
  tensor_type described() const {
    tensor_type t;
    t.type = type;
    t.rank = Rank;
    for (int i = 0; i < Rank; ++i) t.extents[i] = extent(i);
    return t;
  }
  /// A tensor of the given extents whose elements are still to be written, at `data`.
  static tensor uninitialised(const tensor_type& t, T*& data) {
    extents_type extents{};
    for (int i = 0; i < Rank; ++i) extents[static_cast<std::size_t>(i)] = static_cast<std::size_t>(t.extents[i]);
    tensor r(array_type::from_shape(extents));
    data = r.array_->data();
    return r;
  }

 private:
  using extents_type = typename array_type::shape_type;
  std::shared_ptr<array_type> array_;
};

template <class T>
tensor(T) -> tensor<T, 0>;
template <class T, std::size_t N, xt::layout_type L>
tensor(const xt::xtensor<T, N, L>&) -> tensor<T, static_cast<int>(N)>;

}  // namespace etch
