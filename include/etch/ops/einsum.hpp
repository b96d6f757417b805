// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/contraction.hpp>
#include <etch/ops/einsum_letters.hpp>
#include <etch/ops/triangle.hpp>

/// Sums of products over axes that letters name.
namespace etch {

namespace detail {

/// The axes in groups, each as one: the first `Single` axes by themselves, `First` as one, `Second` as one; of no axes one of
/// extent 1.
template <int Single, int First, int Second>
struct grouped {
  using where = rule_of<"einsum">;
  static constexpr tensor_type shape(inference& context, const tensor_type& x) {
    tensor_type r = x;
    r.rank = Single + 2;
    if (r.rank > max_rank) return context.fail(reason::too_many_axes, x);
    r.extents[Single] = r.extents[Single + 1] = 1;
    for (int i = 0; i < First; ++i) r.extents[Single] = context.extents.product(r.extents[Single], x.extents[Single + i]);
    for (int i = 0; i < Second; ++i)
      r.extents[Single + 1] = context.extents.product(r.extents[Single + 1], x.extents[Single + First + i]);
    return r;
  }
};

/// `Count` axes of extent 1 in front of axis `At`.
template <int At, int Count>
struct with_ones {
  using where = rule_of<"einsum">;
  static constexpr tensor_type shape(inference& context, const tensor_type& x) {
    tensor_type r = x;
    if (x.rank + Count > max_rank) return context.fail(reason::too_many_axes, x);
    r.rank += Count;
    for (int i = 0; i < r.rank; ++i) r.extents[i] = i < At ? x.extents[i] : i < At + Count ? 1 : x.extents[i - Count];
    return r;
  }
};

/// A product of groups with the axes that they were made of: the first `Single + First` of a, and of b those behind the first
/// `Single + Inner`.
template <int Single, int First, int Inner, operand_like P, operand_like A, operand_like B>
constexpr auto ungrouped(P product, A a, B b) {
  constexpr int second = B::rank - Single - Inner;
  if constexpr (First == 1 && second == 1) {
    return product;
  } else if constexpr (evaluated<P>) {
    tensor_type to = product.described();
    to.rank = 0;
    for (int i = 0; i < Single + First; ++i) to.extents[to.rank++] = a.extent(i);
    for (int i = Single + Inner; i < B::rank; ++i) to.extents[to.rank++] = b.extent(i);
    return evaluate_now(reshape, product, run_time_shape<Single + First + second>{to});
  } else {
    return [&]<int... I, int... J>(std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) {
      return reshape(product, etch::shape<extent_along<I>(typename A::shape_type{})...,
                                          extent_along<Single + Inner + J>(typename B::shape_type{})...>{});
    }(std::make_integer_sequence<int, Single + First>{}, std::make_integer_sequence<int, second>{});
  }
}

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
    const auto along_first = reshaped_by<with_ones<1, X::rank - first - 1>>(numbers_along<std::int32_t, first>(x));
    const auto along_second = reshaped_by<with_ones<1, X::rank - second - 1>>(numbers_along<std::int32_t, second>(x));
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

/// The product of a and b, summed along what is not in Kept. Its axes: those of both, those of a alone, those of b alone.
template <axis_letters InA, axis_letters InB, axis_letters Kept>
struct einsum_product {
  static constexpr axis_letters a = InA.where([](char l) { return InB.has(l) || Kept.has(l); });
  static constexpr axis_letters b = InB.where([](char l) { return InA.has(l) || Kept.has(l); });
  static constexpr axis_letters both = a.where([](char l) { return b.has(l) && Kept.has(l); });
  static constexpr axis_letters inner = a.where([](char l) { return b.has(l) && !Kept.has(l); });
  static constexpr axis_letters of_a = a.where([](char l) { return !b.has(l); });
  static constexpr axis_letters of_b = b.where([](char l) { return !a.has(l); });
  static constexpr bool fits = both.count + of_a.count + of_b.count <= max_rank;

  template <operand_like A, operand_like B>
  static constexpr auto of(A x, B y) {
    if constexpr (inner.count == 0) {
      // No axis that both have is summed: a product of elements, which fuses.
      return reshaped_by<with_ones<both.count + of_a.count, of_b.count>>(arranged<a, both + of_a>(summed<InA, a>(x))) *
             reshaped_by<with_ones<both.count, of_a.count>>(arranged<b, both + of_b>(summed<InB, b>(y)));
    } else {
      const auto left = arranged<a, both + of_a + inner>(summed<InA, a>(x));
      const auto right = arranged<b, both + inner + of_b>(summed<InB, b>(y));
      const auto product = matmul(reshaped_by<grouped<both.count, of_a.count, inner.count>>(left),
                                  reshaped_by<grouped<both.count, inner.count, of_b.count>>(right));
      return ungrouped<both.count, of_a.count, inner.count>(product, left, right);
    }
  }
};

/// From operand K on: x, whose axes are Letters, is the product of those before.
template <class Text, int K, axis_letters Letters, operand_like X>
constexpr auto einsum_from(X x) {
  return arranged<Letters.where([](char l) { return Text::value.result.has(l); }), Text::value.result>(
      summed<Letters, Letters.where([](char l) { return Text::value.result.has(l); })>(x));
}
template <class Text, int K, axis_letters Letters, operand_like X, operand_like Y, operand_like... Rest>
constexpr auto einsum_from(X x, Y y, Rest... rest) {
  constexpr axis_letters own = distinct(Text::value.operands[K]);
  constexpr axis_letters kept = (Letters + own.where([](char l) { return !Letters.has(l); })).where([](char l) {
    for (int k = K + 1; k < Text::value.count; ++k)
      if (Text::value.operands[k].has(l)) return true;
    return Text::value.result.has(l);
  });
  using product = einsum_product<Letters, own, kept>;
  if constexpr (!product::fits) {
    raise<too_many_axes, in_function<"einsum">, shown<X>, shown<Y>>();
    return x;
  } else {
    return einsum_from<Text, K + 1, product::both + product::of_a + product::of_b>(
        product::of(x, diagonal_of<Text::value.operands[K]>(y)), rest...);
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

/// Sums of products by letters, Einstein's convention: `einsum<"ij,jk->ik">(a, b)` is the matrix product, `einsum<"ii">(a)` the trace,
/// `einsum<"bij->bji">(a)` a transpose. Each operand has a letter per axis; what the result does not name is summed; without an arrow
/// the result names, in the order of the alphabet, the letters that occur once. `...` stands for the axes without a letter, as in
/// `einsum<"...ij,...jk->...ik">(a, b)`; the last of them are the same axes where operands have different numbers of them, and the
/// result names them too, without an arrow first. One letter is one extent: axes of extent 1 do not broadcast. Operands are
/// multiplied from left to right, by `matmul` where two share a letter that is summed. At most 8 operands.
template <fixed_string Letters, operand_like X, operand_like... Rest>
constexpr auto einsum(X x, Rest... rest) {
  using text = detail::einsum_of<Letters, X::rank, Rest::rank...>;
  constexpr reason failure = text::value.failure;
  if constexpr (failure != reason::none) {
    raise<typename detail::reason_type<failure>::type, letter<text::value.letter>, in_function<"einsum">, shown<X>,
          shown<Rest>...>();
    return detail::refused(x, rest...);
  } else if constexpr (text::value.count != 1 + sizeof...(Rest)) {
    raise<there_are_not_as_many_operands_as_lists_of_letters, in_function<"einsum">,
          expected<number_of_operands<text::value.count>>, shown<X>, shown<Rest>...>();
    return detail::refused(x, rest...);
  } else if constexpr (!detail::ranks_fit<text, X, Rest...>()) {
    raise<an_operand_has_not_as_many_axes_as_letters, in_function<"einsum">, shown<X>, shown<Rest>...>();
    return detail::refused(x, rest...);
  } else if constexpr (evaluated<X>) {
    const char wrong = detail::wrong_extent<text>(x, rest...);
    if (wrong != '\0') fail("einsum: the letter %c stands for two extents", detail::written(wrong));
    return detail::einsum_checked<text>(x, rest...);
  } else {
    constexpr char wrong = detail::wrong_extent<text>(X{}, Rest{}...);
    if constexpr (wrong != '\0') {
      raise<this_letter_stands_for_two_extents, letter<detail::written(wrong)>, in_function<"einsum">, shown<X>, shown<Rest>...>();
      return detail::refused(x, rest...);
    } else {
      return detail::einsum_checked<text>(x, rest...);
    }
  }
}

}  // namespace etch
