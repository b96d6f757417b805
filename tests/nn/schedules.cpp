// SPDX-License-Identifier: MIT
#include <nn/regression.hpp>

/// Schedules at 24 steps beside those of Keras and PyTorch.
namespace {

using namespace etch::literals;
using namespace etch;

constexpr placeholder<"step", std::int64_t> at;

template <class Schedule>
void check(const char* name, Schedule schedule, double tolerance = 1e-15) {
  session s(schedule(at));
  bool found = false;
  for (const oracle::rates& r : oracle::scheduled)
    if (std::strcmp(r.name, name) == 0) {
      found = true;
      for (std::size_t i = 0; i < std::size(oracle::steps); ++i) {
        CAPTURE(oracle::steps[i]);
        CHECK_MESSAGE(std::abs(s.run(schedule(at), at = oracle::steps[i]) - r.values[i]) <= tolerance, std::string(name));
      }
    }
  CHECK(found);
}

}  // namespace

TEST_CASE("OPT: schedules that fall") {
  using namespace schedules;
  check("exponential_decay", exponential_decay(0.1_c, 30_c, 0.5_c));
  check("exponential_decay in stairs", exponential_decay(0.1_c, 30_c, 0.5_c, staircase));
  check("exponential_decay of torch", exponential_decay(0.1_c, 1_c, 0.97_c));
  check("steps of torch", exponential_decay(0.1_c, 30_c, 0.5_c, staircase));
  check("inverse_time_decay", inverse_time_decay(0.1_c, 30_c, 0.5_c));
  check("inverse_time_decay in stairs", inverse_time_decay(0.1_c, 30_c, 0.5_c, staircase));
  check("polynomial_decay", polynomial_decay(0.1_c, 100_c, 0.01_c, 2_c));
  check("polynomial_decay cycled", polynomial_decay(0.1_c, 30_c, 0.01_c, 1_c, cycled));
  check("polynomial_decay of torch", polynomial_decay(0.1_c, 100_c, 0_c, 0.5_c));
  // Keras adds them up in float.
  check("piecewise_constant_decay", piecewise_constant_decay<10, 50, 100>(0.1_c, 0.05_c, 0.02_c, 0.01_c), 1e-8);
}
TEST_CASE("OPT: piecewise constant rates are doubles, with their step and behind it") {
  using namespace schedules;
  constexpr auto two = piecewise_constant_decay<10>(0.1_c, 0.3_c);
  constexpr auto none = piecewise_constant_decay(0.7_c);
  static_assert(std::is_same_v<decltype(two(at))::value_type, double> && std::is_same_v<decltype(none(at))::value_type, double>);
  session s(two(at), none(at));
  for (const auto& [step, rate] : {std::pair{0, 0.1}, {10, 0.1}, {11, 0.3}}) CHECK(s.run(two(at), at = step) == rate);
  CHECK(s.run(none(at), at = 0) == 0.7);
}
TEST_CASE("OPT: schedules along cosines, and what warms up") {
  using namespace schedules;
  check("cosine_decay", cosine_decay(0.1_c, 100_c, 0.2_c));
  check("cosine_decay of torch", cosine_decay(0.1_c, 199_c));
  check("cosine_decay_restarts", cosine_decay_restarts(0.1_c, 10_c, 2_c, 0.8_c, 0.1_c));
  check("cosine_decay_restarts of 1", cosine_decay_restarts(0.1_c, 10_c, 1_c, 0.9_c));
  check("cosine_decay_restarts of torch", cosine_decay_restarts(0.1_c, 10_c));
  check("one_cycle", one_cycle(0.1_c, 201_c));
  check("one_cycle with shares", one_cycle(0.1_c, 201_c, 0.4_c, 10_c, 100_c));
  check("warm_up", warm_up(cosine_decay(0.1_c, 100_c), 25_c, 0.01_c));
  check("warm_up of torch", warm_up(exponential_decay(0.1_c, 1_c, 0.97_c), 25_c, 0.01_c));
}
TEST_CASE("OPT: a restart is at its step, however late; parameters that are fed; what has ended stays") {
  using namespace schedules;
  constexpr placeholder<"rate", float> rate;
  const auto restarts = cosine_decay_restarts(rate, 3_c);
  const auto warm = warm_up(rate, 4_c);
  const auto cycle = one_cycle(rate, 10_c);
  const auto one_step_up = one_cycle(0.1_c, 10_c, 0.1_c);
  session s(restarts(at), warm(at), cycle(at), one_step_up(at));
  std::int64_t begin = 0;
  for (std::int64_t length = 3; begin < 3'000'000; begin += length, length *= 2) {
    CHECK(s.run(restarts(at), at = begin, rate = 0.5f) == 0.5);
    CHECK(s.run(restarts(at), at = begin + length - 1, rate = 0.5f) < 0.5);
  }
  CHECK(s.run(warm(at), at = 1, rate = 0.5f) == 0.125);
  CHECK(s.run(warm(at), at = 9, rate = 0.5f) == 0.5);
  CHECK(s.run(cycle(at), at = 9, rate = 0.5f) * 25e4 == doctest::Approx(0.5));
  CHECK(s.run(cycle(at), at = 90, rate = 0.5f) * 25e4 == doctest::Approx(0.5));
  CHECK(s.run(one_step_up(at), at = 0) == doctest::Approx(0.1));
  CHECK(s.run(one_step_up(at), at = 9) * 25e4 == doctest::Approx(0.1));
}
