// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/eager.hpp>
#include <etch/tape.hpp>

// The code of docs/side_by_side.md, section "NumPy".

using namespace etch::literals;

TEST_CASE("side by side: 1. An array, its shape and one element") {
  const etch::tensor<float, 2> a = {{1, 2, 3}, {4, 5, 6}};
  const auto shape = a.shape();  // 2, 3
  const float last = a(1, -1);   // 6
  CHECK((shape[0] == 2 && shape[1] == 3));
  CHECK(last == 6);
}

TEST_CASE("side by side: 2. Arithmetic, element by element, with broadcasting") {
  const etch::tensor<float, 2> a = {{0, 1, 0}, {1, 0, 1}};
  const etch::tensor<float, 1> row = {1, 2, 3};
  const auto b = etch::exp(a) * 2.0f + row;
  CHECK(b(0, 0) == doctest::Approx(3));
  CHECK(b(1, 2) == doctest::Approx(2 * std::exp(1.0) + 3));
}

TEST_CASE("side by side: 3. Sums, means and places along an axis") {
  const etch::tensor<float, 2> a = {{1, 2, 3}, {4, 5, 6}};
  const auto all = etch::sum(a);                                     // 21
  const auto columns = etch::sum(a, etch::axis<0>);                  // [5. 7. 9.]
  const auto means = etch::mean(a, etch::axis<1>, etch::keep_dims);  // [[2.] [5.]]
  const auto places = etch::argmax(a, etch::axis<1>);                // [2 2]
  CHECK(all.item() == 21);
  CHECK((columns(0) == 5 && columns(1) == 7 && columns(2) == 9));
  CHECK((means(0, 0) == 2 && means(1, 0) == 5));
  CHECK((places(0) == 2 && places(1) == 2));
}

TEST_CASE("side by side: 4. Parts of an array") {
  const etch::tensor<float, 2> a = {{1, 2, 3}, {4, 5, 6}};
  const auto below = etch::slice(a, etch::section<1>);
  const auto every_second = etch::slice(a, etch::section<>, etch::section<etch::from_start, etch::to_end, 2>);
  const auto reversed = etch::flip(a, etch::axis<0>);
  CHECK((below.extent(0) == 1 && below(0, 0) == 4));
  CHECK((every_second.extent(1) == 2 && every_second(1, 1) == 6));
  CHECK(reversed(0, 0) == 4);
}

TEST_CASE("side by side: 5. Another shape, another order of axes") {
  const etch::tensor<float, 2> a = {{1, 2, 3}, {4, 5, 6}};
  const auto reshaped = etch::reshape(a, etch::shape<3, etch::inferred>{});
  const auto transposed = etch::transpose(a);
  const auto one_axis_more = etch::expand_dims(a, etch::axis<0>);
  CHECK((reshaped.extent(1) == 2 && reshaped(1, 0) == 3));
  CHECK(transposed(2, 1) == 6);
  CHECK(one_axis_more.rank == 3);
}

TEST_CASE("side by side: 6. Products of matrices") {
  const etch::tensor<float, 2> a = {{1, 2, 3}, {4, 5, 6}};
  const auto product = etch::matmul(a, etch::transpose(a));
  const auto by_letters = etch::einsum<"ij,kj->ik">(a, a);
  CHECK((product(0, 0) == 14 && product(0, 1) == 32 && product(1, 1) == 77));
  CHECK(by_letters(1, 0) == 32);
}

TEST_CASE("side by side: 7. Choosing by a condition") {
  const etch::tensor<float, 2> a = {{1, 2, 3}, {4, 5, 6}};
  const auto large = etch::where(a > 3, a, 0);
  const auto limited = etch::clip(a, 2, 5);
  const auto is_any_large = etch::reduce_any(a > 3);
  CHECK((large(0, 2) == 0 && large(1, 0) == 4));
  CHECK((limited(0, 0) == 2 && limited(1, 2) == 5));
  CHECK(is_any_large.item());
}

TEST_CASE("side by side: 8. Joining arrays") {
  const etch::tensor<float, 2> a = {{1, 2, 3}, {4, 5, 6}}, b = {{7, 8, 9}, {0, 0, 0}};
  const auto joined = etch::concat(etch::axis<0>, a, b);
  const auto stacked = etch::stack(etch::axis<0>, a, b);
  CHECK((joined.extent(0) == 4 && joined(2, 0) == 7));
  CHECK((stacked.rank == 3 && stacked(1, 0, 2) == 9));
}

TEST_CASE("side by side: 9. Sorting") {
  const etch::tensor<float, 1> v = {3, 1, 2};
  const auto sorted = etch::sort(v);    // [1. 2. 3.]
  const auto order = etch::argsort(v);  // [1 2 0]
  const auto [values, positions] = etch::top_k<2>(v);
  CHECK((sorted(0) == 1 && sorted(1) == 2 && sorted(2) == 3));
  CHECK((order(0) == 1 && order(1) == 2 && order(2) == 0));
  CHECK((values(0) == 3 && values(1) == 2 && positions(1) == 2));
}

TEST_CASE("side by side: 10. Rows by their numbers") {
  const etch::tensor<float, 2> table = {{1, 2}, {3, 4}, {5, 6}};
  const etch::tensor<std::int32_t, 1> ids = {2, 0, 2};
  const auto rows = etch::gather(table, ids);
  const auto ones = etch::one_hot<4>(ids);
  const auto sums = etch::cumsum(ids, etch::axis<0>);
  CHECK((rows(0, 0) == 5 && rows(1, 1) == 2 && rows(2, 1) == 6));
  CHECK((ones(0, 2) == 1 && ones(0, 0) == 0));
  CHECK((sums(0) == 2 && sums(2) == 4));
}
