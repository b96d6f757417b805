// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/slot.hpp>
#include <etch/core/strided.hpp>
#include <etch/ops/slicing.hpp>

/// The part of a variable that `assign(slice(w, ...), value)` writes.
namespace etch {

/// x with `value` in the place of a part of it. Attributes: of a slice, of every axis. Only passes make it.
struct with_part : op_defaults {
  static constexpr const char* name = "with_part";
  static constexpr op_kind kind = op_kind::opaque;
  static constexpr int arity = 2;
  static constexpr dtype_rule operands = dtype_rule::free;
  static constexpr bool differentiable = false;
  static constexpr attribute_names names = slice.names;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    const tensor_type part = slice.infer(context, in, 1, w);
    if (in[0].type != in[1].type) return context.fail(reason::dtypes_differ, in[0]);
    if (!context.agree(part, in[1])) return context.fail(reason::extents_differ, in[0]);
    return in[0];
  }
  template <class T>
  static void run(strided<T> result, strided<const T> x, strided<const T> value, const std::int64_t* attributes) {
    copy<T>(result.data, result.strides, x);
    std::int64_t strides[max_rank], first = 0;
    for (int i = 0; i < x.rank; ++i) {
      const std::int64_t step = attributes[3 * i + 2];
      first += slice.begin_of(x.extents[i], attributes[3 * i], step) * result.strides[i];
      strides[i] = step * result.strides[i];
    }
    if (value.size() > 0) copy<T>(result.data + first, strides, value);
  }

 private:
  /// Row by row.
  template <class T>
  static void copy(T* to, const std::int64_t* strides, const strided<const T>& from) {
    const int last = from.rank - 1;
    const std::int64_t row = last < 0 ? 1 : from.extents[last], to_step = last < 0 ? 1 : strides[last],
                       step = last < 0 ? 1 : from.strides[last];
    const std::int64_t* const both[] = {strides, from.strides};
    detail::for_each_place(last, from.extents, both, [&](const std::int64_t* at) {
      for (std::int64_t i = 0; i < row; ++i) to[at[0] + i * to_step] = from.data[at[1] + i * step];
    });
  }
};

namespace detail {

/// Whether two slices of one array, of these types, have no element in common.
constexpr bool are_apart(const tensor_type& whole, const words& x, const tensor_type& of_x, const words& y,
                         const tensor_type& of_y) {
  struct range {
    std::int64_t first, last;
  };
  const auto elements_of = [](std::int64_t n, const words& w, const tensor_type& t, int axis) {
    const std::int64_t step = w[3 * axis + 2], begin = slice.begin_of(n, w[3 * axis], step),
                       end = begin + (t.extents[axis] - 1) * step;
    return step < 0 ? range{end, begin} : range{begin, end};
  };
  for (int i = 0; i < whole.rank; ++i) {
    if (!is_static(whole.extents[i]) || 3 * i >= x.count || 3 * i >= y.count) continue;
    const range a = elements_of(whole.extents[i], x, of_x, i), b = elements_of(whole.extents[i], y, of_y, i);
    if (a.last < b.first || b.last < a.first) return true;
  }
  return false;
}

/// Whether an expression is a slice of a variable.
template <class E>
inline constexpr bool is_part_of_a_variable = false;
template <class T, class Shape, hash_t Hash>
inline constexpr bool is_part_of_a_variable<expr<struct slice, T, Shape, Hash>> =
    record_of<Hash>().operands[0]->op->role == op_role::variable;

/// What a slice is a part of, and its attributes, of all axes.
template <class E>
struct assigned_part {
  static constexpr hash_t sliced = record_of<E::hash>().operands[0]->hash;
  using variable = variable_with<sliced>;
  static constexpr words all = [] {
    const record& r = record_of<E::hash>();
    words w;
    for (int k = 0; k < 3 * E::rank; ++k) w.push_back(k < r.word_count ? r.words[k] : k % 3 == 0 ? 0 : k % 3 == 1 ? to_end : 1);
    return w;
  }();
  template <std::size_t... K>
  static attributes<all.at[K]...> as_type(std::index_sequence<K...>);
  using attributes_type = decltype(as_type(std::make_index_sequence<3 * E::rank>{}));
};

}  // namespace detail

/// What can be assigned: a variable, or a slice of one.
template <class E>
concept assignable = variable_expression<E> || detail::is_part_of_a_variable<E>;

}  // namespace etch
