// SPDX-License-Identifier: MIT
#include <nn/regression.hpp>

/// What any optimizer does beside its rule, as Keras does it, over 200 steps.
using namespace etch::literals;
using namespace regression;

namespace {
/// Keras has the limits in float.
constexpr double of_float = 1e-7;
}  // namespace

TEST_CASE("OPT: gradients are limited by value, by norm, by the norm of all") {
  check("clip_by_value", optimizers::adam(0.01_c).clip_by_value(0.05_c), of_float);
  check("clip_by_norm", optimizers::sgd(0.1_c).clip_by_norm(0.2_c), of_float);
  check("clip_by_global_norm", optimizers::sgd(0.1_c).clip_by_global_norm(0.3_c), of_float);
  check_step("clip_by_norm",
             optimizers::sgd(0.1_c).apply_gradients(optimizers::clip_by_norm(gradients(loss, kernel, bias), 0.2_c), kernel, bias),
             of_float);
  check_step(
      "clip_by_value",
      optimizers::adam(0.01_c).apply_gradients(optimizers::clip_by_value(gradients(loss, kernel, bias), 0.05_c), kernel, bias),
      of_float);
}
TEST_CASE("OPT: weights decay, but for those of some names") {
  check("weight_decay", optimizers::rmsprop(0.01_c).weight_decay(0.5_c, variables_not_named<"bias">));
  constexpr auto chosen = variables_not_named<"bias", "norm">;
  static_assert(!chosen.has("bias") && !chosen.has("a/bias") && !chosen.has("norm/scale") && !chosen.has("a/norm/scale"));
  static_assert(chosen.has("biases") && chosen.has("a/my_bias") && chosen.has("normal/scale") && chosen.has("a"));
}
TEST_CASE("OPT: a moving average of the weights, which is exchanged for them and back") {
  const auto optimizer = optimizers::sgd(0.1_c).moving_average(0.9_c);
  const auto train = optimizer.minimize(loss);
  const auto swap = optimizer.swap_averages(loss);
  session s(train, swap);
  start(s);
  for (int step = 0; step < 200; ++step) {
    const batch b(step);
    s.run(train, x = b.x, y = b.y);
    REQUIRE(agrees("moving_average", step + 1, s.get<"kernel/sgd/average">(), s.get<"bias/sgd/average">(), 1e-11));
    if (step % 50 == 9) {
      const auto trained = s.get(kernel), averaged = s.get<"kernel/sgd/average">();
      s.run(swap);
      CHECK(s.get(kernel) == averaged);
      CHECK(s.get<"kernel/sgd/average">() == trained);
      REQUIRE(agrees("moving_average", step + 1, s.get(kernel), s.get(bias), 1e-11));
      s.run(swap);
      CHECK(s.get(kernel) == trained);
    }
  }
}
TEST_CASE("OPT: the mean of several gradients is one step, and all state waits for it") {
  check("accumulate", optimizers::adam(0.02_c).accumulate(5_c));
  const auto train = optimizers::momentum(0.1_c).accumulate(3_c).minimize(loss);
  session s(train);
  start(s);
  const batch b(0);
  for (int step = 1; step <= 6; ++step) {
    const auto before = s.get(kernel), m = s.get<"kernel/momentum/m">();
    s.run(train, x = b.x, y = b.y);
    CHECK((s.get(kernel) == before) == (step % 3 != 0));
    CHECK((s.get<"kernel/momentum/m">() == m) == (step % 3 != 0));
    CHECK(s.get<"kernel/momentum/gradients">() == step % 3);
  }
  CHECK(s.get<"kernel/momentum/gradient">() == xt::zeros<double>({3, 2}));
}
TEST_CASE("OPT: a schedule is the rate, and counts the steps of its optimizer") {
  check("schedule", optimizers::adam(schedules::exponential_decay(0.05_c, 20_c, 0.7_c)));
  check("schedule of torch", optimizers::nesterov(schedules::one_cycle(0.05_c, 201_c)));
  check("sgd", optimizers::sgd([](auto step) { return 0.05_c + 0_c * step; }));
  const auto train = optimizers::sgd(schedules::exponential_decay(0.05_c, 20_c, 0.7_c)).minimize(loss);
  session s(train);
  start(s);
  s.run(train, x = batch(0).x, y = batch(0).y);
  CHECK(s.get<"kernel/sgd/step">() == 1);
}
TEST_CASE("OPT: two optimizers, each of one variable, at once") {
  check_step("two at once", group(optimizers::momentum(0.02_c).minimize(loss, kernel),
                                  optimizers::adadelta(0.5_c, 0.9_c, 1e-6_c).minimize(loss, bias)));
}
TEST_CASE("OPT: a schedule, decay, a limit and accumulation together, in any order") {
  const auto rate = schedules::cosine_decay(0.05_c, 30_c);
  const auto one =
      optimizers::nadam(rate).weight_decay(0.2_c, variables_not_named<"kernel">).clip_by_global_norm(0.5_c).accumulate(4_c);
  const auto other =
      optimizers::nadam(rate).accumulate(4_c).clip_by_global_norm(0.5_c).weight_decay(0.2_c, variables_not_named<"kernel">);
  static_assert(std::is_same_v<decltype(one), decltype(other)>);
  check("all of it", one, of_float);
}
TEST_CASE("OPT: an optimizer of one's own is a function") {
  const auto mine = optimizers::rule<"mine">(0.02_c, [](auto s, auto w, auto g, auto rate) {
    const auto m = optimizers::state<"velocity">(s);
    const auto next = s(0.9_c) * m + g;
    return s.changes(w - s(rate) * next, s.store(m, next));
  });
  check("momentum", mine);
  check("clip_by_global_norm",
        optimizers::rule<"plain">(0.1_c, [](auto s, auto w, auto g, auto rate) { return s.changes(w - s(rate) * g); })
            .clip_by_global_norm(0.3_c),
        of_float);
}
