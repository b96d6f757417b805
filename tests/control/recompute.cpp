// SPDX-License-Identifier: MIT
#include <etch/control.hpp>
#include <etch/function.hpp>
#include <etch/print.hpp>
#include <etch/tape.hpp>

#include "control/counted.hpp"
#include "laws/differences.hpp"

/// What gradients compute again: values, gradients and effects are those without it, and memory is less.
namespace {

using namespace etch;
using laws::check_gradients;
using laws::numbers_between;
using laws::weighted;

constexpr placeholder<"x", double, 3, 4> x;
constexpr placeholder<"w", double, 4, 4> w;
constexpr placeholder<"v", double, any<"n">> v;
constexpr placeholder<"seq", double, 3, 2, 4> seq;
constexpr placeholder<"h", double, 2, 4> h;
constexpr placeholder<"t", double> t;

constexpr auto block = [](auto a) { return a + etch::tanh(matmul(a, w)); };
const auto in = [] { return std::tuple(numbers_between(-1, 1, 1, 3, 4), numbers_between(-1, 1, 2, 4, 4)); };

/// An expression and its gradients are those of the same with `recompute`, to the last bit, in a session and in the reference.
template <class Y, class Z, class... Slot, class... Value>
void check_the_same(const std::string& what, Y y, Z z, std::tuple<Slot...>, const std::tuple<Value...>& values) {
  const auto all = [&](auto e, auto run) {
    const auto results = std::apply([&](const auto&... a) { return run(e, gradient(e, Slot{})..., (Slot{} = a)...); }, values);
    return std::apply([](const auto&... r) { return std::vector<std::vector<double>>{laws::elements(r)...}; }, results);
  };
  session s(y, gradient(y, Slot{})..., z, gradient(z, Slot{})...);
  const auto in_session = [&](const auto&... roots) { return s.run(roots...); };
  const auto by_reference = [](const auto&... roots) { return reference::run(roots...); };
  INFO(what);
  CHECK(all(y, in_session) == all(z, in_session));
  CHECK(all(y, by_reference) == all(z, by_reference));
}

constexpr placeholder<"argument", float> argument;
constexpr placeholder<"other", float> other;

/// A residual block with variables of its own.
template <int I>
struct residual {
  template <class H>
  constexpr auto operator()(H before) const {
    constexpr char text[] = {'b', static_cast<char>('a' + I), 0};
    constexpr fixed_string name(text);
    return before + nn::dense<name / "second", 32>(etch::relu(nn::dense<name / "first", 64>(before)));
  }
};
constexpr placeholder<"images", float, 512, 32> images;
/// Some of them, and the mean of squares.
constexpr int blocks = 6;
template <bool Again, int I = 0, class H>
constexpr auto deep(H before) {
  if constexpr (I == blocks)
    return mean(square(before));
  else if constexpr (Again)
    return deep<Again, I + 1>(recompute(residual<I>{}, before));
  else
    return deep<Again, I + 1>(residual<I>{}(before));
}
template <bool Again>
constexpr auto train = optimizers::sgd(literal<0.01>).minimize(deep<Again>(images));

}  // namespace

TEST_CASE("TAPE-06: memory of a deep network is one array a block, and one block's") {
  constexpr auto kept = plan_of(train<false>, images);
  constexpr auto again = plan_of(train<true>, images);
  constexpr std::int64_t of_block = 4 * 512 * 32, gradients = blocks * 4 * (2 * 32 * 64 + 32 + 64), packed = 800'000;
  // Kept are the block's result and, twice as large, what relu makes; with `recompute` the result, and the latter of one block at a time.
  static_assert(kept.arena_bytes >= blocks * 3 * of_block);
  static_assert(again.arena_bytes <= (blocks + 1) * of_block + gradients);
  static_assert(again.workspace_bytes <= again.arena_bytes + 4 * of_block + packed);
  session s(train<false>);
  session r(train<true>);
  s.initialize(3);
  r.initialize(3);
  xt::xtensor<float, 2> fed = xt::zeros<float>({512, 32});
  for (std::size_t i = 0; i < fed.size(); ++i) fed.data()[i] = static_cast<float>(i * 7919 % 1000) / 1000 - 0.5f;
  s.run(train<false>, images = fed);
  r.run(train<true>, images = fed);
  const auto expected = s.get<"ba/first/kernel">(), got = r.get<"ba/first/kernel">();
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got.data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-5));
}

TEST_CASE("TAPE-06: gradients are those without it, to the last bit, and central differences") {
  constexpr auto one = weighted(recompute(block, x));
  constexpr auto chain = weighted(recompute(block, recompute(block, recompute(block, x))));
  constexpr auto inner = [](auto a) { return etch::sin(recompute(block, a * 2_c)) * a; };
  constexpr auto nested = weighted(recompute(inner, recompute(inner, x)));
  constexpr auto plain_inner = [](auto a) { return etch::sin(block(a * 2_c)) * a; };
  check_the_same("one", weighted(block(x)), one, std::tuple(x, w), in());
  check_the_same("chain", weighted(block(block(block(x)))), chain, std::tuple(x, w), in());
  check_the_same("nested", weighted(plain_inner(plain_inner(x))), nested, std::tuple(x, w), in());
  check_gradients("of a chain", std::tuple(one, chain, nested), std::tuple(x, w), in());
}

TEST_CASE("TAPE-06: several arguments and results, captured values, literals, named extents") {
  constexpr auto scale = etch::exp(0.1_c * w);
  constexpr auto two = [=](auto a, auto b, auto c) {
    const auto p = etch::tanh(matmul(a, scale) * c);
    return std::tuple{p * b, 2_c, etch::sin(p) + mean(scale)};
  };
  constexpr auto loss = [](auto r) {
    const auto [p, q, s] = r;
    return weighted(p) * sum(q) + sum(s * s);
  };
  check_gradients("several", std::tuple(loss(recompute(two, x, x * x, literal<0.5>))), std::tuple(x, w), in());
  constexpr auto centred = [](auto a) { return etch::sin(a - mean(a)) * a; };
  check_gradients("a named extent", std::tuple(weighted(recompute(centred, recompute(centred, v)))), std::tuple(v),
                  std::tuple(numbers_between(-1, 1, 3, 7)));
  // One of the results is not asked for, and an argument is not read.
  constexpr auto first = std::get<0>(recompute([](auto a, auto) { return std::tuple{etch::sin(a), etch::cos(a)}; }, x, x * 2_c));
  check_gradients("one result", std::tuple(weighted(first)), std::tuple(x), std::tuple(std::get<0>(in())));
}

TEST_CASE("TAPE-06: in loops and branches, and these in it") {
  constexpr auto step = [](auto s, auto a) { return etch::tanh(matmul(s, w) + a * s); };
  constexpr auto plain = scan(step, h, seq);
  constexpr auto each = scan([=](auto s, auto a) { return recompute(step, s, a); }, h, seq);
  constexpr auto captured = scan([=](auto s, auto a) { return recompute([=](auto r) { return step(r, a); }, s); }, h, seq);
  constexpr auto whole = recompute([=](auto s, auto all) { return scan(step, s, all); }, h, seq);
  constexpr auto twice = scan(
      [=](auto s, auto a) {
        return recompute([=](auto r, auto b) { return scan([=](auto q, auto c) { return etch::sin(q * c) + r * a; }, r, b); }, s,
                         seq);
      },
      h, seq);
  const auto values =
      std::tuple(numbers_between(-1, 1, 4, 2, 4), numbers_between(-1, 1, 5, 3, 2, 4), numbers_between(-1, 1, 6, 4, 4));
  check_gradients("loops", std::tuple(weighted(each), weighted(captured), weighted(whole)), std::tuple(h, seq, w), values);
  check_gradients("a loop in it in a loop", std::tuple(weighted(twice)), std::tuple(h, seq),
                  std::tuple(std::get<0>(values), std::get<1>(values)));
  session s(weighted(plain), weighted(each), weighted(whole));
  const auto run = [&](auto e) { return s.run(e, h = std::get<0>(values), seq = std::get<1>(values), w = std::get<2>(values)); };
  CHECK(run(weighted(each)) == run(weighted(plain)));
  CHECK(run(weighted(whole)) == run(weighted(plain)));

  constexpr auto chosen = [](auto a) { return cond(t > 0_c, [=] { return etch::sin(a); }, [=] { return a * a * t; }); };
  constexpr auto branch_in_it = weighted(recompute(chosen, recompute(block, x)));
  constexpr auto it_in_branch = weighted(cond(t > 0_c, [=] { return recompute(block, x); }, [=] { return x * t; }));
  for (const double value : {0.7, -0.3})
    check_gradients("branches", std::tuple(branch_in_it, it_in_branch), std::tuple(x, t, w),
                    std::tuple(std::get<0>(in()), xt::xtensor<double, 0>(value), std::get<1>(in())));
}

TEST_CASE("TAPE-06: gradients of gradients") {
  constexpr auto y = weighted(recompute(block, recompute(block, x)));
  check_gradients("second order", std::tuple(weighted(gradient(y, x)), weighted(gradient(y, w))), std::tuple(x, w), in());
  // A gradient that the body itself takes.
  constexpr auto slope_inside = [](auto a) { return a - 0.1_c * gradient(sum(etch::sin(a * a)), a); };
  check_gradients("inside", std::tuple(weighted(recompute(slope_inside, recompute(slope_inside, x)))), std::tuple(x),
                  std::tuple(std::get<0>(in())));
}

TEST_CASE("TAPE-06: what it makes of its arguments is computed again, what of others is not") {
  constexpr auto of_argument = recompute([](auto p) { return etch::exp(counted(p)); }, argument);
  session s(of_argument, gradient(of_argument, argument));
  runs_of_counted = 0;
  CHECK(s.run(of_argument, argument = 0.5f) == doctest::Approx(std::exp(0.5)));
  CHECK(runs_of_counted == 1);
  const auto [value, to_a] = s.run(of_argument, gradient(of_argument, argument), argument = 0.5f);
  CHECK(to_a == value);
  CHECK(runs_of_counted == 3);

  constexpr auto of_other = recompute([=](auto p) { return etch::exp(counted(other) * p); }, argument);
  session s2(of_other, gradient(of_other, argument));
  runs_of_counted = 0;
  s2.run(of_other, gradient(of_other, argument), argument = 0.5f, other = 2);
  CHECK(runs_of_counted == 1);
}

TEST_CASE("TAPE-06: draws are the same again") {
  constexpr auto dropped = [](auto a) { return etch::sin(dropout<"mask">(etch::sin(a), literal<0.4>)); };
  constexpr auto kept = sum(dropped(x));
  constexpr auto again = sum(recompute(dropped, x));
  session s(kept, again, gradient(kept, x), gradient(again, x));
  s.initialize(5);
  const auto state = s.random_state();
  const auto a = s.run(gradient(kept, x), x = std::get<0>(in()));
  s.set_random_state(state);
  CHECK(s.run(gradient(again, x), x = std::get<0>(in())) == a);
  CHECK(s.run(gradient(again, x), x = std::get<0>(in())) != a);
  // Nor are they kept: the arena has no place for a mask.
  constexpr auto forward = recompute(dropped, recompute([](auto p) { return p * p; }, x));
  static_assert(plan_of(gradient(sum(forward), x), x).arena_bytes <= 4 * 8 * 12 + 256);
}

TEST_CASE("TAPE-06, AG-06: assignments and prints happen once") {
  constexpr auto count = variable<"count">(literal<0>, not_trainable);
  constexpr auto body = [=](auto p) {
    const auto q = etch::sin(p);
    return after(q * p, assign_add(count, 1_c), print<"q {}">(sum(q)));
  };
  constexpr auto y = recompute(body, x);
  session s(y, gradient(sum(y), x), count);
  s.initialize();
  std::ostringstream lines;
  std::ostream* const before = print_to(&lines);
  s.run(y, gradient(sum(y), x), x = xt::zeros<double>({3, 4}));
  print_to(before);
  CHECK(s.get(count) == 1);
  CHECK(lines.str() == "q 0\n");
  CHECK(s.run(after(count * 10_c, y), x = xt::zeros<double>({3, 4})) == 20);
}

TEST_CASE("TAPE-06: training is that without it, with blocks of one body and in a traced function") {
  constexpr auto loss = [](auto again) {
    const auto body = [](auto scope, auto a) { return a + etch::tanh(nn::dense<scope / "dense", 4>(a)); };
    return mean(square(etch::repeat<3, "blocks">(
        [=](auto scope, auto a) {
          if constexpr (again.value)
            return recompute([=](auto b) { return body(scope, b); }, a);
          else
            return body(scope, a);
        },
        x)));
  };
  constexpr auto kept = optimizers::adam(0.1_c).minimize(loss(std::false_type{}));
  constexpr auto again = optimizers::adam(0.1_c).minimize(loss(std::true_type{}));
  session s(kept, loss(std::false_type{}));
  session r(again, loss(std::true_type{}));
  s.initialize(1);
  r.initialize(1);
  r.set<"blocks/dense/kernel">(s.get<"blocks/dense/kernel">());
  for (int i = 0; i < 3; ++i) {
    s.run(kept, x = std::get<0>(in()));
    r.run(again, x = std::get<0>(in()));
  }
  const auto expected_kernel = s.get<"blocks/dense/kernel">(), kernel = r.get<"blocks/dense/kernel">();
  for (std::size_t i = 0; i < kernel.size(); ++i)
    CHECK(kernel.data()[i] == doctest::Approx(expected_kernel.data()[i]).epsilon(1e-5));

  etch::function traced([](auto a, auto b) { return recompute([=](auto p) { return etch::tanh(matmul(p, b)); }, a); });
  const etch::tensor<double, 2> p = std::get<0>(in()), q = std::get<1>(in());
  etch::tape tape;
  tape.watch(p, q);
  const auto y = sum(square(traced(p, q)));
  const auto expected = sum(square(etch::tanh(matmul(p, q))));
  const auto [dp, dq] = tape.gradient(y, p, q);
  etch::tape another;
  another.watch(p, q);
  const auto [ep, eq] = another.gradient(sum(square(recompute([&](auto a) { return etch::tanh(matmul(a, q)); }, p))), p, q);
  CHECK(y.item() == doctest::Approx(expected.item()));
  for (int i = 0; i < 12; ++i) CHECK(dp.data()[i] == doctest::Approx(ep.data()[i]));
  for (int i = 0; i < 16; ++i) CHECK(dq.data()[i] == doctest::Approx(eq.data()[i]));
}
