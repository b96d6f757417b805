// SPDX-License-Identifier: MIT
#include <session/executors.hpp>

#include <etch/control.hpp>
#include <etch/print.hpp>

#include "differences.hpp"
#include "modes.hpp"

/// Contractions along any axes: what a plan has of them, operands that are views, gradients, threads.
namespace {

using namespace etch;
using laws::check_gradients;
using laws::weighted;

// One kernel for each product, and no copy: the arena has the result that the loss reads, or nothing.
constexpr placeholder<"x", float, 2, 3, 5, 4> heads;
constexpr placeholder<"w", float, 3, 4, 7> weights;
constexpr auto projected = einsum<"bhsd,hde->bse">(heads, weights);
constexpr auto projected_loss = sum(projected * projected);
static_assert(plan_of(projected, heads, weights).kernel_count == 1);
static_assert(plan_of(projected, heads, weights).arena_bytes == 0);
static_assert(plan_of(gradient(projected_loss, heads), heads, weights).kernel_count == 2);
static_assert(plan_of(gradient(projected_loss, weights), heads, weights).kernel_count == 2);
static_assert(plan_of(gradient(projected_loss, heads), heads, weights).arena_bytes == (2 * 5 * 7 * 4 + 63) / 64 * 64);
static_assert(plan_of(gradient(projected_loss, weights), heads, weights).arena_bytes == (2 * 5 * 7 * 4 + 63) / 64 * 64);

constexpr placeholder<"q", float, 2, 5, 3, 4> queries;
constexpr placeholder<"k", float, 2, 6, 3, 4> keys;
constexpr auto scores = einsum<"bqhd,bkhd->bhqk">(queries, keys);
constexpr auto scores_loss = sum(scores * scores);
static_assert(plan_of(scores, queries, keys).kernel_count == 1);
static_assert(plan_of(scores, queries, keys).arena_bytes == 0);
static_assert(plan_of(gradient(scores_loss, queries), queries, keys).kernel_count == 2);
static_assert(plan_of(gradient(scores_loss, keys), queries, keys).kernel_count == 2);
static_assert(plan_of(gradient(scores_loss, queries), queries, keys).arena_bytes == 2 * 3 * 5 * 6 * 4 + 48);
static_assert(plan_of(gradient(scores_loss, keys), queries, keys).arena_bytes == 2 * 3 * 5 * 6 * 4 + 48);

// A contraction that is a matrix product of transposed operands is one node with it.
constexpr placeholder<"m", float, 3, 4> m;
constexpr placeholder<"n", float, 5, 4> n;
constexpr auto twice = einsum<"ij,kj->ik">(m, n) * matmul(m, matrix_transpose(n));
static_assert(plan_of(twice, m, n).kernel_count == 1);
constexpr auto twice_the_scores = scores * matmul(transpose(queries, axis<0, 2, 1, 3>), transpose(keys, axis<0, 2, 3, 1>));
static_assert(plan_of(twice_the_scores, queries, keys).kernel_count == 1);

// The steps of a loop add nothing to a gradient of matrices that are not transposed either: one product sums over all of them.
constexpr placeholder<"steps", float, 10, 16, 8> steps;
constexpr placeholder<"state", float, 16, 8> state;
constexpr placeholder<"recurrent", float, 8, 8> recurrent;
constexpr auto last_state =
    scan([](auto h, auto input) { return etch::tanh(einsum<"bi,ji->bj">(h, recurrent) + input); }, state, steps);
static_assert(plan_of(gradient(sum(last_state), recurrent), steps, state, recurrent).kernel_count == 4);

constexpr placeholder<"a", double, 3, 4, 5> a;
constexpr placeholder<"b", double, 5, 4, 6> b;

const laws::expected& flipped_product() {
  static const laws::expected wanted = [] {
    laws::expected r{{3, 6}, std::vector<double>(18)};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 6; ++j)
        for (int p = 0; p < 4; ++p)
          for (int q = 0; q < 5; ++q)
            r.elements[static_cast<std::size_t>(6 * i + j)] += (20 * i + 5 * p + q - 7) * (24 * (4 - q) + 6 * (3 - p) + j - 3);
    return r;
  }();
  return wanted;
}

/// Counts of elements, row by row, from `first` on.
template <std::size_t N>
xt::xtensor<double, N> counted(const std::array<std::size_t, N>& shape, double first) {
  xt::xtensor<double, N> x(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = first + static_cast<double>(i);
  return x;
}

/// To the last bit with 1, 2, 3 and 7 workers, in whatever order their tasks come.
template <class Y, class X, class W>
void check_threads(Y y, const X& x, const W& w, const char* what) {
  laws::check_that(executors::shared(y, x(), w()) >= 0, what);
}

}  // namespace

TEST_CASE("law: a contraction reads views of its operands where they lie") {
  const xt::xtensor<double, 3> at_a = counted<3>({3, 4, 5}, -7), at_b = counted<3>({5, 4, 6}, -3);
  constexpr auto y = einsum<"abc,cbd->ad">(a, flip(b, axis<0, 1>));
  static_assert(plan_of(y, a, b).kernel_count == 1);
  session s(y);
  laws::check_described(laws::described(s.run(y, a = at_a, b = at_b)), flipped_product(), 0, "flipped");
  // Every second place of twice as many; one row for all of an axis; transposed twice.
  constexpr placeholder<"wide", double, 3, 8, 5> wide;
  xt::xtensor<double, 3> at_wide = xt::zeros<double>({3, 8, 5});
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t p = 0; p < 8; ++p)
      for (std::size_t q = 0; q < 5; ++q) at_wide(i, p, q) = p % 2 == 0 ? 1000 : at_a(i, p / 2, q);
  constexpr auto of_parts = einsum<"acb,cbd->ad">(
      transpose(slice(wide, section<0, 3>, section<1, 8, 2>, section<0, 5>), axis<0, 2, 1>), flip(b, axis<0, 1>));
  static_assert(plan_of(of_parts, wide, b).kernel_count == 1);
  session of_wide(of_parts);
  laws::check_described(laws::described(of_wide.run(of_parts, wide = at_wide, b = at_b)), flipped_product(), 0, "parts");
  constexpr placeholder<"row", double, 5> row;
  constexpr auto repeated = einsum<"abc,cbd->ad">(broadcast_to(row, shape<3, 4, 5>{}), b);
  static_assert(plan_of(repeated, row, b).kernel_count == 1);
  const xt::xtensor<double, 1> at_row = {1, -2, 3, -4, 5};
  laws::expected wanted{{3, 6}, std::vector<double>(18)};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t p = 0; p < 4; ++p)
        for (std::size_t q = 0; q < 5; ++q) wanted.elements[6 * i + j] += at_row(q) * at_b(q, p, j);
  session of_row(repeated);
  laws::check_described(laws::described(of_row.run(repeated, row = at_row, b = at_b)), wanted, 0, "repeated");
}

TEST_CASE("a graph shows the letters of a contraction: those of its result in order, those that it sums from i on") {
  CHECK(to_text(projected) ==
        "w = placeholder : float32[3, 4, 7]\n"
        "x = placeholder : float32[2, 3, 5, 4]\n"
        "tensor_contraction = tensor_contraction (aibj,ijc) x w : float32[2, 5, 7]\n"
        "fetch tensor_contraction\n");
}

TEST_CASE("law: gradients of contractions along any axes are central differences, of second order too") {
  constexpr placeholder<"x", double, 2, 3, 2, 2> x;
  constexpr placeholder<"w", double, 3, 2, 2> w;
  const auto at_x = laws::numbers_between(-1, 1, 1, 2, 3, 2, 2);
  const auto at_w = laws::numbers_between(-1, 1, 2, 3, 2, 2);
  constexpr auto f = std::tuple(einsum<"bhsd,hde->bse">(x, w), einsum<"abcd,bce->dea">(x, w), einsum<"abcd,bec->abe">(x, w),
                                einsum<"abcd,bdc->a">(x, w), einsum<"hde,bhsd->b">(w, x));
  std::apply(
      [&](auto... y) { check_gradients("contractions", std::tuple(weighted(y)...), std::tuple(x, w), std::tuple(at_x, at_w)); }, f);
  std::apply(
      [&](auto... y) {
        check_gradients<laws::where::on_reference>("contractions of second order",
                                                   std::tuple(weighted(gradient(weighted(y), w))...), std::tuple(x, w),
                                                   std::tuple(at_x, at_w));
      },
      f);
}

TEST_CASE("law: threads share a contraction along any axes, and it stays the same to the last bit") {
  const executors::fed<"x", float, 4, 6, 70, 32> x;
  const executors::fed<"w", float, 6, 32, 130> w;
  check_threads(einsum<"bhsd,hde->bse">(x.slot, w.slot), x, w, "a projection");
  check_threads(einsum<"bhsd,hdk->kbs">(x.slot, w.slot), x, w, "its transposed");
  const executors::fed<"q", float, 3, 70, 6, 17> q;
  const executors::fed<"k", float, 3, 65, 6, 17> k;
  check_threads(einsum<"bqhd,bkhd->bhqk">(q.slot, k.slot), q, k, "scores");
  check_threads(einsum<"bqhd,bkhd->bqkh">(q.slot, k.slot), q, k, "scores whose stack is last");
}
