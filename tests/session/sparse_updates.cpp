// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/schedule/print.hpp>
#include <etch/thread_pool.hpp>

// Sums with the gradients of gathers, and variables that are changed where they lie, beside loops by hand.

namespace {

using namespace etch;
using namespace etch::literals;

constexpr std::size_t rows = 1000, width = 3, count = 6;
constexpr placeholder<"ids", std::int32_t, 6> ids;
constexpr placeholder<"others", std::int32_t, 6> others;
constexpr placeholder<"u", float, 6, 3> u;
constexpr auto table = variable<"table">(random_uniform<"start">(shape<1000, 3>{}));

using matrix = xt::xtensor<float, 2>;
/// The first twice, and what is outside is clamped.
const xt::xtensor<std::int32_t, 1> some_ids = {4, 7, 4, -3, 9999, 4}, other_ids = {0, 1, 2, 10, 1, 7};

matrix numbers(std::size_t first, float step, float from) {
  matrix m = xt::zeros<float>({first, width});
  for (std::size_t i = 0; i < m.size(); ++i) m.data()[i] = from + step * static_cast<float>(i % 13);
  return m;
}
const matrix start = numbers(rows, 0.25f, -1), updates = numbers(count, 0.5f, -2);

/// t, with `factor` times rows added to it.
matrix added(matrix t, const xt::xtensor<std::int32_t, 1>& at, const matrix& rows_to_add, float factor) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(std::min(std::max(at(i), 0), static_cast<std::int32_t>(rows) - 1));
    for (std::size_t j = 0; j < width; ++j) t(row, j) += factor * rows_to_add(i, j);
  }
  return t;
}
void check_near(const matrix& got, const matrix& expected) {
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got.data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-5));
}
template <class... Fetches>
auto table_session(Fetches... fetches) {
  etch::session s(fetches...);
  s.initialize();
  s.set(table, start);
  return s;
}
/// Whether a plan has no array as large as the table of its own.
template <class Plan>
constexpr bool is_sparse(const Plan&) {
  return Plan::arena_bytes < static_cast<std::int64_t>(rows * width * sizeof(float));
}

constexpr auto scattered = scatter_add(zeros<float>(shape<1000, 3>{}), ids, u);

}  // namespace

TEST_CASE("a sum with a sparse array is the array with updates added") {
  constexpr placeholder<"a", float, 1000, 3> a;
  const auto check = [&](auto y, float factor) {
    etch::session s(y);
    check_near(s.run(y, a = start, ids = some_ids, u = updates), added(start, some_ids, updates, factor));
    static_assert(is_sparse(plan_of(y, a, ids, u)));
  };
  check(a + scattered, 1);
  check(scattered + a, 1);
  check(a - scattered, -1);
  check(a - 0.5_c * scattered, -0.5f);
  check(a + scattered * 2_c * -3_c, -6);
  check(a - 0.5_c * (scattered * 4_c), -2);
  constexpr auto twice = scattered + 3_c * scatter_add(zeros<float>(shape<1000, 3>{}), others, u);
  constexpr auto y = a - 2_c * twice;
  etch::session s(y);
  check_near(s.run(y, a = start, ids = some_ids, others = other_ids, u = updates),
             added(added(start, some_ids, updates, -2), other_ids, updates, -6));
  constexpr auto z = scattered - a;
  check_near(s.run(-z, a = start, ids = some_ids, u = updates), added(start, some_ids, updates, -1));
}

TEST_CASE("what else needs the sparse array still has it, and broadcasts stay") {
  constexpr placeholder<"a", float, 1000, 3> a;
  constexpr auto y = a - 0.5_c * scattered;
  constexpr auto z = scattered * scattered;
  constexpr placeholder<"row", float, 3> row;
  constexpr auto broadcast = row + scattered;
  constexpr auto of_two = scattered - scatter_add(zeros<float>(shape<1000, 3>{}), others, u);
  etch::session s(y, z, scattered, broadcast, of_two);
  const auto [got_y, got_z, got] = s.run(y, z, scattered, a = start, ids = some_ids, u = updates);
  const matrix dense = added(xt::zeros<float>({rows, width}), some_ids, updates, 1);
  check_near(got, dense);
  check_near(got_z, dense * dense);
  check_near(got_y, start - 0.5f * dense);
  const xt::xtensor<float, 1> some_row = {1, 2, 3};
  check_near(s.run(broadcast, row = some_row, ids = some_ids, u = updates), some_row + dense);
  check_near(s.run(of_two, ids = some_ids, others = other_ids, u = updates), added(dense, other_ids, updates, -1));
}

TEST_CASE("factors that 0 times are no 0 count for all elements") {
  constexpr placeholder<"a", float, 1000, 3> a;
  constexpr auto infinite = 1_c / zeros<float>(shape<>{});
  constexpr auto nan = 0_c / zeros<float>(shape<>{});
  constexpr auto y = a - infinite * scattered;
  constexpr auto z = a + nan * scattered;
  constexpr placeholder<"rate", float> rate;
  constexpr auto fed = a - rate * scattered;
  etch::session s(y, z, fed);
  const auto [got_y, got_z] = s.run(y, z, a = start, ids = some_ids, u = updates);
  const matrix got_fed = s.run(fed, a = start, ids = some_ids, u = updates, rate = std::numeric_limits<float>::infinity());
  // Row 5 has no update.
  for (std::size_t j = 0; j < width; ++j) {
    CHECK(std::isnan(got_y(5, j)));
    CHECK(std::isnan(got_z(5, j)));
    CHECK(std::isnan(got_fed(5, j)));
  }
  matrix with_infinity = updates;
  with_infinity(1, 0) = std::numeric_limits<float>::infinity();
  constexpr auto none = a - 0_c * scattered;
  const matrix got = etch::session(none).run(none, a = start, ids = some_ids, u = with_infinity);
  CHECK(std::isnan(got(7, 0)));
  CHECK(got(5, 0) == start(5, 0));
}

TEST_CASE("gradient descent on rows of a table changes the table where it lies") {
  constexpr placeholder<"target", float, 6, 3> target;
  constexpr auto looked_up = gather(table, ids, axis<0>);
  constexpr auto loss = sum(square(looked_up - target)) * 0.5_c;
  constexpr auto step = optimizers::sgd(0.1_c).minimize(loss);
  static_assert(is_sparse(plan_of(step, ids, target)));
  auto s = table_session(step, looked_up);
  // The rows that are looked up in the same run are those before the step.
  const auto before = s.run(looked_up, step, ids = some_ids, target = updates);
  matrix slope = updates;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(std::min(std::max(some_ids(i), 0), static_cast<std::int32_t>(rows) - 1));
    for (std::size_t j = 0; j < width; ++j) {
      CHECK(before(i, j) == start(row, j));
      slope(i, j) = start(row, j) - updates(i, j);
    }
  }
  check_near(s.get(table), added(start, some_ids, slope, -0.1f));
}

TEST_CASE("two look-ups of one table, momentum, and Adam") {
  constexpr auto loss = sum(gather(table, ids, axis<0>) * gather(table, others, axis<0>));
  constexpr auto step = optimizers::sgd(0.1_c).minimize(loss);
  static_assert(is_sparse(plan_of(step, ids, others)));
  auto s = table_session(step);
  s.run(step, ids = some_ids, others = other_ids);
  const auto row_of = [](const xt::xtensor<std::int32_t, 1>& at, std::size_t i) {
    return static_cast<std::size_t>(std::min(std::max(at(i), 0), static_cast<std::int32_t>(rows) - 1));
  };
  matrix of_ids = updates, of_others = updates;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < width; ++j) {
      of_ids(i, j) = start(row_of(other_ids, i), j);
      of_others(i, j) = start(row_of(some_ids, i), j);
    }
  check_near(s.get(table), added(added(start, some_ids, of_ids, -0.1f), other_ids, of_others, -0.1f));

  constexpr auto linear = sum(gather(table, ids, axis<0>) * u);
  constexpr auto with_momentum = optimizers::momentum(0.1_c, 0.9_c).minimize(linear);
  auto m = table_session(with_momentum);
  const matrix g = added(xt::zeros<float>({rows, width}), some_ids, updates, 1);
  for (int i = 0; i < 2; ++i) m.run(with_momentum, ids = some_ids, u = updates);
  check_near(m.get(table), start - 0.1f * g - 0.1f * (1.9f * g));
  constexpr auto adam = optimizers::adam(0.1_c).minimize(linear);
  auto a = table_session(adam);
  a.run(adam, ids = some_ids, u = updates);
  const matrix got = a.get(table);
  for (std::size_t i = 0; i < g.size(); ++i) {
    const float direction = g.data()[i] > 0 ? 1.f : g.data()[i] < 0 ? -1.f : 0.f;
    CHECK(got.data()[i] == doctest::Approx(start.data()[i] - 0.1f * direction).epsilon(1e-4));
  }
}

TEST_CASE("a variable is changed where it lies only if nothing reads what is overwritten") {
  constexpr auto change = group(assign(table, scatter_add(table, ids, u)));
  constexpr auto before = table * 2_c;
  auto s = table_session(change, before);
  const matrix twice = s.run(before, change, ids = some_ids, u = updates);
  check_near(twice, 2.f * start);
  check_near(s.get(table), added(start, some_ids, updates, 1));

  // Updates that are rows of the table itself, and indices that are a part of a variable.
  constexpr auto own_rows = group(assign(table, scatter_add(table, ids, slice(table, section<0, 6>, section<>))));
  auto own = table_session(own_rows);
  own.run(own_rows, ids = some_ids);
  matrix first = updates;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < width; ++j) first(i, j) = start(i, j);
  check_near(own.get(table), added(start, some_ids, first, 1));

  // Twice in one run: the second reads what the first has written.
  constexpr auto once = assign(table, scatter_add(table, ids, u));
  constexpr auto again = group(once, assign(table, scatter_add(once, others, u)));
  auto both = table_session(again);
  both.run(again, ids = some_ids, others = other_ids, u = updates);
  check_near(both.get(table), added(added(start, some_ids, updates, 1), other_ids, updates, 1));

  // What is between two changes is needed.
  constexpr auto between = scatter_add(table, ids, u);
  constexpr auto changed = assign(table, scatter_add(between, others, u));
  auto needed = table_session(changed, between);
  const auto [got, changed_table] = needed.run(between, changed, ids = some_ids, others = other_ids, u = updates);
  check_near(got, added(start, some_ids, updates, 1));
  check_near(changed_table, needed.get(table));
  check_near(needed.get(table), added(added(start, some_ids, updates, 1), other_ids, updates, 1));
}

TEST_CASE("a cache is written where it lies: rows replaced, elements along an axis") {
  constexpr placeholder<"at", std::int32_t, 1, 1> at;
  constexpr placeholder<"row", float, 1, 3> row;
  constexpr auto write = group(assign(table, scatter_nd(table, at, row)));
  static_assert(is_sparse(plan_of(write, at, row)));
  auto s = table_session(write);
  const matrix one = {{7, 8, 9}};
  s.run(write, at = {{3}}, row = one);
  matrix expected = start;
  for (std::size_t j = 0; j < width; ++j) expected(3, j) = one(0, j);
  CHECK(s.get(table) == expected);

  constexpr placeholder<"columns", std::int32_t, 1000, 1> columns;
  constexpr placeholder<"values", float, 1000, 1> values;
  constexpr auto add_one = group(assign(table, add_along_axis(table, columns, values, axis<1>)));
  auto t = table_session(add_one);
  xt::xtensor<std::int32_t, 2> each = xt::zeros<std::int32_t>({rows, std::size_t{1}});
  xt::xtensor<float, 2> ones = xt::ones<float>({rows, std::size_t{1}});
  for (std::size_t i = 0; i < rows; ++i) each(i, 0) = static_cast<std::int32_t>(i % width);
  thread_pool pool(3);
  t.set_executor(&pool);
  t.run(add_one, columns = each, values = ones);
  expected = start;
  for (std::size_t i = 0; i < rows; ++i) expected(i, i % width) += 1;
  CHECK(t.get(table) == expected);
}

TEST_CASE("a loop changes a table in each of its iterations") {
  constexpr auto change = for_range<3>(
      [](auto i, auto sum_so_far) {
        const auto scale = astype<float>(i) + 1_c;
        return sum_so_far + sum(assign(table, scatter_add(table, ids, u * scale)));
      },
      zeros<float>(shape<>{}));
  auto s = table_session(change);
  s.run(change, ids = some_ids, u = updates);
  check_near(s.get(table), added(start, some_ids, updates, 6));
}

TEST_CASE("named extents, and no indices") {
  constexpr placeholder<"at", std::int64_t, any<"n">> at;
  constexpr placeholder<"g", double, any<"n">, 3> g;
  constexpr placeholder<"t", double, any<"rows">, 3> t;
  constexpr auto y = t - 0.5_c * gradient(sum(gather(t, at, axis<0>) * g), t);
  etch::session s(y);
  const xt::xtensor<double, 2> values = {{1, 2, 3}, {4, 5, 6}};
  const xt::xtensor<double, 2> two = {{2, 2, 2}, {4, 4, 4}};
  CHECK(s.run(y, t = values, at = {1, 1}, g = two) == xt::xtensor<double, 2>{{1, 2, 3}, {1, 2, 3}});
  const xt::xtensor<double, 2> nothing = xt::zeros<double>({0, 3});
  CHECK(s.run(y, t = values, at = xt::xtensor<std::int64_t, 1>::from_shape({0}), g = nothing) == values);
}
