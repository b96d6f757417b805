// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/opaque/chosen_rows.hpp>

/// Parts chosen by positions along several axes.
namespace etch::cpu {

template <>
struct opaque_kernel<nd_gather> {
  template <class T, class, class I>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    T* const to = reinterpret_cast<T*>(v[0].data);
    const T* const from = reinterpret_cast<const T*>(v[1].data);
    const int width = static_cast<int>(attributes[0]), rows = v[2].rank - 1;
    if (detail::has_no_places(v[1], width)) {
      std::fill_n(to, v[0].count(), T(0));
      return;
    }
    if (const std::int64_t part = detail::part_of(v[1], width); part > 0 && detail::is_one_row(v[0], 0)) {
      const detail::row_copies copies(part * static_cast<std::int64_t>(sizeof(T)), v[1].count() / part, v[0].count() / part);
      detail::for_each_position<I>(
          v[1], v[2], width, [&](std::int64_t number, std::int64_t place) { copies.copy(to + number * part, from + place); },
          [&](std::int64_t place) ETCH_INLINED { copies.ask(from + place); });
      return copies.finish();
    }
    detail::for_each_pair(rows, v[2].extents, v[0].strides, v[2].strides, [&](std::int64_t a, std::int64_t i) {
      detail::copy_elements(to + a, v[0].strides + rows, from + detail::place_of<I>(v[1], v[2], i, width), v[1].strides + width,
                            v[1].rank - width, v[1].extents + width);
    });
  }
};

/// In row-major order of the positions, so that the last of several updates stays.
template <>
struct opaque_kernel<nd_scatter> {
  template <class T, class, class I, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    T* const to = detail::operand_to_change<T>(v);
    const T* const updates = reinterpret_cast<const T*>(v[3].data);
    const int width = static_cast<int>(attributes[0]);
    if (detail::has_no_places(v[0], width)) return;
    const auto each = [&](const auto& combine) {
      const int rows = v[2].rank - 1;
      if (const std::int64_t part = detail::part_of(v[0], width); part > 0 && detail::is_one_row(v[3], 0)) {
        const detail::row_copies copies(part * static_cast<std::int64_t>(sizeof(T)), v[0].count() / part, v[3].count() / part);
        return detail::for_each_position<I>(
            v[0], v[2], width,
            [&](std::int64_t number, std::int64_t place) {
              T* const row = to + place;
              const T* ETCH_RESTRICT const update = updates + number * part;
              for (std::int64_t j = 0; j < part; ++j) row[j] = combine(row[j], update[j]);
            },
            [&](std::int64_t place) ETCH_INLINED { copies.ask(to + place); });
      }
      detail::for_each_pair(rows, v[2].extents, v[2].strides, v[3].strides, [&](std::int64_t i, std::int64_t u) {
        T* const part = to + detail::place_of<I>(v[0], v[2], i, width);
        detail::for_each_pair(v[0].rank - width, v[0].extents + width, v[0].strides + width, v[3].strides + rows,
                              [&](std::int64_t a, std::int64_t b) { part[a] = combine(part[a], updates[u + b]); });
      });
    };
    if constexpr (!std::is_same_v<T, bool>) {
      if (attributes[1] == 1) return each([](T a, T b) { return add.kernel(a, b); });
      if (attributes[1] == 2) return each([](T a, T b) { return minimum.kernel(a, b); });
      if (attributes[1] == 3) return each([](T a, T b) { return maximum.kernel(a, b); });
    }
    each([](T, T b) { return b; });
  }
};

}  // namespace etch::cpu
