// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>

#include <etch/core/slot.hpp>
#include <etch/data/dataset.hpp>

/// Sources in memory: slices of arrays along their first axis, and ranges of numbers.
namespace etch::data {

namespace detail {

/// The last axis whose stride is not that of an array row by row, and what that would be; -1 where there is none.
template <class A>
std::pair<int, std::int64_t> odd_stride(const A& a) {
  std::int64_t expected = 1;
  for (int i = static_cast<int>(std::tuple_size_v<typename A::shape_type>); i-- > 0;) {
    const auto at = static_cast<std::size_t>(i);
    const auto extent = static_cast<std::int64_t>(a.shape()[at]);
    if (extent > 1 && static_cast<std::int64_t>(a.strides()[at]) != expected) return {i, expected};
    expected *= extent;
  }
  return {-1, 0};
}

/// Arrays whose elements lie row by row: xtensor's, tensors, vectors, spans and built-in arrays.
template <class A>
struct source_array {
  static constexpr bool is_valid = false;
};
template <class A>
  requires requires(const A& a) {
    a.data();
    a.shape();
    std::tuple_size<typename A::shape_type>::value;
  }
struct source_array<A> {
  static constexpr bool is_valid = true;
  using value_type = std::remove_const_t<typename A::value_type>;
  static constexpr int rank = static_cast<int>(std::tuple_size<typename A::shape_type>::value);
  static component<value_type, rank> of(const A& a) {
    component<value_type, rank> c;
    for (std::size_t i = 0; i < c.extents.size(); ++i) c.extents[i] = static_cast<std::int64_t>(a.shape()[i]);
    if constexpr (requires { a.strides(); })
      if (const auto [axis, expected] = odd_stride(a); axis >= 0)
        fail("data::slices: an array of shape %s does not lie row by row: its stride along axis %d is %lld, not %lld",
             format::shape_text(c.extents).c_str(), axis, static_cast<long long>(a.strides()[static_cast<std::size_t>(axis)]),
             static_cast<long long>(expected));
    c.values = a.data();
    if constexpr (requires { a.data_offset(); }) c.values += a.data_offset();
    return c;
  }
};
template <class A>
  requires(!requires { typename A::shape_type; }) && requires(const A& a) {
    std::data(a);
    std::size(a);
  }
struct source_array<A> {
  static constexpr bool is_valid = true;
  using value_type = std::remove_cvref_t<decltype(*std::data(std::declval<const A&>()))>;
  static constexpr int rank = 1;
  static component<value_type, 1> of(const A& a) { return {std::data(a), {static_cast<std::int64_t>(std::size(a))}}; }
};

template <class A>
concept array_of_rows = source_array<A>::is_valid;
template <class A>
inline constexpr bool is_sliced = false;
template <array_of_rows A>
inline constexpr bool is_sliced<A> = source_array<A>::rank > 0;

inline void check_counts(std::initializer_list<std::int64_t> counts) {
  int number = 0;
  for (const std::int64_t count : counts) {
    if (count != *counts.begin())
      fail("data::slices: array 0 has %lld slices, array %d has %lld", static_cast<long long>(*counts.begin()), number,
           static_cast<long long>(count));
    ++number;
  }
}

}  // namespace detail

/// Rows of arrays.
template <class... Rows>
struct slices_stage;
template <class... T, int... Rank>
struct slices_stage<component<T, Rank>...> {
  using element = std::tuple<component<T, Rank - 1>...>;

  std::tuple<component<T, Rank>...> arrays;
  std::shared_ptr<const void> owner;  ///< of those that were handed over

  std::int64_t size() const { return std::get<0>(arrays).extents[0]; }
  std::string describe() const { return "slices(" + std::to_string(size()) + ")"; }

  class reader {
   public:
    explicit reader(const slices_stage& s) : arrays_(s.arrays) {}
    std::int64_t lookahead() const { return 64; }
    element at(std::int64_t i) { return peek(i); }
    element peek(std::int64_t i) const {
      return std::apply([i](const auto&... array) { return element(array.row(i)...); }, arrays_);
    }
    /// Of some kilobytes, as much as memory gives in the time that it takes to answer.
    std::int64_t distance() const {
      const std::int64_t bytes =
          std::apply([](const auto&... array) { return (... + (array.row(0).size() * std::int64_t{sizeof(T)})); }, arrays_);
      return std::clamp(6144 / std::max(bytes, std::int64_t{1}), std::int64_t{1}, std::int64_t{16});
    }

   private:
    std::tuple<component<T, Rank>...> arrays_;
  };
};

/// A dataset of the slices of arrays along their first axes, which must be equally long: `data::slices(images, labels)`. Arrays are
/// borrowed, and must live on while the dataset is read; temporaries are kept. They lie row by row, and their number of axes is known to
/// the compiler. Throws `etch::error` where the first extents differ.
template <class... A>
  requires(sizeof...(A) > 0)
auto slices(A&&... arrays) {
  if constexpr (!(detail::is_sliced<std::remove_cvref_t<A>> && ...)) {
    raise<slices_are_of_arrays_whose_type_says_how_many_axes_they_have, in_function<"data::slices">, got<std::remove_cvref_t<A>...>,
          instead_write<"data::slices(xt::xtensor<float, 2>(x))">>();
    return dataset(slices_stage<component<int, 1>>{});
  } else {
    using stage = slices_stage<component<typename detail::source_array<std::remove_cvref_t<A>>::value_type,
                                         detail::source_array<std::remove_cvref_t<A>>::rank>...>;
    stage s;
    if constexpr (((!std::is_lvalue_reference_v<A>) || ...)) {
      auto kept = std::make_shared<std::tuple<A...>>(std::forward<A>(arrays)...);
      std::apply([&](const auto&... a) { s.arrays = {detail::source_array<std::remove_cvref_t<A>>::of(a)...}; }, *kept);
      s.owner = kept;
    } else {
      s.arrays = {detail::source_array<std::remove_cvref_t<A>>::of(arrays)...};
    }
    std::apply([](const auto&... array) { detail::check_counts({array.extents[0]...}); }, s.arrays);
    return dataset(s);
  }
}

/// A dataset of the numbers from `first` to before `last`, as int64. Throws `etch::error` where `step` is 0, and where they are 2^63 apart
/// or more.
inline dataset<range_stage> range(std::int64_t first, std::int64_t last, std::int64_t step = 1) {
  if (step == 0) fail("data::range: the step is 0");
  const std::int64_t low = step > 0 ? first : last, high = step > 0 ? last : first;
  if (high <= low) return dataset(range_stage{first, 0, step});
  std::int64_t span = 0;
  if (step == INT64_MIN || __builtin_sub_overflow(high, low, &span))
    fail("data::range: from %lld to %lld by %lld: numbers are at most 2^63 - 1 apart", static_cast<long long>(first),
         static_cast<long long>(last), static_cast<long long>(step));
  const std::int64_t by = step > 0 ? step : -step;
  return dataset(range_stage{first, (span - 1) / by + 1, step});
}
inline dataset<range_stage> range(std::int64_t last) { return range(0, last); }

}  // namespace etch::data
