// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/einsum_letters.hpp>
#include <etch/ops/tensor_contraction.hpp>
#include <etch/ops/triangle.hpp>

/// Sums of products over axes that letters name.
namespace etch {

namespace detail {

/// x, whose axes are From in that order, with axes of extent 1 for the others of To.
template <axis_letters From, axis_letters To>
struct with_ones {
  using where = rule_of<"einsum">;
  static constexpr tensor_type shape(inference&, const tensor_type& x) {
    tensor_type r = x;
    r.rank = To.count;
    for (int i = 0; i < To.count; ++i) r.extents[i] = From.has(To.at[i]) ? x.extents[From.find(To.at[i])] : 1;
    return r;
  }
};

/// `Count` axes of extent 1 behind x's one.
template <int Count>
struct ones_behind {
  using where = rule_of<"einsum">;
  static constexpr tensor_type shape(inference&, const tensor_type& x) {
    tensor_type r = x;
    while (r.rank < 1 + Count) r.extents[r.rank++] = 1;
    return r;
  }
};

/// x, whose axes are From, with its axes in the order of To.
template <axis_letters From, axis_letters To, operand_like X>
constexpr auto arranged(X x) {
  if constexpr (From == To)
    return x;
  else
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return transpose(x, axis_list<From.find(To.at[I])...>{});
    }(std::make_integer_sequence<int, To.count>{});
}

/// The first axis whose letter stands before it too; -1 if there is none.
constexpr int repeated_axis(const axis_letters& letters) {
  for (int i = 0; i < letters.count; ++i)
    if (letters.find(letters.at[i]) != i) return i;
  return -1;
}
constexpr axis_letters distinct(axis_letters letters) {
  while (repeated_axis(letters) >= 0) letters = letters.without(repeated_axis(letters));
  return letters;
}

/// x on the diagonals of axes with one letter: zeros beside them, and the sum along the second of the two.
template <axis_letters Letters, operand_like X>
constexpr auto diagonal_of(X x) {
  constexpr int second = repeated_axis(Letters);
  if constexpr (second < 0) {
    return x;
  } else {
    constexpr int first = Letters.find(Letters.at[second]);
    const auto along_first = reshaped_by<ones_behind<X::rank - first - 1>>(numbers_along<std::int32_t, first>(x));
    const auto along_second = reshaped_by<ones_behind<X::rank - second - 1>>(numbers_along<std::int32_t, second>(x));
    return diagonal_of<Letters.without(second)>(sum(where(along_first == along_second, x, 0_c), axis<second>));
  }
}

/// x summed along the axes that are not in Kept.
template <axis_letters Letters, axis_letters Kept, operand_like X>
constexpr auto summed(X x) {
  if constexpr (Letters == Kept) {
    return x;
  } else {
    constexpr axis_letters gone = Letters.where([](char l) { return !Kept.has(l); });
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return sum(x, axis_list<Letters.find(gone.at[I])...>{});
    }(std::make_integer_sequence<int, gone.count>{});
  }
}

/// The sums of products of x and y; each operand has an axis of its own, or the first one.
template <contraction_letters Letters, operand_like A, operand_like B>
constexpr auto contracted(A x, B y) {
  if constexpr (Letters.is_matmul()) {
    return matmul(x, y);
  } else {
    constexpr contraction_letters letters = Letters.canonical();
    return call<struct tensor_contraction, attributes<letters.a.word(), letters.b.word()>>(x, y);
  }
}

/// The product of x and y, summed along what is not in To, whose order its axes have.
template <axis_letters InA, axis_letters InB, axis_letters To, operand_like A, operand_like B>
constexpr auto product_by_letters(A x, B y) {
  constexpr axis_letters a = InA.where([](char l) { return InB.has(l) || To.has(l); });
  constexpr axis_letters b = InB.where([](char l) { return InA.has(l) || To.has(l); });
  constexpr contraction_letters letters{a, b, To};
  const auto left = summed<InA, a>(x);
  const auto right = summed<InB, b>(y);
  if constexpr (letters.inner().count == 0) {
    // No axis that both have is summed: a product of elements, which fuses.
    constexpr axis_letters in_a = To.both_with(a), in_b = To.both_with(b);
    return reshaped_by<with_ones<in_a, To>>(arranged<a, in_a>(left)) * reshaped_by<with_ones<in_b, To>>(arranged<b, in_b>(right));
  } else if constexpr (letters.rows().count == 0 && letters.columns().count == 0) {
    // Matrices of one element: a sum of such products in one pass takes a tenth of the time. A narrow integer stays one.
    constexpr axis_letters kept = a.both_with(To);
    const auto products = left * arranged<b, a>(right);
    const auto total = arranged<kept, To>(summed<a, kept>(products));
    using T = typename decltype(products)::value_type;
    if constexpr (std::is_same_v<typename decltype(total)::value_type, T>)
      return total;
    else
      return astype<T>(total);
  } else if constexpr (letters.is_better_exchanged()) {
    return contracted<letters.exchanged()>(right, left);
  } else {
    return contracted<letters>(left, right);
  }
}

/// From operand K on: x, whose axes are Letters, is the product of those before.
template <class Text, int K, axis_letters Letters, operand_like X>
constexpr auto einsum_from(X x) {
  constexpr axis_letters kept = Letters.both_with(Text::value.result);
  return arranged<kept, Text::value.result>(summed<Letters, kept>(x));
}
template <class Text, int K, axis_letters Letters, operand_like X, operand_like Y, operand_like... Rest>
constexpr auto einsum_from(X x, Y y, Rest... rest) {
  constexpr axis_letters own = distinct(Text::value.operands[K]);
  constexpr auto is_needed = [](char l) {
    for (int k = K + 1; k < Text::value.count; ++k)
      if (Text::value.operands[k].has(l)) return true;
    return Text::value.result.has(l);
  };
  constexpr axis_letters both = Letters.both_with(own).where(is_needed), of_x = Letters.but(own).where(is_needed),
                         of_y = own.but(Letters).where(is_needed);
  if constexpr (both.count + of_x.count + of_y.count > max_rank) {
    raise<too_many_axes, in_function<"einsum">, shown<X>, shown<Y>>();
    return x;
  } else {
    constexpr axis_letters kept = sizeof...(Rest) == 0 ? Text::value.result : both + of_x + of_y;
    return einsum_from<Text, K + 1, kept>(product_by_letters<Letters, own, kept>(x, diagonal_of<Text::value.operands[K]>(y)),
                                          rest...);
  }
}

/// A letter that stands for two different extents; 0 if there is none.
template <class Text>
constexpr char letter_of_two_extents(const tensor_type* in) {
  for (int k = 0; k < Text::value.count; ++k)
    for (int i = 0; i < in[k].rank; ++i)
      for (int q = 0; q <= k; ++q)
        for (int j = 0; j < in[q].rank; ++j)
          if (Text::value.operands[q].at[j] == Text::value.operands[k].at[i] && in[q].extents[j] != in[k].extents[i])
            return Text::value.operands[k].at[i];
  return '\0';
}

template <fixed_string Letters, int... Ranks>
struct einsum_of {
  static constexpr einsum_text value = [] {
    constexpr int ranks[] = {Ranks...};
    return read_einsum(Letters.text, static_cast<int>(Letters.size), ranks, sizeof...(Ranks));
  }();
};

/// Whether operand k has as many axes as letters, for all k.
template <class Text, operand_like... X>
constexpr bool ranks_fit() {
  constexpr int ranks[] = {X::rank...};
  for (int k = 0; k < static_cast<int>(sizeof...(X)); ++k)
    if (ranks[k] != Text::value.operands[k].count) return false;
  return true;
}

template <class Text, operand_like... X>
constexpr char wrong_extent(X... x) {
  extent_table table;
  const tensor_type in[] = {[&](auto e) {
    if constexpr (evaluated<decltype(e)>)
      return e.described();
    else
      return decltype(e)::shape_type::value(table, dtype_of<typename decltype(e)::value_type>);
  }(x)...};
  return letter_of_two_extents<Text>(in);
}

template <class Text, operand_like X, operand_like... Rest>
constexpr auto einsum_checked(X x, Rest... rest) {
  return einsum_from<Text, 1, distinct(Text::value.operands[0])>(diagonal_of<Text::value.operands[0]>(x), rest...);
}

}  // namespace detail

/// Sums of products by letters, Einstein's convention: `einsum<"ij,jk->ik">(a, b)` is the matrix product. `einsum<"ii">(a)` is the
/// trace, `einsum<"bij->bji">(a)` a transpose. Each operand has a letter per axis; what the result does not name is summed. Without
/// an arrow the result names, in the order of the alphabet, the letters that occur once. `...` stands for the axes without a
/// letter, as in `einsum<"...ij,...jk->...ik">(a, b)`; the last of them are the same axes where operands have different numbers of
/// them, and the result names them too, without an arrow first. One letter is one extent: axes of extent 1 do not broadcast.
/// Operands are multiplied from left to right. Two that share a letter which is summed are one contraction, as `matmul` is, in
/// whatever order their axes and the result's are: none of them is transposed or copied for it. At most 8 operands.
template <fixed_string Letters, operand_like X, operand_like... Rest>
constexpr auto einsum(X x, Rest... rest) {
  using text = detail::einsum_of<Letters, X::rank, Rest::rank...>;
  constexpr reason failure = text::value.failure;
  if constexpr (failure != reason::none) {
    return detail::refusal<typename detail::reason_type<failure>::type, letter<text::value.letter>, in_function<"einsum">, shown<X>,
                           shown<Rest>...>(x, rest...);
  } else if constexpr (text::value.count != 1 + sizeof...(Rest)) {
    return detail::refusal<there_are_not_as_many_operands_as_lists_of_letters, in_function<"einsum">,
                           expected<number_of_operands<text::value.count>>, shown<X>, shown<Rest>...>(x, rest...);
  } else if constexpr (!detail::ranks_fit<text, X, Rest...>()) {
    return detail::refusal<an_operand_has_not_as_many_axes_as_letters, in_function<"einsum">, shown<X>, shown<Rest>...>(x, rest...);
  } else if constexpr (evaluated<X>) {
    const char wrong = detail::wrong_extent<text>(x, rest...);
    if (wrong != '\0') fail("einsum: the letter %c stands for two extents", detail::written(wrong));
    return detail::einsum_checked<text>(x, rest...);
  } else {
    constexpr char wrong = detail::wrong_extent<text>(X{}, Rest{}...);
    if constexpr (wrong != '\0')
      return detail::refusal<this_letter_stands_for_two_extents, letter<detail::written(wrong)>, in_function<"einsum">, shown<X>,
                             shown<Rest>...>(x, rest...);
    else
      return detail::einsum_checked<text>(x, rest...);
  }
}

}  // namespace etch
