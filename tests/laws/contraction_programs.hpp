// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "modes.hpp"

/// Einsums of two operands against loops over their letters: in a session, by the reference and at once, for random extents
/// of all letters, 0 and 1 among them. Elements are small whole numbers, so that every order of summing gives the same.
namespace laws {

/// "ab,bc->ac".
struct einsum_letters {
  std::string_view a, b, result;
  constexpr einsum_letters(std::string_view text)
      : a(text.substr(0, text.find(','))), b(text.substr(a.size() + 1, text.find('-') - a.size() - 1)),
        result(text.substr(text.find('>') + 1)) {}
};

inline std::size_t place_of(std::string_view letters, const std::size_t* extent_of, const std::size_t* at) {
  std::size_t place = 0;
  for (const char l : letters) place = place * extent_of[l - 'a'] + at[l - 'a'];
  return place;
}
/// Adds each product of an element of a and one of b, over all places of the six letters a to f, to where it belongs.
template <class A, class B>
expected loops_over_letters(const einsum_letters& of, const std::size_t* extent_of, const A& a, const B& b) {
  expected r;
  std::size_t count = 1, places = 1;
  for (const char l : of.result) r.shape.push_back(extent_of[l - 'a']), count *= extent_of[l - 'a'];
  r.elements.resize(count);
  for (int l = 0; l < 6; ++l) places *= extent_of[l];
  for (std::size_t n = 0; n < places; ++n) {
    std::size_t at[6], rest = n;
    for (int l = 0; l < 6; rest /= extent_of[l++]) at[l] = rest % extent_of[l];
    r.elements[place_of(of.result, extent_of, at)] +=
        static_cast<double>(a.data()[place_of(of.a, extent_of, at)]) * static_cast<double>(b.data()[place_of(of.b, extent_of, at)]);
  }
  return r;
}

template <char Letter>
inline constexpr etch::fixed_string<2> letter_name = [] {
  constexpr char text[] = {Letter, '\0'};
  return etch::fixed_string<2>(text);
}();

/// A slot whose axes have letters' names.
template <etch::fixed_string Name, class T, etch::fixed_string Text, bool IsSecond>
constexpr auto slot_of_letters() {
  constexpr auto letters = [] { return IsSecond ? einsum_letters(Text.text).b : einsum_letters(Text.text).a; };
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return etch::placeholder<Name, T, etch::any<letter_name<letters()[I]>>...>{};
  }(std::make_index_sequence<letters().size()>{});
}

template <class T, std::size_t N>
xt::xtensor<T, N> whole_numbers(std::mt19937& generator, std::string_view letters, const std::size_t* extent_of) {
  typename xt::xtensor<T, N>::shape_type shape;
  for (std::size_t i = 0; i < N; ++i) shape[i] = extent_of[letters[i] - 'a'];
  xt::xtensor<T, N> x(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(static_cast<int>(generator() % 15) - 7);
  return x;
}

/// For so many draws of extents; of letters that the text has not the extent is 1.
template <etch::fixed_string Text, class T>
void check_einsum(unsigned seed, int draws = 8) {
  constexpr einsum_letters of(Text.text);
  constexpr auto a = slot_of_letters<"a", T, Text, false>();
  constexpr auto b = slot_of_letters<"b", T, Text, true>();
  constexpr auto y = etch::einsum<Text>(a, b);
  etch::session session(y);
  std::mt19937 generator(seed);
  for (int draw = 0; draw < draws; ++draw) {
    constexpr std::size_t extents[] = {1, 2, 3, 5, 17, 4, 0};
    std::size_t extent_of[6] = {1, 1, 1, 1, 1, 1};
    for (const char l : std::string(of.a) + std::string(of.b)) extent_of[l - 'a'] = extents[generator() % (draw < 5 ? 6 : 7)];
    const auto at_a = whole_numbers<T, of.a.size()>(generator, of.a, extent_of);
    const auto at_b = whole_numbers<T, of.b.size()>(generator, of.b, extent_of);
    const expected wanted = loops_over_letters(of, extent_of, at_a, at_b);
    std::string what = std::string(of.a) + "," + std::string(of.b) + "->" + std::string(of.result) + " of";
    for (const std::size_t e : extent_of) what += " " + std::to_string(e);
    check_described(described(session.run(y, a = at_a, b = at_b)), wanted, 0, what);
    check_described(described(etch::reference::run(y, a = at_a, b = at_b)), wanted, 0, what + " by the reference");
    check_described(described(etch::einsum<Text>(etch::tensor(at_a), etch::tensor(at_b))), wanted, 0, what + " at once");
  }
}

}  // namespace laws
