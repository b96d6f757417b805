// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/shape.hpp>

namespace etch::detail {

/// Letters of axes, outermost first.
struct axis_letters {
  char at[max_rank]{};
  int count = 0;

  constexpr int find(char letter) const {
    for (int i = 0; i < count; ++i)
      if (at[i] == letter) return i;
    return -1;
  }
  constexpr bool has(char letter) const { return find(letter) >= 0; }
  constexpr char last() const { return count > 0 ? at[count - 1] : '\0'; }
  constexpr void push_back(char letter) { at[count++] = letter; }
  constexpr axis_letters without(int position) const {
    axis_letters r;
    for (int i = 0; i < count; ++i)
      if (i != position) r.push_back(at[i]);
    return r;
  }
  /// Those for which `condition` holds, in order.
  template <class F>
  constexpr axis_letters where(const F& condition) const {
    axis_letters r;
    for (int i = 0; i < count; ++i)
      if (condition(at[i])) r.push_back(at[i]);
    return r;
  }
  constexpr axis_letters both_with(const axis_letters& other) const {
    return where([&](char l) { return other.has(l); });
  }
  constexpr axis_letters but(const axis_letters& other) const {
    return where([&](char l) { return !other.has(l); });
  }
  constexpr axis_letters operator+(const axis_letters& more) const {
    axis_letters r = *this;
    for (int i = 0; i < more.count; ++i) r.push_back(more.at[i]);
    return r;
  }
  constexpr bool operator==(const axis_letters&) const = default;

  /// As one word of attributes: a byte for each, the first lowest.
  constexpr std::int64_t word() const {
    static_assert(max_rank <= 8);
    std::int64_t w = 0;
    for (int i = count; i-- > 0;) w = w << 8 | at[i];
    return w;
  }
  static constexpr axis_letters of(std::int64_t word) {
    axis_letters r;
    for (; word != 0; word >>= 8) r.push_back(static_cast<char>(word & 255));
    return r;
  }
};

}  // namespace etch::detail
