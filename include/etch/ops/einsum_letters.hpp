// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/shape.hpp>

/// The text of an einsum, read by the compiler: a list of letters for each operand, and one for the result.
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
  constexpr axis_letters operator+(const axis_letters& more) const {
    axis_letters r = *this;
    for (int i = 0; i < more.count; ++i) r.push_back(more.at[i]);
    return r;
  }
  constexpr bool operator==(const axis_letters&) const = default;
};

enum class einsum_mistake { none, no_letter, too_many_axes, not_in_an_operand, twice_in_the_result };

/// The most operands of an einsum.
inline constexpr int max_einsum_operands = 8;

struct einsum_text {
  axis_letters operands[max_einsum_operands]{};
  int count = 1;
  axis_letters result;
  einsum_mistake mistake = einsum_mistake::none;
  char letter = '\0';  ///< that is wrong

  constexpr void fail(einsum_mistake m, char l) {
    if (mistake != einsum_mistake::none) return;
    mistake = m;
    letter = l;
  }
  /// Adds a letter to a list; spaces are nothing.
  constexpr void add(axis_letters& list, char l) {
    if (l == ' ') return;
    if (!(l >= 'a' && l <= 'z') && !(l >= 'A' && l <= 'Z'))
      fail(einsum_mistake::no_letter, l);
    else if (list.count == max_rank)
      fail(einsum_mistake::too_many_axes, l);
    else
      list.push_back(l);
  }
  constexpr int occurrences(char l) const {
    int n = 0;
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < operands[k].count; ++i) n += operands[k].at[i] == l;
    return n;
  }
};

/// Without an arrow the result has the letters that occur once, in the order of the alphabet, capitals first, as in NumPy.
constexpr einsum_text read_einsum(const char* text, int size) {
  einsum_text r;
  int i = 0;
  bool arrow = false;
  for (; i < size && !arrow; ++i) {
    if (text[i] == ',' && r.count == max_einsum_operands) {
      r.fail(einsum_mistake::too_many_axes, ',');
    } else if (text[i] == ',') {
      ++r.count;
    } else if (text[i] == '-' && i + 1 < size && text[i + 1] == '>') {
      arrow = true;
      ++i;
    } else {
      r.add(r.operands[r.count - 1], text[i]);
    }
  }
  for (; i < size; ++i) r.add(r.result, text[i]);
  for (char l = 'A'; l <= 'z' && !arrow; ++l)
    if (r.occurrences(l) == 1) r.add(r.result, l);
  for (int k = 0; k < r.result.count; ++k) {
    const char l = r.result.at[k];
    if (r.occurrences(l) == 0) r.fail(einsum_mistake::not_in_an_operand, l);
    if (r.result.find(l) != k) r.fail(einsum_mistake::twice_in_the_result, l);
  }
  return r;
}

}  // namespace etch::detail
