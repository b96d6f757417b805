// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/core/shape.hpp>
#include <etch/data/slices.hpp>
#include <etch/model/rebound_step.hpp>

namespace etch::detail {

/// Whether a network gives a row for each row of its inputs.
template <class Y, class X>
constexpr bool gives_rows() {
  if constexpr (Y::rank == 0)
    return false;
  else
    return std::is_same_v<decltype(extent_along<0>(typename Y::shape_type{})), decltype(extent_along<0>(typename X::shape_type{}))>;
}

/// The first component of an element as a loop sees it, which of one component is that alone.
template <class Component>
const Component& first_of(const Component& component) {
  return component;
}
template <class... Components>
const auto& first_of(const std::tuple<Components...>& components) {
  return std::get<0>(components);
}

/// Of other arrays the feed says what is wrong.
template <class X, class Slot>
concept array_of_inputs = data::detail::array_of_rows<X> &&
                          std::is_same_v<typename data::detail::source_array<X>::value_type, typename Slot::value_type> &&
                          data::detail::source_array<X>::rank == Slot::rank;
/// A dataset of the rows of an array, of a copy where they lie otherwise than one after another.
template <class X>
auto rows_of(const X& x) {
  using source = data::detail::source_array<X>;
  if constexpr (requires { x.strides(); })
    if (data::detail::odd_stride(x).first >= 0) return data::slices(xt::xtensor<typename source::value_type, source::rank>(x));
  return data::slices(x);
}

/// Rows that a network gives for batches, one after another along the first axis.
template <class T, int Rank>
class predictions {
 public:
  /// Throws `etch::error` where rows have another shape than those before.
  template <class Y>
  void add(const Y& y) {
    auto extents = rows_.array().extents;
    std::copy(y.shape().begin(), y.shape().end(), extents.begin());
    const std::int64_t more = extents[0];
    extents[0] = count_;
    if (count_ == 0) {
      rows_.resize(extents);
    } else if (extents != rows_.array().extents) {
      fail("predict: samples from %lld on give arrays of shape %s, those before of %s", static_cast<long long>(count_),
           format::shape_text({extents.begin() + 1, extents.end()}).c_str(),
           format::shape_text({rows_.array().extents.begin() + 1, rows_.array().extents.end()}).c_str());
    }
    if (count_ + more > room_) rows_.grow_rows(room_ = std::max(count_ + more, 2 * count_));
    rows_.keep_rows(count_ + more);
    std::copy_n(y.data(), y.size(), rows_.row(count_));
    count_ += more;
  }
  xt::xtensor<T, Rank> array() const {
    typename xt::xtensor<T, Rank>::shape_type shape{};
    std::copy(rows_.array().extents.begin(), rows_.array().extents.end(), shape.begin());
    auto a = xt::xtensor<T, Rank>::from_shape(shape);
    std::copy_n(rows_.array().values, a.size(), a.data());
    return a;
  }

 private:
  data::component_buffer<T, Rank> rows_;
  std::int64_t count_ = 0, room_ = 0;
};

/// What a network gives, Y of X, for a dataset; bind(inputs): a step bound to a batch.
template <class Y, class X, class Stage, class Bind>
auto predict(data::dataset<Stage>& batches, const Bind& bind) {
  using inputs = data::component<typename X::value_type, X::rank>;
  predictions<typename Y::value_type, Y::rank> all;
  if constexpr (!gives_rows<Y, X>()) {
    raise<this_network_gives_no_row_for_each_sample, in_function<"predict">, shown<Y>>();
  } else if constexpr (!std::is_same_v<std::tuple_element_t<0, data::element_of<Stage>>, inputs>) {
    raise<the_elements_of_this_dataset_are_no_inputs_and_targets_of_the_model, in_function<"predict">, expected<inputs>,
          got<data::element_of<Stage>>>();
  } else {
    auto step = rebound<std::tuple<decltype(data::detail::seen(inputs{}))>>(bind);
    bool is_empty = true;
    for (auto i = batches.begin(); i != batches.end(); ++i, is_empty = false) all.add(step(first_of(*i)));
    if (is_empty) fail("predict: the dataset has no elements");
  }
  return all.array();
}

}  // namespace etch::detail
