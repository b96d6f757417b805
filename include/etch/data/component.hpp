// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

#include <xtensor/xadapt.hpp>
#include <xtensor/xtensor.hpp>

#include <etch/core/diagnostics.hpp>
#include <etch/format/array_view.hpp>

/// Elements of datasets: a tuple of components, each an array that lies somewhere.
namespace etch::data {

/// An array of `Rank` axes, row by row, or at rank 0 one value. It refers to memory of a source or of a transformation.
template <class T, int Rank>
struct component {
  using value_type = T;
  static constexpr int rank = Rank;
  using extents_type = std::array<std::int64_t, static_cast<std::size_t>(Rank)>;

  const T* values = nullptr;
  extents_type extents{};

  /// In values.
  std::int64_t size() const {
    std::int64_t n = 1;
    for (const std::int64_t e : extents) n *= e;
    return n;
  }
  /// Slice i along the first axis.
  component<T, Rank - 1> row(std::int64_t i) const
    requires(Rank > 0)
  {
    component<T, Rank - 1> r;
    for (std::size_t k = 0; k < r.extents.size(); ++k) r.extents[k] = extents[k + 1];
    r.values = values + i * r.size();
    return r;
  }
};

namespace detail {

/// What a loop is given of a component: its value, or xtensor's adaptor of the array where it lies.
template <class T, int Rank>
decltype(auto) seen(const component<T, Rank>& c) {
  if constexpr (Rank == 0) {
    return T(*c.values);
  } else {
    std::array<std::size_t, static_cast<std::size_t>(Rank)> shape{};
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = static_cast<std::size_t>(c.extents[i]);
    return xt::adapt(c.values, static_cast<std::size_t>(c.size()), xt::no_ownership(), shape);
  }
}
/// Of an element: of one component that alone, of several a tuple.
template <class... C>
auto seen_element(const std::tuple<C...>& element) {
  if constexpr (sizeof...(C) == 1)
    return seen(std::get<0>(element));
  else
    return std::apply([](const C&... c) { return std::tuple<decltype(seen(c))...>(seen(c)...); }, element);
}

/// As etch calls the type of a component's values: "float32", "string".
template <class T>
const char* type_name() {
  if constexpr (std::is_same_v<T, std::string>)
    return "string";
  else
    return name_of_dtype(dtype_of<T>);
}

template <class Element>
inline constexpr bool has_rows = false;
template <class... T, int... Rank>
inline constexpr bool has_rows<std::tuple<component<T, Rank>...>> = ((Rank > 0) && ...);

}  // namespace detail

/// Memory for a component's values, which is kept from one element to the next.
template <class T, int Rank>
class component_buffer {
 public:
  component_buffer() = default;
  component_buffer(component_buffer&&) = default;
  component_buffer& operator=(component_buffer&&) = default;

  /// Room for an array of these extents; its values are those of before.
  T* resize(const std::array<std::int64_t, static_cast<std::size_t>(Rank)>& extents) {
    array_.extents = extents;
    const std::int64_t size = array_.size();
    if (size > capacity_) {
      values_.reset(new T[static_cast<std::size_t>(size)]);
      capacity_ = size;
    }
    array_.values = values_.get();
    return values_.get();
  }
  const component<T, Rank>& array() const { return array_; }
  /// Where row i lies, of an array of at least one axis.
  T* row(std::int64_t i) { return values_.get() + (array_.extents[0] == 0 ? 0 : array_.size() / array_.extents[0] * i); }
  void keep_rows(std::int64_t rows) { array_.extents[0] = rows; }
  /// Room for so many rows; those that there are stay.
  void grow_rows(std::int64_t rows) {
    auto extents = array_.extents;
    extents[0] = rows;
    // A batch lies where the one before lay.
    if (component<T, Rank>{nullptr, extents}.size() <= capacity_) return keep_rows(rows);
    component_buffer larger;
    std::copy_n(values_.get(), array_.size(), larger.resize(extents));
    *this = std::move(larger);
  }

 private:
  std::unique_ptr<T[]> values_;
  std::int64_t capacity_ = 0;
  component<T, Rank> array_;
};

}  // namespace etch::data
