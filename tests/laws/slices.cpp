// SPDX-License-Identifier: MIT
#include "compare.hpp"

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>

/// "A slice is Python's", against what CPython 3.11 says: `slice(begin, end, step).indices(n)` for every n up to 4, step in
/// -3 ... 3, begin and end in None, -6 ... 6.
namespace {

using namespace etch;

constexpr int most = 4, steps[] = {-3, -2, -1, 1, 2, 3}, places = 14, per_extent = 6 * places * places;

/// A letter per section, n outermost, then step, begin, end: 5 (first + 1) + count, from A to d.
constexpr char table[] =
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
    "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
    "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
    "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
    "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
    "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
    "GGGGGGFFFFFFFFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGGGGFFFFFFFF"
    "GGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFF"
    "GGGGGGFFFFFFFFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGGGGFFFFFFFF"
    "GGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFF"
    "GGGGGGFFFFFFFFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGGGGFFFFFFFF"
    "GGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFFGGGGGGFFFFFFFF"
    "GFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGG"
    "GFFFFFFFGGGGGGKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK"
    "GFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGG"
    "GFFFFFFFGGGGGGKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK"
    "GFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGGGFFFFFFFGGGGGG"
    "GFFFFFFFGGGGGGKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK"
    "LLLLLLKLKKKKKKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGGGFFFFFFFFFLLLLLLKLKKKKKK"
    "GGGGGFFFFFFFFFLLLLLLKLKKKKKKLLLLLLKLKKKKKKLLLLLLKLKKKKKKLLLLLLKLKKKKKKLLLLLLKLKKKKKKLLLLLLKLKKKKKK"
    "LLLLLLKLKKKKKKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGGGFFFFFFFFFLLLLLLKLKKKKKK"
    "GGGGGFFFFFFFFFLLLLLLKLKKKKKKLLLLLLKLKKKKKKLLLLLLKLKKKKKKLLLLLLKLKKKKKKLLLLLLKLKKKKKKLLLLLLKLKKKKKK"
    "MMMMMLKLKKKKKKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGGGFFFFFFFFFMMMMMLKLKKKKKK"
    "GGGGGFFFFFFFFFMMMMMLKLKKKKKKMMMMMLKLKKKKKKMMMMMLKLKKKKKKMMMMMLKLKKKKKKMMMMMLKLKKKKKKMMMMMLKLKKKKKK"
    "HFFFFFGFGHHHHHHFFFFFGFGHHHHHHFFFFFGFGHHHHHHFFFFFGFGHHHHHHFFFFFGFGHHHHHHFFFFFGFGHHHHHLKKKKKKKKLLLLL"
    "HFFFFFGFGHHHHHLKKKKKKKKLLLLLPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP"
    "GFFFFFGFGGGGGGGFFFFFGFGGGGGGGFFFFFGFGGGGGGGFFFFFGFGGGGGGGFFFFFGFGGGGGGGFFFFFGFGGGGGGLKKKKKKKKLLLLL"
    "GFFFFFGFGGGGGGLKKKKKKKKLLLLLPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP"
    "GFFFFFGFGGGGGGGFFFFFGFGGGGGGGFFFFFGFGGGGGGGFFFFFGFGGGGGGGFFFFFGFGGGGGGGFFFFFGFGGGGGGLKKKKKKKKLLLLL"
    "GFFFFFGFGGGGGGLKKKKKKKKLLLLLPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP"
    "QQQQQQPQQPPPPPAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGGFFFFFFFFFFLLLLLKKLKKKKKKQQQQQQPQQPPPPP"
    "GGGGFFFFFFFFFFLLLLLKKLKKKKKKQQQQQQPQQPPPPPQQQQQQPQQPPPPPQQQQQQPQQPPPPPQQQQQQPQQPPPPPQQQQQQPQQPPPPP"
    "RRRRQQPQQPPPPPAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGGFFFFFFFFFFLLLLLKKLKKKKKKRRRRQQPQQPPPPP"
    "GGGGFFFFFFFFFFLLLLLKKLKKKKKKRRRRQQPQQPPPPPRRRRQQPQQPPPPPRRRRQQPQQPPPPPRRRRQQPQQPPPPPRRRRQQPQQPPPPP"
    "SSSSRQPRQPPPPPAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGGFFFFFFFFFFMMMMLKKLKKKKKKSSSSRQPRQPPPPP"
    "GGGGFFFFFFFFFFMMMMLKKLKKKKKKSSSSRQPRQPPPPPSSSSRQPRQPPPPPSSSSRQPRQPPPPPSSSSRQPRQPPPPPSSSSRQPRQPPPPP"
    "IFFFFGHFGHIIIIIFFFFGHFGHIIIIIFFFFGHFGHIIIIIFFFFGHFGHIIIIIFFFFGHFGHIIIIMKKKKKLKKLMMMMQPPPPPPPPPQQQQ"
    "IFFFFGHFGHIIIIMKKKKKLKKLMMMMQPPPPPPPPPQQQQUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU"
    "HFFFFGGFGGHHHHHFFFFGGFGGHHHHHFFFFGGFGGHHHHHFFFFGGFGGHHHHHFFFFGGFGGHHHHLKKKKKLKKLLLLLQPPPPPPPPPQQQQ"
    "HFFFFGGFGGHHHHLKKKKKLKKLLLLLQPPPPPPPPPQQQQUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU"
    "GFFFFGGFGGGGGGGFFFFGGFGGGGGGGFFFFGGFGGGGGGGFFFFGGFGGGGGGGFFFFGGFGGGGGGLKKKKKLKKLLLLLQPPPPPPPPPQQQQ"
    "GFFFFGGFGGGGGGLKKKKKLKKLLLLLQPPPPPPPPPQQQQUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU"
    "WWWVVVUVVVUUUUAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGFFFFFFFFFFFLLLLKKKLKKKKKKQQQQQPPQQPPPPPWWWVVVUVVVUUUU"
    "GGGFFFFFFFFFFFLLLLKKKLKKKKKKQQQQQPPQQPPPPPWWWVVVUVVVUUUUWWWVVVUVVVUUUUWWWVVVUVVVUUUUWWWVVVUVVVUUUU"
    "WWWWVVUWVVUUUUAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGFFFFFFFFFFFLLLLKKKLKKKKKKRRRQQPPQQPPPPPWWWWVVUWVVUUUU"
    "GGGFFFFFFFFFFFLLLLKKKLKKKKKKRRRQQPPQQPPPPPWWWWVVUWVVUUUUWWWWVVUWVVUUUUWWWWVVUWVVUUUUWWWWVVUWVVUUUU"
    "YYYXWVUXWVUUUUAAAAAAAAAAAAAAAAAAAAAAAAAAAAGGGFFFFFFFFFFFMMMLKKKLKKKKKKSSSRQPPRQPPPPPYYYXWVUXWVUUUU"
    "GGGFFFFFFFFFFFMMMLKKKLKKKKKKSSSRQPPRQPPPPPYYYXWVUXWVUUUUYYYXWVUXWVUUUUYYYXWVUXWVUUUUYYYXWVUXWVUUUU"
    "JFFFGHIFGHIJJJJFFFGHIFGHIJJJJFFFGHIFGHIJJJJFFFGHIFGHIJJJNKKKKLMKKLMNNNRPPPPPQPPPQRRRVUUUUUUUUUUVVV"
    "JFFFGHIFGHIJJJNKKKKLMKKLMNNNRPPPPPQPPPQRRRVUUUUUUUUUUVVVZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ"
    "HFFFGGHFGGHHHHHFFFGGHFGGHHHHHFFFGGHFGGHHHHHFFFGGHFGGHHHHMKKKKLLKKLLMMMQPPPPPQPPPQQQQVUUUUUUUUUUVVV"
    "HFFFGGHFGGHHHHMKKKKLLKKLLMMMQPPPPPQPPPQQQQVUUUUUUUUUUVVVZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ"
    "HFFFGGGFGGGHHHHFFFGGGFGGGHHHHFFFGGGFGGGHHHHFFFGGGFGGGHHHLKKKKLLKKLLLLLQPPPPPQPPPQQQQVUUUUUUUUUUVVV"
    "HFFFGGGFGGGHHHLKKKKLLKKLLLLLQPPPPPQPPPQQQQVUUUUUUUUUUVVVZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ";
static_assert(sizeof table == (most + 1) * per_extent + 1);

struct expected_section {
  std::int64_t begin, end, step;  ///< as written
  int first, count;               ///< of n elements
};
/// Section k of those of n elements.
constexpr expected_section section_at(int n, int k) {
  const int begin = k / places % places, end = k % places;
  const char letter = table[n * per_extent + k];
  const int number = letter >= 'a' ? letter - 'a' + 26 : letter - 'A';
  return {begin == 0 ? from_start : begin - 7, end == 0 ? to_end : end - 7, steps[k / (places * places)], number / 5 - 1,
          number % 5};
}

std::string text(int n, const expected_section& s) {
  const auto place = [](std::int64_t p) { return p >= from_start ? std::string() : std::to_string(p); };
  return place(s.begin) + ":" + place(s.end) + ":" + std::to_string(s.step) + " of " + std::to_string(n);
}

constexpr int compiled_per_extent = 20;
/// Section number k of those that are compiled: all over the table.
template <int N>
constexpr expected_section compiled_section(int k) {
  return section_at(N, (k * 587 + N * 131) % per_extent);
}
template <int N, int K>
constexpr auto sliced(auto x) {
  constexpr expected_section s = compiled_section<N>(K);
  return slice(x, section<s.begin, s.end, s.step>);
}

/// 1, 2, 3, ...
template <int N>
xt::xtensor<float, 1> counting() {
  auto x = xt::xtensor<float, 1>::from_shape({N});
  for (std::size_t i = 0; i < N; ++i) x(i) = static_cast<float>(i + 1);
  return x;
}

template <int N>
void check(int k, const xt::xtensor<float, 1>& got, const char* by) {
  const expected_section s = compiled_section<N>(k);
  bool right = got.size() == static_cast<std::size_t>(s.count);
  for (int i = 0; right && i < s.count; ++i)
    right = got(static_cast<std::size_t>(i)) == static_cast<float>(s.first + i * s.step + 1);
  laws::check_that(right, text(N, s) + by);
}

template <int N, int... K>
void check_compiled(std::integer_sequence<int, K...>) {
  constexpr placeholder<"x", float, N> x;
  const auto values = counting<N>();
  session s(sliced<N, K>(x)...);
  const auto by_session = s.run(sliced<N, K>(x)..., x = values);
  const auto by_reference = reference::run(sliced<N, K>(x)..., x = values);
  const tensor<float, 1> now(values);
  (check<N>(K, std::get<K>(by_session), " by a session"), ...);
  (check<N>(K, std::get<K>(by_reference), " by the reference"), ...);
  (check<N>(K, laws::copied(sliced<N, K>(now)), " by an eager call"), ...);
}

/// The gradient of the squares of a section: twice what is in it, and 0 elsewhere; and once more, by the sum of that.
template <int N, int... K>
void check_gradients(std::integer_sequence<int, K...>) {
  constexpr placeholder<"x", float, N> x;
  constexpr auto squares = [](auto part) { return sum(part * part * part); };
  const auto values = counting<N>();
  const auto first = reference::run(gradient(squares(sliced<N, K>(x)), x)..., x = values);
  const auto second = reference::run(gradient(gradient(squares(sliced<N, K>(x)), x), x)..., x = values);
  const auto check = [&](int k, const xt::xtensor<float, 1>& once, const xt::xtensor<float, 1>& twice) {
    const expected_section s = compiled_section<N>(k);
    std::vector<float> slope(N, 0.f), curvature(N, 0.f);
    for (int i = 0; i < s.count; ++i) {
      const auto at = static_cast<std::size_t>(s.first + i * s.step);
      slope[at] = 3 * values(at) * values(at);
      curvature[at] = 6 * values(at);
    }
    laws::check_that(std::equal(slope.begin(), slope.end(), once.begin()), "gradient of " + text(N, s));
    laws::check_that(std::equal(curvature.begin(), curvature.end(), twice.begin()), "second gradient of " + text(N, s));
  };
  (check(K, std::get<K>(first), std::get<K>(second)), ...);
}

using all_compiled = std::make_integer_sequence<int, compiled_per_extent>;

}  // namespace

TEST_CASE("law: a section begins where Python's does, and has as many elements") {
  for (int n = 0; n <= most; ++n)
    for (int k = 0; k < per_extent; ++k) {
      const expected_section s = section_at(n, k);
      const bool right = slice.begin_of(n, s.begin, s.step) == s.first && slice.count_of(n, s.begin, s.end, s.step) == s.count;
      laws::check_that(right, text(n, s));
    }
}

TEST_CASE("law: what a session, the reference and an eager call slice is what Python slices") {
  check_compiled<0>(all_compiled{});
  check_compiled<1>(all_compiled{});
  check_compiled<2>(all_compiled{});
  check_compiled<3>(all_compiled{});
  check_compiled<4>(all_compiled{});
}

TEST_CASE("law: gradients of slices go back to where the elements came from") {
  check_gradients<1>(all_compiled{});
  check_gradients<3>(all_compiled{});
  check_gradients<4>(all_compiled{});
}

TEST_CASE("law: positions and steps far outside the axis are brought into it, as Python does") {
  constexpr placeholder<"x", float, 3> x;
  constexpr std::int64_t far = std::int64_t{1} << 60, lowest = std::numeric_limits<std::int64_t>::min();
  const auto values = counting<3>();
  const tensor<float, 1> now(values);
  const auto check = [&](auto of, const xt::xtensor<float, 1>& expected) {
    session s(of(x), gradient(sum(of(x)), x));
    const auto [got, slope] = s.run(of(x), gradient(sum(of(x)), x), x = values);
    CHECK(got == expected);
    CHECK(xt::sum(slope)() == static_cast<float>(expected.size()));
    CHECK(reference::run(of(x), x = values) == expected);
    CHECK(of(now).array() == expected);
  };
  check([](auto v) { return slice(v, section<-1, -5, -1>); }, {3, 2, 1});
  check([](auto v) { return slice(v, section<lowest, far>); }, {1, 2, 3});
  check([](auto v) { return slice(v, section<far, lowest, -1>); }, {3, 2, 1});
  check([](auto v) { return slice(v, section<1, to_end, far>); }, {2});
  check([](auto v) { return slice(v, section<1, to_end, lowest>); }, {2});
  check([](auto v) { return slice(v, section<0, to_end, -1>); }, {1});
  check([](auto v) { return slice(v, section<from_start, to_end, -1>); }, {3, 2, 1});
  check([](auto v) { return slice(v, section<-far, to_end, -far>); }, xt::xtensor<float, 1>::from_shape({0}));
}

TEST_CASE("law: a slice that needs more elements than a named extent has is refused by the reference as well") {
  constexpr placeholder<"x", float, any<"n">> x;
  constexpr auto part = slice(x, section<1, 6, 2>);
  constexpr auto rest = slice(x, section<3>);
  CHECK(reference::run(part, x = counting<6>()) == xt::xtensor<float, 1>{2, 4, 6});
  CHECK(reference::run(rest, x = counting<4>()) == xt::xtensor<float, 1>{4});
  CHECK_THROWS_AS(reference::run(part, x = counting<4>()), error);
  CHECK_THROWS_AS(reference::run(rest, x = counting<2>()), error);
}
