// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/control.hpp>
#include <etch/function.hpp>
#include <etch/thread_pool.hpp>
#include <etch/trace.hpp>

// Steps that are run block by block of their rows, beside the same rows alone, of which there are too few for that (under 288, or under 512 KiB
// in all): to the last bit, on any number of threads.

namespace {

using namespace etch;
using namespace etch::literals;

template <class T>
xt::xtensor<T, 3> numbers(std::size_t stacks, std::size_t rows, std::size_t width, unsigned seed) {
  auto x = xt::xtensor<T, 3>::from_shape({stacks, rows, width});
  for (std::size_t i = 0; i < x.size(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    x.data()[i] = static_cast<T>(static_cast<int>(seed >> 20) - 2048) / T(1024);
  }
  return x;
}
/// Stacks [s, s + n) of it, or of its only one rows [s, s + n).
template <class T>
xt::xtensor<T, 3> part_of(const xt::xtensor<T, 3>& x, std::size_t s, std::size_t n) {
  const bool of_rows = x.shape(0) == 1;
  const std::size_t each = of_rows ? x.shape(2) : x.shape(1) * x.shape(2);
  auto part = xt::xtensor<T, 3>::from_shape({of_rows ? 1 : n, of_rows ? n : x.shape(1), x.shape(2)});
  std::copy_n(x.data() + s * each, n * each, part.data());
  return part;
}
/// Whether it has the elements of whole from stack, or row, s on.
template <class A>
bool is_part(const A& part, const A& whole, std::size_t s) {
  const std::size_t each = whole.shape(0) == 1 ? whole.size() / whole.shape(1) : whole.size() / whole.shape(0);
  return std::memcmp(part.data(), whole.data() + s * each, part.size() * sizeof(*part.data())) == 0;
}

template <class T, int Width, int Keys, int Values>
struct of_one_matrix {
  static constexpr placeholder<"q", T, 1, any<"rows">, Width> q{};
  static constexpr placeholder<"k", T, 1, Keys, Width> k{};
  static constexpr placeholder<"v", T, 1, Keys, Values> v{};
};
template <class T, int Rows, int Width, int Keys, int Values>
struct of_a_stack {
  static constexpr placeholder<"q", T, any<"stacks">, Rows, Width> q{};
  static constexpr placeholder<"k", T, any<"stacks">, Keys, Width> k{};
  static constexpr placeholder<"v", T, any<"stacks">, Keys, Values> v{};
};

/// All of q, k and v, and parts of so many stacks or rows. Rows are cut where tiles of 6 and of 8 rows end: the order of sums differs between
/// a whole tile and the last rows.
template <class Form, class T, class F>
void check(F f, const xt::xtensor<T, 3>& q, const xt::xtensor<T, 3>& k, const xt::xtensor<T, 3>& v, std::size_t few,
           std::int64_t most_bytes) {
  const auto y = f(Form::q, Form::k, Form::v);
  const bool of_rows = q.shape(0) == 1;
  const std::size_t count = of_rows ? q.shape(1) : q.shape(0);
  // In blocks; a part's steps are whole.
  CHECK(plan_of(y).workspace_bytes(static_cast<std::int64_t>(count)) < most_bytes);
  session s(y);
  const auto run = [&](const auto& queries, const auto& keys, const auto& values) {
    return s.run(y, Form::q = queries, Form::k = keys, Form::v = values);
  };
  const auto whole = run(q, k, v);
  for (std::size_t at = 0; at < count; at += few) {
    const std::size_t n = std::min(few, count - at);
    const auto part = of_rows ? run(part_of(q, at, n), k, v) : run(part_of(q, at, n), part_of(k, at, n), part_of(v, at, n));
    CHECK(is_part(part, whole, at));
  }
  for (const int workers : {2, 3, 7}) {
    thread_pool pool(workers);
    s.set_executor(&pool);
    CHECK(std::memcmp(run(q, k, v).data(), whole.data(), whole.size() * sizeof(T)) == 0);
    s.set_executor(nullptr);
  }
  auto bound = s.bind(y, Form::q = q, Form::k = k, Form::v = v);
  const auto& again = bound();
  CHECK(std::memcmp(again.data(), whole.data(), whole.size() * sizeof(T)) == 0);
}

constexpr auto plain = [](auto q, auto k, auto v) { return attention(q, k, v); };
constexpr auto slope = [](auto q, auto k, auto v) { return gradient(sum(square(attention(q, k, v))), q); };

}  // namespace

TEST_CASE("row blocks: attention of one matrix, whose rows are cut") {
  using form = of_one_matrix<float, 33, 1100, 20>;
  const auto q = numbers<float>(1, 701, 33, 1), k = numbers<float>(1, 1100, 33, 2), v = numbers<float>(1, 1100, 20, 3);
  check<form, float>(plain, q, k, v, 240, 2'200'000);
  check<form, float>(slope, q, k, v, 240, 4'600'000);
}

TEST_CASE("row blocks: NaN and infinities stay in their rows") {
  using form = of_one_matrix<float, 16, 1024, 16>;
  auto q = numbers<float>(1, 640, 16, 4);
  q(0, 3, 5) = std::numeric_limits<float>::quiet_NaN();
  q(0, 320, 0) = std::numeric_limits<float>::infinity();
  q(0, 639, 15) = -std::numeric_limits<float>::infinity();
  check<form, float>(plain, q, numbers<float>(1, 1024, 16, 5), numbers<float>(1, 1024, 16, 6), 240, 2'000'000);
}

TEST_CASE("row blocks: doubles, and what lies behind attention") {
  using form = of_one_matrix<double, 32, 600, 32>;
  const auto q = numbers<double>(1, 600, 32, 7), k = numbers<double>(1, 600, 32, 8), v = numbers<double>(1, 600, 32, 9);
  check<form, double>(
      [](auto x, auto y, auto z) {
        const auto of_rows = attention(x, y, z) + x;
        return (of_rows - mean(of_rows, axis<2>, keep_dims)) * rsqrt(variance(of_rows, axis<2>, keep_dims) + 0.00001_c);
      },
      q, k, v, 240, 2'500'000);
}

TEST_CASE("row blocks: stacks of whole matrices, and of matrices whose rows are cut") {
  const auto q = numbers<float>(61, 100, 24, 10), k = numbers<float>(61, 100, 24, 11), v = numbers<float>(61, 100, 8, 12);
  check<of_a_stack<float, 100, 24, 100, 8>, float>(plain, q, k, v, 3, 1'300'000);
  check<of_a_stack<float, 100, 24, 100, 8>, float>(slope, q, k, v, 3, 1'500'000);
  check<of_a_stack<float, 300, 24, 400, 8>, float>(plain, numbers<float>(5, 300, 24, 13), numbers<float>(5, 400, 24, 14),
                                                   numbers<float>(5, 400, 8, 15), 1, 1'500'000);
}

TEST_CASE("row blocks: what another step reads is whole, and what it wrote is there") {
  constexpr placeholder<"x", float, 800, 16> x;
  constexpr placeholder<"w", float, 16, 900> w;
  constexpr placeholder<"u", float, 900, 16> u;
  constexpr auto state = etch::variable<"state">(etch::zeros(etch::shape<800, 900>{}));
  constexpr auto scores = matmul(x, w);
  constexpr auto weights = softmax(scores + state);
  constexpr auto y = matmul(weights, u);
  constexpr auto column_sums = sum(weights, axis<0>);
  constexpr auto kept = assign(state, weights * 0.5_c);
  static_assert(plan_of(y).workspace_bytes < 2'000'000);
  const auto flat = [](const auto& a) { return xt::xtensor<float, 2>(xt::reshape_view(a, {a.shape(1), a.shape(2)})); };
  const auto a = flat(numbers<float>(1, 800, 16, 16)), b = flat(numbers<float>(1, 16, 900, 17)),
             c = flat(numbers<float>(1, 900, 16, 18));
  const auto same_bits = [](const auto& m, const auto& n) {
    return std::memcmp(m.data(), n.data(), m.size() * sizeof(float)) == 0;
  };
  session alone(y);
  session all(y, scores, weights, column_sums, kept);
  all.initialize();
  session apart(column_sums, kept);
  thread_pool pool(2);
  for (int turn = 0; turn < 3; ++turn) {
    all.set_executor(turn == 1 ? &pool : nullptr);
    alone.set(state, all.get(state));
    apart.set(state, all.get(state));
    const auto y_alone = alone.run(y, x = a, w = b, u = c);
    const auto sums = apart.run(column_sums, x = a, w = b);
    apart.run(kept, x = a, w = b);
    const auto [y_all, scores_all, weights_all, sums_all, kept_all] =
        all.run(y, scores, weights, column_sums, kept, x = a, w = b, u = c);
    CHECK(same_bits(y_all, y_alone));
    CHECK(same_bits(sums_all, sums));
    CHECK(same_bits(all.get(state), apart.get(state)));
  }
}

namespace {

/// As layers of several heads have it: (batch, time, heads, width), whose axes a product reads in another order.
constexpr auto heads = [](auto x) { return transpose(x, axis<0, 2, 1, 3>); };
constexpr auto many_heads = [](auto q, auto k, auto v) { return heads(attention(heads(q), heads(k), heads(v))); };
constexpr auto slopes_of_heads = [](auto q, auto k, auto v) {
  const auto loss = sum(square(many_heads(q, k, v)));
  return gradient(loss, q) + gradient(loss, k) * 2_c + gradient(loss, v) * 3_c;
};
template <int Time, int Heads>
struct of_heads {
  template <fixed_string Name>
  static constexpr placeholder<Name, float, any<"batch">, Time, Heads, 16> array{};
};

template <int Time, int Heads, class F>
void check_heads(F f, std::size_t batch, std::int64_t most_bytes) {
  using form = of_heads<Time, Heads>;
  constexpr auto q = form::template array<"q">;
  constexpr auto k = form::template array<"k">;
  constexpr auto v = form::template array<"v">;
  const auto y = f(q, k, v);
  CHECK(plan_of(y).workspace_bytes(static_cast<std::int64_t>(batch)) < most_bytes);
  session s(y);
  const auto fed = [&](std::size_t first, std::size_t n, unsigned seed) {
    const auto all = numbers<float>(batch, Time, Heads * 16, seed);
    return xt::xtensor<float, 4>(
        xt::reshape_view(part_of(all, first, n), {n, std::size_t{Time}, std::size_t{Heads}, std::size_t{16}}));
  };
  const auto run = [&](std::size_t first, std::size_t n) {
    return s.run(y, q = fed(first, n, 20), k = fed(first, n, 21), v = fed(first, n, 22));
  };
  const auto whole = run(0, batch);
  for (std::size_t i = 0; i < batch; i += 5) CHECK(is_part(run(i, 1), whole, i));
  for (const int workers : {2, 3}) {
    thread_pool pool(workers);
    s.set_executor(&pool);
    CHECK(std::memcmp(run(0, batch).data(), whole.data(), whole.size() * sizeof(float)) == 0);
    s.set_executor(nullptr);
  }
}

}  // namespace

TEST_CASE("row blocks: several heads, whole matrices and rows") {
  check_heads<70, 3>(many_heads, 41, 1'700'000);
  check_heads<300, 2>(many_heads, 6, 2'000'000);
  check_heads<70, 3>(slopes_of_heads, 41, 5'000'000);
}

TEST_CASE("row blocks: plans that are run in place have none; too large ones are refused by their whole size") {
  constexpr placeholder<"a", double, 32768, 2, 1> a;
  constexpr placeholder<"b", double, 32768, 1, 2> b;
  constexpr auto y = matmul(matmul(a, b), a);
  static_assert(plan_of(y).workspace_bytes >= 32768 * 4 * 8);
  session s(y);
  const auto ones = [](std::size_t m, std::size_t n) {
    return xt::xtensor<double, 3>(xt::ones<double>({std::size_t{32768}, m, n}));
  };
  const auto r = s.run(y, a = ones(2, 1), b = ones(1, 2));
  CHECK(std::all_of(r.begin(), r.end(), [](double x) { return x == 2; }));

  using form = of_a_stack<float, 100, 24, 100, 8>;
  constexpr placeholder<"n", float, any<"s">, any<"r">, 8> n;
  constexpr placeholder<"k", float, any<"s">, 40, 8> keys;
  CHECK_THROWS_AS(plan_of(attention(n, keys, keys)).workspace_bytes(std::int64_t{1} << 32, std::int64_t{1} << 32), error);
  CHECK(plan_of(attention(form::q, form::k, form::v)).workspace_bytes(50) > 0);
}

TEST_CASE("row blocks: in a loop, and as one step of a traced run") {
  constexpr placeholder<"x", float, 400, 20> x;
  constexpr placeholder<"keys", float, 1400, 20> keys;
  constexpr placeholder<"values", float, 1400, 20> values;
  constexpr auto once = [=](auto queries) { return etch::tanh(attention(queries, keys, values)); };
  constexpr auto thrice = for_range<3>([=](auto, auto queries) { return once(queries); }, x);
  static_assert(plan_of(thrice).workspace_bytes < 2'100'000);
  const auto matrix = [](std::size_t rows, unsigned seed) {
    return xt::xtensor<float, 2>(xt::reshape_view(numbers<float>(1, rows, 20, seed), {rows, std::size_t{20}}));
  };
  const auto a = matrix(400, 30), k = matrix(1400, 31), v = matrix(1400, 32);
  constexpr auto y = once(x);
  session s(y);
  session looped(thrice);
  auto expected = a;
  for (int turn = 0; turn < 3; ++turn) expected = s.run(y, x = expected, keys = k, values = v);
  CHECK(looped.run(thrice, x = a, keys = k, values = v) == expected);
  thread_pool pool(3);
  looped.set_executor(&pool);
  CHECK(looped.run(thrice, x = a, keys = k, values = v) == expected);

  run_metadata run;
  traced_run(s, run, y, x = a, keys = k, values = v);
  REQUIRE(run.steps.size() == 1);
  CHECK(run.steps[0].flops > 2 * 2 * 400 * 1400 * 20);
}

TEST_CASE("row blocks: two in one plan in both orders, beside draws, in functions, eagerly, in several threads' runs") {
  constexpr placeholder<"x", float, 3, 320, 16> x;
  constexpr placeholder<"z", float, 3, 320, 16> z;
  constexpr auto first = attention(x, z, z);
  constexpr auto second = attention(z, x, z, causal);
  constexpr auto drawn = matmul(dropout<"drawn">(softmax(matmul(x, matrix_transpose(z))), 0.5_c), z);
  const auto a = numbers<float>(3, 320, 16, 40), b = numbers<float>(3, 320, 16, 41);
  session alone(first);
  session both(first, second, drawn);
  both.initialize(7);
  const auto expected = alone.run(first, x = a, z = b);
  const auto [one, two] = both.run(first, second, x = a, z = b);
  const auto [two_again, one_again] = both.run(second, first, x = a, z = b);
  const auto state = both.random_state();
  const auto [draws, beside] = both.run(drawn, first, x = a, z = b);
  both.set_random_state(state);
  CHECK((one == expected && one_again == expected && beside == expected && two == two_again));
  CHECK(both.run(drawn, x = a, z = b) == draws);

  const tensor<float, 3> p = a, q = b;
  function f([](auto m, auto n) { return attention(m, n, n); });
  for (const tensor<float, 3>& r : {f(p, q), attention(p, q, q)}) CHECK(std::equal(r.data(), r.data() + r.size(), expected.data()));
  int wrong[4] = {};
  std::vector<std::thread> threads;
  for (int& w : wrong) threads.emplace_back([&] { w += alone.run(first, x = a, z = b) == expected ? 0 : 1; });
  for (std::thread& t : threads) t.join();
  CHECK(wrong[0] + wrong[1] + wrong[2] + wrong[3] == 0);
}
