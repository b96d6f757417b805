// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/axis_letters.hpp>

/// The text of an einsum, read by the compiler: a list of letters for each operand, and one for the result.
namespace etch::detail {

/// The most operands of an einsum.
inline constexpr int max_einsum_operands = 8;

/// The letter as it was written: an axis of an ellipsis, which is a digit here, is a dot.
constexpr char written(char letter) { return letter >= '0' && letter <= '9' ? '.' : letter; }

struct einsum_text {
  axis_letters operands[max_einsum_operands]{};
  int count = 1;
  axis_letters result;
  reason failure = reason::none;
  char letter = '\0';  ///< that is wrong

  constexpr void fail(reason r, char l) {
    if (failure != reason::none) return;
    failure = r;
    letter = l;
  }
  /// Adds the letter at text[i] to a list, or of an ellipsis its `axes`, which are digits; spaces are nothing. The place of what
  /// comes next.
  constexpr int add(axis_letters& list, const char* text, int size, int i, int axes) {
    const char l = text[i];
    if (l == ' ') return i + 1;
    if (l == '.' && i + 2 < size && text[i + 1] == '.' && text[i + 2] == '.') {
      for (int k = axes; k > 0; --k) push(list, static_cast<char>('0' + k));
      return i + 3;
    }
    if (!(l >= 'a' && l <= 'z') && !(l >= 'A' && l <= 'Z'))
      fail(reason::this_is_no_letter, l);
    else
      push(list, l);
    return i + 1;
  }
  constexpr void push(axis_letters& list, char l) {
    if (list.count == max_rank)
      fail(reason::too_many_axes, written(l));
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

/// How many axes an ellipsis stands for, in the operand whose text begins there and whose rank that is.
constexpr int axes_of_ellipsis(const char* text, int size, int rank) {
  int letters = 0;
  for (int i = 0; i < size && text[i] != ',' && text[i] != '-'; ++i) letters += text[i] != ' ' && text[i] != '.' ? 1 : 0;
  return rank > letters ? rank - letters : 0;
}

/// The text for operands of these ranks. The axes of an ellipsis count from its last. Without an arrow the result has those, and
/// the letters that occur once, in the order of the alphabet, capitals first, as in NumPy.
constexpr einsum_text read_einsum(const char* text, int size, const int* ranks, int rank_count) {
  einsum_text r;
  const auto axes_at = [&](int i) { return r.count <= rank_count ? axes_of_ellipsis(text + i, size - i, ranks[r.count - 1]) : 0; };
  int i = 0, axes = axes_at(0), most_axes = 0;
  bool arrow = false;
  while (i < size && !arrow) {
    if (text[i] == ',' && r.count == max_einsum_operands) {
      r.fail(reason::an_einsum_has_at_most_8_operands, ',');
      ++i;
    } else if (text[i] == ',') {
      ++r.count;
      axes = axes_at(++i);
    } else if (text[i] == '-' && i + 1 < size && text[i + 1] == '>') {
      arrow = true;
      i += 2;
    } else {
      if (text[i] == '.' && axes > most_axes) most_axes = axes;
      i = r.add(r.operands[r.count - 1], text, size, i, axes);
    }
  }
  while (i < size) i = r.add(r.result, text, size, i, most_axes);
  for (int k = most_axes; k > 0; --k) {
    const char l = static_cast<char>('0' + k);
    if (!arrow)
      r.push(r.result, l);
    else if (!r.result.has(l))
      r.fail(reason::the_result_has_no_ellipsis_but_an_operand_has, '.');
  }
  for (char l = 'A'; l <= 'z' && !arrow; ++l)
    if (r.occurrences(l) == 1) r.push(r.result, l);
  for (int k = 0; k < r.result.count; ++k) {
    const char l = r.result.at[k];
    if (r.occurrences(l) == 0) r.fail(reason::this_letter_of_the_result_is_in_no_operand, written(l));
    if (r.result.find(l) != k) r.fail(reason::this_letter_is_twice_in_the_result, written(l));
  }
  return r;
}

}  // namespace etch::detail
