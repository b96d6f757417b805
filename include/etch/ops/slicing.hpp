// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/movement.hpp>

/// Parts of arrays, and arrays as parts of larger ones.
namespace etch {

/// What a section without a begin or an end is written with (None in Python): from the first element of the axis to its last,
/// and the other way round where the step is negative. `section<from_start, to_end, -1>` is the axis in reverse.
inline constexpr std::int64_t from_start = INT64_MAX - 1;
inline constexpr std::int64_t to_end = INT64_MAX;

/// Part of an axis, as in Python's begin:end:step. `section<>` is all of it, `section<2>` from 2 on, `section<0, 6, 2>`
/// 0, 2, 4; negative positions count from the end; a negative step runs backwards; what lies outside the axis is not there.
template <std::int64_t Begin, std::int64_t End, std::int64_t Step>
struct section_of {};
template <std::int64_t Begin = from_start, std::int64_t End = to_end, std::int64_t Step = 1>
inline constexpr section_of<Begin, End, Step> section{};

/// A rectangular part with steps: `slice(x, section<1, 3>, section<>)`. Axes that are not named are whole.
/// Attributes per axis: begin (0, or -1 backwards, where none was written), end (`to_end`: all that follow), step. In gradients
/// of `concat` begin and end may refer to named extents.
inline constexpr struct slice : movement<struct slice> {
  static constexpr const char* name = "slice";
  static constexpr attribute_names names =
      attribute_names({"begin", attribute_kind::extent}, {"end", attribute_kind::extent}, {"step"}).repeated();
  static constexpr void map(extent_table& extents, const tensor_type& x, const tensor_type& result, const words& w, index_map& m) {
    for (int i = 0; i < result.rank; ++i) {
      const extent_value n = x.extents[i], left = result.extents[i];
      if (3 * i < w.count && left != 0)
        m.begin[i] = is_static(n) ? begin_of(n, w[3 * i], w[3 * i + 2]) : w[3 * i] == -1 ? extents.difference(n, 1) : w[3 * i];
      m.add(i, i, 3 * i < w.count && left != 0 && left != 1 ? w[3 * i + 2] : 1);
    }
  }
  /// Of a named extent n: all of it, either way; from a begin on, so that n - begin elements are left; a part that ends at a
  /// number. What needs more elements than n turns out to be is refused when data is fed (session/sections.hpp).
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0];
    if (w.count > 3 * r.rank) return context.fail(reason::rank_too_small, r);
    for (int i = 0; i < w.count / 3; ++i) {
      const extent_value n = in[0].extents[i];
      const std::int64_t begin = w[3 * i], end = w[3 * i + 1], step = w[3 * i + 2];
      if (step == 0) return context.fail(reason::step_is_zero, in[0]);
      if (is_static(n)) {
        r.extents[i] = count_of(n, begin, end, step);
      } else if (end == to_end && ((begin == 0 && step == 1) || (begin == -1 && step == -1))) {
        r.extents[i] = n;
      } else if (step == 1 && end == to_end && begin > 0) {
        r.extents[i] = context.extents.difference(n, begin);
      } else if (begin >= 0 && end >= begin && end != to_end && step > 0) {
        r.extents[i] = count_of(end, begin, end, step);
      } else {
        return context.fail(reason::slice_out_of_range, in[0]);
      }
    }
    return r;
  }
  /// First element along an axis of n, and how many there are: Python's rules. Without elements the first may be -1 or n.
  static constexpr std::int64_t begin_of(std::int64_t n, std::int64_t begin, std::int64_t step) {
    return position_in(n, begin == from_start ? first_of(step) : begin, step);
  }
  static constexpr std::int64_t count_of(std::int64_t n, std::int64_t begin, std::int64_t end, std::int64_t step) {
    const std::int64_t first = begin_of(n, begin, step);
    const std::int64_t last = end != to_end ? position_in(n, end, step) : step < 0 ? -1 : n;
    const std::int64_t length = step < 0 ? first - last : last - first;
    return length <= 0 ? 0 : (length - 1) / (step < 0 ? -step : step) + 1;
  }
  template <operand_like X, std::int64_t... Begin, std::int64_t... End, std::int64_t... Step>
  constexpr auto operator()(X x, section_of<Begin, End, Step>...) const {
    using written = section_words<section_of<Begin, End, Step>...>;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return call<struct slice, attributes<written::value.at[I]...>>(x);
    }(std::make_index_sequence<written::count>{});
  }
  ETCH_REFUSE_OPERANDS_AND_BRACES(struct slice, name_the_sections_in_angle_brackets_one_for_each_axis,
                                  "($, section<1, 3>, section<>)")
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);

  static constexpr bool has_simpler_forms = true;
  /// All of x is x; a slice of a slice is one of what that is a slice of.
  template <class V>
  static constexpr V simpler(const rewriting<V>& r) {
    const tensor_type x = r.x[0].type();
    bool is_all = true;
    for (int i = 0; 3 * i < r.attributes.count; ++i)
      is_all = is_all && is_whole(r.attributes.at + 3 * i, x.extents[i], r.type.extents[i]);
    if (is_all) return r.x[0];
    const V inner = operand_of<struct slice>(r.x[0], 0);
    if (!inner.valid()) return {};
    const tensor_type source = inner.type();
    const int named = attribute_count_of(r.x[0]);
    words w;
    for (int i = 0; i < source.rank; ++i) {
      std::int64_t first[] = {0, to_end, 1}, second[] = {0, to_end, 1};
      for (int j = 0; j < 3; ++j) {
        if (3 * i < named) first[j] = attribute_of(r.x[0], 3 * i + j);
        if (3 * i < r.attributes.count) second[j] = r.attributes[3 * i + j];
      }
      if (!compose(first, second, source.extents[i], x.extents[i], r.type.extents[i])) return {};
      for (int j = 0; j < 3; ++j) w.push_back(first[j]);
    }
    return emit_as<struct slice>(w, r.type, inner);
  }

 private:
  /// Of n elements, of which it leaves so many: in gradients of `pad` fewer than there are up to the end.
  static constexpr bool is_whole(const std::int64_t* section, extent_value n, extent_value left) {
    return section[2] == 1 && section[0] == 0 && n == left && (section[1] == to_end || (is_static(n) && section[1] >= n));
  }
  /// `first`, of n elements, becomes `second` of the `between` elements that it leaves, where they can be said as one.
  static constexpr bool compose(std::int64_t* first, const std::int64_t* second, extent_value n, extent_value between,
                                extent_value left) {
    if (is_whole(second, between, left)) return true;
    if (is_whole(first, n, between)) {
      for (int j = 0; j < 3; ++j) first[j] = second[j];
      return true;
    }
    if (!is_static(n) || !is_static(between) || left <= 0) return false;
    const std::int64_t begin = begin_of(n, first[0], first[2]) + begin_of(between, second[0], second[2]) * first[2];
    const std::int64_t step = left == 1 ? 1 : first[2] * second[2];
    const std::int64_t last = begin + (left - 1) * step;
    first[0] = begin;
    first[1] = step > 0 ? last + 1 : last == 0 ? to_end : last - 1;
    first[2] = step;
    return true;
  }
  /// Where a section starts that was written without a begin.
  static constexpr std::int64_t first_of(std::int64_t step) { return step < 0 ? -1 : 0; }
  /// A written position, brought to where a walk along n elements can begin or end.
  static constexpr std::int64_t position_in(std::int64_t n, std::int64_t at, std::int64_t step) {
    const std::int64_t lowest = step < 0 ? -1 : 0, highest = step < 0 ? n - 1 : n;
    if (at < 0) at += n;
    return at < lowest ? lowest : at > highest ? highest : at;
  }
  /// No axis is as long. Positions and steps beyond it mean the same as it, and numbers below its double refer to extents.
  static constexpr std::int64_t longest = std::int64_t{1} << 61;
  static constexpr std::int64_t limited(std::int64_t word) { return word < -longest ? -longest : word > longest ? longest : word; }

  /// The attributes that sections are written with: begin, end and step of each.
  template <class... Sections>
  struct section_words;
  template <std::int64_t... Begin, std::int64_t... End, std::int64_t... Step>
  struct section_words<section_of<Begin, End, Step>...> {
    static constexpr std::size_t count = 3 * sizeof...(Begin);
    struct table {
      std::int64_t at[count + 1]{};
    };
    static constexpr table value = [] {
      table t;
      int n = 0;
      [[maybe_unused]] const auto append = [&](std::int64_t begin, std::int64_t end, std::int64_t step) {
        t.at[n++] = begin == from_start ? first_of(step) : limited(begin);
        t.at[n++] = end == to_end ? to_end : limited(end);
        t.at[n++] = limited(step);
      };
      (append(Begin, End, Step), ...);
      return t;
    }();
  };
} slice;

/// x with its elements in reverse order along the given axes, or all.
template <operand_like X, int... Axes>
constexpr auto flip(X x, axis_list<Axes...> = {}) {
  constexpr int axes[] = {Axes..., 0};
  constexpr std::int64_t mask = axes_mask(X::rank, axes, sizeof...(Axes));
  if constexpr (mask < 0) {
    return detail::refusal<std::conditional_t<mask == -1, axis_out_of_range, an_axis_is_named_twice>, in_function<"flip">, shown<X>,
                           axis_list<Axes...>>(x);
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return slice(x, section<from_start, to_end, ((mask >> I & 1) != 0 ? -1 : 1)>...);
    }(std::make_integer_sequence<int, X::rank>{});
  }
}
ETCH_REFUSE_CALLS(flip, name_the_axis_in_angle_brackets, "flip($, axis<0>)")

/// Zeros before and after the elements of one axis.
template <std::int64_t Before, std::int64_t After>
struct padding_of {};
template <std::int64_t Before, std::int64_t After = Before>
inline constexpr padding_of<Before, After> padding{};

/// What `pad` takes from x itself: the elements next to the outermost one, in reverse; the outermost element.
inline constexpr struct reflect {
} reflect;
inline constexpr struct edge {
} edge;

namespace detail {
template <class>
inline constexpr bool is_padding = false;
template <std::int64_t Before, std::int64_t After>
inline constexpr bool is_padding<padding_of<Before, After>> = true;

/// Whether these are paddings, and behind them something else.
template <class... Arguments>
inline constexpr bool is_padded_with = [] {
  constexpr bool paddings[] = {is_padding<Arguments>..., true};
  constexpr int last = static_cast<int>(sizeof...(Arguments)) - 1;
  for (int i = 0; i < last; ++i)
    if (!paddings[i]) return false;
  return last > 0 && !paddings[last];
}();

template <int Paddings, operand_like X, class First, class... Rest>
constexpr auto pad_with_last(X x, First first, Rest... rest);
}  // namespace detail

/// x with zeros around it: `pad(x, padding<1, 2>, padding<0>)`, one padding per axis. Behind them what to pad with instead: a
/// number, `reflect` (x continues in reverse, its outermost elements not repeated; the axis is longer than the padding), or `edge`
/// (its outermost elements go on).
/// Attributes per axis: where the first element goes, the zeros after the last, the distance between two.
inline constexpr struct pad : opaque<struct pad, 1> {
  static constexpr const char* name = "pad";
  static constexpr bool copies_elements = true;
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr attribute_names names = attribute_names({"before"}, {"after"}, {"step"}).repeated();
  static constexpr unsigned batch(const words& w, int) { return w[0] == 0 && w[1] == 0 && w[2] == 1 ? detail::batch_of_all : 0; }
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0];
    if (w.count != 3 * r.rank) return context.fail(reason::rank_too_small, r);
    for (int i = 0; i < r.rank; ++i) {
      if (w[3 * i] < 0 || w[3 * i + 1] < 0) return context.fail(reason::padding_is_negative, in[0]);
      r.extents[i] = context.extents.sum(in[0].extents[i], w[3 * i] + w[3 * i + 1]);
    }
    return r;
  }
  template <operand_like X, std::int64_t... Before, std::int64_t... After>
  constexpr auto operator()(X x, padding_of<Before, After>...) const {
    constexpr std::int64_t first[] = {Before..., 0}, last[] = {After..., 0};
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return call<struct pad, attributes<(I % 3 == 0 ? first[I / 3] : I % 3 == 1 ? last[I / 3] : 1)...>>(x);
    }(std::make_index_sequence<3 * sizeof...(Before)>{});
  }
  template <operand_like X, class... Arguments>
    requires(detail::is_padded_with<Arguments...>)
  constexpr auto operator()(X x, Arguments... arguments) const {
    return detail::pad_with_last<static_cast<int>(sizeof...(Arguments)) - 1>(x, arguments...);
  }
  ETCH_REFUSE_OPERANDS_AND_BRACES(struct pad, name_the_paddings_in_angle_brackets_one_for_each_axis,
                                  "($, padding<1, 1>, padding<0>)")
  /// Reads back the places that x was put to: a slice with the same begins and steps.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    words w;
    for (int i = 0; i < r.x[0].type().rank; ++i) {
      w.push_back(r.attributes[3 * i]);
      w.push_back(to_end);
      w.push_back(r.attributes[3 * i + 2]);
    }
    r.dx[0] = emit_as<struct slice>(w, r.x[0].type(), r.dy);
  }
} pad;

}  // namespace etch
