// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include <xtensor/xview.hpp>

#include <etch/etch.hpp>

#include "message_of.hpp"

// Steps whose type has a name, and what pointers that are given to a step mean.

using namespace etch::literals;

namespace {

using vector = xt::xtensor<float, 1>;
using matrix = xt::xtensor<float, 2>;

constexpr etch::placeholder<"x", float, 4> x;
constexpr etch::placeholder<"factor", float> factor;
constexpr etch::placeholder<"rows", float, etch::any<"n">, 3> rows;
constexpr etch::placeholder<"labels", std::int32_t, etch::any<"n">> labels;
constexpr auto scaled = etch::sum(x) * factor;

/// A class that knows nothing of the plan's types.
class model {
 public:
  float run(const float* values, float by) { return run_(values, &by); }

 private:
  etch::session<std::remove_const_t<decltype(scaled)>> session_{scaled};
  etch::step<float(const float*, const float*)> run_ = session_.bind(scaled, x = {0, 0, 0, 0}, factor = 0);
};

}  // namespace

TEST_SUITE("step") {
  TEST_CASE("a step is a member of a class, is moved, and is not copied") {
    using scalar_step = etch::step<float(const float*, const float*)>;
    static_assert(!std::is_copy_constructible_v<scalar_step> && !std::is_copy_assignable_v<scalar_step>);
    static_assert(std::is_nothrow_move_constructible_v<scalar_step> && std::is_nothrow_move_assignable_v<scalar_step>);
    static_assert(sizeof(scalar_step) == 3 * sizeof(void*));
    model m;
    const float one[] = {1, 2, 3, 4}, two[] = {5, 6, 7, 8};
    CHECK(m.run(one, 2) == 20);
    CHECK(m.run(two, 3) == 78);
    CHECK(m.run(one, 1) == 10);
    model other = std::move(m);
    CHECK(other.run(two, 1) == 26);
  }

  TEST_CASE("a small plan, which is run in place: pointers in the order of the feeds, also of the bound step itself") {
    static_assert(etch::cpu::backend::expands<
                  etch::compiled<etch::cpu::target, etch::list_of<scaled.hash>, etch::list_of<factor.hash, x.hash>>>);
    etch::session s(scaled);
    const vector a = {1, 2, 3, 4};
    vector b = {10, 20, 30, 40};
    const float two = 2, three = 3;
    auto bound = s.bind(scaled, factor = 5, x = a);
    CHECK(bound() == 50);
    CHECK(bound(&two, b.data()) == 200);
    b(0) = 110;
    CHECK(bound() == 400);  // they are read from now on
    CHECK(bound(&three, a.data()) == 30);
    etch::step<float(const float*, const float*)> step = std::move(bound);
    CHECK(step(&two, a.data()) == 20);
    CHECK(step(&two, b.data()) == 400);
    etch::step<float()> fixed = s.bind(scaled, factor = 5, x = a);
    CHECK(fixed() == 50);
  }

  TEST_CASE("a plan that is run from a table: products, parts of feeds, ops with a kernel of their own, extents that have names") {
    constexpr auto weights = etch::variable<"weights">(etch::ones(etch::shape<3, 2>{}));
    constexpr auto product = etch::matmul(rows, weights);
    constexpr auto rest = etch::slice(rows, etch::section<1>, etch::section<1>) * 2_c;
    constexpr auto sorted = etch::sort(rows, etch::axis<1>);
    constexpr auto counts = labels + etch::astype<std::int32_t>(etch::sum(rows, etch::axis<1>));
    static_assert(
        !etch::cpu::backend::expands<etch::compiled<etch::cpu::target, etch::list_of<product.hash>, etch::list_of<rows.hash>>>);
    etch::session s(product, rest, sorted, counts);
    s.initialize();
    const matrix a = {{3, 2, 1}, {6, 5, 4}}, b = {{7, 9, 8}, {12, 10, 11}};
    const xt::xtensor<std::int32_t, 1> c = {100, 200}, d = {300, 400};
    const matrix of_a[] = {{{6, 6}, {15, 15}}, {{10, 8}}, {{1, 2, 3}, {4, 5, 6}}};
    const matrix of_b[] = {{{24, 24}, {33, 33}}, {{20, 22}}, {{7, 8, 9}, {10, 11, 12}}};
    auto bound = s.bind(product, rest, sorted, counts, labels = c, rows = a);
    const auto check = [](const auto& got, const matrix* expected, const xt::xtensor<std::int32_t, 1>& sums) {
      CHECK(std::get<0>(got) == expected[0]);
      CHECK(std::get<1>(got) == expected[1]);
      CHECK(std::get<2>(got) == expected[2]);
      CHECK(std::get<3>(got) == sums);
    };
    check(bound(), of_a, {106, 215});
    check(bound(c.data(), b.data()), of_b, {124, 233});
    check(bound(d.data(), a.data()), of_a, {306, 415});
    check(bound(), of_a, {306, 415});
    etch::step<std::tuple<const matrix&, std::span<const float>, const matrix&, std::span<const std::int32_t>>(const std::int32_t*,
                                                                                                               const float*)>
        step = std::move(bound);
    const auto [p, r, o, n] = step(d.data(), b.data());
    CHECK(p == of_b[0]);
    CHECK(std::vector<float>(r.begin(), r.end()) == std::vector<float>{20, 22});
    CHECK(o == of_b[2]);
    CHECK(std::vector<std::int32_t>(n.begin(), n.end()) == std::vector<std::int32_t>{324, 433});
    CHECK(&std::get<0>(step(c.data(), a.data())) == &p);
    CHECK(p == of_a[0]);
  }

  TEST_CASE("whatever was bound, pointers are to as many contiguous elements: views, converted arrays, temporaries, braces") {
    const auto total = etch::sum(rows, etch::axis<0>);
    etch::session s(total);
    const xt::xtensor<float, 2> wide = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    const xt::xtensor<float, 2, xt::layout_type::column_major> columns = {{1, 2, 3}, {5, 6, 7}};
    const float two_rows[] = {10, 20, 30, 1, 2, 3};
    const vector before = {6, 8, 10}, after = {11, 22, 33};
    const auto check = [&](auto bound) {
      CHECK(bound() == before);
      CHECK(bound(two_rows) == after);
      CHECK(bound() == after);
    };
    check(s.bind(total, rows = xt::view(wide, xt::all(), xt::range(0, 3))));
    check(s.bind(total, rows = columns));
    check(s.bind(total, rows = matrix{{1, 2, 3}, {5, 6, 7}}));
    check(s.bind(total, rows = {{1, 2, 3}, {5, 6, 7}}));
    check(s.bind(total, rows = std::vector<float>{1, 2, 3, 5, 6, 7}));
  }

  TEST_CASE("a node is fed, a feed is fetched, one is not needed, and one has no elements") {
    const auto twice = rows * 2_c;
    const auto y = etch::sum(twice);
    etch::session s(y, rows, scaled);
    const matrix none = xt::ones<float>({0, 3}), some = {{1, 2, 3}}, more = {{4, 5, 6}};
    etch::step<float(const float*, const float*)> of_node = s.bind(y, twice = some, factor = 1);
    CHECK(of_node(some.data(), nullptr) == 6);
    CHECK(of_node(more.data(), nullptr) == 15);
    etch::step<std::span<const float>(const float*)> fetched = s.bind(rows, rows = some);
    CHECK(fetched(more.data())[2] == 6);
    CHECK(more(0, 2) == 6);
    etch::step<float(const float*)> empty = s.bind(y, rows = none);
    CHECK(empty(nullptr) == 0);
    CHECK(empty(some.data()) == 0);
  }

  TEST_CASE("elements of each dtype; integers of the same size by any of their names") {
    constexpr etch::placeholder<"flags", bool, 3> flags;
    constexpr etch::placeholder<"bytes", std::uint8_t, 3> bytes;
    constexpr etch::placeholder<"large", std::int64_t, 3> large;
    const auto y = etch::where(flags, etch::astype<std::int64_t>(bytes), large);
    etch::session s(y);
    const bool which[] = {true, false, true};
    const unsigned char small[] = {1, 2, 3};
    const long long numbers[] = {-1, -2, -3};
    etch::step<std::span<const std::int64_t>(const bool*, const unsigned char*, const long long*)> step =
        s.bind(y, flags = {false, false, false}, bytes = {0, 0, 0}, large = {0, 0, 0});
    const auto r = step(which, small, numbers);
    CHECK(std::vector<std::int64_t>(r.begin(), r.end()) == std::vector<std::int64_t>{1, -2, 3});
  }

  TEST_CASE("variables are assigned, results ignored; a step outlives its session") {
    const auto w = etch::variable<"w">(etch::zeros(etch::shape<4>{}));
    const auto add = etch::assign_add(w, x);
    const float ones[] = {1, 1, 1, 1}, tens[] = {10, 20, 30, 40};
    etch::step<void(const float*)> step;
    etch::step<const vector&()> read;
    {
      etch::session s(add, w);
      s.initialize();
      step = s.bind(add, x = {0, 0, 0, 0});
      read = s.bind(w);
      step(ones);
      step(tens);
      CHECK(s.get(w) == vector{11, 21, 31, 41});
      s.close();
    }
    step(ones);
    CHECK(read() == vector{12, 22, 32, 42});
  }

  TEST_CASE("what trains gives its loss alone, and trains on what it is pointed at") {
    const auto w = etch::variable<"w">(etch::full(etch::shape<>{}, 1_c));
    const auto loss = etch::square(w * factor - 1_c);
    const auto train = etch::optimizers::sgd(0.125_c).minimize(loss);
    etch::session s(loss, train);
    s.initialize();
    etch::step<float(const float*)> step = s.bind(loss, train, factor = 0);
    const float two = 2, none = 0;
    CHECK(step(&two) == 1);  // (2 w - 1)^2 with w = 1, whose gradient is 4 (2 w - 1) = 4
    CHECK(s.get(w) == 0.5f);
    CHECK(step(&none) == 1);  // its gradient is 0
    CHECK(s.get(w) == 0.5f);
    CHECK(step(&two) == 0);
    etch::step<void(const float*)> silent = s.bind(train, factor = 0);
    silent(&two);
    CHECK(s.get(w) == 0.5f);
  }

  TEST_CASE("random draws go on from call to call, as those of any step") {
    const auto noisy = etch::random_uniform<"noise">(etch::shape<4>{}) + x;
    etch::session first(noisy), second(noisy);
    first.initialize(7);
    second.initialize(7);
    const vector zero = {0, 0, 0, 0};
    etch::step<const vector&(const float*)> step = first.bind(noisy, x = zero);
    auto bound = second.bind(noisy, x = zero);
    const vector a = step(zero.data()), b = step(zero.data());
    CHECK(a != b);
    CHECK(a == bound());
    CHECK(b == bound());
    CHECK(first.random_state() == etch::random_state{7, 2});
  }

  TEST_CASE("a step that is empty, that has been moved from, and a null pointer: etch::error, and nothing is changed") {
    etch::session s(scaled, rows + 1_c);
    const float ones[] = {1, 1, 1, 1}, two = 2;
    etch::step<float(const float*, const float*)> empty;
    CHECK(message_of([&] { empty(ones, &two); }) == "step: nothing is bound to it");
    auto bound = s.bind(scaled, x = {1, 2, 3, 4}, factor = 1);
    etch::step<float(const float*, const float*)> step = std::move(bound);
    CHECK(message_of([&] { bound(ones, &two); }) == "step: it has been moved from");
    etch::step<float(const float*, const float*)> other = std::move(step);
    CHECK(message_of([&] { step(ones, &two); }) == "step: it has been moved from");
    CHECK(other(ones, &two) == 8);
    CHECK(message_of([&] { other(ones, nullptr); }) == "step: the pointer for feed \"factor\" is null");
    CHECK(other(ones, &two) == 8);
    step = std::move(other);
    CHECK(step(ones, &two) == 8);
    CHECK(message_of([&] { other(ones, &two); }) == "step: it has been moved from");
    empty = std::move(bound);  // of what has been moved from
    CHECK(message_of([&] { empty(ones, &two); }) == "step: it has been moved from");
    auto named = s.bind(rows + 1_c, rows = {{1, 2, 3}});
    CHECK(message_of([&] { named(static_cast<const float*>(nullptr)); }) == "step: the pointer for feed \"rows\" is null");
    CHECK(named() == matrix{{2, 3, 4}});
    auto in_place = s.bind(scaled, x = {1, 2, 3, 4}, factor = 1);
    CHECK(message_of([&] { in_place(ones, static_cast<const float*>(nullptr)); }) ==
          "step: the pointer for feed \"factor\" is null");
    CHECK(in_place() == 10);
  }
}
