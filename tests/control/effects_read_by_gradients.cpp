// SPDX-License-Identifier: MIT
#include <vector>

#include "control/effects_read_by_gradients.hpp"

/// Calls whose values gradients of loops read: once a step, whether the value, the gradient or both are asked for. And their order.
namespace {

using namespace effects;
using etch::cond;
using etch::for_range;

}  // namespace

TEST_CASE("AG-06: the gradient of a loop reads what calls have given in its steps, kept or computed again") {
  const auto body = [](auto t, auto) { return tripled(t) * t + a; };
  const auto in_plain = [](const jet& x) {
    jet t = x;
    for (int i = 0; i < 2; ++i) t = factor(t) * t + x;
    return t;
  };
  const auto twice = [](double) { return 2; };
  check_effects<calls>(etch::scan(body, a, nested::es), in_plain, twice);
  check_effects<calls>(etch::scan(body, a, nested::es, etch::recompute), in_plain, twice);
}

namespace {
std::vector<double> seen;
constexpr auto log_of = [](double x) { seen.push_back(x); };
/// x after a note of that number.
template <int Number>
constexpr auto noted = [](auto x) { return etch::after(x, host_call<"log">(log_of, etch::literal<double(Number)>)); };
}  // namespace

TEST_CASE("AG-06: an effect of outside comes after those of what the region is given, and before the body's") {
  constexpr auto v = noted<2>(a * a);
  constexpr auto branch = cond(noted<1>(a) > 0_c, [=] { return noted<3>(v * a); }, [] { return noted<4>(a); });
  constexpr auto loop = for_range<2>([=](auto, auto t) { return noted<3>(t * v); }, noted<1>(a));
  constexpr auto y = branch + v;
  constexpr auto z = loop + v;
  etch::session s(y, z);
  seen.clear();
  CHECK(s.run(y, a = 2) == 8 + 4);
  CHECK(seen == std::vector<double>{1, 2, 3});
  seen.clear();
  CHECK(s.run(y, a = -2) == -2 + 4);
  CHECK(seen == std::vector<double>{1, 2, 4});
  seen.clear();
  CHECK(s.run(z, a = 2) == 2 * 4 * 4 + 4);
  CHECK(seen == std::vector<double>{1, 2, 3, 3});
}
