// SPDX-License-Identifier: MIT
#include "differences.hpp"
#include "modes.hpp"

/// Elements chosen by integers along any axis, along an axis one by one, and by position: results of NumPy (`take`,
/// `take_along_axis`, `add.at`, indexing by arrays), clamping, dtypes and strides as by the reference, gradients as differences.
namespace {

using namespace etch;
using laws::check_described;
using laws::check_equal;
using laws::check_gradients;
using laws::described;
using laws::weighted;
using laws::where::on_reference;
using matrix = xt::xtensor<double, 2>;

constexpr placeholder<"block", double, any<"a">, any<"b">, any<"c">> block;
constexpr placeholder<"x", double, any<"n">, any<"m">> x;
constexpr placeholder<"i", std::int64_t, any<"k">, any<"l">> i;
constexpr placeholder<"at", std::int32_t, any<"p">, 2> at;
constexpr placeholder<"row", std::int32_t, any<"p">, 1> row;
constexpr placeholder<"u", double, any<"p">> u;
constexpr placeholder<"rows", double, any<"p">, any<"m">> rows;

const matrix numbers = {{3, 1, 2}, {6, 5, 4}};
const xt::xtensor<std::int32_t, 2> positions = {{1, 2}, {0, 0}, {1, 2}};
const xt::xtensor<double, 1> updates = {10, 1, -7};

template <expression F, expression Slot>
constexpr auto slope(F f, Slot slot) {
  return weighted(gradient(weighted(f), slot));
}
/// In a session and by the reference.
template <expression Y, class... Fed>
void check(Y y, const laws::expected& wanted, const char* what, const Fed&... fed) {
  session s(y);
  check_described(described(s.run(y, fed...)), wanted, 0, what);
  check_described(described(reference::run(y, fed...)), wanted, 0, what + std::string(" by the reference"));
}

}  // namespace

TEST_CASE("law: gather takes along any axis, as NumPy's take") {
  xt::xtensor<double, 3> b = xt::xtensor<double, 3>::from_shape({2, 3, 2});
  for (std::size_t k = 0; k < 12; ++k) b.data()[k] = static_cast<double>(k + 1);
  const xt::xtensor<std::int64_t, 2> indices = {{2, 0}, {1, 1}};
  const xt::xtensor<std::int32_t, 1> line = {1, 0, 1};
  constexpr placeholder<"line", std::int32_t, 3> three;
  constexpr placeholder<"one", std::uint8_t> one;
  const laws::expected middle = {{2, 2, 2, 2}, {5, 6, 1, 2, 3, 4, 3, 4, 11, 12, 7, 8, 9, 10, 9, 10}};
  const laws::expected last = {{2, 3, 3}, {2, 1, 2, 4, 3, 4, 6, 5, 6, 8, 7, 8, 10, 9, 10, 12, 11, 12}};
  check(gather(block, i, axis<1>), middle, "middle axis", block = b, i = indices);
  check(gather(block, three, axis<-1>), last, "last axis", block = b, three = line);
  check(gather(block, one, axis<0>), {{3, 2}, {7, 8, 9, 10, 11, 12}}, "a number", block = b, one = std::uint8_t(1));
  check(gather(block, one, axis<1>), {{2, 2}, {5, 6, 11, 12}}, "a number in the middle", block = b, one = std::uint8_t(2));
  check(gather(transpose(block), i, axis<1>), {{2, 2, 2, 2}, {5, 11, 1, 7, 3, 9, 3, 9, 6, 12, 2, 8, 4, 10, 4, 10}},
        "of a transposed one", block = b, i = indices);
  const xt::xtensor<std::int64_t, 2> outside = {{-1, 99}};
  check(gather(x, i, axis<1>), {{2, 1, 2}, {3, 2, 6, 4}}, "clamped", x = numbers, i = outside);
  const matrix none = matrix::from_shape({2, 0});
  check(gather(x, i, axis<1>), {{2, 1, 2}, {0, 0, 0, 0}}, "of nothing", x = none, i = outside);
  static_assert(decltype(gather(x, i))::hash == decltype(gather(x, i, axis<0>))::hash);
  check_described(described(gather(tensor<double, 3>(b), tensor<std::int64_t, 2>(indices), axis<1>)), middle, 0, "at once");
}

/// So many rows of a table, which are written by non-temporal stores.
template <int Columns>
void check_many_rows() {
  constexpr int height = 5000, count = 70000;
  static_assert(2 * count * Columns * sizeof(float) >= cpu::least_streamed_bytes);
  constexpr placeholder<"table", float, height, Columns> table;
  constexpr placeholder<"chosen", std::int32_t, count> chosen;
  xt::xtensor<float, 2> values = xt::xtensor<float, 2>::from_shape({height, Columns});
  for (std::size_t k = 0; k < values.size(); ++k) values.data()[k] = static_cast<float>(k);
  xt::xtensor<std::int32_t, 1> indices = xt::xtensor<std::int32_t, 1>::from_shape({count});
  for (std::size_t k = 0; k < count; ++k) indices(k) = static_cast<std::int32_t>(k * 7919 % (height + 2)) - 1;
  session s(gather(table, chosen));
  const xt::xtensor<float, 2> result = s.run(gather(table, chosen), table = values, chosen = indices);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::int32_t from = indices(k) < 0 ? 0 : indices(k) >= height ? height - 1 : indices(k);
    for (std::size_t c = 0; c < Columns; ++c)
      wrong += result.data()[k * Columns + c] != static_cast<float>(static_cast<std::size_t>(from) * Columns + c) ? 1 : 0;
  }
  CHECK(wrong == 0);
}
TEST_CASE("law: rows whose results are large are those of the table") {
  SUBCASE("of whole vectors") { check_many_rows<64>(); }
  SUBCASE("of parts of them") { check_many_rows<65>(); }
}

TEST_CASE("law: rows without elements are gathered and replaced as nothing, and what lies in memory beside them stays") {
  const xt::xtensor<double, 3> empty_rows = xt::xtensor<double, 3>::from_shape({2, 5, 0});
  const matrix empty = matrix::from_shape({5, 0}), none = matrix::from_shape({3, 0});
  const xt::xtensor<std::int64_t, 2> indices = {{2, 0, 1}};
  const xt::xtensor<std::int32_t, 2> some_rows = {{1}, {0}, {1}};
  check(gather(x, i), {{1, 3, 0}, {}}, "rows", x = empty, i = indices);
  check(gather(block, i, axis<1>), {{2, 1, 3, 0}, {}}, "rows of a middle axis", block = empty_rows, i = indices);
  check(gather_nd(x, row), {{3, 0}, {}}, "by position", x = empty, row = some_rows);
  check(scatter_nd(x, row, rows, add), {{5, 0}, {}}, "added by position", x = empty, row = some_rows, rows = none);
  check_described(described(gather(tensor<double, 2>(empty), tensor<std::int64_t, 2>(indices))), {{1, 3, 0}, {}}, 0, "at once");
  check_described(described(gather(tensor<double, 3>(empty_rows), tensor<std::int64_t, 2>(indices), axis<1>)), {{2, 1, 3, 0}, {}},
                  0, "of a middle axis at once");
  // The table's address is that of elements, and the result's that of what else the program keeps.
  constexpr auto kept = sort(u);
  constexpr auto sums = sort(kept * 2_c + sum(sort(gather(x, i), axis<0>))) + kept;
  const xt::xtensor<double, 1> elements = {0.5, 0.25, 0.125};
  const double beside[] = {-1.75, -1.75};
  const auto table = xt::adapt(beside + 1, 0, xt::no_ownership(), std::array<std::size_t, 2>{5, 0});
  check(sums, {{3}, {0.375, 0.75, 1.5}}, "beside others", x = table, i = indices, u = elements);
}

TEST_CASE("law: take_along_axis and add_along_axis give NumPy's results") {
  const xt::xtensor<std::int64_t, 2> indices = {{2, 0}, {1, 1}}, across = {{1, 0, 1}};
  constexpr placeholder<"per_row", std::int64_t, any<"n">, any<"k">> per_row;
  constexpr placeholder<"per_column", std::int64_t, any<"k">, any<"m">> per_column;
  check(take_along_axis(x, per_row, axis<1>), {{2, 2}, {2, 3, 5, 5}}, "rows", x = numbers, per_row = indices);
  check(take_along_axis(x, per_column, axis<0>), {{1, 3}, {6, 1, 4}}, "columns", x = numbers, per_column = across);
  constexpr placeholder<"more", double, any<"n">, any<"k">> more;
  const matrix added = {{10, 20}, {30, 40}};
  check(add_along_axis(x, per_row, more, axis<-1>), {{2, 3}, {23, 1, 12, 6, 75, 4}}, "added", x = numbers, per_row = indices,
        more = added);
  const xt::xtensor<std::int64_t, 2> outside = {{-5, 7}, {3, 0}};
  check(take_along_axis(x, per_row, axis<1>), {{2, 2}, {3, 2, 4, 6}}, "clamped", x = numbers, per_row = outside);
  const tensor<double, 2> now(numbers);
  check_described(described(take_along_axis(now, tensor<std::int64_t, 2>(indices), axis<1>)), {{2, 2}, {2, 3, 5, 5}}, 0, "at once");
  check_described(described(add_along_axis(now, tensor<std::int64_t, 2>(indices), tensor<double, 2>(added), axis<1>)),
                  {{2, 3}, {23, 1, 12, 6, 75, 4}}, 0, "added at once");
}

TEST_CASE("law: gather_nd and scatter_nd give what NumPy's indexing by arrays gives") {
  const xt::xtensor<std::int32_t, 2> some_rows = {{1}, {0}, {1}}, one_row = {{1}, {1}};
  check(gather_nd(x, at), {{3}, {4, 3, 4}}, "elements", x = numbers, at = positions);
  check(gather_nd(x, row), {{3, 3}, {6, 5, 4, 3, 1, 2, 6, 5, 4}}, "rows", x = numbers, row = some_rows);
  check(scatter_nd(x, at, u), {{2, 3}, {1, 1, 2, 6, 5, -7}}, "replaced", x = numbers, at = positions, u = updates);
  check(scatter_nd(x, at, u, add), {{2, 3}, {4, 1, 2, 6, 5, 7}}, "added", x = numbers, at = positions, u = updates);
  check(scatter_nd(x, at, u, minimum), {{2, 3}, {1, 1, 2, 6, 5, -7}}, "smallest", x = numbers, at = positions, u = updates);
  check(scatter_nd(x, at, u, maximum), {{2, 3}, {3, 1, 2, 6, 5, 10}}, "largest", x = numbers, at = positions, u = updates);
  const matrix two = {{1, 2, 3}, {7, 8, 9}};
  check(scatter_nd(x, row, rows), {{2, 3}, {3, 1, 2, 7, 8, 9}}, "rows replaced", x = numbers, row = one_row, rows = two);
  const xt::xtensor<std::int32_t, 2> outside = {{-1, 9}, {5, -3}};
  check(gather_nd(x, at), {{2}, {2, 6}}, "clamped", x = numbers, at = outside);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const xt::xtensor<double, 1> undefined = {nan, 1, 2};
  check(scatter_nd(x, at, u, maximum), {{2, 3}, {3, 1, 2, 6, 5, nan}}, "NaN", x = numbers, at = positions, u = undefined);
  const tensor<double, 2> now(numbers);
  const tensor<std::int32_t, 2> where_now(positions);
  check_described(described(gather_nd<2>(now, where_now)), {{3}, {4, 3, 4}}, 0, "elements at once");
  check_described(described(scatter_nd<2>(now, where_now, tensor<double, 1>(updates), add)), {{2, 3}, {4, 1, 2, 6, 5, 7}}, 0,
                  "added at once");
  CHECK_THROWS_AS(gather_nd<1>(now, where_now), error);
}

TEST_CASE_TEMPLATE("law: indexing of every stride, by integers of several dtypes, is that of the reference", T, std::uint8_t,
                   std::int32_t, float) {
  constexpr placeholder<"v", T, any<"n">, any<"m">> v;
  constexpr placeholder<"bytes", std::int8_t, any<"n">, any<"k">> bytes;
  constexpr placeholder<"words", std::uint64_t, any<"k">, 2> words_;
  constexpr placeholder<"parts", T, any<"n">, any<"k">> parts;
  constexpr placeholder<"single", T, any<"k">> single;
  constexpr auto e =
      std::tuple(gather(v, bytes, axis<1>), gather(transpose(v), bytes, axis<1>), gather(flip(v), flip(bytes, axis<1>), axis<-1>),
                 take_along_axis(v, bytes, axis<1>), take_along_axis(flip(v), flip(bytes), axis<1>),
                 take_along_axis(transpose(v), transpose(bytes), axis<0>), add_along_axis(v, bytes, parts, axis<1>),
                 add_along_axis(transpose(v), transpose(bytes), transpose(parts), axis<0>), gather_nd(v, words_),
                 gather_nd(transpose(v), flip(words_)), scatter_nd(v, words_, single), scatter_nd(v, words_, flip(single), add),
                 scatter_nd(flip(v), words_, single, minimum), scatter_nd(v, flip(words_, axis<0>), single, maximum));
  std::apply(
      [&](auto... y) {
        session s(y...);
        std::mt19937 generator(51);
        for (const int n : {0, 1, 4, 600})
          for (const int m : {0, 1, 5})
            for (const int k : {0, 1, 6}) {
              const auto a = laws::random_array<T>(generator, n, m), b = laws::random_array<T>(generator, n, k);
              const auto c = laws::random_array<T>(generator, k);
              auto d = laws::random_array<std::int8_t>(generator, n, k);
              auto w = laws::random_array<std::uint64_t>(generator, k, 2);
              for (std::size_t q = 0; q < w.size(); ++q) w.data()[q] = q % 5 == 4 ? ~std::uint64_t{0} : w.data()[q] % 6;
              auto whole = a, more = b;
              auto one = c;
              if constexpr (std::is_floating_point_v<T>) {  // quarters, so that sums are exact in every order
                for (auto* z : {&whole, &more})
                  for (std::size_t q = 0; q < z->size(); ++q) z->data()[q] = std::rint(z->data()[q] * 4) / 4;
                for (std::size_t q = 0; q < one.size(); ++q) one.data()[q] = std::rint(one.data()[q] * 4) / 4;
              }
              check_equal(s.run(y..., v = whole, bytes = d, words_ = w, parts = more, single = one),
                          reference::run(y..., v = whole, bytes = d, words_ = w, parts = more, single = one),
                          "indexing of " + std::to_string(n) + " by " + std::to_string(m) + " at " + std::to_string(k));
            }
      },
      e);
}

TEST_CASE("law: gradients of indexing are central differences, of second order too, where positions repeat as well") {
  const matrix a = laws::numbers_between(-1.3, 1.2, 1, 2, 3);
  const xt::xtensor<double, 1> b = {0.5, -0.75, 1.5};
  const xt::xtensor<std::int64_t, 2> indices = {{2, 0}, {1, 1}};
  constexpr placeholder<"per_row", std::int64_t, any<"n">, any<"l">> per_row;
  constexpr auto picking =
      std::tuple(gather(x, i, axis<1>), gather(x * x, i, axis<0>), take_along_axis(x, per_row, axis<1>),
                 add_along_axis(x * x, per_row, take_along_axis(x, per_row, axis<1>), axis<1>), gather_nd(x, at));
  std::apply(
      [&](auto... y) {
        check_gradients("picked", std::tuple(weighted(y)...), std::tuple(x), std::tuple(a), i = indices, per_row = indices,
                        at = positions);
        check_gradients<on_reference>("picked, second order", std::tuple(slope(y, x)...), std::tuple(x), std::tuple(a), i = indices,
                                      per_row = indices, at = positions);
      },
      picking);
  constexpr auto scattered = std::tuple(scatter_nd(x * x, at, u * u), scatter_nd(x * x, at, u * u, add),
                                        scatter_nd(x, at, u, minimum), scatter_nd(x, at, u, maximum));
  std::apply(
      [&](auto... y) {
        check_gradients("scattered", std::tuple(weighted(y)...), std::tuple(x, u), std::tuple(a, b), at = positions);
        check_gradients<on_reference>("scattered, by x", std::tuple(weighted(gradient(weighted(y), x) * (x + sum(u * u)))...),
                                      std::tuple(x, u), std::tuple(a, b), at = positions);
        check_gradients<on_reference>("scattered, by the updates",
                                      std::tuple(weighted(gradient(weighted(y), u) * (u + sum(x * x)))...), std::tuple(x, u),
                                      std::tuple(a, b), at = positions);
      },
      scattered);
}

TEST_CASE("law: of updates that replace one element the last has the gradient, of equal extremes each its part") {
  constexpr placeholder<"two_by_three", double, 2, 3> two_by_three;
  constexpr placeholder<"three", std::int32_t, 3, 2> three;
  constexpr placeholder<"changed", double, 3> changed;
  const xt::xtensor<double, 1> equal_ones = {4, 1, 4};
  const matrix ones = {{1, 1, 1}, {1, 1, 4}};
  check(gradient(sum(scatter_nd(two_by_three, three, changed)), changed), {{3}, {0, 1, 1}}, "replaced", two_by_three = numbers,
        three = positions, changed = updates);
  check(gradient(sum(scatter_nd(two_by_three, three, changed)), two_by_three), {{2, 3}, {0, 1, 1, 1, 1, 0}}, "what is replaced",
        two_by_three = numbers, three = positions, changed = updates);
  check(gradient(sum(scatter_nd(two_by_three, three, changed, maximum) * 3_c), changed), {{3}, {1, 1.5, 1}}, "equal updates",
        two_by_three = ones, three = positions, changed = equal_ones);
  check(gradient(sum(scatter_nd(two_by_three, three, changed, maximum) * 3_c), two_by_three), {{2, 3}, {1.5, 3, 3, 3, 3, 1}},
        "equal elements", two_by_three = ones, three = positions, changed = equal_ones);
}

TEST_CASE("law: rows of any few bytes are gathered whole, near tables and far ones, and nothing beside them") {
  constexpr placeholder<"chosen_from", std::uint8_t, any<"n">, any<"m">> chosen_from;
  constexpr placeholder<"pages", std::uint8_t, 2, any<"n">, any<"m">> pages;
  constexpr placeholder<"choice", std::int32_t, any<"k">> choice;
  constexpr placeholder<"pairs", std::uint16_t, any<"k">, 2> pairs;
  constexpr auto chosen_rows = gather(chosen_from, choice);
  constexpr auto along = gather(pages, pairs, axis<1>);
  session s(chosen_rows, along);
  for (const std::size_t n : {1u, 7u, 40'000u})
    for (std::size_t m = 1; m <= 18; ++m) {
      CAPTURE(n);
      CAPTURE(m);
      xt::xtensor<std::uint8_t, 2> vchosen = xt::zeros<std::uint8_t>({n, m});
      xt::xtensor<std::uint8_t, 3> vpages = xt::zeros<std::uint8_t>({std::size_t{2}, n, m});
      for (std::size_t place = 0; place < vpages.size(); ++place)
        vpages.data()[place] = static_cast<std::uint8_t>(place * 7919 % 251);
      for (std::size_t place = 0; place < vchosen.size(); ++place)
        vchosen.data()[place] = static_cast<std::uint8_t>(place * 7907 % 241);
      const xt::xtensor<std::int32_t, 1> vchoice = {5, -3, 0, 6, 2, 39'999, 40'000, 1, 1, 20'000, 3};
      const xt::xtensor<std::uint16_t, 2> vpairs = {{4, 0}, {65'535, 1}, {6, 6}};
      const auto inside = [&](std::int64_t place) {
        return static_cast<std::size_t>(std::clamp<std::int64_t>(place, 0, static_cast<std::int64_t>(n) - 1));
      };
      const xt::xtensor<std::uint8_t, 2> got = s.run(chosen_rows, chosen_from = vchosen, choice = vchoice);
      const xt::xtensor<std::uint8_t, 4> paired = s.run(along, pages = vpages, pairs = vpairs);
      bool same = true;
      for (std::size_t j = 0; j < m; ++j) {
        for (std::size_t place = 0; place < vchoice.size(); ++place)
          same = same && got(place, j) == vchosen(inside(vchoice(place)), j);
        for (std::size_t p = 0; p < 2; ++p)
          for (std::size_t place = 0; place < 6; ++place)
            same = same && paired(p, place / 2, place % 2, j) == vpages(p, inside(vpairs(place / 2, place % 2)), j);
      }
      CHECK(same);
    }
}
